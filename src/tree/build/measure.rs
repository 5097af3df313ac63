//! How far the corners of many primitives go and how they are spread, several primitives at a time.

use std::ops::Range;

use super::primitives::Primitives;
use crate::fit::{Ends, Frame, Moments, Spread};
use crate::num::Scalar;
use crate::num::doubles::{Doubles, MOST};
use crate::num::linear::{Vec3, splat};

/// So many primitives tell how all of a node are spread. More: axes a little better near the root, in proportion to
/// the time.
const ENOUGH: usize = 1024;

/// How far the corners of a range of at least [`Doubles::LEN`] primitives go along the axes of a frame, or those of the part.
#[inline(always)]
pub(super) fn ends<D: Doubles, S: Scalar, const N: usize>(
    token: D::Token,
    primitives: &Primitives<S, N>,
    range: Range<usize>,
    frame: Option<&Frame>,
) -> Ends {
    let frame = match frame {
        Some(frame) => Some(frame.splat::<D>(token)),
        None => None,
    };
    let (mut ends, last) = (Ends::<D>::none(token), range.end - D::LEN);
    let mut start = range.start;
    while start < range.end {
        // The last ones are not short of any: some are looked at twice.
        let from = start.min(last);
        for corner in primitives.several::<D>(token, from) {
            match &frame {
                Some(frame) => ends.add(frame.along(corner)),
                None => ends.add(corner),
            }
        }
        start += D::LEN;
    }
    ends.together()
}

/// How the geometry of a range spreads: all primitives, or so many of them taken at even steps. They are summed one after
/// another, however many are looked at together.
#[inline(always)]
pub(super) fn spread<D: Doubles, S: Scalar, const N: usize>(
    token: D::Token,
    primitives: &Primitives<S, N>,
    range: Range<usize>,
) -> Spread {
    let mut whole = Spread::new((), primitives.centroid(range.start));
    let about = splat(token, whole.about);
    let step = range.len().div_ceil(ENOUGH);
    let mut from = range.start;
    while from < range.end {
        let mut each = Spread::<D>::new(token, about);
        let mut corners = [about; N];
        for (corner, rows) in corners.iter_mut().zip(&primitives.corners) {
            *corner = [
                D::sampled(token, &rows[0][from..range.end], step),
                D::sampled(token, &rows[1][from..range.end], step),
                D::sampled(token, &rows[2][from..range.end], step),
            ];
        }
        let weight = match N {
            3 => D::sampled(token, &primitives.surface[from..range.end], step),
            _ => D::splat(token, 1.0),
        };
        add_primitive(token, &mut each, &corners, weight);
        let count = (range.end - from).div_ceil(step).min(D::LEN);
        add_in_order(&mut whole, each.moments, count);
        from += step * D::LEN;
    }
    whole
}

/// Adds triangles by their surface, and the corners of boxes.
#[inline(always)]
pub(super) fn add_primitive<D: Doubles, const N: usize>(
    token: D::Token,
    spread: &mut Spread<D>,
    corners: &[Vec3<D>; N],
    weight: D,
) {
    match corners[..] {
        [a, b, c] => spread.add_triangle(token, [a, b, c], weight),
        _ => {
            for &corner in corners {
                spread.add_point(corner, weight);
            }
        }
    }
}

#[inline(always)]
fn add_in_order<D: Doubles>(whole: &mut Spread, each: Moments<D>, count: usize) {
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
