// What every test sits down at: a server of its own, a browser, and hands to play with.
//
// A page that logs an error, throws, breaks its content policy or asks another origin fails its
// test. Errors that a test provokes are named by it, as patterns of what the console says.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process, { env } from "node:process";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { findBrowser } from "./setup.mjs";

const SHOTS = env.CRABWISE_SHOTS ?? join(dirname(fileURLToPath(import.meta.url)), "shots");
const PATIENCE = 10_000;
const DESKTOP = { width: 1280, height: 900 };
const ARGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-sync",
  "--no-first-run",
];

/** `crabwise serve` with tables in a folder of its own. */
export class Server {
  constructor(options = []) {
    assert.ok(env.CRABWISE, "the variable CRABWISE names the program to test");
    this.options = options;
    this.tables = mkdtempSync(join(tmpdir(), "crabwise-browser-"));
    this.child = null;
    this.origin = null;
  }

  /** Starts it; after a stop, at the port that it had. */
  async start() {
    const port = this.origin ? new URL(this.origin).port : "0";
    const words = ["serve", "--port", port, "--json", "--tables", this.tables, ...this.options];
    this.child = spawn(env.CRABWISE, words, { stdio: ["ignore", "pipe", "inherit"] });
    this.origin = new URL(JSON.parse(await firstLine(this.child)).address).origin;
  }

  async stop() {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((done) => this.child.once("exit", done));
    this.child.kill();
    await ended;
  }

  async close() {
    await this.stop();
    rmSync(this.tables, { recursive: true, force: true });
  }

  /** Asks the server itself. Returns {status, data}. */
  async ask(path, query = {}, init = {}) {
    const url = new URL(`/api/${path}`, this.origin);
    for (const [key, value] of Object.entries(query)) {
      const text = Array.isArray(value) ? value.join(" ") : value;
      if (text !== "") url.searchParams.set(key, text);
    }
    const answer = await fetch(url, init);
    return { status: answer.status, data: await answer.json() };
  }

  async get(path, query) {
    const { status, data } = await this.ask(path, query);
    assert.equal(status, 200, `${path} ${JSON.stringify(query)}: ${JSON.stringify(data)}`);
    return data;
  }

  async post(path, body) {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await this.ask(path, {}, init)).data;
  }

  /** Has a job done, so that what needs it can be looked at without waiting. */
  async work(game, kind = "solve") {
    const job = await this.post("jobs", { game, kind, modest: false });
    const done = async () => (await this.get(`jobs/${job.id}`)).state === "done";
    await until(done, `${kind} ${game}`);
  }
}

function firstLine(child) {
  const lines = createInterface({ input: child.stdout });
  return new Promise((found, failed) => {
    lines.once("line", found);
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`the server ended with ${code}`)));
  });
}

/** Waits until something holds. */
export async function until(holds, what, patience = PATIENCE) {
  const end = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** Starts a server and a browser for the tests of one file, and clears them away at the end. */
export async function sit(options = []) {
  const server = new Server(options);
  await server.start();
  const found = await findBrowser();
  assert.ok(found, "no Chromium was found: node setup.mjs fetches one");
  const rootly = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({
    executablePath: found.path,
    args: [...ARGS, ...rootly],
  });
  after(async () => {
    await browser.close();
    await server.close();
  });
  return new Desk(server, browser);
}

class Desk {
  constructor(server, browser) {
    this.server = server;
    this.browser = browser;
  }

  /**
   * A test with a page of its own. Options: `viewport`, `touch`, `scheme`, and `allow`, patterns of
   * console errors that belong to what is tested.
   */
  check(name, options, body) {
    test(name, { timeout: 120_000 }, async (t) => {
      const visit = await this.visit(options);
      try {
        await body(visit, t);
      } catch (error) {
        await shot(visit.page, `failed ${name}`).catch(() => {});
        if (visit.faults.length) error.message += `\nThe page: ${visit.faults.join("\n")}`;
        throw error;
      } finally {
        await visit.context.close();
      }
      assert.deepEqual(visit.faults, [], "the page did something wrong");
    });
  }

  /** A new window: {server, context, page, faults, another}. */
  async visit({ viewport = DESKTOP, touch = false, scheme = "light", allow = [] } = {}) {
    const context = await this.browser.newContext({
      viewport,
      hasTouch: touch,
      isMobile: touch,
      colorScheme: scheme,
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript(reportPolicy);
    await context.addInitScript(`window.freePoint = ${freePoint}`);
    const faults = [];
    const another = async () => {
      const page = await context.newPage();
      watch(page, this.server.origin, faults, allow);
      return page;
    };
    return { server: this.server, context, page: await another(), faults, another, touch };
  }
}

function reportPolicy() {
  document.addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy broken: ${event.violatedDirective} ${event.blockedURI}`),
  );
}

function watch(page, origin, faults, allow) {
  page.on("pageerror", (error) => faults.push(`thrown: ${error.stack ?? error}`));
  page.on("crash", () => faults.push("the page crashed"));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const text = `${message.text()} ${message.location().url}`;
    if (!allow.some((pattern) => pattern.test(text))) faults.push(`console: ${text}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (["blob:", "data:"].includes(url.protocol) || url.origin === origin) return;
    faults.push(`asked another origin: ${request.url()}`);
  });
}

/** Opens an address of the page: {game, line, …}. */
export async function open({ page, server }, query = {}) {
  const search = new URLSearchParams(query).toString();
  await page.goto(`${server.origin}/${search ? `?${search}` : ""}`);
}

/** What the address says: {game, file, line, made, words}, the moves made so far only. */
export function spot(page) {
  const query = new URL(page.url()).searchParams;
  const list = (key) => (query.get(key) ?? "").split(" ").filter(Boolean);
  const whole = list("line");
  const at = query.has("at") ? Number(query.get("at")) : whole.length;
  const [line, made] = [whole.slice(0, at), list("made")];
  const game = query.get("game") ?? "";
  return { game, file: query.get("file") ?? "", whole, line, made, words: [...line, ...made] };
}

/** Waits until the board shows values. */
export async function solved(page) {
  await page.waitForSelector(":is(#board, #others) [data-outcome]");
  await quiet(page);
}

/** Waits until nothing is being asked for the board. */
export function quiet(page) {
  return page.waitForFunction(() => {
    const game = document.getElementById("game");
    const board = document.getElementById("board");
    return !game.classList.contains("unknown") && !board.hasAttribute("aria-busy");
  });
}

/** The choices on the board, best first as the server has them: {choice: value or null}. */
export function targets(page) {
  return page.$$eval(":is(#board, #others) [data-choice]", (all) =>
    Object.fromEntries(
      all.map(({ dataset }) => {
        const { choice, outcome, remoteness } = dataset;
        if (!outcome) return [choice, null];
        return [choice, { outcome, remoteness: remoteness ? Number(remoteness) : null }];
      }),
    ),
  );
}

/** Checks that the board and the words say what the server says. Returns its answer. */
export async function agrees({ page, server }) {
  await quiet(page);
  const { game, file, words } = spot(page);
  const answer = await server.get("position", { game, file, line: words });
  const wanted = answer.over ? [] : answer.choices;
  const known = Object.fromEntries(wanted.map(({ choice, value }) => [choice, value]));
  assert.deepEqual(await targets(page), known, `after ${words.join(" ") || "nothing"}`);
  assert.equal(await page.textContent("#words"), answer.words);
  return answer;
}

/** Where a pointer can choose this target, in pixels of the window. */
async function reach(page, choice) {
  const name = JSON.stringify(choice);
  const target = page.locator(`:is(#board, #others) [data-choice=${name}]`);
  let point = null;
  // A board that is drawn anew meanwhile has other targets, which are looked up again.
  for (let tries = 0; tries < 20 && !point; tries += 1) {
    await target.first().scrollIntoViewIfNeeded();
    const free = (element) => (element.isConnected ? window.freePoint(element) : null);
    point = await target.first().evaluate(free);
    if (!point) await page.waitForTimeout(50);
  }
  assert.ok(point, `no part of the target ${choice} is free to be pointed at`);
  return point;
}

/** The targets of the board that no pointer can choose, because something lies over them. */
export function covered(page) {
  // The targets are looked up where they are tried: a board that is drawn anew has others.
  return page.evaluate(() =>
    Array.from(document.querySelectorAll("#board [data-choice]"))
      .filter((target) => {
        target.scrollIntoView({ block: "center" });
        return !window.freePoint(target);
      })
      .map((target) => target.dataset.choice),
  );
}

/** A point of a target that nothing else lies over. Runs in the page. */
function freePoint(target) {
  const box = target.getBoundingClientRect();
  const line = target.querySelector("line.hit");
  if (box.width === 0 && box.height === 0) return null;
  const points = [];
  for (let k = 0; k <= 16; k += 1) {
    // From the middle outwards.
    const part = 0.5 + (k % 2 ? 1 : -1) * Math.ceil(k / 2) * 0.055;
    if (line) {
      const at = line.getPointAtLength(line.getTotalLength() * part);
      const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(line.getScreenCTM());
      points.push([x, y]);
    } else {
      for (let n = 0; n <= 16; n += 1) {
        const across = 0.5 + (n % 2 ? 1 : -1) * Math.ceil(n / 2) * 0.055;
        points.push([box.x + box.width * across, box.y + box.height * part]);
      }
    }
  }
  const free = ([x, y]) => target.contains(document.elementFromPoint(x, y));
  return points.find(free) ?? null;
}

/** Clicks or taps a target. */
export async function press({ page, touch }, choice) {
  const [x, y] = await reach(page, choice);
  if (touch) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y);
}

/** Chooses a target and waits for the board after it. */
export async function choose(visit, choice) {
  await changed(visit.page, () => press(visit, choice));
}

/** Chooses one target after the other. */
export async function chooseAll(visit, choices) {
  for (const choice of choices) await choose(visit, choice);
}

/** Does something that changes the address, and waits for what the board then shows. */
export async function changed(page, action) {
  const before = page.url();
  await action();
  await page.waitForFunction((old) => location.href !== old, before);
  await quiet(page);
}

/** Waits until the person is to choose, or nobody is. Returns whether the game is over. */
export async function turn(page) {
  await page.waitForFunction(() => {
    const board = document.getElementById("board");
    const targets = document.querySelectorAll(":is(#board, #others) [data-choice]").length;
    if (board.hasAttribute("aria-busy")) return false;
    return !board.classList.contains("waiting") || targets === 0;
  });
  return (await page.locator(":is(#board, #others) [data-choice]").count()) === 0;
}

/** Whether the page can be scrolled sideways. */
export function overflows(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth;
  });
}

/** Keeps a picture of the whole page. */
export async function shot(page, name, options = { fullPage: true }) {
  mkdirSync(SHOTS, { recursive: true });
  const file = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  await page.screenshot({ path: join(SHOTS, `${file}.png`), ...options });
}
