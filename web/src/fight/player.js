// The player: the current frame; play, pause, step, the time line, the speed.

import { $, setText } from "../dom.js";

const RATE = 60;

export class Player {
  constructor(changed) {
    this.changed = changed;
    this.frame = 0;
    this.frames = 300;
    this.playing = false;
    this.rest = 0;
    this.speed = 1;
    this.stride = 1;
    $("play").addEventListener("click", () => this.play(!this.playing));
    $("back").addEventListener("click", () => this.step(-1));
    $("forward").addEventListener("click", () => this.step(1));
    $("time").addEventListener("input", () => {
      this.play(false);
      this.seek(Number($("time").value));
    });
    $("speed").addEventListener("change", () => (this.speed = Number($("speed").value)));
  }

  setFrames(frames) {
    this.frames = frames;
    $("time").max = frames - 1;
    if (this.frame >= frames) this.frame = 0;
    this.show();
  }

  play(playing) {
    this.playing = playing;
    const button = $("play");
    button.dataset.playing = String(playing);
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    button.title = playing ? "Pause (space)" : "Play (space)";
  }

  /** Goes some strides on: frames, or the ticks of which single ones are shown. */
  step(by) {
    this.play(false);
    const begin = this.frame - (this.frame % this.stride);
    this.seek((begin + by * this.stride + this.frames) % this.frames);
  }

  seek(frame) {
    this.frame = Math.max(0, Math.min(this.frames - 1, Math.round(frame)));
    this.rest = 0;
    this.show();
    this.changed();
  }

  /** Advances by some seconds. */
  pass(seconds) {
    if (!this.playing) return;
    this.rest += seconds * RATE * this.speed;
    const whole = Math.floor(this.rest);
    if (whole === 0) return;
    this.rest -= whole;
    this.frame = (this.frame + whole) % this.frames;
    this.show();
    this.changed();
  }

  show() {
    $("time").value = this.frame;
    const seconds = (frame) => (frame / RATE).toFixed(2);
    setText($("clock"), `${seconds(this.frame)} s`);
    setText($("frame-number"), `frame ${this.frame}`);
    const share = (100 * this.frame) / Math.max(1, this.frames - 1);
    $("time").style.setProperty("--share", `${share}%`);
  }
}
