// Input of the player: keys by their position on the keyboard, or the stick of a touch screen.

import { $ } from "../dom.js";

const WAYS = {
  KeyW: [0, 1],
  ArrowUp: [0, 1],
  KeyS: [0, -1],
  ArrowDown: [0, -1],
  KeyA: [-1, 0],
  ArrowLeft: [-1, 0],
  KeyD: [1, 0],
  ArrowRight: [1, 0],
};
const USED = [...Object.keys(WAYS), "Space", "KeyC", "ShiftLeft"];

/** Keys that choose a tab, if it has the focus; a click gives it the focus. */
const OF_TABS = ["ArrowLeft", "ArrowRight", "Space"];

/** Returns true if a key belongs to an element: text, choices and sliders; tabs for the keys that choose one. */
export const isForElement = (event) =>
  event.target.closest?.(OF_TABS.includes(event.code) ? "input, select, textarea, [role=tab]" : "input, select, textarea");

export class Keys {
  constructor(isOn) {
    this.down = new Set();
    this.stick = [0, 0];
    this.jumpTouched = false;
    this.crouchTouched = false;
    addEventListener("keydown", (event) => {
      if (!isOn() || isForElement(event) || event.ctrlKey || event.metaKey) return;
      if (!USED.includes(event.code)) return;
      this.down.add(event.code);
      event.preventDefault();
    });
    addEventListener("keyup", (event) => this.down.delete(event.code));
    addEventListener("blur", () => this.down.clear());
    this.startStick();
  }

  startStick() {
    const stick = $("stick");
    const move = (event) => {
      const box = stick.getBoundingClientRect();
      const half = box.width / 2;
      let x = (event.clientX - box.left - half) / half;
      let y = (box.top + half - event.clientY) / half;
      const long = Math.max(1, Math.hypot(x, y));
      [x, y] = [x / long, y / long];
      this.stick = [x, y];
      $("knob").style.transform = `translate(${x * half * 0.6}px, ${-y * half * 0.6}px)`;
    };
    stick.addEventListener("pointerdown", (event) => {
      stick.setPointerCapture(event.pointerId);
      move(event);
    });
    stick.addEventListener("pointermove", (event) => event.buttons > 0 && move(event));
    const release = () => {
      this.stick = [0, 0];
      $("knob").style.transform = "";
    };
    stick.addEventListener("pointerup", release);
    stick.addEventListener("pointercancel", release);
    const hold = (id, name) => {
      const button = $(id);
      button.addEventListener("pointerdown", () => (this[name] = true));
      for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
        button.addEventListener(end, () => (this[name] = false));
      }
    };
    hold("jump", "jumpTouched");
    hold("crouch", "crouchTouched");
  }

  /** Direction to the right and ahead, each from -1 to 1. */
  get way() {
    let [x, y] = this.stick;
    for (const code of this.down) {
      const way = WAYS[code];
      if (way) [x, y] = [x + way[0], y + way[1]];
    }
    const long = Math.max(1, Math.hypot(x, y));
    return [x / long, y / long];
  }

  get jump() {
    return this.jumpTouched || this.down.has("Space");
  }

  get crouch() {
    return this.crouchTouched || this.down.has("KeyC") || this.down.has("ShiftLeft");
  }
}
