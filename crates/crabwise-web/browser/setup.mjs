// Finds a Chromium to test with, and fetches one if the machine has none: `node setup.mjs`.

import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process, { argv, env, execPath, platform } from "node:process";
import { fileURLToPath } from "node:url";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const PACKAGE = "@sparticuz/chromium";
const VERSION = "141.0.0";
const HERE = dirname(fileURLToPath(import.meta.url));

/** The browser as {path}, or null: the one named, one of the system, or the package's. */
export async function findBrowser() {
  if (env.CRABWISE_CHROMIUM) return { path: env.CRABWISE_CHROMIUM };
  const path = onPath();
  return path ? { path } : packaged();
}

function onPath() {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(runs) ?? null;
}

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function packaged() {
  try {
    const { default: chromium } = await import(PACKAGE);
    return { path: await chromium.executablePath() };
  } catch (error) {
    if (error.code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** Installs the package without a trace in package.json and package-lock.json. */
function install() {
  const npm = join(dirname(execPath), platform === "win32" ? "npm.cmd" : "npm");
  const args = ["install", "--no-save", "--no-audit", "--no-fund", `${PACKAGE}@${VERSION}`];
  const { status } = spawnSync(runs(npm) ? npm : "npm", args, { cwd: HERE, stdio: "inherit" });
  if (status !== 0) throw new Error(`${PACKAGE} could not be installed`);
}

async function main(again) {
  const found = await findBrowser();
  if (found) return void console.log(`browser: ${found.path}`);
  if (again) throw new Error(`${PACKAGE} is installed but cannot be found`);
  install();
  // A new process, since this one remembers that the package was not there.
  const { status } = spawnSync(execPath, [argv[1], "again"], { stdio: "inherit" });
  process.exitCode = status;
}

if (argv[1] === fileURLToPath(import.meta.url)) await main(argv[2] === "again");
