//! Planar shape of any of the four kinds, with its corners and radius for the oracle.

use boxwood::num::Scalar;
use boxwood::pair::{CastHit, Contact, Sweep};
use boxwood::planar::{ConvexPolygon, Obb2, Shape};
use boxwood::shape::{Aabb, Sphere};
use nalgebra::{Point2, Vector2};

/// Point or vector of the plane.
pub type P = [f64; 2];

#[derive(Clone, Debug)]
pub enum Any<T: Scalar> {
    Obb2(Obb2<T>),
    Polygon(ConvexPolygon<T>),
    Circle(Sphere<T, 2>),
    Aabb(Aabb<T, 2>),
}

/// Calls with the concrete types of both.
macro_rules! both {
    ($a:expr, $b:expr, |$x:ident, $y:ident| $call:expr) => {
        match $a {
            Any::Obb2($x) => both!(@ $b, $y, $call),
            Any::Polygon($x) => both!(@ $b, $y, $call),
            Any::Circle($x) => both!(@ $b, $y, $call),
            Any::Aabb($x) => both!(@ $b, $y, $call),
        }
    };
    (@ $b:expr, $y:ident, $call:expr) => {
        match $b {
            Any::Obb2($y) => $call,
            Any::Polygon($y) => $call,
            Any::Circle($y) => $call,
            Any::Aabb($y) => $call,
        }
    };
}

pub fn intersects<T: Scalar>(a: &Any<T>, b: &Any<T>) -> bool {
    both!(a, b, |x, y| Shape::intersects(x, y))
}

pub fn contact<T: Scalar>(a: &Any<T>, b: &Any<T>) -> Option<Contact<T, 2>> {
    both!(a, b, |x, y| Shape::contact(x, y))
}

pub fn sweep<T: Scalar>(a: &Any<T>, b: &Any<T>, by: [P; 2]) -> Option<CastHit<T, 2>> {
    let [p, q] = by.map(vector);
    both!(a, b, |x, y| Sweep::sweep_both(x, p, y, q))
}

pub fn vector<T: Scalar>(v: P) -> Vector2<T> {
    Vector2::new(T::nearest(v[0]), T::nearest(v[1]))
}

pub fn point<T: Scalar>(v: P) -> Point2<T> {
    Point2::from(vector(v))
}

pub fn wide<T: Scalar>(v: &Vector2<T>) -> P {
    [v.x.wide(), v.y.wide()]
}

pub fn plus(a: P, b: P) -> P {
    [a[0] + b[0], a[1] + b[1]]
}

pub fn minus(a: P, b: P) -> P {
    [a[0] - b[0], a[1] - b[1]]
}

pub fn times(a: P, s: f64) -> P {
    [a[0] * s, a[1] * s]
}

pub fn inner(a: P, b: P) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub fn outer(a: P, b: P) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub fn norm(a: P) -> f64 {
    inner(a, a).sqrt()
}

impl<T: Scalar> Any<T> {
    /// Returns the corners of the core in double precision, and the radius.
    pub fn seen(&self) -> RoundedCore {
        match self {
            Any::Obb2(o) => {
                let (c, u) = (wide(&o.center().coords), wide(&o.axis()));
                let h = wide(&o.half_extents());
                let (u, v) = (times(u, h[0]), times([-u[1], u[0]], h[1]));
                let corner = |s: f64, t: f64| plus(c, plus(times(u, s), times(v, t)));
                let corners =
                    vec![corner(-1., -1.), corner(1., -1.), corner(1., 1.), corner(-1., 1.)];
                RoundedCore { corners, round: 0.0 }
            }
            Any::Polygon(p) => {
                let corners = p.corners().iter().map(|p| wide(&p.coords)).collect();
                RoundedCore { corners, round: 0.0 }
            }
            Any::Circle(s) => {
                RoundedCore { corners: vec![wide(&s.center().coords)], round: s.radius().wide() }
            }
            Any::Aabb(b) => {
                let (p, q) = (wide(&b.min.coords), wide(&b.max.coords));
                let corners = vec![p, [q[0], p[1]], q, [p[0], q[1]]];
                RoundedCore { corners, round: 0.0 }
            }
        }
    }
}

/// Convex core with a radius.
#[derive(Clone, Debug)]
pub struct RoundedCore {
    pub corners: Vec<P>,
    pub round: f64,
}

impl RoundedCore {
    pub fn moved(&self, by: P) -> RoundedCore {
        let corners = self.corners.iter().map(|&c| plus(c, by)).collect();
        RoundedCore { corners, round: self.round }
    }

    /// Returns the greatest coordinate along a unit direction.
    pub fn support(&self, n: P) -> f64 {
        self.round + self.corners.iter().map(|&c| inner(c, n)).fold(f64::MIN, f64::max)
    }

    pub fn center(&self) -> P {
        let sum = self.corners.iter().fold([0.0; 2], |s, &c| plus(s, c));
        times(sum, 1.0 / self.corners.len() as f64)
    }

    pub fn size(&self) -> f64 {
        let center = self.center();
        let far = |&c: &P| norm(minus(c, center));
        self.round + self.corners.iter().map(far).fold(0.0, f64::max)
    }
}
