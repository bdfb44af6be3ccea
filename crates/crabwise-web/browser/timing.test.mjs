// How long things take on this machine. The numbers are printed; the limits are generous.

import assert from "node:assert/strict";

import { chooseAll, open, sit, solved } from "./desk.mjs";

const GAME = "isolation:4x4";
const PAINT = 500;
const CLICK = 250;
const TIMES = 9;
const desk = await sit();

function median(list) {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
}

function tell(t, what, list) {
  const all = list.map((time) => time.toFixed(0)).join(" ");
  t.diagnostic(`${what}: median ${median(list).toFixed(0)} ms (${all})`);
}

/** Milliseconds from the navigation to the first content and to the first coloured target. */
function paints(page) {
  return page.evaluate(() => {
    const [entry] = performance.getEntriesByName("first-contentful-paint");
    return { content: entry.startTime, values: window.valuesAt };
  });
}

/** Notes when a board with values is first there. Runs in the page before its own scripts. */
function noteValues() {
  const look = () => {
    if (window.valuesAt || !document.querySelector("#board [data-outcome]")) return;
    window.valuesAt = performance.now();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}

desk.check("a solved position is painted soon", {}, async (visit, t) => {
  const { page, server, context } = visit;
  await server.work(GAME);
  await context.addInitScript(noteValues);
  const found = [];
  for (let n = 0; n < TIMES; n += 1) {
    await open(visit, { game: GAME, line: "c1-c3", tab: "none" });
    await solved(page);
    await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint").length > 0,
    );
    found.push(await paints(page));
  }
  const content = found.map((one) => one.content);
  const values = found.map((one) => one.values);
  tell(t, "first content", content);
  tell(t, "first values", values);
  assert.ok(median(content) < PAINT, `${median(content)} ms to the first content`);
  assert.ok(median(values) < PAINT, `${median(values)} ms to the first values`);
});

/** Clicks on a target and measures until the board has been drawn anew, inside the page. */
function timedClick(page, choice) {
  return page.evaluate(
    (name) =>
      new Promise((done) => {
        const board = document.getElementById("board");
        const began = performance.now();
        const watch = new MutationObserver(() => {
          watch.disconnect();
          requestAnimationFrame(() => done(performance.now() - began));
        });
        watch.observe(board, { childList: true });
        const target = board.querySelector(`[data-choice="${name}"]`);
        target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      }),
    choice,
  );
}

desk.check("a click is answered soon", {}, async (visit, t) => {
  const { page } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await chooseAll(visit, ["c1", "c3"]);
  const times = [];
  for (let n = 0; n < TIMES; n += 1) {
    const choice = await page.getAttribute("#board [data-choice]", "data-choice");
    if (!choice) break;
    times.push(await timedClick(page, choice));
  }
  tell(t, "click to board", times);
  assert.ok(times.length >= 5);
  assert.ok(median(times) < CLICK, `${median(times)} ms from a click to the board`);
});

desk.check("a board in the dark that is too large to lay out is there soon", {}, async (visit, t) => {
  const { page } = visit;
  const times = [];
  for (const game of ["dark-hex:4x4", "dark-hex:5x5", "dark-hex:3x3"]) {
    const began = performance.now();
    await open(visit, { game });
    await page.waitForSelector("#board [data-choice]");
    times.push(performance.now() - began);
  }
  tell(t, "board in the dark", times);
  assert.ok(median(times) < 2 * PAINT, `${median(times)} ms to the board`);
});
