//! Generator with a fixed seed, and values computed by `+ - * / sqrt` only: the same bits on every
//! machine.

use boxwood::nalgebra::{
    Isometry3, Matrix3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3,
};
use boxwood::num::Scalar;

pub type V = [f64; 3];

/// Quaternion x, y, z, w.
pub type Turn = [f64; 4];

pub const NO_TURN: Turn = [0.0, 0.0, 0.0, 1.0];

#[path = "../../src/num/split_mix.rs"]
mod split_mix;

pub use split_mix::SplitMix64 as Random;

impl Random {
    /// Creates a generator with a seed that includes the name.
    pub fn named(name: &str, seed: u64) -> Self {
        Random(name.bytes().fold(seed, |seed, byte| seed.wrapping_mul(131) + u64::from(byte)))
    }

    /// Draws a number in `0..1`.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    pub fn chance(&mut self, share: f64) -> bool {
        self.share() < share
    }

    pub fn sign(&mut self) -> f64 {
        if self.chance(0.5) { 1.0 } else { -1.0 }
    }

    /// Draws an integer from `-reach` to `reach`.
    pub fn whole(&mut self, reach: usize) -> f64 {
        self.below(2 * reach + 1) as f64 - reach as f64
    }

    pub fn inside(&mut self, half: f64) -> V {
        std::array::from_fn(|_| self.between(-half, half))
    }

    /// Draws a unit vector.
    pub fn direction(&mut self) -> V {
        loop {
            let v = self.inside(1.0);
            let square = dot(v, v);
            if square > 0.01 && square < 1.0 {
                return times(v, 1.0 / square.sqrt());
            }
        }
    }

    /// Draws any rotation.
    pub fn turn(&mut self) -> Turn {
        loop {
            let q: Turn = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let square: f64 = q.iter().map(|x| x * x).sum();
            if square > 0.01 && square < 1.0 {
                return q.map(|x| x / square.sqrt());
            }
        }
    }

    /// Draws a rotation by at most about `2 * most` radians.
    pub fn small_turn(&mut self, most: f64) -> Turn {
        let [x, y, z] = self.inside(most);
        unit([x, y, z, 1.0])
    }

    /// Draws a rotation that maps the axes on each other, computed without rounding.
    pub fn quarter(&mut self) -> Turn {
        if self.chance(0.5) {
            return [0.5; 4].map(|x| x * self.sign());
        }
        let mut q = [0.0; 4];
        q[self.below(4)] = 1.0;
        q
    }
}

pub fn plus(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn times(a: V, by: f64) -> V {
    a.map(|x| x * by)
}

pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn unit(q: Turn) -> Turn {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

/// Composes two rotations: first `b`, then `a`.
pub fn compose(a: Turn, b: Turn) -> Turn {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    unit([
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ])
}

/// Returns the columns of the matrix.
pub fn columns([x, y, z, w]: Turn) -> [V; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

pub fn turned(q: Turn, v: V) -> V {
    let [a, b, c] = columns(q);
    plus(plus(times(a, v[0]), times(b, v[1])), times(c, v[2]))
}

pub fn vector<T: Scalar>(v: V) -> Vector3<T> {
    Vector3::new(T::nearest(v[0]), T::nearest(v[1]), T::nearest(v[2]))
}

pub fn point<T: Scalar>(v: V) -> Point3<T> {
    Point3::from(vector(v))
}

pub fn matrix<T: Scalar>(q: Turn) -> Matrix3<T> {
    Matrix3::from_columns(&columns(q).map(vector))
}

pub fn pose<T: Scalar>(q: Turn, at: V) -> Isometry3<T> {
    let [x, y, z, w] = q.map(T::nearest);
    let turn = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
    Isometry3::from_parts(Translation3::from(vector(at)), turn)
}
