//! Files into models and clips.

mod bake;
mod bytes;
mod damaged;
mod gltf;
mod memory;
mod mjcf;
mod mocap;
mod progress;
mod samples;
mod told;
mod urdf;
