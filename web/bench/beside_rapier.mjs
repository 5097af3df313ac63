// Compares boxwood with rapier.js in Node: touching boxes of two fighters of one box a part, in the
// same poses, over the 300 frames of their fight. Prints the time of a frame, whether the answers
// are equal, and the distance of boxes where they differ.
//
//   web/build                                       the module, in wasm/pkg
//   cd web/bench && npm ci && node beside_rapier.mjs [--rounds 9]
//
// A round is all frames by every implementation in turn; a time is the median of the rounds.
// Converting poses to an implementation's types is done before the clock starts; passing them to
// the library is counted.

import { readFile } from "node:fs/promises";
import * as boxwood from "../wasm/pkg/boxwood_web.js";
import { Boxes } from "./boxes.mjs";
import { RapierShapes, RapierWorld } from "./rapier.mjs";

const at = process.argv.indexOf("--rounds");
const ROUNDS = at < 0 ? 9 : Number(process.argv[at + 1]);
const FRAMES = 300;

const here = (path) => new URL(path, import.meta.url);
const { memory } = boxwood.initSync({ module: await readFile(here("../wasm/pkg/boxwood_web_bg.wasm")) });
const fighter = new boxwood.Character("fighter.glb", await readFile(here("../../examples/fighter/fighter.glb")));
const character = fighter.boxes_only();

function list(Kind, view) {
  const copy = Kind.from(new Kind(memory.buffer, view.at, view.len));
  view.free();
  return copy;
}

/** Number of a pair: made of the part of red and the part of blue. */
const pairOf = (red, blue) => 1000 * red + blue;

const libraries = [];
for (const name of ["@dimforge/rapier3d-simd-compat", "@dimforge/rapier3d-compat"]) {
  const { default: library } = await import(name);
  await quietly(() => library.init());
  libraries.push([`rapier.js ${library.version()}${name.includes("simd") ? ", SIMD" : ""}`, library]);
}

/** Runs `start` without the library's output to the console. */
async function quietly(start) {
  const { warn, log } = console;
  console.warn = console.log = () => {};
  await start();
  Object.assign(console, { warn, log });
}

console.log(`${FRAMES} frames, the median of ${ROUNDS} rounds, Node ${process.version}`);
compare("the fight: pushed apart where they touch", () => {});
compare("a fight at close quarters: 40 cm apart at the start, not pushed", (arena) => {
  arena.set_pushing(false);
  arena.distance = 0.4;
});

/** Compares both libraries at all frames of a fight. */
function compare(title, arrange) {
  const arena = new boxwood.Arena(character, character);
  arrange(arena);
  const frames = Array.from({ length: FRAMES }, (_, frame) => {
    arena.pose(frame);
    return list(Float32Array, arena.matrices());
  });
  const boxes = new Boxes(character, frames);
  const ways = [
    {
      name: `boxwood (${boxwood.simd_level()}): contacts`,
      place: (frame) => arena.pose(frame),
      ask: () => arena.find_contacts(0.1),
      pairs() {
        const sites = list(Uint32Array, arena.hit_sites());
        return Array.from({ length: sites.length / 6 }, (_, hit) => pairOf(sites[6 * hit + 1], sites[6 * hit + 4]));
      },
    },
    ...libraries.flatMap(([called, library]) => [
      new RapierWorld(`${called}: step, intersections of sensors`, library, boxes, true),
      new RapierWorld(`${called}: step, contacts`, library, boxes, false),
      new RapierShapes(`${called}: \`intersectsShape\`, pair by pair`, library, boxes),
    ]),
  ];
  const times = timed(ways);
  console.log(`\n${title}; 2 x ${boxes.solid.length} boxes\n`);
  console.log("| | poses given | a frame in all | as many times ours | pairs, all frames | of them not ours | ours not among them |");
  console.log("|---|---|---|---|---|---|---|");
  const expected = answers(ways[0]);
  let farthest = 0;
  for (const [index, way] of ways.entries()) {
    const given = answers(way);
    const differing = { more: 0, fewer: 0 };
    for (let frame = 0; frame < FRAMES; frame++) {
      const [a, b] = [new Set(given[frame]), new Set(expected[frame])];
      const more = [...a].filter((pair) => !b.has(pair));
      const fewer = [...b].filter((pair) => !a.has(pair));
      differing.more += more.length;
      differing.fewer += fewer.length;
      for (const pair of [...more, ...fewer]) {
        const apart = ways.at(-1).distance(frame, Math.floor(pair / 1000), pair % 1000);
        farthest = Math.max(farthest, Math.abs(apart));
      }
    }
    const { place, all } = times[index];
    const pairs = given.reduce((sum, frame) => sum + frame.length, 0);
    const ratio = median(all) / median(times[0].all);
    console.log(
      `| ${way.name} | ${micro(median(place))} | ${micro(median(all))} | ${ratio.toFixed(1)} | ${pairs} | ${differing.more} | ${differing.fewer} |`,
    );
  }
  console.log(`\nWhere answers differ, the boxes are at most ${(1000 * farthest).toFixed(3)} mm from touching.`);
}

/** Times of a frame by implementation and round: placing, and all [ms]. */
function timed(ways) {
  const times = ways.map(() => ({ place: [], all: [] }));
  const once = (work) => {
    const begin = performance.now();
    for (let frame = 0; frame < FRAMES; frame++) work(frame);
    return (performance.now() - begin) / FRAMES;
  };
  for (let round = 0; round < ROUNDS + 1; round++) {
    for (const [index, way] of ways.entries()) {
      const place = once((frame) => way.place(frame));
      const all = once((frame) => {
        way.place(frame);
        way.ask(frame);
      });
      if (round === 0) continue; // the first round compiles the code
      times[index].place.push(place);
      times[index].all.push(all);
    }
  }
  return times;
}

function answers(way) {
  return Array.from({ length: FRAMES }, (_, frame) => {
    way.place(frame);
    way.ask(frame);
    return way.pairs(frame);
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function micro(milliseconds) {
  return `${(1000 * milliseconds).toFixed(1)} us`;
}
