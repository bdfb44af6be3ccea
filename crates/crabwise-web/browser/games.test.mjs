// Other games: each is opened, solved, and played for a while with the values of the server.

import assert from "node:assert/strict";

import { agrees, choose, covered, open, quiet, sit, solved, spot, targets, turn } from "./desk.mjs";

const desk = await sit();

/** Makes moves until the line has this length or the game is over; checks every board. */
async function playOn(visit, length, pick = (choices) => choices[0]) {
  for (let n = 0; n < 4 * length; n += 1) {
    const over = await turn(visit.page);
    const { choices, line } = await agrees(visit);
    if (over || line.length >= length) return;
    await choose(visit, pick(choices).choice);
  }
  throw new Error("the line does not get longer");
}

for (const game of [
  "black-hole:5,2",
  "cruzados",
  "tictactoe",
  "connect-four:4x4",
  "nim:3-5-7",
  "dots-and-boxes:2x2",
  "hex:3x3",
]) {
  desk.check(`${game} is solved and played`, {}, async (visit) => {
    await open(visit, { game });
    await solved(visit.page);
    await playOn(visit, 5);
    assert.ok(spot(visit.page).line.length > 0);
  });
}

desk.check("tictactoe is played to a tie and to a loss", {}, async (visit) => {
  await open(visit, { game: "tictactoe" });
  await solved(visit.page);
  await playOn(visit, 9);
  const tie = await agrees(visit);
  assert.deepEqual([tie.over, tie.winner], [true, null]);
  await open(visit, { game: "tictactoe", second: "perfect" });
  await solved(visit.page);
  await playOn(visit, 9, (choices) => choices[choices.length - 1]);
  const loss = await agrees(visit);
  assert.deepEqual([loss.over, loss.winner], [true, "second"]);
});

desk.check("every target of every first position can be pointed at", {}, async (visit) => {
  const { page, server } = visit;
  const { games } = await server.get("games");
  for (const { opening, hidden } of games) {
    if (hidden) continue;
    await open(visit, { game: opening, tab: "none" });
    await page.waitForSelector(":is(#board, #others) [data-choice]");
    await quiet(page);
    assert.deepEqual(await covered(page), [], opening);
  }
});

desk.check("an edge of the Game of Cycles is directed by its arrow", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "cycles:k4" });
  await solved(page);
  const before = Object.keys(await targets(page));
  assert.equal(before.length, 12, "six edges, two ways each");
  await choose(visit, before[3]);
  assert.deepEqual(spot(page).line, [before[3]]);
  const { last } = await agrees(visit);
  assert.deepEqual(last, [before[3]]);
  assert.ok(!Object.keys(await targets(page)).includes(before[3]));
  await playOn(visit, 6);
});

desk.check("chess: the man that was picked up is marked, and goes where one points", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "chess:KQK" });
  await page.waitForSelector("#board [data-outcome]");
  await choose(visit, "d1");
  assert.equal(await page.locator("#board .made").count(), 1);
  assert.deepEqual(await covered(page), []);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("#board .made"));
  await choose(visit, "d1");
  await choose(visit, "d5");
  assert.deepEqual(spot(page).line, ["Qd1-d5"]);
  await agrees(visit);
});

desk.check("a marking that is not allowed is dotted, says why, and covers nothing", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "cycles:k4", line: "1→2 1→4" });
  await solved(page);
  const titles = await page.$$eval("#board .gone title", (all) => all.map((one) => one.textContent));
  assert.deepEqual(titles, ["1→3 would make a source at 1"]);
  assert.deepEqual(await covered(page), []);
  const [barred, back] = await page.evaluate(() =>
    ["#board .gone .shaft", '#board [data-choice="3→1"] .shaft'].map((path) => {
      const line = document.querySelector(path);
      return line.getTotalLength();
    }),
  );
  assert.ok(Math.abs(barred - back) < 0.1, "each is drawn in its half");
  assert.match(await page.innerText("#panel"), /Not allowed\s+1→3 would make a source at 1/);
});
