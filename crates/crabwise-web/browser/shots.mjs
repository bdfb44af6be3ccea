// Pictures of the page for people to look at: light and dark, on a desk and on a phone.

import { open, press, shot, sit } from "./desk.mjs";

const desk = await sit();
const DARK = "dark-hex:3x2,abrupt";
const ISOLATION = "isolation:4x4";
const SECOND_CHART = ".sheet:nth-child(2) .chart";

/** Line by line: a name, the address, and what has to be there. */
const SIGHTS = [
  ["home", {}, "#cards a"],
  ["isolation", { game: ISOLATION, line: "c1-c3 d3-c2 d2-d4" }, "#value-graph svg"],
  ["black-hole", { game: "black-hole:5,2", tab: "none" }, "[data-outcome]"],
  ["cruzados", { game: "cruzados:2x2", tab: "none" }, "[data-outcome]"],
  ["cycles", { game: "cycles:k4" }, "[data-remoteness]"],
  ["dark-hex", { game: DARK, odds: "1" }, "[data-choice]"],
  ["analysis", { game: ISOLATION, tab: "analysis", with: "isolation:3x4" }, SECOND_CHART],
  ["graph", { game: "nim:2-3", tab: "graph" }, ".node"],
];
/** One window is enough for these. */
const MORE = [
  ["isolation-half", { game: ISOLATION, made: "c1", tab: "none" }, "#made:visible"],
  ["isolation-hidden", { game: ISOLATION, values: "hide", tab: "none" }, "#hint:enabled"],
  ["cycles-board", { game: "cycles:wheel=5", tab: "board" }, ".draft-vertex"],
  ["connect-four", { game: "connect-four:4x4", tab: "none" }, "[data-outcome]"],
  ["nim", { game: "nim:3-5-7", tab: "none" }, "[data-outcome]"],
  ["unsolved", { game: "isolation:5x5", tab: "none" }, "#solve"],
];
const WINDOWS = [
  ["desktop", { viewport: { width: 1280, height: 900 } }],
  ["phone", { viewport: { width: 390, height: 844 }, touch: true }],
];

await desk.server.work(DARK, "equilibrium");
for (const game of [ISOLATION, "isolation:3x4"]) {
  for (const kind of ["solve", "stats"]) await desk.server.work(game, kind);
}
for (const game of ["cycles:k4", "cycles:wheel=5", "nim:2-3"]) await desk.server.work(game);

for (const [window, size] of WINDOWS) {
  for (const scheme of ["light", "dark"]) {
    const allow = [/409/, /400.*\/api\/position\?game=dark-hex/];
    desk.check(`pictures, ${window}, ${scheme}`, { ...size, scheme, allow }, async (visit) => {
      const more = window === "desktop" && scheme === "light" ? MORE : [];
      for (const [name, query, there] of [...SIGHTS, ...more]) {
        await open(visit, query);
        await visit.page.waitForSelector(there);
        await visit.page.waitForTimeout(150);
        await shot(visit.page, `${name} ${window} ${scheme}`);
      }
      await darkEnd(visit, `dark-hex-end ${window} ${scheme}`);
    });
  }
}

/** A dark game that is over. */
async function darkEnd(visit, name) {
  const { page } = visit;
  await open(visit, { game: DARK });
  for (let n = 0; n < 8; n += 1) {
    await page.waitForSelector("#truth, :is(#board, #others) [data-choice]");
    if (await page.isVisible("#truth")) break;
    const choice = await page.getAttribute(":is(#board, #others) [data-choice]", "data-choice");
    const before = page.url();
    await press(visit, choice);
    await page.waitForFunction((old) => location.href !== old, before);
  }
  await page.click("#truth");
  await shot(page, name);
}
