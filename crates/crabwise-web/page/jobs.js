// Work of the server that takes time: asking for it, following it, stopping it.

import { get, post, remove, unlessStale } from "./api.js";
import { complain, fill, h, show } from "./dom.js";
import { about, bytes, count, span } from "./words.js";

const FINAL = ["done", "failed", "cancelled", "too-large"];
const followed = new Map();

export function isFinal(job) {
  return FINAL.includes(job.state);
}

export function begin(slot, { file, ...order }) {
  return post(slot, "/api/jobs", file ? { ...order, file } : order);
}

export function cancel(job) {
  return remove("cancel", `/api/jobs/${encodeURIComponent(job.id)}`);
}

/** Follows a job until it ends. In each slot one job is followed; a new one ends the one before. */
export function follow(slot, job, tell) {
  leave(slot);
  tell(job);
  if (isFinal(job)) return;
  const path = `/api/jobs/${encodeURIComponent(job.id)}`;
  const source = new EventSource(`${path}/events`);
  followed.set(slot, source);
  source.addEventListener("job", (event) => {
    if (followed.get(slot) !== source) return;
    let now;
    try {
      now = JSON.parse(event.data);
    } catch {
      return;
    }
    if (isFinal(now)) leave(slot);
    tell(now);
  });
  // A stream that breaks is taken up again by the browser; one that is refused is not, as after a
  // restart of the server. Then the job itself is asked for, and its absence is an end as well.
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED || followed.get(slot) !== source) return;
    leave(slot);
    unlessStale(
      async () => follow(slot, await get(`job-${slot}`, path), tell),
      () => tell({ ...job, state: "failed", error: "The work was interrupted.", lost: true }),
    );
  });
}

export function leave(slot) {
  followed.get(slot)?.close();
  followed.delete(slot);
}

/** What solving would take, in a sentence. */
export function prediction(plan) {
  if (!plan) return "How large this game is will be known only once it has been walked through.";
  const size = `About ${about(plan.slots)} positions, ${bytes(plan.memory_bytes)} of memory`;
  const time = Number.isFinite(plan.seconds) ? `, ${roughly(plan.seconds)}` : "";
  const fit = plan.fits === false ? ` More than the ${bytes(plan.memory_limit)} there are.` : "";
  return `${size}${time}.${fit}`;
}

function roughly(seconds) {
  return seconds < 1 ? span(seconds) : `about ${span(seconds)}`;
}

/** How it would be solved, in the solver's own words, for those who want to know. */
function how({ solver, why }) {
  const text = [solver, why].filter(Boolean).join(": ");
  return text && h("details", { class: "small how" }, h("summary", {}, "How"), h("p", {}, text));
}

/**
 * The bar, what is being done, how fast and how long still, and a button to stop it. Only the game
 * on the board has the names `progress` and `cancel` in the page.
 */
export function progress(job, stop, ids = "progress cancel") {
  const [barId, cancelId] = ids ? ids.split(" ") : [null, null];
  const known = Number.isFinite(job.total) && job.total > 0;
  const bar = h("progress", {
    id: barId,
    max: known ? job.total : null,
    value: known ? Math.min(job.done, job.total) : null,
    "aria-label": job.what || "progress",
  });
  if (!known) bar.removeAttribute("value");
  return [
    h("p", { class: "job-what" }, `${capital(job.what || job.kind || "working")}…`),
    bar,
    h("p", { class: "muted small numbers" }, facts(job, known)),
    // What is pressed may be drawn anew before it is let go, so pressing is enough.
    h(
      "button",
      { id: cancelId, type: "button", onclick: stop, onpointerdown: stop },
      "Cancel",
    ),
  ];
}

function facts(job, known) {
  if (job.state === "waiting") return "Waiting for its turn.";
  const parts = [];
  if (job.tier !== null && job.tier !== undefined) parts.push(`tier ${job.tier}`);
  if (Number.isFinite(job.done) && job.done > 0) {
    parts.push(known ? `${count(job.done)} of ${count(job.total)}` : count(job.done));
  }
  if (job.rate) parts.push(`${about(job.rate)} a second`);
  if (Number.isFinite(job.seconds_left)) parts.push(`${span(job.seconds_left)} left`);
  if (job.line) parts.push(job.line);
  return parts.join(" · ") || "Beginning.";
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Keeps a panel about solving one game: prediction and button, progress, or what went wrong.
 * `order` is what is posted; `done` is called when it has been carried out.
 */
export function panel(place, slot, { order, title, verb, done }) {
  const start = (modest) =>
    unlessStale(
      async () => {
        const job = await begin(slot, { ...order, modest });
        follow(slot, job, tell);
      },
      (error) => failed(error),
    );
  const failed = (error) => {
    show(place, true);
    const line = h("p", { class: "problem" });
    complain(line, error, () => start(false));
    fill(place, h("h2", {}, title), line);
  };
  const tell = (job) => {
    if (job.state === "done") {
      show(place, false);
      done();
    } else if (job.state === "too-large") offer(job.plan, "This is more than a moment's work.");
    else if (job.state === "cancelled") offer(job.plan, "Cancelled.");
    else if (job.state === "failed") failed(new Error(job.error || "It could not be done."));
    else {
      show(place, true);
      fill(
        place,
        h("h2", {}, title),
        progress(job, () => unlessStale(() => stop(job), failed)),
      );
    }
  };
  const stop = async (job) => {
    const now = await cancel(job);
    // If it has not ended yet its events tell when it does, perhaps before this answer came.
    if (!isFinal(now)) return;
    leave(slot);
    tell(now);
  };
  const offer = (plan, remark) => {
    show(place, true);
    const possible = plan?.fits !== false;
    fill(
      place,
      h("h2", {}, title),
      remark && h("p", {}, remark),
      plan !== undefined && h("p", { class: "muted" }, prediction(plan)),
      h(
        "button",
        {
          id: "solve",
          type: "button",
          class: "main",
          disabled: !possible,
          onclick: () => start(false),
        },
        verb,
      ),
      plan && how(plan),
    );
  };
  return { start, offer, follow: (job) => follow(slot, job, tell) };
}
