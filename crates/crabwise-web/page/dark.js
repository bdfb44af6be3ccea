// Games in which one does not see everything: a person in one seat, a strategy or a search in the other.
//
// The page knows only what that seat may know. Nothing can be taken back: the server refuses a line
// that leaves what was played, so moves replace the address instead of pushing a new one. Seat and
// rival are those of the first view, so another choice is another game.

import { drop, get, post, unlessStale } from "./api.js";
import { button, draw } from "./board.js";
import { announce, byId, complain, fill, h, s, select, show } from "./dom.js";
import { focusOn, middle, rove, targetsIn } from "./focus.js";
import { leave, panel } from "./jobs.js";
import { commit, state } from "./state.js";
import { title } from "./words.js";

const dark = { key: null, info: null, position: null, truth: false, busy: false };

export function listen() {}

export async function open(info = null) {
  const key = `${state.game}\n${state.file}`;
  if (dark.key !== key) {
    Object.assign(dark, { key, info: null, position: null, truth: false });
    fill(byId("board"));
    fill(byId("others"));
    byId("words").textContent = "…";
  }
  byId("game").classList.remove("unknown");
  show(byId("made"), false);
  show(byId("key"), false);
  show(byId("job"), false);
  complain(byId("error"), null);
  await unlessStale(async () => {
    dark.info =
      info ?? dark.info ?? (await get("game", "/api/game", { game: state.game, file: state.file }));
    byId("title").textContent = title(dark.info.name);
    byId("about").textContent = dark.info.about;
    document.title = `${dark.info.game} · Crabwise`;
    if (!state.id) await begin();
    else await look();
  }, trouble);
}

export function close() {
  drop("dark", "game");
  leave("solve");
  dark.key = null;
  show(byId("job"), false);
}

function trouble(error) {
  dark.busy = false;
  if (error.kind === "unsolved") return unsolved();
  if ([400, 404].includes(error.status) && state.id) return refused(error);
  return complain(byId("error"), error, () => {
    complain(byId("error"), null);
    open();
  });
}

/** The server does not go on with this game from here; there is always a new one. */
function refused(error) {
  complain(byId("error"), error);
  byId("error").append(h("button", { type: "button", onclick: () => anew({}) }, "New game"));
}

/** A new game: the server remembers it by a number for some time, and not after a restart. */
async function begin() {
  const { id } = await post("dark", "/api/dark", { game: state.game });
  // A search stays one, though somebody may find a strategy meanwhile.
  const rival = rivalOf(dark);
  commit({ id, line: [], at: 0, made: [], ...(rival !== "strategy" && { rival }) });
  dark.truth = false;
  await look();
}

/** Who plays the other: as chosen, or else the strategy where there is one or it is soon found. */
function rivalOf({ info }) {
  if (state.rival) return state.rival;
  return info?.solved || info?.plan?.quick ? "strategy" : "ismcts=2000";
}

async function look(line = state.line) {
  const { game, file, seat, id, odds } = state;
  const [rival, iterations] = rivalOf(dark).split("=");
  dark.busy = true;
  const thinking = setTimeout(() => {
    byId("words").textContent = "The other player thinks…";
  }, 200);
  const before = dark.position?.heard?.length ?? 0;
  const position = await get("dark", "/api/dark", {
    game,
    file,
    seat,
    rival,
    ...(iterations && { iterations }),
    id,
    line,
    odds: odds || "0",
  }).finally(() => clearTimeout(thinking));
  dark.busy = false;
  dark.position = position;
  commit({ line: position.line, at: position.line.length });
  complain(byId("error"), null);
  render();
  const news = (position.heard ?? []).slice(before).map((entry) => entry.text);
  announce([...news, position.words].join(" "));
}

/** No strategy yet: one is computed if that takes a moment, or offered. */
function unsolved() {
  const computing = panel(byId("job"), "solve", {
    order: { game: state.game, kind: "equilibrium", ...(state.file && { file: state.file }) },
    title: "No strategy yet",
    verb: "Compute one",
    done: () => {
      dark.info = null;
      open();
    },
  });
  renderSide();
  byId("words").textContent = "There is no strategy to play against yet.";
  const { job, plan } = dark.info;
  if (job && ["waiting", "running"].includes(job.state)) computing.follow(job);
  else if (!plan) computing.start(true);
  else if (plan.quick) computing.start(false);
  else
    computing.offer(plan, "You can play against a search meanwhile, or against random moves.");
}

function choose(move) {
  if (dark.busy || dark.position?.over) return;
  unlessStale(() => look([...state.line, move]), trouble);
}

function render() {
  const { position } = dark;
  renderBoard(position);
  byId("words").textContent = position.words;
  renderSide();
}

function renderBoard(position) {
  const board = byId("board");
  const others = byId("others");
  const active = document.activeElement;
  const focused =
    board.contains(active) || others.contains(active) ? (active.dataset?.choice ?? "") : null;
  // What has been chosen is gone: the next choice is looked for around it.
  const place = focused ? middle(active) : null;
  const options = {
    values: "hide",
    choose,
    targets: position.over ? [] : (position.moves ?? []).map((choice) => ({ choice, value: null })),
  };
  const told = dark.truth && position.truth ? position.truth : position;
  let missing = options.targets;
  if (position.drawn && told.drawing) {
    const picture = draw(told.drawing, options);
    paintOdds(picture.svg, position.odds);
    fill(board, picture.svg);
    missing = picture.missing;
  } else fill(board, h("pre", { class: "picture" }, told.picture));
  fill(
    others,
    missing.map((target) =>
      button({ ...target, label: chance(position.odds, target.choice) }, options),
    ),
  );
  const targets = targetsIn(board, others);
  const chosen = rove(targets, focused, place);
  if (focused !== null) (chosen ? focusOn(chosen, targets) : byId("dark-new").focus());
}

function chance(odds, move) {
  const known = (odds ?? []).find((entry) => entry.move === move);
  return known ? percent(known.probability) : null;
}

function percent(part) {
  if (part > 0 && part < 0.005) return "<1 %";
  return `${Math.round(part * 100)} %`;
}

/** The likelier the strategy would choose a move, the fuller its cell. */
function paintOdds(svg, odds) {
  for (const { move, probability } of odds ?? []) {
    const target = svg.querySelector(`[data-choice="${CSS.escape(move)}"]`);
    if (!target) continue;
    for (const face of target.querySelectorAll(".face")) {
      face.classList.add("odds");
      face.style.fillOpacity = String(0.05 + 0.75 * probability);
    }
    target.querySelector(".dot")?.remove();
    const said = `${move}: the strategy chooses it with ${percent(probability)}`;
    target.querySelector("title").textContent = said;
    target.append(
      s(
        "text",
        { x: target.dataset.x, y: target.dataset.y, class: "odds-text" },
        percent(probability),
      ),
    );
  }
}

function renderSide() {
  const { position, info } = dark;
  const begun = Boolean(position?.line.length) && !position?.over;
  const side = byId("dark-side");
  const focused = side.contains(document.activeElement) ? document.activeElement.id : "";
  fill(
    side,
    h(
      "div",
      { class: "row" },
      h(
        "label",
        { class: "field" },
        "You are ",
        select(
          { id: "seat", onchange: (event) => anew({ seat: event.target.value }) },
          [
            ["first", "first player"],
            ["second", "second player"],
          ],
          state.seat,
        ),
      ),
      h(
        "label",
        { class: "field" },
        "against ",
        select(
          { id: "rival", onchange: (event) => anew({ rival: event.target.value }) },
          [
            ["strategy", "the strategy"],
            ["ismcts=500", "a quick search"],
            ["ismcts=2000", "a search"],
            ["ismcts=20000", "a long search"],
            ["mc=2000", "random playouts"],
            ["pone", "certain wins only"],
            ["random", "random moves"],
          ],
          rivalOf(dark),
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { id: "dark-new", type: "button", onclick: () => anew({}) },
        begun ? "Give up, new game" : "New game",
      ),
      oddsSwitch(dark),
    ),
    strategyFacts(info),
    position ? heard(position) : null,
    position?.truth ? truth(position) : null,
  );
  if (focused) byId(focused)?.focus();
}

function anew(changes) {
  commit({ ...changes, id: "", line: [], at: 0 });
  dark.position = null;
  open();
}

function oddsSwitch({ position, info }) {
  if (!position || position.over || !(info?.solved || info?.plan)) return null;
  return h(
    "label",
    { class: "field" },
    h("input", {
      id: "odds",
      type: "checkbox",
      checked: state.odds === "1",
      onchange: (event) => {
        commit({ odds: event.target.checked ? "1" : "" });
        unlessStale(() => look(), trouble);
      },
    }),
    " show the strategy’s probabilities",
  );
}

function strategyFacts(info) {
  const { expected } = dark.position ?? {};
  const parts = [
    Number.isFinite(info?.value) && `The game is worth ${signed(info.value)} to the first player`,
    Number.isFinite(info?.exploitability) && exploited(info.exploitability),
    !dark.position?.over &&
      Number.isFinite(expected) &&
      `you can expect ${signed(expected)} from here`,
  ].filter(Boolean);
  return parts.length ? h("p", { class: "muted small" }, `${parts.join("; ")}.`) : null;
}

/** What is below rounding is nothing. */
function exploited(by) {
  return by < 1e-9
    ? "the strategy cannot be exploited"
    : `the strategy can be exploited by at most ${Number(by.toPrecision(2))}`;
}

function signed(number) {
  const text =
    Math.abs(number) >= 100 ? String(Math.round(number)) : String(Number(number.toFixed(4)));
  return number > 0 ? `+${text}` : text.replace("-", "−");
}

/** Your moves and what the referee said after each. */
function heard(position) {
  const entries = [];
  for (let after = 0; after <= position.line.length; after += 1) {
    if (after > 0)
      entries.push(
        h("li", { class: "own", "data-ply": after }, `You: ${position.line[after - 1]}`),
      );
    for (const entry of position.heard ?? []) {
      if (entry.after === after) entries.push(h("li", { class: "referee" }, entry.text));
    }
  }
  return [
    h("h2", {}, "Heard"),
    entries.length ? h("ol", { id: "heard" }, entries) : h("p", { class: "muted" }, "Nothing yet."),
  ];
}

function truth(position) {
  const payoff = Number.isFinite(position.payoff) ? `You get ${signed(position.payoff)}. ` : "";
  return [
    h("h2", {}, "What really happened"),
    h(
      "p",
      {},
      payoff,
      h(
        "button",
        {
          id: "truth",
          type: "button",
          "aria-pressed": String(dark.truth),
          onclick: () => {
            dark.truth = !dark.truth;
            render();
          },
        },
        dark.truth ? "Show what you saw" : "Show the true board",
      ),
    ),
    h(
      "ol",
      { id: "truth-line" },
      (position.truth.line ?? []).map((move) => h("li", {}, move)),
    ),
  ];
}
