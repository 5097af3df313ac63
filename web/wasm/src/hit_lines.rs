//! Lines of contacts: touching boxes, points, normals, and the world boxes of characters.

use boxwood::{Hit, Snapshot, draw};

use crate::wire;

/// Number of kinds of lines.
pub(crate) const KINDS: usize = 4;

/// Kinds, in the order of the lists.
const HITS: usize = 0;
const POINTS: usize = 1;
const NORMALS: usize = 2;
const CHARACTERS: usize = 3;

/// Lists of lines, six numbers each, by kind; reused from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct HitLines {
    pub of: [Vec<f32>; KINDS],
}

impl HitLines {
    /// Fills the lists; `cross` is the size of the crosses.
    pub fn fill(&mut self, now: &Snapshot<'_>, hits: &[Hit], cross: f32) {
        self.of.iter_mut().for_each(Vec::clear);
        let lines = draw::Lines::none().cross(cross);
        let lines = lines.hits(HITS).points(POINTS).normals(NORMALS).characters(CHARACTERS);
        draw::for_each_line(now, hits, &lines, |from, to, kind: usize| {
            wire::add(&mut self.of[kind], from, to);
        });
    }
}
