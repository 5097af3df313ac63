// Path of the walker: its last positions, in one buffer; when it is full the older half is dropped.

import * as THREE from "three";

const ROOM = 20000;

export class Trail {
  constructor() {
    const geometry = new THREE.BufferGeometry();
    const buffer = new THREE.BufferAttribute(new Float32Array(3 * ROOM), 3);
    geometry.setAttribute("position", buffer.setUsage(THREE.DynamicDrawUsage));
    geometry.setDrawRange(0, 0);
    this.object = new THREE.Line(geometry, new THREE.LineBasicMaterial());
    this.object.frustumCulled = false;
    this.clear();
  }

  clear() {
    this.count = 0;
    this.length = 0;
    this.last = null;
    this.object.geometry.setDrawRange(0, 0);
  }

  /** Adds a position, unless it equals the last one. */
  add(x, y, z) {
    const way = this.last ? Math.hypot(x - this.last[0], y - this.last[1], z - this.last[2]) : 0;
    if (this.last && way < 0.02) return;
    this.length += way;
    this.last = [x, y, z];
    const { geometry } = this.object;
    const buffer = geometry.getAttribute("position");
    if (this.count === ROOM) {
      // The older half is dropped.
      buffer.array.copyWithin(0, (3 * ROOM) / 2);
      this.count = ROOM / 2;
    }
    buffer.setXYZ(this.count++, x, y, z);
    buffer.needsUpdate = true;
    geometry.setDrawRange(0, this.count);
  }
}
