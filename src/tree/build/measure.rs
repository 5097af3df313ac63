//! How far the corners of many primitives go and how they are spread, several primitives at a time.

use super::primitives::{Rows, centroid};
use crate::fit::{Covariance, Ends, Frame, Moments};
use crate::num::Scalar;
use crate::num::doubles::{Doubles, MOST};
use crate::num::linear::{Vec3, splat};

/// So many primitives tell how all of a node are spread. More: axes a little better near the root, in proportion to
/// the time.
const ENOUGH: usize = 1024;

/// How far the corners of at least [`Doubles::LEN`] primitives go along the axes of a frame, or those of the part.
#[inline(always)]
pub(super) fn ends<D: Doubles, S: Scalar, const N: usize>(
    token: D::Token,
    rows: &Rows<'_, S, N>,
    frame: Option<&Frame>,
) -> Ends {
    let seen = frame.copied().unwrap_or(Frame::axis_aligned(())).splat::<D>(token);
    let len = rows.surface.len();
    let mut ends = Ends::<D>::none(token);
    for start in (0..len).step_by(D::LEN) {
        // The last ones are not short of any: some are looked at twice.
        for corner in rows.several::<D>(token, start.min(len - D::LEN)) {
            match frame {
                Some(_) => ends.add(seen.along(corner)),
                None => ends.add(corner),
            }
        }
    }
    ends.merged_lanes()
}

/// How the geometry of some primitives spreads: of all, or of so many of them taken at even steps. They are summed one after
/// another, however many are looked at together.
#[inline(always)]
pub(super) fn spread<D: Doubles, S: Scalar, const N: usize>(
    token: D::Token,
    rows: &Rows<'_, S, N>,
) -> Covariance {
    let mut whole = Covariance::new((), centroid((), rows.several::<f64>((), 0)));
    let seen = Covariance::<D>::new(token, splat(token, whole.about));
    let len = rows.surface.len();
    let step = len.div_ceil(ENOUGH);
    if N != 3 {
        for place in (0..len).step_by(step) {
            add_primitive((), &mut whole, &rows.several((), place), 1.0);
        }
        return whole;
    }
    for from in (0..len).step_by(step * D::LEN) {
        let (corners, surface) = match step == 1 && from + D::LEN <= len {
            true => (rows.several(token, from), D::load(token, &rows.surface[from..])),
            false => {
                (rows.sampled(token, from, step), D::sampled(token, &rows.surface[from..], step))
            }
        };
        if let [a, b, c] = corners[..] {
            let count = (len - from).div_ceil(step).min(D::LEN);
            add_in_order(&mut whole, seen.triangle(token, [a, b, c], surface), count);
        }
    }
    whole
}

/// Adds triangles, which weigh as much as their surface, or the corners of boxes.
#[inline(always)]
pub(super) fn add_primitive<D: Doubles, const N: usize>(
    token: D::Token,
    spread: &mut Covariance<D>,
    corners: &[Vec3<D>; N],
    weight: D,
) {
    match corners[..] {
        [a, b, c] => spread.add(&spread.triangle(token, [a, b, c], weight)),
        _ => {
            for &corner in corners {
                spread.add(&spread.point(corner, weight));
            }
        }
    }
}

/// Adds the moments of the first so many.
#[inline(always)]
fn add_in_order<D: Doubles>(whole: &mut Covariance, each: Moments<D>, count: usize) {
    let mut rows = [[0.0; MOST]; 10];
    for (row, moment) in rows.iter_mut().zip(each) {
        moment.store(row);
    }
    for lane in 0..count {
        for (sum, row) in whole.moments.iter_mut().zip(&rows) {
            *sum += row[lane];
        }
    }
}
