// Who plays: a person, or the computer in one of several ways; and the pace of computer games.
//
// The computer answers only at the end of the line. After an undo it waits, because there are moves
// to redo; a move of the person, or "play on", drops those and lets it go on.

import { get, unlessStale } from "./api.js";
import { byId, fill, h, select, show as reveal } from "./dom.js";
import { about, render as renderGame, trouble, view, visit } from "./game.js";
import * as past from "./history.js";
import { commit, state } from "./state.js";
import { playerName } from "./words.js";

const KINDS = [
  ["human", "person"],
  ["perfect", "perfect"],
  ["random", "random"],
  ["trappy", "trappy"],
  ["horizon=2", "looks 2 ahead"],
  ["horizon=4", "looks 4 ahead"],
  ["horizon=6", "looks 6 ahead"],
  ["horizon=8", "looks 8 ahead"],
];
/** Those who play by the table. */
const TABLED = ["perfect", "trappy"];
/** How long the computer takes to answer a person, in milliseconds: long enough to see it. */
const ANSWER = 350;

let timer = null;
let running = false;
let pace = 900;

export function listen() {}

export function bothComputers() {
  return state.first !== "human" && state.second !== "human";
}

/** Whether the computer is about to move, so that the person has to wait. */
export function isPlaying() {
  const { position } = view;
  if (!position || position.over || state.made.length || state.at < state.line.length) return false;
  if (state[position.mover] === "human") return false;
  return !bothComputers() || running;
}

/** Two computers begin only when told to. */
export function reset() {
  stop();
  running = false;
}

export function stop() {
  clearTimeout(timer);
  timer = null;
}

/** Lets the computer move after a while, if it is to move. */
export function consider() {
  stop();
  if (view.position?.over) running = false;
  if (isPlaying()) timer = setTimeout(reply, bothComputers() ? pace : ANSWER);
  render();
}

async function reply() {
  const { position } = view;
  const [player, depth] = state[position.mover].split("=");
  const line = state.line.slice(0, state.at);
  const seed = Math.floor(Math.random() * 2 ** 31);
  await unlessStale(
    async () => {
      const answer = await get("reply", "/api/reply", about(depth ? { line, player, depth, seed } : { line, player, seed }));
      await visit([...line, answer.move], { push: !bothComputers() });
    },
    (error) => {
      running = false;
      render();
      trouble(error, consider);
    },
  );
}

/** The two seats with their players and names, and the pace where two computers play. */
export function show() {
  const seat = (which, name) =>
    h(
      "div",
      { class: `seat ${which}` },
      h("span", { class: "stone", "aria-hidden": "true" }),
      h("input", {
        id: name,
        class: "name",
        value: state[name],
        maxlength: 24,
        autocomplete: "off",
        placeholder: playerName(which, {}),
        "aria-label": `Name of the ${which} player`,
        oninput: (event) => rename(name, event.target.value),
      }),
      select(
        {
          id: which,
          "aria-label": `Who plays for the ${which} player`,
          onchange: (event) => seatTo(which, event.target.value),
        },
        KINDS,
        state[which],
      ),
    );
  fill(
    byId("players"),
    seat("first", "name1"),
    seat("second", "name2"),
    h(
      "div",
      { class: "row" },
      h("button", { id: "swap", type: "button", onclick: swap }, "Swap sides"),
      h("span", { id: "pace", class: "row" }, paceButtons(), playOnButton()),
    ),
  );
}

/** Who needs a table cannot play where there is none and will be none. */
export function offer({ untabled }) {
  for (const option of byId("players").querySelectorAll("option")) {
    option.disabled = Boolean(untabled) && TABLED.includes(option.value);
  }
}

function rename(key, text) {
  commit({ [key]: text.slice(0, 24) });
  renderGame();
  past.render();
}

function seatTo(which, kind) {
  commit({ [which]: kind });
  if (bothComputers()) running = false;
  renderGame();
  consider();
}

function swap() {
  const { first, second, name1, name2 } = state;
  commit({ first: second, second: first, name1: name2, name2: name1 });
  show();
  offer(view.info ?? {});
  renderGame();
  past.render();
  consider();
}

/**
 * The buttons for two computers, or the one that makes a waiting computer play on. They stay the
 * same elements from move to move, so that a slow click or a drag is not cut off.
 */
export function render() {
  const { position } = view;
  if (!byId("pace") || !position) return;
  for (const which of ["first", "second"]) {
    byId("players")
      .querySelector(`.${which}`)
      .classList.toggle("turn", !position.over && position.mover === which);
  }
  reveal(byId("paced"), bothComputers());
  reveal(byId("play-on"), !bothComputers() && waits(position));
  byId("play").textContent = running ? "Pause" : "Play";
  byId("play").disabled = position.over;
  byId("step").disabled = running || position.over;
}

function waits(position) {
  return !position.over && state.at < state.line.length && state[position.mover] !== "human";
}

function playOnButton() {
  const attributes = { id: "play-on", type: "button", hidden: true, onclick: playOn };
  return h("button", attributes, "Play on from here");
}

function playOn() {
  commit({ line: state.line.slice(0, state.at) });
  renderGame();
  past.load();
  consider();
}

function paceButtons() {
  return h(
    "span",
    { id: "paced", class: "row", hidden: true },
    h("button", { id: "play", type: "button", onclick: toggle }, "Play"),
    h("button", { id: "step", type: "button", onclick: step }, "Step"),
    h(
      "label",
      { class: "field" },
      "Speed ",
      h("input", {
        id: "speed",
        type: "range",
        min: 1,
        max: 10,
        value: speed(),
        oninput: (event) => {
          pace = 2400 / event.target.value ** 1.3;
        },
      }),
    ),
  );
}

function speed() {
  return Math.round((2400 / pace) ** (1 / 1.3));
}

export function toggle() {
  if (!bothComputers()) return;
  running = !running;
  if (running) commit({ line: state.line.slice(0, state.at) });
  if (running) past.load();
  renderGame();
  consider();
}

function step() {
  if (view.busy) return;
  commit({ line: state.line.slice(0, state.at) });
  reply();
}
