//! The scratch memory of separations and casts of characters.

use crate::model::PartId;
use crate::shape::WideObb;

/// A part that may touch, its root box in the world, and what it covers for a direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct SeparatedPart {
    pub part: (u32, PartId),
    pub solid: WideObb,
    /// Across the direction, twice, and along it: the least and the greatest.
    pub cover: [[f64; 2]; 3],
}

/// The scratch memory of separations and casts.
#[derive(Debug, Clone, Default)]
pub(super) struct SeparationScratch {
    pub sides: [Vec<SeparatedPart>; 2],
    /// Pairs of these.
    pub pairs: Vec<[u32; 2]>,
    /// How far a pair may reach, and which.
    pub ranked: Vec<(f64, u32)>,
}
