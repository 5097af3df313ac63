//! The shapes of the plane beside parry2d in f32 on the same data: every pair at rest and on the way, and points; how often both
//! agree is printed beside.
//!
//! Both take the shapes as stored in f32 and answer in f32; here all is computed in double precision. Of eight pairs five are apart, two
//! deep in each other, and one touches but for rounding, where the other library's verdicts differ. Its shapes come behind `dyn Shape`, as its queries want them; the types
//! are known here. Where it has a function of its own for a pair, that is asked too, without a dispatch.

use boxwood::nalgebra::{Complex, Isometry2, Point2, Translation2, Unit, Vector2};
use boxwood::pair::Sweep;
use boxwood::planar::Shape as _;
use criterion::{Criterion, criterion_group, criterion_main};
use parry2d::bounding_volume::BoundingVolume;
use parry2d::math::{Pose, Vector};
use parry2d::query::{self, ShapeCastOptions, details};
use parry2d::shape::{Ball, ConvexPolygon, Cuboid, Shape};

#[allow(dead_code)]
#[path = "../tests/planar/any.rs"]
mod any;
#[path = "support/beside.rs"]
mod beside;
#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "../tests/planar/moving.rs"]
mod moving;
#[allow(dead_code)]
#[path = "../tests/planar/pairs.rs"]
mod pairs;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../tests/support/regime.rs"]
mod regime;

use any::{Any, P, plus, point, times};
use beside::{NONE, beside, told};
use pairs::Kind;
use random::Random;
use regime::Regime;

const PAIRS: usize = 1_024;

/// On the way, those that touch are those that meet.
const REGIMES: [Regime; 8] = [
    Regime::Apart,
    Regime::Deep,
    Regime::Apart,
    Regime::Touching,
    Regime::Apart,
    Regime::Apart,
    Regime::Deep,
    Regime::Apart,
];

type Other = (Pose, Box<dyn Shape>);

fn vector(p: Point2<f32>) -> Vector {
    Vector::new(p.x, p.y)
}

/// The same shape in the other library.
fn theirs(of: &Any<f32>) -> Other {
    let at = |p: Point2<f32>| -> Pose { Isometry2::from(p.coords).into() };
    let solid = |half: Vector2<f32>| Box::new(Cuboid::new(Vector::new(half.x, half.y)));
    match of {
        Any::Obb(o) => {
            let axis = o.axis();
            let turn = Unit::new_unchecked(Complex::new(axis.x, axis.y));
            let pose = Isometry2::from_parts(Translation2::from(o.center().coords), turn);
            (pose.into(), solid(o.half_extents()))
        }
        Any::Polygon(p) => {
            let corners = p.corners().iter().map(|&corner| vector(corner)).collect();
            let same = ConvexPolygon::from_convex_polyline_unmodified(corners);
            (Pose::IDENTITY, Box::new(same.expect("a polygon")))
        }
        Any::Circle(s) => (at(s.center()), Box::new(Ball::new(s.radius()))),
        Any::Aabb(b) => (at(nalgebra::center(&b.min, &b.max)), solid((b.max - b.min) * 0.5)),
    }
}

fn cast(options: ShapeCastOptions, (a, p): (&Other, P), (b, q): (&Other, P)) -> f32 {
    let [p, q] = [p, q].map(|v| Vector::new(v[0] as f32, v[1] as f32));
    let hit = query::cast_shapes(&a.0, p, &*a.1, &b.0, q, &*b.1, options);
    hit.expect("supported").map_or(NONE, |hit| hit.time_of_impact)
}

/// What is asked of each pair of shapes.
macro_rules! every_pair {
    ($asked:ident, $criterion:ident) => {
        $asked! { $criterion:
            Obb Obb;
            Obb Polygon;
            Obb Circle;
            Obb Aabb;
            Polygon Polygon;
            Polygon Circle;
            Polygon Aabb;
            Circle Circle;
            Circle Aabb;
            Aabb Aabb;
        }
    };
}

macro_rules! at_rest {
    ($criterion:ident: $($first:ident $second:ident;)*) => {$({
        let kinds = [Kind::$first, Kind::$second];
        let mut random = Random(8 * kinds[0] as u64 + kinds[1] as u64);
        let cases: Vec<_> = (0..PAIRS).map(|k| {
            let pair = pairs::pair_of::<f32>(&mut random, REGIMES[k % 8], kinds);
            let other = [theirs(&pair.0), theirs(&pair.1)];
            match pair {
                (Any::$first(a), Any::$second(b)) => (a, b, other),
                _ => unreachable!("drawn as asked"),
            }
        }).collect();
        let pair = concat!(stringify!($first), " ", stringify!($second));
        let count = cases.iter().filter(|(a, b, _)| a.intersects(b)).count();
        println!("{pair}: of {PAIRS} boxwood reports {count}");
        beside($criterion, (&format!("{pair}: intersects"), "parry2d"), &cases,
            |(a, b, _)| told(a.intersects(b)),
            |(_, _, [a, b])| {
                told(query::intersection_test(&a.0, &*a.1, &b.0, &*b.1).expect("supported").intersecting)
            },
        );
        beside($criterion, (&format!("{pair}: distance"), "parry2d"), &cases,
            |(a, b, _)| a.distance(b),
            |(_, _, [a, b])| query::distance(&a.0, &*a.1, &b.0, &*b.1).expect("supported").distance,
        );
        beside($criterion, (&format!("{pair}: contact"), "parry2d"), &cases,
            |(a, b, _)| a.contact(b).map_or(NONE, |contact| contact.depth),
            |(_, _, [a, b])| {
                let contact = query::contact(&a.0, &*a.1, &b.0, &*b.1, 0.0).expect("supported");
                contact.map_or(NONE, |contact| -contact.dist)
            },
        );
    })*};
}

fn at_rest(criterion: &mut Criterion) {
    every_pair!(at_rest, criterion);
}

macro_rules! on_the_way {
    ($criterion:ident: $($first:ident $second:ident;)*) => {$({
        let kinds = [Kind::$first, Kind::$second];
        let mut random = Random(8 * kinds[0] as u64 + kinds[1] as u64);
        let cases: Vec<_> = (0..PAIRS).map(|k| {
            let drawn = |random: &mut Random, regime| pairs::pair_of::<f32>(random, regime, kinds);
            let (a, b, by) = moving::moving(&mut random, REGIMES[k % 8], drawn);
            let other = [theirs(&a), theirs(&b)];
            match (a, b) {
                (Any::$first(a), Any::$second(b)) => (a, b, by.map(any::vector::<f32>), other, by),
                _ => unreachable!("drawn as asked"),
            }
        }).collect();
        let pair = concat!(stringify!($first), " ", stringify!($second));
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        beside($criterion, (&format!("{pair}: sweep"), "parry2d"), &cases,
            |(a, b, [p, q], _, _)| a.sweep_both(*p, b, *q).map_or(NONE, |hit| hit.time_of_impact),
            |(_, _, _, [a, b], [p, q])| cast(options, (a, *p), (b, *q)),
        );
    })*};
}

fn on_the_way(criterion: &mut Criterion) {
    every_pair!(on_the_way, criterion);
}

/// Points about the shapes, half of them inside.
fn points(criterion: &mut Criterion) {
    macro_rules! asked {
        ($($kind:ident $($some:ident)?;)*) => {$({
            let mut random = Random(20 + Kind::$kind as u64);
            let cases: Vec<_> = (0..PAIRS).map(|k| {
                let kinds = [Kind::$kind, Kind::Circle];
                let (of, _) = pairs::pair_of::<f32>(&mut random, Regime::Deep, kinds);
                let seen = of.seen();
                let rim = plus(seen.corners[random.below(seen.corners.len())],
                    times(pairs::direction(&mut random), seen.round));
                let share = if k % 2 == 0 { random.between(0.0, 1.0) } else { random.between(1.0, 3.0) };
                let at = plus(times(rim, share), times(seen.center(), 1.0 - share));
                let other = theirs(&of);
                let Any::$kind(of) = of else { unreachable!("drawn as asked") };
                (of, point::<f32>(at), other)
            }).collect();
            let name = stringify!($kind);
            beside(criterion, (&format!("point in {name}"), "parry2d"), &cases,
                |(of, p, _)| told(of.contains(*p)),
                |(_, p, (pose, other))| told(other.contains_point(pose, vector(*p))),
            );
            beside(criterion, (&format!("point nearest in {name}"), "parry2d"), &cases,
                |(of, p, _)| (of.closest_point(*p)$(.$some("a sound box"))? - p).norm(),
                |(_, p, (pose, other))| {
                    (other.project_point(pose, vector(*p), true).point - vector(*p)).length()
                },
            );
        })*};
    }
    asked!(Obb; Polygon; Circle; Aabb expect;);
}

/// Where the other library has a function for the very pair.
fn directly(criterion: &mut Criterion) {
    let mut random = Random(30);
    let mut drawn = |kind| -> Vec<(Any<f32>, Any<f32>)> {
        let of = |k| pairs::pair_of(&mut random, REGIMES[k % 8], [kind; 2]);
        (0..PAIRS).map(of).collect()
    };
    let solids: Vec<_> = drawn(Kind::Obb)
        .into_iter()
        .map(|pair| {
            let (Any::Obb(a), Any::Obb(b)) = pair else { unreachable!("drawn as asked") };
            let half = |of: Vector2<f32>| Cuboid::new(Vector::new(of.x, of.y));
            let [p, q] = [a, b].map(|of| theirs(&Any::Obb(of)).0);
            (a, b, (p, half(a.half_extents())), (q, half(b.half_extents())))
        })
        .collect();
    beside(
        criterion,
        ("Obb Obb: intersects, directly", "parry2d"),
        &solids,
        |(a, b, ..)| told(a.intersects(b)),
        |(_, _, a, b)| {
            told(details::intersection_test_cuboid_cuboid(&a.0.inv_mul(&b.0), &a.1, &b.1))
        },
    );
    beside(
        criterion,
        ("Obb Obb: distance, directly", "parry2d"),
        &solids,
        |(a, b, ..)| a.distance(b),
        |(_, _, a, b)| details::distance_cuboid_cuboid(&a.0.inv_mul(&b.0), &a.1, &b.1),
    );
    let discs: Vec<_> = drawn(Kind::Circle)
        .into_iter()
        .map(|pair| {
            let (Any::Circle(a), Any::Circle(b)) = pair else { unreachable!("drawn as asked") };
            let at =
                |of: boxwood::shape::Sphere<f32, 2>| (vector(of.center()), Ball::new(of.radius()));
            (a, b, at(a), at(b))
        })
        .collect();
    beside(
        criterion,
        ("Circle Circle: intersects, directly", "parry2d"),
        &discs,
        |(a, b, ..)| told(a.intersects(b)),
        |(_, _, a, b)| told(details::intersection_test_ball_ball(b.0 - a.0, &a.1, &b.1)),
    );
    let aligned: Vec<_> = drawn(Kind::Aabb)
        .into_iter()
        .map(|pair| {
            let (Any::Aabb(a), Any::Aabb(b)) = pair else { unreachable!("drawn as asked") };
            let same = |of: boxwood::shape::Aabb<f32, 2>| {
                parry2d::bounding_volume::Aabb::new(vector(of.min), vector(of.max))
            };
            (a, b, same(a), same(b))
        })
        .collect();
    beside(
        criterion,
        ("Aabb Aabb: intersects, directly", "parry2d"),
        &aligned,
        |(a, b, ..)| told(a.intersects(b)),
        |(_, _, a, b)| told(a.intersects(b)),
    );
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(200)).warm_up_time(std::time::Duration::from_millis(60));
    targets = at_rest, on_the_way, points, directly
}
criterion_main!(all);
