// A game that takes more than a moment: it is offered, followed, cancelled, and playable meanwhile.

import assert from "node:assert/strict";

import { choose, open, quiet, sit, spot, targets, until } from "./desk.mjs";

const GAME = "black-hole:5,4";
// It takes long enough to be looked at.
const desk = await sit();

desk.check("a larger game is solved on request and cancelled", {}, async (visit) => {
  const { page, server } = visit;
  await open(visit, { game: GAME });
  await page.waitForSelector("#solve");
  await quiet(page);
  const offer = await page.innerText("#job");
  assert.match(offer, /million positions/);
  assert.match(offer, /MiB|GiB/);
  assert.match(offer, /about .* (s|min|h)\b/);
  assert.ok(Object.values(await targets(page)).every((value) => value === null));

  await page.click("#solve");
  await page.waitForSelector("#progress");
  const [first] = Object.keys(await targets(page));
  await choose(visit, first);
  assert.ok(Object.keys(await targets(page)).length > 0, "look-ups work meanwhile");
  assert.deepEqual(spot(page).words, [first]);
  await open(visit, { game: GAME });
  await page.waitForSelector("#progress");
  await page.click("#cancel");
  // It stops between two stretches of work, which on a busy machine take a while.
  await page.waitForSelector("#solve", { timeout: 60_000 });
  assert.match(await page.innerText("#job"), /cancelled/i);
  await until(async () => {
    const { job } = await server.get("game", { game: GAME });
    return !job || job.state === "cancelled";
  }, "the server has stopped");
  assert.equal((await server.get("game", { game: GAME })).solved, false);
});
