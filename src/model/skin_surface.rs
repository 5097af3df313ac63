//! Surface of a blended skin in one pose: distances from it, and points inside it. Fans close the
//! holes of the skin, as those of solid parts.

use std::ops::Range;

use nalgebra::Point3;

use crate::fit::AxisBounds;
use crate::motion::{Joints, Skin};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};
use crate::shape::{Mesh, WideTriangle};

/// Largest number of triangles of a leaf.
const MAX_LEAF_TRIANGLES: usize = 4;

/// Directions along which crossings are counted. None is parallel to an axis or a diagonal, where
/// files have edges.
const RAY_DIRECTIONS: [Vec3; 5] = [
    [1.0, 0.0321, 0.0173],
    [-0.0273, 1.0, 0.0411],
    [0.0197, -0.0359, -1.0],
    [-0.8311, -0.4127, 0.3733],
    [0.3511, -0.8819, 0.4337],
];

/// Number of votes that decides.
const MAJORITY: usize = RAY_DIRECTIONS.len() / 2 + 1;

/// The triangles of a skin, and of caps over its holes, in the pose set last, in a tree of bounds.
pub(crate) struct SkinSurface {
    /// Indices of vertices, in the order of the leaves.
    triangles: Vec<[u32; 3]>,
    posed: Vec<WideTriangle>,
    /// The vertices of the skin, then the centre of each hole.
    vertices: Vec<Vec3>,
    /// The vertices around each hole.
    holes: Vec<Vec<u32>>,
    /// The nodes, children before parents; empty for a skin without triangles.
    nodes: Vec<SurfaceNode>,
}

struct SurfaceNode {
    bounds: AxisBounds,
    content: SurfaceContent,
}

enum SurfaceContent {
    Triangles(Range<usize>),
    /// Indices of the children.
    Nodes([usize; 2]),
}

impl SkinSurface {
    /// Builds the tree for the pose in `joints`, which must have every joint of the skin.
    pub fn new<T: Scalar>(skin: &Skin<T>, joints: &Joints<T>) -> Self {
        let mut surface = SkinSurface {
            triangles: skin.triangles().to_vec(),
            posed: Vec::new(),
            vertices: Vec::new(),
            holes: Vec::new(),
            nodes: Vec::new(),
        };
        surface.blend(skin, joints);
        surface.cap();
        let mut order: Vec<(Vec3, [u32; 3])> =
            surface.triangles.iter().map(|&of| (surface.centroid(of), of)).collect();
        if !order.is_empty() {
            surface.add_node(&mut order, 0);
        }
        surface.triangles = order.into_iter().map(|(_, triangle)| triangle).collect();
        surface.refit();
        surface
    }

    /// Moves the surface to another pose of the same skin. The tree keeps its structure.
    pub fn pose<T: Scalar>(&mut self, skin: &Skin<T>, joints: &Joints<T>) {
        self.blend(skin, joints);
        self.refit();
    }

    /// Returns `true` if there are no triangles.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns `true` if the triangles face inward: the volume that they enclose is negative.
    #[allow(dead_code)] // used by loaders of skins alone, which a build may leave out
    pub fn is_inside_out(&self) -> bool {
        let sixfold = |t: &WideTriangle| dot(t.corners[0], cross(t.corners[1], t.corners[2]));
        self.posed.iter().map(sixfold).sum::<f64>() < 0.0
    }

    /// The diagonal of the bounds; 0 without triangles.
    pub fn size(&self) -> f64 {
        self.nodes.last().map_or(0.0, |root| length(sub(root.bounds.high, root.bounds.low)))
    }

    /// Returns the distance of a point from the surface if the point is outside it and farther away
    /// than `near`, else 0. Returns 0 without triangles.
    ///
    /// A point is outside if most of five rays from it cross the surface as often outward as
    /// inward: right for closed surfaces, and for holes that few rays pass.
    pub fn distance_outside(&self, point: Vec3, near: f64) -> f64 {
        let least = self.distance(point, near);
        if least <= near || self.contains(point) { 0.0 } else { least }
    }

    /// Like [`SkinSurface::distance_outside`], but faster for points deep inside.
    #[allow(dead_code)] // used by loaders of skins alone, which a build may leave out
    pub fn distance_outside_inner_first(&self, point: Vec3, near: f64) -> f64 {
        if self.contains(point) {
            return 0.0;
        }
        let least = self.distance(point, near);
        if least <= near { 0.0 } else { least }
    }

    /// Returns the distance of a point from the surface, or some distance up to `near` if that is
    /// no farther; 0 without triangles.
    fn distance(&self, point: Vec3, near: f64) -> f64 {
        let Some(root) = self.nodes.last() else { return 0.0 };
        let mut least = f64::INFINITY;
        self.lower_to_nearest(root, (point, near), &mut least);
        least
    }

    /// Adds a node after its descendants and returns its index; sorts the triangles into leaves.
    fn add_node(&mut self, triangles: &mut [(Vec3, [u32; 3])], from: usize) -> usize {
        let count = triangles.len();
        let content = if count <= MAX_LEAF_TRIANGLES {
            SurfaceContent::Triangles(from..from + count)
        } else {
            let ends = AxisBounds::from_points(triangles.iter().map(|(centroid, _)| *centroid));
            let extent = sub(ends.high, ends.low);
            let axis = (1..3).fold(0, |best, i| if extent[i] > extent[best] { i } else { best });
            let half = count / 2;
            triangles.select_nth_unstable_by(half, |(a, x), (b, y)| {
                a[axis].total_cmp(&b[axis]).then(x.cmp(y))
            });
            let (low, high) = triangles.split_at_mut(half);
            SurfaceContent::Nodes([self.add_node(low, from), self.add_node(high, from + half)])
        };
        self.nodes.push(SurfaceNode { bounds: AxisBounds::EMPTY, content });
        self.nodes.len() - 1
    }

    fn blend<T: Scalar>(&mut self, skin: &Skin<T>, joints: &Joints<T>) {
        self.vertices.clear();
        self.vertices.extend(skin.corners().map(|corner| Vec3::from(joints.skinned(corner))));
        for hole in &self.holes {
            self.vertices.push(mean_vertex(hole, &self.vertices));
        }
    }

    /// Adds a fan over every hole.
    fn cap(&mut self) {
        let vertices = self.vertices.iter().map(|&vertex| Point3::from(vertex)).collect();
        // Vertices that are not finite make no mesh; distances from them are meaningless anyway.
        let Ok(mesh) = Mesh::<f64>::new(vertices, self.triangles.clone()) else { return };
        self.holes = mesh.hole_loops();
        for hole in &self.holes {
            let middle = self.vertices.len() as u32;
            self.vertices.push(mean_vertex(hole, &self.vertices));
            let next = hole.iter().cycle().skip(1);
            self.triangles.extend(hole.iter().zip(next).map(|(&from, &to)| [to, from, middle]));
        }
    }

    fn refit(&mut self) {
        let vertices = &self.vertices;
        let posed = self.triangles.iter().map(|of| of.map(|v| vertices[v as usize]));
        self.posed.clear();
        self.posed.extend(posed.map(|corners| WideTriangle { corners }));
        for index in 0..self.nodes.len() {
            let ends = match &self.nodes[index].content {
                SurfaceContent::Triangles(range) => AxisBounds::from_points(
                    self.posed[range.clone()].iter().flat_map(|of| of.corners),
                ),
                SurfaceContent::Nodes(below) => {
                    let ends = below.map(|child| self.nodes[child].bounds);
                    AxisBounds::from_points(ends.iter().flat_map(|of| [of.low, of.high]))
                }
            };
            self.nodes[index].bounds = ends;
        }
    }

    fn centroid(&self, triangle: [u32; 3]) -> Vec3 {
        let [a, b, c] = triangle.map(|v| self.vertices[v as usize]);
        scale(add(add(a, b), c), 1.0 / 3.0)
    }

    /// Lowers `least` to the distance from the nearest triangle below a node, or to one within
    /// `near`.
    fn lower_to_nearest(&self, node: &SurfaceNode, (point, near): (Vec3, f64), least: &mut f64) {
        let farthest = node.bounds.farthest_distance(point);
        if farthest <= near {
            // All triangles below are within `near`.
            *least = least.min(farthest);
            return;
        }
        match &node.content {
            SurfaceContent::Triangles(range) => {
                for triangle in &self.posed[range.clone()] {
                    *least = least.min(triangle.distance(point));
                }
            }
            SurfaceContent::Nodes(below) => {
                let mut children =
                    below.map(|child| &self.nodes[child]).map(|n| (n.bounds.distance(point), n));
                if children[1].0 < children[0].0 {
                    children.swap(0, 1);
                }
                for (distance, child) in children {
                    if distance < *least && *least > near {
                        self.lower_to_nearest(child, (point, near), least);
                    }
                }
            }
        }
    }

    /// Returns `true` if most rays from the point leave the surface more often than they enter it,
    /// or less often: a mirrored surface faces inward.
    fn contains(&self, point: Vec3) -> bool {
        let Some(root) = self.nodes.last() else { return false };
        if root.bounds.distance(point) > 0.0 {
            return false;
        }
        let mut votes = [0; 2];
        for ray in RAY_DIRECTIONS {
            let mut winding = 0;
            let ray = SurfaceRay { from: point, along: ray, inverse: ray.map(|x| 1.0 / x) };
            self.count_crossings(root, &ray, &mut winding);
            votes[usize::from(winding != 0)] += 1;
            if votes.contains(&MAJORITY) {
                break;
            }
        }
        votes[1] >= MAJORITY
    }

    fn count_crossings(&self, node: &SurfaceNode, ray: &SurfaceRay, winding: &mut i32) {
        if !ray.passes(&node.bounds) {
            return;
        }
        match &node.content {
            SurfaceContent::Triangles(range) => {
                *winding += self.posed[range.clone()].iter().map(|t| ray.crossing(t)).sum::<i32>();
            }
            SurfaceContent::Nodes(below) => {
                below.iter().for_each(|&n| self.count_crossings(&self.nodes[n], ray, winding));
            }
        }
    }
}

/// The mean of some vertices.
fn mean_vertex(of: &[u32], vertices: &[Vec3]) -> Vec3 {
    let sum = of.iter().fold([0.0; 3], |sum, &vertex| add(sum, vertices[vertex as usize]));
    scale(sum, 1.0 / of.len() as f64)
}

/// A ray without components of zero.
struct SurfaceRay {
    from: Vec3,
    along: Vec3,
    /// The inverse of each component of the direction.
    inverse: Vec3,
}

impl SurfaceRay {
    /// Returns `true` if the ray passes through bounds.
    fn passes(&self, ends: &AxisBounds) -> bool {
        let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
        for i in 0..3 {
            let [a, b] = [ends.low[i], ends.high[i]].map(|x| (x - self.from[i]) * self.inverse[i]);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        enter <= leave
    }

    /// Returns 1 if the ray leaves through the triangle, -1 if it enters, else 0. Source: Moeller
    /// and Trumbore, Fast, Minimum Storage Ray/Triangle Intersection (1997).
    fn crossing(&self, triangle: &WideTriangle) -> i32 {
        let [a, b, c] = triangle.corners;
        let (ab, ac, at) = (sub(b, a), sub(c, a), sub(self.from, a));
        let across = cross(self.along, ac);
        let facing = dot(ab, across);
        // All shares have the sign of the triangle; a parallel triangle has none.
        let side = if facing < 0.0 { -1.0 } else { 1.0 };
        let (size, u) = (facing.abs(), side * dot(at, across));
        if !(u >= 0.0 && u <= size && size > 0.0) {
            return 0;
        }
        let turned = cross(at, ab);
        let (v, t) = (side * dot(self.along, turned), side * dot(ac, turned));
        match v >= 0.0 && u + v <= size && t > 0.0 {
            true => -side as i32,
            false => 0,
        }
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::motion::{Joint, Skeleton, SkinWeight, Transform};

    /// A cube from -1 to 1 on one joint, without its first `skip` sides, and the joint at rest.
    fn cube(skip: usize) -> (Skin<f64>, Joints<f64>) {
        let end = |bits: usize, i: usize| if bits >> i & 1 == 1 { 1.0 } else { -1.0 };
        let corner = |c: usize| Point3::new(end(c, 0), end(c, 1), end(c, 2));
        let weight = |c| vec![SkinWeight { joint: 0, share: 1.0, at: corner(c) }];
        let quads =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles =
            quads.iter().skip(skip).flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]);
        let skin = Skin::new((0..8).map(weight)).expect("finite");
        let skin = skin.with_triangles(triangles.collect()).expect("of its vertices");
        (skin, posed(0.0))
    }

    /// The joint at that x.
    fn posed(x: f64) -> Joints<f64> {
        let joint = Joint { name: "one".into(), parent: None, rest: Transform::default() };
        let skeleton = Skeleton::new(vec![joint]).expect("one joint");
        let mut joints = Joints::new();
        let moved = Transform { translation: Vector3::new(x, 0.0, 0.0), ..Transform::default() };
        skeleton.poses(&[moved], &mut joints).expect("finite");
        joints
    }

    pub fn distances_are_those_outside_a_cube() {
        let (skin, joints) = cube(0);
        let surface = SkinSurface::new(&skin, &joints);
        for (point, expected) in [
            ([0.0, 0.0, 0.0], 0.0),
            ([0.9, -0.9, 0.5], 0.0),
            ([1.5, 0.0, 0.0], 0.5),
            ([0.0, -3.0, 0.3], 2.0),
            ([4.0, 5.0, 1.0], 5.0),
            ([1.0, 0.2, 0.1], 0.0),
        ] {
            let found = surface.distance_outside(point, 1e-12);
            assert!((found - expected).abs() < 1e-12, "{point:?}: {found}");
        }
    }

    pub fn holes_are_closed_in_every_pose() {
        let (skin, joints) = cube(1);
        let mut surface = SkinSurface::new(&skin, &joints);
        for x in [0.0, 10.0] {
            surface.pose(&skin, &posed(x));
            for (point, expected) in [
                ([0.3, 0.1, 0.0], 0.0),
                ([-0.99, 0.1, 0.0], 0.0),
                ([-1.2, 0.1, 0.0], 0.2),
                ([1.2, 0.1, 0.0], 0.2),
            ] {
                let found = surface.distance_outside(add(point, [x, 0.0, 0.0]), 1e-12);
                assert!((found - expected).abs() < 1e-12, "{point:?}: {found}");
            }
        }
    }

    pub fn a_moved_pose_moves_the_surface() {
        let (skin, joints) = cube(0);
        let mut surface = SkinSurface::new(&skin, &joints);
        surface.pose(&skin, &posed(10.0));
        assert_eq!(surface.distance_outside([10.5, 0.0, 0.0], 1e-12), 0.0);
        assert!((surface.distance_outside([0.0, 0.0, 0.0], 1e-12) - 9.0).abs() < 1e-12);
    }
}
