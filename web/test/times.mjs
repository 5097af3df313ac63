// Times that the page shows: medians without the start, of a clock with coarse steps.

import assert from "node:assert/strict";
import { FrameTimes, milliseconds } from "../src/times.js";
import { close, opened, slide, text } from "./tab.mjs";

/** Step of the clock of browsers [ms]. */
const STEP = 0.1;

/** Returns a time in milliseconds of a text of the page, or NaN. */
function read(words) {
  const [, value, unit] = /^([\d.]+) (µs|ms)$/.exec(words) ?? [];
  return Number(value) * (unit === "µs" ? 1e-3 : 1);
}

export const timeChecks = {
  async "times of frames are medians without the start"() {
    const times = new FrameTimes();
    let now = 0.0371;
    const clock = () => Math.floor(now / STEP) * STEP;
    // Frames of 16.7 ms, of which the work takes a time less than a step of the clock.
    const frame = (work) => {
      const begin = clock();
      now += work;
      times.add(clock() - begin);
      now += 16.69 - work;
    };
    assert.equal(times.median, null);
    assert.equal(milliseconds(times.median), "–");
    for (let i = 0; i < times.skipped; i++) frame(40);
    // With an interruption every 50 frames.
    for (let i = 0; i < 400; i++) frame(i % 50 === 0 ? 30 : 0.037);
    assert(Math.abs(times.median - 0.037) < 0.012, `${times.median}`);
    for (let i = 0; i < 400; i++) frame(0.21);
    assert(Math.abs(times.median - 0.21) < 0.02, `it moves on: ${times.median}`);
  },

  async "the shown times of a frame are within a factor of eight of measured ones"() {
    const tab = await opened({ plays: true });
    await tab.waitForFunction(() => /\d/.test(document.getElementById("count-all").textContent), null, { timeout: 120_000 });
    const playing = [read(await text(tab, "count-time")), read(await text(tab, "count-all"))];
    await tab.click("#play");
    await slide(tab, "time", 120);
    await tab.waitForFunction(() => boxwoodPage.fight.counters.times.allAtRest.isFull, null, { timeout: 60_000 });
    const atRest = [read(await text(tab, "count-time")), read(await text(tab, "count-all"))];
    // The same frame, measured from outside.
    const truth = await tab.evaluate(() => {
      const { fight } = boxwoodPage;
      const run = (work) => {
        const times = Array.from({ length: 21 }, () => {
          const begin = performance.now();
          for (let i = 0; i < 40; i++) work();
          return (performance.now() - begin) / 40;
        });
        return times.sort((a, b) => a - b)[10];
      };
      return [run(() => fight.findContacts()), run(() => fight.answer())];
    });
    console.log(`   query and frame, playing ${playing.join(", ")}, at rest ${atRest.join(", ")}, measured ${truth.map((time) => time.toFixed(3)).join(", ")} ms`);
    for (const [index, time] of atRest.entries()) {
      assert(time > 0 && time < 8 * truth[index] + 0.05 && time > truth[index] / 8, `${time} is about ${truth[index]}`);
    }
    assert(playing.every((time) => time > 0 && time < 100));
    await close(tab);
  },
};
