// What things are called. Values are always for whoever moves, or makes the move.

export const GLYPHS = { win: "✓", tie: "=", draw: "∞", loss: "✗" };
export const OUTCOMES = ["win", "tie", "draw", "loss"];

const VERBS = { win: "wins", tie: "ties", draw: "draws", loss: "loses" };

/** Names of games that are not simply their words with capitals. */
const TITLES = {
  tictactoe: "Tic-tac-toe",
  mnk: "M,n,k-game",
  "dots-and-boxes": "Dots and Boxes",
  cycles: "Game of Cycles",
  graph: "State graph",
  "black-hole": "Black Hole: Escape",
  dawson: "Dawson's Kayles",
  "pong-hau-ki": "Pong Hau K'i",
  "fox-and-hounds": "Fox and Hounds",
  "l-game": "L-game",
  "phantom-tictactoe": "Phantom tic-tac-toe",
  kuhn: "Kuhn poker",
  leduc: "Leduc hold'em",
  "liars-dice": "Liar's Dice",
  "rock-paper-scissors": "Rock–paper–scissors",
};

/** "connect-four" as a title. */
export function title(name) {
  if (Object.hasOwn(TITLES, name)) return TITLES[name];
  const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
  return name.split("-").map(capital).join(" ");
}

/** "wins in 5". */
export function doing(value) {
  if (!value) return "";
  const verb = VERBS[value.outcome] ?? value.outcome;
  return timed(value) ? `${verb} in ${value.remoteness}` : verb;
}

/** "win in 5". */
export function valueName(value) {
  if (!value) return "unknown";
  return timed(value) ? `${value.outcome} in ${value.remoteness}` : value.outcome;
}

/** "✓5": short enough for a cell. */
export function badge(value) {
  if (!value) return "";
  return (GLYPHS[value.outcome] ?? "?") + (timed(value) ? value.remoteness : "");
}

function timed(value) {
  return value.outcome !== "draw" && Number.isFinite(value.remoteness);
}

/** Orders values from best to worst for whoever makes the move: win soon, lose late. */
export function rank(value) {
  if (!value) return 1e9;
  const far = value.remoteness ?? 0;
  if (value.outcome === "win") return far;
  if (value.outcome === "loss") return 3e6 - far;
  return value.outcome === "tie" ? 1e6 + far : 2e6;
}

/** A text of the server with the players' own names. */
export function named(text, names) {
  let out = text ?? "";
  if (names.first) out = renamed(out, "first", names.first);
  if (names.second) out = renamed(out, "second", names.second);
  return out;
}

function renamed(text, seat, name) {
  return text.replace(new RegExp(`\\b(?:the )?${seat} player\\b`, "gi"), () => name);
}

export function playerName(seat, names) {
  return names[seat] || (seat === "first" ? "First player" : "Second player");
}

/** What is no sentence yet, with a capital and a full stop. */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}

/** 12,345. */
export function count(number) {
  return Number.isFinite(number) ? Math.round(number).toLocaleString("en") : "–";
}

/** "3.9 million". */
export function about(number) {
  if (!Number.isFinite(number)) return "–";
  for (const [size, word] of [
    [1e12, "trillion"],
    [1e9, "billion"],
    [1e6, "million"],
  ]) {
    if (number >= size) return `${round(number / size)} ${word}`;
  }
  return count(number);
}

export function bytes(number) {
  if (!Number.isFinite(number)) return "an unknown amount of memory";
  for (const [size, unit] of [
    [2 ** 40, "TiB"],
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
  ]) {
    if (number >= size) return `${round(number / size)} ${unit}`;
  }
  return `${number} bytes`;
}

export function span(seconds) {
  if (!Number.isFinite(seconds)) return "an unknown time";
  if (seconds < 1) return "less than a second";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

function round(number) {
  return number >= 10 ? String(Math.round(number)) : number.toFixed(1).replace(/\.0$/, "");
}
