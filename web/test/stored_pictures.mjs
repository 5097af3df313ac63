// Screenshots against the stored ones in `pictures`, and proof that each of some mistakes is
// detected.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { apart, fromStored } from "./likeness.mjs";
import { browser, close, opened, slide } from "./tab.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const store = process.argv.includes("--store-pictures");

/**
 * Largest share of squares that may differ from the stored picture: without smoothing of edges up to 2.4 % differ; the
 * smallest of the mistakes below changes 4.6 %.
 */
const ALIKE = 0.03;

/** Least share of squares that a mistake changes; and that a hidden thing changes relative to the picture before. */
const SEEN = 0.04;
const DRAWN = 0.001;

/** Takes a screenshot of the scene alone, because texts depend on the fonts of the machine. */
async function shot(tab) {
  await tab.addStyleTag({ content: "#stage > :not(#canvas) { visibility: hidden !important }" });
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return tab.locator("#stage").screenshot({ timeout: 120_000 });
}

/** Pictures: how each is made, and mistakes that must be detected, each with its repair. */
const PICTURES = {
  "fight-light": {
    async show(tab) {
      await slide(tab, "time", 226);
      await slide(tab, "dial-depth", 3);
    },
    mistakes: {
      "no boxes": ["#wires button[value=none]", "#wires button[value=boxes]"],
      "boxes a level deeper": [(tab) => slide(tab, "dial-depth", 4), (tab) => slide(tab, "dial-depth", 3)],
      "no skins": ["#body button[value=none]", "#body button[value=skin]"],
      "no blue fighter": [(tab) => draw(tab, hideBlue, true), (tab) => draw(tab, hideBlue, false)],
      "red and blue exchanged": [(tab) => draw(tab, exchangeColors), (tab) => draw(tab, exchangeColors)],
      "the camera a hand aside": [(tab) => draw(tab, moveTarget, 0.1), (tab) => draw(tab, moveTarget, -0.1)],
      "four frames later": [(tab) => slide(tab, "time", 230), (tab) => slide(tab, "time", 226)],
      "no light": [(tab) => draw(tab, light, false), (tab) => draw(tab, light, true)],
    },
  },
  "fight-dark": {
    theme: "dark",
    async show(tab) {
      await slide(tab, "time", 120);
      await slide(tab, "dial-depth", 0);
      await tab.click("#body button[value=parts]");
    },
    mistakes: { "no boxes": ["#wires button[value=none]", "#wires button[value=boxes]"] },
  },
  "robot-light": {
    hash: "#robot",
    // Folded onto itself: links that touch have another colour.
    async show(tab) {
      await slide(tab, "joint-1", 0.9);
      await slide(tab, "joint-2", 2.7);
    },
    mistakes: {
      "no robot": [(tab) => draw(tab, seeRobot, false), (tab) => draw(tab, seeRobot, true)],
      "a joint elsewhere": [(tab) => slide(tab, "joint-1", 0.3), (tab) => slide(tab, "joint-1", 0.9)],
    },
    things: {
      "the colour of links that touch": (tab) => draw(tab, ({ robot }) => robot.parts.mark(new Set(), -1, true)),
    },
  },
  "walk-light": {
    hash: "#walk",
    async show(tab) {
      await tab.evaluate(() => {
        const { walk } = boxwoodPage;
        walk.pass = () => {}; // stops the clock of the walk, which has run until now
        walk.restart();
        for (let i = 0; i < 600; i++) walk.step();
        for (let i = 0; i < 60; i++) walk.show();
      });
    },
    mistakes: {
      "no level": [(tab) => draw(tab, seeLevel, false), (tab) => draw(tab, seeLevel, true)],
    },
    // Too thin for a comparison with a stored picture; in the same browser nothing else differs.
    things: {
      "the path": (tab) => draw(tab, ({ walk }) => (walk.trail.object.visible = false)),
      "the brush it stands on": (tab) => draw(tab, ({ walk }) => (walk.ground.object.visible = false)),
      "the walker": (tab) => draw(tab, ({ walk }) => (walk.body.visible = false)),
    },
  },
};

// Changes of the page's scene, run inside the page.
function hideBlue({ fight }, hidden) {
  fight.skins[1].object.visible = fight.parts[1].object.visible = !hidden;
}
function exchangeColors({ fight }) {
  const [red, blue] = fight.skins.map(({ materials }) => materials[0].color.clone());
  fight.skins[0].materials.forEach(({ color }) => color.copy(blue));
  fight.skins[1].materials.forEach(({ color }) => color.copy(red));
}
function moveTarget({ fight }, by) {
  const { camera, controls } = fight.view;
  controls.target.x += by;
  camera.position.x += by;
}
function light({ fight }, on) {
  fight.view.sun.visible = on;
}
function seeRobot({ robot }, seen) {
  robot.group.visible = seen;
}
function seeLevel({ walk }, seen) {
  walk.scenery.object.visible = seen;
}

/** Changes the scene of the page from outside, and redraws it. */
const draw = (tab, change, how = null) => tab.evaluate(`(${change})(boxwoodPage, ${how}); boxwoodPage.stage.draw()`);

/** Runs an action; a selector is clicked. */
const does = (tab, way) => (typeof way === "string" ? tab.click(way) : way(tab));

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
    for (const [mistake, [make, mend]] of Object.entries(mistakes)) {
      await does(tab, make);
      const { share } = await fromStored(reader, await shot(tab), file);
      console.log(`      ${mistake}: ${percent(share)}`);
      assert(share > SEEN, `${name} with a mistake, ${mistake}, would be seen`);
      await does(tab, mend);
    }
    const mended = await shot(tab);
    assert((await apart(reader, last, mended)).share < ALIKE, "all mistakes are mended");
    last = mended;
    for (const [thing, hide] of Object.entries(things)) {
      await hide(tab);
      const without = await shot(tab);
      const { share } = await apart(reader, last, without);
      console.log(`      ${thing} is in ${percent(share)}`);
      assert(share > DRAWN, `${thing} is drawn`);
      last = without;
    }
    await close(tab);
  }
  await reader.close();
}
