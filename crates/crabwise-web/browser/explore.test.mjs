// The tabs below the board: perfect play, all moves, statistics, the graph of all positions.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { agrees, changed, open, quiet, sit, solved, spot, until } from "./desk.mjs";

const GAME = "isolation:4x4";
// After the one move that wins.
const LOST = "c1-c3";
const desk = await sit();
// Statistics are counted when they are first asked for; a graph may be too large.
const counting = { allow: [/409.*\/api\/stats/] };

desk.check("perfect play, moves and tree are those of the server", {}, async (visit) => {
  const { page, server } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  const { moves: best } = await server.get("perfect", { game: GAME, most: "60" });
  await page.waitForSelector(".explore-line .step");
  const steps = await page.locator(".explore-line .step").allTextContents();
  assert.deepEqual(
    steps,
    best.map(({ move }) => move),
  );
  const { moves } = await server.get("position", { game: GAME });
  assert.deepEqual(await rows(page), moves.map(told));
  await page.click("summary:has-text('Tree')");
  await page.waitForSelector(".tree li");
  const tree = await server.get("tree", { game: GAME, plies: "2" });
  assert.equal(await page.locator(".tree > ul > li").count(), tree.moves.length);
  assert.ok((await page.locator(".tree .best").count()) > 0);
  await changed(page, () => page.click(".explore-line .step >> nth=2"));
  assert.deepEqual(spot(page).line, steps.slice(0, 3));
  await agrees(visit);
});

function told({ move, value }) {
  return [move, value.outcome, String(value.remoteness)];
}

/** The table of moves; the server's order is by value, so are the rows. */
function rows(page) {
  return page.$$eval("table.moves tbody tr", (all) =>
    all.map((row) => {
      const [move, value, far] = Array.from(row.cells, (cell) => cell.textContent.trim());
      return [move, value.split(" ").pop(), far];
    }),
  );
}

desk.check("the table of moves can be sorted and clicked", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await page.click("th button:text-is('Move')");
  const names = (await rows(page)).map(([move]) => move);
  assert.deepEqual(names, [...names].sort());
  await page.click("th button:text-is('Moves left')");
  await page.click("th button:text-is('Moves left')");
  const far = (await rows(page)).map(([, , left]) => Number(left));
  assert.deepEqual(
    far,
    [...far].sort((a, b) => b - a),
  );
  const [first] = await rows(page);
  await changed(page, () => page.click("table.moves tbody tr:first-child button"));
  assert.deepEqual(spot(page).line, [first[0]]);
  await agrees(visit);
});

desk.check("positions are found", { allow: [/404.*\/api\/find/] }, async (visit) => {
  const { page } = visit;
  // From a lost position, since the start may be the longest win that is found in time.
  await open(visit, { game: GAME, line: LOST });
  await solved(page);
  await changed(page, () => page.click('.explore-find button:text-is("longest win")'));
  assert.equal((await agrees(visit)).value.outcome, "win");
  await changed(page, () => page.click('.explore-find button:text-is("a loss")'));
  assert.equal((await agrees(visit)).value.outcome, "loss");
  await page.click('.explore-find button:text-is("a tie")');
  await until(() => page.locator(".explore-find .problem:visible").count(), "that there is none");
});

desk.check("labels are worked out on request", { allow: [/409/] }, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await page.click("#labels");
  await page.waitForFunction(() =>
    /[GPT]\d/.test(document.querySelector("#board .badge")?.textContent ?? ""),
  );
  await quiet(page);
});

desk.check("analysis plots, compares and can be kept", counting, async (visit) => {
  const { page, server } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await page.click("#tab-analysis");
  await page.waitForSelector(".sheet .chart");
  const stats = await server.get("stats", { game: GAME });
  const facts = await page.innerText(".sheet .facts");
  assert.ok(facts.includes(stats.positions.toLocaleString("en")), facts);
  assert.equal(await page.locator(".sheet .chart").count(), 2);
  const columns = await page.locator(".chart >> nth=0 >> g").count();
  assert.equal(columns, stats.remoteness.length);

  await page.fill("#compare", "isolation:3x4");
  await page.click('#panel button:text-is("Add")');
  await page.waitForSelector(".sheet >> nth=1");
  const solve = page.locator('.sheet >> nth=1 >> button:text-is("Solve it")');
  await solve.or(page.locator(".sheet >> nth=1 >> .chart >> nth=0")).waitFor();
  if (await solve.isVisible()) await solve.click();
  await page.waitForSelector(".sheet >> nth=1 >> .chart >> nth=1");
  assert.ok(page.url().includes("with=isolation:3x4"));

  const sheet = ".sheet >> nth=0 >> ";
  const csv = await saved(page, `${sheet}button:text-is("CSV")`);
  assert.equal(csv.trim().split("\n").length, stats.remoteness.length + 1);
  const json = JSON.parse(await saved(page, `${sheet}button:text-is("JSON")`));
  assert.equal(json.positions, stats.positions);
  assert.match(await saved(page, `${sheet}button:text-is("SVG 1")`), /^<svg[^]*<rect[^]*<\/svg>$/);
  const small = ".sheet >> nth=1 >> ";
  const all = await saved(page, `${small}a:text-is("CSV")`);
  assert.match(all, /^id,.*position.*\n/);
  assert.ok(all.split("\n").length > 10_000, "one line a position");
});

/** Clicks on something that gives a file, and reads the file. */
async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  return readFile(await download.path(), "utf8");
}

desk.check("the graph of a small game", {}, async (visit) => {
  const { page, server } = visit;
  await open(visit, { game: "nim:1-2" });
  await solved(page);
  await page.click("#tab-graph");
  await page.waitForSelector(".node");
  const { nodes, edges } = await server.get("graph", { game: "nim:1-2" });
  assert.equal(await page.locator(".node").count(), nodes.length);
  assert.equal(await page.locator(".edge").count(), edges.length);
  assert.equal(nodes.length, 6);
  const node = nodes.find(({ layer }) => layer === 2);
  await changed(page, () => page.locator(nodeOf(node)).click());
  assert.deepEqual(spot(page).line, node.line);
  await page.waitForFunction((name) => document.querySelector(name), `${nodeOf(node)}.now`);
  await quiet(page);
  assert.match(await saved(page, 'button:text-is("Save SVG")'), /^<svg[^]*<circle[^]*<\/svg>$/);
});

function nodeOf({ position }) {
  return `.node[data-position=${JSON.stringify(position)}]`;
}

// Before it is solved there is no graph; then it turns out to be too large.
const refused = { allow: [/(409|413).*\/api\/graph/] };

desk.check("a graph that is too large", refused, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "tictactoe", tab: "graph" });
  await page.waitForSelector('#panel :text("smaller size")');
  const text = await page.innerText("#panel");
  assert.match(text, /5,000/);
  assert.equal(await page.locator(".node").count(), 0);
});

desk.check("a graph that is nearly too large", {}, async (visit) => {
  const { page, server } = visit;
  await server.work("nim:7-9-10");
  await open(visit, { game: "nim:7-9-10", tab: "graph" });
  await page.waitForSelector(".node");
  assert.equal(await page.locator(".node").count(), 8 * 10 * 11);
});

desk.check("thousands of positions are drawn, and a move draws none of them again", {}, async (visit) => {
  const { page, server } = visit;
  await server.work("mu-torere");
  await open(visit, { game: "mu-torere", tab: "graph" });
  await page.waitForSelector(".node");
  assert.equal(await page.locator(".node").count(), 1180);
  assert.equal(await page.locator("path.edge").count(), 2);
  const way = () => page.locator(".way").innerHTML();
  const [before, first] = [await way(), await page.locator(".node.now").elementHandle()];
  await changed(page, () => page.locator(".node").nth(20).dispatchEvent("click"));
  await page.waitForSelector(".node:not(:first-of-type).now", { state: "attached" });
  assert.ok(await first.evaluate((node) => node.isConnected && !node.matches(".now")));
  assert.notEqual(await way(), before);
  assert.equal(await page.locator(".node.now").count(), 1);
});

desk.check("a position tells its number in the published file", {}, async (visit) => {
  await open(visit, { game: "isolation:4x4" });
  await solved(visit.page);
  assert.match(await visit.page.innerText("#panel .facts"), /Published as\s+14745600/);
});
