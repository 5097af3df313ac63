// Numbers of a frame: tests, slack, time, the list of hits.

import { $, el, metres, setText, whole } from "../dom.js";
import { Mean, milliseconds } from "../mean.js";
import { doubles, floats, wholes } from "../wasm.js";
import { WIDTH } from "./marks.js";

const [DEPTH, SLACK] = [7, 8];
const LISTED = 5;

/** Time in each frame for repeated queries [ms]. */
const SETTLE = 2;

export class Counters {
  constructor() {
    this.contacts = new Mean();
    this.all = new Mean();
    this.rows = [];
    for (let i = 0; i < LISTED; i++) {
      const [names, depth] = [el("span"), el("span", { className: "number" })];
      const row = el("li", { hidden: true }, names, depth);
      $("hit-list").append(row);
      this.rows.push({ row, names, depth });
    }
  }

  timed(contacts, all) {
    this.contacts.add(contacts);
    this.all.add(all);
  }

  /** Repeats the query at rest, some milliseconds a frame, until there are enough times for a median. */
  settle(question) {
    if (this.contacts.isFull) return;
    const [begin, times] = [performance.now(), 10];
    do {
      const from = performance.now();
      for (let i = 0; i < times; i++) question();
      this.contacts.add((performance.now() - from) / times);
    } while (performance.now() - begin < SETTLE && !this.contacts.isFull);
    setText($("count-time"), milliseconds(this.contacts.median));
  }

  /** Drops the times of an earlier setting. */
  restart() {
    this.contacts.clear();
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
    setText($("count-time"), milliseconds(this.contacts.mean));
    setText($("count-all"), milliseconds(this.all.mean));
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
