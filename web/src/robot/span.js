// The least distance: a line between the two closest points, with its length beside it.

import * as THREE from "three";
import { Dots } from "../arrows.js";
import { $, metres, setText } from "../dom.js";

const UP = new THREE.Vector3(0, 1, 0);

export class Span {
  constructor() {
    const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
    this.rod = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 10), material);
    this.rod.renderOrder = 9;
    this.dots = new Dots();
    this.object = new THREE.Group();
    this.object.add(this.rod, this.dots.mesh);
    this.middle = new THREE.Vector3();
    this.label = $("gap-label");
  }

  recolor(color) {
    this.rod.material.color.set(color);
    this.dots.mesh.material.color.set(color);
  }

  /** Shows the line between two points of the scene, or none. */
  set(from, to, length, size) {
    this.dots.clear();
    this.rod.visible = from !== null && length > 0;
    this.label.hidden = from === null;
    if (from === null) return;
    const way = to.clone().sub(from);
    this.middle.copy(from).lerp(to, 0.5);
    this.rod.position.copy(this.middle);
    this.rod.scale.set(0.0035 * size, Math.max(way.length(), 1e-9), 0.0035 * size);
    if (way.length() > 0) this.rod.quaternion.setFromUnitVectors(UP, way.normalize());
    for (const { x, y, z } of [from, to]) this.dots.add(x, y, z, 0.009 * size);
    setText(this.label, length > 0 ? metres(length) : "touching");
    this.label.classList.toggle("hot", length === 0);
  }

  /** Moves the text beside the middle of the line, as the camera sees it. */
  follow(camera, canvas) {
    if (this.label.hidden) return;
    const at = this.middle.clone().project(camera);
    const { clientWidth: width, clientHeight: height } = canvas;
    const [x, y] = [((at.x + 1) / 2) * width, ((1 - at.y) / 2) * height];
    this.label.style.transform = `translate(${Math.round(x + 12)}px, ${Math.round(y - 12)}px)`;
  }
}
