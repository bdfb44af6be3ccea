// Elements are made here and nowhere else. Data becomes text nodes and attributes, never markup.

const SVG = "http://www.w3.org/2000/svg";

export function byId(id) {
  return document.getElementById(id);
}

/** An HTML element. Keys that begin with "on" are listeners; null and false leave a key out. */
export function h(tag, attributes = {}, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

/** An SVG element, in the same way. */
export function s(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, tag), attributes, children);
}

function dressed(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" && "value" in element) element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Puts children in place of whatever an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function show(element, shown) {
  element.hidden = !shown;
}

/** A select with [value, text] pairs. */
export function select(attributes, pairs, chosen) {
  const options = pairs.map(([value, text]) =>
    h("option", { value, selected: value === chosen }, text),
  );
  return h("select", attributes, options);
}

/** Says something to those who listen instead of looking. */
export function announce(text) {
  byId("live").textContent = text;
}

/** A sentence about a failure, with a button to try again where that can help. */
export function problem(error, again) {
  const message = error instanceof Error ? error.message : String(error);
  const button =
    again && h("button", { type: "button", class: "again", onclick: again }, "Try again");
  return [h("span", {}, message), " ", button];
}

/** Shows a failure in a place kept for it, or clears the place. */
export function complain(place, error, again) {
  show(place, Boolean(error));
  fill(place, error ? problem(error, again) : []);
}
