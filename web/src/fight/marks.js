// Marks of a frame's answer: contact points, normals, boxes of hits, world boxes, the push.

import * as THREE from "three";
import { Arrows, Dots } from "../arrows.js";
import { GrowingLines } from "../growing_lines.js";
import { color } from "../theme.js";
import { floats } from "../wasm.js";

/** Number of values of a hit, and offsets of its normal and depth. */
export const WIDTH = 9;
const [NORMAL, DEPTH] = [4, 7];

/** Kinds of lines of the module. */
const [HITS, WORLD] = [0, 3];

export class Marks {
  constructor() {
    this.object = new THREE.Group();
    this.dots = new Dots();
    this.normals = new Arrows();
    this.push = new Arrows();
    this.impact = { dot: new Dots(), normal: new Arrows() };
    const line = () => new THREE.LineBasicMaterial({ depthTest: false, transparent: true });
    this.boxes = new GrowingLines(line());
    this.world = new GrowingLines(new THREE.LineBasicMaterial());
    this.boxes.object.renderOrder = 8;
    this.object.add(this.dots.mesh, this.normals.mesh, this.push.mesh);
    this.object.add(this.impact.dot.mesh, this.impact.normal.mesh);
    this.object.add(this.boxes.object, this.world.object);
    const skin = new THREE.MeshStandardMaterial({ transparent: true, opacity: 0.55, roughness: 0.4 });
    this.ball = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 20), skin);
    this.ball.visible = false;
    this.pointed = new Dots();
    this.object.add(this.ball, this.pointed.mesh);
  }

  recolor() {
    this.dots.mesh.material.color.set(color("point"));
    this.normals.mesh.material.color.set(color("normal"));
    this.push.mesh.material.color.set(color("push"));
    for (const { mesh } of Object.values(this.impact)) mesh.material.color.set(color("impact"));
    this.boxes.object.material.color.set(color("hot"));
    this.world.object.material.color.set(color("faint"));
    this.ball.material.color.set(color("point"));
    this.pointed.mesh.material.color.set(color("ink"));
  }

  /**
   * Marks the point that the pointer found, with the centre of a ball or null, or nothing without a point; returns true if that
   * changes the picture.
   */
  pointAt(point, size, centre = null, radius = 0) {
    const wasVisible = this.pointed.mesh.count > 0;
    this.pointed.clear();
    this.ball.visible = centre !== null;
    if (point) this.pointed.add(...point, 0.009 * size);
    if (centre) {
      this.ball.position.set(...centre);
      this.ball.scale.setScalar(radius);
    }
    return wasVisible || point !== null;
  }

  /** Marks the impact of a tick, or none. */
  strike(impact, size) {
    const { dot, normal } = this.impact;
    dot.clear();
    normal.clear();
    if (!impact) return;
    const [ax, ay, az, bx, by, bz, nx, ny, nz] = impact.vectors;
    const [x, y, z] = [(ax + bx) / 2, (ay + by) / 2, (az + bz) / 2];
    dot.add(x, y, z, 0.016 * size);
    normal.add(x, y, z, nx, ny, nz, 0.16 * size, 0.1 * size);
  }

  /** Fills all visible marks; `size` is that of the characters. */
  fill(arena, shown, size) {
    this.dots.clear();
    this.normals.clear();
    this.push.clear();
    const hits = floats(arena.hit_numbers());
    for (let at = 0; at < hits.length; at += WIDTH) {
      const [x, y, z] = [hits[at], hits[at + 1], hits[at + 2]];
      if (shown.points) this.dots.add(x, y, z, 0.007 * size);
      if (shown.normals) {
        const [nx, ny, nz] = [hits[at + NORMAL], hits[at + NORMAL + 1], hits[at + NORMAL + 2]];
        const length = Math.max(hits[at + DEPTH], 0.05 * size);
        this.normals.add(x, y, z, nx, ny, nz, length, 0.06 * size);
      }
    }
    this.boxes.set(shown.hits ? floats(arena.lines(HITS)) : new Float32Array());
    this.world.set(shown.world ? floats(arena.lines(WORLD)) : new Float32Array());
    const push = floats(arena.push_numbers());
    if (shown.push && push.length > 0) {
      const [nx, ny, nz, , , , , x, y, z] = push;
      this.push.add(x, y, z, nx, ny, nz, 0.22 * size, 0.12 * size);
    }
  }
}
