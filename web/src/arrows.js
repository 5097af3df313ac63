// Arrows and dots, many in one draw call: normals, pushes, contact points.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const UP = new THREE.Vector3(0, 1, 0);
const MOST = 512;

function arrowGeometry() {
  const shaft = new THREE.CylinderGeometry(0.035, 0.035, 0.75, 10).translate(0, 0.375, 0);
  const head = new THREE.ConeGeometry(0.11, 0.27, 14).translate(0, 0.865, 0);
  return mergeGeometries([shaft, head]);
}

function instances(geometry) {
  const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
  const mesh = new THREE.InstancedMesh(geometry, material, MOST);
  mesh.frustumCulled = false;
  mesh.renderOrder = 10;
  mesh.count = 0;
  return mesh;
}

/** Arrows of one colour, visible through bodies. */
export class Arrows {
  constructor() {
    this.mesh = instances(arrowGeometry());
    this.place = new THREE.Matrix4();
    [this.turn, this.scale] = [new THREE.Quaternion(), new THREE.Vector3()];
    [this.from, this.along] = [new THREE.Vector3(), new THREE.Vector3()];
  }

  clear() {
    this.mesh.count = 0;
  }

  /** Adds an arrow from a point along a unit direction. */
  add(x, y, z, dx, dy, dz, length, thickness) {
    if (this.mesh.count >= MOST) return;
    this.turn.setFromUnitVectors(UP, this.along.set(dx, dy, dz));
    this.scale.set(thickness, length, thickness);
    this.place.compose(this.from.set(x, y, z), this.turn, this.scale);
    this.mesh.setMatrixAt(this.mesh.count++, this.place);
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** Dots of one colour, visible through bodies. */
export class Dots {
  constructor() {
    this.mesh = instances(new THREE.SphereGeometry(1, 14, 10));
    this.place = new THREE.Matrix4();
  }

  clear() {
    this.mesh.count = 0;
  }

  add(x, y, z, radius) {
    if (this.mesh.count >= MOST) return;
    this.place.makeScale(radius, radius, radius).setPosition(x, y, z);
    this.mesh.setMatrixAt(this.mesh.count++, this.place);
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
