// Places for the nodes of a state graph: one row a layer, in an order with few crossings.

const ACROSS = 72;
const DOWN = 104;
/** Sweeps of the ordering; further ones change next to nothing. */
const SWEEPS = 8;
/** Nodes of a row; more if there are so many that the picture would be higher than wide. */
const LONGEST_ROW = 48;

/** Returns {places: [[x, y]], width, height}, in the order of the nodes. */
export function layered(nodes, edges) {
  const rows = rowsOf(nodes, Math.max(LONGEST_ROW, Math.sqrt((nodes.length * DOWN) / ACROSS)));
  const near = neighbours(nodes.length, edges);
  const order = new Array(nodes.length).fill(0);
  rows.forEach((row) =>
    row.forEach((node, i) => {
      order[node] = i - row.length / 2;
    }),
  );
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const passes = sweep % 2 ? [...rows].reverse() : rows;
    for (const row of passes) settle(row, near, order);
  }
  return placed(rows, nodes.length);
}

function rowsOf(nodes, most) {
  const layers = new Map();
  nodes.forEach((node, i) => {
    const layer = node.layer ?? 0;
    if (!layers.has(layer)) layers.set(layer, []);
    layers.get(layer).push(i);
  });
  const sorted = Array.from(layers.keys()).sort((a, b) => a - b);
  return sorted.flatMap((layer) => wrapped(layers.get(layer), most));
}

/** A very long layer takes several rows, so that the picture stays readable. */
function wrapped(row, most) {
  const parts = Math.ceil(row.length / most);
  const size = Math.ceil(row.length / parts);
  return Array.from({ length: parts }, (_, i) => row.slice(i * size, (i + 1) * size));
}

function neighbours(count, edges) {
  const near = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) {
    if (from === to) continue;
    near[from]?.push(to);
    near[to]?.push(from);
  }
  return near;
}

/** Orders a row by where its neighbours are on average. */
function settle(row, near, order) {
  const wanted = new Map(
    row.map((node) => {
      const others = near[node];
      const sum = others.reduce((so, other) => so + order[other], 0);
      return [node, others.length ? sum / others.length : order[node]];
    }),
  );
  row.sort((a, b) => wanted.get(a) - wanted.get(b));
  row.forEach((node, i) => {
    order[node] = i - row.length / 2;
  });
}

function placed(rows, count) {
  const widest = Math.max(1, ...rows.map((row) => row.length));
  const width = Math.max(widest * ACROSS, 320);
  const places = new Array(count);
  rows.forEach((row, y) =>
    row.forEach((node, x) => {
      const step = Math.min(width / row.length, ACROSS * 3);
      places[node] = [width / 2 + (x - (row.length - 1) / 2) * step, DOWN / 2 + y * DOWN];
    }),
  );
  return { places, width, height: rows.length * DOWN };
}
