//! Small generator with a fixed seed, and random rotations and sizes from it.

use nalgebra::Vector3;

use super::plain_box::{V, norm, times};

#[path = "../../src/num/split_mix.rs"]
mod split_mix;

pub use split_mix::SplitMix64 as Random;

impl Random {
    /// Number in `0..1`.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// Draws `10^x` for a uniform `x` between the two.
    pub fn decade(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.between(low, high))
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

    /// Coordinates in `-reach..reach`.
    pub fn vector(&mut self, reach: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.between(-reach, reach))
    }

    pub fn direction(&mut self) -> V {
        loop {
            let v: V = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let length = norm(v);
            if length > 0.1 && length < 1.0 {
                return times(v, 1.0 / length);
            }
        }
    }

    /// Draws the columns of a uniform rotation.
    pub fn rotation(&mut self) -> [V; 3] {
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.1 && length < 1.0 {
                return columns(q.map(|x| x / length));
            }
        }
    }

    /// Draws the columns of a rotation by `angle` about a random axis.
    pub fn turn(&mut self, angle: f64) -> [V; 3] {
        about(self.direction(), angle)
    }

    /// Draws one of the 24 rotations that map the coordinate axes on each other.
    pub fn quarter(&mut self) -> [V; 3] {
        let order =
            [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]][self.below(6)];
        let mut columns = [[0.0; 3]; 3];
        for (column, &axis) in columns.iter_mut().zip(&order) {
            column[axis] = self.sign();
        }
        let hand =
            super::plain_box::inner(super::plain_box::outer(columns[0], columns[1]), columns[2]);
        columns[2] = times(columns[2], hand);
        columns
    }
}

/// Returns the columns of the rotation by `angle` about the unit `axis`.
pub fn about(axis: V, angle: f64) -> [V; 3] {
    let (sine, cosine) = (angle / 2.0).sin_cos();
    columns([axis[0] * sine, axis[1] * sine, axis[2] * sine, cosine])
}

fn columns([x, y, z, w]: [f64; 4]) -> [V; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// Computes `m * v` for columns `m`.
pub fn apply(m: &[V; 3], v: V) -> V {
    std::array::from_fn(|i| m[0][i] * v[0] + m[1][i] * v[1] + m[2][i] * v[2])
}

/// Computes `a * b`.
pub fn compose(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
    [apply(a, b[0]), apply(a, b[1]), apply(a, b[2])]
}
