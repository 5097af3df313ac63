//! Loaders: files into models and clips.

mod bake;
mod bytes;
mod damaged;
mod gltf;
mod map;
mod memory;
mod mesh_files;
mod mjcf;
mod mocap;
mod progress;
mod progress_of_formats;
mod samples;
mod unknown_elements;
mod urdf;
