// The board editor of the Game of Cycles: vertices and edges on a sheet, checked as they change.
//
// The sheet knows nothing of the rules; that edges cross or cells do not close is for the server
// to say. Its y goes downwards, that of the file upwards.

import { play, saving, sizeOf } from "./boards.js";
import { complain, fill, h, s } from "./dom.js";
import { view } from "./game.js";
import { state } from "./state.js";
import { sentence } from "./words.js";

const WIDTH = 24;
const HEIGHT = 15;
const RADIUS = 0.62;
const MODES = [
  ["add", "Add"],
  ["join", "Join"],
  ["move", "Move"],
  ["delete", "Delete"],
];
const SAID = {
  add: "Click the sheet to place a vertex; click two vertices to join them.",
  join: "Click one vertex, then another, to draw an edge; or drag from one to the other.",
  move: "Drag vertices.",
  delete: "Click what is to go.",
};

const TYPED =
  "Or type: “8 5” places a vertex there, “1 8 5” moves vertex 1, “1-2” joins or parts two, " +
  "“1” deletes it.";

/** Makes an editor; `check` tells what the server says about a board. */
export function canvas(check) {
  const sheet = new Sheet(check);
  sheet.begin();
  return sheet;
}

class Sheet {
  constructor(check) {
    this.check = check;
    this.vertices = [];
    this.edges = [];
    this.mode = "add";
    this.picked = null;
    this.dragged = null;
    this.undone = [];
    this.svg = s("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "sheet-board",
      tabindex: "0",
      role: "application",
      "aria-label": "Board editor",
    });
    this.svg.addEventListener("pointerdown", (event) => this.down(event));
    this.svg.addEventListener("pointermove", (event) => this.drag(event));
    this.svg.addEventListener("pointerup", (event) => this.up(event));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.tools = h("div", { class: "row", role: "group", "aria-label": "Tool" });
    this.how = h("p", { class: "muted small" });
    this.input = h("input", { size: 9, placeholder: "8 5", autocomplete: "off", title: TYPED });
    this.said = h("p", { class: "problem", role: "alert", hidden: true });
    this.fine = h("p", { class: "muted small", role: "status" });
    this.save = h("p", { class: "row small" });
    this.leaf = h("input", { type: "checkbox" });
    this.chord = h("input", { type: "checkbox" });
    this.play = h(
      "button",
      { id: "board-play", type: "button", class: "main", disabled: true },
      "Play this board",
    );
    this.root = h(
      "section",
      {},
      h("h3", {}, "Draw a board"),
      this.tools,
      this.how,
      this.typing(),
      this.svg,
      this.said,
      this.fine,
      this.save,
      h(
        "p",
        { class: "row" },
        this.play,
        h("label", { class: "field" }, this.leaf, " leaves may be sinks or sources"),
        h("label", { class: "field" }, this.chord, " every chordless cycle is a cell"),
      ),
    );
  }

  /** Starts from the board that is open, as far as it is known where its vertices are. */
  begin() {
    const start = fromFile(state.file) ?? fromDrawing(view.position?.drawing);
    if (start) Object.assign(this, start);
    this.render();
    this.look();
  }

  untouched() {
    return !this.vertices.length && !this.undone.length;
  }

  /** How much is drawn; what the server adds to that comes with its answer. */
  count(board = {}) {
    const { cells, moves } = board;
    const drawn = { vertices: this.vertices.length, edges: this.edges.length };
    this.fine.textContent = sizeOf({ ...drawn, cells, moves });
  }

  /** The board in the format of `.json` files. */
  text() {
    const tidy = (number) => Math.round(number * 1000) / 1000;
    const vertices = Object.fromEntries(
      this.vertices.map(({ name, x, y }) => [name, [tidy(x), tidy(HEIGHT - y)]]),
    );
    const edges = this.edges.map(([a, b]) => [this.vertices[a].name, this.vertices[b].name]);
    return JSON.stringify({ vertices, edges });
  }

  /** Asks the server about the board, a moment after the last change. */
  look() {
    clearTimeout(this.timer);
    this.play.disabled = true;
    this.count();
    fill(this.save, []);
    if (!this.edges.length) return void complain(this.said, null);
    this.timer = setTimeout(
      () =>
        this.check("json", this.text(), ({ board, error }) => {
          complain(this.said, error ? plainly(error) : null);
          this.count(board);
          fill(this.save, saving(board));
          this.play.disabled = !board;
          this.play.onclick = () =>
            play(
              board,
              (this.leaf.checked ? ",leaf-exempt" : "") + (this.chord.checked ? ",chordless" : ""),
            );
        }),
      250,
    );
  }

  remember() {
    this.undone.push([
      this.vertices.map((vertex) => ({ ...vertex })),
      this.edges.map((edge) => [...edge]),
    ]);
  }

  takeBack() {
    const before = this.undone.pop();
    if (!before) return;
    [this.vertices, this.edges] = before;
    this.changed();
  }

  changed() {
    this.render();
    this.look();
  }

  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      this.svg.getScreenCTM().inverse(),
    );
    return inside(at.x, at.y);
  }

  /** What is under a pointer: {vertex} or {edge} or neither. */
  under(event) {
    const [x, y] = this.point(event);
    const vertex = this.vertices.findIndex((v) => Math.hypot(v.x - x, v.y - y) < RADIUS * 1.5);
    if (vertex >= 0) return { vertex };
    const edge = this.edges.findIndex(
      ([a, b]) => far([x, y], this.vertices[a], this.vertices[b]) < 0.45,
    );
    return edge >= 0 ? { edge } : {};
  }

  down(event) {
    const { vertex, edge } = this.under(event);
    if (this.mode === "add" && vertex === undefined && edge === undefined) {
      this.remember();
      this.place(...this.point(event));
      this.changed();
    } else if (this.mode === "delete") this.remove(vertex, edge);
    else if (this.mode === "move" && vertex !== undefined) {
      this.remember();
      this.dragged = vertex;
      this.svg.setPointerCapture(event.pointerId);
    } else if (this.mode === "join" || (this.mode === "add" && vertex !== undefined))
      this.pick(vertex);
  }

  /** Picks one end of an edge, then the other. */
  pick(vertex) {
    if (vertex === undefined || vertex === this.picked) this.picked = null;
    else if (this.picked === null) this.picked = vertex;
    else {
      this.join(this.picked, vertex);
      this.picked = null;
    }
    this.render();
  }

  drag(event) {
    if (this.dragged === null) return;
    [this.vertices[this.dragged].x, this.vertices[this.dragged].y] = this.point(event);
    this.render();
  }

  up(event) {
    if (this.dragged !== null) {
      this.dragged = null;
      this.changed();
    } else if (this.picked !== null) {
      const { vertex } = this.under(event);
      if (vertex !== undefined && vertex !== this.picked) this.pick(vertex);
    }
  }

  key(event) {
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.takeBack();
    else if (event.key === "Escape") this.pick(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  place(x, y) {
    const taken = new Set(this.vertices.map((vertex) => vertex.name));
    let name = 1;
    while (taken.has(String(name))) name += 1;
    this.vertices.push({ name: String(name), x, y });
  }

  /** Joins two vertices, or parts them. */
  join(a, b) {
    const same = ([c, d]) => (c === a && d === b) || (c === b && d === a);
    const edge = this.edges.findIndex(same);
    if (edge >= 0) return this.remove(undefined, edge);
    this.remember();
    this.edges.push([a, b]);
    return this.changed();
  }

  remove(vertex, edge) {
    if (vertex === undefined && edge === undefined) return;
    this.remember();
    if (edge !== undefined) this.edges.splice(edge, 1);
    else {
      this.vertices.splice(vertex, 1);
      const shift = (v) => (v > vertex ? v - 1 : v);
      this.edges = this.edges
        .filter((ends) => !ends.includes(vertex))
        .map((ends) => ends.map(shift));
    }
    this.changed();
  }

  render() {
    fill(
      this.tools,
      MODES.map(([mode, text]) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(mode === this.mode),
            onclick: () => {
              this.mode = mode;
              this.picked = null;
              this.render();
            },
          },
          text,
        ),
      ),
      h(
        "button",
        { type: "button", disabled: !this.undone.length, onclick: () => this.takeBack() },
        "Undo",
      ),
      h(
        "button",
        {
          type: "button",
          disabled: !this.vertices.length,
          onclick: () => {
            this.remember();
            [this.vertices, this.edges] = [[], []];
            this.changed();
          },
        },
        "Clear",
      ),
    );
    this.how.textContent = SAID[this.mode];
    fill(
      this.svg,
      this.edges.map(([a, b]) =>
        s("line", {
          x1: this.vertices[a].x,
          y1: this.vertices[a].y,
          x2: this.vertices[b].x,
          y2: this.vertices[b].y,
          class: "draft-edge",
        }),
      ),
      this.vertices.map((vertex, i) =>
        s(
          "g",
          { class: `draft-vertex${i === this.picked ? " picked" : ""}` },
          s("circle", { cx: vertex.x, cy: vertex.y, r: RADIUS }),
          s("text", { x: vertex.x, y: vertex.y }, vertex.name),
        ),
      ),
    );
  }

  /** All of it by typing instead of pointing. */
  typing() {
    const put = (event) => {
      event.preventDefault();
      this.typed(this.input.value.trim());
      this.input.value = "";
    };
    return h(
      "form",
      { class: "typing", onsubmit: put },
      h(
        "p",
        { class: "row" },
        h("label", { class: "field" }, "Coordinates ", this.input),
        h("button", { type: "submit" }, "Put"),
      ),
      h("p", { class: "muted small" }, TYPED),
    );
  }

  typed(text) {
    const named = (name) => this.vertices.findIndex((vertex) => vertex.name === name.trim());
    const [a, b] = text.split("-").map(named);
    const words = text.split(/[\s,]+/);
    const [x, y] = words.slice(-2).map(Number);
    const placed = words.length > 1 && Number.isFinite(x) && Number.isFinite(y);
    if (a >= 0 && b >= 0) this.join(a, b);
    else if (a >= 0 && words.length === 1) this.remove(a);
    else if (placed && words.length === 2) {
      this.remember();
      this.place(...inside(x, HEIGHT - y));
      this.changed();
    } else if (placed && named(words[0]) >= 0) {
      this.remember();
      const vertex = this.vertices[named(words[0])];
      [vertex.x, vertex.y] = inside(x, HEIGHT - y);
      this.changed();
    }
  }
}

/** What is wrong with a drawing, which to who draws is no text. */
function plainly({ message }) {
  return sentence(message.replace(/^this text[:,] /, ""));
}

function inside(x, y) {
  const within = (value, most) => Math.min(Math.max(value, RADIUS), most - RADIUS);
  return [within(x, WIDTH), within(y, HEIGHT)];
}

/** How far a point is from a stretch between two vertices. */
function far([x, y], a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = Math.max(
    0,
    Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)),
  );
  return Math.hypot(x - a.x - along * dx, y - a.y - along * dy);
}

/** The board of a file that says where its vertices are, fitted to the sheet; or null. */
function fromFile(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  const places = read?.vertices;
  if (!places || Array.isArray(places) || !Array.isArray(read.edges)) return null;
  const all = Object.entries(places).filter(([, at]) => Array.isArray(at) && at.length === 2);
  const at = new Map(all.map(([name], i) => [name, i]));
  const edges = read.edges
    .map((ends) => ends.map((name) => at.get(String(name))))
    .filter((ends) => ends.length === 2 && ends.every((end) => end !== undefined));
  return { vertices: fitted(all.map(([name, [x, y]]) => ({ name, x, y: -y }))), edges };
}

/** The board of a drawing: discs with a text on them are vertices, lines between them edges. */
function fromDrawing(drawing) {
  if (!drawing || !state.game.startsWith("cycles")) return null;
  const discs = drawing.shapes.filter((shape) => shape.form === "disc");
  const texts = drawing.shapes.filter((shape) => shape.form === "text");
  const near = ([x, y], list) =>
    list.reduce(
      (best, other, i) => {
        const apart = Math.hypot(other.at[0] - x, other.at[1] - y);
        return apart < best.apart ? { i, apart } : best;
      },
      { i: -1, apart: Infinity },
    );
  const vertices = discs.map((disc) => {
    const { i, apart } = near(disc.at, texts);
    return { name: apart < 0.5 ? texts[i].text : "", x: disc.at[0], y: disc.at[1] };
  });
  if (!vertices.length || vertices.some((vertex) => !vertex.name)) return null;
  const edges = drawing.shapes
    .filter((shape) => shape.form === "line" && ["board", "played"].includes(shape.tone))
    .map((line) => [near(line.from, discs), near(line.to, discs)])
    .filter(([a, b]) => a.i !== b.i && a.apart < 2 && b.apart < 2)
    .map(([a, b]) => [a.i, b.i]);
  return { vertices: fitted(vertices), edges };
}

function fitted(vertices) {
  if (!vertices.length) return vertices;
  const range = (key) => [
    Math.min(...vertices.map((v) => v[key])),
    Math.max(...vertices.map((v) => v[key])),
  ];
  const [[left, right], [top, bottom]] = [range("x"), range("y")];
  const scale = Math.min((WIDTH - 4) / (right - left || 1), (HEIGHT - 4) / (bottom - top || 1));
  return vertices.map(({ name, x, y }) => ({
    name,
    x: WIDTH / 2 + (x - (left + right) / 2) * scale,
    y: HEIGHT / 2 + (y - (top + bottom) / 2) * scale,
  }));
}
