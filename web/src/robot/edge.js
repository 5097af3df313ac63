// The straight edge between two stored configurations: its verdict, and a slow play.

import { $, metres, setText, whole } from "../dom.js";
import { doubles } from "../wasm.js";

const [FREE, COLLIDES, UNDECIDED] = [0, 1, 2];

/** Seconds in which the edge is played, and for which its end is shown. */
const [SLOW, REST] = [5, 1];

const share = (fraction) => `${(100 * fraction).toFixed(2)} %`;

export class Edge {
  constructor(tab) {
    this.tab = tab;
    this.ends = [null, null];
    this.verdict = null;
    this.time = 0;
    this.rest = 0;
    this.playing = false;
    ["a", "b"].forEach((name, end) => {
      $(`store-${name}`).addEventListener("click", () => this.store(end, this.tab.robot.values()));
      $(`go-${name}`).addEventListener("click", () => this.seek(end));
    });
    $("edge-play").addEventListener("click", () => this.play(!this.playing));
    $("edge-time").addEventListener("input", () => {
      this.play(false);
      this.seek(Number($("edge-time").value));
    });
  }

  /** Begins with two configurations of a robot. */
  begin(from, to) {
    this.play(false);
    this.ends = [from, to];
    this.time = 0;
    this.check();
  }

  /** Stores a configuration as an end of the edge. */
  store(end, values) {
    this.play(false);
    this.ends[end] = values;
    this.time = end;
    this.tab.isOnEdge = true;
    this.check();
  }

  /** Checks the edge. */
  check() {
    const { robot } = this.tab;
    robot.check_edge(...this.ends);
    const [kind, first, second, a, b, samples] = doubles(robot.edge());
    this.verdict = { kind, first, second, parts: [a, b], samples };
    this.show();
  }

  /** Configuration at a fraction of the edge. */
  at(time) {
    const [from, to] = this.ends;
    return from.map((value, index) => (1 - time) * value + time * to[index]);
  }

  /** Shows the configuration at a fraction of the edge. */
  seek(time) {
    this.time = time;
    this.tab.isOnEdge = true;
    this.tab.pose(this.at(time));
    this.show();
  }

  play(playing) {
    this.playing = playing;
    this.rest = 0;
    if (playing && this.time >= 1) this.time = 0;
    setText($("edge-play"), playing ? "Stop" : "Play A to B");
    $("edge-play").setAttribute("aria-pressed", String(playing));
  }

  /** Advances by some seconds, again and again. */
  pass(seconds) {
    if (!this.playing) return;
    if (this.time < 1) return this.seek(Math.min(1, this.time + seconds / SLOW));
    this.rest += seconds;
    if (this.rest < REST) return;
    this.rest = 0;
    this.seek(0);
  }

  show() {
    const { kind, first, second, samples } = this.verdict;
    $("edge-time").value = this.time;
    setText($("edge-time-value"), share(this.time));
    const bar = $("edge-bar");
    const clear = kind === FREE ? 1 : kind === COLLIDES ? second : first;
    bar.style.setProperty("--clear", `${100 * clear}%`);
    bar.dataset.verdict = ["free", "collides", "undecided"][kind];
    setText($("edge-says"), this.says());
    setText(
      $("edge-how"),
      `Proved from ${whole(samples)} configurations of the edge and bounds on the motion between them.`,
    );
    const badge = $("edge-verdict");
    setText(badge, ["free", "collides", "undecided"][kind]);
    badge.className = kind === FREE ? "chip good" : "badge";
    bar.setAttribute("aria-label", this.says());
    $("edge-first").hidden = kind !== COLLIDES;
    if (kind !== COLLIDES) return;
    $("edge-first").onclick = () => {
      this.play(false);
      this.seek(first);
    };
  }

  says() {
    const { kind, first, second, parts } = this.verdict;
    const who = parts.map((part) => this.tab.names[part]).join(" – ");
    if (kind === FREE) {
      const least = first === Infinity ? "no two parts are tested" : `all parts stay at least ${metres(first)} apart`;
      return `Free on the whole way: ${least}.`;
    }
    if (kind === UNDECIDED) {
      return `Undecided at ${share(first)}: ${who} come within ${metres(second)} of each other.`;
    }
    if (first === 0) return `They touch from the start: ${who}.`;
    return `First collision at ${share(first)} of the way: ${who}. Proved free before ${share(second)}.`;
  }
}
