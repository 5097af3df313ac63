//! Points of two posed parts as integers, by rotation matrices.
//!
//! The matrix of `q / |q|` is a fraction: sums of products of the stored components over `|q|^2`.
//! Coordinates relative to the first part's position, times `|q_a|^2 |q_b|^2` and a power of two,
//! are integers.

use boxwood::num::Scalar;
use boxwood::shape::Pose;
use num_bigint::{BigInt, Sign};

use crate::exact_boxes::{range, whole};
use crate::plain_box::{PlainBox, V};
use crate::triangle_distance::Triangle;

/// Vector of integers.
pub type W = [BigInt; 3];

/// Quaternion and position of a pose, as stored.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// Quaternion x, y, z, w.
    pub q: [f64; 4],
    pub p: V,
}

impl Stored {
    pub fn of<T: Scalar>(pose: &Pose<T>) -> Self {
        let (q, p) = (pose.rotation.coords, pose.translation.vector);
        Stored { q: [q.x, q.y, q.z, q.w].map(T::wide), p: [p.x, p.y, p.z].map(T::wide) }
    }

    /// Returns the rows of the rotation, rounded.
    pub fn rows(&self) -> [V; 3] {
        let [x, y, z, w] = self.q;
        let square = x * x + y * y + z * z + w * w;
        let rows = [
            [w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ];
        rows.map(|row| row.map(|entry| entry / square))
    }

    /// Returns the rows of the rotation times the second number, which is `|q|^2` in some unit.
    fn whole_rows(&self) -> ([W; 3], BigInt) {
        let low = range(self.q.iter()).0;
        let [x, y, z, w] = self.q.map(|c| whole::<BigInt>(c, low));
        let product = |a: &BigInt, b: &BigInt| a * b;
        let (xx, yy, zz, ww) = (product(&x, &x), product(&y, &y), product(&z, &z), product(&w, &w));
        let twice = |a: BigInt| a * 2;
        let rows = [
            [&ww + &xx - &yy - &zz, twice(&x * &y - &w * &z), twice(&x * &z + &w * &y)],
            [twice(&x * &y + &w * &z), &ww - &xx + &yy - &zz, twice(&y * &z - &w * &x)],
            [twice(&x * &z - &w * &y), twice(&y * &z + &w * &x), &ww - &xx - &yy + &zz],
        ];
        (rows, xx + yy + zz + ww)
    }
}

/// Motion of one part's points.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Rows, times both denominators.
    rows: [W; 3],
    at: W,
    /// Power of two that is the unit of coordinates.
    low: i32,
}

/// Returns both motions, for parts whose coordinates are multiples of `2^low`.
pub fn motions(a: &Stored, b: &Stored, low: i32) -> [Motion; 2] {
    let low = low.min(range(a.p.iter().chain(&b.p)).0);
    let ((rows_a, square_a), (rows_b, square_b)) = (a.whole_rows(), b.whole_rows());
    let both = &square_a * &square_b;
    let step = |k: usize| whole::<BigInt>(b.p[k], low) - whole::<BigInt>(a.p[k], low);
    let scaled = |rows: [W; 3], by: &BigInt| rows.map(|row| row.map(|entry| entry * by));
    [
        Motion { rows: scaled(rows_a, &square_b), at: [0; 3].map(BigInt::from), low },
        Motion {
            rows: scaled(rows_b, &square_a),
            at: std::array::from_fn(|k| step(k) * &both),
            low,
        },
    ]
}

impl Motion {
    fn turned(&self, v: &W) -> W {
        std::array::from_fn(|i| dot(&self.rows[i], v))
    }

    fn moved(&self, v: &W) -> W {
        plus(&self.turned(v), &self.at)
    }

    pub fn triangle(&self, corners: &Triangle) -> [W; 3] {
        corners.map(|p| self.point(p))
    }

    pub fn point(&self, p: V) -> W {
        self.moved(&p.map(|x| whole(x, self.low)))
    }

    /// Returns the centre and the three half edges.
    pub fn block(&self, block: &PlainBox) -> (W, [W; 3]) {
        let unit = range(block.axes.iter().flatten()).0;
        let edge = |k: usize| {
            let half = whole::<BigInt>(block.half[k], self.low - unit);
            self.turned(&block.axes[k].map(|x| whole::<BigInt>(x, unit) * &half))
        };
        (self.point(block.center), [edge(0), edge(1), edge(2)])
    }
}

/// Returns the lowest bit of the coordinates of a triangle's corners.
pub fn lowest_of_triangle(corners: &Triangle) -> i32 {
    range(corners.iter().flatten()).0
}

/// Returns the lowest bit of the coordinates of a box's corners.
pub fn lowest_of_block(block: &PlainBox) -> i32 {
    let edges = range(block.axes.iter().flatten()).0 + range(block.half.iter()).0;
    edges.min(range(block.center.iter()).0)
}

pub fn plus(a: &W, b: &W) -> W {
    std::array::from_fn(|i| &a[i] + &b[i])
}

pub fn minus(a: &W, b: &W) -> W {
    std::array::from_fn(|i| &a[i] - &b[i])
}

pub fn dot(a: &W, b: &W) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub fn cross(a: &W, b: &W) -> W {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

pub fn is_zero(a: &W) -> bool {
    a.iter().all(|x| x.sign() == Sign::NoSign)
}

/// Returns -1, 0 or 1.
pub fn sign(x: &BigInt) -> i32 {
    match x.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

compiled_here! { Stored::of }
