//! Gap of two shapes along a direction, as stored: decided in integers.

use std::ops::{Add, Mul, Sub};

use boxwood::nalgebra::Point3;
use boxwood::num::Scalar;
use num_bigint::{BigInt, Sign};

use crate::exact_boxes::split;
use crate::pair::any_shape::Any;
use crate::plain_box::{PlainBox, V};

/// Number `mantissa * 2^exponent`.
#[derive(Clone, Debug)]
struct Dyadic {
    mantissa: BigInt,
    exponent: i32,
}

impl Dyadic {
    fn new(x: f64) -> Self {
        assert!(x.is_finite(), "{x}");
        let (mantissa, exponent) = split(x);
        Dyadic { mantissa: mantissa.into(), exponent }
    }

    fn is_negative(&self) -> bool {
        self.mantissa.sign() == Sign::Minus
    }

    fn is_less(&self, other: &Self) -> bool {
        (self - other).is_negative()
    }

    /// Returns both mantissas over the lesser exponent.
    fn aligned(&self, other: &Self) -> ([BigInt; 2], i32) {
        let exponent = self.exponent.min(other.exponent);
        let lifted = |x: &Self| &x.mantissa << (x.exponent - exponent);
        ([lifted(self), lifted(other)], exponent)
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        let ([a, b], exponent) = self.aligned(other);
        Dyadic { mantissa: a + b, exponent }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        let ([a, b], exponent) = self.aligned(other);
        Dyadic { mantissa: a - b, exponent }
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        let exponent = self.exponent + other.exponent;
        Dyadic { mantissa: &self.mantissa * &other.mantissa, exponent }
    }
}

fn dot(a: &[Dyadic; 3], b: &[Dyadic; 3]) -> Dyadic {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

fn exact(v: V) -> [Dyadic; 3] {
    v.map(Dyadic::new)
}

fn exact_points<T: Scalar>(points: &[Point3<T>]) -> Vec<[Dyadic; 3]> {
    points.iter().map(|p| exact(p.coords.map(T::wide).into())).collect()
}

/// Returns the points whose hull, grown by the radius, is the shape as stored.
fn stored_hull<T: Scalar>(shape: &Any<T>) -> (Vec<[Dyadic; 3]>, f64) {
    match shape {
        Any::Sphere(ball) => (exact_points(&[ball.center()]), ball.radius().wide()),
        Any::Capsule(body) => {
            let ends = [body.segment().a(), body.segment().b()];
            (exact_points(&ends), body.radius().wide())
        }
        Any::Segment(segment) => (exact_points(&[segment.a(), segment.b()]), 0.0),
        Any::Triangle(triangle) => (exact_points(&triangle.corners()), 0.0),
        Any::Aabb(bounds) => (exact_points(&bounds.corners()), 0.0),
        Any::Obb(stored) => {
            let PlainBox { center, axes, half } = PlainBox::of(stored);
            let (center, axes, half) = (exact(center), axes.map(exact), exact(half));
            let corner = |bits: usize| -> [Dyadic; 3] {
                let mut corner = center.clone();
                for k in 0..3 {
                    for (x, along) in corner.iter_mut().zip(&axes[k]) {
                        let step = along * &half[k];
                        *x = if bits >> k & 1 == 1 { &*x + &step } else { &*x - &step };
                    }
                }
                corner
            };
            ((0..8).map(corner).collect(), 0.0)
        }
    }
}

/// Returns `true` if all points of the second shape lie beyond all of the first along `direction`
/// by at least `gap`, in lengths, in real numbers.
pub fn has_gap<T: Scalar>([a, b]: [&Any<T>; 2], direction: V, gap: f64) -> bool {
    let (direction, gap) = (exact(direction), Dyadic::new(gap));
    let ((behind, radius), (ahead, other_radius)) = (stored_hull(a), stored_hull(b));
    let along = |points: Vec<[Dyadic; 3]>| -> Vec<Dyadic> {
        points.iter().map(|point| dot(point, &direction)).collect()
    };
    let most = along(behind).into_iter().reduce(|x, y| if x.is_less(&y) { y } else { x });
    let least = along(ahead).into_iter().reduce(|x, y| if y.is_less(&x) { y } else { x });
    let between = &least.expect("a corner") - &most.expect("a corner");
    let needed = &(&gap + &Dyadic::new(radius)) + &Dyadic::new(other_radius);
    // The gap times the length of the direction, both squared.
    let square = &(&needed * &needed) * &dot(&direction, &direction);
    !between.is_negative() && !(&between * &between).is_less(&square)
}
