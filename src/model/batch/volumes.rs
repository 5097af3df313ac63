//! Balls and capsules around the parts of a robot, and points of their surfaces.

use crate::fit::{Ball, CapsuleEffort};
use crate::model::Model;
use crate::model::capsules::{capsule_around, geometry_balls};
use crate::motion::{FramePoint, LaneKinematics};
use crate::num::Scalar;
use crate::num::linear::{Vec3, length, scale, sub};
use crate::pair::ConvexShape;
use crate::shape::{Dop14, Slabs, Sphere, wide_point};
use crate::tree::{Geometry, ObbTree};

/// Largest number of points of a part. Of random configurations of a Panda that collide with one
/// of five boxes, 8 points show 79 %, 16 points 87 %, 400 points 91 %.
const POINTS: usize = 16;

/// A ball and a capsule, each around all geometry of a part, and points of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PartVolumes {
    pub part: usize,
    pub center: FramePoint,
    /// Radius of the ball [part units].
    pub radius: f64,
    /// Ends of the capsule's segment.
    pub ends: [FramePoint; 2],
    /// Radius of the capsule [part units].
    pub capsule_radius: f64,
    /// Bound on the distance of the link's origin from that of the model.
    pub origin_distance: f64,
    /// Bound on the distance of the geometry from the link's origin.
    pub size: f64,
    /// Points of the geometry, far from each other.
    pub points: Vec<FramePoint>,
}

impl PartVolumes {
    /// Fits the volumes of all parts with geometry; part `i` moves with link `i`. `None` if
    /// coordinates are too large for balls.
    pub fn of_model<T: Scalar>(model: &Model<T>, kinematics: &LaneKinematics) -> Option<Vec<Self>> {
        let parts = model.parts().iter().enumerate();
        let with_tree = parts.filter_map(|(part, own)| own.tree().map(|tree| (part, tree)));
        with_tree.map(|(part, tree)| PartVolumes::of_tree(part, tree, kinematics)).collect()
    }

    fn of_tree<T: Scalar>(
        part: usize,
        tree: &ObbTree<T>,
        kinematics: &LaneKinematics,
    ) -> Option<Self> {
        let balls = part_balls(tree);
        let ball = enclosing_ball(&balls)?;
        let center = kinematics.point(part, ball.center);
        let capsule = capsule_around(tree.geometry(), || balls, CapsuleEffort::Quick);
        // A geometry without a capsule in range has the ball in its place.
        let (ends, capsule_radius) = match capsule {
            Ok(capsule) => {
                let ends = capsule.segment().wide();
                (ends.map(|end| kinematics.point(part, end)), capsule.radius().wide())
            }
            Err(_) => ([center; 2], ball.radius),
        };
        let radius = ball.radius;
        let origin_distance = kinematics.point(part, [0.0; 3]).distance;
        let size = tree.radius_about_origin().wide();
        let points = spread_points(&geometry_points(tree.geometry()), ball.center);
        let points = points.into_iter().map(|point| kinematics.point(part, point)).collect();
        Some(PartVolumes {
            part,
            center,
            radius,
            ends,
            capsule_radius,
            origin_distance,
            size,
            points,
        })
    }
}

/// Returns points of a geometry, up to rounding: corners, and of convex shapes the points of the
/// core that are farthest along the axes of a [`Dop14`].
fn geometry_points<T: Scalar>(geometry: &Geometry<T>) -> Vec<Vec3> {
    match geometry {
        Geometry::Convex(shapes) => {
            let ways = <Dop14<T> as Slabs<3, 7>>::DIRECTIONS.map(|way| way.map(f64::from));
            let points = |shape: &ConvexShape<T>| {
                let body = shape.body();
                ways.map(|way| [body.farthest(way), body.farthest(scale(way, -1.0))])
            };
            shapes.iter().flat_map(points).flatten().collect()
        }
        corners => geometry_balls(corners).into_iter().map(|ball| ball.center).collect(),
    }
}

/// Returns up to [`POINTS`] points: the farthest from `center`, then each time the one farthest
/// from all so far. Source: Gonzalez, Clustering to Minimize the Maximum Intercluster Distance
/// (1985).
fn spread_points(points: &[Vec3], center: Vec3) -> Vec<Vec3> {
    let mut chosen: Vec<Vec3> = Vec::new();
    let mut distances = vec![f64::INFINITY; points.len()];
    let mut from = center;
    while chosen.len() < POINTS {
        // The first may be at the centre, as that of a ball; no other may be one of those before.
        let mut farthest = (if chosen.is_empty() { -1.0 } else { 0.0 }, None);
        for (point, nearest) in points.iter().zip(&mut distances) {
            // The distance from the centre only chooses the first.
            let distance = length(sub(*point, from));
            *nearest = if chosen.is_empty() { distance } else { nearest.min(distance) };
            if *nearest > farthest.0 {
                farthest = (*nearest, Some(*point));
            }
        }
        let Some(next) = farthest.1 else { break };
        if chosen.is_empty() {
            distances.fill(f64::INFINITY);
        }
        chosen.push(next);
        from = next;
    }
    chosen
}

/// Returns balls whose convex hull contains a part: at the corners of the root's convex hull, which
/// are few and nearly as tight as all corners.
fn part_balls<T: Scalar>(tree: &ObbTree<T>) -> Vec<Ball> {
    match tree.root_hull() {
        Some((corners, pad)) => corners.map(|center| Ball { center, radius: pad }).collect(),
        None => geometry_balls(tree.geometry()),
    }
}

/// Share by which the radius exceeds the largest distance computed: covers the rounding of `f64`.
const RADIUS_PAD: f64 = 1e-12;

/// Returns a small ball around balls: that of their centres, grown.
fn enclosing_ball(balls: &[Ball]) -> Option<Ball> {
    let centers: Vec<_> = balls.iter().map(|ball| ball.center.into()).collect();
    let center = wide_point(Sphere::<f64, 3>::from_points(&centers).ok()?.center());
    let reach = |ball: &Ball| length(sub(ball.center, center)) + ball.radius;
    let radius = balls.iter().map(reach).fold(0.0, f64::max);
    Some(Ball { center, radius: radius * (1.0 + RADIUS_PAD) })
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::{Isometry3, Point3, Vector3};

    use super::*;
    use crate::motion::{JointKind, Link, Mechanism};
    use crate::num::SplitMix64;
    use crate::shape::{Capsule, Mesh, Obb, Segment};
    use crate::tree::Build;

    /// Tests points of a geometry, each with a radius, against the volumes of its part.
    fn check<T: Scalar>(geometry: Geometry<T>, points: &[(Point3<T>, T)]) {
        // Builds with hulls and without.
        for build in [Build::robots(), Build::fast()] {
            check_built(geometry.clone(), &build, points);
        }
    }

    fn check_built<T: Scalar>(geometry: Geometry<T>, build: &Build, points: &[(Point3<T>, T)]) {
        let model = Model::builder().part("a", None, geometry).build(build);
        let (origin, joint) = (Isometry3::identity(), JointKind::Fixed);
        let link = Link { name: "a".into(), parent: None, origin, joint };
        let mechanism = Mechanism::new(vec![link], Vec::new()).expect("a link");
        let kinematics = mechanism.lane_kinematics().expect("one link");
        let model = model.expect("a model");
        let all = PartVolumes::of_model(&model, &kinematics).expect("balls in range");
        let [volumes] = &all[..] else { panic!("one part") };
        let single = |v: [f32; 3]| v.map(f64::from);
        let (center, [a, b]) =
            (single(volumes.center.position), volumes.ends.map(|end| single(end.position)));
        let along = sub(b, a);
        // The stored centres are rounded; their errors are part of every reach.
        let (mut ball, mut capsule) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for &(point, radius) in points {
            let (point, radius) = (wide_point(point), radius.wide());
            let size = length(along);
            let share = crate::num::linear::dot(sub(point, a), along) / (size * size).max(1e-300);
            let nearest = crate::num::linear::scale(along, share.clamp(0.0, 1.0));
            let off = sub(sub(point, a), nearest);
            ball = ball.max(length(sub(point, center)) + radius - volumes.radius);
            capsule = capsule.max(length(off) + radius - volumes.capsule_radius);
        }
        assert!(ball <= volumes.center.error, "{ball:e}");
        assert!(capsule <= volumes.ends[0].error.max(volumes.ends[1].error), "{capsule:e}");
        // Neither is larger than necessary by much: a point is near the surface.
        assert!(ball > -0.01 * volumes.radius - 1e-6, "{ball:e} of {}", volumes.radius);
    }

    fn random_parts<T: Scalar>() {
        let mut chance = SplitMix64(591);
        for round in 0..200 {
            let size = chance.decade(-3.0, 2.0);
            let far = chance.decade(-2.0, 2.0);
            let middle = Vector3::from(chance.point(far));
            let mut point = || {
                let at = middle + Vector3::from(chance.point(size));
                Point3::from(at.map(T::nearest))
            };
            match round % 4 {
                0 => {
                    let corners: Vec<Point3<T>> = (0..12).map(|_| point()).collect();
                    let faces = (0..4).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]);
                    let mesh = Mesh::new(corners.clone(), faces.collect()).expect("a mesh");
                    let points: Vec<_> = corners.iter().map(|&p| (p, T::zero())).collect();
                    check(Geometry::Surface(mesh), &points);
                }
                1 => {
                    let half = Vector3::new(size, 0.3 * size, 0.1 * size).map(T::nearest);
                    let pose = Isometry3::from_parts(
                        point().coords.into(),
                        nalgebra::UnitQuaternion::identity(),
                    );
                    let block = Obb::from_pose(&pose, half).expect("a box");
                    let corners = block.wide().corners().map(|p| Point3::from(p.map(T::nearest)));
                    check(Geometry::Boxes(vec![block]), &corners.map(|p| (p, T::zero())));
                }
                _ => {
                    let radius = T::nearest(0.5 * size);
                    let [a, b] = [point(), point()];
                    let segment = Segment::new(a, b).expect("a segment");
                    let capsule = Capsule::new(segment, radius).expect("a capsule");
                    let ball = Sphere::new(point(), radius).expect("a ball");
                    let points = [(a, radius), (b, radius), (ball.center(), radius)];
                    let mut shapes = vec![ConvexShape::Capsule(capsule)];
                    if round % 4 == 2 {
                        shapes.push(ConvexShape::Sphere(ball));
                    }
                    check(Geometry::Convex(shapes.clone()), &points[..shapes.len() + 1]);
                }
            }
        }
    }

    pub fn balls_and_capsules_contain_their_parts() {
        random_parts::<f32>();
        random_parts::<f64>();
    }
}
