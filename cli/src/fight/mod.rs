//! Two characters that fight: both play clips; every frame finds the touching parts with points and
//! depths; both are pushed apart along the ground; blows are runs of frames with a hit.
//!
//! The command-line tool and the example `duel` share this module: it needs only the library.

pub mod arena;
pub mod blow;
pub mod cast;
pub mod json;
pub mod play;
pub mod story;
pub mod trouble;

use boxwood::{Accuracy, CharacterKey, Detail, PairQuery};

/// Length and place of the fight, and the query for hits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// Number of frames of 1/60 s.
    pub frames: usize,
    /// Depth of the boxes in each part's tree; bodies are tested exactly.
    pub depth: u8,
    /// Kind of pair that a hit is: parts that share a point, parts of which boxes overlap, or boxes.
    pub detail: Detail,
    /// `true` if the two fight on brushes.
    pub level: bool,
    /// Number of characters that are inserted and removed before the fight.
    pub churn: usize,
}

impl Rules {
    /// Returns the query for the hits of these two.
    pub fn query(&self, [red, blue]: [CharacterKey; 2]) -> PairQuery<'static> {
        let query = PairQuery::between(red, blue);
        query.detail(self.detail).accuracy(self.accuracy())
    }

    /// Returns the accuracy of that query.
    pub fn accuracy(&self) -> Accuracy {
        match self.detail {
            Detail::Bodies => Accuracy::Exact,
            _ => Accuracy::Depth(self.depth),
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules { frames: 300, depth: 3, detail: Detail::Bodies, level: false, churn: 0 }
    }
}
