// Line segments whose number changes from frame to frame; the buffer doubles when it is full, and
// is reused.

import * as THREE from "three";

export class GrowingLines {
  constructor(material) {
    this.object = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.room = 0;
  }

  /** Sets the lines: six numbers each. */
  set(numbers) {
    const { geometry } = this.object;
    if (numbers.length > this.room) {
      this.room = Math.max(3072, 2 * numbers.length);
      this.room -= this.room % 6;
      geometry.dispose();
      const attribute = new THREE.BufferAttribute(new Float32Array(this.room), 3);
      geometry.setAttribute("position", attribute.setUsage(THREE.DynamicDrawUsage));
    }
    const attribute = geometry.getAttribute("position");
    if (attribute) {
      attribute.array.set(numbers);
      attribute.needsUpdate = numbers.length > 0;
    }
    geometry.setDrawRange(0, numbers.length / 3);
  }

  get count() {
    return this.object.geometry.drawRange.count / 2;
  }
}
