//! OBB distance: verdict, distance and closest points of two boxes, of which one is oriented. Three
//! coordinates across lanes, by the widest instructions the machine has; so no closures on the way,
//! which would be compiled without these.

#[cfg(all(test, feature = "simd"))]
mod alike;
mod edges;
mod relative;
mod view;

use edges::by_all_edges;
use relative::{Found, RelativeBoxes};
use view::Start;

use super::block::Block;
use super::near::{Between, Near};
use super::round::{self, WideClosest};
use crate::num::SimdLevel;
use crate::num::simd::{PlainTriple, Triple, TripleKernel};

impl Between<Block> for Block {
    fn near(&self, other: &Block) -> Near {
        near_and_apart([self, other]).0
    }

    fn meets(&self, other: &Block) -> bool {
        meets([self, other])
    }

    /// The verdict has a slack, and so has to be asked.
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

/// The first and the second: which is which is for those who ask to say, by kind or by bits.
type Given<'a> = [&'a Block; 2];

/// Slack of the 15 axes, as a share of the sizes.
#[inline(always)]
fn share([a, b]: Given<'_>) -> f64 {
    if a.share > b.share { a.share } else { b.share }
}

/// `None` if there is no point in one.
#[inline(always)]
fn relative<D: Triple>(token: D::Token, [a, b]: Given<'_>) -> Option<RelativeBoxes<D>> {
    match a.aligned {
        true => RelativeBoxes::aligned(token, [a.low, a.high], &b.solid()),
        false => Some(RelativeBoxes::oriented(token, [&a.solid(), &b.solid()])),
    }
}

/// Whether no axis tells the two apart.
pub(super) fn meets(given: Given<'_>) -> bool {
    SimdLevel::best().run_triples(Meets(given))
}

/// How far apart the two are: 0 exactly where no axis tells them apart.
pub(super) fn distance(given: Given<'_>) -> f64 {
    SimdLevel::best().run_triples(Distance(given))
}

/// Where the two are closest; with `swapped` seen from the second.
pub(super) fn points(given: Given<'_>, swapped: bool) -> WideClosest {
    SimdLevel::best().run_triples(Points { given, swapped })
}

/// Where the two are closest, or a point of both, and whether an axis tells them apart. Neither may
/// be empty.
fn near_and_apart(given: Given<'_>) -> (Near, bool) {
    SimdLevel::best().run_triples(NearAndApart(given))
}

struct Meets<'a>(Given<'a>);
struct Distance<'a>(Given<'a>);
struct NearAndApart<'a>(Given<'a>);
struct Points<'a> {
    given: Given<'a>,
    swapped: bool,
}

impl TripleKernel for Meets<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<D: Triple>(self, token: D::Token) -> bool {
        let Some(both) = relative::<D>(token, self.0) else { return false };
        !matches!(verdict(&both, share(self.0)), SatVerdict::Apart)
    }
}

impl TripleKernel for Distance<'_> {
    type Output = f64;
    #[inline(always)]
    fn run<D: Triple>(self, token: D::Token) -> f64 {
        let Some(both) = relative::<D>(token, self.0) else { return f64::INFINITY };
        if !matches!(verdict(&both, share(self.0)), SatVerdict::Apart) {
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
        let Some(both) = relative::<D>(token, self.0) else {
            return (Near::new([f64::NAN; 3], [f64::INFINITY; 3]), true);
        };
        let verdict = verdict(&both, share(self.0));
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

impl TripleKernel for Points<'_> {
    type Output = WideClosest;
    #[inline(always)]
    fn run<D: Triple>(self, token: D::Token) -> WideClosest {
        let Points { given, swapped } = self;
        let Some(both) = relative::<D>(token, given) else { return round::NOWHERE };
        let verdict = verdict(&both, share(given));
        if let SatVerdict::Common(point) = verdict {
            let point = both.outer(point);
            return (point, point, 0.0);
        }
        let ([a, b], length) = match nearest(&both) {
            Ok(found) => (both.ends(found, swapped), found.length),
            Err(near) => {
                let (a, b) = (D::of(token, near.on_a), D::of(token, near.on_b()));
                (if swapped { [b, a] } else { [a, b] }, near.squared.sqrt())
            }
        };
        if matches!(verdict, SatVerdict::Apart) {
            return (a.numbers(), b.numbers(), round::left(length, 0.0));
        }
        let both = ((a + b) * D::splat(token, 0.5)).numbers();
        (both, both, 0.0)
    }
}

/// What is seen at once.
enum SatVerdict<D> {
    /// One of the 15 axes tells the two apart.
    Apart,
    /// A point of both, as seen from the first. Then no axis tells the two apart: see
    /// [`RelativeBoxes::common`].
    Common(D),
    /// No axis tells the two apart.
    Together,
}

/// `share`: what the axes allow, as a share of the sizes.
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

/// How often closest points are tried before all edges are.
const TRIES: usize = 4;

/// A corner and the other box, or an edge there: tried to and fro, until a way is found along which
/// the boxes are as far apart as that way is long, which no shorter one can be. Without luck all
/// edges are, in the outer frame.
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
