//! Every two kinds of shapes of space: intersection, distance, contact; rays, and planes.

use boxwood::nalgebra::Point3;
use boxwood::pair::plane::Bounded;
use boxwood::pair::{
    ClosestPointsQuery, ContactQuery, IntersectsQuery, RayCastQuery, SeparatingAxisQuery,
};
use boxwood::shape::{
    Aabb, Capsule, Dop14, Dop18, Ellipsoid, Frustum, Obb, Plane, Ray, Segment, SpaceDop8, Sphere,
    Triangle,
};

use crate::answers::{AsText, Number};
use crate::buffers::Tools;
use crate::digest::Row;
use crate::random::{Random, vector};
use crate::shapes::{Aimed, Made, REGIMES, two_places};

/// Number of cases of two kinds: all regimes in turn.
const CASES: usize = 36;

/// Returns a row of answers for two shapes.
fn row<T: Number, A: Made, B: Made>(
    name: &str,
    answer: impl Fn(&A, &B, &mut Random) -> String,
) -> Row {
    let mut random = Random::named(name, 7);
    let mut row = Row::new(format!("geometry {} shapes {name}", T::NAME));
    for case in 0..CASES {
        let closer = if name.starts_with("contact") { 0.3 } else { 1.0 };
        let [first, second] = two_places(&mut random, case % REGIMES.len(), closer);
        let (a, b) = (A::made(&mut random, &first), B::made(&mut random, &second));
        let answer = answer(&a, &b, &mut random);
        row.ask(format!("{}: {a:?} and {b:?}", REGIMES[case % REGIMES.len()]), answer);
    }
    row
}

/// Returns distances and closest points, in both orders.
fn nearest<T: Number, A, B>(name: &str) -> Row
where
    A: Made + IntersectsQuery<B> + ClosestPointsQuery<B, Scalar = T>,
    B: Made + IntersectsQuery<A> + ClosestPointsQuery<A, Scalar = T>,
{
    row::<T, A, B>(name, |a, b, _| {
        let meet = (IntersectsQuery::intersects(a, b), IntersectsQuery::intersects(b, a));
        let apart = (ClosestPointsQuery::distance(a, b), ClosestPointsQuery::distance(b, a));
        (
            meet,
            apart,
            ClosestPointsQuery::closest_points(a, b),
            ClosestPointsQuery::closest_points(b, a),
        )
            .said()
    })
}

/// Returns contacts, in both orders.
fn contact<T: Number, A, B>(name: &str) -> Row
where
    A: Made + ContactQuery<B, Answer: AsText>,
    B: Made + ContactQuery<A, Answer: AsText>,
{
    row::<T, A, B>(name, |a, b, _| {
        (ContactQuery::contact(a, b), ContactQuery::contact(b, a)).said()
    })
}

/// Returns separating axes, in both orders.
fn axis<T: Number, A, B>(name: &str) -> Row
where
    A: Made + SeparatingAxisQuery<B, Scalar = T>,
    B: Made + SeparatingAxisQuery<A, Scalar = T>,
{
    row::<T, A, B>(name, |a, b, _| {
        (SeparatingAxisQuery::separating_axis(a, b), SeparatingAxisQuery::separating_axis(b, a))
            .said()
    })
}

macro_rules! rows {
    ($rows:ident, $t:ident, $ask:ident: $($a:ident, $b:ident;)*) => {$(
        let kinds = [stringify!($a), stringify!($b)].map(str::to_lowercase).join("_");
        $rows.push($ask::<$t, $a<$t>, $b<$t>>(&format!("{}_{kinds}", stringify!($ask))));
    )*};
}

type Ball<T> = Sphere<T, 3>;
type Aligned<T> = Aabb<T, 3>;

/// Appends every two kinds that have closest points.
fn all_nearest<T: Number>(rows: &mut Vec<Row>) {
    rows! { rows, T, nearest:
        Ball, Ball; Ball, Capsule; Ball, Segment; Ball, Triangle; Ball, Aligned; Ball, Obb;
        Capsule, Capsule; Capsule, Segment; Capsule, Triangle; Capsule, Aligned; Capsule, Obb;
        Segment, Segment; Segment, Triangle; Segment, Aligned; Segment, Obb;
        Triangle, Triangle; Triangle, Aligned; Triangle, Obb;
        Aligned, Aligned; Aligned, Obb; Obb, Obb;
        Plane, Ball; Plane, Capsule; Plane, Segment; Plane, Triangle; Plane, Aligned; Plane, Obb;
    }
}

fn all_contacts<T: Number>(rows: &mut Vec<Row>) {
    rows! { rows, T, contact:
        Ball, Ball; Ball, Capsule; Ball, Triangle; Ball, Aligned; Ball, Obb;
        Capsule, Capsule; Capsule, Triangle; Capsule, Aligned; Capsule, Obb;
        Aligned, Aligned; Aligned, Obb; Obb, Obb;
        Plane, Ball; Plane, Capsule; Plane, Segment; Plane, Triangle; Plane, Aligned; Plane, Obb;
    }
}

fn all_axes<T: Number>(rows: &mut Vec<Row>) {
    rows! { rows, T, axis:
        Ball, Ball; Ball, Capsule; Ball, Segment; Ball, Triangle; Ball, Aligned; Ball, Obb;
        Capsule, Capsule; Capsule, Segment; Capsule, Triangle; Capsule, Aligned; Capsule, Obb;
        Segment, Segment; Segment, Triangle; Segment, Aligned; Segment, Obb;
        Triangle, Triangle; Triangle, Aligned; Triangle, Obb;
        Aligned, Aligned; Aligned, Obb; Obb, Obb;
        Ball, Ellipsoid; Triangle, Frustum; Obb, Dop14;
    }
}

fn seen<T: Number, A, B>(name: &str) -> Row
where
    A: Made + IntersectsQuery<B>,
    B: Made + IntersectsQuery<A>,
{
    row::<T, A, B>(name, |a, b, _| {
        (IntersectsQuery::intersects(a, b), IntersectsQuery::intersects(b, a)).said()
    })
}

/// Casts any ray, and one from its origin that is aimed at the shape.
fn cast<T: Number, A, B>(name: &str) -> Row
where
    A: Made + Into<Ray<T>> + Copy,
    B: Made + Aimed<T>,
    Ray<T>: RayCastQuery<B, Scalar = T>,
{
    row::<T, A, B>(name, |ray, shape, _| {
        let any: Ray<T> = (*ray).into();
        let aimed = Ray::through(any.origin(), shape.middle());
        let cast = |ray: Ray<T>| {
            let hit = RayCastQuery::cast(&ray, shape);
            hit.map(|hit| (hit.distance, hit.normal, hit.started_inside))
        };
        (cast(any), aimed.map(|ray| ray.map(cast))).said()
    })
}

fn all_seen_and_cast<T: Number>(rows: &mut Vec<Row>) {
    rows! { rows, T, seen:
        Frustum, Ball; Frustum, Capsule; Frustum, Segment; Frustum, Triangle;
        Frustum, Aligned; Frustum, Obb;
    }
    rows! { rows, T, cast:
        Ray, Ball; Ray, Ellipsoid; Ray, Capsule; Ray, Segment; Ray, Triangle; Ray, Aligned;
        Ray, Obb; Ray, SpaceDop8; Ray, Dop14; Ray, Dop18; Ray, Frustum; Ray, Plane;
    }
}

/// Returns the side of a shape against a plane, and its time of impact.
fn plane<T: Number, A, B>(name: &str) -> Row
where
    A: Made + Into<Plane<T>> + Copy,
    B: Made + Bounded<T>,
{
    row::<T, A, B>(name, |plane, shape, random| {
        let plane: Plane<T> = (*plane).into();
        let step = vector(random.inside(4.0));
        let is = (plane.touches(shape), plane.overlaps(shape), plane.contains_shape(shape));
        let swept = (plane.sweep_surface(shape, step), plane.sweep_solid(shape, step));
        (plane.heights(shape), plane.side(shape), is, swept).said()
    })
}

fn all_planes<T: Number>(rows: &mut Vec<Row>) {
    rows! { rows, T, plane:
        Plane, Point3; Plane, Ball; Plane, Capsule; Plane, Segment; Plane, Triangle;
        Plane, Ellipsoid; Plane, Aligned; Plane, Obb;
    }
    let tolerances = [0.0, 0.1, 10.0].map(|most| T::nearest(most).wide());
    rows.push(row::<T, Plane<T>, Segment<T>>("cut_plane_segment", |plane, segment, _| {
        tolerances.map(|most| plane.cut_segment(segment, most)).said()
    }));
    rows.push(row::<T, Plane<T>, Ray<T>>("cut_plane_ray", |plane, ray, _| {
        tolerances.map(|most| plane.cut_ray(ray, most)).said()
    }));
    rows.push(row::<T, Plane<T>, Triangle<T>>("cut_plane_triangle", |plane, triangle, _| {
        tolerances.map(|most| plane.cut_triangle(triangle, most)).said()
    }));
}

/// Returns batched box tests, with the lanes of a SIMD level.
pub fn batch<T: Number>(tools: &mut Tools<T>) -> Row {
    let mut random = Random(77);
    let mut row = Row::new(format!("geometry {} batches intersects", T::NAME));
    for (regime, name) in REGIMES.iter().enumerate() {
        tools.renew();
        let mut pair = || {
            let [a, b] = two_places(&mut random, regime, 1.0);
            (Obb::<T>::made(&mut random, &a), Obb::<T>::made(&mut random, &b))
        };
        let pairs: Vec<(Obb<T>, Obb<T>)> = (0..75).map(|_| pair()).collect();
        let mut answers = Vec::new();
        tools.batch.intersects(pairs.iter().map(|(a, b)| (a, b)), &mut answers);
        row.ask(format!("75 pairs {name}"), answers.said());
    }
    row
}

pub fn rows<T: Number>() -> Vec<Row> {
    let mut rows = Vec::new();
    all_nearest::<T>(&mut rows);
    all_contacts::<T>(&mut rows);
    all_axes::<T>(&mut rows);
    all_seen_and_cast::<T>(&mut rows);
    all_planes::<T>(&mut rows);
    crate::shape_queries::rows::<T>(&mut rows);
    rows
}
