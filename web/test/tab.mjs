// Browser of the test, and input to it: opens the built page, moves sliders, drops files, stores
// pictures. Prints SKIPPED if Chromium or the page is missing.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Path of the built page. */
export const page = here("../dist/viewer.html");

/** Returns the word after a flag of the command line. */
export const option = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? null : process.argv[at + 1];
};
export const pictures = option("--pictures");

function skip(why) {
  console.log(`SKIPPED: the test of the page: ${why}`);
  process.exit(0);
}

const browsers = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const browserPath = browsers.find((path) => path && existsSync(path));
if (!existsSync(page)) skip("web/dist/viewer.html is not built (web/build)");
if (!browserPath) skip("no Chromium (apt-get install chromium, or its path in CHROMIUM)");
const { chromium } = await import("playwright-core").catch(() => skip("no playwright-core (npm ci)"));

export const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--js-flags=--expose-gc", "--enable-precise-memory-info"],
});
if (pictures) await mkdir(pictures, { recursive: true });

/** Console output and exceptions of all pages. */
export const troubles = [];

/** Opens a page and waits until it is ready; its console output is stored. */
export async function opened({ file = page, width = 1280, height = 800, theme = "light", touch = false, hash = "", plays = false, prepare } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: touch,
    isMobile: touch,
    deviceScaleFactor: 1,
    reducedMotion: plays ? "no-preference" : "reduce", // nothing moves unless the test wants it
  });
  context.setDefaultTimeout(120_000); // machines may be busy
  const tab = await context.newPage();
  tab.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader/i.test(message.text())) {
      troubles.push(message.text());
    }
  });
  tab.on("pageerror", (error) => troubles.push(`${error}`));
  await prepare?.(tab);
  await tab.goto(pathToFileURL(file).href + hash, { timeout: 90_000 });
  await tab.waitForSelector("body[data-ready]", { timeout: 90_000 });
  assert.equal(await tab.evaluate(() => document.body.dataset.ready), "true");
  return tab;
}

export const close = (tab) => tab.context().close();
export const text = (tab, id) => tab.textContent(`#${id}`);

/** Sets a slider as a user does. */
export const slide = (tab, id, value) =>
  tab.evaluate(([id, value]) => {
    const slider = document.getElementById(id);
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, [id, value]);

/** Drops a file on the page. */
export const drop = (tab, name, bytes) => dropAll(tab, { [name]: bytes });

/** Drops several files on the page at once. */
export async function dropAll(tab, files) {
  const coded = Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
  await tab.evaluate(async (coded) => {
    const data = new DataTransfer();
    for (const [name, base64] of coded) {
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    }
    dispatchEvent(new DragEvent("dragenter", { dataTransfer: data, bubbles: true }));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  }, coded);
}

export async function picture(tab, name) {
  if (!pictures) return;
  await tab.waitForTimeout(400);
  await tab.screenshot({ path: join(pictures, `${name}.png`), timeout: 120_000 });
}
