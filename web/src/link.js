// Values of a link: `key=value` after the tab, in short texts that are read back without a loss.

/** Largest number of characters that are quoted in a message. */
const MAX_QUOTED = 40;

/** Shortens a text for a message. */
export const quoted = (text) => (text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

/** Returns the shortest decimal text of a number that `isSame` accepts. */
export function shortest(value, isSame) {
  for (let digits = 1; digits <= 17; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (isSame(rounded)) return String(rounded);
  }
  return String(value);
}

/** Text of a number in single precision. */
export const single = (value) => shortest(value, (rounded) => Math.fround(rounded) === Math.fround(value));

/** Text of a share from 0 to 1, of which the module knows a number of steps. */
export const share = (value, steps) =>
  shortest(value, (rounded) => Math.round(rounded * steps) === Math.round(value * steps));

/** Number that a text is, or undefined. */
export function number(text) {
  const value = Number(text);
  return text.trim() !== "" && Number.isFinite(value) ? value : undefined;
}

/** Reads a number between two bounds, which are allowed. */
export const between = (least, most) => (text) => {
  const value = number(text);
  return value !== undefined && value >= least && value <= most ? value : undefined;
};

/** Reads a whole number between two bounds, which are allowed. */
export const wholeBetween = (least, most) => (text) => {
  const value = between(least, most)(text);
  return Number.isInteger(value) ? value : undefined;
};

/** Reads one of some words. */
export const oneOf = (words) => (text) => (words.includes(text) ? text : undefined);

/** Reads a key without a value. */
export const isThere = (text) => (text === "" ? true : undefined);

/** Reads numbers separated by commas; `accepts` gets each with its index. */
export const list = (length, accepts) => (text) => {
  const values = text.split(",").map(number);
  return values.length === length && values.every((value, index) => value !== undefined && accepts(value, index))
    ? values
    : undefined;
};

/** Values that a link asks for; a reader returns undefined for a bad one, which is then named in `refused`. */
export class Asked {
  constructor(text) {
    this.values = new Map();
    for (const [key, value] of new URLSearchParams(text)) {
      this.values.set(key, [...(this.values.get(key) ?? []), value]);
    }
    this.refused = [];
  }

  get isEmpty() {
    return this.values.size === 0;
  }

  /** Takes all values of a key as they are. */
  takeAll(key) {
    const values = this.values.get(key) ?? [];
    this.values.delete(key);
    return values;
  }

  /** Takes the value of a key; undefined if it is absent or bad. */
  take(key, read) {
    const values = this.takeAll(key);
    if (values.length === 0) return undefined;
    const value = values.length === 1 ? read(values[0]) : undefined;
    if (value === undefined) this.refuse(key, values.join("&"));
    return value;
  }

  refuse(key, text) {
    this.refused.push(quoted(text === "" ? key : `${key}=${text}`));
  }

  /** Refuses what nobody has taken. */
  finish() {
    for (const [key, values] of this.values) this.refuse(key, values.join("&"));
    this.values.clear();
  }
}

/** Joins keys and values to an address; keys whose value is null are left out. */
export function address(tab, pairs) {
  // Commas need no code, and are easier to read.
  const code = (text) => encodeURIComponent(text).replaceAll("%2C", ",");
  const words = pairs.filter(([, value]) => value !== null).map(([key, value]) => (value === "" ? key : `${key}=${code(value)}`));
  return `#${[tab, ...words].join("&")}`;
}
