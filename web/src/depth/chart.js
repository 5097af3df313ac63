// Two bar charts, the share of false positives and the cost of a query, over one axis for each kind of setting: depths,
// tolerances, exact.

const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Rounds a number up to a round number. */
function roundUp(value) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  const steps = [1, 2, 2.5, 5, 10];
  return steps.find((step) => step * unit >= value) * unit;
}

export class Chart {
  constructor(element, picked) {
    this.element = element;
    this.picked = picked;
    this.svg = shape("svg", { role: "img" });
    this.svg.setAttribute("aria-label", "False positives and tests by accuracy");
    element.append(this.svg);
    new ResizeObserver(() => this.draw()).observe(element);
    this.columns = [];
    this.chosen = -1;
  }

  /** Columns: label, group, share of false positives, tests by kind. */
  set(columns, chosen) {
    [this.columns, this.chosen] = [columns, chosen];
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0 || this.columns.length === 0) return;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren();
    const narrow = width < 560;
    const [left, right] = [narrow ? 40 : 58, narrow ? 8 : 20];
    const axis = 72;
    const each = (height - axis - 2 * 44) / 2;
    // An empty column separates the axes.
    const breaks = this.columns.map((column, index) => index > 0 && column.group !== this.columns[index - 1].group);
    const step = (width - left - right) / (this.columns.length + breaks.filter(Boolean).length);
    let empty = 0;
    const starts = breaks.map((isBreak, index) => left + (index + (empty += isBreak ? 1 : 0)) * step);
    this.place = { left, step, starts, narrow };
    this.half = { top: 40, height: each };
    const most = Math.max(...this.columns.map((c) => c.wrong), 0.05);
    this.bars("Reported though apart", "wrong", roundUp(most), (x) => `${Math.round(100 * x)} %`);
    this.half = { top: 40 + each + 44, height: each };
    const tests = Math.max(...this.columns.map((c) => c.boxes + c.hulls + c.primitives), 1);
    const asked = narrow ? "Tests a query" : "Tests a query (two parts: touching or not)";
    this.bars(asked, "tests", roundUp(tests), (x) => `${x}`);
    this.labels(height - axis + 4);
    this.hover(height - axis);
  }

  bars(title, what, most, words) {
    const { top, height } = this.half;
    const { left, step, starts } = this.place;
    this.svg.append(shape("text", { x: left, y: top - 14, class: "title" }, title));
    for (const share of [0, 0.5, 1]) {
      const y = top + height * (1 - share);
      for (const [first, last] of this.groups()) {
        const ends = { x1: starts[first], x2: starts[last] + step, y1: y, y2: y };
        this.svg.append(shape("line", { ...ends, class: "rule" }));
      }
      const label = { x: left - 8, y: y + 4, class: "tick", "text-anchor": "end" };
      this.svg.append(shape("text", label, words(Number((share * most).toPrecision(3)))));
    }
    this.columns.forEach((column, index) => {
      const x = starts[index] + step * 0.16;
      const kinds = what === "wrong" ? ["wrong"] : ["boxes", "hulls", "primitives"];
      let low = 0;
      for (const kind of kinds) {
        const high = low + column[kind];
        const y = top + height * (1 - high / most);
        const tall = (height * (high - low)) / most;
        const chosen = index === this.chosen ? " chosen" : "";
        const place = { x, y, width: step * 0.68, height: Math.max(0, tall) };
        if (tall > 0) this.svg.append(shape("rect", { ...place, rx: 1.5, class: `bar ${kind}${chosen}` }));
        low = high;
      }
      if (what === "wrong" && (step > 34 || index === this.chosen)) {
        const y = top + height * (1 - column.wrong / most) - 5;
        const label = { x: starts[index] + 0.5 * step, y, "text-anchor": "middle", class: "tick" };
        this.svg.append(shape("text", label, `${(100 * column.wrong).toFixed(1)}`));
      }
    });
  }

  /** The first and the last column of each axis. */
  groups() {
    const firsts = this.columns.flatMap((c, i) => (i === 0 || c.group !== this.columns[i - 1].group ? [i] : []));
    return firsts.map((first, i) => [first, (firsts[i + 1] ?? this.columns.length) - 1]);
  }

  labels(y) {
    const { step, starts, narrow } = this.place;
    this.columns.forEach((column, index) => {
      const x = starts[index] + 0.5 * step;
      const chosen = index === this.chosen ? " chosen" : "";
      // Neighbours of two digits touch where columns are narrow.
      if (narrow && !chosen && column.label.length > 1 && column.label % 2 === 1) return;
      const turn = column.group !== "depth";
      const at = turn
        ? { x: x + 4, y: y + 8, transform: `rotate(-55 ${x + 4} ${y + 8})`, "text-anchor": "end" }
        : { x, y: y + 12, "text-anchor": "middle" };
      const size = narrow ? " small" : "";
      const words = column.group === "within" ? `${column.label} %` : column.label;
      this.svg.append(shape("text", { ...at, class: `label${chosen}${size}` }, words));
    });
    const titles = { depth: "depth", within: narrow ? "of size" : "within, of size" };
    for (const [first, last] of this.groups()) {
      const words = titles[this.columns[first].group];
      if (words === undefined) continue;
      const x = (starts[first] + starts[last] + step) / 2;
      this.svg.append(shape("text", { x, y: y + 60, class: "title", "text-anchor": "middle" }, words));
    }
  }

  hover(height) {
    const { step, starts } = this.place;
    this.columns.forEach((column, index) => {
      const place = { x: starts[index], y: 20, width: step, height: height - 16 };
      const area = shape("rect", { ...place, class: "area" });
      const tests = column.boxes + column.hulls + column.primitives;
      area.append(
        shape("title", {}, `${column.words}: ${(100 * column.wrong).toFixed(1)} % reported though apart, ${tests.toFixed(1)} tests`),
      );
      area.addEventListener("click", () => this.picked(column));
      this.svg.append(area);
    });
  }
}
