//! The smallest enclosing ball of points.

use nalgebra::{Point, SVector};

use crate::error::Error;
use crate::num::scaling::length_unit;
use crate::num::{Scalar, check_coordinates, tolerance};
use crate::shape::Sphere;

/// Largest number of growths of a ball; three to ten are usual. The radius contains all points in
/// any case.
const MAX_ROUNDS: usize = 100;

/// Share of the squared radius by which a point must be outside for the ball to grow. Less would be
/// rounding of the centre.
const CONTAINMENT_ERROR: f64 = 1e-13;

impl<T: Scalar, const D: usize> Sphere<T, D> {
    /// The smallest ball around the points, up to rounding. The radius is rounded outward, so that
    /// the ball contains all of them.
    ///
    /// The farthest point outside joins the support set on the surface, and the smallest ball of
    /// the set is found by trying all its subsets of up to `D + 1` points. Source: Welzl, Smallest
    /// Enclosing Disks (1991), with the pivots of Gärtner, Fast and Robust Smallest Enclosing Balls
    /// (1999).
    ///
    /// # Errors
    /// [`Error::Empty`] without a point, [`Error::NotFinite`] and [`Error::OutOfRange`] naming the
    /// point.
    ///
    /// ```
    /// use boxwood::Sphere;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let ball = Sphere::from_points(&[Point3::new(-1.0, 0.0, 0.0), Point3::new(3.0, 0.0, 0.0)])?;
    /// assert!((ball.center().x - 1.0).abs() < 1e-5 && (ball.radius() - 2.0).abs() < 1e-5);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn from_points(points: &[Point<T, D>]) -> Result<Self, Error> {
        let Some(first) = points.first() else { return Err(Error::Empty { field: "points" }) };
        for (index, point) in points.iter().enumerate() {
            check_coordinates(point.coords.as_slice(), "point", index)?;
        }
        let origin = wide(first);
        let coordinates = points.iter().flat_map(|p| offset(p, origin, 1.0));
        let unit = length_unit(
            coordinates.fold(0.0, |most, x| if x.abs() > most { x.abs() } else { most }),
        );
        let middle = smallest_ball(points, (origin, unit)).center;
        let at = |i: usize, _| T::nearest(origin[i] + middle[i] * unit);
        let center = Point::from(SVector::from_fn(at));
        let squared = farthest_index(points, wide(&center), unit).1;
        Sphere::new(center, T::at_least(squared.sqrt() * unit * (1.0 + tolerance::FIT_PAD)))
    }
}

/// A candidate ball in a local frame: relative to an origin, and in a unit in which no square
/// vanishes.
#[derive(Debug, Clone, Copy)]
struct EnclosingBall<const D: usize> {
    center: [f64; D],
    squared_radius: f64,
}

impl<const D: usize> EnclosingBall<D> {
    fn contains(&self, p: &[f64; D]) -> bool {
        squared(difference(p, &self.center)) <= self.squared_radius * (1.0 + CONTAINMENT_ERROR)
    }
}

/// Finds the smallest ball around the points, in the local frame of that origin and unit.
fn smallest_ball<T: Scalar, const D: usize>(
    points: &[Point<T, D>],
    (origin, unit): ([f64; D], f64),
) -> EnclosingBall<D> {
    let mut ball = EnclosingBall { center: [0.0; D], squared_radius: 0.0 };
    let mut rest: Vec<[f64; D]> = vec![[0.0; D]];
    for _ in 0..MAX_ROUNDS {
        let from = std::array::from_fn(|i| origin[i] + ball.center[i] * unit);
        let (index, _) = farthest_index(points, from, unit);
        let pivot = offset(&points[index], origin, unit);
        if ball.contains(&pivot) {
            break;
        }
        rest.push(pivot);
        match smallest_on_last(&rest) {
            // No growth: the rest is rounding.
            Some((next, on)) if next.squared_radius > ball.squared_radius => {
                (ball, rest) = (next, on)
            }
            _ => break,
        }
    }
    ball
}

/// Finds the smallest ball around a few points with the last of them on its surface, and its
/// support set.
fn smallest_on_last<const D: usize>(
    points: &[[f64; D]],
) -> Option<(EnclosingBall<D>, Vec<[f64; D]>)> {
    let (last, others) = points.split_last()?;
    let mut best: Option<(EnclosingBall<D>, Vec<[f64; D]>)> = None;
    for set in 0..1u32 << others.len() {
        let chosen = (0..others.len()).filter(|i| set >> i & 1 == 1).map(|i| others[i]);
        let on: Vec<[f64; D]> = chosen.chain([*last]).collect();
        let smaller = |ball: &EnclosingBall<D>| {
            best.as_ref().is_none_or(|(least, _)| ball.squared_radius < least.squared_radius)
        };
        if let Some(ball) = circumscribed_ball(&on).filter(smaller)
            && points.iter().all(|p| ball.contains(p))
        {
            best = Some((ball, on));
        }
    }
    best
}

/// Returns the circumscribed ball: its centre is in the affine hull of the points, which are all on
/// its surface; `None` if they are too many or affinely dependent.
fn circumscribed_ball<const D: usize>(points: &[[f64; D]]) -> Option<EnclosingBall<D>> {
    let (first, others) = points.split_first()?;
    let count = others.len();
    if count > D {
        return None;
    }
    // The centre is `first + sum x_j v_j`, with `v_i . sum x_j v_j = v_i . v_i / 2`.
    let mut v = [[0.0; D]; D];
    others.iter().zip(&mut v).for_each(|(p, v)| *v = difference(p, first));
    let (mut rows, mut right) = ([[0.0; D]; D], [0.0; D]);
    for i in 0..count {
        (0..count).for_each(|j| rows[i][j] = inner(&v[i], &v[j]));
        right[i] = 0.5 * rows[i][i];
    }
    let shares = solve(rows, right, count)?;
    let mut from_first = [0.0; D];
    for (share, v) in shares.iter().zip(&v).take(count) {
        (0..D).for_each(|k| from_first[k] += share * v[k]);
    }
    let center = std::array::from_fn(|k| first[k] + from_first[k]);
    Some(EnclosingBall { center, squared_radius: squared(from_first) })
}

/// Solves the first `count` equations by Gaussian elimination with partial pivoting; `None` if they
/// are linearly dependent.
fn solve<const D: usize>(
    mut rows: [[f64; D]; D],
    mut right: [f64; D],
    count: usize,
) -> Option<[f64; D]> {
    for at in 0..count {
        let larger = |a: usize, b: usize| if rows[b][at].abs() > rows[a][at].abs() { b } else { a };
        let pivot = (at..count).fold(at, larger);
        if rows[pivot][at] == 0.0 {
            return None;
        }
        rows.swap(at, pivot);
        right.swap(at, pivot);
        for below in at + 1..count {
            let share = rows[below][at] / rows[at][at];
            (at..count).for_each(|k| rows[below][k] -= share * rows[at][k]);
            right[below] -= share * right[at];
        }
    }
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|k| rows[at][k] * right[k]).sum();
        right[at] = (right[at] - known) / rows[at][at];
    }
    right.iter().all(|x| x.is_finite()).then_some(right)
}

/// Index of the farthest point, the first for a tie, and its squared distance, in units.
fn farthest_index<T: Scalar, const D: usize>(
    points: &[Point<T, D>],
    from: [f64; D],
    unit: f64,
) -> (usize, f64) {
    let distances = points.iter().map(|p| squared(offset(p, from, unit)));
    distances.enumerate().fold((0, 0.0), |most, now| if now.1 > most.1 { now } else { most })
}

/// Vector between two points, in units; dividing by a power of two rounds nothing.
fn offset<T: Scalar, const D: usize>(to: &Point<T, D>, from: [f64; D], unit: f64) -> [f64; D] {
    difference(&wide(to), &from).map(|x| x / unit)
}

fn wide<T: Scalar, const D: usize>(point: &Point<T, D>) -> [f64; D] {
    std::array::from_fn(|i| point[i].wide())
}

fn difference<const D: usize>(a: &[f64; D], b: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn inner<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (x, y)| sum + x * y)
}

fn squared<const D: usize>(v: [f64; D]) -> f64 {
    inner(&v, &v)
}
