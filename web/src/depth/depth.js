// Tab 5: every depth against the exact answer, on hard poses of the character's parts, measured
// live.

import { $, metres, percent, setText, whole } from "../dom.js";
import { onTheme } from "../theme.js";
import { DepthCurve } from "../wasm.js";
import { Chart } from "./chart.js";

/** Number of hard poses, as in the table of docs/accuracy.md. */
const CASES = 480;

/** Time for measuring in each frame [ms]. */
const SHARE = 12;

const WIDTH = 10;

export class Depth {
  constructor(dial) {
    this.dial = dial;
    this.chart = new Chart($("chart"), (column) => dial.set(column.turn));
    this.rows = [];
    dial.onTurn(() => this.show());
    onTheme(() => this.chart.draw());
    $("measure-again").addEventListener("click", () => this.begin(this.file));
  }

  /** Starts to measure a character. */
  begin(file) {
    this.file = file;
    this.curve?.free();
    this.curve = new DepthCurve(file.character);
    this.rows = [];
    setText($("measured-name"), file.name);
    this.show();
  }

  get cases() {
    return this.rows[0]?.cases ?? 0;
  }

  get isDone() {
    return this.cases >= CASES;
  }

  /** Measures for a share of a frame. */
  pass() {
    if (!this.curve || this.isDone) return;
    const begin = performance.now();
    do this.curve.measure_next();
    while (performance.now() - begin < SHARE && this.cases + 12 < CASES);
    this.read();
    this.show();
  }

  read() {
    const numbers = this.curve.rows();
    this.rows = [];
    for (let at = 0; at < numbers.length; at += WIDTH) {
      const row = numbers.subarray(at, at + WIDTH);
      const [kind, value, cases, touching, wrong, missed, boxes, hulls, primitives, slack] = row;
      this.rows.push({ kind, value, cases, touching, wrong, missed, boxes, hulls, primitives, slack });
    }
  }

  columns() {
    return this.rows.map((row) => {
      const { kind, value, boxes, hulls, primitives } = row;
      const wrong = row.wrong / Math.max(1, row.cases - row.touching);
      const group = ["depth", "within", "exact"][kind];
      const label = [`${value}`, `${value}`, "exact"][kind];
      const words = [`depth ${value}`, `within ${value} %`, "exact"][kind];
      const turn = kind === 0 ? { kind: "depth", depth: value } : { kind: "exact" };
      return { row, group, label, words, wrong, boxes, hulls, primitives, turn };
    });
  }

  /** Column of the dial's depth, or the exact one. */
  chosen(columns) {
    const { kind, depth } = this.dial;
    if (kind === "depth") return columns.findIndex((c) => c.group === "depth" && c.row.value === depth);
    return kind === "exact" ? columns.length - 1 : -1;
  }

  show() {
    const columns = this.columns();
    const chosen = this.chosen(columns);
    this.chart.set(columns, chosen);
    setText($("measured-count"), `${whole(this.cases)} of ${CASES} hard poses`);
    $("measured-bar").value = this.cases / CASES;
    const column = columns[chosen];
    setText($("depth-words"), column ? column.words : this.dial.words);
    const row = column?.row;
    const text = (id, value) => setText($(id), row ? value(row) : "–");
    text("depth-wrong", () => percent(column.wrong));
    text("depth-missed", (r) => whole(r.missed));
    text("depth-boxes", (r) => r.boxes.toFixed(1));
    text("depth-hulls", (r) => r.hulls.toFixed(1));
    text("depth-primitives", (r) => r.primitives.toFixed(1));
    text("depth-slack", (r) => metres(r.slack));
  }
}
