// The tab Depth in a link: the accuracy.

import { readAccuracy, writeAccuracy } from "../dial.js";

export const depthLink = {
  files: ({ depth }) => [depth.file.name],
  write: ({ dial }) => writeAccuracy(dial),
  read: ({ dial }, asked) => readAccuracy(dial, asked),
};
