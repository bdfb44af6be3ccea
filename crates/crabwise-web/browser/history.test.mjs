// The moves so far: undo and redo, the list, the graph, the address, and what can be shared.

import assert from "node:assert/strict";
import { basename } from "node:path";
import { env } from "node:process";

import { agrees, changed, chooseAll, open, sit, solved, spot, until } from "./desk.mjs";

const GAME = "isolation:4x4";
/** A good move, a mistake, and moves after it. */
const DECISIONS = ["c1", "c3", "b4", "a1", "b1", "a2"];
const desk = await sit();

async function played(visit) {
  await open(visit, { game: GAME });
  await solved(visit.page);
  await chooseAll(visit, DECISIONS);
}

/** The list of moves as it is shown: [{text, mistake, later, now}]. */
function listed(page) {
  return page.$$eval("#history li", (all) =>
    all.map((entry) => ({
      move: entry.querySelector(".step-move").textContent,
      mistake: entry.querySelector(".mistake") !== null,
      later: entry.classList.contains("later"),
      now: entry.querySelector("[aria-current]") !== null,
    })),
  );
}

/** The points of the value graph: [{outcome, mistake, now}]. */
function graphed(page) {
  return page.$$eval("#value-graph [data-ply]", (all) =>
    all.map((point) => ({
      outcome: point.dataset.outcome,
      mistake: point.querySelector(".mistake-ring") !== null,
      now: point.classList.contains("now"),
    })),
  );
}

/** Checks list and graph against the server, for the line in the address. */
async function historyAgrees({ page, server }) {
  const { game, whole, line } = spot(page);
  const { steps } = await server.get("history", { game, line: whole });
  const entries = steps.map((step, ply) => ({
    move: step.move ?? "Start",
    mistake: step.mistake,
    later: ply > line.length,
    now: ply === line.length,
  }));
  await until(async () => (await listed(page)).length === steps.length, "the list of moves");
  assert.deepEqual(await listed(page), entries);
  const points = steps.map((step, ply) => ({
    outcome: step.for_first.outcome,
    mistake: step.mistake,
    now: ply === line.length,
  }));
  assert.deepEqual(await graphed(page), steps.length > 1 ? points : []);
  return steps;
}

desk.check("list and graph tell every move and mark the mistakes", {}, async (visit) => {
  await played(visit);
  const steps = await historyAgrees(visit);
  assert.equal(steps.length, 4);
  const { page } = visit;
  await chooseAll(visit, (await worst(visit)).decisions);
  const after = await historyAgrees(visit);
  assert.ok(
    after.some((step) => step.mistake),
    "a mistake was made",
  );
  assert.equal(await page.locator("#history .mistake").count(), mistakes(after));
});

function mistakes(steps) {
  return steps.filter((step) => step.mistake).length;
}

/** The move that gives away the most, of the side that has something to lose. */
async function worst({ page, server }) {
  const { game, words } = spot(page);
  const { moves } = await server.get("position", { game, line: words });
  return moves[moves.length - 1];
}

desk.check("undo, redo and restart", {}, async (visit) => {
  const { page } = visit;
  await played(visit);
  const { whole } = spot(page);
  await changed(page, () => page.click("#undo"));
  assert.deepEqual(spot(page).line, whole.slice(0, 2));
  await agrees(visit);
  await changed(page, () => page.click("#undo"));
  await historyAgrees(visit);
  await changed(page, () => page.click("#undo"));
  assert.deepEqual(spot(page).line, []);
  assert.ok(await page.isDisabled("#undo"));
  await changed(page, () => page.click("#redo"));
  await changed(page, () => page.click("#redo"));
  await changed(page, () => page.click("#redo"));
  assert.deepEqual(spot(page).line, whole);
  assert.ok(await page.isDisabled("#redo"));
  await agrees(visit);
  await changed(page, () => page.click("#restart"));
  assert.deepEqual([spot(page).whole, spot(page).words], [[], []]);
  assert.ok((await page.isDisabled("#undo")) && (await page.isDisabled("#redo")));
  await agrees(visit);
});

desk.check("undo takes back half of a turn first", {}, async (visit) => {
  const { page } = visit;
  await played(visit);
  const { line } = spot(page);
  const { choices } = await agrees(visit);
  await chooseAll(visit, [choices[0].choice]);
  await changed(page, () => page.click("#undo"));
  assert.deepEqual([spot(page).line, spot(page).made], [line, []]);
});

desk.check("a click in the list or in the graph goes there", {}, async (visit) => {
  const { page } = visit;
  await played(visit);
  const { whole } = spot(page);
  await changed(page, () => page.click('#history [data-ply="1"] button'));
  assert.deepEqual([spot(page).line, spot(page).whole], [whole.slice(0, 1), whole]);
  await agrees(visit);
  await historyAgrees(visit);
  await changed(page, () => page.click('#value-graph [data-ply="2"]'));
  assert.deepEqual(spot(page).line, whole.slice(0, 2));
  await agrees(visit);
  await historyAgrees(visit);
});

desk.check("a move after an undo drops what could be redone", {}, async (visit) => {
  const { page } = visit;
  await played(visit);
  await changed(page, () => page.click('#history [data-ply="1"] button'));
  await chooseAll(visit, (await worst(visit)).decisions);
  assert.equal(spot(page).whole.length, 2);
  assert.ok(await page.isDisabled("#redo"));
  await historyAgrees(visit);
});

desk.check("the back button takes back moves", {}, async (visit) => {
  const { page } = visit;
  await played(visit);
  const { whole } = spot(page);
  await changed(page, () => page.goBack());
  assert.deepEqual(spot(page).words, whole.slice(0, 2));
  await agrees(visit);
  await changed(page, () => page.goBack());
  assert.deepEqual(spot(page).words, whole.slice(0, 1));
  await changed(page, () => page.goForward());
  assert.deepEqual(spot(page).words, whole.slice(0, 2));
  await agrees(visit);
});

desk.check("a reload, and the same address elsewhere, show the same", {}, async (visit) => {
  const { page, another } = visit;
  await played(visit);
  await page.fill("#name1", "Ada");
  await page.selectOption("#values", "hover");
  await changed(page, () => page.click("#undo"));
  const before = await seen(page);
  assert.ok(before.words.includes("Ada"), before.words);
  await page.reload();
  await solved(page);
  await until(async () => (await listed(page)).length === 4, "the list of moves");
  assert.deepEqual(await seen(page), before);
  const second = await another();
  await second.goto(page.url());
  await solved(second);
  await until(async () => (await listed(second)).length === 4, "the list of moves");
  assert.deepEqual(await seen(second), before);
});

async function seen(page) {
  return {
    url: page.url(),
    board: await page.innerHTML("#board"),
    words: await page.textContent("#words"),
    name: await page.inputValue("#name1"),
    values: await page.inputValue("#values"),
    list: await listed(page),
    points: await graphed(page),
  };
}

desk.check("link and command line can be copied", {}, async (visit) => {
  const { page, context } = visit;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await played(visit);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.click("#copy-command");
  await page.waitForFunction(() => document.getElementById("copied").textContent);
  const command = await copied();
  assert.ok(command.startsWith(`${basename(env.CRABWISE)} look ${GAME}`), command);
  for (const move of spot(page).line) assert.ok(command.includes(move), `${command}: ${move}`);
  await page.click("#copy-link");
  await until(async () => (await copied()) !== command, "the link in the clipboard");
  assert.equal(await copied(), page.url());
});
