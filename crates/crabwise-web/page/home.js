// All games, those worth showing to a friend first.

import { get, unlessStale } from "./api.js";
import { byId, complain, fill, h, s, show } from "./dom.js";
import { ICONS } from "./icons.js";
import { address, fresh } from "./state.js";
import { title } from "./words.js";

/** In the order of their cards. */
const SHOWCASE = Object.keys(ICONS);

let games = null;
let asked = null;

/** The list of games; the server is asked for it once. */
export function list() {
  asked ??= ask();
  return asked;
}

async function ask() {
  try {
    games = (await get("games", "/api/games")).games;
    return games;
  } catch (error) {
    asked = null;
    throw error;
  }
}

export async function open() {
  document.title = "Crabwise";
  await unlessStale(
    async () => {
      await list();
      complain(byId("home-error"), null);
      render();
    },
    (error) => complain(byId("home-error"), error, open),
  );
}

function render() {
  const wanted = byId("search").value.trim().toLowerCase();
  const place = (game) => {
    const at = SHOWCASE.indexOf(game.name);
    return at < 0 ? SHOWCASE.length : at;
  };
  const text = ({ name, about }) => `${name} ${title(name)} ${about}`.toLowerCase();
  const shown = games
    .filter((game) => text(game).includes(wanted))
    .sort((a, b) => place(a) - place(b));
  fill(byId("cards"), shown.map(card));
  show(byId("no-cards"), shown.length === 0);
}

function card(game) {
  const to = { ...fresh(), game: game.opening || game.example || game.name };
  return h(
    "li",
    { class: SHOWCASE.includes(game.name) ? "showcased" : null },
    h(
      "a",
      { href: address(to), class: "card", "data-game": game.name },
      icon(ICONS[game.name]),
      h("span", { class: "card-name" }, title(game.name)),
      game.hidden ? h("span", { class: "tag" }, "hidden") : null,
      h("span", { class: "card-about" }, game.about),
    ),
  );
}

function icon(shapes) {
  if (!shapes) return null;
  return h(
    "span",
    { class: "card-icon", "aria-hidden": "true" },
    s(
      "svg",
      { viewBox: "0 0 48 48" },
      shapes.map(([tag, attributes]) => s(tag, attributes)),
    ),
  );
}

export function listen() {
  byId("search").addEventListener("input", () => games && render());
}
