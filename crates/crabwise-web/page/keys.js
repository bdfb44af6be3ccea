// Keys that work anywhere on the page but in fields, and the switch between themes.

import { byId } from "./dom.js";
import { targetsIn } from "./focus.js";
import * as game from "./game.js";
import * as play from "./play.js";
import { state } from "./state.js";

const THEMES = ["auto", "light", "dark"];
const VALUES = ["show", "hover", "hide"];

const ACTIONS = {
  u: game.undo,
  r: game.redo,
  h: game.hint,
  n: game.restart,
  p: play.toggle,
  v: () => game.setValues(VALUES[(VALUES.indexOf(state.values) + 1) % VALUES.length]),
};

export function listen() {
  document.addEventListener("keydown", onKey);
  byId("help").addEventListener("click", () => byId("help-dialog").showModal());
  byId("theme").addEventListener("click", () =>
    setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % 3]),
  );
  setTheme(theme());
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || byId("help-dialog").open) return;
  if (event.key === "Escape" && byId("game").dataset.mode === "open") return void game.backOut();
  if (event.target.closest?.("input, textarea, select")) return;
  if (event.key === "?") return byId("help-dialog").showModal();
  if (byId("game").hidden) return undefined;
  if (event.key === "b") return focusBoard(event);
  if (byId("game").dataset.mode === "open") ACTIONS[event.key]?.();
  return undefined;
}

function focusBoard(event) {
  event.preventDefault();
  targetsIn(byId("board"), byId("others"))
    .find((target) => target.tabIndex === 0)
    ?.focus();
}

function theme() {
  return document.documentElement.dataset.theme ?? "auto";
}

function setTheme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  byId("theme").textContent = `Theme: ${name}`;
  try {
    if (name === "auto") localStorage.removeItem("theme");
    else localStorage.setItem("theme", name);
  } catch {
    // Storage may be forbidden; then the choice lasts as long as the page.
  }
}
