// Times of the last frames.

/** Mean of the last values, because clocks of browsers tick in steps of a tenth of a millisecond. */
export class Mean {
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

  /** Median of the values, which ignores interruptions. */
  get median() {
    const values = this.values.slice(0, Math.min(this.count, this.values.length)).sort();
    return values[values.length >> 1] ?? 0;
  }

  get mean() {
    const length = Math.min(this.count, this.values.length);
    let sum = 0;
    for (let i = 0; i < length; i++) sum += this.values[i];
    return length === 0 ? 0 : sum / length;
  }
}

/** Formats a time in a suitable unit. */
export function milliseconds(value) {
  if (value >= 999.5) return `${(value / 1000).toFixed(1)} s`;
  return value < 0.995 ? `${Math.round(1000 * value)} µs` : `${value.toFixed(1)} ms`;
}
