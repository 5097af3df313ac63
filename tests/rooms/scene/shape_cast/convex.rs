//! Casts at convex primitives with known answers: a shape moving along a normal of a convex body
//! hits the body at its supporting plane.

use boxwood::f64::{Buffers, QueryShape, Scene, Spawn};
use boxwood::scene::{QueryFilter, QueryScratch};
use boxwood::shape::{Capsule, Obb, Pose, Segment, Sphere};
use boxwood::tree::{Build, Geometry};

use support::convex_bodies::{Body, BodyKind};
use support::prelude::*;
use support::random_parts::{frame, put};

/// Returns three unit vectors at right angles, the last one given.
fn beside(n: V) -> [Vector3<f64>; 3] {
    let n = Vector3::from(n);
    let other = if n.x.abs() < 0.7 { Vector3::x() } else { Vector3::y() };
    let u = n.cross(&other).normalize();
    [u, n.cross(&u), n]
}

/// Returns a point, a ball, a capsule across the normal, or a box with a face across it, by its
/// centre, and its extent towards the body.
fn shape(kind: usize, random: &mut Random, n: V) -> (impl Fn(V) -> QueryShape + use<>, f64) {
    let (radius, half) = (random.decade(-2.0, 0.5), random.decade(-2.0, 0.5));
    let [u, v, w] = beside(n);
    let made = move |at: V| -> QueryShape {
        let center = Point3::from(at);
        match kind {
            0 => center.into(),
            1 => Sphere::new(center, radius).expect("a ball").into(),
            2 => {
                let spine = Segment::new(center - u * half, center + u * half).expect("ends");
                Capsule::new(spine, radius).expect("a capsule").into()
            }
            _ => {
                let axes = Matrix3::from_columns(&[u, v, w]);
                Obb::new(center, axes, Vector3::new(half, 0.5 * half, radius))
                    .expect("a box")
                    .into()
            }
        }
    };
    (made, if kind == 0 { 0.0 } else { radius })
}

#[test]
fn a_shape_cast_along_a_normal_hits_at_the_supporting_plane() {
    let (mut random, mut buffers, mut scratch) =
        (Random(0xca57), Buffers::new(), QueryScratch::new());
    for round in 0..cases(20_000) {
        let kind = BodyKind::ALL[round % 7];
        let body = Body::random(&mut random, kind, (1.0, 2.0));
        let at = times(random.direction(), 3.0);
        let pose: Pose<f64> = turned(&mut random, at);
        let (p, n) = body.surface(&mut random);
        let (columns, _) = frame(&pose);
        let n: V = std::array::from_fn(|i| (0..3).map(|k| columns[k][i] * n[k]).sum());
        let parts = boxwood::f64::Model::builder();
        let part = parts.part("a", None, Geometry::Convex(vec![body.shape()]));
        let mut scene = Scene::new();
        let model = part.build(&Build::default()).expect("a model");
        scene.insert(&model, Spawn::at(pose)).expect("room");

        let (made, reach) = shape(round / 7 % 4, &mut random, n);
        let gap = random.decade(-3.0, 0.5);
        let start = plus(put(&pose, p), times(n, reach + gap));
        let (there, back) = (Vector3::from(n) * -2.0 * gap, Vector3::from(n) * gap);
        let now = scene.snapshot(&mut buffers);
        let all = QueryFilter::all();
        let hit = now.shape_cast(made(start), there, &all, &mut scratch).expect("a shape");
        let hit = hit.unwrap_or_else(|| panic!("{kind:?} is missed: {body:?}"));
        let size = 10.0;
        let met = hit.time_of_impact * 2.0 * gap;
        assert!((met - gap).abs() < 1e-9 * size, "{kind:?}: {met} where {gap} is due");
        assert!(met <= gap + 1e-14 * size, "{kind:?} late: {met} where {gap} is due");
        assert!(hit.slack <= size / f64::from(1 << 30), "{kind:?}: slack {}", hit.slack);
        // The normal points out of the body, not along the way.
        assert!(hit.normal.dot(&Vector3::from(n)) > 0.0, "{kind:?}: {:?}", hit.normal);
        // Nothing is hit in the opposite direction.
        let away = now.shape_cast(made(start), back, &all, &mut scratch).expect("a shape");
        assert!(away.is_none(), "{kind:?} behind: {away:?}");
    }
}
