// Links: every tab is opened again as it was left, and what is bad in a link is named.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Asked, address, between, list, number, share, single, wholeBetween } from "../src/link.js";
import { close, drop, opened, slide, text } from "./tab.mjs";

const fighterFile = fileURLToPath(new URL("../../examples/fighter/fighter.glb", import.meta.url));

/** What the crate says about what is shown, and what the page says about it. */
const state = (tab) =>
  tab.evaluate(() => {
    const { fight, robot, crowd, walk, dial } = boxwoodPage;
    const list = (view, Kind) => {
      const copy = Array.from(new Kind(boxwoodPage.memory().buffer, view.at, view.len)).map(String);
      view.free();
      return copy.join();
    };
    const { kind, depth, tolerance, budget } = dial;
    const accuracy = [kind, depth, kind === "within" ? tolerance : 0, kind === "budget" ? budget : 0];
    const answers = {
      fight: () => [
        accuracy,
        list(fight.arena.matrices(), Float32Array),
        list(fight.arena.hit_numbers(), Float32Array),
        list(fight.arena.counts(), Float64Array),
        fight.lineCount,
        ["clip-red", "clip-blue"].map((id) => document.getElementById(id).selectedOptions[0].textContent),
        document.getElementById("distance-value").textContent,
        fight.tick.isOn && document.getElementById("tick-time-value").textContent,
        [document.getElementById("apply-push").checked, fight.tick.rate, document.getElementById("frame-number").textContent],
      ],
      robot: () => [
        list(robot.robot.pairs(), Uint32Array),
        list(robot.robot.nearest(), Float64Array),
        list(robot.robot.edge(), Float64Array),
        robot.values,
        robot.edge.ends.map((end) => Array.from(end)),
        [robot.tested, robot.depth, robot.wires, robot.group.rotation.x, document.getElementById("edge-says").textContent],
      ],
      crowd: () => [
        list(crowd.crowd.touching(), Uint32Array),
        list(crowd.crowd.counts(), Float64Array),
        list(crowd.crowd.matrices(), Float32Array).length,
        [crowd.people, crowd.simd, crowd.frame, crowd.depth],
      ],
      // Rounded as in the link.
      walk: () => [walk.centre.map((x) => x.toFixed(4)), walk.isCrouched, walk.pilot === null],
      depth: () => [accuracy, boxwoodPage.depth.file.name],
    };
    // Buttons show what is set.
    const pressed = [...document.querySelectorAll(`#panel-${document.body.dataset.tab} [aria-pressed=true]`)].map((button) => button.textContent);
    return { ...Object.fromEntries([document.body.dataset.tab].map((name) => [name, answers[name]()])), pressed };
  });

/** Returns the link of what is shown, once the page has written it. */
async function link(tab) {
  await tab.waitForFunction(() => location.hash === boxwoodPage.address.text);
  return tab.evaluate(() => location.hash);
}

/** Goes to an address without a reload. */
const go = (tab, hash) =>
  tab.evaluate(
    (hash) =>
      new Promise((done) => {
        addEventListener("hashchange", () => done(), { once: true });
        location.hash = hash;
      }),
    hash,
  );

/** Shows the link of a tab in another page, opened anew or from what it showed before, and compares. */
async function comesBack(tab, words, before = null) {
  const hash = await link(tab);
  console.log(`   ${hash}`);
  for (const word of words) assert(hash.includes(word), `${hash} has ${word}`);
  const other = before ?? (await opened({ hash }));
  if (before) await go(other, hash);
  assert(!(await other.isVisible("#warnings")), `nothing of ${hash} is refused`);
  assert.deepEqual(await state(other), await state(tab), hash);
  assert.equal(await other.evaluate(() => boxwoodPage.address.text), hash, "its own link is the same");
  return other;
}

export const linkChecks = {
  async "texts of links are short, and read back without a loss"() {
    for (const value of [0.1, 1 / 3, -2.5e-7, 123456.789, 0]) {
      assert.equal(Math.fround(Number(single(Math.fround(value)))), Math.fround(value));
      assert(single(Math.fround(value)).length <= 13);
    }
    assert.equal(single(Math.fround(0.1)), "0.1");
    for (const value of [0, 0.35, 1 / 3, 1]) assert.equal(Math.round(Number(share(value, 65536)) * 65536), Math.round(value * 65536));
    assert.equal(share(0.35, 65536), "0.35");
    for (const bad of ["", " ", "x", "NaN", "Infinity", "1,2"]) assert.equal(number(bad), undefined, bad);
    assert.deepEqual([wholeBetween(0, 9)("9"), wholeBetween(0, 9)("10"), wholeBetween(0, 9)("1.5"), between(0, 1)("-0.1")], [9, undefined, undefined, undefined]);
    assert.deepEqual([list(2, () => true)("1,2"), list(2, () => true)("1"), list(2, (x) => x > 0)("1,-1"), list(2, () => true)("1,")], [[1, 2], undefined, undefined, undefined]);
    const asked = new Asked("a=1&b&c=x%26y&c=z&d=2");
    assert.deepEqual([asked.take("a", number), asked.take("b", number), asked.takeAll("c"), asked.take("e", number)], [1, undefined, ["x&y", "z"], undefined]);
    asked.finish();
    assert.deepEqual(asked.refused, ["b", "d=2"]);
    assert.equal(address("fight", [["exact", ""], ["frame", null], ["red", "a,b&c=d #é"]]), "#fight&exact&red=a,b%26c%3Dd%20%23%C3%A9");
  },

  async "a link keeps what is shown, on every tab"() {
    const tab = await opened();
    // Fight: clips by their names, so that a frame is the same picture.
    await slide(tab, "dial-depth", 5);
    await tab.selectOption("#clip-red", { label: "kick" });
    await tab.selectOption("#clip-blue", { label: "jab" });
    await slide(tab, "time", 40);
    let other = await comesBack(tab, ["#fight&depth=5&red=kick&blue=jab&frame=40"]);
    await slide(tab, "distance", Number(await tab.inputValue("#distance")) * 0.83);
    await tab.click("#accuracy button[value=within]");
    await slide(tab, "tolerance", 37);
    await tab.click('#detail button[value="2"]');
    await tab.click("#wires button[value=hulls]");
    await tab.click("#body button[value=parts]");
    await tab.uncheck("#apply-push");
    await tab.click('#tick-rate button[value="10"]');
    await slide(tab, "tick-time", 357);
    const all = ["within=", "drawn=5", "distance=", "pushes=off", "contacts=boxes", "body=parts", "tree=hulls", "tick=10", "time="];
    await comesBack(tab, all, other);
    await close(other);
    await tab.click("#tick-next");
    other = await comesBack(tab, ["time="]);
    await tab.click("#accuracy button[value=budget]");
    await slide(tab, "budget", 33);
    await comesBack(tab, ["budget="], other);
    // Depth shares the accuracy.
    await tab.click("#tab-depth");
    await comesBack(tab, ["#depth&budget="], other);
    await slide(tab, "depth-wide", 7);
    await comesBack(tab, ["#depth&depth=7"], other);

    // Robot: on the edge, then beside it, with ends of its own.
    await tab.click("#tab-robot");
    await link(tab);
    await slide(tab, "edge-time", 0.123456789);
    await comesBack(tab, ["#robot&on=0.12"], other);
    await tab.click("#robot-random");
    await comesBack(tab, ["#robot&values="], other);
    await tab.click("#store-b");
    await tab.click("#robot-tested button[value=depth]");
    await slide(tab, "robot-depth", 2);
    await tab.click("#robot-wires button[value=hulls]");
    await tab.uncheck("#robot-upright");
    await close(other);
    other = await comesBack(tab, ["tested=boxes&depth=2&tree=hulls&lying&on=1&b="]);
    await tab.click("#robot-random");
    await tab.click("#store-a");
    await slide(tab, "joint-1", 0.3);
    await comesBack(tab, ["&values=", "&a=", "&b="], other);
    if (await tab.isVisible("#edge-first")) {
      await tab.click("#edge-first");
      await comesBack(tab, ["&on="], other);
    }

    // Crowd.
    await tab.click("#tab-crowd");
    await slide(tab, "crowd-size", 60);
    await slide(tab, "crowd-depth", 3);
    await tab.locator("#crowd-simd button").first().click();
    for (let i = 0; i < 3; i++) await tab.click("#crowd-step");
    await close(other);
    other = await comesBack(tab, ["#crowd&people=60&tested=boxes&depth=3&simd=", "&frame=3"]);

    // Walk: the place, once the user has taken over.
    await tab.click("#tab-walk");
    assert.equal(await link(tab), "#walk");
    await tab.keyboard.press("KeyW", { delay: 700 });
    await tab.waitForTimeout(300);
    await close(other);
    await close(await comesBack(tab, ["#walk&at="]));
    await tab.click("#autopilot");
    assert.equal(await link(tab), "#walk");
    await close(tab);
  },

  async "a link changes a page that is open, and leaves nothing of the one before"() {
    const tab = await opened();
    const start = await state(tab);
    const frame = await tab.evaluate(() => boxwoodPage.fight.player.frame);
    await go(tab, "#fight&within=0.02&red=kick&distance=0.9&contacts=parts&tree=none&frame=10&tick=5&time=0.5");
    assert.notDeepEqual(await state(tab), start);
    await go(tab, `#fight&frame=${frame}`);
    assert.deepEqual(await state(tab), start);
    await go(tab, "#robot&tested=boxes&depth=1&values=0.1,0.2,0,0,0,0,0.05");
    assert.deepEqual(await tab.evaluate(() => boxwoodPage.robot.values), [0.1, 0.2, 0, 0, 0, 0, 0.05].map(Math.fround));
    // A tab alone changes no more than the tab.
    await go(tab, "#fight");
    await go(tab, "#robot");
    assert.deepEqual(await tab.evaluate(() => boxwoodPage.robot.values), [0.1, 0.2, 0, 0, 0, 0, 0.05].map(Math.fround));
    assert(!(await tab.isVisible("#warnings")));
    await close(tab);
  },

  async "bad values of a link are ignored, and named"() {
    const bad = [
      ["#nothing", ["there is no tab nothing"]],
      ["#fight&depth=x&frame=&body=parts", ["depth=x is ignored", "frame is ignored"]],
      ["#fight&depth=99", ["depth=99 is ignored"]],
      ["#fight&red=dance&distance=-1&tick=7&time=0.5&frame=300", ["red=dance", "distance=-1", "tick=7", "time=0.5", "frame=300"]],
      ["#fight&budget=0&exact=1&contacts=all&pushes=on&colour=red", ["budget=0", "exact=1", "contacts=all", "pushes=on", "colour=red"]],
      ["#robot&values=1,2", ["values=1,2 is ignored"]],
      ["#robot&values=9,9,9,9,9,9,9&tested=exact&on=2&lying=no", ["values=9,9,9,9,9,9,9", "tested=exact", "on=2", "lying=no"]],
      ["#crowd&people=1e9&simd=magic&frame=0.5", ["people=1e9", "simd=magic", "frame=0.5"]],
      ["#walk&at=1e30,0,0", ["at=1e+30,0,0"]],
      ["#walk&at=1,-0.2,1", ["at=1,-0.2,1"]],
      ["#walk&at=1,2", ["at=1,2"]],
      ["#depth&within=-1&frame=3", ["within=-1", "frame=3"]],
      [`#depth&${"x".repeat(5000)}=<b>`, ["is ignored"]],
      ["#fight&frame=1&frame=2", ["frame=1&2"]],
      ["#walk&%E0%A4%A", ["is ignored"]],
      [`#${"y".repeat(5000)}`, ["there is no tab yyy"]],
      [`#robot&file=${"z".repeat(5000)}`, ["it shows zzz"]],
    ];
    const tab = await opened({ hash: bad[0][0] });
    for (const [hash, refused] of bad) {
      if (hash !== bad[0][0]) await go(tab, hash);
      assert(!(await tab.isVisible("#trouble")), hash);
      const words = await text(tab, "warnings-text");
      for (const word of refused) assert(words.includes(word), `${hash} names ${word}: ${words}`);
      assert(words.length < 500, "it quotes no more than is needed");
      assert.equal(await tab.locator("#warnings b").count(), 0, "words of a link are text");
      if (hash.startsWith("#fight&depth=x")) assert.equal(await tab.evaluate(() => boxwoodPage.fight.body), "parts", "what is good is shown");
      await tab.click("#warnings-close");
    }
    await close(tab);
  },

  async "a link of an own file waits for the file"() {
    const fighter = await readFile(fighterFile);
    const tab = await opened();
    await drop(tab, "mine.glb", fighter);
    await tab.waitForFunction(() => document.getElementById("file-red").textContent === "mine.glb", null, { timeout: 60_000 });
    await slide(tab, "dial-depth", 2);
    await slide(tab, "time", 77);
    const hash = await link(tab);
    assert.equal(hash, "#fight&depth=2&frame=77&file=mine.glb");
    const expected = await state(tab);
    await close(tab);
    const other = await opened({ hash });
    const start = await other.evaluate(() => boxwoodPage.fight.player.frame);
    assert.notEqual(start, 77);
    assert((await text(other, "warnings-text")).includes("it shows mine.glb, which it does not contain"));
    await drop(other, "mine.glb", fighter);
    await other.waitForFunction(() => boxwoodPage.fight.player.frame === 77, null, { timeout: 60_000 });
    assert.deepEqual(await state(other), expected);
    assert(!(await other.isVisible("#warnings")));
    await close(other);
  },

  async "while it plays, the address keeps the tab, and no time"() {
    const tab = await opened({ plays: true, hash: "#fight&depth=5" });
    assert(await tab.evaluate(() => boxwoodPage.fight.player.playing), "without a frame it plays");
    await tab.click("#tab-crowd");
    await tab.waitForFunction(() => location.hash === "#crowd");
    await tab.click("#crowd-play");
    await tab.waitForFunction(() => /^#crowd&frame=\d+$/.test(location.hash));
    const other = await opened({ plays: true, hash: await tab.evaluate(() => location.hash) });
    assert(!(await other.evaluate(() => boxwoodPage.crowd.playing)), "a frame stops it");
    assert.deepEqual(await state(other), await state(tab));
    await close(other);
    await close(tab);
  },
};
