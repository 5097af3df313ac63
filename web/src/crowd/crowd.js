// Tab 3: a crowd of one character; every frame the crate places all people and finds the parts that
// touch another person.

import * as THREE from "three";
import { $, choice, el, metres, setText, whole } from "../dom.js";
import { View } from "../stage.js";
import { onTab } from "../tabs.js";
import { color, onTheme } from "../theme.js";
import { Times, milliseconds } from "../times.js";
import { Crowd, doubles, floats, wholes } from "../wasm.js";

/** Numbers of the accuracies in the module. */
const [DEPTH, EXACT] = [0, 2];

/** Seconds of a frame at rest. */
const STEP = 1 / 60;

/** What is shown at the start. */
const START = { people: 1000, tested: "exact", depth: 0 };

export class CrowdTab {
  constructor(stage) {
    this.stage = stage;
    this.view = new View(stage);
    this.view.sun.castShadow = false; // too many boxes
    this.file = null;
    this.crowd = null;
    this.mesh = null;
    this.hot = new Uint32Array();
    this.time = 0;
    this.playing = false;
    this.queries = new Times(40);
    this.frames = new Times(40);
    Object.assign(this, START);
    this.start = { ...START, simd: null };
    this.colors = { cool: new THREE.Color(), hot: new THREE.Color() };
    this.simd = null;
    this.simdNames = [];
    this.asked = null;
    this.listen();
    onTheme(() => this.recolor());
    onTab((tab) => tab === "crowd" && this.begin());
  }

  listen() {
    choice($("crowd-tested"), (tested) => this.set({ tested }))(this.tested);
    $("crowd-depth").addEventListener("input", () => this.set({ tested: "depth", depth: Number($("crowd-depth").value) }));
    $("crowd-size").addEventListener("input", () => this.setPeople(Number($("crowd-size").value)));
    $("crowd-play").addEventListener("click", () => this.play(!this.playing));
    $("crowd-step").addEventListener("click", () => {
      this.play(false);
      this.seek(this.frame + 1);
    });
  }

  set(values) {
    Object.assign(this, values);
    for (const [id, value] of [["crowd-tested", this.tested], ["crowd-simd", this.simd]]) {
      for (const button of $(id).querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String(button.value === String(value)));
      }
    }
    this.queries.clear();
    this.ask();
  }

  /** Sets the character; people are made when the tab is shown. */
  load(file) {
    this.file = file;
    this.crowd?.free();
    this.crowd = null;
    setText($("crowd-name"), file.name);
    if (document.body.dataset.tab === "crowd") this.begin();
  }

  /** Lists the instruction sets, once the module is there. */
  listLevels() {
    if (this.simd !== null) return;
    this.simdNames = Crowd.simd_levels();
    this.simd = this.start.simd = this.simdNames.length - 1;
    $("crowd-simd").append(...this.simdNames.map((name, value) => el("button", { value: String(value) }, name)));
    choice($("crowd-simd"), (simd) => this.set({ simd: Number(simd) }))(String(this.simd));
  }

  begin() {
    if (this.crowd || !this.file) return;
    this.listLevels();
    this.asked = null;
    this.crowd = new Crowd(this.file.character);
    $("crowd-depth").max = this.deepest;
    this.depth = Math.min(this.depth, this.deepest);
    this.setPeople(this.people);
    this.seeWhole();
  }

  /** Points the camera at the whole crowd. */
  seeWhole() {
    // Upright windows show the square across its corners.
    const size = this.crowd.width() * (this.view.camera.aspect < 1 ? 1.25 : 1);
    const center = new THREE.Vector3(0, 0.3 * this.crowd.height(), 0);
    this.view.frame(center, Math.max(size, 3 * this.crowd.height()), [0.8, 0.62, 1]);
    this.view.ground.position.y = this.view.grid.position.y = 0;
  }

  /** Greatest depth of a part's tree. */
  get deepest() {
    return this.file.character.deepest();
  }

  /** Sets the number of people. */
  setPeople(people) {
    this.people = people;
    $("crowd-size").value = people;
    if (!this.crowd) return;
    this.crowd.set_people(people);
    const count = people * this.crowd.boxes();
    this.mesh?.dispose();
    if (this.mesh) this.view.scene.remove(this.mesh);
    const material = new THREE.MeshStandardMaterial({ roughness: 0.8 });
    this.mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(2, 2, 2), material, count);
    this.mesh.frustumCulled = false;
    this.view.scene.add(this.mesh);
    setText($("crowd-size-value"), whole(people));
    const clip = this.crowd.clip();
    setText(
      $("crowd-counts"),
      `${whole(count)} parts with a tree each${clip ? `; the clip is ${clip}` : ""}. A part is drawn as the box around it, and tested as it is.`,
    );
    this.queries.clear();
    this.frames.clear();
    this.recolor();
    this.ask();
  }

  recolor() {
    this.colors.cool.set(color("robot"));
    this.colors.hot.set(color("hot"));
    if (!this.mesh) return;
    for (let box = 0; box < this.mesh.count; box++) this.mesh.setColorAt(box, this.colors.cool);
    this.paint(this.hot, this.colors.hot);
    this.stage.draw();
  }

  paint(boxes, tint) {
    for (const box of boxes) if (box < this.mesh.count) this.mesh.setColorAt(box, tint);
    this.mesh.instanceColor.needsUpdate = true;
  }

  /** Plays, or stops at the nearest frame. */
  play(plays) {
    if (!plays) this.seek(this.frame);
    this.playing = plays;
    this.frames.clear();
    $("crowd-play").setAttribute("aria-pressed", String(plays));
    setText($("crowd-play"), plays ? "Pause" : "Play");
  }

  /** Number of the nearest frame of a sixtieth of a second. */
  get frame() {
    return Math.round(this.time / STEP);
  }

  seek(frame) {
    this.time = frame * STEP;
    this.ask();
  }

  /** Places all, queries the crate, and draws the answer. */
  ask() {
    const { crowd } = this;
    if (!crowd || !this.mesh) return;
    crowd.set_accuracy(this.tested === "exact" ? EXACT : DEPTH, this.depth);
    if (this.asked !== this.simd) crowd.set_simd((this.asked = this.simd));
    crowd.pose(this.time);
    const begin = performance.now();
    crowd.find_pairs();
    this.queries.add(performance.now() - begin);
    crowd.write_boxes();
    this.mesh.instanceMatrix.array.set(floats(crowd.matrices()));
    this.mesh.instanceMatrix.needsUpdate = true;
    this.paint(this.hot, this.colors.cool);
    this.hot = wholes(crowd.touching()).slice();
    this.paint(this.hot, this.colors.hot);
    this.count();
    this.stage.draw();
  }

  count() {
    const [pairs, people, parts, boxes, hulls, primitives, slack] = doubles(this.crowd.counts());
    setText($("crowd-pairs"), whole(pairs));
    setText($("crowd-people"), whole(people));
    setText($("crowd-parts"), whole(parts));
    setText($("crowd-boxes"), whole(boxes));
    setText($("crowd-hulls"), whole(hulls));
    setText($("crowd-primitives"), whole(primitives));
    setText($("crowd-slack"), pairs === 0 ? "–" : metres(slack));
    setText($("crowd-time"), milliseconds(this.queries.median));
    setText($("crowd-rate"), this.frames.count > 4 ? `${(1 / this.frames.median).toFixed(0)} / s` : "–");
    setText($("crowd-depth-value"), String(this.depth));
    $("crowd-depth").value = this.depth;
  }

  /** Advances by some seconds. */
  pass(seconds) {
    if (!this.crowd || !this.playing) return;
    if (seconds > 0) this.frames.add(seconds);
    this.time += seconds;
    this.ask();
  }
}
