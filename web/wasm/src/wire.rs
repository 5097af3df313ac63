//! Lines of boxes and convex hulls in the frame of their part: drawn once, moved by the page.

use boxwood::{Obb, ObbTree, Pose, draw};

/// Returns the lines of the boxes at a depth.
pub(crate) fn boxes(tree: &ObbTree, depth: u8) -> Vec<f32> {
    let mut lines = Vec::new();
    draw::tree(tree, &Pose::identity(), depth, |from, to| add(&mut lines, from, to));
    lines
}

/// Returns the lines of the convex hulls at a depth, and of the boxes of nodes without one.
pub(crate) fn hulls(tree: &ObbTree, depth: u8) -> Vec<f32> {
    let mut lines = Vec::new();
    for node in tree.cut(depth) {
        match tree.hull(node) {
            Some(hull) => {
                draw::hull(&hull, &Pose::identity(), |from, to| add(&mut lines, from, to));
            }
            None => draw::obb(tree.node(node).oriented(), |from, to| add(&mut lines, from, to)),
        }
    }
    lines
}

pub(crate) fn add(lines: &mut Vec<f32>, from: [f32; 3], to: [f32; 3]) {
    lines.extend(from);
    lines.extend(to);
}

/// Returns the vertices of the twelve triangles of a box, facing outward.
pub(crate) fn box_triangles(of: &Obb) -> Vec<f32> {
    let corners = of.corners();
    let mut out = Vec::with_capacity(108);
    for axis in 0..3 {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for base in [0, 1 << axis] {
            let quad = [base, base | u, base | u | v, base | v];
            let order = if base > 0 { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
            for corner in order.map(|index| corners[quad[index]]) {
                out.extend([corner.x, corner.y, corner.z]);
            }
        }
    }
    out
}
