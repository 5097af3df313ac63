//! Scenes of solids, surfaces and boxes, with the distance of each part from a point.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{CharacterKey, NodeRef, Scene, Spawn};
use boxwood::shape::Pose;
use boxwood::tree::{Geometry, NodeId, ObbTree};
use boxwood::{Build, PartId};

use support::closed_meshes::{cube, solid, sphere};
use support::prelude::*;
use support::random_parts::{put, solids, triangles};
use support::triangle_distance::{Triangle, point_triangle, solid_angle};

/// Part in the world as the test sees it; query points are transformed into its frame.
pub struct Body {
    pub key: CharacterKey,
    pub order: u64,
    pub part: PartId,
    triangles: Vec<Triangle>,
    blocks: Vec<PlainBox>,
    /// `true` for a solid.
    whole: bool,
    /// Bound on the coordinates of its corners.
    size: f64,
}

/// Computes the winding number around a point that is not on the surface.
fn winding(p: V, triangles: &[Triangle]) -> f64 {
    triangles.iter().map(|t| solid_angle(p, *t)).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

impl Body {
    pub fn new<T: Scalar>(
        (key, order, part): (CharacterKey, u64, PartId),
        tree: &ObbTree<T>,
        pose: &Pose<T>,
    ) -> Self {
        let put_all = |t: &Triangle| t.map(|corner| put(pose, corner));
        let triangles: Vec<Triangle> = triangles(tree, NodeId::ROOT).iter().map(put_all).collect();
        let blocks = solids(tree, NodeId::ROOT);
        let blocks: Vec<PlainBox> =
            blocks.iter().map(|block| support::random_parts::place(block, pose)).collect();
        let corners = triangles.iter().flatten().map(|p| norm(*p));
        let reaches = blocks.iter().map(|b| norm(b.center) + norm(b.half));
        let size = corners.chain(reaches).fold(0.0, f64::max);
        let whole = matches!(tree.geometry(), Geometry::Solid(_));
        Body { key, order, part, triangles, blocks, whole, size }
    }

    /// Computes the distance of the point from the nearest primitive.
    pub fn to_primitives(&self, p: V) -> f64 {
        let flat = self.triangles.iter().map(|t| point_triangle(p, *t));
        let solid = self.blocks.iter().map(|block| block.distance(p));
        flat.chain(solid).fold(f64::MAX, f64::min)
    }

    /// Computes the distance of the point from the part; zero inside a solid.
    pub fn distance(&self, p: V) -> f64 {
        let least = self.to_primitives(p);
        let inside = || self.whole && winding(p, &self.triangles).abs() > 0.5;
        if least > 1e-13 * self.size && inside() { 0.0 } else { least }
    }

    /// Returns a bound on the stated slack of primitives: the rounding of lengths, and of boxes
    /// whose axes are not exactly at right angles.
    pub fn most_slack<T: Scalar>(&self, p: V) -> f64 {
        let share = if T::ROUNDING > 1e-10 { 2e-5 } else { 1e-11 };
        share * (self.size + norm(p)) + f64::MIN_POSITIVE
    }

    /// Returns the rounding error of a distance from the point.
    pub fn doubt<T: Scalar>(&self, p: V) -> f64 {
        (8.0 * T::ROUNDING + 1e-13) * (self.size + norm(p)) + 1e-13
    }
}

/// Returns every enabled part with geometry.
pub fn bodies<T: Scalar>(scene: &Scene<T>, off: &[(CharacterKey, PartId)]) -> Vec<Body> {
    let mut bodies = Vec::new();
    for key in scene.keys() {
        let order = scene.user(key).expect("a key");
        let (model, poses) = (scene.model(key).expect("a key"), scene.poses(key).expect("a key"));
        for (part, pose) in model.parts().iter().zip(poses) {
            let there = part.tree().filter(|_| !off.contains(&(key, part.id())));
            bodies.extend(there.map(|tree| Body::new((key, order, part.id()), tree, pose)));
        }
    }
    bodies.sort_by_key(|body| (body.order, body.part));
    bodies
}

pub fn geometry<T: Scalar>(random: &mut Random, kind: usize) -> Geometry<T> {
    match kind % 6 {
        0 => solid(sphere(random.between(0.2, 0.8), 4)),
        1 => solid(cube([0, 1, 2].map(|_| random.between(0.1, 0.6)))),
        2 if random.chance(0.3) => Geometry::None,
        kind => random_part(random, kind),
    }
}

/// Builds a model of some parts of all kinds, at least one with geometry.
fn model<T: Scalar>(random: &mut Random) -> Arc<Model<T>> {
    let mut builder = Model::builder();
    for part in 0..1 + random.below(6) {
        let kind = if part == 0 { random.below(2) } else { random.below(6) };
        builder = builder.part(part.to_string(), None, geometry(random, kind));
        let at = times(random.direction(), random.between(0.0, 2.0));
        builder = builder.bind(turned(random, at));
    }
    let build = if random.chance(0.3) { Build::fast() } else { Build::default() };
    builder.build(&build).expect("a model")
}

/// Builds a few characters around a position, with orders equal to their numbers; returns the
/// disabled parts too.
#[allow(clippy::type_complexity)]
pub fn stage<T: Scalar>(
    random: &mut Random,
    far: f64,
) -> (Scene<T>, Vec<CharacterKey>, Vec<(CharacterKey, PartId)>) {
    let (mut scene, mut keys, mut off) = (Scene::new(), Vec::new(), Vec::new());
    for _ in 0..2 + random.below(3) {
        let near = times(random.direction(), random.between(0.0, 3.0));
        let at = turned(random, plus([far, -far, 0.5 * far], near));
        let order = random.bits() >> 30;
        let model = model(random);
        let key = scene.insert(&model, Spawn::at(at).order(order).user(order)).expect("one");
        if random.chance(0.3) {
            let part = PartId::new(random.below(model.len()));
            scene.set_part_enabled(key, part, false).expect("a part");
            off.push((key, part));
        }
        keys.push(key);
    }
    (scene, keys, off)
}

/// Returns a point near the position or far from it, deep in a part, or exactly on a corner.
pub fn spot<T: Scalar>(random: &mut Random, bodies: &[Body], far: f64) -> Point3<T> {
    let body = &bodies[random.below(bodies.len())];
    let at = match random.below(4) {
        0 => body.triangles.first().map_or_else(|| body.blocks[0].center, |t| t[random.below(3)]),
        1 => {
            // The mean of a few corners.
            let corners: Vec<V> = body.triangles.iter().flatten().copied().collect();
            let sum = corners.iter().fold([0.0; 3], |sum, p| plus(sum, *p));
            let middle = times(sum, 1.0 / corners.len().max(1) as f64);
            if corners.is_empty() { body.blocks[0].center } else { middle }
        }
        2 => plus([far, -far, 0.5 * far], times(random.direction(), random.between(0.0, 4.0))),
        _ => plus([far, -far, 0.5 * far], times(random.direction(), random.decade(0.5, 3.0))),
    };
    Point3::from(vector(at))
}

pub fn plain<T: Scalar>(point: Point3<T>) -> V {
    [point.x.wide(), point.y.wide(), point.z.wide()]
}

/// Computes the distance of a point from the primitives of a node of a part.
pub fn from_node<T: Scalar>(scene: &Scene<T>, at: NodeRef, p: V) -> f64 {
    let part = scene.part(at.character, at.part).expect("a part");
    let (tree, pose) = (part.tree().expect("geometry"), scene.pose(at.character, at.part));
    let pose = pose.expect("a pose");
    let flat = triangles(tree, at.node).into_iter();
    let flat = flat.map(|t| point_triangle(p, t.map(|corner| put(pose, corner))));
    let solid = solids(tree, at.node).into_iter();
    let solid = solid.map(|block| support::random_parts::place(&block, pose).distance(p));
    flat.chain(solid).fold(f64::MAX, f64::min)
}
