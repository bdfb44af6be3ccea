// Playing Isolation on a server that knows nothing yet: every value on the board is the server's.

import assert from "node:assert/strict";

import { agrees, choose, chooseAll, open, sit, solved, targets, turn } from "./desk.mjs";

const GAME = "isolation:4x4";
const desk = await sit();

/** Plays to the end, each time what `pick` takes from the choices. Returns the last position. */
async function playOut(visit, pick) {
  for (let n = 0; n < 80; n += 1) {
    const over = await turn(visit.page);
    const position = await agrees(visit);
    assert.equal(position.over, over);
    if (over) return position;
    await choose(visit, pick(position.choices).choice);
  }
  throw new Error("the game does not end");
}

async function saysWhoWon({ page }, { winner, words }) {
  assert.ok(words.toLowerCase().includes(winner), `“${words}” names the ${winner} player`);
  assert.match(words, /won|wins|lost|loses/);
  assert.equal(await page.locator("#board [data-outcome]").count(), 0);
  assert.ok(await page.isDisabled("#hint"));
}

desk.check("a game is solved by itself when it is opened", {}, async (visit) => {
  const { page, server } = visit;
  assert.equal((await server.get("game", { game: GAME })).solved, false);
  await open(visit);
  await page.click('[data-game="isolation"]');
  await solved(page);
  assert.ok(page.url().includes(`game=${GAME}`));
  assert.equal(await page.isVisible("#job"), false);
  await agrees(visit);
});

desk.check("a person with the best moves beats the perfect player", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await page.selectOption("#second", "perfect");
  const end = await playOut(visit, (choices) => choices[0]);
  assert.equal(end.winner, "first");
  assert.equal(end.line.length, 11);
  await saysWhoWon(visit, end);
});

desk.check("a person with the worst moves loses to the perfect player", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await page.selectOption("#second", "perfect");
  const end = await playOut(visit, (choices) => choices[choices.length - 1]);
  assert.equal(end.winner, "second");
  await saysWhoWon(visit, end);
});

desk.check("a person plays both sides to the end", {}, async (visit) => {
  await open(visit, { game: GAME });
  await solved(visit.page);
  const end = await playOut(visit, (choices) => choices[Math.floor(choices.length / 2)]);
  await saysWhoWon(visit, end);
});

/** How targets of each outcome look: {win: {colour, dashes, glyph}}. */
function looks(page) {
  return page.$$eval("#board [data-outcome]", (all) =>
    Object.fromEntries(
      all.map((target) => {
        const face = getComputedStyle(target.querySelector(".face"));
        const glyph = Array.from(target.querySelector(".letters").textContent)[0];
        const look = { colour: face.stroke, dashes: face.strokeDasharray, glyph };
        return [target.dataset.outcome, look];
      }),
    ),
  );
}

/** Goes to a position in which a choice has this outcome, and tells how it looks. */
async function lookOf(visit, game, line, outcome) {
  await open(visit, { game, line });
  await solved(visit.page);
  const found = (await looks(visit.page))[outcome];
  assert.ok(found, `${game} ${line}: ${JSON.stringify(await targets(visit.page))}`);
  return found;
}

for (const scheme of ["light", "dark"]) {
  desk.check(`outcomes differ by colour and without it, ${scheme}`, { scheme }, async (visit) => {
    const win = await lookOf(visit, GAME, "", "win");
    const loss = await lookOf(visit, GAME, "", "loss");
    const tie = await lookOf(visit, "tictactoe", "", "tie");
    const draw = await lookOf(visit, "pong-hau-ki", "", "draw");
    const kinds = (key, all) => new Set(all.map((look) => look[key])).size;
    assert.equal(kinds("glyph", [win, loss, tie, draw]), 4);
    assert.equal(kinds("dashes", [win, loss, tie, draw]), 4);
    assert.equal(kinds("colour", [win, loss, tie]), 3);
    assert.equal(kinds("colour", [win, loss, draw]), 3);
  });
}

desk.check("half of a turn can be taken back", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await chooseAll(visit, ["c1"]);
  assert.equal(new URL(page.url()).searchParams.get("made"), "c1");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !location.search.includes("made="));
  const { line, made } = await agrees(visit);
  assert.deepEqual([line, made], [[], []]);
});
