//! The triangles a part of a loaded character carries.

use boxwood::load::Loaded;
use boxwood::shape::Mesh;
use boxwood::tree::{Geometry, ObbTree};

/// The mesh of a part, in the part's frame.
pub fn surface(loaded: &Loaded<f32>, part: usize) -> Option<&Mesh<f32>> {
    match loaded.model.parts()[part].tree().map(ObbTree::geometry) {
        Some(Geometry::Surface(mesh)) => Some(mesh),
        _ => None,
    }
}
