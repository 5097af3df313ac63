//! Ellipsoid of directions that shrinks to the direction along which two bodies are farthest apart.
//!
//! The separation of two convex bodies along a vector `n`, the least product `h(n)` of `n` and a
//! point of their difference, is a concave function of `n`; its maximum over `|n| <= 1` is their
//! distance. The support point `p` along the centre of the ellipsoid excludes a half-space of
//! vectors: those with `n.p` less than the best value so far. The smallest ellipsoid around the
//! rest has at most 27/32 of the volume. Source: Grötschel, Lovász, Schrijver, Geometric Algorithms
//! and Combinatorial Optimization (1988), 3.1 and 3.2, with deep cuts.
//!
//! # Number of cuts
//! Let `n*` be the best vector, `d = h(n*)` the distance, and `s` a size such that no point of the
//! difference is farther than the root of three times `s`. All vectors `(1 - t) n* + t m` with `|m|
//! <= 1` have `h >= d - 4 t s`, and fill `t^3` of the ball. For `t = 2^-45` that is more than
//! `(27/32)^552`: after so many cuts one of them was cut off, so the best value found is at least
//! `d - 2^-43 s`.
//!
//! Numbers have 106 bits, and every ellipsoid is enlarged by [`ELLIPSOID_PAD`], which covers their
//! rounding. An axis shorter than `2^-45` is not cut, so `2^-100` of the ball is `2^-53` of any
//! axis.

use super::double_double::{DoubleDouble, DoubledVec, doubled, inner, minus, plus, rounded, times};
use crate::num::linear::{IDENTITY, Vec3, length, scale};

/// Limit of the cuts: the proven number, and a few for [`ELLIPSOID_PAD`].
pub(super) const MAX_CUTS: usize = 560;

/// Relative growth of each ellipsoid beyond the smallest one.
const ELLIPSOID_PAD: f64 = 1.0 / (1u64 << 40) as f64;

/// Vectors `c + B x` with `|x| <= 1`.
pub(super) struct DirectionEllipsoid {
    center: DoubledVec,
    columns: [DoubledVec; 3],
}

impl DirectionEllipsoid {
    /// Returns the unit ball.
    pub fn ball() -> Self {
        DirectionEllipsoid { center: doubled([0.0; 3]), columns: IDENTITY.map(doubled) }
    }

    /// Returns the centre, first moved into the unit ball by cuts.
    pub fn center(&mut self) -> Vec3 {
        for _ in 0..MAX_CUTS {
            let center = rounded(&self.center);
            let far = length(center);
            if far.is_nan() || far <= 1.0 {
                return center;
            }
            // No vector of the ball has a larger product with this direction than one.
            self.exclude_below(scale(center, -1.0 / far), -1.0);
        }
        rounded(&self.center)
    }

    /// Excludes the vectors whose product with `p` is less than `threshold`. Returns the greatest
    /// product before the cut.
    pub fn exclude_below(&mut self, p: Vec3, threshold: f64) -> f64 {
        let p = doubled(p);
        let along = [0, 1, 2].map(|i| inner(&self.columns[i], &p));
        let width = inner(&along, &along).rounded().sqrt();
        let middle = inner(&self.center, &p);
        let depth = (DoubleDouble::from(threshold) - middle).rounded() / width;
        let most = middle.rounded() + width;
        if depth.is_nan() || depth >= 1.0 {
            return most;
        }
        let depth = if depth > 0.0 { depth } else { 0.0 };
        let unit = times(&along, DoubleDouble::from(1.0) / width.into());
        let toward = [0, 1, 2].map(|i| times(&self.columns[i], unit[i]));
        let toward = plus(&plus(&toward[0], &toward[1]), &toward[2]);
        let share = (1.0 + 3.0 * depth) / (2.0 * (1.0 + depth));
        let shrunk = DoubleDouble::from(1.0 - (1.0 - share).sqrt());
        let grown = (1.125 * (1.0 - depth * depth)).sqrt() * (1.0 + ELLIPSOID_PAD);
        self.center = plus(&self.center, &times(&toward, (0.25 + 0.75 * depth).into()));
        for (column, along) in self.columns.iter_mut().zip(unit) {
            let less = times(&toward, shrunk * along);
            *column = times(&minus(column, &less), grown.into());
        }
        most
    }
}
