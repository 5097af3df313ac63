// The tab Robot in a link: the configuration or the place on the edge, the ends of the edge, what is
// tested and drawn.

import { between, isThere, list, oneOf, shortest, single, wholeBetween } from "../link.js";

const texts = (values) => Array.from(values, single).join(",");
const same = (a, b) => a.every((value, index) => value === b[index]);

/** Text of a place on the edge: the shortest of the same configuration. */
const placeText = (edge, time) => shortest(time, (rounded) => same(edge.at(rounded), edge.at(time)));

export const robotLink = {
  files: ({ robot }) => [robot.name],

  write({ robot }) {
    const { edge, start, tested, wires, depth } = robot;
    const end = (index) => (same(edge.ends[index], start.ends[index]) ? null : texts(edge.ends[index]));
    const onEdge = robot.isOnEdge && !edge.playing && edge.time > 0 ? placeText(edge, edge.time) : null;
    return [
      ["tested", tested === start.tested ? null : "boxes"],
      ["depth", depth === start.depth ? null : String(depth)],
      ["tree", wires === start.wires ? null : wires],
      ["lying", robot.isUpright ? null : ""],
      ["values", robot.isOnEdge || robot.values.length === 0 ? null : texts(robot.values)],
      ["on", onEdge],
      ["a", end(0)],
      ["b", end(1)],
    ];
  },

  read({ robot }, asked) {
    const { start, deepest } = robot;
    const configuration = list(start.ends[0].length, (value, joint) => robot.accepts(value, joint));
    const boxes = asked.take("tested", oneOf(["boxes"]));
    const depth = asked.take("depth", wholeBetween(0, deepest)) ?? start.depth;
    const wires = asked.take("tree", oneOf(["boxes", "hulls"])) ?? start.wires;
    robot.setUpright(!asked.take("lying", isThere));
    const ends = ["a", "b"].map((key, index) => asked.take(key, configuration) ?? start.ends[index]);
    const values = asked.take("values", configuration);
    const on = asked.take("on", between(0, 1)) ?? 0;
    robot.set({ tested: boxes ? "depth" : start.tested, depth, wires });
    robot.edge.begin(...ends.map((end) => Float32Array.from(end)));
    if (values) robot.move(Float32Array.from(values));
    else robot.edge.seek(on);
  },
};
