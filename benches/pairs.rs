//! Every pair of shapes beside parry3d in f32 on the same data: yes or no, distance, closest points, contact, rays.
//!
//! Both take the shapes as stored in f32 and answer in f32. What differs: here all is computed in double precision, and a verdict of
//! shapes without radius is exact, so that thin shapes that meet but for rounding are apart, where the other library says they meet: the
//! counts of segments and triangles differ by those. Of shapes that meet a point of both is among the closest points here; the
//! other library says `Intersecting` and no more. Its shapes come behind `dyn Shape`, as its queries want them; the types are known here. A
//! ray asks both for the normal.

use std::hint::black_box;

use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion};
use boxwood::nalgebra::{Unit, Vector3};
use boxwood::pair::{Nearest, Touch, Touching};
use boxwood::shape::{Plane, Ray};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use parry3d::math::{Pose, Vector};
use parry3d::query::{self, ClosestPoints, RayCast};
use parry3d::shape::{Ball, Capsule, Cuboid, HalfSpace, Segment, Shape, Triangle};

#[allow(dead_code)]
#[path = "../tests/pairs/any.rs"]
mod any;
#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../tests/pairs/regimes.rs"]
mod regimes;

use any::{Any, Kind, Plan};
use block::V;
use random::Random;
use regimes::Regime;

const PAIRS: usize = 1_024;

/// The same shape in the other library.
fn theirs(plan: &Plan) -> (Pose, Box<dyn Shape>) {
    let v = |p: V| Vector::new(p[0] as f32, p[1] as f32, p[2] as f32);
    let [a, b, c] = plan.points;
    let at = Translation3::new(a[0] as f32, a[1] as f32, a[2] as f32);
    let here: Pose = Isometry3::<f32>::identity().into();
    let radius = plan.radius as f32;
    match plan.kind {
        Kind::Sphere => {
            let place = Isometry3::from_parts(at, UnitQuaternion::identity());
            (place.into(), Box::new(Ball::new(radius)))
        }
        Kind::Capsule => (here, Box::new(Capsule::new(v(a), v(b), radius))),
        Kind::Segment => (here, Box::new(Segment::new(v(a), v(b)))),
        Kind::Triangle => (here, Box::new(Triangle::new(v(a), v(b), v(c)))),
        Kind::Aabb | Kind::Obb => {
            let axes = Matrix3::from_fn(|i, j| plan.axes[j][i] as f32);
            let turn =
                UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
            (Isometry3::from_parts(at, turn).into(), Box::new(Cuboid::new(v(plan.half))))
        }
    }
}

/// A third apart, a third in each other, a third with parallel edges.
fn plans(kinds: [Kind; 2]) -> Vec<[Plan; 2]> {
    let mut random = Random(8 * kinds[0] as u64 + kinds[1] as u64);
    let regimes = [Regime::Apart, Regime::Deep, Regime::Parallel];
    (0..PAIRS).map(|k| regimes::pair(regimes[k % 3], kinds, &mut random)).collect()
}

type Other = [(Pose, Box<dyn Shape>); 2];

fn other(plans: &[[Plan; 2]]) -> Vec<Other> {
    plans.iter().map(|pair| [theirs(&pair[0]), theirs(&pair[1])]).collect()
}

fn told(other: &[Other]) -> usize {
    let test = |[a, b]: &&Other| {
        query::intersection_test(&a.0, &*a.1, &b.0, &*b.1).is_ok_and(|found| found.intersecting)
    };
    other.iter().filter(test).count()
}

fn far(other: &[Other]) -> f32 {
    let distance = |[a, b]: &Other| {
        query::distance(&a.0, &*a.1, &b.0, &*b.1).map_or(0.0, |found| found.distance)
    };
    other.iter().map(distance).sum()
}

/// How far apart the closest points are; nothing where they are not told.
fn pointed(other: &[Other]) -> f32 {
    let closest = |[a, b]: &Other| match query::closest_points(&a.0, &*a.1, &b.0, &*b.1, f32::MAX) {
        Ok(ClosestPoints::WithinMargin(p, q)) => (p - q).length(),
        _ => 0.0,
    };
    other.iter().map(closest).sum()
}

fn deep(other: &[Other]) -> (usize, f32) {
    let contact = |[a, b]: &Other| query::contact(&a.0, &*a.1, &b.0, &*b.1, 0.0).ok().flatten();
    other.iter().filter_map(contact).fold((0, 0.0), |(n, sum), c| (n + 1, sum - c.dist))
}

fn touched<A: Touching<B, Answer = Touch<f32>>, B>(mine: &[(A, B)]) -> (usize, f32) {
    let found = mine.iter().filter_map(|(a, b)| a.contact(b));
    found.fold((0, 0.0), |(n, sum), touch| (n + 1, sum + touch.depth))
}

macro_rules! measured {
    ($criterion:ident: $($first:ident $second:ident $($contact:ident)?;)*) => {$({
        let plans = plans([Kind::$first, Kind::$second]);
        let other = other(&plans);
        let mine: Vec<_> = plans
            .iter()
            .map(|pair| match pair.map(|plan| plan.build::<f32>()) {
                [Any::$first(a), Any::$second(b)] => (a, b),
                _ => unreachable!("built as asked"),
            })
            .collect();
        let name = concat!(stringify!($first), " ", stringify!($second));
        let count = mine.iter().filter(|(a, b)| a.intersects(b)).count();
        let sum: f32 = mine.iter().map(|(a, b)| a.distance(b)).sum();
        println!("{name}: of {PAIRS} boxwood reports {count}, parry3d {}", told(&other));
        println!("{name}: distances add up to {sum:.3}, parry3d {:.3}", far(&other));
        let mut group = $criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(PAIRS as u64));
        group.bench_function("boxwood intersects", |bench| {
            bench.iter(|| black_box(&mine).iter().filter(|(a, b)| a.intersects(b)).count());
        });
        group.bench_function("parry3d intersection_test", |bench| {
            bench.iter(|| told(black_box(&other)));
        });
        group.bench_function("boxwood distance", |bench| {
            bench.iter(|| black_box(&mine).iter().map(|(a, b)| a.distance(b)).sum::<f32>());
        });
        group.bench_function("parry3d distance", |bench| bench.iter(|| far(black_box(&other))));
        group.bench_function("boxwood closest_points", |bench| {
            let closest = |(a, b): &(_, _)| {
                let found = Nearest::closest_points(a, b);
                (found.on_a - found.on_b).norm()
            };
            bench.iter(|| black_box(&mine).iter().map(closest).sum::<f32>());
        });
        group.bench_function("parry3d closest_points", |bench| bench.iter(|| pointed(black_box(&other))));
        $(
            let $contact = "contact";
            println!("{name}: contacts and their depths {:?}, parry3d {:?}", touched(&mine), deep(&other));
            group.bench_function(format!("boxwood {}", $contact), |bench| bench.iter(|| touched(black_box(&mine))));
            group.bench_function("parry3d contact", |bench| bench.iter(|| deep(black_box(&other))));
        )?
        group.finish();
    })*};
}

fn pairs(criterion: &mut Criterion) {
    measured! { criterion:
        Sphere Sphere contact;
        Sphere Capsule contact;
        Sphere Segment;
        Sphere Triangle contact;
        Sphere Aabb contact;
        Sphere Obb contact;
        Capsule Capsule contact;
        Capsule Segment;
        Capsule Triangle contact;
        Capsule Aabb contact;
        Capsule Obb contact;
        Segment Segment;
        Segment Triangle;
        Segment Aabb;
        Segment Obb;
        Triangle Triangle;
        Triangle Aabb;
        Triangle Obb;
        Aabb Aabb;
        Aabb Obb;
        Obb Obb;
    }
}

/// Every shape against a half-space that begins somewhere near it.
fn planes(criterion: &mut Criterion) {
    macro_rules! with_plane {
        ($($kind:ident)*) => {$({
            let plans = plans([Kind::$kind, Kind::Sphere]);
            let mut random = Random(10);
            let ups: Vec<V> = plans.iter().map(|_| random.direction()).collect();
            let mine: Vec<_> = plans
                .iter()
                .zip(&ups)
                .map(|(pair, up)| {
                    let Any::$kind(shape) = pair[0].build::<f32>() else { unreachable!("built as asked") };
                    let up = Unit::new_normalize(Vector3::from(*up).cast::<f32>());
                    let at = Point3::from(regimes::inside(&pair[1], &mut random)).cast::<f32>();
                    (Plane::through(at, up).expect("a plane"), shape)
                })
                .collect();
            let other: Vec<Other> = plans
                .iter()
                .zip(&mine)
                .map(|(pair, (plane, _))| {
                    let up = plane.normal().into_inner();
                    let foot = up * plane.offset();
                    let half_space = HalfSpace::new(Vector::new(up.x, up.y, up.z));
                    let place: Pose = Isometry3::from_parts(foot.into(), UnitQuaternion::identity()).into();
                    [(place, Box::new(half_space) as Box<dyn Shape>), theirs(&pair[0])]
                })
                .collect();
            let name = concat!("Plane ", stringify!($kind));
            let count = mine.iter().filter(|(a, b)| a.intersects(b)).count();
            println!("{name}: of {PAIRS} boxwood reports {count}, parry3d {}", told(&other));
            println!("{name}: contacts and their depths {:?}, parry3d {:?}", touched(&mine), deep(&other));
            let mut group = criterion.benchmark_group(name);
            group.throughput(Throughput::Elements(PAIRS as u64));
            group.bench_function("boxwood intersects", |bench| {
                bench.iter(|| black_box(&mine).iter().filter(|(a, b)| a.intersects(b)).count());
            });
            group.bench_function("parry3d intersection_test", |bench| bench.iter(|| told(black_box(&other))));
            group.bench_function("boxwood distance", |bench| {
                bench.iter(|| black_box(&mine).iter().map(|(a, b)| b.distance(a)).sum::<f32>());
            });
            group.bench_function("parry3d distance", |bench| bench.iter(|| far(black_box(&other))));
            group.bench_function("boxwood contact", |bench| bench.iter(|| touched(black_box(&mine))));
            group.bench_function("parry3d contact", |bench| bench.iter(|| deep(black_box(&other))));
            group.finish();
        })*};
    }
    with_plane!(Sphere Capsule Segment Triangle Aabb Obb);
}

/// Rays from about the shapes' distance, half of them at the shapes.
fn rays(criterion: &mut Criterion) {
    macro_rules! cast {
        ($($kind:ident)*) => {$({
            let plans = plans([Kind::$kind, Kind::Sphere]);
            let mut random = Random(9);
            let lines: Vec<(V, V)> = plans
                .iter()
                .map(|pair| {
                    let from = block::plus(pair[0].points[0], random.direction().map(|x| 3.0 * x));
                    let aside = random.direction().map(|x| x * 1.5 * pair[0].size());
                    let goal = block::plus(regimes::inside(&pair[0], &mut random), aside.map(|x| x * random.share()));
                    let way = block::minus(goal, from);
                    (from, block::times(way, 1.0 / block::norm(way)))
                })
                .collect();
            let mine: Vec<_> = plans.iter().zip(&lines).map(|(pair, (from, way))| {
                let Any::$kind(shape) = pair[0].build::<f32>() else { unreachable!("built as asked") };
                let way = Vector3::from(way.map(|x| x as f32));
                let ray = Ray::new(Point3::from(from.map(|x| x as f32)), Unit::new_normalize(way));
                (ray.expect("a ray"), shape)
            }).collect();
            let other: Vec<_> = plans.iter().zip(&lines).map(|(pair, (from, way))| {
                let v = |p: &V| Vector::new(p[0] as f32, p[1] as f32, p[2] as f32);
                (query::Ray::new(v(from), v(way)), theirs(&pair[0]))
            }).collect();
            let met = |mine: &[(Ray<f32>, _)]| {
                let hits = mine.iter().filter_map(|(ray, shape)| ray.cast(shape));
                hits.fold((0, 0.0), |(n, sum), hit| (n + 1, sum + hit.t))
            };
            let told = |other: &[(query::Ray, (Pose, Box<dyn Shape>))]| {
                let hits = other.iter().filter_map(|(ray, (pose, shape))| {
                    shape.cast_ray_and_get_normal(pose, ray, f32::MAX, true)
                });
                hits.fold((0, 0.0), |(n, sum), hit| (n + 1, sum + hit.time_of_impact))
            };
            println!("ray {}: boxwood {:?}, parry3d {:?}", stringify!($kind), met(&mine), told(&other));
            let mut group = criterion.benchmark_group(concat!("ray ", stringify!($kind)));
            group.throughput(Throughput::Elements(PAIRS as u64));
            group.bench_function("boxwood", |bench| bench.iter(|| met(black_box(&mine))));
            group.bench_function("parry3d", |bench| bench.iter(|| told(black_box(&other))));
            group.finish();
        })*};
    }
    cast!(Sphere Capsule Triangle Aabb Obb);
}

/// Rays at half-spaces, half of them from inside.
fn rays_at_planes(criterion: &mut Criterion) {
    let mut random = Random(12);
    let (mut mine, mut other) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let [up, from, way, at] = [(); 4].map(|()| Vector3::from(random.direction()).cast::<f32>());
        let (up, way) = (Unit::new_normalize(up), Unit::new_normalize(way));
        let plane = Plane::through(Point3::from(at), up).expect("a plane");
        mine.push((Ray::new(Point3::from(from * 2.0), way).expect("a ray"), plane));
        let v = |p: &Vector3<f32>| Vector::new(p.x, p.y, p.z);
        let ray = query::Ray::new(v(&(from * 2.0)), v(&way));
        let place: Pose = Isometry3::translation(at.x, at.y, at.z).into();
        other.push((ray, place, HalfSpace::new(v(&up))));
    }
    let met = |mine: &[(Ray<f32>, Plane<f32>)]| {
        let hits = mine.iter().filter_map(|(ray, plane)| ray.cast(plane));
        hits.fold((0, 0.0), |(n, sum), hit| (n + 1, sum + hit.t))
    };
    let told = |other: &[(query::Ray, Pose, HalfSpace)]| {
        let hits = other.iter().filter_map(|(ray, place, half)| {
            half.cast_ray_and_get_normal(place, ray, f32::MAX, true)
        });
        hits.fold((0, 0.0), |(n, sum), hit| (n + 1, sum + hit.time_of_impact))
    };
    println!("ray Plane: boxwood {:?}, parry3d {:?}", met(&mine), told(&other));
    let mut group = criterion.benchmark_group("ray Plane");
    group.throughput(Throughput::Elements(PAIRS as u64));
    group.bench_function("boxwood", |bench| bench.iter(|| met(black_box(&mine))));
    group.bench_function("parry3d", |bench| bench.iter(|| told(black_box(&other))));
    group.finish();
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(200)).warm_up_time(std::time::Duration::from_millis(60));
    targets = pairs, planes, rays, rays_at_planes
}
criterion_main!(all);
