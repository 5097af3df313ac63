//! Answers of pair queries, and their scratch memory.

use std::ops::Deref;

use super::hit::{Hit, NodeRef};
use crate::broad_phase::{AabbF32, BlockOverlaps, CharacterSweep, NearCharacters, NearChild};
use crate::model::PartId;
use crate::narrow_phase::{BoundedCandidate, NarrowPhaseScratch};
use crate::num::{Scalar, SimdLevel};
use crate::scene::filter::normal_hint::PreferredNormal;
use crate::scene::motion::MotionScratch;
use crate::scene::translation::separation_scratch::SeparationScratch;
use crate::tree::Counts;

/// The answers of a pair query. Kept from tick to tick: no query allocates after the first few.
///
/// After [`contacts`](crate::scene::Snapshot::contacts) it is a slice of [`Hit`]s; after
/// [`pairs`](crate::scene::Snapshot::pairs) use [`Hits::pairs`]. Answers are sorted by order of the
/// character, part and node of `a`, then of `b`.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
/// let mut hits = boxwood::Hits::new();
/// now.contacts(&PairQuery::all(), &mut hits)?; // where: the slice
/// for hit in &hits {
///     println!("{} deep at {}", hit.depth, hit.point);
/// }
/// now.pairs(&PairQuery::all(), &mut hits)?; // who: its pairs; the slice is empty then
/// assert_eq!((hits.len(), hits.pairs().len()), (0, 1));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Hits<T: Scalar> {
    pub(in crate::scene) hits: Vec<Hit<T>>,
    pub(in crate::scene) pairs: Vec<(NodeRef, NodeRef)>,
    pub(in crate::scene) scratch: QueryScratch<T>,
}

/// The scratch memory of pair queries, without answers. Kept from tick to tick: no query allocates
/// after the first few.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
/// let mut scratch = boxwood::QueryScratch::new(); // one a thread
/// assert!(now.intersects(&PairQuery::all(), &mut scratch)?);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct QueryScratch<T: Scalar> {
    /// Candidates and their results.
    pub(in crate::scene) narrow: NarrowPhaseScratch<T>,
    pub(in crate::scene) pairs: PairScratch,
    /// Part pairs with lower bounds on their distance.
    pub(in crate::scene) part_candidates: Vec<BoundedCandidate<[(u32, PartId); 2]>>,
    /// Nodes of the trees over the characters to visit.
    pub(in crate::scene) near_stack: Vec<NearChild>,
    pub(in crate::scene) separation: SeparationScratch,
    /// Sorted hints of the current query.
    pub(in crate::scene) hints: Vec<PreferredNormal>,
    /// Parts of a moving character, with their AABBs.
    pub(in crate::scene) moving_parts: Vec<(PartId, AabbF32)>,
    /// Character and part index of the parts that a moving shape may hit, with lower bounds on the
    /// shift.
    pub(in crate::scene) cast_parts: Vec<BoundedCandidate<[u32; 2]>>,
    /// Box number of the parts of the current character that a moving shape may hit, with the
    /// earliest shift.
    pub(in crate::scene) entry_shifts: Vec<(f64, u32)>,
    /// Stack of the test whether a point is inside a solid.
    pub(in crate::scene) stack: Vec<u32>,
    pub(in crate::scene) motion: MotionScratch,
    /// The scratch memory of other threads.
    #[cfg(feature = "rayon")]
    pub(in crate::scene) workers: Vec<QueryScratch<T>>,
}

/// The first and the second characters of a query: indices, ascending.
pub(in crate::scene) type CharacterSets = [Vec<u32>; 2];

/// The memory in which the candidates of pair queries are collected.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct PairScratch {
    pub block_overlaps: Vec<BlockOverlaps>,
    pub self_overlaps: Vec<(PartId, PartId)>,
    pub sets: CharacterSets,
    /// The characters near one.
    pub near: NearCharacters,
    /// Pairs of characters within a margin.
    pub margin_pairs: CharacterSweep,
}

impl<T: Scalar> QueryScratch<T> {
    /// Returns empty scratch memory.
    pub fn new() -> Self {
        QueryScratch::default()
    }

    /// Returns the tests made by the last query with this memory that was not refused: of pairs,
    /// distances, separations, casts of characters and shapes, or impacts. Exact, and the same on
    /// every machine, unless threads search for a yes or no: they stop each other.
    ///
    /// [`Counts::characters`] and [`Counts::parts`] stay 0 in separations, casts and impacts.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
    /// use boxwood::{QueryFilter, QueryScratch, Sphere};
    ///
    /// let ball = Sphere::new(Point3::new(-3.0, 0.0, 0.0), 0.1)?;
    /// let mut scratch = QueryScratch::new();
    /// let way = Vector3::x() * 9.0;
    /// let hit = now.shape_cast(ball, way, &QueryFilter::all(), &mut scratch)?;
    /// assert!(hit.is_some() && scratch.counts().primitives > 0);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn counts(&self) -> &Counts {
        &self.narrow.tree.counts
    }

    pub(in crate::scene) fn clear(&mut self, simd: SimdLevel) {
        self.narrow.clear(simd);
    }
}

impl<T: Scalar> Hits<T> {
    /// Returns an empty value.
    pub fn new() -> Self {
        Hits { hits: Vec::new(), pairs: Vec::new(), scratch: QueryScratch::default() }
    }

    /// Returns the scratch memory, for queries that return their answer: `intersects`, `distance`.
    pub fn scratch(&mut self) -> &mut QueryScratch<T> {
        &mut self.scratch
    }

    /// Returns the deepest hit, the first of equally deep ones.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// let mut hits = boxwood::Hits::new();
    /// now.contacts(&PairQuery::all(), &mut hits)?;
    /// let hit = hits.deepest().expect("they touch");
    /// assert!((hit.depth - 0.1).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn deepest(&self) -> Option<&Hit<T>> {
        self.hits
            .iter()
            .reduce(|deepest, hit| if hit.depth > deepest.depth { hit } else { deepest })
    }

    /// Returns the pairs that touch, after [`pairs`](crate::scene::Snapshot::pairs).
    pub fn pairs(&self) -> &[(NodeRef, NodeRef)] {
        &self.pairs
    }

    pub(in crate::scene) fn clear(&mut self) {
        self.hits.clear();
        self.pairs.clear();
    }
}

impl<T: Scalar> Deref for Hits<T> {
    type Target = [Hit<T>];
    fn deref(&self) -> &[Hit<T>] {
        &self.hits
    }
}

impl<'a, T: Scalar> IntoIterator for &'a Hits<T> {
    type Item = &'a Hit<T>;
    type IntoIter = std::slice::Iter<'a, Hit<T>>;
    fn into_iter(self) -> Self::IntoIter {
        self.hits.iter()
    }
}
