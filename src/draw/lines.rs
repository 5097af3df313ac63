//! Lines of boxes, trees and shapes.

use crate::num::Scalar;
use crate::pair::ConvexShape;
use crate::shape::{Aabb, Mesh, Obb, Pose, nearest_point};
use crate::tree::ObbTree;

/// Twelve edges of a box by their corners; bit `i` of a corner selects the end of axis `i`.
pub(super) const EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

/// Draws the twelve edges of an oriented box, those along its first axis first.
///
/// ```
/// use boxwood::{draw, shape::Obb};
/// use nalgebra::{Matrix3, Point3, Vector3};
///
/// let cube = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::repeat(0.5))?;
/// let mut length = 0.0;
/// draw::obb(&cube, |[ax, ay, az], [bx, by, bz]| {
///     length += f32::hypot(f32::hypot(bx - ax, by - ay), bz - az);
/// });
/// assert_eq!(length, 12.0);
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn obb<T: Scalar>(of: &Obb<T>, line: impl FnMut([T; 3], [T; 3])) {
    edges(&of.corners().map(Into::into), line);
}

/// Draws the twelve edges of an axis-aligned box; none of an empty one.
///
/// ```
/// use boxwood::nalgebra::Point3;
/// use boxwood::{Aabb, draw};
///
/// let (room, mut lines) = (Aabb::new(Point3::origin(), Point3::new(4.0, 3.0, 2.0)), 0);
/// draw::aabb(&room, |_from, _to| lines += 1);
/// draw::aabb(&Aabb::empty(), |_from, _to| lines += 1);
/// assert_eq!(lines, 12);
/// ```
pub fn aabb<T: Scalar>(of: &Aabb<T, 3>, line: impl FnMut([T; 3], [T; 3])) {
    if of.is_empty() {
        return;
    }
    let end = |corner: usize, i: usize| if corner >> i & 1 == 1 { of.max[i] } else { of.min[i] };
    edges(&std::array::from_fn(|corner| std::array::from_fn(|i| end(corner, i))), line);
}

/// Draws the three edges of every triangle; an edge that two triangles share is drawn twice.
///
/// ```
/// use boxwood::nalgebra::Point3;
/// use boxwood::{Mesh, draw};
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let mesh = Mesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2]])?;
/// let mut lines = Vec::new();
/// draw::mesh(&mesh, |from, to| lines.push((from, to)));
/// assert_eq!(lines[0], (corners[0], corners[1]));
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn mesh<T: Scalar>(of: &Mesh<T>, mut line: impl FnMut([T; 3], [T; 3])) {
    for triangle in 0..of.triangles().len() {
        let [a, b, c] = of.corners(triangle).map(Into::into);
        line(a, b);
        line(b, c);
        line(c, a);
    }
}

/// Draws the oriented boxes of a tree's cut at `depth`, transformed by `pose`: the boxes that a
/// query at that depth tests.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Build, Geometry, Obb, ObbTree, draw};
///
/// let at = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
/// let tree = ObbTree::build(Geometry::Boxes(vec![at(0.0)?, at(3.0)?]), &Build::default())?;
/// let mut lines = 0;
/// draw::tree(&tree, &Isometry3::identity(), 1, |_from, _to| lines += 1);
/// assert_eq!(lines, 2 * 12); // the two leaves
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn tree<T: Scalar>(
    of: &ObbTree<T>,
    pose: &Pose<T>,
    depth: u8,
    mut line: impl FnMut([T; 3], [T; 3]),
) {
    for node in of.cut(depth) {
        let corners = of.node(node).oriented().corners();
        edges(&corners.map(|corner| (pose * corner).into()), &mut line);
    }
}

/// Draws a convex primitive, transformed by `pose`: its edges, and rings of 32 pieces around round
/// parts.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Point3, Vector3};
/// use boxwood::{ConvexShape, Cylinder, draw};
///
/// let drum: ConvexShape = Cylinder::new(Point3::origin(), Vector3::z_axis(), 2.0, 1.0)?.into();
/// let mut lines = 0;
/// draw::convex(&drum, &Isometry3::identity(), |_from, _to| lines += 1);
/// assert_eq!(lines, 2 * 32 + 4);
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn convex<T: Scalar>(
    of: &ConvexShape<T>,
    pose: &Pose<T>,
    mut line: impl FnMut([T; 3], [T; 3]),
) {
    of.outline(&mut |ends| {
        let [from, to] = ends.map(|end| (pose * nearest_point::<T>(end)).into());
        line(from, to);
    });
}

pub(super) fn edges<T: Scalar>(corners: &[[T; 3]; 8], mut line: impl FnMut([T; 3], [T; 3])) {
    for [from, to] in EDGES {
        line(corners[from], corners[to]);
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

    use super::*;
    use crate::tree::{Build, Geometry};

    type Line = ([f64; 3], [f64; 3]);

    fn side_lengths(lines: &[Line]) -> Vec<f64> {
        lines.iter().map(|(a, b)| (Vector3::from(*b) - Vector3::from(*a)).norm()).collect()
    }

    pub fn a_box_has_four_edges_along_each_axis() {
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, -1.0, 2.0);
        let solid = Obb::new(Point3::new(4.0, 5.0, 6.0), *turn.matrix(), [0.5, 1.0, 2.0].into());
        let mut lines: Vec<Line> = vec![];
        obb(&solid.expect("a box"), |a, b| lines.push((a, b)));
        let expected = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 4.0, 4.0, 4.0, 4.0];
        let close =
            side_lengths(&lines).iter().zip(expected).all(|(side, e)| (side - e).abs() < 1e-12);
        assert!(close, "{lines:?}");
        let ends: std::collections::BTreeSet<_> =
            lines.iter().flat_map(|(a, b)| [a.map(f64::to_bits), b.map(f64::to_bits)]).collect();
        assert_eq!(ends.len(), 8);
    }

    pub fn an_aligned_box_is_drawn_like_the_oriented_one_and_an_empty_one_is_not() {
        let half = Vector3::new(0.5, 1.0, 2.0);
        let solid = Obb::new(Point3::origin(), Matrix3::identity(), half).expect("a box");
        let (mut one, mut other): (Vec<Line>, Vec<Line>) = (vec![], vec![]);
        obb(&solid, |a, b| one.push((a, b)));
        aabb(&Aabb::from_points([Point3::from(-half), Point3::from(half)]), |a, b| {
            other.push((a, b))
        });
        assert_eq!(one, other);
        aabb(&Aabb::<f64, 3>::empty(), |_, _| panic!("nothing to draw"));
    }

    pub fn a_tree_is_drawn_where_its_pose_puts_it() {
        let triangles = vec![[0, 1, 2], [3, 4, 5]];
        let corner = |x: f32, y: f32| Point3::new(x, y, 0.0);
        let corners = [(0., 0.), (1., 0.), (0., 1.), (9., 0.), (8., 0.), (9., 1.)];
        let surface = Mesh::new(corners.map(|(x, y)| corner(x, y)).to_vec(), triangles);
        let surface = surface.expect("two triangles");
        let mut count = 0;
        mesh(&surface, |_, _| count += 1);
        assert_eq!(count, 6);
        let boxes = ObbTree::build(Geometry::Surface(surface), &Build::default()).expect("a tree");
        let pose = Isometry3::translation(0.0, 0.0, 7.0);
        for (depth, expected) in [(0, 12), (1, 24), (200, 24)] {
            let mut lines = vec![];
            tree(&boxes, &pose, depth, |a, b| lines.push((a, b)));
            assert_eq!(lines.len(), expected);
            assert!(lines.iter().all(|(a, b)| (a[2] - 7.0).abs() + (b[2] - 7.0).abs() < 1e-6));
        }
    }
}
