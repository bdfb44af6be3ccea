// The graph of all positions of a small game, coloured by what they are worth to who moves there.

import { get, unlessStale } from "./api.js";
import { fill, h, problem, s, select } from "./dom.js";
import { download, fileName, svgText } from "./files.js";
import { arrow } from "./focus.js";
import { about, view, visit } from "./game.js";
import { panel } from "./jobs.js";
import { layered } from "./layout.js";
import { state } from "./state.js";
import { badge, valueName } from "./words.js";
import { zoomable } from "./zoom.js";

const RADIUS = 24;
/** On a narrow screen the letters are not drawn smaller than they are; the rest is panned to. */
const NARROW = 700;
/** With more positions than this, moves are lines without names, all of a kind in one; else the browser takes long. */
const CROWDED = 1000;

let home = null;
let graph = null;
/** What is drawn of a crowded graph: {graph, colouring, svg, drawn, places}. */
let crowd = null;
/** Whether the game was solved when its graph was asked for. */
let known = null;
let colouring = null;
/** Which part of which graph is looked at: a move does not change that. */
let lens = { graph: null, box: null };

export function open(place) {
  home = place;
  graph = null;
  fill(place, h("p", { class: "muted" }, "Drawing…"));
  load();
}

/** The graph is that of the game; a move only changes what is marked. */
export function moved() {
  if (graph && known === view.info?.solved) mark() || render();
  else if (home) load();
}

async function load() {
  const labels = colouring === "labels" ? "1" : "";
  known = view.info?.solved;
  await unlessStale(
    async () => {
      graph = await get("graph", "/api/graph", about({ labels }));
      colouring ??= graph.impartial ? "classes" : "values";
      render();
    },
    (error) => {
      graph = null;
      if (error.needs === "traps") return waitForTraps();
      const again = [400, 409, 413].includes(error.status) ? null : load;
      const advice = error.status === 413 && "A smaller size of this game can be drawn.";
      const line = h("p", { class: again ? "problem" : "" }, problem(error, again));
      return fill(home, line, advice && h("p", { class: "muted" }, advice));
    },
  );
}

/** Labels tell traps apart, which have to be worked out first. */
function waitForTraps() {
  const place = h("div");
  fill(home, place);
  const order = { kind: "traps", ...about() };
  panel(place, "graph", { order, title: "Working out the traps", verb: "Go on", done: load }).start(
    false,
  );
}

function render() {
  const { nodes, edges } = graph;
  const { places, width, height } = layered(nodes, edges);
  const now = currentNode(nodes);
  const { onPath, path } = perfectPath(now, edges);
  const svg = s("svg", {
    class: `graph by-${colouring}`,
    tabindex: "0",
    role: "group",
    "aria-label": `State graph with ${nodes.length} positions. Arrow keys move it, + and − zoom.`,
  });
  const drawn = nodes.map((node, i) => nodeOf(node, places[i], i === now, onPath.has(i)));
  crowd = nodes.length > CROWDED ? { graph, colouring, svg, drawn, places } : null;
  if (crowd) {
    for (const best of [false, true]) svg.append(movesOf(edges, places, best));
    svg.append(heavy(path), ...drawn);
  } else {
    svg.append(...edges.map((edge, i) => edgeOf(edge, places, path.has(i))), ...drawn);
  }
  svg.addEventListener("keydown", (event) => arrow(event, drawn));
  if (lens.graph !== graph) lens = { graph, box: firstBox(width, height, places[now]) };
  const buttons = zoomable(svg, width, height, lens.box);
  const focused = home.querySelector(".node:focus") !== null;
  const pick = select(
    {
      id: "colouring",
      "aria-label": "Colour by",
      onchange: (event) => recolour(event.target.value),
    },
    [
      ["values", "win, tie, loss"],
      ["classes", "N and P"],
      ["labels", "G, P and T labels"],
    ],
    colouring,
  );
  fill(
    home,
    h(
      "div",
      { class: "row" },
      h("label", { class: "field" }, "Colour by ", pick),
      h("span", { class: "grow" }),
      h("span", { class: "zooms" }, buttons),
      h(
        "button",
        {
          type: "button",
          onclick: () =>
            download(fileName(state.game, "graph", "svg"), "image/svg+xml", svgText(svg)),
        },
        "Save SVG",
      ),
    ),
    h("div", { class: "graph-frame" }, svg),
    h(
      "p",
      { class: "muted small" },
      `${nodes.length} positions, ${edges.length} moves. ` +
        "Heavy: perfect play from the position on the board. Click a position to go there.",
    ),
  );
  if (focused) drawn[now]?.focus();
}

/** Marks another position of a crowded graph that is drawn already; false if there is none. */
function mark() {
  if (crowd?.graph !== graph || crowd.colouring !== colouring || !crowd.svg.isConnected) return false;
  const now = currentNode(graph.nodes);
  const { onPath, path } = perfectPath(now, graph.edges);
  crowd.drawn.forEach((node, i) => {
    node.classList.toggle("now", i === now);
    node.classList.toggle("path", onPath.has(i));
    node.setAttribute("tabindex", i === now ? "0" : "-1");
  });
  crowd.svg.querySelector(".way").replaceWith(heavy(path));
  return true;
}

/** The moves of perfect play from the position. */
function heavy(path) {
  const edges = Array.from(path, (i) => edgeOf(graph.edges[i], crowd.places, true));
  return s("g", { class: "way" }, edges);
}

/** All moves, those of perfect play or the others, as one line. */
function movesOf(edges, places, best) {
  const wanted = edges.filter((edge) => Boolean(edge.best) === best && edge.from !== edge.to);
  const d = wanted.map(({ from, to }) => {
    const [[x1, y1], [x2, y2]] = [places[from], places[to]];
    if (y2 > y1) return `M${x1} ${y1}L${x2} ${y2}`;
    // A move and its return are two lines.
    return `M${x1} ${y1}Q${(x1 + x2) / 2 + 26} ${(y1 + y2) / 2} ${x2} ${y2}`;
  });
  const line = s("path", { d: d.join(""), class: best ? "edge best" : "edge" });
  // The more there are, the fainter each is, so that where many go is seen.
  line.style.opacity = String(Math.min(0.5, Math.max(0.06, 900 / edges.length)));
  return line;
}

/** What is seen at first: all of it, or on a narrow screen what is around the position. */
function firstBox(width, height, [x, y]) {
  const [w, h] = [home.clientWidth, Math.min(window.innerHeight * 0.7, 640)];
  const small = w < NARROW && (width > w || height > h);
  if (!small) return { x: 0, y: 0, w: width, h: height };
  const from = (at, seen, whole) => Math.max(0, Math.min(at - seen / 2, whole - seen));
  return { x: from(x, w, width), y: from(y, h, height), w, h };
}

function recolour(by) {
  colouring = by;
  // Labels come only when asked for.
  if (by === "labels" && !graph.nodes.some((node) => node.label)) load();
  else render();
}

function currentNode(nodes) {
  const at = nodes.findIndex((node) => node.position === view.position?.notation);
  return at >= 0 ? at : 0;
}

/** The first best move of each position in turn, until the end or a position met before. */
function perfectPath(start, edges) {
  const best = new Map();
  edges.forEach((edge, i) => {
    if (edge.best && !best.has(edge.from)) best.set(edge.from, i);
  });
  const onPath = new Set([start]);
  const path = new Set();
  for (let at = start; best.has(at);) {
    const edge = best.get(at);
    if (path.has(edge)) break;
    path.add(edge);
    at = edges[edge].to;
    onPath.add(at);
  }
  return { onPath, path };
}

function edgeOf(edge, places, heavy) {
  const [x1, y1] = places[edge.from];
  const [x2, y2] = places[edge.to];
  const title = s("title", {}, (edge.names ?? []).join(", "));
  const classes = `edge${edge.best ? " best" : ""}${heavy ? " heavy" : ""}`;
  if (edge.from === edge.to) {
    const [near, out] = [x1 + 12, x1 + 46];
    const d = `M${near} ${y1 - 16}C${out} ${y1 - 46} ${out} ${y1 + 46} ${near} ${y1 + 16}`;
    return s("path", { d, class: classes }, title);
  }
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const tip = [x2 - ux * RADIUS, y2 - uy * RADIUS];
  // Edges within a row or upwards bend, so that a move and its return are two lines.
  const bend = y2 > y1 ? 0 : 26;
  const [cx, cy] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
  const head =
    `${tip} ${tip[0] - ux * 8 - uy * 4},${tip[1] - uy * 8 + ux * 4} ` +
    `${tip[0] - ux * 8 + uy * 4},${tip[1] - uy * 8 - ux * 4}`;
  return s(
    "g",
    { class: classes },
    title,
    s("path", { d: `M${x1} ${y1}Q${cx} ${cy} ${tip}` }),
    s("polygon", { points: head }),
  );
}

function nodeOf(node, [x, y], now, onPath) {
  const kind = kindOf(node);
  const worth = colouring === "labels" ? (node.label ?? "") : valueName(node.value);
  const name = `${node.text || node.position}: ${worth}`;
  const text = colouring === "labels" && node.label ? node.label : (node.text ?? "");
  const sign = signOf(node);
  const letters = lettersOf(text, x, sign ? y - 6 : y);
  const go = () => visit(node.line ?? [], { push: true });
  return s(
    "g",
    {
      class: `node ${kind}${now ? " now" : ""}${onPath ? " path" : ""}`,
      role: "button",
      tabindex: now ? "0" : "-1",
      "data-position": node.position,
      "data-x": x,
      "data-y": y,
      onclick: go,
    },
    s("title", {}, name),
    s("circle", { cx: x, cy: y, r: RADIUS }),
    letters,
    sign ? s("text", { x, y: y + 13, class: "letters sign" }, sign) : null,
  );
}

/** A long text takes several lines: those that it has by its slashes, or halves. */
function lettersOf(text, x, y) {
  const lines = linesOf(text);
  const longest = Math.max(3, ...lines.map((line) => Array.from(line).length));
  const size = Math.min(12, 62 / longest, 26 / lines.length);
  const first = y - ((lines.length - 1) * size) / 2;
  const letters = s(
    "text",
    { class: "letters" },
    lines.map((line, i) => s("tspan", { x, y: first + i * size }, line)),
  );
  letters.setAttribute("font-size", String(size));
  return letters;
}

function linesOf(text) {
  const letters = Array.from(text);
  if (letters.length <= 6) return [text];
  if (text.includes("/")) return text.split("/");
  const half = Math.ceil(letters.length / 2);
  return [letters.slice(0, half).join(""), letters.slice(half).join("")];
}

/** What the colour says, in letters. */
function signOf(node) {
  if (colouring === "labels" || !node.value) return "";
  if (colouring === "classes") return { win: "N", loss: "P" }[node.value.outcome] ?? "";
  return badge(node.value);
}

/** The class that gives a node its colour. */
function kindOf(node) {
  const outcome = node.value?.outcome ?? "unknown";
  if (colouring === "classes") return { win: "class-n", loss: "class-p" }[outcome] ?? outcome;
  if (colouring === "labels")
    return `label-${(node.label ?? "").charAt(0).toLowerCase()} ${outcome}`;
  return outcome;
}
