// Tab 2: a robot; every change of a joint, the crate finds the touching parts and the two closest.

import * as THREE from "three";
import { $, choice, el, metres, setText, whole } from "../dom.js";
import { Parts } from "../fight/parts.js";
import { View } from "../stage.js";
import { Times, measure, milliseconds } from "../times.js";
import { color, onTheme } from "../theme.js";
import { PosedRobot, RobotFiles, doubles, floats, wholes } from "../wasm.js";
import { Edge } from "./edge.js";
import { Joints } from "./joints.js";
import { Span } from "./span.js";

const LISTED = 6;

/** Numbers of the accuracies in the module. */
const [DEPTH, EXACT] = [0, 2];

/** Ends of the edge that the example begins with: free configurations, with a collision between them. */
export const EXAMPLE = [
  [-0.2, 0.75, 1.1, 0, 0.8, 0, 0.05],
  [1.7, 0.6, 1.3, 0, 0.5, 1.2, 0.02],
];

/** What is tested and drawn at the start. */
const START = { tested: "exact", wires: "none", depth: 0 };

/** Time in each frame for repeated queries [ms]. */
const SETTLE = 2;

export class RobotTab {
  constructor(stage) {
    this.stage = stage;
    this.view = new View(stage);
    this.span = new Span();
    this.group = new THREE.Group();
    this.view.scene.add(this.group, this.span.object);
    this.robot = null;
    this.parts = null;
    this.names = [];
    this.time = new Times(40);
    this.size = 1;
    this.name = "";
    Object.assign(this, START);
    this.start = { ...START, ends: [] };
    this.isOnEdge = false;
    this.joints = new Joints((values) => this.move(values));
    this.edge = new Edge(this);
    this.rows = Array.from({ length: LISTED }, () => {
      const row = el("li", { hidden: true });
      $("robot-pairs").append(row);
      return row;
    });
    this.listen();
    onTheme(() => this.recolor());
  }

  listen() {
    this.choices = {
      wires: choice($("robot-wires"), (wires) => this.set({ wires })),
      tested: choice($("robot-tested"), (tested) => this.set({ tested })),
    };
    this.set({});
    $("robot-depth").addEventListener("input", () => this.set({ depth: Number($("robot-depth").value) }));
    $("robot-random").addEventListener("click", () => this.move(this.robot.random()));
    $("robot-rest").addEventListener("click", () => this.move(this.robot.rest()));
    $("robot-upright").addEventListener("change", () => this.turnUp());
    $("robot-gap").addEventListener("change", () => this.ask());
  }

  set(values) {
    Object.assign(this, values);
    for (const [what, show] of Object.entries(this.choices)) show(this[what]);
    this.time.clear();
    this.ask();
  }

  /**
   * Loads a robot, with the files it names: `[path, bytes]` each. Throws the errors of the crate; then nothing has changed.
   * `ends` are the two configurations of the first edge; without, they are the rest and a random one.
   */
  load(name, bytes, beside = [], ends = null) {
    const files = new RobotFiles();
    for (const [path, content] of beside) files.add(path, content);
    let robot;
    try {
      robot = new PosedRobot(name, bytes, files);
    } finally {
      files.free();
    }
    this.robot?.free();
    this.parts?.dispose();
    this.robot = robot;
    this.parts = new Parts(robot);
    this.names = this.parts.names;
    this.group.add(this.parts.object);
    this.joints.begin(robot);
    $("robot-depth").max = this.deepest;
    this.depth = Math.min(this.depth, this.deepest);
    this.name = name;
    const solid = this.parts.parts.filter(({ mesh }) => mesh).length;
    setText($("robot-name"), name);
    setText(
      $("robot-counts"),
      `${whole(this.names.length)} links, ${whole(solid)} with geometry of ${whole(robot.primitives())} shapes and triangles; ` +
        `${whole(robot.actuators().length)} joints move`,
    );
    const [from, to] = ends?.map((end) => Float32Array.from(end)) ?? [robot.rest(), robot.random()];
    this.start.ends = [from, to];
    this.edge.begin(from, to);
    this.time.clear();
    this.recolor();
    this.edge.seek(0);
    this.turnUp();
  }

  /** Greatest depth of a part's tree. */
  get deepest() {
    return this.robot.deepest();
  }

  get isUpright() {
    return $("robot-upright").checked;
  }

  setUpright(isUpright) {
    if (isUpright === this.isUpright) return;
    $("robot-upright").checked = isUpright;
    this.turnUp();
  }

  /** Turns the robot upright: files have Z up, the scene Y. */
  turnUp() {
    this.group.rotation.x = this.isUpright ? -Math.PI / 2 : 0;
    this.group.updateMatrixWorld(true);
    this.seeWhole();
    this.ask();
  }

  /** Points the camera at the whole robot. */
  seeWhole() {
    const box = new THREE.Box3().setFromObject(this.group);
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const size = box.getSize(new THREE.Vector3()).length();
    this.size = Math.max(size, 1e-3);
    const center = box.getCenter(new THREE.Vector3());
    this.view.frame(center, 0.86 * this.size, [1, 0.42, 0.75]);
    for (const thing of [this.view.ground, this.view.grid]) {
      thing.position.set(center.x, Math.min(box.min.y, 0), center.z);
    }
    this.view.ground.position.y += 1e-3 * this.size;
  }

  recolor() {
    this.parts?.recolor({
      side: color("robot"),
      hot: color("hot"),
      pointed: color("accent"),
      lines: color("robot-line"),
    });
    this.span.recolor(color("normal"));
    this.stage.draw();
  }

  /** Sets a configuration that is not of the edge. */
  move(values) {
    this.edge.play(false);
    this.isOnEdge = false;
    this.pose(values);
  }

  /** Returns true if a joint can have a value: continuous joints any, others those within their limits. */
  accepts(value, joint) {
    const [limited, least, most] = this.robot.ranges().subarray(3 * joint, 3 * joint + 3);
    const rounded = Math.fround(value);
    return Number.isFinite(rounded) && (!limited || (rounded >= least && rounded <= most));
  }

  /** Values of the joints. */
  get values() {
    return Array.from(this.robot.values());
  }

  /** Sets the values of the joints, and asks. */
  pose(values) {
    this.robot.set_values(values);
    this.ask();
  }

  /** Queries the crate, and draws the answer. */
  ask() {
    if (!this.robot) return;
    const { robot } = this;
    robot.set_accuracy(this.tested === "exact" ? EXACT : DEPTH, this.depth);
    robot.find_pairs();
    this.time.clear();
    robot.find_nearest();
    this.joints.show(robot.values());
    this.draw();
    this.count();
    this.stage.draw();
  }

  draw() {
    this.parts.pose(floats(this.robot.matrices()));
    const touching = new Set(wholes(this.robot.pairs()));
    this.parts.setWires(this.wires, this.depth);
    this.parts.mark(touching, -1, true);
    const [distance, , , , ...points] = doubles(this.robot.nearest());
    if (distance === undefined || !$("robot-gap").checked) {
      this.span.set(null);
      return;
    }
    this.group.updateMatrixWorld(true);
    const scene = (at) => new THREE.Vector3(...points.slice(at, at + 3)).applyMatrix4(this.group.matrixWorld);
    this.span.set(scene(0), scene(3), distance, this.size);
  }

  count() {
    const pairs = Array.from(wholes(this.robot.pairs()));
    const [parts, boxes, hulls, primitives, slack] = doubles(this.robot.counts());
    const [distance, , a, b, , , , , , , tests] = doubles(this.robot.nearest());
    const count = pairs.length / 2;
    setText($("robot-touching"), whole(count));
    setText($("robot-distance"), distance === undefined ? "–" : metres(distance));
    for (const [place, row] of this.rows.entries()) {
      row.hidden = place >= count;
      if (!row.hidden) setText(row, `${this.names[pairs[2 * place]]} – ${this.names[pairs[2 * place + 1]]}`);
    }
    const more = count - LISTED;
    const apart = this.tested === "exact" ? "No two parts touch." : "Boxes of no two parts overlap: none touch.";
    setText($("robot-more"), more > 0 ? `and ${more} more` : count ? "" : apart);
    $("robot-collides").hidden = count === 0;
    setText($("robot-nearest"), distance === undefined ? "–" : `${this.names[a]} – ${this.names[b]}`);
    setText($("robot-parts"), whole(parts));
    setText($("robot-boxes"), whole(boxes));
    setText($("robot-hulls"), whole(hulls));
    setText($("robot-primitives"), whole(primitives));
    setText($("robot-slack"), count === 0 ? "–" : metres(slack));
    setText($("robot-distance-tests"), distance === undefined ? "–" : whole(tests));
    setText($("robot-depth-value"), String(this.depth));
    $("robot-depth").value = this.depth;
  }

  /** Advances by some seconds; at rest the query is repeated until there are enough times for a median. */
  pass(seconds) {
    if (!this.robot) return;
    this.edge.pass(seconds);
    this.span.follow(this.view.camera, this.stage.canvas);
    if (this.edge.playing || this.time.isFull) return;
    const begin = performance.now();
    do this.time.add(measure(() => this.robot.find_pairs()));
    while (performance.now() - begin < SETTLE && !this.time.isFull);
    setText($("robot-time"), milliseconds(this.time.median));
  }
}
