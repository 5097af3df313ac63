//! Bounds and volumes of a robot's parts.

use boxwood::NodeId;
use boxwood::f64::{Geometry, ObbTree};

/// Least and greatest coordinates of a part's geometry, in the part's frame [metres]; not a number
/// without geometry.
pub fn part_bounds(tree: Option<&ObbTree>) -> [f64; 6] {
    let Some(tree) = tree else { return [f64::NAN; 6] };
    let around = tree.node(NodeId::ROOT).aligned();
    let (least, greatest) = (around.min, around.max);
    [least.x, least.y, least.z, greatest.x, greatest.y, greatest.z]
}

/// Sum of the volumes of a part's solids [cubic metres].
pub fn part_volume(tree: Option<&ObbTree>) -> f64 {
    match tree.map(|tree| tree.geometry()) {
        Some(Geometry::Solid(mesh)) => mesh.volume(),
        Some(Geometry::Boxes(boxes)) => boxes.iter().map(|one| one.volume()).sum(),
        Some(Geometry::Convex(shapes)) => shapes.iter().map(|one| one.volume()).sum(),
        _ => 0.0,
    }
}
