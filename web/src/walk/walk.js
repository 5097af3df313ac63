// Tab 4: a cylinder walks through a level of brushes; the page draws its path, its ground and its
// walls.

import * as THREE from "three";
import { Arrows } from "../arrows.js";
import { $, setText, whole } from "../dom.js";
import { GrowingLines } from "../growing_lines.js";
import { View } from "../stage.js";
import { color, onTheme } from "../theme.js";
import { LevelWalk, doubles, floats } from "../wasm.js";
import { Autopilot } from "./autopilot.js";
import { Scenery } from "./scenery.js";
import { Trail } from "./trail.js";

const [RATE, SPEED, SLOW] = [60, 5, 2.2];

/** Height above the walker's head at which the level is cut [m]. */
const CUT = 0.9;

/** Greatest distance from the level of a place that the walker is moved to [m]: it would fall at once. */
const OUTSIDE = 10;

export class Walk {
  constructor(stage, keys) {
    this.stage = stage;
    this.keys = keys;
    this.view = new View(stage, { floor: false, light: 0.72 });
    stage.renderer.localClippingEnabled = true;
    this.level = null;
    this.name = "";
    this.scenery = null;
    this.pilot = null;
    this.rest = 0;
    this.trail = new Trail();
    this.arrows = new Arrows();
    this.ground = new GrowingLines(new THREE.LineBasicMaterial({ depthTest: false }));
    this.ground.object.renderOrder = 5;
    this.groundId = -1;
    this.body = new THREE.Mesh(
      new THREE.CylinderGeometry(1, 1, 2, 40),
      new THREE.MeshStandardMaterial({ roughness: 0.5 }),
    );
    // The walker again, where something is before it: walls may hide it from the camera.
    this.ghost = new THREE.Mesh(
      this.body.geometry,
      new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.4, depthFunc: THREE.GreaterDepth, depthWrite: false }),
    );
    this.ghost.renderOrder = 4;
    this.view.scene.add(this.trail.object, this.arrows.mesh, this.ground.object, this.body, this.ghost);
    this.view.sun.castShadow = false;
    this.listen();
    onTheme(() => this.recolor());
  }

  listen() {
    $("autopilot").addEventListener("click", () => this.steerAlone(this.pilot === null));
    $("restart").addEventListener("click", () => this.restart());
    for (const id of ["show-edges", "show-path", "cut"]) {
      $(id).addEventListener("change", () => this.show());
    }
  }

  /** Loads a map; throws the errors of the crate. */
  load(name, bytes, isExample) {
    const level = new LevelWalk(name, bytes);
    this.level?.free();
    this.scenery?.dispose();
    this.level = level;
    this.scenery = new Scenery(level);
    this.view.scene.add(this.scenery.object);
    this.name = name;
    this.standing = doubles(level.state())[3];
    this.isExample = isExample;
    this.steerAlone(true);
    const [brushes, planes, arcs, entities, volumes] = level.counts();
    setText($("level-name"), name);
    setText(
      $("level-counts"),
      `${whole(brushes)} solid brushes, ${whole(planes)} planes and ${whole(arcs)} arcs; ` +
        `${whole(entities)} entities, ${whole(volumes)} volumes`,
    );
    this.recolor();
    this.restart();
  }

  restart() {
    this.level.restart();
    if (this.pilot) this.pilot = new Autopilot(this.isExample);
    this.begin();
  }

  /** Centre of the walker [m]. */
  get centre() {
    return Array.from(doubles(this.level.state()).subarray(0, 3));
  }

  get isCrouched() {
    return doubles(this.level.state())[3] < this.standing;
  }

  /**
   * Moves the walker to a centre, at rest, until the user walks. Throws the errors of the crate, and one for a place far from
   * the level; then nothing has changed.
   */
  place(x, y, z, crouched) {
    const reach = this.scenery.bounds.clone().expandByScalar(OUTSIDE);
    if (!reach.containsPoint(new THREE.Vector3(x, y, z))) throw new RangeError("the place is far from the level");
    this.level.place(x, y, z, crouched);
    this.steerAlone(false);
    this.begin();
  }

  /** Begins a path where the walker is, with it in view. */
  begin() {
    this.trail.clear();
    const size = this.isExample ? 24 : 16;
    const [x, y, z] = doubles(this.level.state());
    this.view.frame(new THREE.Vector3(x, y, z), size, [-0.62, 0.75, -0.5]);
    this.view.controls.maxPolarAngle = 1.5;
    this.show();
  }

  steerAlone(alone) {
    this.pilot = alone ? new Autopilot(this.isExample) : null;
    $("autopilot").setAttribute("aria-pressed", String(alone));
  }

  recolor() {
    this.scenery?.recolor();
    for (const { material } of [this.body, this.ghost]) material.color.set(color("blue"));
    this.trail.object.material.color.set(color("hot"));
    this.arrows.mesh.material.color.set(color("point"));
    this.ground.object.material.color.set(color("normal"));
    this.stage.draw();
  }

  /** Advances by some seconds. */
  pass(seconds) {
    if (!this.level) return;
    this.rest += seconds * RATE;
    const frames = Math.floor(this.rest);
    this.rest -= frames;
    for (let i = 0; i < frames; i++) this.step();
    if (frames > 0) this.show();
  }

  /** Walks one frame of a sixtieth of a second. */
  step() {
    const { x, z, crouch, jump } = this.wish();
    const speed = crouch ? SLOW : SPEED;
    this.level.step(x * speed, z * speed, jump, crouch);
    const [px, py, pz, half] = doubles(this.level.state());
    this.trail.add(px, py - half + 0.03, pz);
  }

  wish() {
    const [right, ahead] = this.keys.way;
    const { jump, crouch } = this.keys;
    if (this.pilot && (right !== 0 || ahead !== 0 || jump)) this.steerAlone(false);
    if (this.pilot) {
      const [x, , z] = doubles(this.level.state());
      return { ...this.pilot.steer(x, z), jump: false };
    }
    // Ahead is the direction of the camera.
    const { target } = this.view.controls;
    const [dx, dz] = [target.x - this.view.camera.position.x, target.z - this.view.camera.position.z];
    const long = Math.max(1e-6, Math.hypot(dx, dz));
    const [fx, fz] = [dx / long, dz / long];
    return { x: ahead * fx - right * fz, z: ahead * fz + right * fx, jump, crouch };
  }

  /** Draws the results of the last frame. */
  show() {
    if (!this.level) return;
    const [x, y, z, half, radius, stands, ground, stepped, bumps, casts] = doubles(this.level.state());
    for (const { position, scale } of [this.body, this.ghost]) {
      position.set(x, y, z);
      scale.set(radius, half, radius);
    }
    this.follow(x, y, z);
    this.scenery.cutAbove($("cut").checked ? y + half + CUT : null);
    this.scenery.edges.forEach((edges) => (edges.visible = $("show-edges").checked));
    this.trail.object.visible = $("show-path").checked;
    if (ground !== this.groundId) {
      this.groundId = ground;
      this.ground.set(ground < 0 ? new Float32Array() : this.level.brush_edges(ground));
    }
    const blocked = floats(this.level.blocked_by());
    this.arrows.clear();
    for (let at = 0; at < blocked.length; at += 4) {
      const [, nx, ny, nz] = blocked.subarray(at, at + 4);
      this.arrows.add(x - radius * nx, y - half * 0.4, z - radius * nz, nx, ny, nz, 0.9, 0.7);
    }
    setText($("walk-stands"), stands ? `on brush ${ground}` : "in the air");
    setText($("walk-walls"), whole(blocked.length / 4));
    setText($("walk-casts"), whole(casts));
    setText($("walk-bumps"), whole(bumps));
    setText($("walk-place"), `${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)} m`);
    setText($("walk-length"), `${this.trail.length.toFixed(1)} m`);
    $("walk-stepped").hidden = !stepped;
    this.stage.draw();
  }

  /** Moves the camera with the walker, at a constant distance. */
  follow(x, y, z) {
    const { target } = this.view.controls;
    const by = new THREE.Vector3(x, y, z).sub(target).multiplyScalar(0.15);
    target.add(by);
    this.view.camera.position.add(by);
    this.view.sun.position.set(x - 14, y + 30, z - 8);
    this.view.sun.target.position.set(x, y, z);
  }
}
