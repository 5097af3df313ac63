//! Options that pair queries and the filters of volume queries share.

use super::excluded::ExcludedCharacters;
use crate::tree::Accuracy;

/// Kind of answers: about bodies, or about boxes.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
/// use boxwood::{Detail, Hits};
///
/// let mut hits = Hits::new();
/// now.contacts(&PairQuery::all(), &mut hits)?;
/// assert!(hits[0].measured); // the cubes themselves
/// now.contacts(&PairQuery::all().detail(Detail::Boxes), &mut hits)?;
/// assert!(!hits[0].measured && hits.len() == 1); // each part has one box
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Detail {
    /// One answer a part or a pair of parts. The accuracy decides *which* pairs are reported; the
    /// contact of each of them is then measured exactly, between the bodies themselves, whatever
    /// the accuracy: see [`Hit`](crate::scene::Hit). For two skinned parts that cross this takes
    /// some 30 times as long as the exact test whether they touch.
    ///
    /// A part that a ray hits names the first box along the ray, a part that a shape overlaps its
    /// root.
    #[default]
    Bodies,
    /// One answer a part or a pair of parts, whose contact is that of its deepest pair of boxes.
    /// Cheaper at coarse accuracies, where boxes represent whole parts. It need not be as deep as
    /// the bodies, nor lead the same way. For rays and overlaps the same as [`Detail::Bodies`].
    DeepestBoxes,
    /// One answer a box, or pair of boxes, of the cut, with the contact of these boxes: its point
    /// divides the segment between their centres in the ratio of the diagonals.
    Boxes,
}

/// Excluded characters, detail and accuracy of a query.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct AnswerOptions {
    pub excluded: ExcludedCharacters,
    pub detail: Detail,
    /// `None`: the default, which distances have of their own.
    pub accuracy: Option<Accuracy>,
}

impl AnswerOptions {
    /// Returns how fine the boxes are that have to touch.
    #[inline(always)]
    pub fn overlap_accuracy(&self) -> Accuracy {
        self.accuracy.unwrap_or_default()
    }

    /// Returns the accuracy of distances.
    pub fn distance_accuracy(&self) -> Accuracy {
        self.accuracy.unwrap_or(Accuracy::Exact)
    }
}
