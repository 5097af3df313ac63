//! Points of two posed parts: rounded, and as integers over one denominator.
//!
//! A pose rotates by `q / |q|`, whose matrix is a fraction of sums of products: over `|q_A|^2
//! |q_B|^2` and a power of two the world coordinates of every stored point are integers.

use boxwood::num::Scalar;
use boxwood::shape::Pose;
use num_bigint::BigInt;

use crate::exact_boxes::{range, whole};
use crate::plain_box::{PlainBox, V, inner, minus, outer, plus, times};

/// Corner of a primitive, in its part's frame.
#[derive(Clone, Copy, Debug)]
pub enum Corner {
    Point(V),
    /// Corner of a box, by bits that choose the end of each axis.
    OfBox(PlainBox, usize),
}

impl Corner {
    pub fn local(&self) -> V {
        match self {
            Corner::Point(p) => *p,
            Corner::OfBox(block, bits) => block.corner(*bits, [0.0; 3]),
        }
    }

    fn lowest_bit(&self) -> i32 {
        match self {
            Corner::Point(p) => range(p.iter()).0,
            Corner::OfBox(b, _) => {
                let steps = range(b.axes.iter().flatten()).0 + range(b.half.iter()).0;
                range(b.center.iter()).0.min(steps)
            }
        }
    }

    /// Returns the coordinates times `2^-low`.
    fn whole(&self, low: i32) -> [BigInt; 3] {
        match self {
            Corner::Point(p) => p.map(|x| whole(x, low)),
            Corner::OfBox(b, bits) => {
                let scale = range(b.axes.iter().flatten()).0;
                std::array::from_fn(|i| {
                    (0..3).fold(whole::<BigInt>(b.center[i], low), |sum, k| {
                        let axis = whole::<BigInt>(b.axes[k][i], scale);
                        let step = axis * whole::<BigInt>(b.half[k], low - scale);
                        if bits >> k & 1 == 1 { sum + step } else { sum - step }
                    })
                })
            }
        }
    }
}

/// Pose as stored.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Quaternion x, y, z, w.
    q: [f64; 4],
    p: V,
}

impl Place {
    pub fn of<T: Scalar>(pose: &Pose<T>) -> Self {
        let (q, p) = (pose.rotation.coords, pose.translation.vector);
        Place { q: [q.x, q.y, q.z, q.w].map(T::wide), p: [p.x, p.y, p.z].map(T::wide) }
    }

    /// Computes `v + 2 u x (u x v + w v) / |q|^2`.
    fn turned(&self, v: V) -> V {
        let [x, y, z, w] = self.q;
        let square = self.q.iter().map(|c| c * c).sum::<f64>();
        let inner = plus(outer([x, y, z], v), times(v, w));
        plus(v, times(outer([x, y, z], inner), 2.0 / square))
    }

    pub fn moved(&self, v: V) -> V {
        plus(self.turned(v), self.p)
    }
}

/// Two poses.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub a: Place,
    pub b: Place,
}

impl Placed {
    pub fn of<T: Scalar>(a: &Pose<T>, b: &Pose<T>) -> Self {
        Placed { a: Place::of(a), b: Place::of(b) }
    }

    /// Returns the vector from a point of the second part to one of the first, and the error bound
    /// of a coordinate [world].
    pub fn difference(&self, a: &Corner, b: &Corner) -> (V, f64) {
        let (x, y) = (self.a.turned(a.local()), self.b.turned(b.local()));
        let between = minus(self.a.p, self.b.p);
        let size = [x, y, between].iter().map(|v| inner(*v, *v).sqrt()).sum::<f64>();
        (plus(minus(x, y), between), 1e-14 * size)
    }

    /// Returns the same points without rounding, all in one unknown unit: those of the first part,
    /// those of the second.
    pub fn whole(&self, a: &[Corner], b: &[Corner]) -> (Vec<[BigInt; 3]>, Vec<[BigInt; 3]>) {
        let turn = range(self.a.q.iter().chain(&self.b.q)).0;
        let corners = a.iter().chain(b).map(Corner::lowest_bit);
        let low = corners.chain([range(self.a.p.iter().chain(&self.b.p)).0]).min().unwrap_or(0);
        let all = |place: &Place, corners: &[Corner], other: &Place| -> Vec<[BigInt; 3]> {
            let square = other.square(turn);
            let moved = corners.iter().map(|c| place.whole(c.whole(low), (turn, low)));
            moved.map(|point| point.map(|x| x * &square)).collect()
        };
        (all(&self.a, a, &self.b), all(&self.b, b, &self.a))
    }
}

impl Place {
    fn square(&self, turn: i32) -> BigInt {
        self.q.iter().map(|&c| whole::<BigInt>(c, turn)).map(|c| &c * &c).sum()
    }

    /// Computes `|q|^2 (R v + p)`, by the conjugation `q v q*`.
    fn whole(&self, v: [BigInt; 3], (turn, low): (i32, i32)) -> [BigInt; 3] {
        let [x, y, z, w] = self.q.map(|c| whole::<BigInt>(c, turn));
        let square = self.square(turn);
        let u = [x, y, z];
        let around = dot(&u, &v);
        let length = dot(&u, &u);
        let crossed = cross(&u, &v);
        // (w^2 - u.u) v + 2 (u.v) u + 2 w (u x v), and |q|^2 p.
        std::array::from_fn(|i| {
            let turned = (&w * &w - &length) * &v[i]
                + (&around * &u[i] + &w * &crossed[i]) * BigInt::from(2);
            turned + whole::<BigInt>(self.p[i], low) * &square
        })
    }
}

pub fn dot(a: &[BigInt; 3], b: &[BigInt; 3]) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub fn cross(a: &[BigInt; 3], b: &[BigInt; 3]) -> [BigInt; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

pub fn difference(a: &[BigInt; 3], b: &[BigInt; 3]) -> [BigInt; 3] {
    std::array::from_fn(|i| &a[i] - &b[i])
}

compiled_here! { Place::of, Placed::of }
