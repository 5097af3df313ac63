// Parts of a character as the crate tests them: triangles, and the boxes or hulls of a depth. Each
// is built once in the frame of its part; a frame only sets matrices.

import * as THREE from "three";

function geometryOf(numbers) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(numbers, 3));
  return geometry;
}

export class Parts {
  constructor(character) {
    this.character = character;
    this.names = character.parts();
    this.object = new THREE.Group();
    this.solid = new THREE.MeshStandardMaterial({ flatShading: true, roughness: 0.75 });
    this.hot = new THREE.MeshStandardMaterial({
      flatShading: true,
      roughness: 0.75,
      transparent: true,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
    });
    this.pointed = this.hot.clone();
    this.line = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.6 });
    this.hotLine = new THREE.LineBasicMaterial();
    this.drawn = "";
    this.lineCount = 0;
    this.parts = this.names.map((_, part) => this.makePart(part));
  }

  makePart(part) {
    const group = new THREE.Group();
    group.matrixAutoUpdate = false;
    const triangles = this.character.triangles(part);
    let mesh = null;
    if (triangles.length > 0) {
      mesh = new THREE.Mesh(geometryOf(triangles), this.solid);
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      group.add(mesh);
    }
    const wire = new THREE.LineSegments(new THREE.BufferGeometry(), this.line);
    group.add(wire);
    this.object.add(group);
    return { group, mesh, wire };
  }

  /** Sets the colours of the side, of touching parts and of the part under the pointer. */
  recolor({ side, hot, pointed, lines }) {
    this.solid.color.set(side);
    this.hot.color.set(hot);
    this.hot.emissive.set(hot).multiplyScalar(0.35);
    this.pointed.color.set(pointed);
    this.pointed.emissive.set(pointed).multiplyScalar(0.25);
    this.line.color.set(lines);
    this.hotLine.color.set(hot);
  }

  /** Draws the boxes or hulls of a depth, or none. */
  setWires(kind, depth) {
    const wanted = `${kind} ${depth}`;
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    this.lineCount = 0;
    for (const [part, { wire }] of this.parts.entries()) {
      wire.geometry.dispose();
      const lines = kind === "none" ? new Float32Array() : this.character[kind](part, depth);
      wire.geometry = geometryOf(lines);
      wire.visible = lines.length > 0;
      this.lineCount += lines.length / 6;
    }
  }

  /** Sets the matrices of all parts: 16 numbers each. */
  pose(matrices) {
    for (const [part, { group }] of this.parts.entries()) {
      group.matrix.fromArray(matrices, 16 * part);
      group.matrixWorldNeedsUpdate = true;
    }
  }

  /** Marks the touching parts, and the one under the pointer; others are visible only if `solid`. */
  mark(touching, pointedAt, solid) {
    this.hot.opacity = solid ? 1 : 0.62;
    this.pointed.opacity = solid ? 1 : 0.7;
    for (const [part, { mesh, wire }] of this.parts.entries()) {
      const hot = touching.has(part);
      wire.material = hot ? this.hotLine : this.line;
      wire.renderOrder = hot ? 2 : 1;
      if (!mesh) continue;
      mesh.material = part === pointedAt ? this.pointed : hot ? this.hot : this.solid;
      mesh.visible = solid || hot || part === pointedAt;
      mesh.castShadow = solid;
    }
  }

  dispose() {
    this.object.removeFromParent();
    for (const { mesh, wire } of this.parts) {
      mesh?.geometry.dispose();
      wire.geometry.dispose();
    }
    for (const material of [this.solid, this.hot, this.pointed, this.line, this.hotLine]) {
      material.dispose();
    }
  }
}
