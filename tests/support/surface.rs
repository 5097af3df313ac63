//! Triangles of a part of a loaded character.

use boxwood::load::Loaded;
use boxwood::shape::Mesh;

/// Returns the mesh of a part, in the part's frame.
pub fn surface(loaded: &Loaded<f32>, part: usize) -> Option<&Mesh<f32>> {
    loaded.model.parts()[part].tree()?.geometry().mesh()
}
