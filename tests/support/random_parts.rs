//! Random parts and poses for trees, and their nodes in the world, by independent arithmetic.

use std::sync::Arc;

use boxwood::Build;
use boxwood::model::{Model, ModelBuilder};
use boxwood::num::Scalar;
use boxwood::scene::QueryShape;
use boxwood::shape::{Aabb, Capsule, Mesh, Obb, Pose, Segment, Sphere};
use boxwood::tree::{Geometry, Node, NodeId, ObbTree};
use nalgebra::{Matrix3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};

use crate::plain_box::{PlainBox, UPRIGHT, V, inner, plus, times};
use crate::random::{Random, apply};
use crate::triangle_distance::Triangle;

pub fn vector<T: Scalar>(v: V) -> Vector3<T> {
    Vector3::from(v.map(T::nearest))
}

pub fn point<T: Scalar>(v: V) -> Point3<T> {
    Point3::from(v.map(T::nearest))
}

pub fn wide<T: Scalar>(v: &Vector3<T>) -> V {
    v.map(T::wide).into()
}

pub fn pose<T: Scalar>(q: [f64; 4], at: V) -> Pose<T> {
    let [x, y, z, w] = q.map(T::nearest);
    let turn = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
    Pose::from_parts(Translation3::from(vector(at)), turn)
}

pub fn upright<T: Scalar>(at: V) -> Pose<T> {
    pose([0.0, 0.0, 0.0, 1.0], at)
}

pub fn turned<T: Scalar>(random: &mut Random, at: V) -> Pose<T> {
    loop {
        let q: [f64; 4] = std::array::from_fn(|_| random.between(-1.0, 1.0));
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.1 && length < 1.0 {
            return pose(q.map(|x| x / length), at);
        }
    }
}

/// Returns the columns of `q / |q|`, and `p`.
pub fn frame<T: Scalar>(pose: &Pose<T>) -> ([V; 3], V) {
    let q = pose.rotation.coords;
    let wide = Quaternion::new(q.w.wide(), q.x.wide(), q.y.wide(), q.z.wide());
    let m = UnitQuaternion::from_quaternion(wide).to_rotation_matrix();
    let p = pose.translation.vector;
    let columns = std::array::from_fn(|j| std::array::from_fn(|i| m[(i, j)]));
    (columns, [p.x.wide(), p.y.wide(), p.z.wide()])
}

/// Transforms a point of the part [world].
pub fn put<T: Scalar>(pose: &Pose<T>, local: V) -> V {
    let (columns, at) = frame(pose);
    plus(apply(&columns, local), at)
}

/// Transforms a box of the part [world].
pub fn place<T: Scalar>(block: &PlainBox, pose: &Pose<T>) -> PlainBox {
    let (columns, at) = frame(pose);
    PlainBox {
        center: plus(apply(&columns, block.center), at),
        axes: block.axes.map(|axis| apply(&columns, axis)),
        half: block.half,
    }
}

/// Returns the part-aligned box of a node.
pub fn aligned<T: Scalar>(node: &Node<T>) -> PlainBox {
    PlainBox::of_aabb(node.aligned())
}

pub fn mesh<T: Scalar>(triangles: &[Triangle]) -> Geometry<T> {
    let corners = triangles.iter().flatten().map(|&p| Point3::from(vector(p))).collect();
    let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Geometry::Surface(Mesh::new(corners, indices).expect("a mesh"))
}

pub fn solid<T: Scalar>(center: V, axes: &[V; 3], half: V) -> Obb<T> {
    let axes = Matrix3::from_fn(|i, j| T::nearest(axes[j][i]));
    Obb::new(Point3::from(vector(center)), axes, vector(half)).expect("a box")
}

/// Returns an axis-aligned solid box between two corners.
pub fn upright_solid<T: Scalar>(low: V, high: V) -> Obb<T> {
    let axes = UPRIGHT;
    let half = std::array::from_fn(|i| 0.5 * (high[i] - low[i]));
    solid(times(plus(low, high), 0.5), &axes, half)
}

/// Draws a shape that can be cast, around a point.
pub fn cast_shape<T: Scalar>(random: &mut Random, at: V) -> QueryShape<T> {
    let radius = T::nearest(random.decade(-2.0, 0.0));
    match random.below(5) {
        0 => Sphere::new(point(at), radius).expect("a ball").into(),
        1 => {
            let other = plus(at, times(random.direction(), random.decade(-1.0, 0.2)));
            let spine = Segment::new(point(at), point(other)).expect("a segment");
            Capsule::new(spine, radius).expect("a capsule").into()
        }
        2 => {
            let half = Vector3::from_fn(|_, _| T::nearest(random.decade(-2.0, 0.0)));
            Obb::from_pose(&turned(random, at), half).expect("a box").into()
        }
        3 => {
            let size: V = std::array::from_fn(|_| random.decade(-2.0, 0.0));
            Aabb::new(point(at), point(plus(at, size))).into()
        }
        _ => QueryShape::Point(point(at)),
    }
}

/// Draws a lumpy closed surface, a soup of triangles, a plate of triangles, or a few boxes.
pub fn random_part<T: Scalar>(random: &mut Random, kind: usize) -> Geometry<T> {
    match kind % 4 {
        0 => mesh(&lump(random, 4, 6)),
        1 => mesh(&soup(random, 24, [1.0; 3])),
        2 => mesh(&soup(random, 16, [1.0, 0.7, 1e-3])),
        _ => Geometry::Boxes((0..9).map(|_| random_solid(random)).collect()),
    }
}

/// Builds the tree of a part by default.
pub fn default_tree<T: Scalar>(geometry: Geometry<T>) -> ObbTree<T> {
    ObbTree::build(geometry, &Build::default()).expect("a part")
}

/// Builds a model of random parts of every kind.
pub fn random_model<T: Scalar>(random: &mut Random, parts: usize) -> Arc<Model<T>> {
    let add = |builder: ModelBuilder<T>, part: usize| {
        builder.part(part.to_string(), None, random_part(random, part))
    };
    (0..parts).fold(Model::builder(), add).build(&Build::default()).expect("a model")
}

fn random_solid<T: Scalar>(random: &mut Random) -> Obb<T> {
    let center = times(random.direction(), random.between(0.0, 1.0));
    let half = std::array::from_fn(|_| random.decade(-2.5, -0.3));
    solid(center, &random.rotation(), half)
}

fn soup(random: &mut Random, count: usize, size: V) -> Vec<Triangle> {
    let corner = |random: &mut Random, near: V| -> V {
        std::array::from_fn(|i| near[i] + 0.3 * size[i] * random.between(-1.0, 1.0))
    };
    let at = |random: &mut Random| std::array::from_fn(|i| size[i] * random.between(-1.0, 1.0));
    (0..count)
        .map(|_| {
            let near = at(random);
            std::array::from_fn(|_| corner(random, near))
        })
        .collect()
}

/// Draws the rings of a distorted long sphere.
fn lump(random: &mut Random, rings: usize, around: usize) -> Vec<Triangle> {
    let bumps: Vec<f64> = (0..(rings + 1) * around).map(|_| random.between(0.8, 1.2)).collect();
    let point = |ring: usize, k: usize| -> V {
        let (k, polar) = (k % around, std::f64::consts::PI * ring as f64 / rings as f64);
        let angle = std::f64::consts::TAU * k as f64 / around as f64;
        let end = ring == 0 || ring == rings;
        let bump = if end { 1.0 } else { bumps[ring * around + k] };
        let wide = if end { 0.0 } else { 0.4 * bump * polar.sin() };
        [wide * angle.cos(), wide * angle.sin(), bump * polar.cos()]
    };
    let quads = (0..rings).flat_map(|r| (0..around).map(move |k| (r, k)));
    let halves = quads.flat_map(|(r, k)| {
        let (a, b, c, d) = (point(r, k), point(r, k + 1), point(r + 1, k), point(r + 1, k + 1));
        [[a, c, b], [b, c, d]]
    });
    halves.filter(|t| t[0] != t[1] && t[1] != t[2] && t[0] != t[2]).collect()
}

/// Returns the triangles of a node, in the part's frame; none for hand-made boxes.
pub fn triangles<T: Scalar>(tree: &ObbTree<T>, node: NodeId) -> Vec<Triangle> {
    let Some(mesh) = tree.geometry().mesh() else { return Vec::new() };
    let corner = |p: Point3<T>| [p.x.wide(), p.y.wide(), p.z.wide()];
    tree.primitives(node).iter().map(|&i| mesh.corners(i as usize).map(corner)).collect()
}

/// Returns the hand-made boxes of a node, in the part's frame; none for meshes.
pub fn solids<T: Scalar>(tree: &ObbTree<T>, node: NodeId) -> Vec<PlainBox> {
    let Geometry::Boxes(boxes) = tree.geometry() else { return Vec::new() };
    tree.primitives(node).iter().map(|&i| PlainBox::of(&boxes[i as usize])).collect()
}

/// Computes the greatest gap over all fifteen axes without normalization: on edge axes times the
/// sine of the edges.
pub fn weighted_separation(a: &PlainBox, b: &PlainBox) -> f64 {
    let mut most = f64::MIN;
    let mut axes: Vec<V> = a.axes.iter().chain(&b.axes).copied().collect();
    for i in 0..9 {
        axes.push(crate::plain_box::outer(a.axes[i / 3], b.axes[i % 3]));
    }
    let (first, second) = (a.corners(a.center), b.corners(a.center));
    for axis in axes {
        let range = |corners: &[V; 8]| {
            let along = corners.iter().map(|&c| inner(c, axis));
            along.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)))
        };
        let (p, q) = (range(&first), range(&second));
        most = most.max((q.0 - p.1).max(p.0 - q.1));
    }
    most
}

compiled_here! { vector, pose, turned, frame, put, place, aligned, mesh, solid, random_part, random_model, triangles, solids, PlainBox::of }
