//! A shape of any kind, as the crate's type and as the hull of a few points with a radius.

use boxwood::nalgebra::{Matrix3, Point3, Vector3};
use boxwood::num::Scalar;
use boxwood::pair::ClosestPoints;
use boxwood::shape::{Aabb, Capsule, Obb, Segment, Sphere, Triangle};

pub use crate::plain_box::UPRIGHT;
use crate::plain_box::{V, inner, minus, norm, outer, plus, times};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sphere,
    Capsule,
    Segment,
    Triangle,
    Aabb,
    Obb,
}

impl Kind {
    pub const ALL: [Kind; 6] =
        [Kind::Sphere, Kind::Capsule, Kind::Segment, Kind::Triangle, Kind::Aabb, Kind::Obb];
}

/// Parameters of a shape.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub kind: Kind,
    /// Ends or corners; for a box the centre and two unused points.
    pub points: [V; 3],
    pub axes: [V; 3],
    pub half: V,
    pub radius: f64,
}

impl Plan {
    pub fn moved(&self, by: V) -> Plan {
        Plan { points: self.points.map(|p| plus(p, by)), ..*self }
    }

    pub fn scaled(&self, by: f64) -> Plan {
        let points = self.points.map(|p| times(p, by));
        Plan { points, half: times(self.half, by), radius: self.radius * by, ..*self }
    }

    /// Returns the corners whose hull, grown by the radius, is the shape.
    pub fn hull(&self) -> Vec<V> {
        let end = |corner: usize, i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
        match self.kind {
            Kind::Sphere => self.points[..1].to_vec(),
            Kind::Capsule | Kind::Segment => self.points[..2].to_vec(),
            Kind::Triangle => self.points.to_vec(),
            Kind::Aabb | Kind::Obb => (0..8)
                .map(|corner| {
                    (0..3).fold(self.points[0], |p, i| {
                        plus(p, times(self.axes[i], end(corner, i) * self.half[i]))
                    })
                })
                .collect(),
        }
    }

    pub fn round(&self) -> f64 {
        if matches!(self.kind, Kind::Sphere | Kind::Capsule) { self.radius } else { 0.0 }
    }

    pub fn size(&self) -> f64 {
        let hull = self.hull();
        hull.iter().map(|&p| norm(minus(p, hull[0]))).fold(self.round(), f64::max)
    }

    pub fn build<T: Scalar>(&self) -> Any<T> {
        let number = |x: f64| T::nearest(x);
        let point = |p: V| Point3::from(p.map(number));
        let [a, b, c] = self.points.map(point);
        let segment = || Segment::new(a, b).expect("a segment");
        match self.kind {
            Kind::Sphere => Any::Sphere(Sphere::new(a, number(self.radius)).expect("a ball")),
            Kind::Capsule => {
                Any::Capsule(Capsule::new(segment(), number(self.radius)).expect("a capsule"))
            }
            Kind::Segment => Any::Segment(segment()),
            Kind::Triangle => Any::Triangle(Triangle::new(a, b, c).expect("a triangle")),
            Kind::Aabb => Any::Aabb(Aabb::new(
                point(minus(self.points[0], self.half)),
                point(plus(self.points[0], self.half)),
            )),
            Kind::Obb => {
                let axes = Matrix3::from_fn(|i, j| number(self.axes[j][i]));
                let half = Vector3::from(self.half.map(number));
                Any::Obb(Obb::new(a, axes, half).expect("a box"))
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Any<T: Scalar> {
    Sphere(Sphere<T, 3>),
    Capsule(Capsule<T>),
    Segment(Segment<T>),
    Triangle(Triangle<T>),
    Aabb(Aabb<T, 3>),
    Obb(Obb<T>),
}

/// Dispatches an expression over the kinds.
#[macro_export]
macro_rules! each {
    ($any:expr, $x:ident => $answer:expr) => {
        match $any {
            $crate::pair::any_shape::Any::Sphere($x) => $answer,
            $crate::pair::any_shape::Any::Capsule($x) => $answer,
            $crate::pair::any_shape::Any::Segment($x) => $answer,
            $crate::pair::any_shape::Any::Triangle($x) => $answer,
            $crate::pair::any_shape::Any::Aabb($x) => $answer,
            $crate::pair::any_shape::Any::Obb($x) => $answer,
        }
    };
}

impl<T: Scalar> Any<T> {
    pub fn intersects(&self, other: &Any<T>) -> bool {
        each!(self, a => each!(other, b => a.intersects(b)))
    }

    pub fn closest(&self, other: &Any<T>) -> ClosestPoints<T> {
        each!(self, a => each!(other, b => a.closest_points(b)))
    }

    pub fn distance(&self, other: &Any<T>) -> T {
        each!(self, a => each!(other, b => a.distance(b)))
    }

    /// Returns the plan of the stored shape: rounded to `T`, axes as they are.
    pub fn plan(&self) -> Plan {
        let point = |p: Point3<T>| [p.x.wide(), p.y.wide(), p.z.wide()];
        let plan = |kind, points| Plan { kind, points, axes: UPRIGHT, half: [0.0; 3], radius: 0.0 };
        match self {
            Any::Sphere(s) => {
                Plan { radius: s.radius().wide(), ..plan(Kind::Sphere, [point(s.center()); 3]) }
            }
            Any::Capsule(c) => {
                let ends = [c.segment().a(), c.segment().b(), c.segment().b()];
                Plan { radius: c.radius().wide(), ..plan(Kind::Capsule, ends.map(point)) }
            }
            Any::Segment(s) => plan(Kind::Segment, [s.a(), s.b(), s.b()].map(point)),
            Any::Triangle(t) => plan(Kind::Triangle, t.corners().map(point)),
            Any::Aabb(b) => {
                let (low, high) = (point(b.min), point(b.max));
                let half = times(minus(high, low), 0.5);
                Plan { half, ..plan(Kind::Aabb, [plus(low, half); 3]) }
            }
            Any::Obb(b) => {
                let axes = [0, 1, 2].map(|j| [0, 1, 2].map(|i| b.axes()[(i, j)].wide()));
                let half = b.half_extents().map(T::wide).into();
                Plan { half, axes, ..plan(Kind::Obb, [point(b.center()); 3]) }
            }
        }
    }
}

/// Returns an upper bound of a point's distance from the shape: the distance from a point certainly
/// in it. 0 inside.
pub fn outside(plan: &Plan, p: V) -> f64 {
    let [a, b, c] = plan.points;
    let far = match plan.kind {
        Kind::Sphere => norm(minus(p, a)),
        Kind::Capsule | Kind::Segment => to_segment(p, a, b),
        Kind::Triangle => to_triangle(p, a, b, c),
        Kind::Aabb | Kind::Obb => {
            let from = minus(p, a);
            let out = |i: usize| (inner(plan.axes[i], from).abs() - plan.half[i]).max(0.0);
            norm([out(0), out(1), out(2)])
        }
    };
    (far - plan.round()).max(0.0)
}

fn to_segment(p: V, a: V, b: V) -> f64 {
    // Search of the minimum by thirds: convex, and without division.
    let at = |t: f64| norm(minus(p, plus(times(a, 1.0 - t), times(b, t))));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..120 {
        let (s, t) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(s) <= at(t) { high = t } else { low = s }
    }
    at(low).min(at(high)).min(at(0.5 * (low + high)))
}

fn to_triangle(p: V, a: V, b: V, c: V) -> f64 {
    let normal = outer(minus(b, a), minus(c, a));
    let area = norm(normal);
    let edges = to_segment(p, a, b).min(to_segment(p, b, c)).min(to_segment(p, c, a));
    if area == 0.0 {
        return edges;
    }
    let sides =
        [(a, b), (b, c), (c, a)].map(|(x, y)| inner(normal, outer(minus(y, x), minus(p, x))));
    match sides.iter().all(|&s| s >= 0.0) {
        true => edges.min(inner(normal, minus(p, a)).abs() / area),
        false => edges,
    }
}

compiled_here! { Plan::build; Any: intersects, closest, distance, plan }
