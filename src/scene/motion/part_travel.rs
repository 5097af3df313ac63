//! Bounds on how far a part gets within a tick, and how much nearer two parts get.
//!
//! Let `c` be how far the centre of a part's root box gets from before the tick to after it, and
//! `A` the largest acceleration of its points. A point at `y` from the centre gets by `c + (R - 1)
//! y`, with `R` the turn in between, and is at every time within `A / 8` of moving there at
//! constant speed. `|(R - 1) y|` is at most `2 r |q - p|`, with `r` half the diagonal of the box,
//! and `p` and `q` the rotations at both ends as unit quaternions of the nearer signs: they differ
//! by an angle `w` with `|q - p| = 2 sin(w / 4)`, and the turn moves `y` by `2 r sin(w / 2)`. So
//! no two points of two parts get nearer each other, or further apart, by more than
//!
//! ```text
//! |c_b - c_a| + s_a + s_b,    s = 2 r |q - p| + A / 8
//! ```

use crate::motion::{RigidMotion, rotated};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, length, sub};
use crate::tree::ObbTree;

/// Travel of the points of a part within a tick.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PartTravel {
    /// Centre of the root box before the tick. [world frame]
    center: Vec3,
    /// Way of the centre. [world frame]
    shift: Vec3,
    /// Radius of the root box. [world units]
    radius: f64,
    /// Largest way of a point. [world units]
    way: f64,
    /// Largest distance of the way of a point from that of the centre, with the rounding of the
    /// latter. [world units]
    spread: f64,
    /// Largest distance of a point from moving at constant speed. [world units]
    pub growth: f64,
}

impl PartTravel {
    /// Computes the travel of a part between two poses, with the [chord](rotation_chord) of its
    /// turn; `growth` bounds how far a point gets from moving at constant speed.
    pub fn new<T: Scalar>(
        tree: &ObbTree<T>,
        ends: &[RigidMotion; 2],
        (chord, growth): (f64, f64),
    ) -> Self {
        let (center, half) = tree.root_box();
        let [from, to] = ends;
        let [center, end] = [from, to].map(|end| add(end.position, rotated(end.rotation, center)));
        // Boxes contain the geometry up to rounding.
        let pad = 4.0 * T::LEAF_SLACK * tree.wide_radius_about_origin();
        let radius = length(half) * (1.0 + 1e-6) + pad;
        let rounding = 1e-12 * (length(center) + length(end));
        let shift = sub(end, center);
        let spread = 2.0 * radius * chord * (1.0 + 1e-6) + growth + rounding;
        let way = length(shift) * (1.0 + 2e-6) + spread;
        PartTravel { center, shift, radius, way, spread, growth }
    }

    /// Returns an upper bound on the [approach](Self::approach), which costs less.
    #[inline]
    pub fn ways(&self, other: &Self) -> f64 {
        self.way + other.way
    }

    /// Returns an upper bound on how much nearer two points of two parts get. [world units]
    #[inline]
    pub fn approach(&self, other: &Self) -> f64 {
        length(sub(other.shift, self.shift)) * (1.0 + 1e-6) + (self.spread + other.spread)
    }

    /// Returns `true` if the balls around both roots are further apart than a distance.
    #[inline]
    pub fn is_far(&self, other: &Self, distance: f64) -> bool {
        let between = sub(other.center, self.center);
        let reach = (self.radius + other.radius + distance) * (1.0 + 1e-6);
        dot(between, between) > reach * reach
    }
}
