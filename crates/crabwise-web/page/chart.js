// Bars standing on each other, as SVG: how many positions of each outcome there are.

import { s } from "./dom.js";
import { count, GLYPHS } from "./words.js";

const HEIGHT = 240;
const LEFT = 64;
const BOTTOM = 34;
const TOP = 12;
const PLOT = HEIGHT - BOTTOM - TOP;

/**
 * columns: [{name, win, tie, draw, loss}]. With `logarithmic` a column's height is the logarithm of
 * its total, and its parts share that height as they share the total. `width` is in units of which
 * a letter has eleven, whatever room there is.
 */
export function bars(columns, { title, across, logarithmic = false, width = 640 }) {
  const totals = columns.map(total);
  const most = Math.max(1, ...totals);
  const high = (number) =>
    logarithmic ? Math.log10(number + 1) / Math.log10(most + 1) : number / most;
  const step = (width - LEFT - 8) / Math.max(1, columns.length);
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`,
    class: "chart",
    role: "img",
    "aria-label": `${title}. ${columns.length} columns; the largest has ${count(most)} positions.`,
  });
  svg.append(
    ...grid(most, high, width, logarithmic),
    ...columns.map((column, i) =>
      bar(column, LEFT + i * step, step, high(totals[i]) * PLOT, totals[i]),
    ),
  );
  svg.append(
    ...labels(columns, step),
    s("text", { x: (width + LEFT) / 2, y: HEIGHT - 3, class: "note middle" }, across),
  );
  return svg;
}

function total(column) {
  return (column.win ?? 0) + (column.tie ?? 0) + (column.draw ?? 0) + (column.loss ?? 0);
}

function bar(column, x, step, tall, sum) {
  const gap = Math.min(3, step * 0.15);
  const group = s("g", {}, s("title", {}, told(column)));
  let y = HEIGHT - BOTTOM;
  for (const outcome of ["loss", "draw", "tie", "win"]) {
    if (!column[outcome]) continue;
    const part = (tall * column[outcome]) / sum;
    y -= part;
    group.append(
      s("rect", {
        x: x + gap / 2,
        y,
        width: Math.max(0.5, step - gap),
        height: part,
        class: `bar ${outcome}`,
      }),
    );
    if (part < 14 || step < 14) continue;
    group.append(
      s(
        "text",
        { x: x + step / 2, y: y + part / 2, class: `bar-sign ${outcome}` },
        GLYPHS[outcome],
      ),
    );
  }
  return group;
}

function told(column) {
  const parts = ["win", "tie", "draw", "loss"]
    .filter((outcome) => column[outcome])
    .map((outcome) => `${count(column[outcome])} ${outcome}`);
  return `${column.name}: ${parts.join(", ") || "none"}`;
}

function grid(most, high, width, logarithmic) {
  const marks = logarithmic ? powers(most) : steps(most);
  return marks.flatMap((number) => {
    const y = HEIGHT - BOTTOM - high(number) * PLOT;
    return [
      s("line", { x1: LEFT, x2: width - 8, y1: y, y2: y, class: "axis" }),
      s("text", { x: LEFT - 6, y: y + 3.5, class: "note end" }, shared(number, most, logarithmic)),
    ];
  });
}

/** Up to five multiples of 1, 2 or 5 times a power of ten. */
function steps(most) {
  const power = 10 ** Math.floor(Math.log10(most / 5));
  const step = Math.max(1, [1, 2, 5, 10].find((times) => most / (times * power) <= 5) * power);
  return Array.from({ length: Math.floor(most / step) }, (_, i) => (i + 1) * step);
}

/** Powers of ten; where they are few, twice and five times them as well. */
function powers(most) {
  const found = [];
  for (let n = 1; n <= most; n *= 10) {
    found.push(...(most < 100 ? [n, 2 * n, 5 * n] : [n]));
  }
  return thinned(
    found.filter((n) => n <= most),
    6,
  );
}

/** All numbers at one axis are in one unit, which the largest of them decides. */
function shared(number, most, logarithmic) {
  if (most < 1e6) return count(number);
  if (logarithmic) return number < 10 ? String(number) : `10${raised(Math.log10(number))}`;
  const [size, word] = most < 1e9 ? [1e6, "million"] : [1e9, "billion"];
  return `${Number((number / size).toPrecision(3))} ${word}`;
}

function raised(power) {
  return Array.from(String(Math.round(power)), (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
}

function thinned(list, most) {
  const every = Math.ceil(list.length / most);
  return list.filter((_, i) => i % every === 0);
}

function labels(columns, step) {
  const every = Math.ceil(26 / step);
  return columns
    .map((column, i) =>
      i % every
        ? null
        : s(
            "text",
            { x: LEFT + (i + 0.5) * step, y: HEIGHT - BOTTOM + 14, class: "note middle" },
            String(column.short ?? column.name),
          ),
    )
    .filter(Boolean);
}
