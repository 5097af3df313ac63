// Look of a glTF character: its own meshes, moved by three's animation to the time of the crate.

import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";

/** Reads the meshes and clips of a file; null if three can not read it: then parts are drawn instead. */
export async function readLook(bytes) {
  try {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    return await new GLTFLoader().parseAsync(buffer, "");
  } catch (error) {
    console.info(`no skin is drawn: ${error.message}`);
    return null;
  }
}

/** Skin of one character. */
export class Skin {
  constructor(look, clipNames) {
    this.look = look;
    this.object = new THREE.Group();
    this.object.matrixAutoUpdate = false;
    const model = clone(look.scene);
    this.object.add(model);
    this.mixer = new THREE.AnimationMixer(model);
    const sameNumber = look.animations.length === clipNames.length;
    this.actions = clipNames.map((name, index) => {
      const clip = sameNumber
        ? look.animations[index]
        : THREE.AnimationClip.findByName(look.animations, name);
      return clip ? this.mixer.clipAction(clip) : null;
    });
    this.playing = null;
    this.materials = [];
    model.traverse((node) => this.adopt(node));
  }

  adopt(node) {
    if (!node.isMesh) return;
    node.frustumCulled = false;
    node.castShadow = true;
    node.receiveShadow = true;
    const own = (material) => {
      const copy = material.clone();
      copy.userData.plain = material.color?.clone();
      this.materials.push(copy);
      return copy;
    };
    node.material = Array.isArray(node.material) ? node.material.map(own) : own(node.material);
  }

  /** Tints the skin: plain materials get the colour, textures a hint of it. */
  tint(color) {
    const side = new THREE.Color(color);
    for (const material of this.materials) {
      if (!material.userData.plain) continue;
      material.color.copy(material.userData.plain).lerp(side, material.map ? 0.25 : 0.85);
      if ("roughness" in material) material.roughness = Math.max(material.roughness, 0.6);
      if ("metalness" in material && !material.map) material.metalness = 0;
    }
  }

  /** Poses the skin at a second of a clip. */
  pose(clip, second, root) {
    const action = this.actions[clip] ?? null;
    if (action !== this.playing) {
      this.playing?.stop();
      action?.reset().play();
      this.playing = action;
    }
    if (action) {
      action.time = second;
      this.mixer.update(0);
    }
    this.object.matrix.fromArray(root);
    this.object.matrixWorldNeedsUpdate = true;
  }

  dispose() {
    this.mixer.stopAllAction();
    this.object.removeFromParent();
    this.materials.forEach((material) => material.dispose());
  }
}
