//! Bounds on how far a part gets within a tick, and how much nearer two parts get.
//!
//! Let `c` be how far the centre of a part's root box gets from before the tick to after it, and
//! `A` the largest acceleration of its points. A point at `y` from the centre gets by `c + (R - 1)
//! y`, with `R` the turn in between, and is at every time within `A / 8` of moving there at
//! constant speed. `|(R - 1) y|` is at most `2 r |q - p|`, with `r` half the diagonal of the box,
//! and `p` and `q` the rotations at both ends as unit quaternions of the nearer signs: they differ
//! by an angle `w` with `|q - p| = 2 sin(w / 4)`, and the chord of the turn is `2 r sin(w / 2)`. So
//! no two points of two parts get nearer each other, or further apart, by more than
//!
//! ```text
//! |c_b - c_a| + s_a + s_b,    s = 2 r |q - p| + A / 8
//! ```

use crate::broad_phase::MAX_F32_DISTANCE;
use crate::motion::{RigidMotion, rotated};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, length, sub};
use crate::shape::{Pose, wide_point};
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
    /// Largest distance of the way of a point from that of the centre. [world units]
    spread: f64,
}

impl PartTravel {
    /// Computes the travel of a part between two poses; `growth` bounds how far a point gets from
    /// moving at constant speed.
    pub fn new<T: Scalar>(tree: &ObbTree<T>, ends: &[RigidMotion; 2], growth: f64) -> Self {
        let (center, half) = tree.root_box();
        let [from, to] = ends;
        let [center, end] = [from, to].map(|end| add(end.position, rotated(end.rotation, center)));
        let squares = [1.0, -1.0].map(|sign| {
            let [x, y, z, w] = [0, 1, 2, 3].map(|i| to.rotation[i] - sign * from.rotation[i]);
            (x * x + y * y) + (z * z + w * w)
        });
        let turn = squares[0].min(squares[1]).sqrt();
        // Boxes contain the geometry up to rounding.
        let pad = 4.0 * T::LEAF_SLACK * tree.wide_radius_about_origin();
        let radius = length(half) * (1.0 + 1e-6) + pad;
        PartTravel {
            center,
            shift: sub(end, center),
            radius,
            spread: 2.0 * radius * turn * (1.0 + 1e-6) + growth,
        }
    }

    /// Returns an upper bound on how much nearer two points of two parts get. [world units]
    pub fn approach(&self, other: &Self) -> f64 {
        let between = length(sub(other.shift, self.shift));
        // Rounding of the places of both centres.
        let error = 1e-12 * (length(self.center) + length(other.center) + between);
        between * (1.0 + 1e-6) + (self.spread + other.spread) + error
    }

    /// Returns `true` if the balls around both roots are further apart than a distance.
    pub fn is_far(&self, other: &Self, distance: f64) -> bool {
        let between = sub(other.center, self.center);
        let reach = (self.radius + other.radius + distance) * (1.0 + 1e-6);
        dot(between, between) > reach * reach
    }
}

/// Returns `true` if the root of a part is placed in single precision without overflow.
pub(super) fn is_in_range<T: Scalar>(pose: &Pose<T>, radius: f64) -> bool {
    let [x, y, z] = wide_point(pose.translation.vector.into());
    x.abs() + y.abs() + z.abs() + 2.0 * radius <= MAX_F32_DISTANCE
}
