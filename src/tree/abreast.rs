//! The descent eight nodes abreast: what the two halves of a node, and theirs, would be asked one after another, asked together.
//!
//! First the boxes along the frames of the parts, eight of one against eight of the other by their face normals; what these leave is little,
//! and waits until there are enough pairs of oriented boxes to be asked side by side.

use std::ops::ControlFlow;

use super::octets::{Octets, Spot, Wide};
use super::{Accuracy, LEVELS, Node, Scratch, TreePair};
use crate::num::Scalar;
use crate::num::linear::{add, sub, turn};
use crate::pair::octet::{Facing, look};
use crate::pair::turned::{CLOSE, look_turned};

/// What is known of two nodes of the cuts when they are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// Nothing on the way told their boxes apart.
    Near,
    /// Both boxes touch; or primitives decide, and boxes have told what they can.
    Told,
}

/// How a descent goes on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub accuracy: Accuracy,
    /// Whether one answer is enough: then none waits for others.
    pub first_only: bool,
}

/// Pairs of nodes whose oriented boxes are yet to be looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Close {
    spots: [[Spot; 2]; CLOSE],
    /// The numbers of their records.
    records: [[u32; CLOSE]; 2],
    /// A bit for each: whether both belong to their cuts, and whether their boxes along the frames surely touch where these do.
    stay: u32,
    sure: u32,
    len: usize,
}

/// How one of two nodes goes on.
enum Step<'a, T: Scalar> {
    /// It belongs to the cut.
    Stays,
    Opens(&'a Wide<T>),
    /// The cut runs through what its octet would skip.
    OneByOne,
}

impl Close {
    fn push(&mut self, [x, y]: [Spot; 2], stay: bool, sure: bool) {
        let place = self.len;
        self.spots[place] = [x, y];
        (self.records[0][place], self.records[1][place]) = (x.record, y.record);
        self.stay |= u32::from(stay) << place;
        self.sure |= u32::from(sure || x.held && y.held) << place;
        self.len += 1;
    }

    fn clear(&mut self) {
        (self.stay, self.sure, self.len) = (0, 0, 0);
    }
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// As [`TreePair::descend_to`] from the roots to the cut of that accuracy, and the same set.
    pub(super) fn descend_abreast(
        &self,
        manner: Manner,
        scratch: &mut Scratch,
        mut at_cut: impl FnMut((u32, u32), Reached, &mut Scratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (accuracy, (first, second)) = (manner.accuracy, self.octets());
        let Some(facing) = self.facing_of_octets() else {
            return self.descend_to(accuracy, [(0, 0); 2], scratch, &mut at_cut);
        };
        scratch.spots.clear();
        scratch.close.clear();
        scratch.spots.push([first.root(), second.root()]);
        loop {
            let Some([a, b]) = scratch.spots.pop() else {
                if scratch.close.len == 0 {
                    return ControlFlow::Continue(());
                }
                self.look_closer(manner, &facing, scratch, &mut at_cut)?;
                continue;
            };
            let steps = [
                step(first, self.node_of(0, a.node), a, accuracy),
                step(second, self.node_of(1, b.node), b, accuracy),
            ];
            let (alone_a, alone_b);
            let wides = match steps {
                [Step::Opens(a), Step::Opens(b)] => [a, b],
                [Step::Opens(wide), Step::Stays] => {
                    alone_b = second.alone(self.node_of(1, b.node), b);
                    [wide, &alone_b]
                }
                [Step::Stays, Step::Opens(wide)] => {
                    alone_a = first.alone(self.node_of(0, a.node), a);
                    [&alone_a, wide]
                }
                _ => {
                    let from = [(a.node, a.depth), (b.node, b.depth)];
                    self.descend_to(accuracy, from, scratch, &mut at_cut)?;
                    continue;
                }
            };
            self.compare(manner, &facing, wides, scratch, &mut at_cut)?;
        }
    }

    /// Every box of one octet against every one of another: what is near goes on, or is looked at closer.
    fn compare(
        &self,
        manner: Manner,
        facing: &Facing,
        [a, b]: [&Wide<T>; 2],
        scratch: &mut Scratch,
        at_cut: &mut impl FnMut((u32, u32), Reached, &mut Scratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let accuracy = manner.accuracy;
        let lens = [usize::from(a.len), usize::from(b.len)];
        let stays = [self.staying(0, a, accuracy), self.staying(1, b, accuracy)];
        // Where primitives decide, every box that holds them may cull, so the oriented ones do on the way, too.
        let exact = accuracy == Accuracy::Exact;
        let thorough = stays[0] != 0 && stays[1] != 0 && !exact && !(a.held && b.held);
        let seen = look(scratch.level, facing, [&a.boxes, &b.boxes], (lens, thorough));
        let level = usize::from(a.deepest.max(b.deepest)).min(LEVELS - 1);
        scratch.counts.boxes[level] += (lens[0] * lens[1]) as u64;
        for (i, &x) in a.spots[..lens[0]].iter().enumerate() {
            let mut near = seen.near[i];
            let with = if stays[0] >> i & 1 == 1 { stays[1] } else { 0 };
            while near != 0 {
                let j = near.trailing_zeros();
                near &= near - 1;
                let pair = [x, b.spots[j as usize]];
                let stay = with >> j & 1 == 1;
                if !stay && !exact {
                    scratch.spots.push(pair);
                    continue;
                }
                scratch.close.push(pair, stay, seen.touching[i] >> j & 1 == 1);
                if scratch.close.len == CLOSE {
                    self.look_closer(manner, facing, scratch, at_cut)?;
                }
            }
        }
        match manner.first_only && scratch.close.len > 0 {
            true => self.look_closer(manner, facing, scratch, at_cut),
            false => ControlFlow::Continue(()),
        }
    }

    /// The oriented boxes of what waits: what these do not tell apart goes on, or has reached the cut.
    fn look_closer(
        &self,
        manner: Manner,
        facing: &Facing,
        scratch: &mut Scratch,
        at_cut: &mut impl FnMut((u32, u32), Reached, &mut Scratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Close { spots, mut records, stay, sure, len } = scratch.close.clone();
        // The lanes left over take the roots; what was there is of other trees.
        records.iter_mut().for_each(|numbers| numbers[len..].fill(0));
        let (first, second) = self.octets();
        let told =
            look_turned(scratch.level, facing, [&first.records, &second.records], &records, len);
        scratch.counts.oriented += len as u64;
        scratch.close.clear();
        let exact = manner.accuracy == Accuracy::Exact;
        let certain = if exact { u32::MAX } else { told.touching & sure };
        let mut near = !told.apart & (u32::MAX >> (32 - len));
        while near != 0 {
            let place = near.trailing_zeros();
            near &= near - 1;
            let [x, y] = spots[place as usize];
            if stay >> place & 1 == 0 {
                scratch.spots.push([x, y]);
                continue;
            }
            let reached = if certain >> place & 1 == 1 { Reached::Told } else { Reached::Near };
            if at_cut((x.node, y.node), reached, scratch).is_break() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// A bit for each node of an octet that belongs to the cut.
    fn staying(&self, which: usize, wide: &Wide<T>, accuracy: Accuracy) -> u8 {
        match accuracy {
            Accuracy::Exact | Accuracy::Budget(_) => wide.leaves,
            Accuracy::Depth(cut) if cut > wide.deepest => wide.leaves,
            _ => {
                let mut bits = wide.leaves;
                for (i, spot) in wide.spots[..usize::from(wide.len)].iter().enumerate() {
                    let node = self.node_of(which, spot.node);
                    bits |= u8::from(!accuracy.opens_node(node, spot.depth)) << i;
                }
                bits
            }
        }
    }

    fn facing_of_octets(&self) -> Option<Facing> {
        let (first, second) = self.octets();
        let ((rotation, offset), reach) = (self.frame(), self.seats().reaches());
        let middle = add(turn(rotation, second.middle), offset);
        Facing::new::<T>(rotation, sub(middle, first.middle), first.size + second.size, reach)
    }
}

fn step<'a, T: Scalar>(
    octets: &'a Octets<T>,
    node: &Node<T>,
    spot: Spot,
    accuracy: Accuracy,
) -> Step<'a, T> {
    if spot.is_leaf() || !accuracy.opens(node.bound, spot.depth) {
        return Step::Stays;
    }
    octets.below(spot, accuracy).map_or(Step::OneByOne, Step::Opens)
}
