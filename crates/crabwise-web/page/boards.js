// Boards that a person makes: drawn, pasted, read from a file, or taken from the gallery.
//
// A file stays in the browser and in the address; the server checks it and is sent it each time.

import { get, post, unlessStale } from "./api.js";
import { openGame } from "./app.js";
import { draw } from "./board.js";
import { canvas } from "./cycles.js";
import { complain, fill, h, select } from "./dom.js";
import { download } from "./files.js";
import { state } from "./state.js";

/** What the server takes. */
const LARGEST = 16 * 1024;
const FORMATS = {
  cycles: [
    ["json", "JSON"],
    ["table", "game table"],
    ["csv", "CSV"],
    ["dot", "DOT"],
    ["edges", "edges"],
    ["rot", "rotation"],
  ],
  graph: [
    ["csv", "CSV"],
    ["json", "JSON"],
    ["dot", "DOT"],
  ],
};
const ENDINGS = {
  json: "json",
  csv: "csv",
  dot: "dot",
  gv: "dot",
  edges: "edges",
  rot: "rot",
  table: "table",
  py: "table",
  txt: "table",
};
const SAMPLES = {
  cycles:
    '{"vertices": {"A": [0,0], "B": [2,0], "C": [1,2]},\n' +
    ' "edges": [["A","B"],["B","C"],["C","A"]]}',
  // The last letter of an island says whose turn it is there.
  graph: "from,to\n1A,2B\n1A,3B\n2B,4A\n3B,4A",
};

let gallery = null;
let sheet = null;

function family() {
  return state.game.split(":")[0];
}

export function open(place) {
  sheet = null;
  if (family() !== "cycles") return void fill(place, importer(family()));
  sheet = canvas(check);
  fill(
    place,
    h(
      "div",
      { class: "columns wide-left" },
      sheet.root,
      h("div", {}, galleryOf(), importer("cycles")),
    ),
  );
}

/** A board does not change with the position; but the first position shows what it is. */
export function moved() {
  if (sheet?.untouched()) sheet.begin();
}

/**
 * Checks a board while it is being made. Tells `result` what the server says: {board} or {error};
 * an answer that has been overtaken by another question is not told.
 */
export async function check(format, text, result) {
  if (new TextEncoder().encode(text).length > LARGEST) {
    return result({ error: new Error("A board may have 16 KiB at most.") });
  }
  return unlessStale(
    async () => {
      result({ board: await post("boards", "/api/boards", { family: family(), format, text }) });
    },
    (error) => result({ error }),
  );
}

const NAMED = { json: "drawing (JSON)", table: "game table", dot: "DOT" };

/** Buttons that save a checked board in each form that the server writes. */
export function saving(board) {
  if (!board?.files?.length) return [];
  const button = ({ ending, text }) =>
    h(
      "button",
      { type: "button", onclick: () => download(`board.${ending}`, "text/plain", text) },
      NAMED[ending],
    );
  return ["Save as ", board.files.map(button)];
}

/** Opens a checked board, with rules added to its name. */
export function play(board, rules = "") {
  openGame(board.game + rules, board.file ?? "");
}

function importer(kind) {
  const said = h("p", { class: "problem", role: "alert", hidden: true });
  const preview = h("div", { class: "preview" });
  const format = select(
    { "aria-label": "Format", onchange: () => look() },
    FORMATS[kind],
    FORMATS[kind][0][0],
  );
  const text = h("textarea", {
    id: "import-text",
    rows: 7,
    spellcheck: "false",
    placeholder: SAMPLES[kind],
    "aria-label": "Board as text",
    oninput: () => look(),
  });
  const file = h("input", {
    type: "file",
    "aria-label": "Choose a file",
    accept: Object.keys(ENDINGS)
      .map((ending) => `.${ending}`)
      .join(),
    onchange: async () => {
      const [chosen] = file.files;
      if (!chosen) return;
      if (chosen.size > LARGEST) return void complain(said, "A board may have 16 KiB at most.");
      text.value = await chosen.text();
      const guess = ENDINGS[chosen.name.split(".").pop().toLowerCase()];
      if (FORMATS[kind].some(([value]) => value === guess)) format.value = guess;
      look();
    },
  });
  const opener = h(
    "button",
    { id: "import-open", type: "button", class: "main", disabled: true },
    "Open",
  );
  let timer = null;
  const look = () => {
    clearTimeout(timer);
    opener.disabled = true;
    timer = setTimeout(() => text.value.trim() && check(format.value, text.value, tell), 300);
  };
  const tell = ({ board, error }) => {
    complain(said, error ?? null);
    fill(
      preview,
      board?.drawing ? draw(board.drawing).svg : [],
      board ? h("p", { class: "muted small" }, sizeOf(board)) : [],
      h("p", { class: "row small" }, saving(board)),
    );
    opener.disabled = !board;
    opener.onclick = () => play(board);
  };
  const heading = kind === "cycles" ? "Import a board" : "Open a state graph of your own";
  return h(
    "section",
    {},
    h("h3", {}, heading),
    h("p", { class: "row" }, file, h("label", { class: "field" }, "or paste as ", format)),
    text,
    said,
    preview,
    h("p", {}, opener),
  );
}

const COUNTED = {
  vertices: ["vertex", "vertices"],
  edges: ["edge", "edges"],
  cells: ["cell", "cells"],
  moves: ["first move", "first moves"],
};

/** What is known of a board: how many it has of each thing. */
export function sizeOf(board) {
  const parts = Object.entries(COUNTED)
    .filter(([key]) => Number.isFinite(board[key]))
    .map(([key, [one, many]]) => `${board[key]} ${board[key] === 1 ? one : many}`);
  return parts.join(", ") || "This is a board.";
}

function galleryOf() {
  const list = h("ul", { class: "gallery" });
  const said = h("p", { class: "problem", hidden: true });
  const load = () =>
    unlessStale(
      async () => {
        gallery ??= (await get("gallery", "/api/gallery")).boards;
        fill(
          list,
          gallery.map((board) =>
            h(
              "li",
              {},
              h(
                "button",
                { type: "button", title: board.about, onclick: () => openGame(board.game) },
                board.name,
              ),
            ),
          ),
        );
      },
      (error) => complain(said, error, load),
    );
  load();
  return h("section", {}, h("h3", {}, "Gallery"), list, said);
}
