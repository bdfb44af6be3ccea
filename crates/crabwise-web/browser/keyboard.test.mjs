// Everything by keys: two moves, undo, redo, hint, new game, help.

import assert from "node:assert/strict";

import { agrees, changed, open, sit, solved, spot, until } from "./desk.mjs";

const GAME = "isolation:4x4";
const desk = await sit();

/** The target that has the focus, and how its edge is drawn. */
function focus(page) {
  return page.evaluate(() => {
    const { activeElement: active } = document;
    const face = active.querySelector?.(".face");
    if (!active.dataset?.choice || !face) return null;
    const { stroke, strokeWidth, strokeDasharray } = getComputedStyle(face);
    const visible = active.matches(":focus-visible");
    return { choice: active.dataset.choice, visible, stroke, strokeWidth, strokeDasharray };
  });
}

/** The focus is on a target and can be told from the others. */
async function focusShows(page) {
  const found = await focus(page);
  assert.ok(found, "the focus is on the board");
  assert.ok(found.visible, "the focus is drawn");
  const others = await page.$$eval("#board [data-choice]", (all) =>
    all
      .filter((target) => target !== document.activeElement)
      .map((target) => getComputedStyle(target.querySelector(".face")).strokeWidth),
  );
  for (const width of others) {
    assert.ok(parseFloat(found.strokeWidth) > parseFloat(width), `${found.strokeWidth} > ${width}`);
  }
  assert.equal(await page.locator('#board [data-choice][tabindex="0"]').count(), 1);
  return found.choice;
}

/** Presses arrows until a target has the focus: the way is found like a person would. */
async function walkTo(page, wanted) {
  const place = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
  for (let n = 0; n < 12; n += 1) {
    const at = await focusShows(page);
    if (at === wanted) return;
    const [[x, y], [toX, toY]] = [place(at), place(wanted)];
    const across = toX > x ? "ArrowRight" : "ArrowLeft";
    const down = toY > y ? "ArrowDown" : "ArrowUp";
    await page.keyboard.press(toX !== x && (n % 2 === 0 || toY === y) ? across : down);
  }
  throw new Error(`the arrows do not lead to ${wanted}`);
}

async function chooseByKey(page, choice, key) {
  await walkTo(page, choice);
  await changed(page, () => page.keyboard.press(key));
}

desk.check("two moves by arrows and Enter, and the letters", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await page.keyboard.press("b");
  await chooseByKey(page, "c1", "Enter");
  await chooseByKey(page, "c3", "Enter");
  await agrees(visit);
  await chooseByKey(page, "d3", " ");
  await chooseByKey(page, "c2", " ");
  await agrees(visit);
  assert.deepEqual(spot(page).line, ["c1-c3", "d3-c2"]);

  await changed(page, () => page.keyboard.press("u"));
  assert.deepEqual(spot(page).line, ["c1-c3"]);
  await focusShows(page);
  await changed(page, () => page.keyboard.press("r"));
  assert.deepEqual(spot(page).line, ["c1-c3", "d3-c2"]);
  await focusShows(page);

  await page.keyboard.press("h");
  const { choices } = await agrees(visit);
  const hinted = await page.getAttribute("#board .hinted", "data-choice");
  assert.equal(hinted, choices[0].choice);
  assert.ok(await focus(page), "a hint does not take the focus away");

  await changed(page, () => page.keyboard.press("n"));
  assert.deepEqual(spot(page).whole, []);
  await focusShows(page);
});

desk.check("the list of keys opens and closes by keys", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await page.keyboard.press("b");
  const before = (await focus(page)).choice;
  await page.keyboard.press("?");
  await page.waitForSelector("#help-dialog[open]");
  await page.keyboard.press("u");
  await page.keyboard.press("Escape");
  await until(async () => !(await page.isVisible("#help-dialog")), "the list is closed");
  assert.equal((await focus(page))?.choice, before);
});

desk.check("Tab reaches the board and leaves it", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  const stops = [];
  for (let n = 0; n < 40; n += 1) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(() => document.activeElement.dataset.choice ?? ""));
  }
  assert.equal(stops.filter(Boolean).length, 1, "one stop for the whole board");
});

desk.check("the end of a game keeps the keys working", {}, async (visit) => {
  const { page, server } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  const { moves } = await server.get("perfect", { game: GAME, most: "60" });
  const line = moves.map(({ move }) => move);
  await open(visit, { game: GAME, line: line.slice(0, -1).join(" ") });
  await solved(page);
  await page.keyboard.press("b");
  const last = line[line.length - 1];
  const { moves: known } = await server.get("position", { game: GAME, line: line.slice(0, -1) });
  for (const choice of known.find(({ move }) => move === last).decisions) {
    await chooseByKey(page, choice, "Enter");
  }
  assert.ok((await agrees(visit)).over);
  await changed(page, () => page.keyboard.press("u"));
  assert.deepEqual(spot(page).line, line.slice(0, -1));
  await agrees(visit);
});

desk.check("in the dark the focus stays where one plays, and on the switches", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "dark-hex:4x4", rival: "random" });
  await page.waitForSelector("#board [data-choice]");
  const focused = () => page.evaluate(() => document.activeElement.dataset.choice ?? "");
  await page.focus('#board [data-choice="c3"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector('#board [data-choice="c3"]'));
  assert.match(await focused(), /^(b3|d3|c2|c4|b4|d2)$/, "a neighbour of what was chosen");
  for (let n = 0; n < 16 && (await page.locator("#truth").count()) === 0; n += 1) {
    const gone = await focused();
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      (name) => !document.querySelector(`#board [data-choice="${name}"]`),
      gone,
    );
  }
  const id = () => page.evaluate(() => document.activeElement.id);
  assert.equal(await id(), "dark-new", "when there is nothing left to choose");
  await page.focus("#truth");
  await page.keyboard.press("Enter");
  assert.equal(await id(), "truth");
  assert.equal(await page.getAttribute("#truth", "aria-pressed"), "true");
});
