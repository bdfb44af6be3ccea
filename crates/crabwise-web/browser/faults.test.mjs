// What goes wrong: the server is away for a while, and a table that is damaged.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { agrees, choose, open, press, sit, solved, spot, targets } from "./desk.mjs";

const GAME = "isolation:4x4";
const desk = await sit();

desk.check("the page outlives a restart of the server", { allow: [/ERR_/] }, async (visit) => {
  const { page, server } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  await page.evaluate(() => {
    window.sameLoad = true;
  });
  await choose(visit, "c1");
  await server.stop();
  await press(visit, "c3");
  await page.waitForSelector("#offline:visible");
  assert.match(await page.textContent("#offline"), /does not answer/);
  assert.deepEqual(spot(page).made, ["c1"], "the address says what the board shows");
  await server.start();
  await page.waitForSelector("#offline", { state: "hidden" });
  await page.waitForFunction(() => location.search.includes("line=c1-c3"));
  await agrees(visit);
  const { choices } = await agrees(visit);
  await choose(visit, choices[0].choice);
  await agrees(visit);
  assert.ok(await page.evaluate(() => window.sameLoad), "without a reload");
});

/** Turns every byte after the head of the table round. */
function damage(tables) {
  const name = readdirSync(tables).find((file) => /^isolation.*\.crab$/.test(file));
  const path = join(tables, name);
  const bytes = readFileSync(path);
  for (let at = 2048; at < bytes.length - 512; at += 1) bytes[at] ^= 0x5a;
  writeFileSync(path, bytes);
}

desk.check("a damaged table is told and gives no values", { allow: [/500/] }, async (visit) => {
  const { page, server } = visit;
  await open(visit, { game: GAME });
  await solved(page);
  damage(server.tables);
  await press(visit, "c1");
  await page.waitForSelector("#error:visible");
  const said = await page.textContent("#error");
  assert.match(said, /table|damaged|check/i);
  assert.deepEqual(
    Object.values(await targets(page)).filter(Boolean),
    [],
    "values of a damaged table are not shown",
  );
  assert.equal(await page.locator("[data-outcome]").count(), 0);
  assert.doesNotMatch(await page.textContent("#words"), /wins|loses/);
  await page.click("#solve");
  await solved(page);
  await agrees(visit);
});
