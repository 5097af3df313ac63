// The frame that is seen first: the kick lands.

export const FIRST = 228;
