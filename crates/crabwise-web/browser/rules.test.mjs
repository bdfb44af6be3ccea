// Rules of a game, written in the page: mistakes as one types, the first position beside them, and the game.

import assert from "node:assert/strict";

import { agrees, choose, open, overflows, quiet, sit, solved, targets, until } from "./desk.mjs";

const desk = await sit();

const THREE = `game "Three in a column"
players x, o
board grid 2x3

move C
  if C is empty
  then C becomes mine

win if 3 in column are mine
tie if no cell is empty
`;

const count = (page) => page.textContent("#rules-count");
const write = (page, text) => page.fill("#rules-text", text);

desk.check("rules are written, opened, solved and played", {}, async (visit) => {
  const { page } = visit;
  await open(visit, {});
  await page.click("#own-rules");
  await page.waitForSelector("#rules-open:enabled");
  assert.match(await page.inputValue("#rules-text"), /Tic-tac-toe/);
  await write(page, THREE);
  await page.waitForSelector("#rules-open:disabled");
  await page.waitForSelector("#rules-open:enabled");
  assert.match(await page.textContent("#panel .preview + p"), /Three in a column.*6 first moves/);
  assert.equal(await page.locator("#panel .preview svg").count(), 1);
  await page.click("#rules-open");
  await page.waitForFunction(() => location.search.includes("drawn-"));
  await solved(page);
  assert.equal(Object.keys(await targets(page)).length, 6, "six empty cells");
  for (let n = 0; n < 2; n += 1) {
    const { choices } = await agrees(visit);
    await choose(visit, choices[0].choice);
  }
  await agrees(visit);
  // The address carries the text.
  await page.reload();
  await quiet(page);
  await agrees(visit);
  assert.equal(await page.inputValue("#rules-text"), THREE);
});

desk.check("mistakes are marked where they are, and go when they are mended", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "rules:tic-tac-toe", tab: "board" });
  await page.waitForSelector("#rules-open:enabled");
  const wrong = THREE.replace("grid", "gird").replace("C\n  if C is", "C\n  C is");
  await write(page, wrong);
  await until(async () => /2 mistakes/.test(await count(page)), "two mistakes");
  assert.ok(await page.isDisabled("#rules-open"));
  assert.equal(await page.getAttribute("#rules-text", "aria-invalid"), "true");
  const marked = await page.$$eval(".code-marks mark", (all) => all.map((one) => one.textContent));
  assert.equal(marked[0], "gird");
  assert.match(await page.textContent(".mistakes li:first-child"), /line 3.*gird.*did you mean 'grid'/);
  await page.click(".mistakes li:first-child button");
  const chosen = await page.$eval("#rules-text", (text) =>
    text.value.slice(text.selectionStart, text.selectionEnd),
  );
  assert.equal(chosen, "gird");
  await page.keyboard.type("grid");
  await until(async () => /One mistake/.test(await count(page)), "one mistake is left");
  await write(page, THREE);
  await until(async () => /right/.test(await count(page)), "none is left");
  assert.equal(await page.locator(".code-marks mark").count(), 0);
});

desk.check("an example replaces the text, and that can be undone", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "rules:tic-tac-toe", tab: "board" });
  await page.waitForSelector("#rules-open:enabled");
  await write(page, THREE);
  await page.selectOption("#rules-example", "nim");
  assert.match(await page.inputValue("#rules-text"), /Nim/);
  await page.keyboard.press("Control+z");
  assert.equal(await page.inputValue("#rules-text"), THREE);
});

desk.check("the editor fits on a phone", { viewport: { width: 390, height: 844 }, touch: true }, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "rules:connect-four", tab: "board" });
  await page.waitForSelector("#rules-open:enabled");
  assert.ok(!(await overflows(page)));
});
