// Boards that a person makes: drawn by clicks, or pasted as text.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { agrees, choose, open, quiet, sit, solved, spot, targets, until } from "./desk.mjs";

const desk = await sit();
// A board that is not one yet is answered with an error, which is what is tested.
const allow = [/400.*\/api\/boards/];

/** Clicks on the sheet, at parts of its width and height. */
async function clickAt(page, points) {
  const sheet = page.locator(".sheet-board");
  await sheet.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await sheet.boundingBox();
  for (const [across, down] of points) {
    await page.mouse.click(x + width * across, y + height * down);
  }
}

const [A, B, C] = [
  [0.2, 0.8],
  [0.8, 0.8],
  [0.5, 0.2],
];

desk.check("a triangle is drawn, checked, opened and played", { allow }, async (visit) => {
  const { page, server } = visit;
  await server.work("cycles:k4");
  await open(visit, { game: "cycles:k4", tab: "board" });
  await solved(page);
  await page.waitForSelector(".draft-vertex");
  assert.equal(await page.locator(".draft-vertex").count(), 4, "the board that is open");
  assert.equal(await page.locator(".draft-edge").count(), 6);
  await page.click('#panel button:text-is("Clear")');
  await clickAt(page, [A, B, C]);
  assert.equal(await page.locator(".draft-vertex").count(), 3);
  await clickAt(page, [A, B, B, C]);
  assert.equal(await page.locator(".draft-edge").count(), 2);
  await clickAt(page, [C, A]);
  assert.equal(await page.locator(".draft-edge").count(), 3);
  await page.waitForSelector("#board-play:enabled");
  await page.click("#board-play");
  await page.waitForFunction(() => location.search.includes("drawn-"));
  await solved(page);
  assert.equal(Object.keys(await targets(page)).length, 6, "three edges, two ways each");
  for (let n = 0; n < 3; n += 1) {
    const { over, choices } = await agrees(visit);
    if (over) break;
    await choose(visit, choices[0].choice);
  }
  await agrees(visit);
  await page.reload();
  await quiet(page);
  await agrees(visit);
});

desk.check("a drawing is kept when the game beside it is solved", { allow }, async (visit) => {
  const { page } = visit;
  let goOn = null;
  const drawn = new Promise((done) => {
    goOn = done;
  });
  await page.route(/\/api\/jobs$/, async (route) => {
    await drawn;
    await route.continue();
  });
  await open(visit, { game: "cycles:wheel=4", tab: "board" });
  await page.waitForSelector(".draft-vertex");
  await page.waitForSelector("#board [data-choice]");
  await page.click('#panel button:text-is("Clear")');
  await clickAt(page, [A, B, C]);
  goOn();
  await page.waitForFunction(() => document.querySelector("#board [data-remoteness]"));
  await page.waitForLoadState("networkidle");
  assert.equal(await page.locator(".draft-vertex").count(), 3);
});

desk.check("a board is checked while it is drawn", { allow }, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "cycles:k4", tab: "board" });
  await solved(page);
  await page.waitForSelector("#board-play:enabled");
  await page.click('#panel button:text-is("Clear")');
  // Two edges that cross.
  const corners = [
    [0.2, 0.2],
    [0.8, 0.8],
    [0.2, 0.8],
    [0.8, 0.2],
  ];
  await clickAt(page, corners);
  await clickAt(page, corners);
  await until(() => page.locator("#panel section:first-child .problem:visible").count(), "a word");
  assert.match(await page.textContent("#panel section:first-child .problem"), /cross/i);
  assert.ok(await page.isDisabled("#board-play"));
  await page.click('#panel button:text-is("Undo")');
  await until(
    async () => !(await page.locator("#panel section:first-child .problem:visible").count()),
    "the word is gone",
  );
});

desk.check("a board of the gallery is opened by a click", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "cycles:k4", tab: "board" });
  await page.waitForSelector(".gallery button");
  const { boards } = await visit.server.get("gallery");
  assert.equal(await page.locator(".gallery button").count(), boards.length);
  const other = boards.find(({ game }) => game !== "cycles:k4");
  await page.click(`.gallery button:text-is("${other.name}")`);
  await page.waitForFunction(() => !location.search.includes("k4"));
  // Values of a search come first; those of the table have distances.
  await page.waitForSelector("#board [data-remoteness]");
  await quiet(page);
  await agrees(visit);
});

desk.check("a state graph is pasted and played", { allow }, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "graph", tab: "board" });
  await solved(page);
  await page.fill("#import-text", "this is not a graph");
  await until(() => page.locator("#panel .problem:visible").count(), "a word about the text");
  assert.ok(await page.isDisabled("#import-open"));
  await page.fill("#import-text", "from,to\n1A,2B\n1A,3B\n2B,4A\n3B,4A\n");
  await page.waitForSelector("#import-open:enabled");
  assert.equal(await page.locator("#panel .problem:visible").count(), 0);
  await page.click("#import-open");
  await page.waitForFunction(() => location.search.includes("drawn-"));
  await solved(page);
  const { choices } = await agrees(visit);
  assert.equal(choices.length, 2);
  await choose(visit, choices[0].choice);
  await agrees(visit);
  await page.click("#tab-graph");
  await page.waitForSelector(".node");
  assert.equal(await page.locator(".node").count(), 4);
  assert.equal(spot(page).line.length, 1);
});

for (const game of ["cycles:k4", "graph"]) {
  desk.check(`the sample text for ${game} is a board`, {}, async (visit) => {
    const { page } = visit;
    await open(visit, { game, tab: "board" });
    await solved(page);
    await page.fill("#import-text", await page.getAttribute("#import-text", "placeholder"));
    await page.waitForSelector("#import-open:enabled");
  });
}

desk.check("a board that was saved is opened again, in every format", {}, async (visit) => {
  const { page } = visit;
  for (const ending of ["JSON", "game table", "DOT"]) {
    await open(visit, { game: "cycles:figure=11", tab: "board" });
    const button = page.locator("#panel section:first-child button", { hasText: ending });
    await button.waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), button.click()]);
    await page.setInputFiles('#panel input[type="file"]', {
      name: saved.suggestedFilename(),
      mimeType: "text/plain",
      buffer: readFileSync(await saved.path()),
    });
    await page.waitForSelector("#import-open:enabled");
    await page.click("#import-open");
    await page.waitForFunction(() => location.search.includes("drawn-"));
    await quiet(page);
    assert.equal(Object.keys(await targets(page)).length, 16, `${ending}: eight edges`);
    await page.waitForFunction(() => document.querySelectorAll(".draft-edge").length === 8);
  }
});
