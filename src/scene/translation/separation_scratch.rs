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

/// The scratch memory of separations.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct SeparationScratch {
    pub sides: [Vec<SeparatedPart>; 2],
    /// Pairs of indices into the two sides.
    pub pairs: Vec<[u32; 2]>,
    /// Indices in `pairs`, with lower bounds on the shift of the contact.
    pub candidates: Vec<BoundedCandidate<u32>>,
}
