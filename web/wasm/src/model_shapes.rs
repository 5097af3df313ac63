//! Names, trees and geometry of a model's parts, as the page draws them.

use boxwood::{Geometry, Model, ObbTree};

use crate::{round_mesh, wire};

/// Returns the names of the parts.
pub(crate) fn part_names(model: &Model) -> Vec<String> {
    model.parts().iter().map(|part| part.name().to_owned()).collect()
}

/// Returns the trees of the parts that have geometry.
pub(crate) fn trees(model: &Model) -> impl Iterator<Item = &ObbTree> {
    model.parts().iter().filter_map(|part| part.tree())
}

/// Returns the depth of the deepest tree.
pub(crate) fn deepest(model: &Model) -> u8 {
    trees(model).map(ObbTree::depth).max().unwrap_or(0)
}

/// Returns the number of triangles, boxes and convex shapes of the parts.
pub(crate) fn primitives(model: &Model) -> usize {
    trees(model).map(|tree| tree.geometry().len()).sum()
}

/// Returns the vertices of a part's triangles, nine numbers each, in the frame of the part.
pub(crate) fn triangles(model: &Model, part: usize) -> Vec<f32> {
    match tree(model, part).map(ObbTree::geometry) {
        Some(Geometry::Surface(mesh) | Geometry::Solid(mesh)) => (0..mesh.triangles().len())
            .flat_map(|triangle| mesh.corners(triangle))
            .flat_map(|corner| [corner.x, corner.y, corner.z])
            .collect(),
        Some(Geometry::Boxes(boxes)) => boxes.iter().flat_map(wire::box_triangles).collect(),
        Some(Geometry::Convex(shapes)) => shapes.iter().flat_map(round_mesh::triangles).collect(),
        _ => Vec::new(),
    }
}

/// Returns the edges of a part's boxes at a depth of its tree, six numbers each.
pub(crate) fn boxes(model: &Model, part: usize, depth: u8) -> Vec<f32> {
    tree(model, part).map_or(Vec::new(), |tree| wire::boxes(tree, depth))
}

/// Returns the edges of the hulls at a depth of a part's tree, six numbers each, and of the boxes
/// of nodes without one.
pub(crate) fn hulls(model: &Model, part: usize, depth: u8) -> Vec<f32> {
    tree(model, part).map_or(Vec::new(), |tree| wire::hulls(tree, depth))
}

fn tree(model: &Model, part: usize) -> Option<&ObbTree> {
    model.parts().get(part)?.tree()
}
