//! The scratch memory of separations of characters.

use crate::model::PartId;
use crate::narrow_phase::BoundedCandidate;
use crate::shape::WideObb;

/// A part that may touch, its root box in the world, and its intervals along the axes of a
/// direction.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct SeparatedPart {
    pub part: (u32, PartId),
    pub root_box: WideObb,
    /// Least and greatest coordinate along two axes across the direction, and along it.
    pub intervals: [[f64; 2]; 3],
}

/// A part of a character of the query.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct ListedPart {
    pub part: (u32, PartId),
    /// Index in its side; `None` while no pair of the query contains it.
    pub side_index: Option<u32>,
}

/// The scratch memory of separations.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct SeparationScratch {
    /// The parts of the characters of either side.
    pub listed: [Vec<ListedPart>; 2],
    /// The listed parts that occur in a pair.
    pub sides: [Vec<SeparatedPart>; 2],
    /// Pairs of indices into the two sides.
    pub pairs: Vec<[u32; 2]>,
    /// Indices in `pairs`, with lower bounds on the shift of the contact.
    pub candidates: Vec<BoundedCandidate<u32>>,
}

impl SeparationScratch {
    pub fn clear(&mut self) {
        let SeparationScratch { listed, sides, pairs, candidates } = self;
        listed.iter_mut().for_each(Vec::clear);
        sides.iter_mut().for_each(Vec::clear);
        pairs.clear();
        candidates.clear();
    }
}
