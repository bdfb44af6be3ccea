// Analysis: how many positions of which value there are, beside those of other sizes or variants.

import { asQuery, get, unlessStale } from "./api.js";
import { bars } from "./chart.js";
import { byId, fill, h, problem } from "./dom.js";
import { csv, download, fileName, svgText } from "./files.js";
import { about, view } from "./game.js";
import { begin, follow, progress, cancel } from "./jobs.js";
import { commit, state } from "./state.js";
import { count, GLYPHS, OUTCOMES, sentence, valueName } from "./words.js";

const COUNTED =
  "Counted is every position that the start leads to, once, by its value for whoever moves.";

let sheets = null;
let logarithmic = false;
let shownKey = null;

export function open(place) {
  sheets = h("div", { class: "sheets" });
  shownKey = null;
  const others = Array.from(byId("sizes").options, (option) =>
    h("option", { value: option.value }),
  );
  const wanted = h("input", {
    id: "compare",
    list: "compare-list",
    spellcheck: "false",
    size: 18,
    "aria-label": "Game to compare with",
    placeholder: "another game",
  });
  const form = h(
    "form",
    {
      class: "row",
      onsubmit: (event) => {
        event.preventDefault();
        add(wanted.value.trim());
        wanted.value = "";
      },
    },
    h("label", { class: "field" }, "Compare with ", wanted),
    h("datalist", { id: "compare-list" }, others),
    h("button", { type: "submit" }, "Add"),
  );
  const scale = h(
    "label",
    { class: "field" },
    h("input", {
      type: "checkbox",
      checked: logarithmic,
      onchange: (event) => {
        logarithmic = event.target.checked;
        redraw();
      },
    }),
    " logarithmic",
  );
  fill(place, h("div", { class: "row" }, form, scale), sheets);
  redraw();
}

/** Statistics are about the game, not the position. */
export function moved() {
  if (shownKey !== keyNow()) redraw();
}

function keyNow() {
  return JSON.stringify([view.key, view.info?.solved, state.with]);
}

function add(game) {
  if (!game || game === state.game || state.with.includes(game)) return;
  commit({ with: [...state.with, game].slice(-2) });
  redraw();
}

function drop(game) {
  commit({ with: state.with.filter((other) => other !== game) });
  redraw();
}

function redraw() {
  shownKey = keyNow();
  const games = [state.game, ...state.with];
  sheets.dataset.count = games.length;
  fill(
    sheets,
    games.map((game, i) => {
      const place = h(
        "section",
        { class: "sheet", "aria-label": `Statistics of ${game}` },
        h("p", { class: "muted" }, "Counting…"),
      );
      load(game, i, place);
      return place;
    }),
  );
}

function heading(game, i) {
  const close =
    i > 0 &&
    h(
      "button",
      { type: "button", class: "quiet", "aria-label": `Remove ${game}`, onclick: () => drop(game) },
      "✕",
    );
  return h("h3", { class: "row" }, h("span", {}, game), close || null);
}

function load(game, i, place) {
  const slot = `stats-${i}`;
  const query = i === 0 ? about() : { game };
  return unlessStale(
    async () => {
      const found = await get(slot, "/api/stats", query);
      if (found.job) watch(slot, found.job, game, i, place);
      else fill(place, heading(game, i), sheet(game, found, query));
    },
    (error) => {
      if (error.needs === "stats") work("stats", slot, game, i, place);
      else if (i === 0 && view.info?.untabled) {
        fill(place, heading(game, i), h("p", {}, sentence(view.info.untabled)));
      } else if (error.kind === "unsolved") {
        fill(place, heading(game, i), unsolved(slot, game, i, place));
      } else failed(error, game, i, place);
    },
  );
}

function failed(error, game, i, place) {
  const again = () => load(game, i, place);
  fill(place, heading(game, i), h("p", { class: "problem" }, problem(error, again)));
}

function unsolved(slot, game, i, place) {
  const solve = () => work("solve", slot, game, i, place);
  return [
    h("p", {}, "This game is not solved, so there is nothing to count. "),
    h("button", { type: "button", onclick: solve }, "Solve it"),
  ];
}

/** Has the server solve or count a game, and shows the statistics when that is done. */
function work(kind, slot, game, i, place) {
  const file = i === 0 && state.file ? { file: state.file } : {};
  return unlessStale(
    async () => {
      const job = await begin(slot, { game, kind, modest: false, ...file });
      watch(slot, job, game, i, place);
    },
    (error) => failed(error, game, i, place),
  );
}

function watch(slot, job, game, i, place) {
  follow(slot, job, (now) => {
    if (!place.isConnected) return;
    if (now.state === "done") load(game, i, place);
    else if (["waiting", "running"].includes(now.state)) {
      const stop = () =>
        unlessStale(
          () => cancel(now),
          () => {},
        );
      fill(place, heading(game, i), progress(now, stop, ""));
    } else {
      fill(
        place,
        heading(game, i),
        h(
          "p",
          { class: "problem" },
          problem(now.error || `It was not counted: ${now.state}.`, () => load(game, i, place)),
        ),
      );
    }
  });
}

function sheet(game, stats, query) {
  const ends = byRemoteness(stats).map((row) => ({
    ...row,
    name: `in ${row.remoteness}`,
    short: row.remoteness,
  }));
  const tiers = (stats.tiers ?? []).map((row) => ({
    ...row,
    name: `tier ${row.tier}`,
    short: row.tier,
  }));
  // Letters keep their size when there is less room.
  const width = window.innerWidth < 700 ? 380 : [520, 440, 330][state.with.length];
  const chart = (columns, title, across) => bars(columns, { title, across, logarithmic, width });
  const charts = [
    ends.length && chart(ends, "Positions by moves to the end", "moves to the end"),
    tiers.length > 1 && chart(tiers, "Positions by tier", "tier"),
  ].filter(Boolean);
  return [
    summary(stats),
    h(
      "p",
      { class: "key small" },
      OUTCOMES.map((outcome) => h("span", { class: outcome }, `${GLYPHS[outcome]} ${outcome}`)),
      h("span", { class: "muted" }, COUNTED),
    ),
    h("div", { class: "charts" }, charts),
    deepest(stats),
    downloads(game, stats, charts, query),
  ];
}

/** Rows of the histogram; the distance is called `remoteness` or, as in files, `n`. */
function byRemoteness(stats) {
  return (stats.remoteness ?? []).map((row) => ({ ...row, remoteness: row.remoteness ?? row.n }));
}

function summary(stats) {
  const share = (number) =>
    stats.positions ? ` (${((100 * number) / stats.positions).toFixed(1)} %)` : "";
  const rows = [
    ["Start", valueName(stats.start)],
    ["Positions", count(stats.positions)],
    ["Ends", count(stats.terminal)],
    ...OUTCOMES.map((outcome) => [outcome, count(stats[outcome]) + share(stats[outcome] ?? 0)]),
    ["Moves, mean", Number.isFinite(stats.mean_moves) ? stats.mean_moves.toFixed(2) : "–"],
    ["Longest", stats.longest ?? "–"],
    ["Longest win", stats.longest_win ?? "–"],
  ];
  return h(
    "dl",
    { class: "facts" },
    rows.map(([term, text]) =>
      h("div", {}, h("dt", {}, term), h("dd", { class: "numbers" }, text)),
    ),
  );
}

function deepest(stats) {
  if (!stats.deepest) return null;
  return h(
    "details",
    {},
    h("summary", {}, `A position as far from the end as any: ${valueName(stats.deepest.value)}`),
    h("pre", { class: "picture small" }, stats.deepest.picture),
  );
}

function downloads(game, stats, charts, query) {
  const rows = [
    ["remoteness", "win", "tie", "loss"],
    ...byRemoteness(stats).map((row) => [row.remoteness, row.win, row.tie, row.loss]),
  ];
  const save = (ending, type, text) =>
    h(
      "button",
      {
        type: "button",
        onclick: () => download(fileName(game, "statistics", ending), type, text()),
      },
      ending.toUpperCase(),
    );
  const plots = charts.map((chart, i) =>
    h(
      "button",
      {
        type: "button",
        onclick: () =>
          download(
            fileName(game, i ? "tiers" : "remoteness", "svg"),
            "image/svg+xml",
            svgText(chart),
          ),
      },
      `SVG ${i + 1}`,
    ),
  );
  const whole = (format) =>
    h(
      "a",
      { href: `/api/export${asQuery({ ...query, format })}`, download: "" },
      format.toUpperCase(),
    );
  return [
    h(
      "p",
      { class: "row small" },
      "Save: ",
      save("csv", "text/csv", () => csv(rows)),
      save("json", "application/json", () => `${JSON.stringify(stats, null, 2)}\n`),
      plots,
    ),
    h(
      "p",
      { class: "small muted" },
      "Every reachable position with its value: ",
      whole("csv"),
      ", ",
      whole("json"),
    ),
  ];
}
