// The stage: one canvas, one renderer, a scene for each tab that has one; redrawn after changes.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { $ } from "./dom.js";
import { color, onTheme } from "./theme.js";

/** A scene with its camera, lights and floor. */
export class View {
  constructor(stage, { floor = true, light = 1 } = {}) {
    this.light = light;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.02, 500);
    this.controls = new OrbitControls(this.camera, stage.canvas);
    this.controls.enabled = false;
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", () => stage.draw());
    this.sky = new THREE.HemisphereLight(0xffffff, 0x888888, 1.6);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.2);
    this.scene.add(this.sky, this.sun, this.sun.target);
    if (floor) this.addFloor();
    this.recolor();
    onTheme(() => {
      this.recolor();
      stage.draw();
    });
  }

  addFloor() {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.normalBias = 0.01;
    this.ground = new THREE.Mesh(
      new THREE.CircleGeometry(1, 64).rotateX(-Math.PI / 2),
      new THREE.ShadowMaterial({ opacity: 0.2 }),
    );
    this.ground.receiveShadow = true;
    this.grid = new THREE.GridHelper(2, 24);
    this.grid.material.transparent = true;
    this.scene.add(this.ground, this.grid);
  }

  recolor() {
    this.scene.background = new THREE.Color(color("stage"));
    this.scene.fog = this.ground ? new THREE.Fog(color("stage"), 1, 2) : null;
    this.fit?.();
    this.sky.color.set(color("sky"));
    this.sky.groundColor.set(color("earth"));
    this.sky.intensity = this.light * Number(color("sky-light"));
    this.sun.intensity = this.light * Number(color("sun-light"));
    if (this.grid) {
      this.grid.material.color.set(color("grid"));
      this.grid.material.vertexColors = false;
      this.grid.material.needsUpdate = true;
      this.ground.material.opacity = Number(color("shadow"));
    }
  }

  /** Points the camera at a box of this size around a point. */
  frame(center, size, direction = [1, 0.34, 0.22]) {
    const aspect = Math.min(1.5, this.camera.aspect || 1);
    const far = (0.62 * size) / Math.tan((this.camera.fov * Math.PI) / 360) / Math.min(1, aspect);
    const way = new THREE.Vector3(...direction).normalize();
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(way, far);
    this.camera.near = size / 200;
    this.camera.far = size * 60;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = size / 20;
    this.controls.maxDistance = size * 12;
    this.sun.position.copy(center).add(new THREE.Vector3(0.5, 1.1, -0.4).multiplyScalar(2 * size));
    this.sun.target.position.copy(center);
    this.fit = () => {
      if (!this.scene.fog) return;
      [this.scene.fog.near, this.scene.fog.far] = [3.2 * far, 7 * far];
    };
    this.fit();
    if (this.ground) {
      const shadow = this.sun.shadow.camera;
      [shadow.left, shadow.right, shadow.bottom, shadow.top] = [-size, size, -size, size];
      [shadow.near, shadow.far] = [0.1 * size, 6 * size];
      shadow.updateProjectionMatrix();
      const cell = 10 ** Math.round(Math.log10(size / 8));
      this.grid.scale.setScalar(12 * cell);
      this.ground.scale.setScalar(12 * cell);
    }
    this.controls.update();
  }
}

export class Stage {
  constructor() {
    this.canvas = $("canvas");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.view = null;
    this.stale = true;
    this.updates = [];
    new ResizeObserver(() => this.resize()).observe($("stage"));
    this.resize();
  }

  /** Shows a view, or none. */
  show(view) {
    if (this.view) this.view.controls.enabled = false;
    this.view = view;
    if (view) view.controls.enabled = true;
    this.resize();
  }

  /** Requests a redraw at the next frame. */
  draw() {
    this.stale = true;
  }

  /** Registers a function that is called every frame, with the seconds since the last one. */
  onFrame(update) {
    this.updates.push(update);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = $("stage");
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    if (this.view) {
      this.view.camera.aspect = width / height;
      this.view.camera.updateProjectionMatrix();
    }
    this.stale = true;
  }

  /** Draws at once, because the first frame of a new browser comes late; then frame by frame. */
  start() {
    let last = performance.now();
    const frame = (now) => {
      requestAnimationFrame(frame);
      // A page that was hidden continues where it was.
      const passed = Math.min(0.1, Math.max(0, now - last) / 1000);
      last = now;
      this.updates.forEach((update) => update(passed));
      if (!this.view) return;
      this.view.controls.update();
      if (this.stale && !this.paused) {
        this.stale = false;
        this.renderer.render(this.view.scene, this.view.camera);
      }
    };
    frame(last);
  }
}
