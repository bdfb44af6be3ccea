// The tabs under the board. A tab asks the server for nothing until it is opened.

import * as analysis from "./analysis.js";
import * as boards from "./boards.js";
import { byId, fill, h, show as reveal } from "./dom.js";
import * as editor from "./editor.js";
import * as explore from "./explore.js";
import { view } from "./game.js";
import * as graph from "./graph.js";
import * as rules from "./rules.js";
import { commit, state } from "./state.js";

/** Each has `open(place)`, for when it is shown, and `moved()`, for when the position changes. */
const PANELS = { explore, analysis, graph, edit: editor, board: boards };

let shown = null;

/** The panels opened of one game, kept so that what is half-made in them is not lost. */
const rooms = { serial: null, places: new Map() };

function buttons() {
  return Array.from(byId("tablist").children);
}

/** Families that are texts which a person can write, and what their tab is called. */
const WRITTEN = { cycles: "Board", graph: "Your own", rules: "Rules" };

function family() {
  return state.game.split(":")[0];
}

export function hasBoards() {
  return Object.hasOwn(WRITTEN, family());
}

function panel(tab) {
  return tab === "board" && family() === "rules" ? rules : PANELS[tab];
}

function usable(tab) {
  if (tab === "edit") return Boolean(view.info?.editor);
  return tab !== "board" || hasBoards();
}

/** Opens the tab that the address names. */
export function show() {
  const tab = usable(state.tab) ? state.tab : "explore";
  shown = tab in PANELS ? tab : null;
  for (const button of buttons()) {
    const chosen = button.dataset.tab === shown;
    reveal(button, usable(button.dataset.tab));
    button.setAttribute("aria-selected", String(chosen));
    button.setAttribute("aria-controls", "panel");
    button.tabIndex = chosen || !shown ? 0 : -1;
  }
  byId("tab-board").textContent = WRITTEN[family()] ?? "";
  const place = byId("panel");
  reveal(place, shown !== null);
  if (!shown) return void fill(place);
  place.setAttribute("aria-labelledby", `tab-${shown}`);
  enter(place);
}

/** Shows the panel of the tab: as it was left, if it has been open since the game was. */
function enter(panel) {
  if (rooms.serial !== view.serial) rooms.places.clear();
  rooms.serial = view.serial;
  const known = rooms.places.get(shown);
  const place = known ?? h("div");
  rooms.places.set(shown, place);
  if (place.parentElement !== panel) fill(panel, place);
  if (known) panel(shown).moved();
  else panel(shown).open(place);
}

/** The position or a setting has changed. */
export function moved() {
  if (shown) panel(shown).moved();
}

export function listen() {
  byId("tablist").addEventListener("click", (event) => {
    const tab = event.target.closest("[data-tab]")?.dataset.tab;
    if (tab) choose(tab === shown ? "none" : tab);
  });
  byId("tablist").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const open = buttons().filter((button) => !button.hidden);
    const from = open.indexOf(document.activeElement);
    const next = open[(from + step + open.length) % open.length];
    choose(next.dataset.tab);
    next.focus();
  });
}

function choose(tab) {
  commit({ tab });
  show();
}
