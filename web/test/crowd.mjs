// The crowd tab: people, pairs, instruction sets, own characters.

import assert from "node:assert/strict";
import { close, drop, opened, picture, slide, text } from "./tab.mjs";

const count = async (tab, id) => Number((await text(tab, id)).replaceAll(",", ""));

/** Everything that the crate says about the frame that is shown. */
const answer = (tab) =>
  tab.evaluate(() => {
    const { crowd } = boxwoodPage.crowd;
    const list = (view, Kind) => {
      const copy = Array.from(new Kind(boxwoodPage.memory().buffer, view.at, view.len));
      view.free();
      return copy;
    };
    return { touching: list(crowd.touching(), Uint32Array), counts: list(crowd.counts(), Float64Array) };
  });

export const crowdChecks = {
  async "a crowd touches, frame by frame, with equal answers at every instruction set"() {
    const tab = await opened({ hash: "#crowd" });
    assert.equal(await text(tab, "crowd-size-value"), "1,000");
    const pairs = await count(tab, "crowd-pairs");
    assert(pairs > 100, `${pairs} pairs`);
    assert((await count(tab, "crowd-people")) > 50);
    assert.equal(await text(tab, "crowd-slack"), "0", "exact answers");
    await picture(tab, "crowd-light");
    const first = await answer(tab);
    const levels = tab.locator("#crowd-simd button");
    assert((await levels.count()) >= 2, "plain code and lanes");
    for (let level = 0; level < (await levels.count()); level++) {
      await levels.nth(level).click();
      assert.deepEqual(await answer(tab), first, await levels.nth(level).textContent());
    }
    // Boxes alone report more, never less; deeper boxes fewer.
    await tab.click("#crowd-tested button[value=depth]");
    const coarse = await count(tab, "crowd-pairs");
    await slide(tab, "crowd-depth", 4);
    const fine = await count(tab, "crowd-pairs");
    assert(coarse > fine && fine >= pairs, `${coarse}, ${fine}, ${pairs}`);
    assert((await text(tab, "crowd-slack")) !== "0");
    await tab.click("#crowd-tested button[value=exact]");
    assert.deepEqual((await answer(tab)).touching, first.touching);
    await tab.click("#crowd-step");
    assert.notDeepEqual((await answer(tab)).touching, first.touching);
    await slide(tab, "crowd-size", 100);
    assert((await count(tab, "crowd-pairs")) < pairs);
    assert((await text(tab, "crowd-counts")).startsWith("2,"), "a hundred times the parts of one");
    const drawn = await tab.evaluate(() => {
      const { mesh, hot, colors } = boxwoodPage.crowd;
      const red = (box) => Math.abs(mesh.instanceColor.getX(box) - colors.hot.r) < 1e-6;
      return { count: mesh.count, marked: Array.from({ length: mesh.count }, (_, box) => red(box)).filter(Boolean).length, hot: hot.length };
    });
    assert.equal(drawn.marked, drawn.hot, "what touches is marked, and nothing else");
    await close(tab);
  },

  async "a crowd plays, and of an own character"() {
    const tab = await opened({ hash: "#crowd" });
    await slide(tab, "crowd-size", 60);
    await tab.click("#crowd-play");
    await tab.waitForFunction(() => /\d/.test(document.getElementById("crowd-rate").textContent), null, { timeout: 60_000 });
    await tab.click("#crowd-play");
    const before = await answer(tab);
    const cubes = await tab.evaluate(async () => {
      const { file } = boxwoodPage.crowd;
      return { name: file.name, parts: file.character.parts().length };
    });
    assert.equal(cubes.name, "fighter.glb");
    const level = await tab.evaluate(() => boxwoodPage.crowd.crowd.boxes());
    assert(level > 10 && before.touching.every((box) => box < 60 * level));
    const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    await drop(tab, "no character.glb", triangle);
    await tab.waitForFunction(() => document.getElementById("trouble")?.hidden === false, null, { timeout: 30_000 });
    assert.deepEqual(await answer(tab), before, "a file that is refused changes nothing");
    await close(tab);
  },
};
