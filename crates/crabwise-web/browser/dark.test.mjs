// Dark Hex: the whole traffic of a game is read, and nothing in it gives away the rival's stones.

import assert from "node:assert/strict";

import { open, press, sit, until } from "./desk.mjs";

const GAME = "dark-hex:2x2,abrupt";
const CELLS = ["a1", "b1", "a2", "b2"];
const desk = await sit();
// A game without a strategy yet. That a game is hidden is known before anything else is asked.
const allow = [/409.*\/api\/dark/];

/** Keeps the body of every answer that the page gets. */
function record(page) {
  const heard = [];
  page.on("response", (response) => {
    const path = new URL(response.url()).pathname;
    if (!path.startsWith("/api/") || path.endsWith("/events")) return;
    heard.push(response.text().then((body) => ({ url: response.url(), body })));
  });
  return () => Promise.all(heard);
}

function targets(page) {
  return page.$$eval(":is(#board, #others) [data-choice]", (all) =>
    all.map(({ dataset }) => dataset.choice),
  );
}

function line(page) {
  const text = new URL(page.url()).searchParams.get("line") ?? "";
  return text.split(" ").filter(Boolean);
}

async function begun(visit, query) {
  await open(visit, { game: GAME, ...query });
  await visit.page.waitForSelector(":is(#board, #others) [data-choice]");
}

/** Makes a move and waits until it is in the address. */
async function move(visit, choice) {
  const before = line(visit.page).length;
  await press(visit, choice);
  await until(() => line(visit.page).length > before, `the move ${choice}`);
}

/** The cells on which this answer shows stones of a side, by its drawing and by its picture. */
function stones(answer, letter, tone) {
  const cells = new Set();
  const rows = answer.picture.split("\n").slice(1);
  rows.forEach((row, y) => {
    const signs = row.replace(/^\s*\d+/, "").match(/[^\s]/g) ?? [];
    signs.slice(0, 2).forEach((sign, x) => sign === letter && cells.add("ab"[x] + (y + 1)));
  });
  const shapes = answer.drawn ? answer.drawing.shapes : [];
  const named = shapes.filter((shape) => shape.name && CELLS.includes(shape.name));
  for (const shape of shapes) {
    if (shape.form !== "disc" || shape.tone !== tone) continue;
    const cell = named.find((other) => other.form === "area" && holds(other.points, shape.at));
    assert.ok(cell, `a stone at ${shape.at} that is on no cell`);
    cells.add(cell.name);
  }
  return [...cells].sort();
}

/** Whether a point lies in an area: a ray from it meets the edge an odd number of times. */
function holds(points, [x, y]) {
  let inside = false;
  points.forEach(([x1, y1], i) => {
    const [x2, y2] = points[(i + 1) % points.length];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  });
  return inside;
}

/** The cells that the referee has said to be taken, after moves of one's own. */
function announced({ line: own, heard }) {
  return heard
    .filter(({ text }) => /taken|reject|occupied/i.test(text))
    .map(({ after }) => own[after - 1])
    .filter(Boolean);
}

/** An answer from before the end shows only what its seat has done and heard. */
function honest(answer, seat) {
  assert.equal(answer.truth, null, "no truth before the end");
  assert.equal(answer.payoff, null, "no payoff before the end");
  const [letter, tone] = seat === "first" ? ["O", "second"] : ["X", "first"];
  const known = [...new Set(announced(answer))].sort();
  assert.deepEqual(stones(answer, letter, tone), known, JSON.stringify(answer));
  const tried = new Set(answer.line);
  assert.deepEqual([...answer.moves].sort(), CELLS.filter((cell) => !tried.has(cell)).sort());
  for (const { text } of answer.heard) {
    for (const cell of CELLS) {
      assert.ok(!text.includes(cell) || tried.has(cell), `“${text}” names ${cell}`);
    }
  }
}

/** Plays to the end, and does something after the first move. */
async function playOut(visit, midway = async () => {}) {
  const { page } = visit;
  for (let n = 0; n < 8; n += 1) {
    const [choice] = await targets(page);
    if (!choice) break;
    await move(visit, choice);
    if (n === 0) await midway();
  }
  await page.waitForSelector("#truth");
}

for (const seat of ["first", "second"]) {
  desk.check(`a dark game from the ${seat} seat gives nothing away`, { allow }, async (visit) => {
    const { page } = visit;
    const all = record(page);
    await begun(visit, { seat });
    const id = new URL(page.url()).searchParams.get("id");
    await playOut(visit, async () => {
      if ((await targets(page)).length === 0) return;
      const before = await shown(page);
      await page.reload();
      await page.waitForSelector("#heard");
      assert.deepEqual(await shown(page), before, "a reload goes on with the same game");
    });
    assert.equal(new URL(page.url()).searchParams.get("id"), id, "one game all the time");
    check(await all(), seat);
    await truthShows(visit);
  });
}

function shown(page) {
  return page.evaluate(() => ({
    address: location.search,
    board: document.getElementById("board").textContent,
    words: document.getElementById("words").textContent,
    heard: document.getElementById("heard")?.textContent,
  }));
}

/** Reads the answers of a whole game. */
function check(answers, seat) {
  const views = answers
    .filter(({ url }) => /\/api\/dark\?/.test(url))
    .map(({ body }) => JSON.parse(body))
    .filter((answer) => !answer.error);
  const end = views.find(({ over }) => over);
  assert.ok(end, "the game has an end");
  const before = views.filter(({ over }) => !over);
  assert.ok(before.length > 0);
  for (const answer of before) honest(answer, seat);
  const rival = seat === "first" ? "second" : "first";
  const secrets = end.truth.line.filter((entry) => entry.startsWith(rival));
  assert.ok(secrets.length > 0);
  const early = answers.filter(({ body }) => !body.includes('"over":true'));
  for (const { url, body } of early) {
    for (const secret of secrets) assert.ok(!body.includes(secret), `${url} tells “${secret}”`);
  }
}

/** At the end the page tells all moves and shows the true board. */
async function truthShows({ page, server }) {
  const query = Object.fromEntries(new URL(page.url()).searchParams);
  const end = await server.get("dark", { seat: "first", rival: "strategy", ...query, odds: "0" });
  assert.ok(end.over);
  assert.equal(await page.textContent("#words"), end.words);
  const told = await page.locator("#truth-line li").allTextContents();
  assert.deepEqual(told, end.truth.line);
  const before = await page.innerHTML("#board");
  await page.click("#truth");
  const after = await page.innerHTML("#board");
  const same = JSON.stringify(end.truth.drawing) === JSON.stringify(end.drawing);
  assert.equal(before === after, same, "the true board is another one, if it is");
  await page.click("#truth");
  assert.equal(await page.innerHTML("#board"), before);
}

desk.check("the board of a dark game is not busy once it is there", { allow }, async (visit) => {
  const { page } = visit;
  // The answer about the position comes late, when it is known that the game is hidden.
  await page.route(/\/api\/position/, async (route) => {
    await new Promise((done) => setTimeout(done, 800));
    await route.continue().catch(() => {});
  });
  await begun(visit, {});
  await page.waitForTimeout(1000);
  assert.equal(await page.getAttribute("#board", "aria-busy"), null);
});

desk.check("equal views have equal answers, whatever is true", { allow }, async (visit) => {
  const { server } = visit;
  await begun(visit, {});
  const bodies = new Map();
  const truths = new Set();
  for (let n = 0; n < 24; n += 1) {
    const { id } = await server.post("dark", { game: GAME });
    const ask = (own) =>
      server.get("dark", { game: GAME, seat: "first", rival: "random", id, line: own });
    let answer = await ask([]);
    while (!answer.over) {
      const key = JSON.stringify([answer.line, answer.heard]);
      const body = JSON.stringify(answer);
      assert.equal(bodies.get(key) ?? body, body, "the same was done and heard");
      bodies.set(key, body);
      answer = await ask([...answer.line, answer.moves[0]]);
    }
    truths.add(JSON.stringify(answer.truth.line));
  }
  assert.ok(truths.size > 1, "different games were played");
});

desk.check("odds are shown on request and against random moves too", { allow }, async (visit) => {
  const { page } = visit;
  await begun(visit, { rival: "random" });
  await page.check("#odds");
  await page.waitForFunction(() => /\d %/.test(document.querySelector(".board-card").textContent));
  await playOut(visit);
});

desk.check("a board too large to lay out is played against a search", {}, async (visit) => {
  const { page } = visit;
  await open(visit, { game: "dark-hex:4x4" });
  await page.waitForSelector("#board [data-choice]");
  assert.equal(await page.inputValue("#rival"), "ismcts=2000");
  assert.equal(await page.locator("#odds").count(), 0, "there are no odds without a strategy");
  for (let n = 0; n < 16; n += 1) {
    const [choice] = await targets(page);
    if (!choice) break;
    await move(visit, choice);
    await until(async () => !/thinks/.test(await page.textContent("#words")), "an answer");
  }
  await page.waitForSelector("#truth-line li");
});

const gone = [...allow, /404.*\/api\/dark/];
desk.check("a game that the server forgot makes room for a new one", { allow: gone }, async (visit) => {
  const { page } = visit;
  await open(visit, { game: GAME, rival: "random", id: "0".repeat(32), line: "a1" });
  await page.waitForSelector("#error button");
  assert.match(await page.textContent("#error"), /begin a new game/);
  await page.click("#error button");
  await page.waitForSelector(":is(#board, #others) [data-choice]");
  assert.deepEqual(line(page), []);
  await playOut(visit);
});
