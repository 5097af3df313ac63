// Number of the first visible frame: the kick lands.

export const FIRST = 228;
