// One tick, slowly: the poses between two frames, the first impact on the way, and what its two ends show.

import { $, choice, metres, setText } from "../dom.js";
import { doubles } from "../wasm.js";

const RATE = 60;

/** Seconds in which a tick is played. */
const SLOW = 4;

/** Seconds for which its end is shown before it restarts. */
const REST = 1;

/** Steps of the slider. */
const STEPS = 1000;

/** Reads the module's answer about a tick. */
function answer(arena) {
  const [before, after, clearUntil, time, slack, a, b, ...vectors] = doubles(arena.tick_numbers());
  const impact = time === undefined ? null : { clearUntil, time, slack, parts: [a, b], vectors };
  return { seen: [before === 1, after === 1], impact };
}

export class Tick {
  constructor(fight) {
    this.fight = fight;
    this.rate = 0;
    this.time = 0;
    this.rest = 0;
    this.playing = false;
    this.seen = [false, false];
    this.impact = null;
    this.showRate = choice($("tick-rate"), (rate) => this.turnOn(Number(rate)));
    this.showRate("0");
    $("tick-time").addEventListener("input", () => {
      this.seek(Number($("tick-time").value) / STEPS);
    });
    $("tick-play").addEventListener("click", () => this.play(!this.playing));
    $("tick-next").addEventListener("click", () => this.seekImpact());
  }

  get isOn() {
    return this.rate > 0;
  }

  /** Number of frames of a tick. */
  get frames() {
    return this.isOn ? RATE / this.rate : 1;
  }

  /** Sets the number of ticks a second; 0 shows whole frames. */
  turnOn(rate) {
    this.rate = rate;
    this.showRate(String(rate));
    const { player } = this.fight;
    player.stride = this.frames;
    document.body.classList.toggle("in-tick", this.isOn);
    $("tick-view").hidden = !this.isOn;
    if (this.isOn) player.play(false);
    this.play(false);
    this.moved();
    this.fight.ask();
  }

  /** Shows a time of the tick, from 0 to 1. */
  seek(time) {
    this.play(false);
    this.time = time;
    this.fight.ask();
  }

  /** Shows the time of the player's frame. */
  moved() {
    const { frame } = this.fight.player;
    this.time = (frame % this.frames) / this.frames;
  }

  play(playing) {
    this.playing = playing;
    this.rest = 0;
    if (playing && this.time >= 1) this.time = 0;
    if (playing) this.fight.player.play(false);
    setText($("tick-play"), playing ? "Stop" : "Play slowly");
    $("tick-play").setAttribute("aria-pressed", String(playing));
  }

  /** Advances by some seconds, again and again through the same tick. */
  pass(seconds) {
    if (!this.isOn || !this.playing) return;
    if (this.time < 1) {
      this.time = Math.min(1, this.time + seconds / SLOW);
    } else {
      this.rest += seconds;
      if (this.rest < REST) return;
      [this.time, this.rest] = [0, 0];
    }
    this.fight.ask();
  }

  /** Poses both at the time of the tick. */
  pose() {
    const { arena, player } = this.fight;
    const from = player.frame - (player.frame % this.frames);
    arena.pose_in_tick(from, from + this.frames, this.time);
    Object.assign(this, answer(arena));
  }

  /** Seeks the next tick with an impact that its start does not show. */
  seekImpact() {
    const { fight } = this;
    const { arena, player } = fight;
    this.play(false);
    const count = Math.ceil(player.frames / this.frames);
    const current = Math.floor(player.frame / this.frames);
    for (let next = 1; next <= count; next++) {
      const from = ((current + next) % count) * this.frames;
      arena.pose_in_tick(from, from + this.frames, 0);
      const { seen, impact } = answer(arena);
      if (!impact || seen[0]) continue;
      player.seek(from);
      this.seek(impact.time);
      return;
    }
    fight.ask();
    setText($("tick-says"), "No contact of this fight begins within a tick.");
  }

  /** Writes the times and what they mean. */
  show() {
    if (!this.isOn) return;
    const length = 1000 / this.rate;
    const ms = (share, round = Math.round) => `${(round(10 * share * length) / 10).toFixed(1)} ms`;
    $("tick-time").value = Math.round(STEPS * this.time);
    $("tick-time").setAttribute("aria-valuetext", `${ms(this.time)} of ${ms(1)}`);
    setText($("tick-time-value"), `${ms(this.time)} of ${ms(1)}`);
    setText($("tick-says"), this.says(ms));
    setText($("tick-samples"), this.samples(ms));
  }

  says(ms) {
    if (!this.impact) return "No two parts touch during this tick. That is proved, not sampled.";
    const { clearUntil, time, slack, parts } = this.impact;
    const { names } = this.fight;
    const who = parts.map((part, side) => names[side][part]).join(" – ");
    if (this.seen[0] && time === 0) return `They touch from the start: ${who}.`;
    const apart = slack === 0 ? "they share a point" : `they are at most ${metres(slack)} apart`;
    return `First impact at ${ms(time)}: ${who}. Clear until ${ms(clearUntil, Math.floor)}; at the impact ${apart}.`;
  }

  samples(ms) {
    const [before, after] = this.seen;
    if (before) return "Sampling at the ticks sees a touch at the first one.";
    if (!this.impact) return "Sampling at the ticks sees no touch either, and proves nothing about the time between.";
    if (after) return `Sampling at the ticks sees no touch at the first one, and a touch at the second: ${ms(1 - this.impact.time)} late.`;
    return "Sampling at the ticks sees no touch: this impact would be missed.";
  }

  /** The impact, once the shown time has come to it. */
  get mark() {
    return this.isOn && this.impact && this.time >= this.impact.time - 0.5 / STEPS ? this.impact : null;
  }
}
