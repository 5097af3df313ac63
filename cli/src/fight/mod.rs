//! Two characters fight: they play their clips, and every frame says which parts touch, where and
//! how deep; both are pushed apart along the ground; blows are runs of frames with a hit.
//!
//! The command-line tool and the example `duel` share this: it needs nothing but the library.
#![allow(dead_code)] // each uses some of it

pub mod arena;
pub mod blow;
pub mod cast;
pub mod json;
pub mod play;
pub mod story;
pub mod trouble;

use boxwood::Detail;

/// How long the fight is, where it is, and how hits are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// Frames of 1/60 s.
    pub frames: usize,
    /// Boxes down to that depth of each part's tree.
    pub depth: u8,
    /// Whether a hit is a pair of parts or of boxes.
    pub detail: Detail,
    /// Whether the two stand on brushes.
    pub level: bool,
    /// How many characters come and go first.
    pub churn: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { frames: 300, depth: 3, detail: Detail::Parts, level: false, churn: 0 }
    }
}
