// Explore: perfect play from here, all moves, the tree of the next moves, other positions.

import { get, unlessStale } from "./api.js";
import { complain, fill, h, problem, select } from "./dom.js";
import { about, setValues, trouble, view, visit, words } from "./game.js";
import { commit, names, state } from "./state.js";
import { badge, doing, named, rank, valueName } from "./words.js";

const FINDS = [
  ["deepest-win", "longest win"],
  ["deepest-loss", "longest loss"],
  ["random-win", "a win"],
  ["random-loss", "a loss"],
  ["random-tie", "a tie"],
  ["random-draw", "a draw"],
  ["random", "any"],
];
const ENDS = { over: "", circle: "… and round again", cut: "…" };

let parts = null;
let sorting = { by: "value", down: false };
let plies = "2";

export function open(place) {
  parts = Object.fromEntries(
    ["facts", "line", "moves", "tree", "find"].map((name) => [
      name,
      h("section", { class: `explore-${name}` }),
    ]),
  );
  fill(
    place,
    parts.facts,
    h(
      "div",
      { class: "columns" },
      h("div", {}, parts.line, parts.moves),
      h("div", {}, parts.tree, parts.find),
    ),
  );
  if (view.position) moved();
}

export function moved() {
  const { position } = view;
  if (!parts || !position) return;
  if (state.values === "hide" && position.solved && !position.over) return honest();
  parts.facts.className = "explore-facts";
  facts(position);
  fill(parts.moves, moves(position));
  fill(parts.find, position.solved ? finding() : []);
  line(position);
  tree(position);
}

/** Nothing here may give away what the board does not show. */
function honest() {
  for (const part of Object.values(parts)) fill(part);
  fill(
    parts.facts,
    h(
      "p",
      {},
      "Values are hidden, so that you can play honestly. ",
      h("button", { type: "button", onclick: () => setValues("show") }, "Show values"),
    ),
  );
}

function facts(position) {
  const { info } = view;
  const rows = [
    position.value && ["Value", `${position.mover} player to move: ${valueName(position.value)}`],
    position.outcome_class && ["Outcome", classWords(position.outcome_class)],
    Number.isFinite(position.nimber) && ["Nimber", String(position.nimber)],
    position.label && ["Label", position.label],
    position.readable !== false && ["Position", position.notation],
    position.published && ["Published as", position.published],
    ...(info?.predictions ?? []).map((known) => [known.by, predicted(known)]),
  ].filter(Boolean);
  fill(
    parts.facts,
    h(
      "dl",
      { class: "facts" },
      rows.map(([term, text]) =>
        h("div", {}, h("dt", {}, term), h("dd", {}, named(text, names()))),
      ),
    ),
    position.solved ? labelSwitch() : null,
  );
}

const PREDICTED = {
  win: "the first player wins",
  loss: "the second player wins",
  tie: "the game is a tie",
  draw: "the game is a draw",
};

/** Predictions are about the start, where the first player moves. */
function predicted({ outcome, proven, words: reason }) {
  const result = PREDICTED[outcome];
  const standing = proven ? "proved" : "conjectured";
  if (!result) return `${reason} (${standing})`;
  return `predicts that ${result} (${standing}): ${reason}`;
}

function classWords(letter) {
  return letter === "P" ? "P: the previous player wins" : "N: the next player wins";
}

function labelSwitch() {
  return h(
    "label",
    { class: "field small" },
    h("input", {
      id: "labels",
      type: "checkbox",
      checked: state.labels === "1",
      onchange: (event) => {
        commit({ labels: event.target.checked ? "1" : "" });
        visit(words(), { tail: state.line.slice(state.at), arriving: true });
      },
    }),
    " G, P and T labels",
  );
}

function here() {
  return state.line.slice(0, state.at);
}

/** Perfect play: a click on a step goes to where it leads. */
async function line(position) {
  if (!position.solved || position.over || state.made.length) return void fill(parts.line);
  const place = parts.line;
  await unlessStale(
    async () => {
      const from = here();
      const found = await get("perfect", "/api/perfect", about({ line: from, most: 60 }));
      const steps = found.moves.map((move, i) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "step",
              title: doing(move.value),
              onclick: () =>
                visit([...from, ...found.moves.slice(0, i + 1).map((m) => m.move)], { push: true }),
            },
            move.move,
          ),
        ),
      );
      fill(
        place,
        h("h3", {}, "Perfect play from here"),
        steps.length
          ? h("ol", { class: "steps" }, steps, h("li", { class: "muted" }, ENDS[found.end] ?? ""))
          : h("p", { class: "muted" }, "There is nothing left to play."),
      );
    },
    (error) =>
      fill(
        place,
        h(
          "p",
          { class: "problem" },
          problem(error, () => line(position)),
        ),
      ),
  );
}

/** Moves that one might try and the rules forbid, a line for each thing that they would do. */
function barred(position) {
  const reasons = new Map();
  for (const { move, why } of position.barred ?? []) {
    reasons.set(why, [...(reasons.get(why) ?? []), move]);
  }
  if (!reasons.size) return [];
  const line = ([why, names]) => h("li", {}, `${names.join(", ")} ${why}`);
  return [h("h3", {}, "Not allowed"), h("ul", { class: "barred" }, [...reasons].map(line))];
}

function moves(position) {
  if (!position.moves?.length) return barred(position);
  const rows = sorted(position.moves);
  const labelled = rows.some((move) => move.label);
  const valued = rows.some((move) => move.value);
  const head = (by, text) =>
    h(
      "th",
      {
        scope: "col",
        "aria-sort": sorting.by === by ? (sorting.down ? "descending" : "ascending") : null,
      },
      h(
        "button",
        {
          type: "button",
          class: "sort",
          onclick: () => {
            sorting = { by, down: sorting.by === by && !sorting.down };
            fill(parts.moves, moves(position));
          },
        },
        text,
      ),
    );
  return [
    h("h3", {}, `All moves (${position.moves.length})`),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "All moves" },
      h(
        "table",
        { class: "moves" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head("move", "Move"),
            valued ? [head("value", "Value"), head("far", "Moves left")] : null,
            labelled ? head("label", "Label") : null,
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((move) => row(move, valued, labelled)),
        ),
      ),
    ),
    ...barred(position),
  ];
}

function row(move, valued, labelled) {
  const { value } = move;
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h(
        "button",
        {
          type: "button",
          class: "link",
          title: move.position,
          onclick: () => visit([...here(), move.move], { push: true }),
        },
        move.move,
      ),
    ),
    valued ? worth(value) : null,
    labelled ? h("td", {}, move.label ?? "") : null,
  );
}

function worth(value) {
  const outcome = value ? `${badge({ outcome: value.outcome })} ${value.outcome}` : "–";
  return [
    h("td", { class: value?.outcome }, outcome),
    h("td", { class: "number" }, value?.remoteness ?? "–"),
  ];
}

function sorted(list) {
  const keys = {
    move: (move) => move.move,
    value: (move) => rank(move.value),
    far: (move) => move.value?.remoteness ?? 1e9,
    label: (move) => move.label ?? "",
  };
  const key = keys[sorting.by];
  const order = (a, b) =>
    typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
  const out = [...list].sort((a, b) => order(key(a), key(b)));
  return sorting.down ? out.reverse() : out;
}

/** The tree is asked for once somebody opens it. */
function tree(position) {
  if (position.over || !position.solved) return fill(parts.tree);
  const before = parts.tree.querySelector("details")?.open ?? false;
  const place = h("div", { class: "tree scroll" });
  const choice = select(
    {
      "aria-label": "How many moves deep",
      onchange: (event) => {
        plies = event.target.value;
        grow(place);
      },
    },
    [
      ["1", "1 move"],
      ["2", "2 moves"],
      ["3", "3 moves"],
      ["4", "4 moves"],
    ],
    plies,
  );
  const details = h(
    "details",
    { open: before },
    h("summary", {}, "Tree of the next moves"),
    choice,
    place,
  );
  details.addEventListener("toggle", () => details.open && !place.hasChildNodes() && grow(place));
  fill(parts.tree, details);
  return details;
}

async function grow(place) {
  const from = here();
  await unlessStale(
    async () => {
      const found = await get("tree", "/api/tree", about({ line: from, plies }));
      fill(
        place,
        branches(found.moves, from),
        found.cut
          ? h("p", { class: "muted small" }, "There are more; only the first 400 are shown.")
          : null,
      );
    },
    (error) =>
      fill(
        place,
        h(
          "p",
          { class: "problem" },
          problem(error, () => grow(place)),
        ),
      ),
  );
}

function branches(list, from) {
  if (!list?.length) return [];
  return h(
    "ul",
    {},
    list.map((node) => {
      const to = [...from, node.move];
      return h(
        "li",
        { class: node.best ? "best" : null },
        h(
          "button",
          { type: "button", class: "link", onclick: () => visit(to, { push: true }) },
          node.move,
        ),
        " ",
        h("span", { class: `mark ${node.value?.outcome ?? ""}` }, badge(node.value)),
        branches(node.moves, to),
      );
    }),
  );
}

function finding() {
  const said = h("p", { class: "problem", hidden: true });
  const buttons = FINDS.map(([what, text]) =>
    h("button", { type: "button", onclick: () => find(what, said) }, text),
  );
  return [h("h3", {}, "Find a position"), h("div", { class: "row" }, buttons), said];
}

async function find(what, said) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  complain(said, null);
  await unlessStale(
    async () => {
      const found = await get("find", "/api/find", about({ what, seed }));
      await visit(found.line, { push: true });
    },
    (error) => {
      if (error.status === 404 || error.status === 409) complain(said, error);
      else trouble(error, () => find(what, said));
    },
  );
}
