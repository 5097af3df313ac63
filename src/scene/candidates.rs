//! Candidates: two parts whose world boxes overlap. Most are told apart on the way in, many at a time.

use std::ops::ControlFlow;

use super::boxes::Entry;
use super::filter::Sieve;
use super::hit::Work;
use super::rows::Overlaps;
use super::search::Search;
use crate::model::PartId;
use crate::num::{Level, Scalar};
use crate::pair::glance::{Glances, Posed};
use crate::tree::{Counts, NodeId};

/// Two parts, by character's place, part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub a: (u32, PartId),
    pub b: (u32, PartId),
}

/// Two parts whose root boxes may touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
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

/// Candidates on their way in. The last ones taken in wait to be glanced at, when there are enough for all lanes.
pub(super) struct Incoming<'w> {
    candidates: &'w mut Vec<Near>,
    glances: &'w mut Glances,
    counts: &'w mut Counts,
    level: Level,
}

impl Incoming<'_> {
    /// Takes one in as it is.
    fn push(&mut self, parts: Candidate) {
        self.glance();
        self.candidates.push(Near { parts, touching: false });
    }

    /// Takes one in whose boxes can be placed in single precision.
    #[inline]
    fn push_posed<T: Scalar>(&mut self, parts: Candidate, a: &Posed<'_, T>, b: &Posed<'_, T>) {
        self.candidates.push(Near { parts, touching: false });
        self.glances.push_posed(a, b);
        if self.glances.is_full() {
            self.glance();
        }
    }

    /// Looks at those that wait: what is apart goes, and is counted as one test of the roots.
    pub fn glance(&mut self) {
        let start = self.candidates.len() - self.glances.len();
        if start == self.candidates.len() {
            return;
        }
        let seen = self.glances.look_posed(self.level);
        self.counts.boxes[0] += u64::from(seen.apart.count_ones());
        let mut kept = start;
        for at in start..self.candidates.len() {
            let is = |bits: u64| bits >> (at - start) & 1 == 1;
            // Written before it is known whether it stays: no branch to mispredict.
            self.candidates[kept] = Near { touching: is(seen.touching), ..self.candidates[at] };
            kept += usize::from(!is(seen.apart));
        }
        self.candidates.truncate(kept);
    }
}

impl<T: Scalar> Work<T> {
    pub fn incoming(&mut self, level: Level) -> Incoming<'_> {
        let Work { tree, candidates, glances, .. } = self;
        Incoming { candidates, glances, counts: &mut tree.counts, level }
    }
}

impl<T: Scalar> Search<'_, T> {
    /// Two characters whose boxes overlap.
    pub fn characters(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let ((entry_a, character_a), (entry_b, character_b)) =
            (self.character(a), self.character(b));
        let sieve =
            Sieve::new(self.snapshot, self.query.chosen(), [a, b], [character_a, character_b]);
        if sieve.is_shut(&self.query.excluded) {
            return ControlFlow::Continue(());
        }
        let buffers = self.snapshot.buffers;
        let Work { tree, stack, candidates, .. } = &mut *self.work;
        let mut add = |i: usize, j: usize| {
            let parts = Candidate { a: (a, PartId::new(i)), b: (b, PartId::new(j)) };
            if sieve.lets(parts.a.1, parts.b.1) {
                candidates.push(Near { parts, touching: false });
            }
        };
        let many =
            [(entry_a, character_a), (entry_b, character_b)].map(|(e, c)| buffers.part_boxes(e, c));
        match many {
            [None, None] => self.side_by_side([entry_a, entry_b], &sieve),
            [_, Some(many)] => {
                for (i, part) in character_a.near_boxes().enumerate() {
                    many.overlaps(&part, stack, &mut tree.counts, |j| add(i, j.index()));
                }
            }
            [Some(many), None] => {
                for (j, part) in character_b.near_boxes().enumerate() {
                    many.overlaps(&part, stack, &mut tree.counts, |i| add(i.index(), j));
                }
            }
        }
        self.candidates()
    }

    /// Two characters of few parts.
    fn side_by_side(&mut self, [one, other]: [&Entry<T>; 2], sieve: &Sieve<'_, T>) {
        let (buffers, quick) = (self.snapshot.buffers, self.is_quick([one, other]));
        let mut near = std::mem::take(&mut self.work.near);
        let ([a, b], [character_a, character_b]) = (sieve.places, sieve.characters);
        let (rows, around) = ([one.rows, other.rows], [one.around, other.around]);
        let (count, compared) = buffers.rows.overlaps(buffers.level, rows, around, &mut near);
        self.work.tree.counts.parts += compared;
        let mut incoming = self.work.incoming(buffers.level);
        for &Overlaps { one, first, mut with } in &near[..count] {
            let part_a = PartId::new(one as usize);
            let posed = quick.then(|| character_a.posed(part_a));
            while with != 0 {
                let part_b = PartId::new((first + with.trailing_zeros()) as usize);
                with &= with - 1;
                if sieve.lets(part_a, part_b) {
                    let parts = Candidate { a: (a, part_a), b: (b, part_b) };
                    match &posed {
                        Some(posed) => {
                            incoming.push_posed(parts, posed, &character_b.posed(part_b))
                        }
                        None => incoming.push(parts),
                    }
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
        let (buffers, quick) = (self.snapshot.buffers, self.is_quick([entry, entry]));
        let lets = |first: PartId, second: PartId| {
            !character.model.ignores(first, second) && sieve.lets(first, second)
        };
        if let Some(many) = buffers.part_boxes(entry, character) {
            let Work { tree, stack, candidates, .. } = &mut *self.work;
            for (i, part) in character.near_boxes().enumerate() {
                let first = PartId::new(i);
                many.overlaps(&part, stack, &mut tree.counts, |second| {
                    if first < second && lets(first, second) {
                        let parts = Candidate { a: (a, first), b: (a, second) };
                        candidates.push(Near { parts, touching: false });
                    }
                });
            }
            return self.candidates();
        }
        let parts = character.model.len();
        self.work.tree.counts.parts += (parts * parts.saturating_sub(1) / 2) as u64;
        let mut incoming = self.work.incoming(buffers.level);
        for (i, j) in (0..parts).flat_map(|i| (i + 1..parts).map(move |j| (i, j))) {
            let [first, second] = [i, j].map(PartId::new);
            if buffers.rows.overlap(entry.rows, i, j) && lets(first, second) {
                let parts = Candidate { a: (a, first), b: (a, second) };
                match quick {
                    true => {
                        let [first, second] = [first, second].map(|part| character.posed(part));
                        incoming.push_posed(parts, &first, &second);
                    }
                    false => incoming.push(parts),
                }
            }
        }
        self.candidates()
    }

    /// Whether a glance in single precision tells anything of parts of both that is asked for.
    fn is_quick(&self, [a, b]: [&Entry<T>; 2]) -> bool {
        a.quick && b.quick && !self.is_budgeted()
    }
}
