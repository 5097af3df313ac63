//! Closest points of two oriented boxes.

use std::marker::PhantomData;

use super::box_in_frame::InitialDirection;
use super::edges::by_all_edges;
use super::relative::{ClosestFeatures, RelativeBoxes};
use crate::num::simd::{DoubleTriple, PlainTriple, TripleKernel};
use crate::num::{Scalar, SimdLevel};
use crate::pair::results::ClosestPoints;
use crate::pair::rounded::cores::{ClosestOnCores, CorePair};
use crate::pair::rounded::rounded_shape;
use crate::pair::rounded::slack_box::SlackBox;
use crate::shape::{Aabb, Obb, wide_point};

impl CorePair<SlackBox> for SlackBox {
    fn closest(&self, other: &SlackBox) -> ClosestOnCores {
        closest_and_disjoint([self, other]).0
    }

    fn overlaps(&self, other: &SlackBox) -> bool {
        overlaps([self, other])
    }

    /// The verdict has a slack, so it needs the full test.
    fn is_surely_disjoint(&self, _: &SlackBox, _: &ClosestOnCores) -> bool {
        false
    }

    fn closest_if_disjoint(&self, other: &SlackBox) -> Option<ClosestOnCores> {
        let (near, apart) = closest_and_disjoint([self, other]);
        apart.then_some(near)
    }

    fn closest_and_disjoint(&self, other: &SlackBox) -> (ClosestOnCores, bool) {
        closest_and_disjoint([self, other])
    }
}

/// Input of a pair query: two boxes in an order that the caller fixes, by kind or by bits.
pub(in crate::pair) trait BoxPairInput: Copy {
    /// Returns the slack of the 15 axes as a share of the sizes.
    fn share(&self) -> f64;
    /// Returns the pair in relative coordinates; `None` if a box is empty.
    fn relative<D: DoubleTriple>(&self, token: D::Token) -> Option<RelativeBoxes<D>>;
}

impl BoxPairInput for [&SlackBox; 2] {
    #[inline(always)]
    fn share(&self) -> f64 {
        let [a, b] = [self[0].slack_share, self[1].slack_share];
        if a > b { a } else { b }
    }
    #[inline(always)]
    fn relative<D: DoubleTriple>(&self, token: D::Token) -> Option<RelativeBoxes<D>> {
        match self[0].is_aligned {
            true => {
                RelativeBoxes::aligned(token, [self[0].low, self[0].high], &self[1].to_wide_obb())
            }
            false => Some(RelativeBoxes::oriented(
                token,
                [&self[0].to_wide_obb(), &self[1].to_wide_obb()],
            )),
        }
    }
}

impl<T: Scalar> BoxPairInput for [&Obb<T>; 2] {
    #[inline(always)]
    fn share(&self) -> f64 {
        T::LEAF_SLACK
    }
    #[inline(always)]
    fn relative<D: DoubleTriple>(&self, token: D::Token) -> Option<RelativeBoxes<D>> {
        Some(RelativeBoxes::oriented(token, [&self[0].wide(), &self[1].wide()]))
    }
}

impl<T: Scalar> BoxPairInput for (&Aabb<T, 3>, &Obb<T>) {
    #[inline(always)]
    fn share(&self) -> f64 {
        T::LEAF_SLACK
    }
    #[inline(always)]
    fn relative<D: DoubleTriple>(&self, token: D::Token) -> Option<RelativeBoxes<D>> {
        let ends = [wide_point(self.0.min), wide_point(self.0.max)];
        RelativeBoxes::aligned(token, ends, &self.1.wide())
    }
}

/// Returns `true` if no axis separates the boxes.
pub(in crate::pair) fn overlaps<G: BoxPairInput>(given: G) -> bool {
    SimdLevel::best().run_triples(ObbOverlapKernel(given))
}

/// Returns the distance; 0 exactly where no axis separates the boxes.
pub(in crate::pair) fn distance<G: BoxPairInput>(given: G) -> f64 {
    SimdLevel::best().run_triples(DistanceKernel(given))
}

/// Returns the closest points, those of the second box first if `swapped`.
pub(in crate::pair) fn closest_points<G: BoxPairInput, T: Scalar>(
    given: G,
    swapped: bool,
) -> ClosestPoints<T> {
    SimdLevel::best().run_triples(ClosestPointsKernel { given, swapped, scalar: PhantomData })
}

/// Returns the closest points, or a common point, and `true` if an axis separates the boxes.
/// Neither box may be empty.
pub(super) fn closest_and_disjoint(given: [&SlackBox; 2]) -> (ClosestOnCores, bool) {
    SimdLevel::best().run_triples(CorePairKernel(given))
}

pub(super) struct ObbOverlapKernel<G>(pub(super) G);

pub(super) struct DistanceKernel<G>(pub(super) G);

pub(super) struct CorePairKernel<'a>([&'a SlackBox; 2]);

pub(super) struct ClosestPointsKernel<G, T> {
    pub(super) given: G,
    pub(super) swapped: bool,
    pub(super) scalar: PhantomData<T>,
}

impl<G: BoxPairInput> TripleKernel for ObbOverlapKernel<G> {
    type Output = bool;
    #[inline(always)]
    fn run<D: DoubleTriple>(self, token: D::Token) -> bool {
        let Some(both) = self.0.relative::<D>(token) else { return false };
        !matches!(verdict(&both, self.0.share()), SatVerdict::Separated)
    }
}

impl<G: BoxPairInput> TripleKernel for DistanceKernel<G> {
    type Output = f64;
    #[inline(always)]
    fn run<D: DoubleTriple>(self, token: D::Token) -> f64 {
        let Some(both) = self.0.relative::<D>(token) else { return f64::INFINITY };
        if !matches!(verdict(&both, self.0.share()), SatVerdict::Separated) {
            return 0.0;
        }
        let length = match closest_features(&both) {
            Ok(found) => found.length,
            Err(near) => near.squared.sqrt(),
        };
        rounded_shape::surface_distance(length, 0.0)
    }
}

impl TripleKernel for CorePairKernel<'_> {
    type Output = (ClosestOnCores, bool);
    #[inline(always)]
    fn run<D: DoubleTriple>(self, token: D::Token) -> (ClosestOnCores, bool) {
        let Some(both) = self.0.relative::<D>(token) else {
            return (ClosestOnCores::new([f64::NAN; 3], [f64::INFINITY; 3]), true);
        };
        let verdict = verdict(&both, self.0.share());
        if let SatVerdict::CommonPoint(point) = verdict {
            return (ClosestOnCores::common(both.to_outer_point(point)), false);
        }
        let near = match closest_features(&both) {
            Ok(found) => both.closest_on_cores(found),
            Err(near) => near,
        };
        (near, matches!(verdict, SatVerdict::Separated))
    }
}

impl<G: BoxPairInput, T: Scalar> TripleKernel for ClosestPointsKernel<G, T> {
    type Output = ClosestPoints<T>;
    #[inline(always)]
    fn run<D: DoubleTriple>(self, token: D::Token) -> ClosestPoints<T> {
        let ClosestPointsKernel { given, swapped, .. } = self;
        let Some(both) = given.relative::<D>(token) else {
            return ClosestPoints::from_wide(rounded_shape::EMPTY_CLOSEST);
        };
        let verdict = verdict(&both, given.share());
        if let SatVerdict::CommonPoint(point) = verdict {
            let point = both.to_outer_point(point);
            return ClosestPoints::from_wide((point, point, 0.0));
        }
        let ([a, b], length) = match closest_features(&both) {
            Ok(found) => (both.outer_ends(found, swapped), found.length),
            Err(near) => {
                let (a, b) =
                    (D::from_numbers(token, near.on_a), D::from_numbers(token, near.on_b()));
                (if swapped { [b, a] } else { [a, b] }, near.squared.sqrt())
            }
        };
        if matches!(verdict, SatVerdict::Separated) {
            return ClosestPoints::from_wide((
                a.numbers(),
                b.numbers(),
                rounded_shape::surface_distance(length, 0.0),
            ));
        }
        let both = ((a + b) * D::splat(token, 0.5)).numbers();
        ClosestPoints::from_wide((both, both, 0.0))
    }
}

/// Verdict of the separating axes.
pub(super) enum SatVerdict<D> {
    /// One of the 15 axes separates the boxes.
    Separated,
    /// Common point in the frame of the first box. No axis separates the boxes then: see
    /// [`RelativeBoxes::common_point`].
    CommonPoint(D),
    /// Overlap by the axes alone: no common point is known.
    Overlapping,
}

/// Tests the faces, a common point, then the edges; `share` is the slack as a share of the sizes.
#[inline(always)]
pub(super) fn verdict<D: DoubleTriple>(both: &RelativeBoxes<D>, share: f64) -> SatVerdict<D> {
    let slack = share * both.size;
    if both.apart_by_faces(slack) {
        return SatVerdict::Separated;
    }
    if let Some(point) = both.common_point() {
        return SatVerdict::CommonPoint(point);
    }
    if both.apart_by_edges(slack) { SatVerdict::Separated } else { SatVerdict::Overlapping }
}

/// Limit of the tries before all edges are searched.
pub(super) const MAX_TRIES: usize = 4;

/// Searches closest features: a corner of one box against the other, then the edges at that corner,
/// in turns of both boxes. It ends when the boxes are as far apart along the offset as the offset
/// is long, so that no shorter one exists. `Err` holds the closest points of all edges, in the
/// outer frame, if no try ends so.
#[inline(always)]
pub(super) fn closest_features<D: DoubleTriple>(
    both: &RelativeBoxes<D>,
) -> Result<ClosestFeatures<D>, ClosestOnCores> {
    let InitialDirection { mut way, mut first } = both.initial_direction();
    for _ in 0..MAX_TRIES {
        let view = both.box_in_frame(first);
        let corner = view.corner_toward(way);
        if view.is_nearest(&corner) {
            return Ok(corner.found(first));
        }
        let nearer = view.closest_on_edges(&corner);
        if view.is_nearest(&nearer) {
            return Ok(nearer.found(first));
        }
        (way, first) = (nearer.reversed_offset(), D::not(first));
    }
    Err(closest_of_all_edges(&both.plain()))
}

#[cold]
#[inline(never)]
pub(super) fn closest_of_all_edges(both: &RelativeBoxes<PlainTriple>) -> ClosestOnCores {
    both.closest_on_cores(by_all_edges(both))
}
