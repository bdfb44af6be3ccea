// Small windows with touch: nothing is wider than the window, and a tap plays.

import assert from "node:assert/strict";

import { agrees, choose, open, overflows, quiet, sit, solved, spot } from "./desk.mjs";

const TABS = ["explore", "analysis", "graph", "edit"];
const desk = await sit();
const DARK = "dark-hex:2x2,abrupt";
await desk.server.work(DARK, "equilibrium");
for (const kind of ["solve", "stats"]) await desk.server.work("isolation:4x4", kind);

for (const [width, height] of [
  [390, 844],
  [360, 640],
]) {
  const small = { viewport: { width, height }, touch: true };
  // A graph that is too large to draw, and a hidden game that is not known as one at first.
  const allow = [/413.*\/api\/graph/, /400.*\/api\/position\?game=dark-hex/];

  desk.check(`no sideways scrolling at ${width} pixels`, { ...small, allow }, async (visit) => {
    const { page } = visit;
    await open(visit);
    await page.waitForSelector("#cards a");
    assert.equal(await overflows(page), false, "home");
    await open(visit, { game: "isolation:4x4", line: "c1-c3 d3-c2" });
    await solved(page);
    await page.waitForSelector("#value-graph svg");
    assert.equal(await overflows(page), false, "game");
    for (const tab of TABS) {
      const button = page.locator(`#tab-${tab}`);
      if (!(await button.isVisible())) continue;
      if ((await button.getAttribute("aria-selected")) !== "true") await button.tap();
      await page.waitForLoadState("networkidle");
      assert.equal(await overflows(page), false, tab);
    }
    await open(visit, { game: "cycles:k4", tab: "board" });
    await page.waitForSelector(".draft-vertex");
    assert.equal(await overflows(page), false, "board editor");
    await open(visit, { game: DARK, odds: "1" });
    await page.waitForSelector(":is(#board, #others) [data-choice]");
    assert.equal(await overflows(page), false, "dark game");
  });

  desk.check(`a tap plays at ${width} pixels`, small, async (visit) => {
    const { page } = visit;
    await open(visit);
    await page.tap('[data-game="isolation"]');
    await solved(page);
    await choose(visit, "c1");
    await choose(visit, "c3");
    assert.deepEqual(spot(page).line, ["c1-c3"]);
    await agrees(visit);
    await page.tap("#undo");
    await page.waitForFunction(() => location.search.includes("at=0"));
    await quiet(page);
    await agrees(visit);
  });

  desk.check(`targets are large enough at ${width} pixels`, small, async (visit) => {
    const { page } = visit;
    await open(visit, { game: "isolation:4x4" });
    await solved(page);
    const least = await page.$$eval("#board .hit", (all) =>
      Math.min(
        ...all.map((hit) => {
          const { width: across, height: down } = hit.getBoundingClientRect();
          return Math.min(across, down);
        }),
      ),
    );
    assert.ok(least >= 44, `${least} pixels`);
    const [board, window] = await page.evaluate(() => [
      document.querySelector("#board svg").getBoundingClientRect().bottom,
      window.innerHeight,
    ]);
    assert.ok(board <= window, "the whole board is seen without scrolling");
  });
}
