//! Edges of the hulls around the nodes of a tree.

use nalgebra::Point3;

use crate::brush::Brush;
use crate::num::Scalar;
use crate::shape::Pose;
use crate::tree::PaddedHull;

/// Draws the edges of a convex hull, transformed by `pose`, each once; of a flat one, lines from
/// its first corner to all others. The pad is not drawn.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Point3};
/// use boxwood::{Build, Geometry, Mesh, NodeId, ObbTree, draw};
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let mesh = Mesh::new(corners.map(Point3::from).to_vec(), sides)?;
/// let tree = ObbTree::build(Geometry::Solid(mesh), &Build::default())?;
/// let mut lines = 0;
/// if let Some(hull) = tree.hull(NodeId::ROOT) {
///     draw::hull(&hull, &Isometry3::identity(), |_from, _to| lines += 1);
/// }
/// assert_eq!(lines, 6); // a tetrahedron
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn hull<T: Scalar>(of: &PaddedHull<T>, pose: &Pose<T>, mut line: impl FnMut([T; 3], [T; 3])) {
    let mut draw = |from: Point3<T>, to: Point3<T>| line((pose * from).into(), (pose * to).into());
    match Brush::from_points(&of.corners) {
        Ok(solid) => {
            for edge in solid.edges() {
                let [from, to] = edge.ends.map(|end| end.map(T::nearest));
                draw(from, to);
            }
        }
        Err(_) => of.corners.iter().skip(1).for_each(|&to| draw(of.corners[0], to)),
    }
}
