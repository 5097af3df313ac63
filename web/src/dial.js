// The dial: depth, tolerance, exact or budget. All tabs share it.

import { $, choice, metres, setText, whole } from "./dom.js";
import { between, isThere, wholeBetween } from "./link.js";

export const KINDS = { depth: 0, within: 1, exact: 2, budget: 3 };

/** Kind and depth at the start. */
const START = { kind: "depth", depth: 3 };

// Convert slider positions to values, and back: lengths and numbers of tests are on logarithmic
// scales. Lengths have three digits, so that links are short.
const tolerance = (position) => Number((10 ** (-4 + position / 25)).toPrecision(3));
const budget = (position) => Math.round(10 ** (position / 20));
const tolerancePosition = (value) => Math.round(25 * (4 + Math.log10(value)));
const budgetPosition = (value) => Math.round(20 * Math.log10(value));

const SAYS = {
  depth: (d) =>
    d.depth === 0
      ? "One box a part, and the convex hull inside it. The cheapest query there is."
      : `Boxes and hulls down to level ${d.depth} of each tree.`,
  within: (d) => `A reported pair is at most ${metres(d.tolerance)} apart. Coarse boxes do where they are tight.`,
  exact: () => "Triangle against triangle. Nothing is reported that is apart.",
  budget: (d) => `At most ${whole(d.budget)} box tests a frame; what is still open then counts as touching.`,
};

export class Dial {
  constructor() {
    Object.assign(this, START);
    this.tolerance = tolerance(50);
    this.budget = budget(40);
    this.deepest = 11;
    this.listeners = [];
    this.setKind = choice($("accuracy"), (kind) => this.set({ kind }));
    $("dial-depth").addEventListener("input", () => this.set({ depth: Number($("dial-depth").value) }));
    $("depth-wide").addEventListener("input", () => {
      this.set({ kind: "depth", depth: Number($("depth-wide").value) });
    });
    $("tolerance").addEventListener("input", () => {
      this.set({ tolerance: tolerance(Number($("tolerance").value)) });
    });
    $("budget").addEventListener("input", () => {
      this.set({ budget: budget(Number($("budget").value)) });
    });
    this.show();
  }

  /** Registers a function that is called after every change. */
  onTurn(listen) {
    this.listeners.push(listen);
  }

  /** Sets values. */
  set(values) {
    Object.assign(this, values);
    this.depth = Math.min(this.depth, this.deepest);
    this.show();
    this.listeners.forEach((listen) => listen(this));
  }

  /** Value of the current kind. */
  get value() {
    return { depth: this.depth, within: this.tolerance, exact: 0, budget: this.budget }[this.kind];
  }

  /** Setting as a short text. */
  get words() {
    return {
      depth: `depth ${this.depth}`,
      within: `within ${metres(this.tolerance)}`,
      exact: "exact",
      budget: `budget of ${whole(this.budget)}`,
    }[this.kind];
  }

  show() {
    this.setKind(this.kind);
    for (const slider of [$("dial-depth"), $("depth-wide")]) {
      slider.max = this.deepest;
      slider.value = this.depth;
    }
    $("tolerance").value = tolerancePosition(this.tolerance);
    $("budget").value = budgetPosition(this.budget);
    $("row-tolerance").hidden = this.kind !== "within";
    $("row-budget").hidden = this.kind !== "budget";
    const drawn = this.kind !== "depth";
    setText($("depth-label"), drawn ? "Depth drawn" : "Depth");
    setText($("depth-value"), String(this.depth));
    setText($("depth-wide-value"), String(this.depth));
    setText($("tolerance-value"), metres(this.tolerance));
    setText($("budget-value"), whole(this.budget));
    setText($("accuracy-says"), SAYS[this.kind](this));
  }
}

/** Keys and values of the accuracy in a link. */
export function writeAccuracy({ kind, depth, tolerance, budget }) {
  const ofDepth = depth === START.depth ? null : String(depth);
  return kind === "depth"
    ? [["depth", ofDepth]]
    : [[kind, { within: String(tolerance), exact: "", budget: String(budget) }[kind]], ["drawn", ofDepth]];
}

/** Sets the accuracy that a link asks for, or that of the start. */
export function readAccuracy(dial, asked) {
  const depths = wholeBetween(0, dial.deepest);
  const depth = asked.take("depth", depths) ?? START.depth;
  const drawn = asked.take("drawn", depths);
  const tolerance = asked.take("within", between(1e-9, 1e6));
  const budget = asked.take("budget", wholeBetween(1, 1e9));
  const kind = asked.take("exact", isThere) ? "exact" : tolerance ? "within" : budget ? "budget" : START.kind;
  dial.set({
    kind,
    depth: kind === "depth" ? depth : (drawn ?? depth),
    tolerance: tolerance ?? dial.tolerance,
    budget: budget ?? dial.budget,
  });
}
