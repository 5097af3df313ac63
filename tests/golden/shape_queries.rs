//! Queries of one shape, alone and with a point; and shapes fitted around points.

use boxwood::nalgebra::{Point3, Vector3};
use boxwood::shape::{
    Aabb, Capsule, Dop8, Dop14, Dop18, Ellipsoid, Frustum, Obb, Pose, Segment, SpaceDop8, Sphere,
    Triangle,
};

use crate::answers::{AsText, Number};
use crate::digest::Row;
use crate::random::{Random, plus, point, pose, times, vector};
use crate::shapes::{Made, REGIMES, two_places};

/// Arguments of a shape's queries: a point, a direction, and a pose to move it by.
type About<T> = (Point3<T>, Vector3<T>, Pose<T>);

fn row<T: Number, A: Made>(name: &str, answer: impl Fn(&A, &About<T>) -> String) -> Row {
    let mut random = Random::named(name, 11);
    let mut row = Row::new(format!("geometry {} shapes of_{name}", T::NAME));
    for case in 0..27 {
        let regime = case % REGIMES.len();
        let [place, other] = two_places(&mut random, regime, 1.0);
        let shape = A::made(&mut random, &place);
        let about: About<T> = (
            point(other.at),
            vector(other.normal(&mut random)),
            pose(other.turn(&mut random), other.near(&mut random)),
        );
        let answer = answer(&shape, &about);
        row.ask(format!("{}: {shape:?} and {about:?}", REGIMES[regime]), answer);
    }
    row
}

type Ball<T> = Sphere<T, 3>;
type Aligned<T> = Aabb<T, 3>;

macro_rules! solid {
    ($rows:ident, $t:ident: $($kind:ident),*) => {$(
        $rows.push(row::<$t, $kind<$t>>(&stringify!($kind).to_lowercase(), |shape, (at, along, _)| {
            let near = (shape.contains(*at), shape.closest_point(*at), shape.support(*along));
            (near, shape.volume()).said()
        }));
    )*};
}

macro_rules! moved {
    ($rows:ident, $t:ident: $($kind:ident: $($part:ident),*;)*) => {$(
        let name = format!("moved_{}", stringify!($kind).to_lowercase());
        $rows.push(row::<$t, $kind<$t>>(&name, |shape, (_, _, by)| {
            let moved = shape.transformed(by).map(|moved| ($(moved.$part()),*).said());
            (moved, shape.aabb()).said()
        }));
    )*};
}

macro_rules! dops {
    ($rows:ident, $t:ident: $($kind:ident),*) => {$(
        let name = format!("{}_and_another", stringify!($kind).to_lowercase());
        $rows.push(row::<$t, $kind<$t>>(&name, |shape, (at, along, by)| {
            let other = $kind::from_points([*at, *at + *along]);
            let (linear, offset) = (by.rotation.to_rotation_matrix(), by.translation.vector);
            let both = [shape.merged(&other), shape.transformed(linear.matrix(), &offset)];
            let both = both.map(|dop| (dop.low(), dop.high(), dop.volume()));
            (shape.low(), shape.high(), shape.intersects(&other), both, shape.aabb()).said()
        }));
    )*};
}

/// Draws points to fit shapes around: a cloud, a lattice, flat, collinear, all equal, few; near and
/// far.
fn clouds<T: Number>() -> Vec<(String, Vec<Point3<T>>)> {
    let (mut random, mut clouds) = (Random(19), Vec::new());
    for (regime, name) in REGIMES.iter().enumerate() {
        let [place, _] = two_places(&mut random, regime, 1.0);
        for kind in ["cloud", "lattice", "flat", "in line", "one place", "two"] {
            let count = [60, 64, 30, 9, 5, 2][clouds.len() % 6];
            let axes = place.turn(&mut random);
            let of = |random: &mut Random| {
                let inside = match kind {
                    "lattice" => [0; 3].map(|_| random.whole(2)),
                    "flat" => [random.between(-1.0, 1.0), random.between(-2.0, 2.0), 0.0],
                    "in line" => [random.between(-1.0, 1.0), 0.0, 0.0],
                    "one place" => [0.0; 3],
                    _ => random.inside(1.0),
                };
                let inside = crate::random::turned(axes, times(inside, place.size));
                point(plus(place.at, inside))
            };
            clouds.push((format!("{kind} {name}"), (0..count).map(|_| of(&mut random)).collect()));
        }
    }
    clouds
}

fn fits<T: Number>(rows: &mut Vec<Row>) {
    let clouds = clouds::<T>();
    let mut ask = |name: &str, answer: &dyn Fn(&[Point3<T>]) -> String| {
        let mut row = Row::new(format!("volumes {} shapes fit_{name}", T::NAME));
        clouds.iter().for_each(|(which, points)| row.ask(which.as_str(), answer(points)));
        rows.push(row);
    };
    ask("box", &|points| Obb::fit(points).said());
    ask("ball", &|points| Sphere::from_points(points).said());
    ask("capsule", &|points| {
        let found = Capsule::from_points(points);
        found.map(|capsule| (capsule.segment().a(), capsule.segment().b(), capsule.radius())).said()
    });
    ask("aligned", &|points| Aabb::from_points(points.iter().copied()).said());
    ask("dop8", &|points| {
        let dop = SpaceDop8::from_points(points.iter().copied());
        (dop.low(), dop.high()).said()
    });
    ask("dop14", &|points| {
        let dop = Dop14::from_points(points.iter().copied());
        (dop.low(), dop.high()).said()
    });
    ask("dop18", &|points| {
        let dop = Dop18::from_points(points.iter().copied());
        (dop.low(), dop.high()).said()
    });
    ask("dop8_of_the_plane", &|points| {
        let dop = Dop8::from_points(points.iter().map(|p| p.xy()));
        (dop.low(), dop.high(), dop.volume()).said()
    });
}

/// Returns queries of two aligned boxes, and one with a margin.
fn aligned<T: Number>() -> Row {
    row::<T, Aabb<T, 3>>("aligned_and_another", |shape, (at, along, by)| {
        let other = Aabb::from_points([*at, *at + *along, *at - *along]);
        let (linear, offset) = (by.rotation.to_rotation_matrix(), by.translation.vector);
        let moved = shape.transformed(linear.matrix(), &offset);
        let sizes = (shape.sizes(), shape.half_extents(), shape.diagonal());
        let grown = shape.grown(0.25);
        (shape.intersection(&other), shape.merged(&other), moved, sizes, grown).said()
    })
}

pub fn rows<T: Number>(rows: &mut Vec<Row>) {
    solid! { rows, T: Ball, Capsule, Aligned, Obb, Ellipsoid, Dop14, Dop18, SpaceDop8 }
    moved! { rows, T:
        Ball: center, radius; Capsule: segment_ends, radius; Obb: center, axes, half_extents;
        Ellipsoid: center, axes, radii; Segment: a, b; Triangle: a, b, c; Frustum: corners, corners;
    }
    rows.push(row::<T, Frustum<T>>("frustum", |shape, (at, along, _)| {
        (shape.contains(*at), shape.closest_point(*at), shape.support(*along)).said()
    }));
    rows.push(row::<T, Segment<T>>("segment", |shape, (at, along, _)| {
        (shape.closest_point(*at), shape.support(*along), shape.length()).said()
    }));
    rows.push(row::<T, Triangle<T>>("triangle", |shape, (at, along, _)| {
        let normal = shape.normal().map(|normal| normal.into_inner());
        (shape.closest_point(*at), shape.support(*along), shape.area(), normal).said()
    }));
    dops! { rows, T: SpaceDop8, Dop14, Dop18 }
    rows.push(aligned::<T>());
    fits::<T>(rows);
}

/// Access to both ends of a capsule's core, under its own name for the rows above.
trait Ends<T: Number> {
    fn segment_ends(&self) -> [Point3<T>; 2];
}

impl<T: Number> Ends<T> for Capsule<T> {
    fn segment_ends(&self) -> [Point3<T>; 2] {
        [self.segment().a(), self.segment().b()]
    }
}
