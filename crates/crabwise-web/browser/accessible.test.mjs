// Every kind of page against axe-core: names, roles, contrast, order.

import assert from "node:assert/strict";

import axe from "axe-core";

import { open, sit } from "./desk.mjs";

const ISOLATION = "isolation:4x4";
const DARK = "dark-hex:2x2,abrupt";
const desk = await sit();
const { server } = desk;

/** A name, the address, what has to be there, and what is done first. */
const PAGES = [
  ["home", {}, "#cards a"],
  ["values", { game: ISOLATION, line: "c1-c3 d3-c2 d2-d4" }, "#value-graph svg"],
  ["values as buttons", { game: "nim:2-3" }, "[data-outcome]"],
  ["half a turn", { game: ISOLATION, made: "c1" }, "#made:visible"],
  ["moves and tree", { game: ISOLATION }, ".explore-line .step", openAll],
  ["analysis", { game: ISOLATION, tab: "analysis", with: "isolation:3x4" }, ".chart"],
  ["graph", { game: "nim:2-3", tab: "graph" }, ".node"],
  ["graph of labels", { game: "graph", tab: "graph" }, ".node", byLabels],
  ["position editor", { game: "tictactoe", tab: "edit" }, "#panel .editor-board"],
  ["board editor", { game: "cycles:wheel=4", tab: "board" }, ".draft-vertex"],
  ["a graph of one's own", { game: "graph", tab: "board" }, "#panel textarea"],
  ["without a table", { game: "quixo:5" }, "[data-choice]"],
  ["unsolved", { game: "isolation:5x5" }, "#solve"],
  ["in the dark", { game: DARK, odds: "1" }, "[data-choice]"],
  ["keys", { game: ISOLATION }, "[data-outcome]", (page) => page.keyboard.press("?")],
];

async function openAll(page) {
  await page.click("summary:has-text('Tree')");
  await page.waitForSelector(".tree li");
}

async function byLabels(page) {
  await page.selectOption("#colouring", "labels");
  await page.waitForSelector(".graph.by-labels .node");
}

for (const game of [ISOLATION, "isolation:3x4", "nim:2-3", "cycles:wheel=4", "graph"]) {
  await server.work(game);
}
for (const game of [ISOLATION, "isolation:3x4"]) await server.work(game, "stats");
await server.work("graph", "traps");
await server.work(DARK, "equilibrium");

/** What axe finds wrong, in short. */
function judged(page) {
  const run = async () => {
    const { violations } = await window.axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)[0]}`);
  };
  return page.evaluate(run);
}

for (const scheme of ["light", "dark"]) {
  const allow = [/409/, /400.*\/api\/position\?game=dark-hex/];
  desk.check(`pages hold to axe, ${scheme}`, { scheme, allow }, async ({ page, server }) => {
    const wrong = [];
    for (const [name, query, there, first] of PAGES) {
      await open({ page, server }, query);
      await page.waitForSelector(there);
      await first?.(page);
      await page.waitForTimeout(100);
      // The page's policy lets nobody add a script; a debugger may.
      await page.evaluate(axe.source);
      for (const one of await judged(page)) wrong.push(`${name}: ${one}`);
    }
    assert.deepEqual(wrong, []);
  });
}
