//! OBB distance: verdict, distance and closest points of two boxes, the second oriented. Three
//! coordinates lie across lanes of the best SIMD level; closures would be compiled without it, so
//! the path has none.

#[cfg(all(test, feature = "simd"))]
mod alike;
mod edges;
mod relative;
mod view;

use std::marker::PhantomData;

use edges::by_all_edges;
use relative::{Found, RelativeBoxes};
use view::Start;

use super::block::Block;
use super::near::{Between, Near};
use super::results::ClosestPoints;
use super::round;
use crate::num::simd::{PlainTriple, Triple, TripleKernel};
use crate::num::{Scalar, SimdLevel};
use crate::shape::{Aabb, Obb, wide_point};

impl Between<Block> for Block {
    fn near(&self, other: &Block) -> Near {
        near_and_apart([self, other]).0
    }

    fn meets(&self, other: &Block) -> bool {
        meets([self, other])
    }

    /// The verdict has a slack, so it needs the full test.
    fn surely_apart(&self, _: &Block, _: &Near) -> bool {
        false
    }

    fn apart(&self, other: &Block) -> Option<Near> {
        let (near, apart) = near_and_apart([self, other]);
        apart.then_some(near)
    }

    fn near_and_apart(&self, other: &Block) -> (Near, bool) {
        near_and_apart([self, other])
    }
}

/// Input of a pair query: two boxes in an order that the caller fixes, by kind or by bits.
pub(super) trait Given: Copy {
    /// Returns the slack of the 15 axes as a share of the sizes.
    fn share(&self) -> f64;
    /// Returns the pair in relative coordinates; `None` if a box is empty.
    fn relative<D: Triple>(&self, token: D::Token) -> Option<RelativeBoxes<D>>;
}

impl Given for [&Block; 2] {
    #[inline(always)]
    fn share(&self) -> f64 {
        let [a, b] = [self[0].share, self[1].share];
        if a > b { a } else { b }
    }
    #[inline(always)]
    fn relative<D: Triple>(&self, token: D::Token) -> Option<RelativeBoxes<D>> {
        match self[0].aligned {
            true => RelativeBoxes::aligned(token, [self[0].low, self[0].high], &self[1].solid()),
            false => Some(RelativeBoxes::oriented(token, [&self[0].solid(), &self[1].solid()])),
        }
    }
}

impl<T: Scalar> Given for [&Obb<T>; 2] {
    #[inline(always)]
    fn share(&self) -> f64 {
        T::LEAF_SLACK
    }
    #[inline(always)]
    fn relative<D: Triple>(&self, token: D::Token) -> Option<RelativeBoxes<D>> {
        Some(RelativeBoxes::oriented(token, [&self[0].wide(), &self[1].wide()]))
    }
}

impl<T: Scalar> Given for (&Aabb<T, 3>, &Obb<T>) {
    #[inline(always)]
    fn share(&self) -> f64 {
        T::LEAF_SLACK
    }
    #[inline(always)]
    fn relative<D: Triple>(&self, token: D::Token) -> Option<RelativeBoxes<D>> {
        let ends = [wide_point(self.0.min), wide_point(self.0.max)];
        RelativeBoxes::aligned(token, ends, &self.1.wide())
    }
}

/// Returns `true` if no axis separates the boxes.
pub(super) fn meets<G: Given>(given: G) -> bool {
    SimdLevel::best().run_triples(Meets(given))
}

/// Returns the distance; 0 exactly where no axis separates the boxes.
pub(super) fn distance<G: Given>(given: G) -> f64 {
    SimdLevel::best().run_triples(Distance(given))
}

/// Returns the closest points, those of the second box first if `swapped`.
pub(super) fn points<G: Given, T: Scalar>(given: G, swapped: bool) -> ClosestPoints<T> {
    SimdLevel::best().run_triples(Points { given, swapped, scalar: PhantomData })
}

/// Returns the closest points, or a common point, and `true` if an axis separates the boxes.
/// Neither box may be empty.
fn near_and_apart(given: [&Block; 2]) -> (Near, bool) {
    SimdLevel::best().run_triples(NearAndApart(given))
}

struct Meets<G>(G);
struct Distance<G>(G);
struct NearAndApart<'a>([&'a Block; 2]);
struct Points<G, T> {
    given: G,
    swapped: bool,
    scalar: PhantomData<T>,
}

impl<G: Given> TripleKernel for Meets<G> {
    type Output = bool;
    #[inline(always)]
    fn run<D: Triple>(self, token: D::Token) -> bool {
        let Some(both) = self.0.relative::<D>(token) else { return false };
        !matches!(verdict(&both, self.0.share()), SatVerdict::Apart)
    }
}

impl<G: Given> TripleKernel for Distance<G> {
    type Output = f64;
    #[inline(always)]
    fn run<D: Triple>(self, token: D::Token) -> f64 {
        let Some(both) = self.0.relative::<D>(token) else { return f64::INFINITY };
        if !matches!(verdict(&both, self.0.share()), SatVerdict::Apart) {
            return 0.0;
        }
        let length = match nearest(&both) {
            Ok(found) => found.length,
            Err(near) => near.squared.sqrt(),
        };
        round::left(length, 0.0)
    }
}

impl TripleKernel for NearAndApart<'_> {
    type Output = (Near, bool);
    #[inline(always)]
    fn run<D: Triple>(self, token: D::Token) -> (Near, bool) {
        let Some(both) = self.0.relative::<D>(token) else {
            return (Near::new([f64::NAN; 3], [f64::INFINITY; 3]), true);
        };
        let verdict = verdict(&both, self.0.share());
        if let SatVerdict::Common(point) = verdict {
            return (Near::common(both.outer(point)), false);
        }
        let near = match nearest(&both) {
            Ok(found) => both.near(found),
            Err(near) => near,
        };
        (near, matches!(verdict, SatVerdict::Apart))
    }
}

impl<G: Given, T: Scalar> TripleKernel for Points<G, T> {
    type Output = ClosestPoints<T>;
    #[inline(always)]
    fn run<D: Triple>(self, token: D::Token) -> ClosestPoints<T> {
        let Points { given, swapped, .. } = self;
        let Some(both) = given.relative::<D>(token) else {
            return ClosestPoints::of(round::NOWHERE);
        };
        let verdict = verdict(&both, given.share());
        if let SatVerdict::Common(point) = verdict {
            let point = both.outer(point);
            return ClosestPoints::of((point, point, 0.0));
        }
        let ([a, b], length) = match nearest(&both) {
            Ok(found) => (both.ends(found, swapped), found.length),
            Err(near) => {
                let (a, b) = (D::of(token, near.on_a), D::of(token, near.on_b()));
                (if swapped { [b, a] } else { [a, b] }, near.squared.sqrt())
            }
        };
        if matches!(verdict, SatVerdict::Apart) {
            return ClosestPoints::of((a.numbers(), b.numbers(), round::left(length, 0.0)));
        }
        let both = ((a + b) * D::splat(token, 0.5)).numbers();
        ClosestPoints::of((both, both, 0.0))
    }
}

/// Verdict of the separating axes.
enum SatVerdict<D> {
    /// One of the 15 axes separates the boxes.
    Apart,
    /// Common point in the frame of the first box. No axis separates the boxes then: see
    /// [`RelativeBoxes::common_point`].
    Common(D),
    /// Overlap by the axes alone: no common point is known.
    Together,
}

/// Tests the faces, a common point, then the edges; `share` is the slack as a share of the sizes.
#[inline(always)]
fn verdict<D: Triple>(both: &RelativeBoxes<D>, share: f64) -> SatVerdict<D> {
    let slack = share * both.size;
    if both.apart_by_faces(slack) {
        return SatVerdict::Apart;
    }
    if let Some(point) = both.common() {
        return SatVerdict::Common(point);
    }
    if both.apart_by_edges(slack) { SatVerdict::Apart } else { SatVerdict::Together }
}

/// Limit of the tries before all edges are searched.
const TRIES: usize = 4;

/// Searches closest features: a corner of one box against the other, then the edges at that corner,
/// in turns of both boxes. It ends when the boxes are as far apart along the offset as the offset
/// is long, so that no shorter one exists. `Err` holds the closest points of all edges, in the
/// outer frame, if no try ends so.
#[inline(always)]
fn nearest<D: Triple>(both: &RelativeBoxes<D>) -> Result<Found<D>, Near> {
    let Start { mut way, mut first } = both.start();
    for _ in 0..TRIES {
        let view = both.seen_from(first);
        let corner = view.toward(way);
        if view.sure(&corner) {
            return Ok(corner.found(first));
        }
        let nearer = view.by_edges(&corner);
        if view.sure(&nearer) {
            return Ok(nearer.found(first));
        }
        (way, first) = (nearer.back(), D::not(first));
    }
    Err(nearest_of_all(&both.plain()))
}

#[cold]
#[inline(never)]
fn nearest_of_all(both: &RelativeBoxes<PlainTriple>) -> Near {
    both.near(by_all_edges(both))
}
