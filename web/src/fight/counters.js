// Numbers of a frame: tests, slack, time, the list of hits.

import { $, el, metres, setText, whole } from "../dom.js";
import { FrameTimes, Times, measure, milliseconds } from "../times.js";
import { doubles, floats, wholes } from "../wasm.js";
import { WIDTH } from "./marks.js";

const [DEPTH, SLACK] = [7, 8];
const LISTED = 5;

/** Time in each frame for repeated queries [ms]. */
const SETTLE = 2;

/** Number of measurements at rest, of whose times the median is shown. */
const SETTLED = 15;

/** Times of the query and of the whole frame: while it plays, and repeated at rest. */
class QueryTimes {
  constructor() {
    [this.query, this.all] = [new FrameTimes(), new FrameTimes()];
    [this.queryAtRest, this.allAtRest] = [new Times(SETTLED), new Times(SETTLED)];
    this.isWarm = false;
  }

  add([query, all]) {
    this.query.add(query);
    this.all.add(all);
  }

  clear() {
    for (const times of [this.query, this.all, this.queryAtRest, this.allAtRest]) times.clear();
    this.isWarm = false;
  }

  /** Repeats the query and the whole frame, some milliseconds a call, until there are enough times. */
  settle(query, all) {
    if (this.allAtRest.isFull) return;
    const begin = performance.now();
    if (!this.isWarm) {
      // The first runs are slower than all others.
      measure(query);
      measure(all);
      this.isWarm = true;
    }
    while (!this.allAtRest.isFull && performance.now() - begin < SETTLE) {
      this.queryAtRest.add(measure(query));
      this.allAtRest.add(measure(all));
    }
  }

  show() {
    const atRest = (times) => (times.count > 0 ? times.median : null);
    setText($("count-time"), milliseconds(this.query.median ?? atRest(this.queryAtRest)));
    setText($("count-all"), milliseconds(this.all.median ?? atRest(this.allAtRest)));
  }
}

export class Counters {
  constructor() {
    this.times = new QueryTimes();
    this.rows = [];
    for (let i = 0; i < LISTED; i++) {
      const [names, depth] = [el("span"), el("span", { className: "number" })];
      const row = el("li", { hidden: true }, names, depth);
      $("hit-list").append(row);
      this.rows.push({ row, names, depth });
    }
  }

  show(arena, names) {
    const hits = floats(arena.hit_numbers());
    const numbers = Array.from({ length: hits.length / WIDTH }, (_, i) => [
      hits[i * WIDTH + DEPTH],
      hits[i * WIDTH + SLACK],
    ]);
    const sites = Array.from(wholes(arena.hit_sites()));
    const [parts, boxes, hulls, primitives, exact, points, slack, met] = doubles(arena.counts());
    const count = numbers.length;
    setText($("count-hits"), whole(count));
    setText($("count-parts"), whole(parts));
    setText($("count-boxes"), whole(boxes));
    setText($("count-hulls"), whole(hulls));
    setText($("count-triangles"), whole(primitives + exact + points));
    setText($("count-slack"), count === 0 ? "–" : metres(slack));
    this.times.show();
    $("open-pairs").hidden = met === 1;
    this.list(numbers, sites, names);
  }

  list(numbers, sites, names) {
    const order = numbers.map((_, i) => i).sort((a, b) => numbers[b][0] - numbers[a][0]);
    for (const [place, { row, names: text, depth }] of this.rows.entries()) {
      const hit = order[place];
      row.hidden = hit === undefined;
      if (row.hidden) continue;
      const [sideA, partA, , sideB, partB] = sites.slice(6 * hit, 6 * hit + 6);
      setText(text, `${names[sideA][partA]} – ${names[sideB][partB]}`);
      const deep = numbers[hit][0];
      setText(depth, deep < 0 ? `${metres(-deep)} apart` : metres(deep));
    }
    const more = numbers.length - LISTED;
    setText($("hit-more"), more > 0 ? `and ${more} more` : numbers.length ? "" : "Nothing touches.");
  }
}
