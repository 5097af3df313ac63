// Tab 1: two fighters; every frame the crate finds the touching parts, and the page draws them.

import * as THREE from "three";
import { $, choice, el, metres, setText, whole } from "../dom.js";
import { View } from "../stage.js";
import { color, onTheme } from "../theme.js";
import { Arena, floats, wholes } from "../wasm.js";
import { KINDS } from "../dial.js";
import { Counters } from "./counters.js";
import { FIRST } from "./first.js";
import { Marks } from "./marks.js";
import { Parts } from "./parts.js";
import { Player } from "./player.js";
import { Skin } from "./skin.js";
import { Tick } from "./tick.js";

const SIDES = ["red", "blue"];

/** Radius of the ball that the pointer throws, as a share of the height of the characters. */
const BALL = 0.05;

/** What is shown at the start; clips and distance are set with the characters. */
const START = { body: "skin", wires: "boxes", detail: "0" };

const DETAILS = {
  0: "Point, normal and depth are measured between the bodies, triangle against triangle.",
  1: "Point, normal and depth are those of the two boxes of a pair of parts that overlap deepest.",
  2: "Every pair of boxes is a contact.",
};

/** Origin and direction of a ray, for the module. */
const numbersOf = ({ origin, direction }) => new Float32Array([...origin.toArray(), ...direction.toArray()]);

export class Fight {
  constructor(stage, dial) {
    this.stage = stage;
    this.dial = dial;
    this.view = new View(stage);
    this.marks = new Marks();
    this.view.scene.add(this.marks.object);
    this.counters = new Counters();
    this.player = new Player(() => this.moved());
    this.tick = new Tick(this);
    this.files = [null, null];
    this.skins = [null, null];
    this.parts = [null, null];
    this.arena = null;
    this.pointedAt = null;
    this.onAnswer = () => {};
    this.size = 1;
    Object.assign(this, START);
    this.start = { ...START, clips: [-1, -1], distance: 0 };
    this.clips = [-1, -1];
    this.pointer = "ray";
    this.shown = { points: true, normals: true, hits: false, world: false, push: true };
    this.listen();
    onTheme(() => this.recolor());
    dial.onTurn(() => this.turn());
  }

  listen() {
    this.choices = {
      body: choice($("body"), (body) => this.set({ body })),
      wires: choice($("wires"), (wires) => this.set({ wires })),
      pointer: choice($("pointer"), (pointer) => this.set({ pointer })),
      detail: choice($("detail"), (detail) => this.setDetail(detail)),
    };
    for (const what of Object.keys(this.shown)) {
      const box = $(`show-${what}`);
      box.checked = this.shown[what];
      box.addEventListener("change", () => {
        this.shown[what] = box.checked;
        this.ask();
      });
    }
    $("apply-push").addEventListener("change", () => this.setPushing(this.isPushing));
    this.setDetail(this.detail);
    SIDES.forEach((name, side) => {
      $(`clip-${name}`).addEventListener("change", () => {
        this.setClips(this.clips.map((clip, other) => (other === side ? Number($(`clip-${name}`).value) : clip)));
      });
    });
    // Four digits, so that links are short.
    $("distance").addEventListener("input", () => this.setDistance(Number(Number($("distance").value).toPrecision(4))));
  }

  /** Sets the clips of both, by index, or -1 for the fight; if they change, both restart. */
  setClips(clips) {
    if (clips.every((clip, side) => clip === this.clips[side])) return;
    clips.forEach((clip, side) => {
      if (clip !== this.clips[side]) this.arena.play(side, clip);
      $(`clip-${SIDES[side]}`).value = clip;
    });
    this.clips = clips;
    this.restart();
  }

  /** Sets the distance at the start. */
  setDistance(distance) {
    this.arena.distance = distance;
    $("distance").value = distance;
    setText($("distance-value"), metres(this.arena.distance));
    this.ask();
  }

  get isPushing() {
    return $("apply-push").checked;
  }

  setPushing(isPushing) {
    $("apply-push").checked = isPushing;
    this.arena.set_pushing(isPushing);
    this.ask();
  }

  /** Sets the kind of contacts. */
  setDetail(detail) {
    setText($("detail-says"), DETAILS[detail]);
    this.arena?.set_detail(Number(detail));
    this.set({ detail });
  }

  set(values) {
    Object.assign(this, values);
    for (const [what, show] of Object.entries(this.choices)) show(this[what]);
    this.ask();
  }

  /**
   * Inserts two characters, `{ name, character, look }` each, into a scene of the crate. Throws the errors of the crate; then
   * nothing has changed. Begins at a frame; with null at that of most contacts.
   */
  begin(files, frame = 0) {
    const arena = new Arena(files[0].character, files[1].character);
    const clips = [0, 1].map((side) => (arena.has_script(side) ? -1 : arena.playing(side, 0)[0]));
    this.arena?.free();
    this.arena = arena;
    files.forEach((file, side) => {
      if (file !== this.files[side]) this.cast(side, file);
    });
    this.arena.set_pushing(this.isPushing);
    this.arena.set_detail(Number(this.detail));
    this.pointedAt = null;
    [this.clips, this.start.clips] = [clips, clips];
    SIDES.forEach((name, side) => this.listClips(name, side, clips[side]));
    this.dial.deepest = Math.max(...this.files.map(({ character }) => character.deepest()));
    this.recolor();
    this.restart(frame ?? this.busiestFrame());
    this.dial.set({});
  }

  /** Returns the frame with most touching pairs of parts, by their boxes; 0 if none touch. */
  busiestFrame() {
    const { arena } = this;
    arena.set_detail(1);
    let [most, best] = [0, 0];
    // Every frame: pushes separate the two again at the next.
    for (let frame = 0; frame < arena.frames(); frame++) {
      arena.pose(frame);
      arena.find_contacts(0);
      const count = wholes(arena.hit_sites()).length;
      if (count > most) [most, best] = [count, frame];
    }
    arena.set_detail(Number(this.detail));
    return best;
  }

  /** Replaces the character of a side. */
  cast(side, file) {
    this.files[side] = file;
    this.parts[side]?.dispose();
    this.parts[side] = new Parts(file.character);
    this.view.scene.add(this.parts[side].object);
    this.dress(side, file.look, file.character.clips());
  }

  /** Sets the skin of a side, or none; an unchanged skin and its buffers are reused. */
  dress(side, look, clips) {
    if (look && this.skins[side]?.look === look) return;
    this.skins[side]?.dispose();
    this.skins[side] = look ? new Skin(look, clips) : null;
    if (look) this.view.scene.add(this.skins[side].object);
  }

  /** Lists the clips of a side, and chooses the one that plays. */
  listClips(name, side, playing) {
    const { character } = this.files[side];
    const options = character.clips().map((clip, i) => el("option", { value: i }, clip));
    if (this.arena.has_script(side)) options.unshift(el("option", { value: -1 }, "the fight"));
    $(`clip-${name}`).replaceChildren(...options);
    $(`clip-${name}`).value = playing;
    const parts = character.parts().length;
    const triangles = character.primitives().toLocaleString("en");
    setText($(`file-${name}`), this.files[side].name);
    $(`file-${name}`).title = `${parts} parts, ${triangles} triangles`;
  }

  /** Restarts at a frame, with both in view. */
  restart(frame = 0) {
    this.player.setFrames(this.arena.frames());
    const { distance } = this.arena;
    this.start.distance = distance;
    const slider = $("distance");
    slider.max = Math.max(2 * distance, 0.5);
    slider.step = slider.max / 400;
    slider.value = distance;
    setText($("distance-value"), metres(distance));
    this.player.frame = Math.min(frame, this.player.frames - 1);
    this.player.show();
    this.tick.moved();
    this.arena.pose(this.player.frame);
    this.seeWhole(this.arena.bounds());
    this.ask();
  }

  /** Points the camera at the box around both. */
  seeWhole(bounds) {
    const [x, y, z, ex, ey, ez] = bounds;
    const [low, high] = [new THREE.Vector3(x, y, z), new THREE.Vector3(ex, ey, ez)];
    this.size = Math.max(high.y - low.y, 0.25 * high.distanceTo(low), 1e-3);
    const center = low.clone().lerp(high, 0.5);
    this.view.frame(center, Math.max(high.distanceTo(low) * 0.78, 1e-3));
    for (const thing of [this.view.ground, this.view.grid]) {
      thing.position.set(center.x, Math.min(low.y, 0), center.z);
    }
    this.view.ground.position.y += 1e-3 * this.size;
  }

  turn() {
    if (!this.arena) return;
    this.arena.set_accuracy(KINDS[this.dial.kind], this.dial.value);
    this.ask();
  }

  recolor() {
    const sides = SIDES.map((name) => color(name));
    this.parts.forEach((parts, side) => {
      parts?.recolor({
        side: sides[side],
        hot: color("hot"),
        pointed: color("accent"),
        lines: color(`${SIDES[side]}-line`),
      });
      this.skins[side]?.tint(sides[side]);
    });
    this.marks.recolor();
    this.stage.draw();
  }

  /** Shows another frame. */
  moved() {
    this.tick.moved();
    this.ask();
  }

  /** Poses both, queries the crate, and draws the answer. */
  ask() {
    if (!this.arena) return;
    const { times } = this.counters;
    const taken = this.answer();
    if (this.player.playing) times.add(taken);
    else times.clear();
    this.counters.show(this.arena, this.names);
    this.tick.show();
    this.showPush();
    this.onAnswer();
    this.stage.draw();
  }

  /** Poses both, queries the crate and changes the scene; returns the times of the query and of all [ms]. */
  answer() {
    const begin = performance.now();
    if (this.tick.isOn) this.tick.pose();
    else this.arena.pose(this.player.frame);
    const posed = performance.now();
    this.findContacts();
    const found = performance.now();
    if (this.shown.push) this.arena.find_push();
    this.draw(this.player.frame);
    return [found - posed, performance.now() - begin];
  }

  findContacts() {
    this.arena.find_contacts(0.04 * this.size);
  }

  /** Advances by some seconds. */
  pass(seconds) {
    this.player.pass(seconds);
    this.tick.pass(seconds);
    if (this.player.playing || this.tick.playing) return;
    const { times } = this.counters;
    times.settle(() => this.findContacts(), () => this.answer());
    times.show();
  }

  draw(frame) {
    const sites = wholes(this.arena.hit_sites());
    const touching = [new Set(), new Set()];
    for (let at = 0; at < sites.length; at += 3) touching[sites[at]].add(sites[at + 1]);
    const matrices = floats(this.arena.matrices());
    const red = 16 * this.parts[0].parts.length;
    this.parts[0].pose(matrices.subarray(0, red));
    this.parts[1].pose(matrices.subarray(red));
    // Skins follow the clips, not the way between two ticks.
    const body = this.tick.isOn && this.body === "skin" ? "parts" : this.body;
    for (const side of [0, 1]) {
      const [parts, skin] = [this.parts[side], this.skins[side]];
      const skinned = body === "skin" && skin !== null;
      const at = this.pointedAt?.side === side ? this.pointedAt.part : -1;
      parts.setWires(this.wires, this.dial.depth);
      parts.mark(touching[side], at, body === "parts" || (body === "skin" && !skin));
      if (body === "none") parts.parts.forEach(({ mesh }) => mesh && (mesh.visible = false));
      if (skin) skin.object.visible = skinned;
      if (skinned) skin.pose(...this.arena.playing(side, frame), this.arena.root(side, frame));
    }
    this.marks.fill(this.arena, this.shown, this.size);
    this.marks.strike(this.tick.mark, this.size);
  }

  showPush() {
    const push = this.shown.push ? floats(this.arena.push_numbers()) : [];
    setText($("count-push"), push.length > 0 ? metres(push[3]) : "–");
  }

  /** Names of the parts of both. */
  get names() {
    return this.parts.map((parts) => parts.names);
  }

  /** Number of drawn lines of boxes and hulls. */
  get lineCount() {
    return this.parts.reduce((sum, parts) => sum + (parts?.lineCount ?? 0), 0);
  }

  /** Radius of the ball that the pointer throws. */
  get ballRadius() {
    return BALL * this.size;
  }

  /**
   * Returns what a ray of the pointer hits, or a ball along it: `{ side, part, name, distance, at, says }` with the point in
   * the scene, or null. Marks it; without a ray it marks nothing.
   */
  point(ray) {
    const hit = ray && (this.pointer === "ball" ? this.ballAlong(ray) : this.partUnder(ray));
    if (this.marks.pointAt(hit?.at ?? null, this.size, hit?.centre, this.ballRadius)) this.stage.draw();
    if (hit?.side !== this.pointedAt?.side || hit?.part !== this.pointedAt?.part) {
      this.pointedAt = hit;
      this.draw(this.player.frame);
      this.stage.draw();
    }
    return hit;
  }

  partUnder(ray) {
    const [side, part, distance, tests] = this.arena.part_under(numbersOf(ray));
    if (side === undefined) return null;
    const at = ray.at(distance, new THREE.Vector3()).toArray();
    return { side, part, name: this.names[side][part], distance, at, says: `${whole(tests)} tests` };
  }

  ballAlong(ray) {
    const [side, part, distance, slack, tests, ...points] = this.arena.ball_along(numbersOf(ray), this.ballRadius);
    if (side === undefined) return null;
    const [centre, at] = [points.slice(0, 3), points.slice(3)];
    const says = `stops a ball of ${metres(this.ballRadius)}, to ${metres(slack)}, ${whole(tests)} tests`;
    return { side, part, name: this.names[side][part], distance, at, centre, says };
  }

  /** Shows the skins of two equal fighters in their first poses, before their trees are built. */
  preview(look, { clips, poses, bounds }) {
    for (const [side, { clip, second, root }] of poses.entries()) {
      this.dress(side, look, clips);
      this.skins[side].pose(clip, second, root);
    }
    this.player.frame = FIRST;
    this.player.show();
    this.seeWhole(bounds);
    this.recolor();
  }

  /** Begins with two equal fighters, in the middle of a blow. */
  first(file) {
    this.begin([file, file], FIRST);
  }
}
