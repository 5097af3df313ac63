// The page as the documents show it: a window that ends below a card, so that no list is cut.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { close, opened, option } from "./tab.mjs";

const folder = option("--document-pictures");

/** Width of the window, and the greatest height of a picture [px]. */
const [WIDTH, HIGHEST] = [980, 900];

/** Pictures: the address, and what happens before one is taken. */
const PICTURES = {
  web_fight: { hash: "#fight&frame=223&depth=2" },
  web_walk: {
    hash: "#walk",
    async show(tab) {
      await tab.evaluate(() => {
        for (let i = 0; i < 1300; i++) boxwoodPage.walk.step();
        for (let i = 0; i < 60; i++) boxwoodPage.walk.show();
      });
    },
  },
};

/** What the pictures leave out: times, which are those of the machine. */
const TIMES = "dl > div:has(#count-time), dl > div:has(#count-all)";

/** Returns the lower ends of the cards beside the scene [px]. */
const cardEnds = (tab) =>
  tab.evaluate(() => {
    const cards = [...document.querySelectorAll(".card")].map((card) => card.getBoundingClientRect());
    return cards.filter(({ height }) => height > 0).map(({ bottom }) => bottom);
  });

/** Checks that a window ends below a card of each picture, and stores the pictures if that is asked for. */
export async function documentPictures() {
  if (folder) await mkdir(folder, { recursive: true });
  for (const [name, { hash, show }] of Object.entries(PICTURES)) {
    const tab = await opened({ width: WIDTH, height: HIGHEST, hash });
    await show?.(tab);
    await tab.addStyleTag({ content: `${TIMES} { display: none !important }` });
    const last = Math.max(...(await cardEnds(tab)).filter((bottom) => bottom <= HIGHEST));
    // As much space below as above the scene.
    const height = Math.ceil(last) + 14;
    await tab.setViewportSize({ width: WIDTH, height });
    await tab.waitForTimeout(400);
    assert((await cardEnds(tab)).some((bottom) => Math.abs(bottom + 14 - height) <= 1), `${name} ends below a card`);
    assert(height > 500, `${name} is ${height} px high`);
    if (folder) await tab.screenshot({ path: join(folder, `${name}.png`), timeout: 120_000 });
    await close(tab);
  }
}
