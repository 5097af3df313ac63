//! Candidates: two parts whose world boxes overlap. Most are told apart on the way in, many at a
//! time.

use std::ops::ControlFlow;

use super::Character;
use super::boxes::Entry;
use super::filter::Sieve;
use super::hit::QueryScratch;
use super::search::Search;
use crate::broad_phase::{BlockOverlaps, Nearness};
use crate::model::{PartBoxes, PartId};
use crate::num::{Scalar, SimdLevel};
use crate::sat::prefilter::{PosedBox, PrefilterQueue};
use crate::tree::{Counts, NodeId};

/// Two parts, by character's place, part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub a: (u32, PartId),
    pub b: (u32, PartId),
}

/// Two parts whose root boxes may touch, as far as is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kept {
    pub parts: Candidate,
    /// Whether those that stand along the frames surely do.
    pub touching: bool,
}

impl Candidate {
    /// The same for both ways round.
    pub fn unordered(&self) -> [(u32, PartId); 2] {
        if self.b < self.a { [self.b, self.a] } else { [self.a, self.b] }
    }

    pub fn key(&self, node_a: NodeId, node_b: NodeId) -> [u32; 6] {
        let side = |(place, part): (u32, PartId), node: NodeId| {
            [place, part.index() as u32, node.index() as u32]
        };
        let ([a, b, c], [d, e, f]) = (side(self.a, node_a), side(self.b, node_b));
        [a, b, c, d, e, f]
    }
}

/// Takes candidates in, the only way: the last ones wait in the prefilter's queue, which is tested
/// when there are enough for all lanes.
pub(super) struct Incoming<'w> {
    candidates: &'w mut Vec<Kept>,
    queue: &'w mut PrefilterQueue,
    counts: &'w mut Counts,
    level: SimdLevel,
}

impl Incoming<'_> {
    /// Takes one in as it is.
    fn push(&mut self, parts: Candidate) {
        self.prefilter();
        self.candidates.push(Kept { parts, touching: false });
    }

    /// Takes one in whose boxes can be placed in single precision.
    #[inline]
    fn push_posed<T: Scalar>(
        &mut self,
        (parts, margin): (Candidate, f64),
        a: &PosedBox<'_, T>,
        b: &PosedBox<'_, T>,
    ) {
        self.candidates.push(Kept { parts, touching: false });
        self.queue.push_posed(a, b, margin);
        if self.queue.is_full() {
            self.prefilter();
        }
    }

    /// Looks at those that wait: what is apart goes, and is counted as one test of the roots.
    pub fn prefilter(&mut self) {
        let start = self.candidates.len() - self.queue.len();
        if start == self.candidates.len() {
            return;
        }
        let masks = self.queue.masks_posed(self.level);
        self.counts.boxes[0] += u64::from(masks.apart.count_ones());
        let mut kept = start;
        for at in start..self.candidates.len() {
            let is = |bits: u64| bits >> (at - start) & 1 == 1;
            // Written before it is known whether it stays: no branch to mispredict.
            self.candidates[kept] = Kept { touching: is(masks.overlap), ..self.candidates[at] };
            kept += usize::from(!is(masks.apart));
        }
        self.candidates.truncate(kept);
    }
}

impl<T: Scalar> QueryScratch<T> {
    pub(super) fn incoming(&mut self, level: SimdLevel) -> Incoming<'_> {
        let QueryScratch { tree, candidates, queue, .. } = self;
        Incoming { candidates, queue, counts: &mut tree.counts, level }
    }
}

impl<T: Scalar> Search<'_, T> {
    /// Two characters whose boxes overlap.
    pub fn characters(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let (one, other) = (self.character(a), self.character(b));
        let sieve = Sieve::new(self.snapshot, self.query.chosen(), [a, b], [one.1, other.1]);
        if sieve.is_shut(&self.query.excluded) {
            return ControlFlow::Continue(());
        }
        let buffers = self.snapshot.buffers;
        let near = Nearness::within(self.margin.least);
        match [one, other].map(|(entry, character)| buffers.part_boxes(entry, character)) {
            [None, None] => self.side_by_side([one.0, other.0], &sieve),
            [_, Some(many)] => {
                self.against_many(one.1, (&many, near), |i, j| sieve.candidate(i, j));
            }
            [Some(many), None] => {
                self.against_many(other.1, (&many, near), |j, i| sieve.candidate(i, j));
            }
        }
        self.candidates()
    }

    /// The parts of one character against those of one that has many; `parts` says which candidate
    /// two of them are, if one.
    fn against_many(
        &mut self,
        one: &Character<T>,
        (many, near): (&PartBoxes<'_, T>, Nearness),
        parts: impl Fn(PartId, PartId) -> Option<Candidate>,
    ) {
        let (mut stack, mut counts) = (std::mem::take(&mut self.work.stack), Counts::default());
        let mut incoming = self.work.incoming(self.snapshot.buffers.level);
        for (i, bounds) in one.near_boxes().enumerate() {
            many.overlaps((&bounds, near), &mut stack, &mut counts, |j| {
                if let Some(parts) = parts(PartId::new(i), j) {
                    incoming.push(parts);
                }
            });
        }
        self.work.tree.counts += counts;
        self.work.stack = stack;
    }

    /// Two characters of few parts.
    fn side_by_side(&mut self, [one, other]: [&Entry<T>; 2], sieve: &Sieve<'_, T>) {
        let (buffers, quick) = (self.snapshot.buffers, self.is_quick([one, other]));
        let mut near = std::mem::take(&mut self.work.near);
        let [character_a, character_b] = sieve.characters;
        let margin = self.margin.least;
        let rows = [one.rows, other.rows];
        let around = ([one.around, other.around], Nearness::within(margin));
        let (count, compared) = buffers.rows.overlaps(buffers.level, rows, around, &mut near);
        self.work.tree.counts.parts += compared;
        let mut incoming = self.work.incoming(buffers.level);
        for &BlockOverlaps { one, first, mut with } in &near[..count] {
            let part_a = PartId::new(one as usize);
            let posed = quick.then(|| character_a.posed(part_a));
            while with != 0 {
                let part_b = PartId::new((first + with.trailing_zeros()) as usize);
                with &= with - 1;
                let Some(parts) = sieve.candidate(part_a, part_b) else { continue };
                match &posed {
                    Some(posed) => {
                        let other = character_b.posed(part_b);
                        incoming.push_posed((parts, margin), posed, &other);
                    }
                    None => incoming.push(parts),
                }
            }
        }
        self.work.near = near;
    }

    /// One character against itself.
    pub fn within(&mut self, a: u32) -> ControlFlow<()> {
        let (entry, character) = self.character(a);
        let sieve = Sieve::new(self.snapshot, self.query.chosen(), [a, a], [character, character]);
        if sieve.is_shut(&self.query.excluded) {
            return ControlFlow::Continue(());
        }
        match self.snapshot.buffers.part_boxes(entry, character) {
            Some(many) => {
                let (model, margin) = (&character.model, self.margin);
                let near = Nearness::within(model.most_margin(margin));
                // Of those that are as near as any two have to be.
                let is_near = |first, second| {
                    let near = Nearness::within(model.asked_margin((first, second), margin));
                    near.holds(&character.near_box(first), &character.near_box(second))
                };
                self.against_many(character, (&many, near), |first, second| {
                    let asked = first < second && !model.ignores(first, second);
                    let asked = asked && (!model.has_margins() || is_near(first, second));
                    if asked { sieve.candidate(first, second) } else { None }
                });
            }
            None => self.few_within(entry, character, &sieve),
        }
        self.candidates()
    }

    fn few_within(&mut self, entry: &Entry<T>, character: &Character<T>, sieve: &Sieve<'_, T>) {
        let (buffers, quick) = (self.snapshot.buffers, self.is_quick([entry, entry]));
        let mut near = std::mem::take(&mut self.work.near_itself);
        let boxes = buffers.rows.range(entry.rows);
        let boxes = (boxes, self.margin);
        self.work.tree.counts.parts += character.model.overlaps(buffers.level, boxes, &mut near);
        let margin = self.margin;
        let mut incoming = self.work.incoming(buffers.level);
        for &(first, second) in &near {
            match sieve.candidate(first, second) {
                Some(parts) if quick => {
                    let margin = character.model.asked_margin((first, second), margin);
                    let [first, second] = [first, second].map(|part| character.posed(part));
                    incoming.push_posed((parts, margin), &first, &second);
                }
                Some(parts) => incoming.push(parts),
                None => {}
            }
        }
        self.work.near_itself = near;
    }

    /// Whether the prefilter can tell anything of parts of both that is asked for.
    fn is_quick(&self, [a, b]: [&Entry<T>; 2]) -> bool {
        a.quick && b.quick && !self.is_budgeted()
    }
}
