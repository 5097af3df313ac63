//! Options that pair queries and the filters of volume queries share.

use super::excluded::ExcludedCharacters;
use super::pair_query::Detail;
use crate::tree::Accuracy;

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
