// Zooming and panning a picture by mouse, touch, keys and buttons, by its view box alone.

import { h } from "./dom.js";

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Makes a picture of this size movable; `box` is the part that is seen, and changes with it.
 * Returns buttons for those who have no wheel.
 */
export function zoomable(svg, width, height, box) {
  const whole = { x: 0, y: 0, w: width, h: height };
  const apply = () => svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
  const zoom = (factor, at = [box.x + box.w / 2, box.y + box.h / 2]) => {
    const bounded = Math.min(Math.max(factor, 40 / box.w), (width * 2) / box.w);
    box.x = at[0] - (at[0] - box.x) * bounded;
    box.y = at[1] - (at[1] - box.y) * bounded;
    box.w *= bounded;
    box.h *= bounded;
    apply();
  };
  const pan = (dx, dy) => {
    box.x = Math.min(Math.max(box.x + dx, -box.w / 2), width - box.w / 2);
    box.y = Math.min(Math.max(box.y + dy, -box.h / 2), height - box.h / 2);
    apply();
  };
  const reset = () => {
    Object.assign(box, whole);
    apply();
  };
  apply();
  byWheel(svg, zoom);
  byPointer(svg, zoom, pan);
  byKeys(svg, zoom, (x, y) => pan((x * box.w) / 8, (y * box.h) / 8), reset);
  const button = (text, label, action) =>
    h("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
  return [
    button("+", "Zoom in", () => zoom(0.75)),
    button("−", "Zoom out", () => zoom(4 / 3)),
    button("Whole", "Show the whole graph", reset),
  ];
}

/** A point on the screen in the units of the picture. */
function within(svg, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
    svg.getScreenCTM().inverse(),
  );
  return [point.x, point.y];
}

/** The wheel zooms with Ctrl, or once the picture has the focus: otherwise it scrolls the page. */
function byWheel(svg, zoom) {
  svg.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !svg.contains(document.activeElement)) return;
      event.preventDefault();
      zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.004), within(svg, event));
    },
    { passive: false },
  );
}

function byPointer(svg, zoom, pan) {
  const down = new Map();
  let apart = 0;
  let travelled = 0;
  svg.addEventListener("pointerdown", (event) => {
    down.set(event.pointerId, event);
    travelled = 0;
    apart = spread(down);
  });
  svg.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const [x, y] = within(svg, event);
    const [fromX, fromY] = within(svg, before);
    travelled += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
    down.set(event.pointerId, event);
    if (down.size === 1 && travelled > 4) {
      svg.setPointerCapture(event.pointerId);
      pan(fromX - x, fromY - y);
    } else if (down.size === 2) {
      const now = spread(down);
      if (apart && now) zoom(apart / now, [x, y]);
      apart = now;
    }
  });
  const up = (event) => {
    down.delete(event.pointerId);
    apart = spread(down);
  };
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", up);
  // A drag that ends on a node is not a click on it.
  svg.addEventListener(
    "click",
    (event) => {
      if (travelled > 6) event.stopPropagation();
      travelled = 0;
    },
    true,
  );
}

function spread(down) {
  if (down.size !== 2) return 0;
  const [a, b] = Array.from(down.values());
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}

function byKeys(svg, zoom, pan, reset) {
  svg.addEventListener("keydown", (event) => {
    if (event.target !== svg) return;
    const direction = KEYS[event.key];
    if (direction) pan(...direction);
    else if (event.key === "+" || event.key === "=") zoom(0.75);
    else if (event.key === "-") zoom(4 / 3);
    else if (event.key === "0") reset();
    else return;
    event.preventDefault();
  });
}
