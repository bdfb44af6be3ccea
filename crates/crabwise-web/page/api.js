// Talking to the server. Each request has a slot, such as "position"; a new request in a slot ends
// the one before it, so that a slow answer never overwrites a newer one.
//
// A server that does not answer at all is asked again until it does: every request can be repeated
// without harm, since equal jobs are joined, a move in the dark that was made is the same move, and
// a game that nobody plays is forgotten.

const WAITS = [500, 1000, 2000, 4000];
const running = new Map();
let failing = 0;
let tellOutage = () => {};

export class ApiError extends Error {
  /** `needs` is the kind of job that has to be done before there is an answer, if that is why. */
  constructor(message, kind, status, needs = null) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.needs = needs;
  }
}

/** The answer is not wanted any more. */
export class Stale extends Error {}

/** Who is told that the server has stopped or begun to answer. */
export function onOutage(listener) {
  tellOutage = listener;
}

export function get(slot, path, query = {}) {
  return request(slot, "GET", path + asQuery(query), null);
}

export function post(slot, path, body) {
  return request(slot, "POST", path, body);
}

export function remove(slot, path) {
  return request(slot, "DELETE", path, null);
}

/** Ends whatever runs in these slots. */
export function drop(...slots) {
  for (const slot of slots) {
    running.get(slot)?.abort();
    running.delete(slot);
  }
}

export function asQuery(query) {
  const parts = Object.entries(query)
    .filter(
      ([, value]) => value !== "" && value !== null && value !== undefined && value?.length !== 0,
    )
    .map(
      ([key, value]) =>
        `${key}=${encodeURIComponent(Array.isArray(value) ? value.join(" ") : value)}`,
    );
  return parts.length ? `?${parts.join("&")}` : "";
}

/** Carries out something that may become stale; other failures go to `fail`. */
export async function unlessStale(work, fail) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stale)) fail(error);
    return undefined;
  }
}

async function request(slot, method, path, body) {
  drop(slot);
  const ending = new AbortController();
  running.set(slot, ending);
  try {
    return await persistent(method, path, body, ending.signal);
  } finally {
    if (running.get(slot) === ending) running.delete(slot);
  }
}

async function persistent(method, path, body, signal) {
  let failures = 0;
  try {
    for (;;) {
      const answer = await once(method, path, body, signal);
      if (answer) return await understood(answer, signal);
      failures += 1;
      if (failures === 1) outage(+1);
      await pause(WAITS[Math.min(failures, WAITS.length) - 1], signal);
    }
  } finally {
    if (failures > 0) outage(-1);
  }
}

function outage(change) {
  failing += change;
  tellOutage(failing > 0);
}

/** One try; null if nobody answered. */
async function once(method, path, body, signal) {
  const headers = body ? { "content-type": "application/json" } : {};
  try {
    const text = body ? JSON.stringify(body) : undefined;
    const answer = await fetch(path, { method, headers, body: text, signal });
    return answer.status === 502 || answer.status === 504 ? null : answer;
  } catch {
    if (signal.aborted) throw new Stale();
    return null;
  }
}

async function understood(answer, signal) {
  let data = null;
  try {
    data = await answer.json();
  } catch {
    if (signal.aborted) throw new Stale();
  }
  if (signal.aborted) throw new Stale();
  if (answer.ok && data !== null) return data;
  const sentence = data?.error ?? `The server answered with status ${answer.status}.`;
  throw new ApiError(sentence, data?.kind ?? "internal", answer.status, data?.needs);
}

function pause(milliseconds, signal) {
  return new Promise((done, ended) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        ended(new Stale());
      },
      { once: true },
    );
  });
}
