// The position editor: pieces are put elsewhere on the board, and the values are those of there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { agrees, changed, open, sit, solved, spot, until } from "./desk.mjs";

const desk = await sit();
// A draft that is no position is answered with an error, which is what is tested.
const allow = [/400.*\/api\/position/];
const found = await gameWithEditor(desk.server);

/** Isolation, or else the first game whose positions can be edited. */
async function gameWithEditor(server) {
  const { games } = await server.get("games");
  const all = games.filter(({ hidden }) => !hidden).map(({ opening }) => opening);
  for (const game of ["isolation:4x4", ...all]) {
    const { editor } = await server.get("game", { game });
    if (editor) return { game, editor };
  }
  return null;
}

async function editing(visit) {
  const { page } = visit;
  await open(visit, { game: found.game });
  await solved(page);
  await page.click("#tab-edit");
  await page.waitForSelector(".editor-board [data-choice]");
  return page.inputValue("#notation");
}

/** Puts a letter on a place of the editor's board, by clicks. */
async function put(page, letter, place) {
  const index = found.editor.letters.findIndex((known) => known.letter === letter);
  await page.click(`.letter >> nth=${index}`);
  await page.click(`.editor-board [data-choice=${JSON.stringify(place)}]`);
}

/** What stands at a place of a notation. */
function at(notation, place) {
  const known = found.editor.places.find(({ name }) => name === place);
  return Array.from(notation)[known.at];
}

/** A place that has one letter now and may have another. */
function placeWith(notation, has, may) {
  const fits = ({ name, letters }) => at(notation, name) === has && letters.includes(may);
  return found.editor.places.find(fits)?.name;
}

/** A piece of the first player, where it stands, and where else it may. */
function mayPut(notation) {
  const { letters } = found.editor;
  const free = letters[0].letter;
  const first = letters.find(({ means }) => means === "first player").letter;
  const from = placeWith(notation, first, free);
  const to = placeWith(notation, free, first);
  return { free, first, from, to };
}

if (!found) {
  test("the position editor", (t) => t.skip("no game of this program has a position editor"));
} else {
  desk.check(`a piece of ${found.game} is put elsewhere`, { allow }, async (visit) => {
    const { page } = visit;
    const before = await editing(visit);
    const { free, first, from, to } = mayPut(before);
    await put(page, free, from);
    await put(page, first, to);
    const drafted = await page.inputValue("#notation");
    assert.deepEqual([at(drafted, from), at(drafted, to)], [free, first]);
    await until(
      async () => !(await page.locator("#panel .problem:visible").count()),
      "the draft is a position",
    );
    await changed(page, () => page.click('#panel button:text-is("Play from here")'));
    const { line, notation } = await agrees(visit);
    assert.deepEqual(line, [drafted]);
    assert.equal(notation, drafted);
    assert.ok(await page.isDisabled("#undo"), "there is nothing before a position of one's own");
    assert.equal(await page.inputValue("#notation"), drafted);
  });

  desk.check(`play of ${found.game} goes on from a position`, { allow }, async (visit) => {
    const { page } = visit;
    const before = await editing(visit);
    const { free, first, from, to } = mayPut(before);
    await put(page, free, from);
    await put(page, first, to);
    await changed(page, () => page.click('#panel button:text-is("Play from here")'));
    const { moves } = await agrees(visit);
    for (const choice of moves[0].decisions ?? [moves[0].move]) {
      await changed(page, () => page.click(`#board [data-choice=${JSON.stringify(choice)}]`));
    }
    assert.equal(spot(page).line.length, 2);
    await agrees(visit);
    await changed(page, () => page.click("#restart"));
    assert.equal(spot(page).line.length, 1, "restart goes to the position that was set up");
    await agrees(visit);
  });

  desk.check(`a bad position of ${found.game} is told in a sentence`, { allow }, async (visit) => {
    const { page } = visit;
    const { free, from } = mayPut(await editing(visit));
    await put(page, free, from);
    await until(() => page.locator("#panel .problem:visible").count(), "a sentence");
    const sentence = (await page.textContent("#panel .problem")).trim();
    assert.ok(sentence.length > 10 && sentence.length < 200, sentence);
    assert.ok(!sentence.includes("\n"), sentence);
    await page.click('#panel button:text-is("Back to the board")');
    await until(
      async () => !(await page.locator("#panel .problem:visible").count()),
      "the sentence is gone",
    );
  });

  desk.check(`a position of ${found.game} can be typed`, { allow }, async (visit) => {
    const { page } = visit;
    const before = await editing(visit);
    await page.fill("#notation", "nonsense");
    await until(() => page.locator("#panel .problem:visible").count(), "a sentence");
    await page.fill("#notation", before);
    await until(
      async () => !(await page.locator("#panel .problem:visible").count()),
      "the sentence is gone",
    );
  });
}
