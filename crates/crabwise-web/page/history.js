// The moves so far, as a list and as a graph of what each position was worth to the first player.

import { get, unlessStale } from "./api.js";
import { byId, fill, h, s, show } from "./dom.js";
import { arrow } from "./focus.js";
import { about, goTo, view } from "./game.js";
import { names, state } from "./state.js";
import { badge, doing, playerName, valueName } from "./words.js";

const WIDTH = 320;
const HEIGHT = 128;
const MARGIN = 16;

let loaded = null;

export function clear() {
  loaded = null;
  fill(byId("history"));
  fill(byId("value-graph"));
}

/** What was known may have become more: the next `load` asks again. */
export function forget() {
  loaded = null;
}

/** Asks for the history of the whole line, but only when that has become another one. */
export async function load() {
  const key = JSON.stringify([view.key, state.line, view.position.solved, state.labels]);
  if (key === loaded) return render();
  loaded = key;
  await unlessStale(
    async () => {
      const found = await get(
        "history",
        "/api/history",
        about({ line: state.line, labels: state.labels }),
      );
      view.steps = found.steps ?? [];
      view.base = Math.max(0, state.line.length + 1 - view.steps.length);
      render();
      byId("undo").disabled = state.at <= view.base && !state.made.length;
      byId("restart").disabled = state.line.length <= view.base && !state.made.length;
    },
    (error) => {
      // The list then shows the bare moves, without a graph. A line that is too long will not
      // become shorter; anything else may be over by the next time.
      if (error.status !== 413) loaded = null;
      view.steps = [];
      render();
    },
  );
}

/** Values give the game away while they are hidden, until it is over. */
function told() {
  return state.values !== "hide" || Boolean(view.position?.over);
}

export function render() {
  const steps = view.steps.length ? view.steps : bare();
  const list = byId("history");
  fill(
    list,
    steps.map((step, ply) => entry(step, ply, steps[ply - 1])),
  );
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  const graphed = told() && view.steps.some((step) => seen(step)) && view.steps.length > 1;
  show(byId("value-graph"), graphed);
  fill(byId("value-graph"), graphed ? graph(view.steps) : []);
}

function bare() {
  return [{ move: null }, ...state.line.slice(view.base).map((move) => ({ move }))];
}

function entry(step, ply, before) {
  const at = ply + view.base;
  const label = step.move ?? "Start";
  const value = told() ? worth(step, before) : null;
  const mistake = told() && step.mistake;
  const player = before?.mover ? `${playerName(before.mover, names())}, ` : "";
  const comes = [value && (before ? doing(value) : valueName(value)), mistake && "a mistake"]
    .filter(Boolean)
    .map((words) => `, ${words}`)
    .join("");
  return h(
    "li",
    { "data-ply": ply, class: at > state.at ? "later" : null },
    h(
      "button",
      {
        type: "button",
        title: player + label + comes,
        onclick: () => goTo(at),
        "aria-current": at === state.at ? "step" : null,
      },
      h("span", { class: `stone ${before?.mover ?? ""}`, "aria-hidden": "true" }),
      h("span", { class: "unseen" }, player),
      h("span", { class: "step-move" }, label),
      h("span", { class: "unseen" }, comes),
      mistake ? h("span", { class: "mistake", "aria-hidden": "true" }, "?") : null,
      value
        ? h("span", { class: `mark ${value.outcome}`, "aria-hidden": "true" }, badge(value))
        : null,
    ),
  );
}

/**
 * What a move is worth to who made it, as the badge on the board said: one move further from the
 * end than the position after it. The start is worth what it is to who begins.
 */
function worth(step, before) {
  if (!before || !step.value) return step.value;
  const { outcome, remoteness } = step.value;
  const turn = before.mover === step.mover ? {} : { win: "loss", loss: "win" };
  const far = Number.isFinite(remoteness) ? remoteness + 1 : remoteness;
  return { outcome: turn[outcome] ?? outcome, remoteness: far };
}

/** What a step is worth to the first player. */
function seen(step) {
  if (step.for_first) return step.for_first;
  if (!step.value || step.mover !== "second") return step.value ?? null;
  const turn = { win: "loss", loss: "win" };
  return { ...step.value, outcome: turn[step.value.outcome] ?? step.value.outcome };
}

/** A win is above the middle, the nearer its end the higher; a loss the same below. */
function height(value, longest) {
  const middle = HEIGHT / 2;
  const reach = middle - MARGIN;
  const near = 1 - 0.75 * Math.min(1, (value.remoteness ?? longest) / Math.max(1, longest));
  if (value.outcome === "win") return middle - reach * near;
  if (value.outcome === "loss") return middle + reach * near;
  return middle;
}

function graph(steps) {
  const longest = Math.max(1, ...steps.map((step) => seen(step)?.remoteness ?? 0));
  const across = (ply) => MARGIN + (ply * (WIDTH - 2 * MARGIN)) / Math.max(1, steps.length - 1);
  const points = steps
    .map((step, ply) => ({ step, ply, value: seen(step), x: across(ply) }))
    .filter((point) => point.value)
    .map((point) => ({ ...point, y: height(point.value, longest) }));
  const first = playerName("first", names());
  const svg = s("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "group",
    "aria-label": `What each position was worth to ${first}`,
  });
  const marks = points.map(mark);
  svg.addEventListener("keydown", (event) => arrow(event, marks));
  svg.append(
    s("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "axis" }),
    s("text", { x: 2, y: 11, class: "note" }, `${first} wins`),
    s("text", { x: 2, y: HEIGHT - 3, class: "note" }, `${first} loses`),
    s("polyline", { points: points.map((p) => `${p.x},${p.y}`).join(" "), class: "curve" }),
    ...marks,
  );
  return svg;
}

function mark({ step, ply, value, x, y }) {
  const at = ply + view.base;
  const text =
    `${ply}. ${step.move ?? "Start"}: the first player ${doing(value)}` +
    (step.mistake ? ", a mistake" : "");
  return s(
    "g",
    {
      class: `point ${value.outcome}${at === state.at ? " now" : ""}`,
      "data-ply": ply,
      "data-outcome": value.outcome,
      "data-x": x,
      "data-y": y,
      role: "button",
      tabindex: at === state.at ? "0" : "-1",
      onclick: () => goTo(at),
    },
    s("title", {}, text),
    step.mistake ? s("circle", { cx: x, cy: y, r: 8, class: "mistake-ring" }) : null,
    step.mistake
      ? s("text", { x, y: y > HEIGHT / 2 ? y - 11 : y + 18, class: "note mistake" }, "?")
      : null,
    s("circle", { cx: x, cy: y, r: at === state.at ? 5 : 3.5, class: "spot" }),
    s("rect", { x: x - 7, y: 0, width: 14, height: HEIGHT, class: "hit" }),
  );
}
