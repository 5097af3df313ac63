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

/** What a picture does not show, because texts depend on the fonts of the machine. */
const TEXTS = "#stage > :not(#canvas)";

/** Takes a screenshot of the scene alone. */
export async function shot(tab, hidden = TEXTS) {
  await tab.addStyleTag({ content: `${hidden} { visibility: hidden !important }` });
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return tab.locator("#stage").screenshot({ timeout: 120_000 });
}

/** Pictures: how each is made, what is hidden, and mistakes that must be detected, each with its repair. */
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
  "fight-upright": {
    window: { width: 390, height: 844, touch: true },
    async show(tab) {
      await slide(tab, "time", 226);
    },
    mistakes: {
      "no boxes": ["#wires button[value=none]", "#wires button[value=boxes]"],
      "the camera a hand aside": [(tab) => draw(tab, moveTarget, 0.1), (tab) => draw(tab, moveTarget, -0.1)],
    },
  },
  "fight-tick": {
    // The impact between two ticks, with its mark.
    async show(tab) {
      await tab.click('#tick-rate button[value="5"]');
      await tab.click("#tick-next");
    },
    mistakes: {
      "the tick's begin": [(tab) => slide(tab, "tick-time", 0), seekImpact],
      "the frames alone": [
        '#tick-rate button[value="0"]',
        async (tab) => {
          await tab.click('#tick-rate button[value="5"]');
          await seekImpact(tab);
        },
      ],
    },
    things: { "the mark of the impact": (tab) => draw(tab, ({ fight }) => fight.marks.strike(null, 1)) },
  },
  "crowd-light": {
    hash: "#crowd",
    async show() {},
    mistakes: {
      "no people": [(tab) => draw(tab, seePeople, false), (tab) => draw(tab, seePeople, true)],
      "half of the people": [(tab) => slide(tab, "crowd-size", 500), (tab) => slide(tab, "crowd-size", 1000)],
      "a second later": [(tab) => draw(tab, seekCrowd, 60), (tab) => draw(tab, seekCrowd, 0)],
    },
    things: {
      "the colour of parts that touch": (tab) => draw(tab, ({ crowd }) => crowd.paint(crowd.hot, crowd.colors.cool)),
    },
  },
  "depth-light": {
    hash: "#depth",
    hidden: "#chart text",
    async show(tab) {
      await tab.waitForFunction(() => boxwoodPage.depth.isDone, null, { timeout: 300_000 });
    },
    mistakes: {
      "no bars": [
        (tab) => tab.evaluate(() => document.querySelectorAll("#chart rect.bar").forEach((bar) => bar.remove())),
        (tab) => tab.evaluate(() => boxwoodPage.depth.show()),
      ],
      "the columns from right to left": [
        (tab) => tab.evaluate(() => (document.querySelector("#chart svg").style.transform = "scaleX(-1)")),
        (tab) => tab.evaluate(() => (document.querySelector("#chart svg").style.transform = "")),
      ],
    },
    things: { "the chosen depth": (tab) => slide(tab, "depth-wide", 9) },
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
function seePeople({ crowd }, seen) {
  crowd.mesh.visible = seen;
}
function seekCrowd({ crowd }, frame) {
  crowd.seek(frame);
}
function seeLevel({ walk }, seen) {
  walk.scenery.object.visible = seen;
}

/** Changes the scene of the page from outside, and redraws it. */
const draw = (tab, change, how = null) => tab.evaluate(`(${change})(boxwoodPage, ${how}); boxwoodPage.stage.draw()`);

/** Shows the tick of the page at its impact again. */
function seekImpact(tab) {
  return tab.evaluate(() => boxwoodPage.fight.tick.seek(boxwoodPage.fight.tick.impact.time));
}

/** Runs an action; a selector is clicked. */
const does = (tab, way) => (typeof way === "string" ? tab.click(way) : way(tab));

export async function comparePictures() {
  const reader = await browser.newPage();
  const percent = (share) => `${(100 * share).toFixed(2)} %`;
  for (const [name, { hash, theme, window, hidden, show, mistakes, things = {} }] of Object.entries(PICTURES)) {
    const file = here(`pictures/${name}.png`);
    const tab = await opened({ hash, theme, ...window });
    await show(tab);
    let last = await shot(tab, hidden);
    const { share, mean } = await fromStored(reader, last, file, store);
    console.log(`   ${name}: ${percent(share)} of its squares differ, ${mean.toFixed(2)} of 255 in the mean`);
    assert(share < ALIKE, `${name} is the stored picture (--store-pictures writes it anew; look at it)`);
    for (const [mistake, [make, mend]] of Object.entries(mistakes)) {
      await does(tab, make);
      const { share } = await fromStored(reader, await shot(tab, hidden), file);
      console.log(`      ${mistake}: ${percent(share)}`);
      assert(share > SEEN, `${name} with a mistake, ${mistake}, would be seen`);
      await does(tab, mend);
    }
    const mended = await shot(tab, hidden);
    assert((await apart(reader, last, mended)).share < ALIKE, "all mistakes are mended");
    last = mended;
    for (const [thing, hide] of Object.entries(things)) {
      await hide(tab);
      const without = await shot(tab, hidden);
      const { share } = await apart(reader, last, without);
      console.log(`      ${thing} is in ${percent(share)}`);
      assert(share > DRAWN, `${thing} is drawn`);
      last = without;
    }
    await close(tab);
  }
  await reader.close();
}
