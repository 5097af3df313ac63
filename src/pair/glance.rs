//! Many pairs of oriented boxes at a glance: what single precision can tell for certain.
//!
//! The 15 axes of [`axes`](super::axes), for as many pairs at once as the machine has lanes. The verdict is that of the test
//! in double precision wherever there is one; close calls are left to it, so no answer depends on what runs here.
//!
//! # What is certain
//! Let `u = 2^-24` and `s = |a| + |b|`, lengths of the half diagonals. Axes and `t` are rounded to single precision: an entry of `R` is off
//! by at most `5 u` (`2 u` from the axes, `3 u` from the sum), a component of `t` by `5 u |t|`. The excess of an axis is distance less reach.
//! A face axis is off by at most `5 u |t|` in its distance, `8.7 u s + 4 u s` in its reach. An edge axis of sine `k` is off by
//! `7.1 u |t| + 9.1 u |t| k` and `7.1 u s + 4 u s k`.
//!
//! *Apart*: an excess above [`APART`] `(|t| + s + pads)`, `|x|` taken as the sum of the coordinates: far more than that error and the
//! slack of the test together.
//! *Touching*: no excess above zero, the half extents of the first made less by [`EDGE`] of the sizes for the edge axes, which takes at least
//! `4 u s k` off their reach. Then no face axis tells the boxes apart, so `|t| <= 1.4 s` and the true excess is at most `20 u s` on face axes, `17 u s + 13 u s k` on edge
//! axes: under [`LEAF_SLACK_F32`](crate::num::tolerance::LEAF_SLACK_F32) `= 32 u` of `s`, which the test in double precision allows. That
//! edges are parallel is thus no close call. Boxes stored in double precision, whose slack is smaller, have to overlap by
//! [`DEEP`] of their sizes instead.

use crate::num::Scalar;
use crate::num::lanes::{Kernel, Lanes, Level};
use crate::num::linear::{Mat3, Vec3, sub};

/// How many pairs are looked at together.
pub(crate) const BATCH: usize = 64;

/// The excess that tells boxes apart, as a share of their sizes and distance: `128 u`.
const APART: f32 = 1.0 / (1 << 17) as f32;

/// What edge axes have to overlap more, as a share of the sizes: `4 u`.
const EDGE: f32 = 1.0 / (1 << 22) as f32;

/// The overlap that tells that boxes of double precision touch, as a share of their sizes: `128 u`.
const DEEP: f32 = 1.0 / (1 << 17) as f32;

/// Boxes smaller than this are not looked at: their products underflow. Units.
const LEAST: f64 = 1e-25;

/// A box in the world as a glance takes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quick {
    center: Vec3,
    /// Column after column.
    axes: [[f32; 3]; 3],
    half: [f32; 3],
    /// The sum of the half extents and what else the slack depends on; NaN where nothing can be told.
    size: f32,
}

impl Quick {
    /// `share`: what the slack of the test depends on beside the half extents. `far`: how far from the world's origin it
    /// all is, as that is what `center` is rounded by. Units.
    #[inline]
    pub fn new(center: Vec3, axes: &Mat3, half: Vec3, [share, far]: [f64; 2]) -> Self {
        let size = half[0] + half[1] + half[2];
        let tells = size >= LEAST && size >= far * SMALL;
        let size = if tells { size + share } else { f64::NAN };
        Quick {
            center,
            axes: axes.map(|axis| axis.map(|x| x as f32)),
            half: half.map(|h| h as f32),
            size: size as f32,
        }
    }
}

/// Boxes smaller than this share of their distance from the origin are not looked at: 2^-24, so that the rounding
/// of centres, some `2^-52` of the distance, is nothing beside the rest.
const SMALL: f64 = 1.0 / (1u64 << 24) as f64;

/// Row by row: the offset, the axes and half extents of the first, those of the second, the sizes.
const ROWS: usize = 28;

/// Pairs waiting to be looked at.
#[derive(Debug, Clone)]
pub(crate) struct Glances {
    rows: [[f32; BATCH]; ROWS],
    len: usize,
}

/// A bit for each pair, the first lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Seen {
    pub apart: u64,
    /// No bit is in both.
    pub touching: u64,
}

impl Default for Glances {
    fn default() -> Self {
        Glances { rows: [[0.0; BATCH]; ROWS], len: 0 }
    }
}

impl Glances {
    pub fn len(&self) -> usize {
        self.len
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
        let at = self.len;
        let offset = sub(b.center, a.center);
        let mut put = |row: usize, values: &[f32; 3]| {
            for (i, value) in values.iter().enumerate() {
                self.rows[row + i][at] = *value;
            }
        };
        put(0, &offset.map(|x| x as f32));
        for i in 0..3 {
            put(3 + 3 * i, &a.axes[i]);
            put(12 + 3 * i, &b.axes[i]);
        }
        put(21, &a.half);
        put(24, &b.half);
        self.rows[27][at] = a.size + b.size;
        self.len += 1;
    }

    /// Looks at all pairs there are, of boxes stored in `T`.
    pub fn look<T: Scalar>(&self, level: Level) -> Seen {
        let deep = if T::ROUNDING < f64::from(f32::EPSILON) / 4.0 { DEEP } else { 0.0 };
        level.run(Look { glances: self, deep })
    }
}

struct Look<'a> {
    glances: &'a Glances,
    deep: f32,
}

impl Kernel for Look<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) -> Seen {
        let mut seen = Seen::default();
        let mut first = 0;
        while first < self.glances.len {
            let (apart, touching) = look::<L>(token, &self.glances.rows, first, self.deep);
            seen.apart |= u64::from(apart) << first;
            seen.touching |= u64::from(touching) << first;
            first += L::LEN;
        }
        let filled = if self.glances.len == 0 { 0 } else { u64::MAX >> (BATCH - self.glances.len) };
        Seen { apart: seen.apart & filled, touching: seen.touching & filled }
    }
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 3], b: [L; 3]) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The pairs from `first` on, as many as there are lanes.
#[inline(always)]
fn look<L: Lanes>(
    token: L::Token,
    rows: &[[f32; BATCH]; ROWS],
    first: usize,
    deep: f32,
) -> (u32, u32) {
    let row = |row: usize| L::load(token, &rows[row][first..]);
    let vector = |from: usize| [row(from), row(from + 1), row(from + 2)];
    let (t, a, b, size) = (vector(0), vector(21), vector(24), row(27));
    let axes_a = [vector(3), vector(6), vector(9)];
    let axes_b = [vector(12), vector(15), vector(18)];
    let far = L::splat(token, APART) * (size + (t[0].abs() + t[1].abs() + t[2].abs()));
    let along_b = [dot(axes_b[0], t), dot(axes_b[1], t), dot(axes_b[2], t)];
    let t = [dot(axes_a[0], t), dot(axes_a[1], t), dot(axes_a[2], t)];
    // r[i][j]: axis i of the first along axis j of the second.
    let r = axes_a.map(|x| [dot(x, axes_b[0]), dot(x, axes_b[1]), dot(x, axes_b[2])]);
    let abs = r.map(|x| [x[0].abs(), x[1].abs(), x[2].abs()]);
    let mut most = t[0].abs() - (a[0] + dot(abs[0], b));
    for i in 1..3 {
        most = most.larger(t[i].abs() - (a[i] + dot(abs[i], b)));
    }
    for j in 0..3 {
        let reach = b[j] + dot(a, [abs[0][j], abs[1][j], abs[2][j]]);
        most = most.larger(along_b[j].abs() - reach);
    }
    let apart = L::bits(most.above(far));
    if apart.count_ones() == L::LEN as u32 {
        return (apart, 0);
    }
    let less = L::splat(token, EDGE) * size;
    let a = a.map(|a| a - less);
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let distance = t[i2] * r[i1][j] - t[i1] * r[i2][j];
            let reach_a = a[i1] * abs[i2][j] + a[i2] * abs[i1][j];
            let reach_b = b[j1] * abs[i][j2] + b[j2] * abs[i][j1];
            most = most.larger(distance.abs() - (reach_a + reach_b));
        }
    }
    // NaN in the size is in neither; NaN elsewhere may be lost in `larger`, but comes with one there.
    let touching = most.within(L::splat(token, -deep) * size);
    let told = touching & size.within(L::splat(token, f32::MAX));
    (L::bits(most.above(far)), L::bits(told))
}
