// Faces and edges of a level's brushes, cut away above the walker.

import * as THREE from "three";
import { color } from "../theme.js";

/**
 * Names of the colours of the module's kinds, in the order in which their faces are pushed back: of
 * faces in one plane, the later kind is in front, and edges are in front of all.
 */
const KINDS = ["wall", "body", "volume"];

export class Scenery {
  constructor(level) {
    this.object = new THREE.Group();
    this.cut = new THREE.Plane(new THREE.Vector3(0, -1, 0), 0);
    this.edges = [];
    this.faces = KINDS.map((_, kind) => this.add(level, kind));
    this.bounds = new THREE.Box3().setFromObject(this.faces[0]);
  }

  add(level, kind) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(level.positions(kind), 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(level.normals(kind), 3));
    const material = new THREE.MeshStandardMaterial({ roughness: 0.95, side: THREE.DoubleSide });
    if (kind === 2) Object.assign(material, { transparent: true, opacity: 0.35, depthWrite: false });
    const back = KINDS.length - kind;
    Object.assign(material, { polygonOffset: true, polygonOffsetFactor: back, polygonOffsetUnits: back });
    const faces = new THREE.Mesh(geometry, material);
    const lines = new THREE.BufferGeometry();
    lines.setAttribute("position", new THREE.BufferAttribute(level.edges(kind), 3));
    const line = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.5 });
    const edges = new THREE.LineSegments(lines, line);
    this.edges.push(edges);
    this.object.add(faces, edges);
    return faces;
  }

  recolor() {
    KINDS.forEach((name, kind) => {
      this.faces[kind].material.color.set(color(name));
      this.edges[kind].material.color.set(color("edge"));
    });
  }

  /** Hides everything above a height, or shows all. */
  cutAbove(height) {
    const planes = height === null ? [] : [this.cut];
    if (height !== null) this.cut.constant = height;
    for (const { material } of [...this.faces, ...this.edges]) material.clippingPlanes = planes;
  }

  dispose() {
    this.object.removeFromParent();
    for (const { geometry, material } of [...this.faces, ...this.edges]) {
      geometry.dispose();
      material.dispose();
    }
  }
}
