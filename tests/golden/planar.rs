//! Every two kinds of shapes of the plane; and sweeps, in the plane and in space.

use boxwood::nalgebra::{Complex, Isometry2, Point2, SVector, Translation2, UnitComplex, Vector2};
use boxwood::pair::Sweep;
use boxwood::planar::{ConvexPolygon, Obb2 as Rectangle, Shape};
use boxwood::shape::{Aabb, Obb, Plane, Sphere};

use crate::answers::{AsText, Number};
use crate::digest::Row;
use crate::random::{Random, plus, point, vector};
use crate::shapes::{Made, Place, REGIMES, two_places};

const CASES: usize = 36;

/// Factor of distances at which three of four pairs touch or nearly touch.
const CLOSER: f64 = 0.7;

type Circle<T> = Sphere<T, 2>;
type Upright<T> = Aabb<T, 2>;
type Ball<T> = Sphere<T, 3>;
type Aligned<T> = Aabb<T, 3>;

/// Projects to the first two coordinates.
fn flat<T: Number>(v: [f64; 3]) -> Point2<T> {
    Point2::new(T::nearest(v[0]), T::nearest(v[1]))
}

/// Draws a unit vector of the plane; for an integer place one without rounding.
fn axis<T: Number>(random: &mut Random, place: &Place) -> Vector2<T> {
    loop {
        let [x, y, _] = place.normal(random);
        let length = (x * x + y * y).sqrt();
        if length > 0.1 {
            return flat([x / length, y / length, 0.0]).coords;
        }
    }
}

impl<T: Number> Made for Circle<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        Sphere::new(flat(place.at), T::nearest(place.length(random))).expect("a circle")
    }
}

impl<T: Number> Made for Upright<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let half = flat::<T>(place.half(random)).coords;
        let at = flat::<T>(place.at);
        Aabb::new(at - half, at + half)
    }
}

impl<T: Number> Made for Rectangle<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let half = flat::<T>(place.half(random)).coords;
        Rectangle::new(flat(place.at), axis(random, place), half).expect("a rectangle")
    }
}

impl<T: Number> Made for ConvexPolygon<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        // Corners of an octagon with integer coordinates, some omitted.
        let octagon = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];
        loop {
            let kept = octagon.iter().filter(|_| random.chance(0.7));
            let corner = |&(x, y): &(i32, i32)| {
                let away = [f64::from(x), f64::from(y), 0.0].map(|x| 0.5 * x * place.size);
                flat(plus(place.at, away))
            };
            if let Ok(polygon) = ConvexPolygon::new(kept.map(corner).collect()) {
                return polygon;
            }
        }
    }
}

fn row<T: Number, A: Made, B: Made>(
    name: &str,
    answer: impl Fn(&A, &B, &mut Random) -> String,
) -> Row {
    let mut random = Random::named(name, 3);
    let mut row = Row::new(format!("geometry {} moving {name}", T::NAME));
    for case in 0..CASES {
        let [first, second] = two_places(&mut random, case % REGIMES.len(), CLOSER);
        let (a, b) = (A::made(&mut random, &first), B::made(&mut random, &second));
        let answer = answer(&a, &b, &mut random);
        row.ask(format!("{}: {a:?} and {b:?}", REGIMES[case % REGIMES.len()]), answer);
    }
    row
}

fn planar<T: Number, A: Made + Shape<T>, B: Made + Shape<T>>(name: &str) -> Row {
    row::<T, A, B>(name, |a, b, _| {
        let meet = (Shape::intersects(a, b), Shape::intersects(b, a));
        let apart = (Shape::distance(a, b), Shape::distance(b, a));
        (meet, apart, Shape::contact(a, b), Shape::contact(b, a)).said()
    })
}

/// Moves the first, then the second, then both; in both orders.
fn sweep<T: Number, const D: usize, A, B>(name: &str) -> Row
where
    A: Made + Sweep<T, D, B>,
    B: Made + Sweep<T, D, A>,
{
    row::<T, A, B>(name, |a, b, random| {
        let far = [4.0, 4.0, 4.0, 1e-4, 1e6][random.below(5)];
        let mut step = || SVector::<T, D>::from_fn(|_, _| T::nearest(random.between(-far, far)));
        let (there, back) = (step(), step());
        let none = SVector::zeros();
        let one = (a.sweep(there, b), b.sweep(back, a), a.sweep(none, b));
        (one, a.sweep_both(there, b, back), b.sweep_both(back, a, there)).said()
    })
}

fn plane_sweep<T, A, B>(name: &str) -> Row
where
    T: Number,
    A: Made + Sweep<T, 2, B>,
    B: Made + Sweep<T, 2, A>,
{
    sweep::<T, 2, A, B>(name)
}

fn space_sweep<T, A, B>(name: &str) -> Row
where
    T: Number,
    A: Made + Sweep<T, 3, B>,
    B: Made + Sweep<T, 3, A>,
{
    sweep::<T, 3, A, B>(name)
}

macro_rules! rows {
    ($rows:ident, $t:ident, $ask:ident: $($a:ident, $b:ident;)*) => {$(
        let kinds = [stringify!($a), stringify!($b)].map(str::to_lowercase).join("_");
        $rows.push($ask::<$t, $a<$t>, $b<$t>>(&format!("{}_{kinds}", stringify!($ask))));
    )*};
}

/// Appends queries of one planar shape, a point and a direction.
fn members<T: Number>(rows: &mut Vec<Row>) {
    rows.push(row::<T, Rectangle<T>, Rectangle<T>>("of_rectangle", |shape, other, _| {
        let (at, along) = (other.center(), other.axis());
        let pose = Isometry2::from_parts(
            Translation2::from(at.coords),
            UnitComplex::new_unchecked(Complex::new(along.x, along.y)),
        );
        let near = (shape.contains(at), shape.closest_point(at), shape.support(along));
        (near, shape.transformed(&pose), shape.aabb()).said()
    }));
    rows.push(row::<T, ConvexPolygon<T>, Rectangle<T>>("of_polygon", |shape, other, _| {
        let (at, along) = (other.center(), other.axis());
        let pose = Isometry2::from_parts(
            Translation2::from(at.coords),
            UnitComplex::new_unchecked(Complex::new(along.x, along.y)),
        );
        let near = (shape.contains(at), shape.closest_point(at), shape.support(along));
        let moved = shape.transformed(&pose).map(|moved| moved.corners().to_vec());
        (near, moved, shape.aabb(), shape.center(), shape.area()).said()
    }));
    rows.push(row::<T, Circle<T>, Upright<T>>("of_circle_and_aligned", |circle, upright, _| {
        let [p, q] = [circle.center(), upright.min];
        let near = (circle.contains(q), circle.closest_point(q), circle.volume());
        let of = (upright.contains(p), upright.closest_point(p), upright.volume());
        (near, of, circle.aabb(), upright.intersection(&circle.aabb())).said()
    }));
}

/// Returns boxes that pass corner by corner, started where only rounding decides the impact.
fn grazing<T: Number>() -> Row {
    let mut random = Random(5);
    let mut row = Row::new(format!("geometry {} moving sweep_grazing", T::NAME));
    for case in 0..40 {
        let aside = [2.0, 2.0 - 1e-9, 2.0 + 1e-9, 2.0 - 1e-6, 2.0 + 1e-6][case % 5];
        let half = vector([1.0; 3]);
        let (at, turn) = (random.inside(0.1), crate::random::matrix(random.quarter()));
        let solid = |at| Obb::<T>::new(point(at), turn, half).expect("a box");
        let (a, b) = (solid(at), solid(plus(at, [5.0, aside, random.whole(1)])));
        let step = vector([random.between(2.0, 9.0), 0.0, 0.0]);
        row.ask(format!("aside {aside}: {a:?} along {step:?}"), a.sweep(step, &b).said());
    }
    row
}

pub fn rows<T: Number>() -> Vec<Row> {
    let mut rows = Vec::new();
    rows! { rows, T, planar:
        Rectangle, Rectangle; Rectangle, ConvexPolygon; Rectangle, Circle; Rectangle, Upright;
        ConvexPolygon, ConvexPolygon; ConvexPolygon, Circle; ConvexPolygon, Upright;
        Circle, Circle; Circle, Upright; Upright, Upright;
    }
    members::<T>(&mut rows);
    rows! { rows, T, plane_sweep:
        Rectangle, Rectangle; Rectangle, ConvexPolygon; Rectangle, Circle; Rectangle, Upright;
        ConvexPolygon, ConvexPolygon; ConvexPolygon, Circle; ConvexPolygon, Upright;
        Circle, Circle; Circle, Upright; Upright, Upright;
    }
    rows! { rows, T, space_sweep:
        Ball, Ball; Ball, Aligned; Ball, Obb; Ball, Plane; Aligned, Aligned; Obb, Obb;
    }
    rows.push(grazing::<T>());
    rows
}
