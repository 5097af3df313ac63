//! Pairs of oriented boxes, looked at when there are enough to fill the lanes.

use std::ops::ControlFlow;

use super::{Ahead, Aim, Descent, Reached, bits, order};
use crate::num::Scalar;
use crate::pair::turned::{CLOSE, Look};
use crate::tree::TreeScratch;

/// Pairs of nodes whose oriented boxes are yet to be looked at.
#[derive(Debug, Clone, Default)]
pub(in crate::tree) struct Close {
    /// The numbers of their spots.
    spots: [[u32; CLOSE]; 2],
    /// A bit for each: whether both belong to their cuts, and whether their boxes along the frames
    /// surely touch.
    stay: u32,
    sure: u32,
    /// As of [`Ahead`].
    excess: [f32; CLOSE],
    len: usize,
}

impl Close {
    pub fn push(&mut self, next: Ahead, stay: u32, sure: u32) {
        (self.spots[0][self.len], self.spots[1][self.len]) = (next.spots[0], next.spots[1]);
        self.excess[self.len] = next.excess;
        self.stay |= stay << self.len;
        self.sure |= sure << self.len;
        self.len += 1;
    }

    pub fn clear(&mut self) {
        (self.stay, self.sure, self.len) = (0, 0, 0);
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether these are as many as are looked at together.
    pub fn is_full(&self) -> bool {
        self.len == CLOSE
    }
}

impl<T: Scalar> Descent<'_, '_, T> {
    /// The oriented boxes of what waits: what these do not tell apart goes on, or has reached the
    /// cut.
    pub(super) fn look_closer(
        &self,
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Close { mut spots, stay, sure, excess, len } = scratch.close.clone();
        // The lanes left over take the roots; what was there is of other trees.
        spots.iter_mut().for_each(|numbers| numbers[len..].fill(0));
        let [first, second] = self.octets;
        let mut depths = [[0.0; CLOSE], [f32::INFINITY; CLOSE]];
        let told = Look {
            frame: &self.frame,
            records: [&first.records, &second.records],
            pairs: &spots,
            len,
            depths: (self.manner.aim == Aim::Deepest).then_some((&mut depths, self.far_out)),
        }
        .told(scratch.level);
        scratch.counts.oriented += len as u64;
        scratch.close.clear();
        let before = scratch.ahead.len();
        for place in bits(u64::from(!told.apart & (u32::MAX >> (32 - len)))) {
            let is = |bits: u32| bits >> place & 1 == 1;
            let [x, y] = spots.map(|numbers| numbers[place as usize]);
            if !is(stay) {
                scratch.ahead.push(Ahead { spots: [x, y], excess: excess[place as usize] });
                continue;
            }
            let (x, y) = (&first.spots[x as usize], &second.spots[y as usize]);
            let held = is(sure) || x.held && y.held;
            let same = is(sure) && x.upright && y.upright;
            let told = self.is_exact() || same || held && is(told.touching);
            let depth = depths.map(|depths| depths[place as usize]);
            if at_cut(Reached { nodes: (x.node, y.node), told, depth }, scratch).is_break() {
                return ControlFlow::Break(());
            }
        }
        order(self.manner.aim, &mut scratch.ahead[before..]);
        ControlFlow::Continue(())
    }
}
