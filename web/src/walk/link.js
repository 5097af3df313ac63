// The tab Walk in a link: the place of the walker, once the user has taken over.

import { list } from "../link.js";

/** Decimals of a place [m]: a tenth of the gap that the walker keeps from walls. */
const DECIMALS = 4;

const [KEY, CROUCHED] = ["at", "crouched-at"];

export const walkLink = {
  files: ({ walk }) => [walk.name],

  write({ walk }) {
    if (walk.pilot) return [];
    const { centre, isCrouched } = walk;
    return [[isCrouched ? CROUCHED : KEY, centre.map((value) => String(Number(value.toFixed(DECIMALS)))).join(",")]];
  },

  read({ walk }, asked) {
    for (const key of [KEY, CROUCHED]) {
      const place = asked.take(key, list(3, Number.isFinite));
      if (!place) continue;
      try {
        walk.place(...place, key === CROUCHED);
      } catch {
        // A wall is there.
        asked.refuse(key, place.join(","));
      }
    }
  },
};
