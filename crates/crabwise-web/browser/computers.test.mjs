// Two computers at the board.

import assert from "node:assert/strict";

import { agrees, changed, open, quiet, sit, solved, spot } from "./desk.mjs";

const GAME = "isolation:4x4";
const desk = await sit();

async function fastest(page) {
  await page.fill("#speed", "10");
}

desk.check("perfect against random plays to an end", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME, first: "perfect", second: "random" });
  await solved(page);
  await fastest(page);
  await page.click("#play");
  await page.waitForFunction(() => !document.querySelector("#board [data-choice]"));
  const end = await agrees(visit);
  assert.ok(end.over);
  assert.equal(end.winner, "first", "the first player wins Isolation 4x4");
  assert.ok((await page.isDisabled("#play")) && (await page.isDisabled("#step")));
});

desk.check("two computers wait, step and pause", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME, first: "random", second: "perfect" });
  await solved(page);
  await page.waitForTimeout(600);
  assert.deepEqual(spot(page).line, [], "nobody has said “play”");
  for (const length of [1, 2]) {
    await changed(page, () => page.click("#step"));
    assert.equal(spot(page).line.length, length);
    await agrees(visit);
  }
  await changed(page, () => page.click("#play"));
  await page.click("#play");
  assert.equal(await page.textContent("#play"), "Play");
  await page.waitForTimeout(100);
  await quiet(page);
  const { line } = spot(page);
  await page.waitForTimeout(1200);
  assert.deepEqual(spot(page).line, line, "a pause is a pause");
  assert.ok(line.length >= 3);
  await agrees(visit);
});

desk.check("a slow click and a drag are not cut off by a move", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME, first: "random", second: "random" });
  await solved(page);
  const controls = [await page.$("#play"), await page.$("#speed")];
  await changed(page, () => page.click("#step"));
  for (const control of controls) {
    assert.ok(await control.evaluate((element) => element.isConnected), "it is still there");
  }
});

desk.check("undo against a computer goes to the person's move", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME, second: "perfect" });
  await solved(page);
  for (const choice of ["c1", "c3"]) await page.click(`#board [data-choice="${choice}"]`);
  await page.waitForFunction(() => document.querySelectorAll("#history li").length === 3);
  await quiet(page);
  await changed(page, () => page.click("#undo"));
  assert.deepEqual(spot(page).line, []);
  await page.waitForTimeout(600);
  assert.deepEqual(spot(page).line, [], "the computer waits after an undo");
  await changed(page, () => page.click("#redo"));
  assert.equal(spot(page).line.length, 2);
  await agrees(visit);
});

// There is nothing to count, which is what the page is to say.
const uncounted = { allow: [/(400|409).*\/api\/stats/] };
desk.check("who looks ahead plays where there can be no table", uncounted, async (visit) => {
  const { page, server } = visit;
  const game = "isolation:7x7";
  await open(visit, { game, second: "horizon=2" });
  await page.waitForSelector("#job:visible");
  await quiet(page);
  assert.match(await page.innerText("#job"), /No table\s+Boards of more than 40 squares/);
  assert.equal(await page.locator("#job button, .problem:visible").count(), 0);
  const disabled = () =>
    page.$$eval("#first option:disabled", (all) => all.map((option) => option.value));
  assert.deepEqual(await disabled(), ["perfect", "trappy"]);
  await page.click("#swap");
  assert.deepEqual(await disabled(), ["perfect", "trappy"]);
  await page.click("#swap");
  for (const choice of ["c1", "g7"]) await page.click(`#board [data-choice="${choice}"]`);
  await page.waitForFunction(() => document.querySelectorAll("#history li").length === 3);
  await agrees(visit);
  assert.deepEqual((await server.get("jobs")).jobs.filter((job) => job.game === game), []);
  await page.click("#tab-analysis");
  await page.waitForSelector("#panel .sheet :text('more than 40 squares')");
});
