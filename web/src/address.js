// The address after #: tab, accuracy, and time or configuration, so that a link shows what its
// sender saw. `#fight&depth=5&frame=120`, `#robot&values=0.1,0.2`.

import { onTab, shownTab } from "./tabs.js";

/** Seconds between two looks at what is shown. */
const EVERY = 0.4;

/** Number that a text is, or null. */
function number(text) {
  const value = Number(text);
  return text && Number.isFinite(value) ? value : null;
}

export class Address {
  constructor({ dial, fight, robot }) {
    Object.assign(this, { dial, fight, robot });
    this.apply();
    this.written = this.text;
    this.rest = 0;
    addEventListener("hashchange", () => {
      this.apply();
      this.written = this.text;
    });
    onTab(() => (this.rest = EVERY));
  }

  /** Shows what the address says; what it does not mention or what is no number is left as it is. */
  apply() {
    const asked = new URLSearchParams(location.hash.slice(1));
    for (const [kind, key] of [["depth", "depth"], ["within", "tolerance"], ["budget", "budget"]]) {
      const value = number(asked.get(kind));
      if (value !== null && value >= 0) {
        this.dial.set({ kind, [key]: kind === "within" ? value : Math.round(value) });
      }
    }
    if (asked.has("exact")) this.dial.set({ kind: "exact" });
    const frame = number(asked.get("frame"));
    if (frame !== null) {
      this.fight.player.play(false);
      this.fight.player.seek(frame);
    }
    const values = asked.get("values")?.split(",").map(number);
    if (values && !values.includes(null)) this.robot.seek(values);
  }

  /** What is shown now, as an address. */
  get text() {
    const tab = shownTab();
    const { kind, value } = this.dial;
    const accuracy = kind === "exact" ? "exact" : `${kind}=${Number(value.toPrecision(6))}`;
    if (tab === "fight") return `#fight&${accuracy}&frame=${this.fight.player.frame}`;
    if (tab === "depth") return `#depth&${accuracy}`;
    if (tab === "robot") return `#robot&values=${this.robot.values.map((value) => Number(value.toFixed(4))).join(",")}`;
    return `#${tab}`;
  }

  /** Writes the address after a change at rest: browsers allow few changes a second. */
  pass(seconds) {
    this.rest += seconds;
    if (this.rest < EVERY || this.fight.player.playing || this.robot.edge.playing) return;
    this.rest = 0;
    const { text } = this;
    if (text === this.written) return;
    this.written = text;
    try {
      history.replaceState(null, "", text);
    } catch {
      // Pages inside other pages may have no address of their own.
    }
  }
}
