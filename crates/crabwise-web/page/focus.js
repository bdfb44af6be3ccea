// Moving between targets with the arrow keys. Exactly one target can be reached by Tab; an arrow
// key goes to the nearest one in its direction, whatever the board looks like.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function targetsIn(...roots) {
  return roots.flatMap((root) => Array.from(root.querySelectorAll("[data-choice]")));
}

/**
 * Makes one target reachable by Tab: that of the given name, or else the nearest to a place on the
 * screen if there is one, or else the first.
 */
export function rove(targets, name, place = null) {
  for (const target of targets) target.setAttribute("tabindex", "-1");
  const same = targets.find((target) => target.dataset.choice === name);
  const chosen = same ?? (place && closest(targets, place)) ?? targets[0];
  chosen?.setAttribute("tabindex", "0");
  return chosen;
}

/** Handles a key on a target; true if it was one that means something. */
export function arrow(event, targets) {
  const from = targets.find((target) => target === event.target);
  if (!from || event.altKey || event.ctrlKey || event.metaKey) return false;
  if (event.key === "Enter" || event.key === " ") {
    // Buttons do this by themselves.
    if (from.tagName === "BUTTON") return false;
    event.preventDefault();
    from.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return true;
  }
  const direction = ARROWS[event.key];
  if (!direction) return false;
  event.preventDefault();
  const next = nearest(from, targets, direction);
  if (next) focusOn(next, targets);
  return true;
}

export function focusOn(target, targets) {
  for (const other of targets) other.setAttribute("tabindex", other === target ? "0" : "-1");
  target.focus();
}

/** The target that is least far along the direction and aside of it, aside counting twice. */
function nearest(from, targets, [dx, dy]) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const target of targets) {
    if (target === from) continue;
    const [tx, ty] = middle(target);
    const along = (tx - x) * dx + (ty - y) * dy;
    const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
    if (along < 2) continue;
    const far = along + 2 * aside;
    if (far < least) [best, least] = [target, far];
  }
  return best;
}

function closest(targets, [x, y]) {
  const far = (target) => {
    const [tx, ty] = middle(target);
    return Math.hypot(tx - x, ty - y);
  };
  return targets.reduce((best, other) => (far(other) < far(best) ? other : best), targets[0]);
}

/** Where the badge of a target is on the screen, or the middle of a button. */
export function middle(target) {
  const svg = target.ownerSVGElement;
  if (!svg || !target.dataset.x) {
    const box = target.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }
  const point = new DOMPoint(Number(target.dataset.x), Number(target.dataset.y));
  const placed = point.matrixTransform(svg.getScreenCTM());
  return [placed.x, placed.y];
}
