//! Oriented boxes at a glance, many pairs or one: what single precision can tell for certain.
//!
//! The 15 axes of [`axes`](super::axes), for as many pairs at once as the machine has lanes. The
//! verdict is that of the test in double precision wherever there is one; close calls are left to
//! it, so no answer depends on what runs here.
//!
//! # What is certain
//! Let `u = 2^-24` and `s = |a| + |b|`, lengths of the half diagonals. Axes and `t` are rounded to
//! single precision: an entry of `R` is off by at most `5 u` (`2 u` from the axes, `3 u` from the
//! sum), a component of `t` by `5 u |t|`. The excess of an axis is distance less reach. A face axis
//! is off by at most `18 u |t|` in its distance - that of the second's is a product of both -, and
//! `8.7 u s + 4 u s` in its reach. An edge axis of sine `k` is off by `7.1 u |t| + 9.1 u |t| k` and
//! `7.1 u s + 4 u s k`. Stored axes are not quite at right angles, so that it matters from which
//! box it is all seen, and the test may see it from the other: `3.5 u |t|` more on faces,
//! `3.5 u |t| (1 + k)` on edges.
//!
//! *Apart*: an excess above [`APART`] `(|t| + s + pads)`, `|x|` taken as the sum of the
//! coordinates: far more than that error, what [`SPARE`] adds, and the slack of the test together.
//! *Touching*: no excess above zero, the half extents of the first made less by [`SPARE`] of the
//! sizes, which takes at least `16 u s` off the reach of a face axis and `16 u s k` off that of an
//! edge axis. Then no face axis tells the boxes apart, so `|t| <= 1.4 s` and the true excess is at
//! most `27 u s` on face axes, `22 u s + 6 u s k` on edge axes: under
//! [`LEAF_SLACK_F32`](crate::num::tolerance::LEAF_SLACK_F32) `= 32 u` of `s`, which the test in
//! double precision allows. That edges are parallel is thus no close call. Boxes stored in double
//! precision, whose slack is smaller, have to overlap by [`DEEP`] of their sizes instead.
//!
//! # What is certain of boxes placed in single precision
//! Axes are off by at most `31 u` (see [`rotation`](crate::num::vectors::rotation)), so an entry of
//! `R` by `65 u`. The offset is that of the parts' origins, rounded once, and what the centres add,
//! each off by less than `64 u` of its distance from the part's origin: together less than the
//! *doubt*, [`ABOUT`] and [`AWAY`] of these. A face axis is then off by at most `34 u |t| + doubt`
//! in its distance and `69 u s` in its reach, an edge axis by `210 u |t| + 1.5 doubt` and `70 u s`.
//!
//! *Apart*: an excess above [`ROUGH`] `(|t| + s + pads)`, that is `512 u`, and six times the doubt:
//! more than that, the slack of the test, and what making the first less adds, together.
//! *Touching*: with the first made less by twice the doubt, which takes that much off the reach of
//! a face axis and that times the sine off an edge axis, all overlap by `ROUGH` of the sizes; no
//! face axis tells the boxes apart, so `|t| <= 1.5 s`, and what else is off is less than `400 u s`.
//! What stands all but parallel is a close call here, and looked at again as above.

mod look;
#[cfg(feature = "simd")]
mod single;

use look::{Look, Margins};
#[cfg(feature = "simd")]
pub(crate) use single::touch;

use crate::num::linear::{Mat3, Vec3, sub};
use crate::num::vectors::Record;
use crate::num::{Scalar, SimdLevel};
use crate::shape::Pose;

/// Without lanes single precision is no faster.
#[cfg(not(feature = "simd"))]
pub(crate) fn touch<T: Scalar>(_: &crate::shape::Obb<T>, _: &crate::shape::Obb<T>) -> Option<bool> {
    None
}

/// How many pairs are looked at together.
pub(crate) const BATCH: usize = 64;

/// The excess that tells boxes apart, as a share of their sizes and distance: `128 u`.
const APART: f32 = 1.0 / (1 << 17) as f32;

/// What boxes have to overlap more to be told to touch, as a share of the sizes: `16 u`, times the
/// sine on edge axes.
const SPARE: f32 = 1.0 / (1 << 20) as f32;

/// The overlap that tells that boxes of double precision touch, as a share of their sizes: `128 u`.
const DEEP: f32 = 1.0 / (1 << 17) as f32;

/// What tells boxes placed in single precision apart, and that they touch: `512 u`.
const ROUGH: f32 = 1.0 / (1 << 15) as f32;

/// What the doubt has of how far the centres are from their parts' origins: `80 u`.
const ABOUT: f32 = 40.0 * f32::EPSILON;

/// What it has of how far those are from each other: `8 u`.
const AWAY: f32 = 4.0 * f32::EPSILON;

/// Boxes smaller than this are not looked at: their products underflow. Units.
const LEAST: f64 = 1e-25;

/// Boxes smaller than this share of their distance from the origin are not looked at: 2^-24, so
/// that the rounding of centres, some `2^-52` of the distance, is nothing beside the rest.
const SMALL: f64 = 1.0 / (1u64 << 24) as f64;

/// Where in a record what begins: the axes, one after another; the half extents; the size. The
/// first three numbers are the centre's.
const AXES: usize = 3;
const HALF: usize = 12;
/// The sum of the half extents and what else the slack depends on; NaN or infinite where nothing
/// can be told.
const SIZE: usize = 15;

/// A box in the world as a glance takes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quick {
    center: Vec3,
    /// Without the centre.
    record: Record,
}

impl Quick {
    /// `share`: what the slack of the test depends on beside the half extents. `far`: how far from
    /// the world's origin it all is, as that is what `center` is rounded by. Units.
    #[inline]
    pub fn new(center: Vec3, axes: &Mat3, half: Vec3, [share, far]: [f64; 2]) -> Self {
        let size = half[0] + half[1] + half[2];
        let tells = size >= LEAST && size >= far * SMALL;
        let size = if tells { size + share } else { f64::NAN };
        let [x, y, z] = axes;
        let numbers = [[0.0; 3], *x, *y, *z, half];
        let mut record = [size as f32; 16];
        for (place, number) in record.iter_mut().zip(numbers.as_flattened()) {
            *place = *number as f32;
        }
        Quick { center, record }
    }
}

/// A box along the frame of its part as a glance takes it, in single precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Upright(Record);

/// Where in the record of a posed box what begins.
const TURN: usize = 4;
const CENTER: usize = 8;

impl Upright {
    /// What a glance tells nothing of.
    pub const NONE: Self = Upright([f32::INFINITY; 16]);

    /// `size`: the sum of the half extents and what else the slack depends on; infinite where
    /// nothing can be told.
    pub fn new([c, d, e]: [f32; 3], [i, j, k]: [f32; 3], size: f32) -> Self {
        Upright([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, c, d, e, 0.0, i, j, k, size])
    }
}

/// An upright box, and where its part is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posed<'a, T: Scalar> {
    pub upright: &'a Upright,
    pub pose: &'a Pose<T>,
}

impl<T: Scalar> Posed<'_, T> {
    #[inline]
    fn put(&self, record: &mut Record) {
        let q = &self.pose.rotation.coords;
        *record = self.upright.0;
        record[TURN..TURN + 4].copy_from_slice(&[q.x, q.y, q.z, q.w].map(|x| x.wide() as f32));
    }

    #[inline]
    fn position(&self) -> Vec3 {
        let p = &self.pose.translation.vector;
        [p.x.wide(), p.y.wide(), p.z.wide()]
    }
}

/// Pairs waiting to be looked at.
#[derive(Debug, Clone)]
pub(crate) struct Glances {
    /// The first boxes; first of all the offset to the second, or to its part.
    first: [Record; BATCH],
    second: [Record; BATCH],
    len: usize,
}

/// A bit for each pair, the first lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Seen {
    pub apart: u64,
    /// No bit is in both.
    pub touching: u64,
}

impl Seen {
    /// From the first so many bits to those that are set in `of`.
    pub fn spread(self, of: u64) -> Self {
        let (mut left, mut from, mut spread) = (of, 0, Seen::default());
        while left != 0 {
            let to = left.trailing_zeros();
            spread.apart |= (self.apart >> from & 1) << to;
            spread.touching |= (self.touching >> from & 1) << to;
            (left, from) = (left & (left - 1), from + 1);
        }
        spread
    }

    pub fn or(self, other: Self) -> Self {
        Seen { apart: self.apart | other.apart, touching: self.touching | other.touching }
    }
}

impl Default for Glances {
    fn default() -> Self {
        Glances { first: [[0.0; 16]; BATCH], second: [[0.0; 16]; BATCH], len: 0 }
    }
}

impl Glances {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no room for more.
    pub fn is_full(&self) -> bool {
        self.len == BATCH
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a pair.
    ///
    /// # Panics
    /// If there are [`BATCH`] already.
    #[inline]
    pub fn push(&mut self, a: &Quick, b: &Quick) {
        let (first, second) = (&mut self.first[self.len], &mut self.second[self.len]);
        (*first, *second) = (a.record, b.record);
        first[..3].copy_from_slice(&sub(b.center, a.center).map(|x| x as f32));
        self.len += 1;
    }

    /// Adds a pair of boxes along the frames of their parts.
    ///
    /// # Panics
    /// As [`Glances::push`].
    #[inline]
    pub fn push_posed<T: Scalar>(&mut self, a: &Posed<'_, T>, b: &Posed<'_, T>) {
        let (first, second) = (&mut self.first[self.len], &mut self.second[self.len]);
        a.put(first);
        b.put(second);
        first[..3].copy_from_slice(&sub(b.position(), a.position()).map(|x| x as f32));
        self.len += 1;
    }

    /// Looks at all pairs there are, of boxes stored in `T` and placed in double precision, and
    /// forgets them.
    pub fn look<T: Scalar>(&mut self, level: SimdLevel) -> Seen {
        let deep = if T::IS_SINGLE { 0.0 } else { DEEP };
        let margins = Margins { apart: APART, spare: SPARE, deep };
        self.seen(level, margins, false)
    }

    /// Looks at all pairs there are, of posed boxes, and forgets them.
    pub fn look_posed(&mut self, level: SimdLevel) -> Seen {
        let margins = Margins { apart: ROUGH, spare: 0.0, deep: ROUGH };
        self.seen(level, margins, true)
    }

    fn seen(&mut self, level: SimdLevel, margins: Margins, posed: bool) -> Seen {
        let seen = level.run(Look { glances: self, margins, posed });
        self.clear();
        seen
    }
}
