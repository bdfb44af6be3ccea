// The address holds the whole state: reloading, sharing and the back button need nothing else.
//
// `line` is every move known, `at` how many of them have been made; the others can be redone.
// `made` are the decisions of a turn that is not finished. Settings replace the address and moves
// push a new one, so that "back" takes back a move and not a switch.

const DEFAULTS = {
  game: "",
  file: "",
  line: [],
  at: 0,
  made: [],
  first: "human",
  second: "human",
  name1: "",
  name2: "",
  values: "show",
  tab: "explore",
  labels: "",
  with: [],
  seat: "first",
  rival: "",
  id: "",
  odds: "",
};
const LISTS = ["line", "made"];
const PLAYERS = ["human", "perfect", "random", "trappy", "horizon=2", "horizon=4", "horizon=6", "horizon=8"];
/** In the dark; "" is the strategy where there is one or it is soon found, else a search. */
const RIVALS = ["", "strategy", "ismcts=500", "ismcts=2000", "ismcts=20000", "mc=2000", "pone", "random"];
const CHOICES = {
  first: PLAYERS,
  second: PLAYERS,
  values: ["show", "hover", "hide"],
  tab: ["explore", "analysis", "graph", "edit", "board", "none"],
  seat: ["first", "second"],
  rival: RIVALS,
};

export const state = fresh();

export function fresh() {
  return { ...DEFAULTS, line: [], made: [], with: [] };
}

/** What an address says. Whatever it says wrongly is as if it said nothing. */
export function read(search) {
  const query = new URLSearchParams(search);
  const found = fresh();
  for (const key of Object.keys(DEFAULTS)) {
    const text = query.get(key);
    if (text === null) continue;
    if (key === "with") found.with = query.getAll("with").slice(0, 2);
    else if (LISTS.includes(key)) found[key] = text.split(" ").filter(Boolean);
    else if (key !== "at" && (!CHOICES[key] || CHOICES[key].includes(text))) found[key] = text;
  }
  const at = Number.parseInt(query.get("at") ?? "", 10);
  found.at = at >= 0 && at <= found.line.length ? at : found.line.length;
  return found;
}

/** The address of a state, without what is as usual. */
export function address(from = state) {
  const parts = [];
  for (const [key, usual] of Object.entries(DEFAULTS)) {
    const value = from[key];
    if (key === "with") parts.push(...value.map((game) => `with=${escaped(game)}`));
    else if (LISTS.includes(key)) {
      if (value.length) parts.push(`${key}=${escaped(value.join(" "))}`);
    } else if (key === "at") {
      if (value < from.line.length) parts.push(`at=${value}`);
    } else if (value !== usual) parts.push(`${key}=${escaped(value)}`);
  }
  return parts.length ? `/?${parts.join("&")}` : "/";
}

/** Percent signs only where they are needed, so that an address can be read. */
function escaped(text) {
  return encodeURIComponent(text)
    .replace(/%20/g, "+")
    .replace(/%3A/g, ":")
    .replace(/%2C/g, ",")
    .replace(/%2F/g, "/")
    .replace(/%5B/g, "[")
    .replace(/%5D/g, "]");
}

/** Changes the state and the address. With `push` the address before it can be gone back to. */
export function commit(changes, push = false) {
  Object.assign(state, changes);
  const next = address();
  if (next === location.pathname + location.search) return;
  if (push) history.pushState(null, "", next);
  else history.replaceState(null, "", next);
}

/** Takes the state from the address: at the start and when the person goes back. */
export function restore() {
  Object.assign(state, read(location.search));
}

export function names() {
  return { first: state.name1.trim(), second: state.name2.trim() };
}
