// The crate: starts the module, and views lists in its memory.

import * as module from "../wasm/pkg/boxwood_web.js";
import { asset } from "./assets.js";

export const { Arena, Character, Crowd, DepthCurve, LevelWalk, PosedRobot, RobotFiles } = module;

let memory = null;

/** Compiles and starts the module. */
export async function startModule() {
  const compiled = await WebAssembly.compile(await asset("wasm"));
  memory = module.initSync({ module: compiled }).memory;
}

export const simdLevel = () => module.simd_level();
/** Returns true if a file is opened as a robot. */
export const isRobot = (name, bytes) => module.is_robot(name, bytes);
/** Returns the memory of the module. */
export const moduleMemory = () => memory;

// Memory may have grown, so views are created at each call and are valid until the next.
function look(Kind, view) {
  const list = new Kind(memory.buffer, view.at, view.len);
  view.free();
  return list;
}

export const floats = (view) => look(Float32Array, view);
export const doubles = (view) => look(Float64Array, view);
export const wholes = (view) => look(Uint32Array, view);
