// Screenshots beside the stored ones in `pictures`, and proof that each of some mistakes would be seen.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { apart, fromStored } from "./likeness.mjs";
import { browser, close, opened, slide } from "./tab.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const store = process.argv.includes("--store-pictures");

/**
 * A picture is the stored one if a smaller share of its squares differ: without smoothing of edges up to 2.4 % do, of the mistakes
 * below the least makes 4.6 %.
 */
const ALIKE = 0.03;

/** What a mistake has to change; and what a thing that is hidden changes in the picture before. */
const SEEN = 0.04;
const DRAWN = 0.001;

/** The scene alone: words in it depend on the fonts of the machine. */
async function shot(tab) {
  await tab.addStyleTag({ content: "#stage > :not(#canvas) { visibility: hidden !important }" });
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return tab.locator("#stage").screenshot({ timeout: 120_000 });
}

/** What is shown, and how; a mistake changes what is drawn, and a new page is opened for the next. */
const PICTURES = {
  "fight-light": {
    async show(tab) {
      await slide(tab, "time", 226);
      await slide(tab, "dial-depth", 3);
    },
    mistakes: {
      "no boxes": (tab) => tab.click("#wires button[value=none]"),
      "boxes a level deeper": (tab) => slide(tab, "dial-depth", 4),
      "no skins": (tab) => tab.click("#body button[value=none]"),
      "no blue fighter": (tab) =>
        draw(tab, ({ fight }) => {
          for (const { object } of [fight.skins[1], fight.parts[1]]) object.visible = false;
        }),
      "red and blue exchanged": (tab) =>
        draw(tab, ({ fight }) => {
          const [red, blue] = fight.skins.map(({ materials }) => materials[0].color.clone());
          fight.skins[0].materials.forEach(({ color }) => color.copy(blue));
          fight.skins[1].materials.forEach(({ color }) => color.copy(red));
        }),
      "the camera a hand aside": (tab) => draw(tab, ({ fight }) => (fight.view.controls.target.x += 0.1)),
      "four frames later": (tab) => slide(tab, "time", 230),
      "no light": (tab) => draw(tab, ({ fight }) => (fight.view.sun.visible = false)),
    },
  },
  "fight-dark": {
    theme: "dark",
    async show(tab) {
      await slide(tab, "time", 120);
      await slide(tab, "dial-depth", 0);
      await tab.click("#body button[value=parts]");
    },
    mistakes: { "no boxes": (tab) => tab.click("#wires button[value=none]") },
  },
  "walk-light": {
    hash: "#walk",
    async show(tab) {
      await tab.evaluate(() => {
        const { walk } = boxwoodPage;
        walk.pass = () => {}; // it has walked by the clock, and stays where it comes to now
        walk.restart();
        for (let i = 0; i < 600; i++) walk.step();
        for (let i = 0; i < 60; i++) walk.show();
      });
    },
    mistakes: {
      "no level": (tab) => draw(tab, ({ walk }) => (walk.scenery.object.visible = false)),
    },
    // Too thin to be seen in a stored picture; in the same browser nothing else differs.
    things: {
      "the path": (tab) => draw(tab, ({ walk }) => (walk.trail.object.visible = false)),
      "the brush it stands on": (tab) => draw(tab, ({ walk }) => (walk.ground.object.visible = false)),
      "the walker": (tab) => draw(tab, ({ walk }) => (walk.body.visible = false)),
    },
  },
};

/** Changes the scene of the page behind its back, and has it drawn. */
const draw = (tab, change) => tab.evaluate(`(${change})(boxwoodPage); boxwoodPage.stage.draw()`);

export async function comparePictures() {
  const reader = await browser.newPage();
  const percent = (share) => `${(100 * share).toFixed(2)} %`;
  for (const [name, { hash, theme, show, mistakes, things = {} }] of Object.entries(PICTURES)) {
    const file = here(`pictures/${name}.png`);
    const tab = await opened({ hash, theme });
    await show(tab);
    let last = await shot(tab);
    const { share, mean } = await fromStored(reader, last, file, store);
    console.log(`   ${name}: ${percent(share)} of its squares differ, ${mean.toFixed(2)} of 255 in the mean`);
    assert(share < ALIKE, `${name} is the stored picture (--store-pictures writes it anew; look at it)`);
    for (const [thing, hide] of Object.entries(things)) {
      await hide(tab);
      const without = await shot(tab);
      const { share } = await apart(reader, last, without);
      console.log(`      ${thing} is in ${percent(share)}`);
      assert(share > DRAWN, `${thing} is drawn`);
      last = without;
    }
    await close(tab);
    for (const [mistake, make] of Object.entries(mistakes)) {
      const tab = await opened({ hash, theme });
      await show(tab);
      await make(tab);
      const { share } = await fromStored(reader, await shot(tab), file);
      console.log(`      ${mistake}: ${percent(share)}`);
      assert(share > SEEN, `${name} with a mistake, ${mistake}, would be seen`);
      await close(tab);
    }
  }
  await reader.close();
}
