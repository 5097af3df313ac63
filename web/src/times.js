// Times of frames and queries. Clocks of browsers have steps of a tenth of a millisecond, so single
// times of that order say little.

/** Least time of one measurement, ten steps of the clock [ms]. */
const TIMED = 1;

/** Median of the last times, which ignores interruptions. */
export class Times {
  constructor(room = 90) {
    this.values = new Float64Array(room);
    this.count = 0;
  }

  clear() {
    this.count = 0;
  }

  get isFull() {
    return this.count >= this.values.length;
  }

  add(value) {
    this.values[this.count++ % this.values.length] = value;
  }

  get median() {
    const values = this.values.slice(0, Math.min(this.count, this.values.length)).sort();
    return values[values.length >> 1] ?? 0;
  }
}

/**
 * Median of the last batches of frames, without the start. The sum of a batch is exact to a few steps
 * of the clock, even where a frame takes less than one step: then single times are 0 or a whole step.
 */
export class FrameTimes {
  constructor({ skipped = 30, batch = 20, batches = 15 } = {}) {
    Object.assign(this, { skipped, batch });
    this.batches = new Times(batches);
    this.clear();
  }

  clear() {
    this.batches.clear();
    [this.seen, this.sum, this.summed] = [0, 0, 0];
  }

  add(time) {
    // The first frames are slow: the browser compiles, and buffers grow.
    if (this.seen++ < this.skipped) return;
    this.sum += time;
    if (++this.summed < this.batch) return;
    this.batches.add(this.sum / this.batch);
    [this.sum, this.summed] = [0, 0];
  }

  /** Median of the batches, or null before the first. */
  get median() {
    return this.batches.count === 0 ? null : this.batches.median;
  }
}

/** Measures the time of one run of some work, from as many runs as the clock resolves [ms]. */
export function measure(work) {
  const from = performance.now();
  let [taken, runs] = [0, 0];
  // As many again each time: a long run is not repeated, and the clock is read rarely.
  for (let more = 1; taken < TIMED; more = runs) {
    for (let i = 0; i < more; i++) work();
    runs += more;
    taken = performance.now() - from;
  }
  return taken / runs;
}

/** Formats a time in a suitable unit; a time that is not known is a dash. */
export function milliseconds(value) {
  if (value === null) return "–";
  if (value >= 999.5) return `${(value / 1000).toFixed(1)} s`;
  return value < 0.995 ? `${Math.round(1000 * value)} µs` : `${value.toFixed(1)} ms`;
}
