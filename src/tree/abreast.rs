//! The descent eight nodes abreast: what the two halves of a node, and theirs, would be asked one after another, asked together.
//!
//! First the boxes along the frames of the parts, eight of one against eight of the other by their face normals; what these leave is little,
//! and waits until there are enough pairs of oriented boxes to be asked side by side.

use std::ops::ControlFlow;

use super::octets::{Octets, Spot, Wide};
use super::{Accuracy, LEVELS, Node, Scratch, TreePair};
use crate::num::Scalar;
use crate::num::linear::{add, sub, turn};
use crate::pair::octet::{Facing, SIDE, look, squared};
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
    /// The numbers of their spots.
    spots: [[u32; CLOSE]; 2],
    /// A bit for each: whether both belong to their cuts, and whether their boxes along the frames surely touch.
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
    fn push(&mut self, [x, y]: [u32; 2], stay: u32, sure: u32) {
        (self.spots[0][self.len], self.spots[1][self.len]) = (x, y);
        self.stay |= stay << self.len;
        self.sure |= sure << self.len;
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
        // The roots.
        scratch.spots.push([0, 0]);
        loop {
            let Some([a, b]) = scratch.spots.pop() else {
                if scratch.close.len == 0 {
                    return ControlFlow::Continue(());
                }
                self.look_closer(manner, &facing, scratch, &mut at_cut)?;
                continue;
            };
            let (spot_a, spot_b) = (&first.spots[a as usize], &second.spots[b as usize]);
            let (node_a, node_b) = self.nodes(spot_a.node, spot_b.node);
            let (alone_a, alone_b);
            let wides = match [
                step(first, node_a, spot_a, accuracy),
                step(second, node_b, spot_b, accuracy),
            ] {
                [Step::Opens(a), Step::Opens(b)] => [a, b],
                [Step::Opens(wide), Step::Stays] => {
                    alone_b = second.alone(node_b, b, spot_b.depth);
                    [wide, &alone_b]
                }
                [Step::Stays, Step::Opens(wide)] => {
                    alone_a = first.alone(node_a, a, spot_a.depth);
                    [&alone_a, wide]
                }
                _ => {
                    let from = [(spot_a.node, spot_a.depth), (spot_b.node, spot_b.depth)];
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
        let lens = [usize::from(a.len), usize::from(b.len)];
        let stay =
            squared(self.staying(0, a, manner.accuracy), self.staying(1, b, manner.accuracy));
        // Where primitives decide, every box that holds them may cull, so the oriented ones do on the way, too.
        let exact = manner.accuracy == Accuracy::Exact;
        let thorough = stay != 0 && !exact && !(a.held && b.held);
        let seen = look(scratch.level, facing, [&a.boxes, &b.boxes], (lens, thorough));
        let level = usize::from(a.deepest.max(b.deepest)).min(LEVELS - 1);
        scratch.counts.boxes[level] += (lens[0] * lens[1]) as u64;
        let pair = |bit: u32| [a.first + bit / SIDE as u32, b.first + bit % SIDE as u32];
        let closer = if exact { seen.near } else { seen.near & stay };
        scratch.spots.extend(bits(seen.near & !closer).map(pair));
        for bit in bits(closer) {
            let is = |bits: u64| (bits >> bit & 1) as u32;
            scratch.close.push(pair(bit), is(stay), is(seen.touching));
            if scratch.close.len == CLOSE {
                self.look_closer(manner, facing, scratch, at_cut)?;
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
        let Close { mut spots, stay, sure, len } = scratch.close.clone();
        // The lanes left over take the roots; what was there is of other trees.
        spots.iter_mut().for_each(|numbers| numbers[len..].fill(0));
        let (first, second) = self.octets();
        let told =
            look_turned(scratch.level, facing, [&first.records, &second.records], &spots, len);
        scratch.counts.oriented += len as u64;
        scratch.close.clear();
        let exact = manner.accuracy == Accuracy::Exact;
        for place in bits(u64::from(!told.apart & (u32::MAX >> (32 - len)))) {
            let is = |bits: u32| bits >> place & 1 == 1;
            let [x, y] = spots.map(|numbers| numbers[place as usize]);
            if !is(stay) {
                scratch.spots.push([x, y]);
                continue;
            }
            let (x, y) = (&first.spots[x as usize], &second.spots[y as usize]);
            let certain = exact || is(told.touching) && (is(sure) || x.held && y.held);
            let reached = if certain { Reached::Told } else { Reached::Near };
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
                let octets = if which == 0 { self.octets().0 } else { self.octets().1 };
                let mut bits = wide.leaves;
                for (i, spot) in octets.spots_of(wide).iter().enumerate() {
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
    spot: &Spot,
    accuracy: Accuracy,
) -> Step<'a, T> {
    if spot.is_leaf() || !accuracy.opens(node.bound, spot.depth) {
        return Step::Stays;
    }
    octets.below(spot, accuracy).map_or(Step::OneByOne, Step::Opens)
}

/// The places of the bits that are set, ascending.
fn bits(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        (place < u64::BITS).then(|| {
            bits &= bits - 1;
            place
        })
    })
}
