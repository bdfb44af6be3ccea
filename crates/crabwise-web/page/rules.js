// The rules of a game as text: checked while they are written, with the first position beside them.
//
// A text stays in the browser and in the address, like a board; the server checks it and is sent it each time.

import { get, post, unlessStale } from "./api.js";
import { openGame } from "./app.js";
import { draw } from "./board.js";
import { complain, fill, h, select, show } from "./dom.js";
import { download } from "./files.js";
import { state } from "./state.js";

/** What the server takes. */
const LARGEST = 32 * 1024;
/** How long it waits after a key, in milliseconds. */
const PAUSE = 300;

let examples = null;

export async function open(place) {
  const editor = build();
  fill(place, editor.root);
  await unlessStale(
    async () => {
      examples ??= (await get("rules", "/api/rules")).examples;
      editor.offer();
      editor.begin(state.file || opened()?.text || examples[0].text);
    },
    (error) => editor.fail(error, () => open(place)),
  );
}

/** The text does not change with the position. */
export function moved() {}

/** The example that is open, if one is. */
function opened() {
  const name = state.game.split(":")[1]?.split(",")[0];
  return examples.find((example) => example.name === name);
}

function build() {
  const text = h("textarea", {
    id: "rules-text",
    rows: 20,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    "aria-label": "Rules",
    "aria-describedby": "rules-count",
  });
  const marks = h("pre", { class: "code-marks", "aria-hidden": "true" });
  const code = h("div", { class: "code" }, marks, text);
  const count = h("p", { id: "rules-count", class: "small", role: "status" });
  const list = h("ol", { class: "mistakes" });
  const said = h("p", { class: "problem", role: "alert", hidden: true });
  const preview = h("div", { class: "preview" });
  const facts = h("p", { class: "muted small" });
  const opener = h(
    "button",
    { id: "rules-open", type: "button", class: "main", disabled: true },
    "Play it",
  );
  const save = h(
    "button",
    { type: "button", onclick: () => download("game.rules", "text/plain", text.value) },
    "Save as a file",
  );
  const chosen = h("span", { class: "field" });
  const kif = h("pre", { class: "kif", tabindex: "0", "aria-label": "The rules as KIF" });
  const core = h("details", { hidden: true }, h("summary", {}, "The same as GDL"), kif);
  let timer = null;

  const check = () => {
    clearTimeout(timer);
    opener.disabled = true;
    mark(marks, text.value, []);
    timer = setTimeout(ask, PAUSE);
  };
  const ask = () =>
    unlessStale(
      async () => {
        const size = new TextEncoder().encode(text.value).length;
        if (size > LARGEST) throw new Error("Rules may have 32 KiB at most.");
        tell(await post("rules-read", "/api/rules", { text: text.value }));
      },
      (error) => complain(said, error, ask),
    );
  const tell = (answer) => {
    complain(said, null);
    const mistakes = answer.mistakes ?? [];
    mark(marks, text.value, mistakes);
    fill(list, mistakes.map((mistake) => row(text, mistake)));
    fill(count, counted(mistakes));
    text.setAttribute("aria-invalid", String(mistakes.length > 0));
    if (answer.ok) {
      fill(preview, answer.drawing ? draw(answer.drawing).svg : []);
      fill(facts, summary(answer));
      fill(kif, answer.kif);
    }
    preview.classList.toggle("stale", !answer.ok);
    show(core, answer.ok);
    opener.disabled = !answer.ok || answer.hidden;
    opener.onclick = () => openGame(answer.game, answer.file);
  };
  text.addEventListener("input", check);
  text.addEventListener("scroll", () => {
    marks.scrollTop = text.scrollTop;
    marks.scrollLeft = text.scrollLeft;
  });

  const root = h(
    "section",
    { class: "rules" },
    h("h3", {}, "Rules of your own"),
    h(
      "div",
      { class: "columns wide-left" },
      h("div", {}, h("p", { class: "row" }, chosen, save), code, count, list, said),
      h("div", {}, h("h4", {}, "The first position"), preview, facts, h("p", {}, opener), core),
    ),
  );
  return {
    root,
    /** Shows a text, and checks it at once. */
    begin(first) {
      text.value = first;
      check();
    },
    /** Examples to start from. The text before is a step of undoing away. */
    offer() {
      const pairs = examples.map(({ name, title }) => [name, title || name]);
      const field = select(
        {
          id: "rules-example",
          onchange: () => {
            const example = examples.find(({ name }) => name === field.value);
            if (example) replaced(text, example.text);
          },
        },
        [["", "an example…"], ...pairs],
        opened()?.name ?? "",
      );
      fill(chosen, h("label", {}, "Start from ", field));
    },
    fail(error, again) {
      complain(said, error, again);
    },
  };
}

/** Puts another text in place of all there is, so that the browser can undo it. */
function replaced(text, next) {
  text.focus();
  text.select();
  if (!document.execCommand("insertText", false, next)) {
    text.value = next;
    text.dispatchEvent(new Event("input"));
  }
  text.setSelectionRange(0, 0);
  text.scrollTop = 0;
}

function counted(mistakes) {
  if (!mistakes.length) return "These rules are right.";
  return mistakes.length === 1 ? "One mistake:" : `${mistakes.length} mistakes:`;
}

function summary({ title, players, choices, hidden, parameters }) {
  const about = [title, players.join(" and ")].filter(Boolean).join(": ");
  const settings = parameters.map(({ name, value }) => `${name} = ${value}`).join(", ");
  const first = choices
    ? `${choices.length} ${choices.length === 1 ? "first move" : "first moves"}`
    : "";
  const unseen = hidden ? "not everything is seen, so it is solved on the command line" : "";
  return [about, settings, first, unseen].filter(Boolean).join("; ");
}

/** A mistake; choosing it selects its piece of the text. */
function row(text, mistake) {
  const { line, what, remedy } = mistake;
  const words = [
    line ? h("span", { class: "muted" }, `line ${line} `) : [],
    what,
    remedy ? h("span", { class: "remedy" }, ` ${remedy}`) : [],
  ];
  if (!line) return h("li", {}, words);
  const choose = () => {
    const [from, to] = range(text.value, mistake);
    text.focus();
    text.setSelectionRange(from, Math.max(to, from));
    const high = Number.parseFloat(getComputedStyle(text).lineHeight) || 20;
    text.scrollTop = Math.max(0, (line - 4) * high);
  };
  return h("li", {}, h("button", { type: "button", class: "quiet", onclick: choose }, words));
}

/** From where to where a mistake goes in a text; lines and characters are counted from 1. */
function range(text, { line, column, end_line: endLine, end_column: endColumn }) {
  const lines = text.split("\n");
  const offset = (row, place) => {
    const before = lines.slice(0, row - 1).reduce((sum, each) => sum + each.length + 1, 0);
    const within = Array.from(lines[row - 1] ?? "").slice(0, place - 1).join("");
    return before + within.length;
  };
  return [offset(line, column), offset(endLine, endColumn)];
}

/** The text again, behind the field, with what is wrong marked. */
function mark(place, text, mistakes) {
  const ranges = mistakes
    .filter(({ line }) => line)
    .map((mistake) => range(text, mistake))
    .sort(([one], [other]) => one - other);
  const pieces = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (from < at) continue;
    const end = Math.max(to, from + 1);
    pieces.push(text.slice(at, from), h("mark", {}, text.slice(from, end).replace(/^\n?$/, " ")));
    at = Math.max(to, from);
  }
  // A line that ends the text has a height only if something follows it.
  fill(place, pieces, text.slice(at), "\n");
}
