// A game that both players see: the position on the board and the ways to another one.
//
// `visit` is the only function that changes the position. It asks the server first and changes the
// address when the answer is there, so that the address always says what the board shows.

import { drop, get, unlessStale } from "./api.js";
import { offerSizes } from "./app.js";
import { button, draw } from "./board.js";
import { announce, byId, complain, fill, h, show } from "./dom.js";
import { arrow, focusOn, rove, targetsIn } from "./focus.js";
import * as past from "./history.js";
import { leave, panel } from "./jobs.js";
import * as play from "./play.js";
import { commit, names, state } from "./state.js";
import * as tabs from "./tabs.js";
import { doing, named, sentence, title } from "./words.js";

/**
 * What is shown. `base` is how many words of the line are a position to begin from: 0 or 1;
 * `serial` tells one opening of a game from the next.
 */
export const view = {
  key: null,
  serial: 0,
  info: null,
  position: null,
  steps: [],
  base: 0,
  hint: null,
  busy: false,
  learning: null,
};

const SLOTS = [
  "game",
  "position",
  "history",
  "reply",
  "solve",
  "perfect",
  "tree",
  "find",
  "stats",
  "graph",
  "editor",
  "boards",
];

/** The parameters that every request about this game has. */
export function about(more = {}) {
  return { game: state.game, file: state.file, ...more };
}

/** What tells one game from another. */
function key() {
  return `${state.game}\n${state.file}`;
}

/** The words that lead to what is on the board. */
export function words() {
  return [...state.line.slice(0, state.at), ...state.made];
}

/**
 * Shows what the address says. Info and position are asked for at once, for an early board; if the
 * game turns out to be hidden, `hand` is given what is known of it and this view closes.
 */
export async function open(hand = handOver) {
  handOver = hand;
  const anew = view.key !== key();
  if (anew) {
    close();
    view.serial += 1;
    Object.assign(view, { key: key(), info: null, position: null, steps: [], base: 0 });
    byId("game").classList.add("unknown");
    byId("game").classList.remove("making");
    fill(byId("board"));
    fill(byId("others"));
    byId("words").textContent = "…";
    past.clear();
    play.reset();
  }
  play.show();
  if (anew) view.learning = ask();
  else tabs.show();
  await visit(words(), { tail: state.line.slice(state.at), arriving: true });
}

let handOver = () => {};

/** Leaves the game: nothing of it may arrive any more. */
export function close() {
  drop(...SLOTS);
  leave("solve");
  leave("stats");
  play.stop();
  view.key = null;
  // A position that was on its way will not arrive.
  settle();
  show(byId("job"), false);
  complain(byId("error"), null);
}

async function ask() {
  await unlessStale(
    async () => learn(await get("game", "/api/game", about())),
    (error) => {
      trouble(error, () => {
        view.key = null;
        open();
      });
      // A board that is not there can still be made.
      if (!tabs.hasBoards()) return;
      commit({ tab: "board" });
      byId("game").classList.add("making");
      tabs.show();
    },
  );
}

/** The game is known: its name, whether it is solved, and what can be done about that. */
function learn(info) {
  if (info.hidden) {
    close();
    return handOver(info);
  }
  view.info = info;
  if (info.game !== state.game) rename(info.game);
  byId("title").textContent = title(info.name);
  byId("about").textContent = info.about;
  document.title = `${info.game} · Crabwise`;
  if (!info.solved) solve(info);
  play.offer(info);
  if (view.position) render();
  return tabs.show();
}

/** The game has a fuller name than it was asked for by: `isolation` is `isolation:4x4`. */
function rename(game) {
  commit({ game });
  view.key = key();
  byId("game-string").value = game;
  offerSizes();
}

function solve(info) {
  if (info.untabled) return untabled(info.untabled);
  const solving = work({ kind: "solve" }, "Not solved yet", "Solve");
  const { job, plan } = info;
  const under = job?.kind === "solve" && ["waiting", "running"].includes(job.state);
  if (under) solving.follow(job);
  else if (!plan) solving.start(true);
  else if (plan.quick) solving.start(false);
  else {
    const meanwhile = info.searchable
      ? "Values come from a search; with a table there are distances too."
      : "You can play it meanwhile, without values.";
    solving.offer(plan, meanwhile);
  }
}

/** There is nothing to solve, and no harm in that. */
function untabled(why) {
  fill(
    byId("job"),
    h("h2", {}, "No table"),
    h("p", {}, sentence(why)),
    h("p", { class: "muted" }, "Somebody who looks ahead needs none, nor do two people."),
  );
  show(byId("job"), true);
}

/** Work about this game, told of beside the board; when it is done, what is shown is asked anew. */
function work(wish, heading, verb, done = refresh) {
  const order = { game: state.game, ...(state.file && { file: state.file }), ...wish };
  return panel(byId("job"), "solve", { order, title: heading, verb, done });
}

function refresh() {
  complain(byId("error"), null);
  past.forget();
  view.learning = ask();
  visit(words(), { tail: state.line.slice(state.at), arriving: true });
}

/**
 * Goes to the position after these words. `tail` are moves that can be redone from there; `push`
 * leaves the address before it in the browser's history.
 */
export async function visit(line, { tail = [], push = false, arriving = false } = {}) {
  play.stop();
  view.busy = true;
  byId("board").setAttribute("aria-busy", "true");
  await unlessStale(
    async () => {
      const position = await get(
        "position",
        "/api/position",
        about({ line, labels: state.labels }),
      );
      const whole = push && state.made.length > 0 && !(position.made ?? []).length;
      if (whole) commit({ made: [] });
      commit(
        { line: [...position.line, ...tail], at: position.line.length, made: position.made ?? [] },
        push && !(position.made ?? []).length,
      );
      view.position = position;
      view.hint = null;
      arrived(arriving);
    },
    async (error) => {
      settle();
      const { learning } = view;
      await learning;
      if (view.learning !== learning || (arriving && !view.info)) return;
      if (error.kind === "bad-table") forgetValues();
      trouble(error, () => visit(line, { tail, push, arriving }));
      if (!view.position && line.length) offerStart();
    },
  );
}

/** An address may have a line in it that this game does not have. */
function offerStart() {
  const begin = () => visit([], { arriving: true });
  byId("error").append(" ", h("button", { type: "button", onclick: begin }, "Go to the start"));
}

function settle() {
  view.busy = false;
  byId("board").removeAttribute("aria-busy");
}

function arrived(arriving) {
  settle();
  complain(byId("error"), null);
  render();
  past.load();
  tabs.moved();
  if (!arriving) {
    const { last, words: said } = view.position;
    const move = last?.length ? `${last.join(" ")}. ` : "";
    announce(move + named(said, names()));
  }
  play.consider();
}

/** Values of a table that cannot be trusted are not shown. */
function forgetValues() {
  const bare = (list) => (list ?? []).map((entry) => ({ ...entry, value: null, label: null }));
  if (!view.position) return;
  const { choices, moves } = view.position;
  view.position = {
    ...view.position,
    solved: false,
    value: null,
    words: "",
    choices: bare(choices),
    moves: bare(moves),
  };
  view.steps = [];
  past.render();
  render();
  tabs.moved();
}

/** Says what went wrong. What only waits for some work is set going instead. */
export function trouble(error, again) {
  if (error.needs === "traps") {
    return work({ kind: "traps" }, "Working out the traps", "Go on", again).start(false);
  }
  if (error.kind === "bad-table") {
    work({ kind: "solve", anew: true }, "The table cannot be used", "Solve it again").offer();
  }
  return complain(byId("error"), error, () => {
    complain(byId("error"), null);
    again();
  });
}

/** Makes a choice: a move, or the next decision of one. */
export function choose(choice) {
  if (view.busy || !humanToMove()) return;
  if (!view.position.choices.some((known) => known.choice === choice)) return;
  const tail = state.made.length || completes(choice) ? [] : state.line.slice(state.at);
  visit([...words(), choice], { push: true, tail: completes(choice) ? [] : tail });
}

function completes(choice) {
  const known = view.position.choices.find((entry) => entry.choice === choice);
  return known?.completes !== null && known?.completes !== undefined;
}

/** Whether the person at the board is to choose. In a line with moves to redo they always may. */
export function humanToMove() {
  const { position } = view;
  if (!position || position.over) return false;
  return state[position.mover] === "human" || !play.isPlaying();
}

/** Takes back a half-made turn. */
export function backOut() {
  if (!state.made.length) return false;
  const tail = state.line.slice(state.at);
  visit([...state.line.slice(0, state.at), ...state.made.slice(0, -1)], { tail });
  return true;
}

/** Goes to the position after so many words of the line, keeping the others to be redone. */
export function goTo(at, push = true) {
  visit(state.line.slice(0, at), { tail: state.line.slice(at), push });
}

export function undo() {
  if (backOut() || state.at <= view.base) return;
  goTo(stop(-1));
}

export function redo() {
  if (state.at < state.line.length) goTo(stop(+1));
}

/** Undoing and redoing skip what a computer did, to where a person chose. */
function stop(step) {
  const limit = step < 0 ? view.base : state.line.length;
  for (let at = state.at + step; ; at += step) {
    const mover = view.steps[at - view.base]?.mover;
    if (at === limit) return play.bothComputers() ? state.at + step : limit;
    if (!mover || state[mover] === "human") return at;
  }
}

export function restart() {
  if (view.busy) return;
  play.reset();
  visit(state.line.slice(0, view.base), { push: true });
}

export function hint() {
  const best = view.position?.choices.find((choice) => choice.value);
  if (!best || view.position.over) return;
  view.hint = best.choice;
  renderBoard();
  announce(`Hint: ${best.choice}, ${doing(best.value)}`);
}

/** Draws everything that depends on the position or on a setting. */
export function render() {
  const { position, info } = view;
  if (!position) return;
  byId("game").classList.remove("unknown");
  renderBoard();
  const hidden = state.values === "hide" && position.solved && !position.over;
  const said = hidden ? turn(position) : position.words || turn(position);
  byId("words").textContent = named(said, names());
  const { made } = state;
  show(byId("made"), made.length > 0);
  fill(
    byId("made"),
    `${made.join(" ")} … choose the rest of the turn, or `,
    h("button", { type: "button", class: "link", onclick: backOut }, "take it back (Esc)"),
  );
  byId("undo").disabled = state.at <= view.base && !made.length;
  byId("redo").disabled = state.at >= state.line.length;
  byId("restart").disabled = state.line.length <= view.base && !made.length;
  byId("hint").disabled = position.over || !position.choices.some((choice) => choice.value);
  byId("values").value = state.values;
  show(byId("key"), position.solved && state.values !== "hide" && !position.over);
  show(byId("tab-edit"), Boolean(info?.editor));
  play.render();
}

function turn(position) {
  if (position.over && position.winner) return `The ${position.winner} player has won.`;
  if (position.over) return "The game is over.";
  return `The ${position.mover} player is to move.`;
}

function renderBoard() {
  const { position, hint: hinted } = view;
  const board = byId("board");
  const others = byId("others");
  const focused = focusedChoice(board, others);
  const options = {
    values: state.values,
    hint: hinted,
    choose,
    made: state.made.at(-1),
    targets: position.over ? [] : position.choices,
  };
  let missing = options.targets;
  if (position.drawn && position.drawing) {
    const picture = draw(position.drawing, options);
    picture.svg.setAttribute("aria-label", `Board. ${named(position.words, names())}`);
    fill(board, picture.svg);
    missing = picture.missing;
  } else fill(board, h("pre", { class: "picture" }, position.picture));
  fill(
    others,
    missing.map((target) => button(target, options)),
  );
  const targets = targetsIn(board, others);
  const chosen = rove(targets, focused);
  if (focused !== null && chosen) focusOn(chosen, targets);
  board.classList.toggle("waiting", !humanToMove());
}

/** The choice that has the focus, "" if the focus was on the board at all, or null. */
function focusedChoice(board, others) {
  const active = document.activeElement;
  if (!board.contains(active) && !others.contains(active)) return null;
  return active.dataset?.choice ?? "";
}

export function listen() {
  const board = byId("board");
  const others = byId("others");
  const onKey = (event) => arrow(event, targetsIn(board, others));
  board.addEventListener("keydown", onKey);
  others.addEventListener("keydown", onKey);
  byId("undo").addEventListener("click", undo);
  byId("redo").addEventListener("click", redo);
  byId("restart").addEventListener("click", restart);
  byId("hint").addEventListener("click", hint);
  byId("values").addEventListener("change", () => setValues(byId("values").value));
  play.listen();
}

export function setValues(values) {
  commit({ values });
  render();
  past.render();
  tabs.moved();
}
