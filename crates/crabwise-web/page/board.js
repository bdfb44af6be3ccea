// A drawing of the server as SVG, with the moves that can be made now as targets in front of it.
//
// A target is one group for one choice, however many shapes have its name: a place to click on that
// is at least as large as the shape, a face in the colour of the value, and a badge that says the
// same without colour. The drawing behind it never depends on values.

import { s } from "./dom.js";
import { badge, doing } from "./words.js";

/** Pixels that a letter may be high at most; a small board does not fill a large screen. */
const LARGEST_UNIT = 44;
/** Pixels that a badge is high at least, where its cell has room for it. */
const SMALLEST_BADGE = 11;
/** Pixels that a coordinate is high at most. */
const LARGEST_LABEL = 15;
/** Tones of the ways that may lie side by side: those that can be chosen and those that are barred. */
const BESIDE = ["move", "gone"];
/** The least radius of a place to click on, in letters. */
const REACH = 0.9;

/**
 * targets: [{choice, value, label}]. values: "show", "hover" or "hide". hint: a choice to point at. made: the last
 * decision of a turn that is not finished.
 * Returns the picture and the targets that have no place in it.
 */
export function draw(
  drawing,
  { targets = [], made = null, values = "hide", hint = null, choose = null } = {},
) {
  const { width, height } = drawing;
  const shapes = drawing.shapes ?? [];
  const places = byName(shapes);
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: `drawing values-${values}`,
    role: "group",
  });
  svg.style.maxWidth = `${Math.round(width * LARGEST_UNIT)}px`;
  svg.style.setProperty("--ratio", String(width / Math.max(height, 0.01)));
  const unit = unitOf(width, height);
  svg.style.setProperty("--label", `${Math.min(0.8, LARGEST_LABEL / unit)}px`);
  const wanted = new Set(targets.map((target) => target.choice));
  for (const shape of shapes) {
    if (shape.tone === "move") continue;
    svg.append(shapeOf(halved(shape, shapes), wanted.has(shape.name), under(shape, shapes)));
  }
  for (const face of facesOf(places.get(made) ?? [])) {
    svg.append(formOf(inset(face), `made ${face.form}`));
  }
  const missing = [];
  for (const target of targets) {
    const own = places.get(target.choice);
    const near = own?.map((shape) => halved(shape, shapes));
    if (own) svg.append(targetOf(target, near, shapes, { values, hint, choose, unit }));
    else missing.push(target);
  }
  return { svg, missing };
}

/** About how many pixels a unit of a board of this size takes, as the style sheet sizes boards. */
function unitOf(width, height) {
  const across = Math.min(window.innerWidth - 52, 760);
  const down = Math.min(window.innerHeight * 0.6, 560);
  return Math.min(LARGEST_UNIT, across / width, down / Math.max(height, 0.01));
}

function byName(shapes) {
  const places = new Map();
  for (const shape of shapes) {
    if (shape.name === null || shape.name === undefined || shape.tone === "last") continue;
    if (!places.has(shape.name)) places.set(shape.name, []);
    places.get(shape.name).push(shape);
  }
  return places;
}

/** The tone of the disc that a text stands on, which decides in which ink it is written. */
function under(shape, shapes) {
  if (shape.form !== "text") return "";
  const on = ({ form, at, radius }) =>
    form === "disc" && Math.hypot(at[0] - shape.at[0], at[1] - shape.at[1]) < radius / 2;
  const disc = shapes.findLast((other) => other.tone !== "last" && on(other));
  return disc ? ` on-${disc.tone}` : "";
}

function shapeOf(shape, wanted, on) {
  const element = formOf(shape, `shape ${shape.form} ${shape.tone}${on}`);
  if (shape.title && !wanted) element.append(s("title", {}, shape.title));
  return element;
}

/**
 * Where a way and the way back lie side by side, each is drawn only in the half that it ends in: so
 * pointing at an end is choosing to go there.
 */
function halved(shape, shapes) {
  if (shape.form !== "line" || !BESIDE.includes(shape.tone) || !shape.arrow) return shape;
  const near = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) < 1.6;
  const back = shapes.some(
    (other) =>
      other !== shape &&
      other.form === "line" &&
      BESIDE.includes(other.tone) &&
      near(other.from, shape.to) &&
      near(other.to, shape.from),
  );
  if (!back) return shape;
  const { from, to } = shape;
  return {
    ...shape,
    from: [from[0] * 0.46 + to[0] * 0.54, from[1] * 0.46 + to[1] * 0.54],
    half: true,
  };
}

/** The bare form, in the given classes. */
export function formOf(shape, classes) {
  switch (shape.form) {
    case "area":
      return s("polygon", {
        points: shape.points.map((p) => p.join(",")).join(" "),
        class: classes,
      });
    case "line":
      return lineOf(shape, classes);
    case "disc":
      return s("circle", { cx: shape.at[0], cy: shape.at[1], r: shape.radius, class: classes });
    case "text":
      return s("text", { x: shape.at[0], y: shape.at[1], class: classes }, shape.text);
    default:
      return s("g");
  }
}

function lineOf({ from, to, arrow }, classes) {
  if (!arrow) return s("g", { class: classes }, stroke(from, to));
  const tip = 0.95;
  const [x, y] = towards(from, to);
  const base = [to[0] - x * tip, to[1] - y * tip];
  const head = [
    to,
    [base[0] - y * 0.42, base[1] + x * 0.42],
    [base[0] + y * 0.42, base[1] - x * 0.42],
  ];
  const points = head.map((p) => p.join(",")).join(" ");
  return s("g", { class: classes }, stroke(from, base), s("polygon", { points, class: "tip" }));
}

function stroke(from, to, classes = "shaft") {
  return s("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: classes });
}

/** The direction of a line as a vector of length one. */
function towards(from, to) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

function targetOf(target, own, shapes, { values, hint, choose, unit }) {
  const { choice, value } = target;
  const told = values === "hide" && choice !== hint ? null : value;
  const faces = facesOf(own);
  const spot = spotOf(faces, shapes, SMALLEST_BADGE / unit);
  const group = s("g", {
    class: `target ${told ? told.outcome : "plain"}${choice === hint ? " hinted" : ""}`,
    role: "button",
    tabindex: "-1",
    "data-choice": choice,
    "data-outcome": told?.outcome,
    "data-remoteness": told?.remoteness,
    "data-x": spot.at[0],
    "data-y": spot.at[1],
  });
  // The name for those who do not see it, too.
  group.append(s("title", {}, spoken(target, told)));
  for (const face of faces) group.append(formOf(inset(face), `face ${face.form}`));
  if (faces.every((face) => face.tone !== "move" || face.form === "area")) {
    group.append(s("circle", { cx: spot.at[0], cy: spot.at[1], r: spot.size * 0.3, class: "dot" }));
  }
  const text = told ? badge(told) + (target.label ? ` ${target.label}` : "") : (target.label ?? "");
  if (text) group.append(pill(text, spot));
  for (const shape of own) group.append(...hitsOf(shape));
  if (choose) group.addEventListener("click", () => choose(choice));
  return group;
}

/** "b2: wins in 5". */
export function spoken({ choice, label }, value) {
  const name = label ? `${choice}, ${label}` : choice;
  return value ? `${name}: ${doing(value)}` : name;
}

/** The shapes that take the colour: cells rather than what stands on them. */
function facesOf(own) {
  for (const form of ["area", "line", "disc"]) {
    const found = own.filter((shape) => shape.form === form);
    if (found.length) return found;
  }
  return own
    .slice(0, 1)
    .map((shape) => ({ form: "disc", tone: "move", at: shape.at, radius: REACH }));
}

/** An area drawn in a little, so that the outlines of neighbours do not lie on each other. */
function inset(face) {
  if (face.form !== "area") return face;
  const { at, width, height } = boxOf(face);
  const by = 1 - Math.min(0.3, 0.26 / Math.max(0.1, Math.min(width, height)));
  const points = face.points.map(([x, y]) => [at[0] + (x - at[0]) * by, at[1] + (y - at[1]) * by]);
  return { ...face, points };
}

/** Where the badge goes and how large it may be: not below `least`, unless its cell is small. */
function spotOf(faces, shapes, least) {
  const free =
    faces.find((face) => face.tone === "move") ??
    faces.find((face) => !covered(face, shapes)) ??
    faces[0];
  if (free.form === "line") return spotOnLine(free, Math.max(0.64, Math.min(least, 1)));
  const { at, width, height } = boxOf(free);
  const side = Math.min(width, height);
  const usual = Math.min(0.8, Math.max(0.5, side * 0.22));
  const size = Math.max(usual, Math.min(least, side * 0.3));
  // What is dropped into a column comes from above.
  if (height > width * 1.5) return { at: [at[0], at[1] - height / 2 + width / 2], size };
  // A badge below the middle, so that what stands there is seen.
  const aside = free.form === "disc" ? height * 0.4 : height / 2 - size * 0.8;
  return { at: covered(free, shapes) ? [at[0], at[1] + aside] : at, size };
}

function spotOnLine({ from, to, arrow, half }, size) {
  if (!arrow) return { at: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], size };
  const [x, y] = towards(from, to);
  // At the tail, so that the tip is seen; to the right where there is a way back with its own.
  const [tail, aside] = half ? [0.2, 0.4] : [0.45, 0];
  return { at: [from[0] + x * tail - y * aside, from[1] + y * tail + x * aside], size };
}

/** Whether something stands in the middle of a cell, or is written on a disc. */
function covered(face, shapes) {
  const { at, width } = boxOf(face);
  const forms = face.form === "disc" ? ["text"] : ["disc", "text"];
  return shapes.some(
    (shape) =>
      forms.includes(shape.form) &&
      shape.tone !== "move" &&
      shape.tone !== "last" &&
      Math.hypot(shape.at[0] - at[0], shape.at[1] - at[1]) < width * 0.25,
  );
}

/** The middle and the sides of an area or a disc. */
export function boxOf(shape) {
  if (shape.form === "disc")
    return { at: shape.at, width: 2 * shape.radius, height: 2 * shape.radius };
  if (shape.form === "text") return { at: shape.at, width: 1.5, height: 1.5 };
  const points = shape.form === "line" ? [shape.from, shape.to] : shape.points;
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  return {
    at: [(left + right) / 2, (top + bottom) / 2],
    width: right - left,
    height: bottom - top,
  };
}

function pill(text, { at: [x, y], size }) {
  const wide = (Array.from(text).length * 0.62 + 0.6) * size;
  const box = {
    x: x - wide / 2,
    y: y - size * 0.68,
    width: wide,
    height: size * 1.36,
    rx: size * 0.5,
  };
  const letters = s("text", { x, y, class: "letters" }, text);
  letters.setAttribute("font-size", String(size));
  return s("g", { class: "badge" }, s("rect", { ...box, class: "pill" }), letters);
}

/** What reacts to a pointer: a little more than is seen. */
function hitsOf(shape) {
  if (shape.form === "area") return [formOf(shape, "hit")];
  if (shape.form === "line") return [stroke(shape.from, shape.to, "hit wide")];
  const r = Math.max(shape.radius ?? 0, REACH);
  return [s("circle", { cx: shape.at[0], cy: shape.at[1], r, class: "hit" })];
}

/** A target as a button, for choices without a place and for games without a drawing. */
export function button(target, { values, hint, choose }) {
  const told = values === "hide" && target.choice !== hint ? null : target.value;
  const made = document.createElement("button");
  made.type = "button";
  made.className =
    `choice values-${values} ${told ? told.outcome : "plain"}` +
    (target.choice === hint ? " hinted" : "");
  made.dataset.choice = target.choice;
  if (told) made.dataset.outcome = told.outcome;
  if (told && Number.isFinite(told.remoteness)) made.dataset.remoteness = told.remoteness;
  made.tabIndex = -1;
  const mark = document.createElement("span");
  mark.className = "mark";
  mark.setAttribute("aria-hidden", "true");
  mark.textContent = told ? badge(told) : (target.label ?? "");
  const said = document.createElement("span");
  said.className = "unseen";
  said.textContent = spoken(target, told).slice(target.choice.length);
  made.append(target.choice, said, " ", mark);
  made.addEventListener("click", () => choose(target.choice));
  return made;
}
