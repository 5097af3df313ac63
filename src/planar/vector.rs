//! 2D vector arithmetic in double precision with one fixed order of operations.

use nalgebra::{Point2, Vector2};

use crate::num::Scalar;

/// Vector or point.
pub(super) type Vec2 = [f64; 2];

#[inline(always)]
pub(super) fn add(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] + b[0], a[1] + b[1]]
}

#[inline(always)]
pub(super) fn sub(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
pub(super) fn scale(a: Vec2, s: f64) -> Vec2 {
    [a[0] * s, a[1] * s]
}

#[inline(always)]
pub(super) fn dot(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns the cross product: positive if `b` is to the left of `a`.
#[inline(always)]
pub(super) fn cross(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline(always)]
pub(super) fn length(a: Vec2) -> f64 {
    dot(a, a).sqrt()
}

/// Returns the L1 norm: an upper bound on the length without a root.
#[inline(always)]
pub(super) fn l1_norm(a: Vec2) -> f64 {
    a[0].abs() + a[1].abs()
}

#[inline(always)]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Rotates a vector a quarter turn to the left.
#[inline(always)]
pub(super) fn left(a: Vec2) -> Vec2 {
    [-a[1], a[0]]
}

/// Rotates a vector a quarter turn to the right: outward from an edge that runs counter-clockwise.
#[inline(always)]
pub(super) fn right(a: Vec2) -> Vec2 {
    [a[1], -a[0]]
}

#[inline(always)]
pub(super) fn wide_point<T: Scalar>(p: Point2<T>) -> Vec2 {
    [p.x.wide(), p.y.wide()]
}

#[inline(always)]
pub(super) fn nearest_point<T: Scalar>(p: Vec2) -> Point2<T> {
    Point2::new(T::nearest(p[0]), T::nearest(p[1]))
}

#[inline(always)]
pub(super) fn nearest_vector<T: Scalar>(v: Vec2) -> Vector2<T> {
    Vector2::new(T::nearest(v[0]), T::nearest(v[1]))
}
