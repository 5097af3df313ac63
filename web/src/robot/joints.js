// The joints: a slider for each actuator, in radians or in units of length.

import { $, el, setText } from "../dom.js";

/** Formats the value of an actuator; the file does not say whether it turns or slides. */
const format = (value) => (Math.abs(value) < 0.0005 ? "0" : value.toFixed(3));

export class Joints {
  /** `changed` gets the values after an input. */
  constructor(changed) {
    this.changed = changed;
    this.rows = [];
  }

  /** Makes the sliders of a robot. */
  begin(robot) {
    const ranges = robot.ranges();
    this.rows = robot.actuators().map((name, index) => {
      const [limited, least, most] = ranges.subarray(3 * index, 3 * index + 3);
      const slider = el("input", { type: "range", min: least, max: most, step: "any", id: `joint-${index}` });
      const value = el("b");
      const text = el("span", { title: name }, name);
      const title = limited ? `${format(least)} to ${format(most)}` : "continuous: no limits";
      const label = el("label", { className: "row joint", for: slider.id, title }, text, value);
      slider.addEventListener("input", () => this.changed(this.values));
      return { name, least, most, slider, value, label };
    });
    $("joints").replaceChildren(...this.rows.flatMap(({ label, slider }) => [label, slider]));
    setText($("joint-count"), String(this.rows.length));
  }

  /** Values of the sliders. */
  get values() {
    return Float32Array.from(this.rows, ({ slider }) => Number(slider.value));
  }

  /** Shows values. */
  show(values) {
    for (const [index, { slider, value, name }] of this.rows.entries()) {
      if (document.activeElement !== slider || Math.fround(Number(slider.value)) !== values[index]) {
        slider.value = values[index];
      }
      setText(value, format(values[index]));
      slider.setAttribute("aria-label", name);
    }
  }
}
