// Values shown, shown on pointing, or hidden; the hint.

import assert from "node:assert/strict";

import { agrees, choose, open, press, sit, solved, targets } from "./desk.mjs";

const GAME = "isolation:4x4";
const desk = await sit();

/** Which badges can be seen. */
function badges(page) {
  return page.$$eval("#board [data-choice]", (all) =>
    all
      .filter((target) => {
        const badge = target.querySelector(".badge");
        return badge && getComputedStyle(badge).opacity !== "0";
      })
      .map((target) => target.dataset.choice),
  );
}

function told(values) {
  return Object.entries(values).filter(([, value]) => value !== null);
}

desk.check("hidden values are nowhere on the page", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME, line: "c1-c3" });
  await solved(page);
  await page.selectOption("#values", "hide");
  assert.deepEqual(told(await targets(page)), []);
  assert.equal(await page.locator("[data-outcome]").count(), 0);
  assert.equal(await page.locator("#history .mark, #history .mistake").count(), 0);
  assert.equal(await page.locator("#value-graph svg").count(), 0);
  assert.doesNotMatch(await page.innerText("#game"), /wins in|loses in|win in|loss in|✓|✗/);
  assert.equal(await page.textContent("#words"), "The second player is to move.");
  const { choices } = await visit.server.get("position", { game: GAME, line: "c1-c3" });
  await choose(visit, choices[0].choice);
  assert.deepEqual(told(await targets(page)), []);
});

desk.check("hidden values come back", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME, values: "hide" });
  await page.waitForSelector("#board [data-choice]");
  await page.waitForSelector("#hint:enabled");
  assert.deepEqual(told(await targets(page)), []);
  await page.selectOption("#values", "show");
  await agrees(visit);
  assert.equal((await badges(page)).length, Object.keys(await targets(page)).length);
  await page.focus("#values");
  await page.keyboard.press("v");
  assert.equal(await page.inputValue("#values"), "show", "a key in a field is for the field");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("v");
  assert.equal(await page.inputValue("#values"), "hover");
  await page.keyboard.press("v");
  assert.equal(await page.inputValue("#values"), "hide");
});

desk.check("values on pointing are seen one at a time", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME, values: "hover" });
  await solved(page);
  await page.mouse.move(2, 2);
  assert.deepEqual(await badges(page), []);
  await page.hover('#board [data-choice="a1"]');
  assert.deepEqual(await badges(page), ["a1"]);
  await page.hover('#board [data-choice="c2"]');
  assert.deepEqual(await badges(page), ["c2"]);
});

desk.check("the hint shows the best move once", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME, values: "hide" });
  await page.waitForSelector("#hint:enabled");
  const { choices } = await visit.server.get("position", { game: GAME });
  await page.click("#hint");
  const { choice, value } = choices[0];
  assert.deepEqual(told(await targets(page)), [[choice, value]]);
  assert.deepEqual(await badges(page), [choice]);
  assert.ok((await page.textContent("#live")).includes(choice));
  await press(visit, choice);
  await page.waitForFunction(() => location.search.includes("made="));
  assert.deepEqual(told(await targets(page)), []);
});
