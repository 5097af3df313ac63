// The tab Crowd in a link: people, what is tested, the instruction set, and the frame at rest.

import { oneOf, wholeBetween } from "../link.js";

/** Most people of a link: those of the slider. */
const MAX_PEOPLE = 2000;

/** Largest frame of a link: an hour. */
const MAX_FRAME = 60 * 60 * 60;

export const crowdLink = {
  files: ({ crowd }) => [crowd.file.name],

  write({ crowd }) {
    const { start, people, tested, depth, simd, simdNames, playing, frame } = crowd;
    return [
      ["people", people === start.people ? null : String(people)],
      ["tested", tested === start.tested ? null : "boxes"],
      ["depth", tested === start.tested ? null : String(depth)],
      ["simd", simd === start.simd ? null : simdNames[simd]],
      ["frame", playing ? null : String(frame)],
    ];
  },

  read({ crowd }, asked) {
    const { start, simdNames, deepest } = crowd;
    const people = asked.take("people", wholeBetween(1, MAX_PEOPLE)) ?? start.people;
    const boxes = asked.take("tested", oneOf(["boxes"]));
    const depth = asked.take("depth", wholeBetween(0, deepest)) ?? start.depth;
    const simd = asked.take("simd", oneOf(simdNames));
    const frame = asked.take("frame", wholeBetween(0, MAX_FRAME));
    if (people !== crowd.people) {
      crowd.setPeople(people);
      crowd.seeWhole();
    }
    if (frame !== undefined) {
      crowd.play(false);
      crowd.seek(frame);
    }
    crowd.set({
      tested: boxes ? "depth" : start.tested,
      depth,
      simd: simd === undefined ? start.simd : simdNames.indexOf(simd),
    });
  },
};
