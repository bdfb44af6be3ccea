// The position editor: a palette of letters, places on the board, and the notation as text.
//
// A draft is a notation. After each change the server draws it, or says why it is no position; then
// the last good drawing stays, with the letters of the draft over the places that differ.

import { get, unlessStale } from "./api.js";
import { boxOf, draw } from "./board.js";
import { complain, fill, h, s, select } from "./dom.js";
import { arrow, rove, targetsIn } from "./focus.js";
import { about, view, visit } from "./game.js";
import { named } from "./words.js";
import { names } from "./state.js";

const editing = {
  place: null,
  from: null,
  draft: "",
  drawn: null,
  board: null,
  palette: null,
  rest: null,
  text: null,
  said: null,
  letter: null,
};

export function open(place) {
  const { info, position } = view;
  Object.assign(editing, { place, board: null });
  if (!info?.editor || !position) return void fill(place, h("p", { class: "muted" }, "…"));
  Object.assign(editing, {
    from: position.notation,
    draft: position.notation,
    drawn: position,
    letter: editing.letter ?? info.editor.letters[0]?.letter,
    board: h("div", { class: "editor-board" }),
    palette: h("div", { class: "row", role: "group", "aria-label": "Palette" }),
    rest: h("div", { class: "row" }),
    said: h("p", { class: "problem", role: "alert", hidden: true }),
    text: h("input", {
      id: "notation",
      spellcheck: "false",
      size: 28,
      "aria-label": "Position as text",
      oninput: () => draft(editing.text.value.trim()),
    }),
  });
  editing.board.addEventListener("keydown", (event) => arrow(event, targetsIn(editing.board)));
  const apply = h(
    "form",
    {
      class: "row",
      onsubmit: (event) => {
        event.preventDefault();
        visit([editing.draft], { push: true });
      },
    },
    h("label", { class: "field" }, "As text ", editing.text),
    h("button", { type: "submit", class: "main" }, "Play from here"),
    h(
      "button",
      { type: "button", onclick: () => draft(view.position.notation) },
      "Back to the board",
    ),
  );
  fill(
    place,
    h("p", { class: "muted" }, "Choose a letter, then click where it goes."),
    h(
      "div",
      { class: "columns" },
      editing.board,
      h("div", {}, editing.palette, editing.rest, apply, editing.said),
    ),
  );
  render();
}

/** The draft stays as it is while the person edits; another position on the board replaces it. */
export function moved() {
  if (!editing.board) return void open(editing.place);
  if (editing.from === view.position.notation) return;
  editing.from = view.position.notation;
  draft(editing.from);
}

async function draft(text) {
  editing.draft = text;
  render();
  await unlessStale(
    async () => {
      editing.drawn = await get("editor", "/api/position", about({ line: [text] }));
      complain(editing.said, null);
      render();
    },
    (error) => complain(editing.said, error),
  );
}

/** Puts a letter at a place of the notation. */
function put(place, letter) {
  if (!place.letters.includes(letter)) {
    complain(
      editing.said,
      `${letter} cannot be at ${place.name}; ${Array.from(place.letters).join(" ")} can.`,
    );
    return;
  }
  const letters = Array.from(editing.draft);
  letters[place.at] = letter;
  draft(letters.join(""));
}

function render() {
  const { editor } = view.info;
  if (document.activeElement !== editing.text) editing.text.value = editing.draft;
  fill(
    editing.palette,
    editor.letters.map(({ letter, means }) =>
      h(
        "button",
        {
          type: "button",
          class: "letter",
          "aria-pressed": String(letter === editing.letter),
          onclick: () => {
            editing.letter = letter;
            render();
          },
        },
        h("b", {}, letter === " " ? "␣" : letter),
        ` ${named(means, names())}`,
      ),
    ),
  );
  const shapes = editing.drawn.drawn ? editing.drawn.drawing.shapes : [];
  const onBoard = (place) => shapes.some((shape) => shape.name === place.name);
  renderBoard(editor.places.filter(onBoard));
  fill(
    editing.rest,
    editor.places
      .filter((place) => !onBoard(place))
      .map((place) =>
        h(
          "label",
          { class: "field" },
          `${place.name} `,
          select(
            {
              onchange: (event) => put(place, event.target.value),
            },
            Array.from(place.letters).map((letter) => [letter, meaning(letter)]),
            Array.from(editing.draft)[place.at],
          ),
        ),
      ),
  );
}

function meaning(letter) {
  const known = view.info.editor.letters.find((entry) => entry.letter === letter);
  return known ? `${letter} ${named(known.means, names())}` : letter;
}

function renderBoard(places) {
  const { board, drawn } = editing;
  if (!drawn.drawn) return void fill(board, h("pre", { class: "picture" }, drawn.picture));
  const focused = board.contains(document.activeElement)
    ? document.activeElement.dataset.choice
    : null;
  const targets = places.map((place) => ({ choice: place.name, value: null, place }));
  const choose = (name) =>
    put(
      places.find((place) => place.name === name),
      editing.letter,
    );
  const shapes = drawn.drawing.shapes.filter((shape) => shape.tone !== "last");
  const { svg } = draw({ ...drawn.drawing, shapes }, { targets, choose });
  svg.classList.add("editing");
  const [was, is] = [Array.from(drawn.notation), Array.from(editing.draft)];
  for (const place of places) {
    if (was[place.at] === is[place.at]) continue;
    const { at } = boxOf(shapes.find((shape) => shape.name === place.name));
    svg.append(s("text", { x: at[0], y: at[1], class: "drafted" }, is[place.at] ?? ""));
  }
  fill(board, svg);
  const chosen = rove(targetsIn(board), focused);
  if (focused !== null) chosen?.focus();
}
