//! Loaders: files into models and clips.

mod bake;
mod damaged;
mod gltf;
mod memory;
mod mjcf;
mod mocap;
mod progress;
mod urdf;
