// The part under the pointer, by a ray of the crate from the camera, or by a ball that is thrown along
// it: its name, how far away and where it is, in how many tests it was found, and how far off a ball
// stops.

import * as THREE from "three";
import { $, metres, setText } from "../dom.js";

export function startPointer(stage, fight) {
  const label = $("part-name");
  const caster = new THREE.Raycaster();
  const place = new THREE.Vector2();
  let last = null;
  const hide = () => {
    last = null;
    label.hidden = true;
    if (fight.arena) fight.point(null);
  };
  const move = (event) => {
    if (stage.view !== fight.view || !fight.arena || event.buttons > 0) return hide();
    last = event;
    const box = stage.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    place.set((2 * x) / box.width - 1, 1 - (2 * y) / box.height);
    caster.setFromCamera(place, fight.view.camera);
    const hit = fight.point(caster.ray);
    label.hidden = hit === null;
    if (!hit) return;
    setText($("part-name-text"), hit.name);
    setText($("part-name-ray"), `${metres(hit.distance)} away, ${hit.says}`);
    setText($("part-name-at"), `at ${hit.at.map((value) => value.toFixed(3)).join(", ")} m`);
    label.dataset.side = hit.side === 0 ? "red" : "blue";
    // Beside the pointer, and within the scene.
    const left = Math.max(0, Math.min(x + 14, box.width - label.offsetWidth - 4));
    const top = y + 14 + label.offsetHeight < box.height ? y + 14 : y - 14 - label.offsetHeight;
    label.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  };
  // Parts move under a pointer at rest.
  fight.onAnswer = () => last && move(last);
  stage.canvas.addEventListener("pointermove", move);
  stage.canvas.addEventListener("pointerdown", hide);
  stage.canvas.addEventListener("click", move);
  stage.canvas.addEventListener("pointerleave", hide);
}
