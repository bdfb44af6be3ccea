// Where everything begins: the address decides which view is shown.

import { onOutage, unlessStale } from "./api.js";
import * as dark from "./dark.js";
import { byId, fill, h, select, show } from "./dom.js";
import * as game from "./game.js";
import * as home from "./home.js";
import * as keys from "./keys.js";
import { address, commit, fresh, restore, state } from "./state.js";
import * as tabs from "./tabs.js";
import { title } from "./words.js";

let mode = null;
let known = null;
let routes = 0;

/**
 * Whether a game is hidden is told by an address that has the number of one in it, or else by the
 * list of games: a position of a hidden game would be refused. Without that list it is asked for
 * as if it were open, and the first answer about the game corrects that.
 */
async function route() {
  routes += 1;
  const mine = routes;
  if (!state.game) return become("home");
  const name = state.game.split(":")[0];
  byId("game-string").value = state.game;
  byId("title").textContent = title(name);
  byId("game").dataset.family = name;
  const offered = offerSizes();
  if (!state.id && !known) {
    leave("waiting");
    await offered;
    if (mine !== routes) return undefined;
  }
  return become(state.id || family()?.hidden ? "dark" : "open");
}

function family() {
  return known?.find((one) => one.name === state.game.split(":")[0]);
}

/** Leaves what is shown, and lays out the page for what is next. */
function leave(next) {
  if (mode === "open" && next !== "open") game.close();
  if (mode === "dark" && next !== "dark") dark.close();
  mode = next;
  show(byId("home"), next === "home");
  show(byId("game"), next !== "home");
  byId("game").dataset.mode = next;
  for (const id of ["players", "past", "moves-bar", "tabs", "copy-command"])
    show(byId(id), next === "open" || next === "waiting");
  show(byId("dark-side"), next === "dark");
  if (next === "waiting") byId("game").classList.add("unknown");
}

function become(next, info) {
  leave(next);
  if (next === "home") home.open();
  else if (next === "dark") dark.open(info);
  else game.open((found) => become("dark", found));
}

/** The sizes worth offering, and the one that is open if it is another. */
export async function offerSizes() {
  await unlessStale(
    async () => {
      known = await home.list();
      const { opening, sizes: others = [], parameters = "" } = family() ?? {};
      const sizes = Array.from(new Set([opening, ...others, state.game].filter(Boolean)));
      const pick = select(
        { id: "sizes", onchange: (event) => openGame(event.target.value) },
        sizes.map((size) => [size, shortened(size)]),
        state.game,
      );
      byId("sizes").replaceWith(pick);
      show(pick.parentElement, sizes.length > 1);
      byId("game-string").title = parameters;
    },
    () => {},
  );
}

function shortened(size) {
  const text = size.includes(":") ? size.slice(size.indexOf(":") + 1) : size;
  return text.length > 22 ? `${text.slice(0, 21)}…` : text;
}

/** Opens another game with the same players and settings. */
export function openGame(name, file = "") {
  const { first, second, name1, name2, values, tab, seat, rival } = state;
  const next = {
    ...fresh(),
    first,
    second,
    name1,
    name2,
    values,
    tab,
    seat,
    rival,
    game: name,
    file,
  };
  byId("about").textContent = "\u00a0";
  commit(next, true);
  route();
}

function listen() {
  window.addEventListener("popstate", () => {
    restore();
    route();
  });
  // Links within the page change the address without loading it again.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (!link || !plain || link.origin !== location.origin || link.pathname !== "/" || link.hash)
      return;
    if (link.hasAttribute("download") || link.target) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    restore();
    byId("about").textContent = "\u00a0";
    window.scrollTo(0, 0);
    route();
  });
  byId("open").addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = byId("game-string").value.trim();
    if (wanted) openGame(wanted);
  });
  byId("copy-link").addEventListener("click", () =>
    copy(location.origin + address(), "Link copied."),
  );
  byId("copy-command").addEventListener("click", () =>
    copy(game.view.position?.command ?? game.view.info?.command ?? "", "Command copied."),
  );
  onOutage((failing) => show(byId("offline"), failing));
  for (const part of [home, game, tabs, dark, keys]) part.listen();
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = done;
  } catch {
    // Without leave to use the clipboard the text is offered to be copied by hand.
    fill(byId("copied"), h("input", { value: text, readonly: true, "aria-label": "Copy this" }));
    byId("copied").querySelector("input").select();
    return;
  }
  setTimeout(() => fill(byId("copied")), 2500);
}

restore();
listen();
route();
