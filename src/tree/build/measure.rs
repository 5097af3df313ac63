//! Extents and moments of the corners of many primitives, several primitives at a time.

use super::primitives::{PrimitiveSlice, centroid};
use crate::fit::{AxisBounds, BoxFrame, Covariance, Moments};
use crate::num::Scalar;
use crate::num::linear::{Vec3, splat};
use crate::num::simd::Doubles;
use crate::num::vectors::transpose_lanes;

/// Largest number of primitives sampled for the moments of a node. More: axes a little better near
/// the root, in proportion to the time.
const MAX_SAMPLES: usize = 1024;

/// Returns the extents of the corners of at least [`Doubles::LEN`] primitives along the axes of a
/// frame, or of the part.
#[inline(always)]
pub(super) fn ends<D: Doubles, S: Scalar, const N: usize>(
    token: D::Token,
    slice: &PrimitiveSlice<'_, S, N>,
    frame: Option<&BoxFrame>,
) -> AxisBounds {
    let lanes = frame.copied().unwrap_or(BoxFrame::axis_aligned(())).splat::<D>(token);
    let len = slice.surface.len();
    let mut ends = AxisBounds::<D>::no_points(token);
    for start in (0..len).step_by(D::LEN) {
        // The last batch is shifted to be full: some primitives are measured twice.
        for corner in slice.load::<D>(token, start.min(len - D::LEN)) {
            match frame {
                Some(_) => ends.add(lanes.coordinates(corner)),
                None => ends.add(corner),
            }
        }
    }
    ends.merged_lanes()
}

/// Returns the moments of some primitives, or of an even sample of them. Summed one after another,
/// so the bits do not depend on the number of lanes.
#[inline(always)]
pub(super) fn covariance<D: Doubles, S: Scalar, const N: usize>(
    token: D::Token,
    slice: &PrimitiveSlice<'_, S, N>,
) -> Covariance {
    let mut whole = Covariance::new((), centroid((), slice.load::<f64>((), 0)));
    let about = Covariance::<D>::new(token, splat(token, whole.origin));
    let len = slice.surface.len();
    let step = len.div_ceil(MAX_SAMPLES);
    if N != 3 {
        for index in (0..len).step_by(step) {
            add_primitive((), &mut whole, &slice.load((), index), 1.0);
        }
        return whole;
    }
    let (samples, mut sums) = (len.div_ceil(step), OrderedSums::new(token));
    for first in (0..samples).step_by(D::LEN) {
        let from = first * step;
        let (corners, surface) = match step == 1 && from + D::LEN <= len {
            true => (slice.load(token, from), D::load(token, &slice.surface[from..])),
            false => {
                (slice.sampled(token, from, step), D::sampled(token, &slice.surface[from..], step))
            }
        };
        if let [a, b, c] = corners[..] {
            let moments = about.triangle_moments(token, [a, b, c], surface);
            sums.add(token, moments, (samples - first).min(D::LEN));
        }
    }
    sums.store(&mut whole.moments);
    whole
}

/// Adds triangles, weighted by their area, or the corners of boxes.
#[inline(always)]
pub(super) fn add_primitive<D: Doubles, const N: usize>(
    token: D::Token,
    spread: &mut Covariance<D>,
    corners: &[Vec3<D>; N],
    weight: D,
) {
    match corners[..] {
        [a, b, c] => spread.add(&spread.triangle_moments(token, [a, b, c], weight)),
        _ => {
            for &corner in corners {
                spread.add(&spread.point_moments(corner, weight));
            }
        }
    }
}

/// Sums of moments, as many of them in one vector as there are lanes; each triangle is added after
/// the other, so the bits do not depend on the number of lanes.
struct OrderedSums<D>([D; 16]);

impl<D: Doubles> OrderedSums<D> {
    /// Number of vectors with moments.
    const VECTORS: usize = 10usize.div_ceil(D::LEN);

    #[inline(always)]
    fn new(token: D::Token) -> Self {
        OrderedSums([D::splat(token, 0.0); 16])
    }

    /// Adds the moments of the first `count` lanes, in order.
    #[inline(always)]
    fn add(&mut self, token: D::Token, each: Moments<D>, count: usize) {
        let mut columns = [D::splat(token, 0.0); 16];
        columns[..10].copy_from_slice(&each);
        let triangles = transpose_lanes(columns);
        for lane in 0..D::LEN {
            if lane < count {
                for vector in 0..Self::VECTORS {
                    let sum = &mut self.0[vector];
                    *sum = *sum + triangles[vector * D::LEN + lane];
                }
            }
        }
    }

    #[inline(always)]
    fn store(self, moments: &mut Moments) {
        let mut numbers = [0.0; 16];
        for vector in 0..Self::VECTORS {
            self.0[vector].store(&mut numbers[vector * D::LEN..]);
        }
        moments.copy_from_slice(&numbers[..10]);
    }
}
