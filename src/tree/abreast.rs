//! The descent eight nodes abreast: what the two halves of a node, and theirs, would be asked one after another, asked together.

use std::ops::ControlFlow;

use super::octets::{Octets, Spot, Wide};
use super::{Accuracy, LEVELS, Node, Scratch, TreePair};
use crate::num::Scalar;
use crate::num::linear::{add, sub, turn};
use crate::pair::octet::{Facing, SIDE, Seen, look};
use crate::pair::turned::look_turned;

/// What is known of two nodes of the cuts when they are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// Nothing on the way told their boxes apart.
    Near,
    /// The part-aligned boxes touch.
    Aligned,
    /// Both boxes touch; or primitives decide, and boxes have told what they can.
    Told,
}

/// How one of two nodes goes on.
enum Step<'a, T: Scalar> {
    /// It belongs to the cut.
    Stays,
    Opens(&'a Wide<T>),
    /// The cut runs through what its octet would skip.
    OneByOne,
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// As [`TreePair::descend`] from the roots to the cut of that accuracy, and the same set.
    pub(super) fn descend_abreast(
        &self,
        accuracy: Accuracy,
        scratch: &mut Scratch,
        mut at_cut: impl FnMut((u32, u32), Reached, &mut Scratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (first, second) = (self.octets().0, self.octets().1);
        let Some(facing) = self.facing_of_octets() else {
            return self.descend_to(accuracy, [(0, 0); 2], scratch, &mut at_cut);
        };
        scratch.spots.clear();
        scratch.spots.push([first.root(), second.root()]);
        while let Some([a, b]) = scratch.spots.pop() {
            let (node_a, node_b) = self.nodes(a.node, b.node);
            let steps = [step(first, node_a, a, accuracy), step(second, node_b, b, accuracy)];
            let (alone_a, alone_b);
            let (wide_a, wide_b) = match steps {
                [Step::Opens(a), Step::Opens(b)] => (a, b),
                [Step::Opens(wide), Step::Stays] => {
                    alone_b = second.alone(node_b, b);
                    (wide, &alone_b)
                }
                [Step::Stays, Step::Opens(wide)] => {
                    alone_a = first.alone(node_a, a);
                    (&alone_a, wide)
                }
                _ => {
                    let from = [(a.node, a.depth), (b.node, b.depth)];
                    self.descend_to(accuracy, from, scratch, &mut at_cut)?;
                    continue;
                }
            };
            self.compare(accuracy, &facing, [wide_a, wide_b], scratch, &mut at_cut)?;
        }
        ControlFlow::Continue(())
    }

    /// Every box of one octet against every one of another: what is near goes on, or has reached the cut.
    fn compare(
        &self,
        accuracy: Accuracy,
        facing: &Facing,
        [a, b]: [&Wide<T>; 2],
        scratch: &mut Scratch,
        at_cut: &mut impl FnMut((u32, u32), Reached, &mut Scratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let lens = [usize::from(a.len), usize::from(b.len)];
        let stays = [self.staying(0, a, accuracy), self.staying(1, b, accuracy)];
        let cut = stays[0] != 0 && stays[1] != 0;
        // Where primitives decide, every box that holds them may cull, so the oriented ones do on the way, too.
        let exact = accuracy == Accuracy::Exact;
        let mut seen = look(scratch.level, facing, [&a.boxes, &b.boxes], (lens, cut && !exact));
        let level = usize::from(a.deepest.max(b.deepest)).min(LEVELS - 1);
        scratch.counts.boxes[level] += (lens[0] * lens[1]) as u64;
        let mut certain = [0; SIDE];
        if cut || exact {
            let asked = if exact { [u8::MAX; 2] } else { stays };
            certain = self.look_turned((facing, asked), [a, b], &mut seen, scratch);
        }
        for (i, &x) in a.spots[..lens[0]].iter().enumerate() {
            let mut near = seen.near[i];
            let stays = if stays[0] >> i & 1 == 1 { stays[1] } else { 0 };
            while near != 0 {
                let j = near.trailing_zeros();
                near &= near - 1;
                let y = b.spots[j as usize];
                if stays >> j & 1 == 0 {
                    scratch.spots.push([x, y]);
                    continue;
                }
                let reached = match (seen.touching[i] >> j & 1, certain[i] >> j & 1) {
                    _ if exact => Reached::Told,
                    (1, 1) => Reached::Told,
                    (1, _) => Reached::Aligned,
                    _ => Reached::Near,
                };
                if at_cut((x.node, y.node), reached, scratch).is_break() {
                    scratch.spots.clear();
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes from what is near, of the nodes whose bits are set, what the oriented boxes tell apart; returns what they tell to touch.
    fn look_turned(
        &self,
        (facing, of): (&Facing, [u8; 2]),
        [a, b]: [&Wide<T>; 2],
        seen: &mut Seen,
        scratch: &mut Scratch,
    ) -> [u8; SIDE] {
        let (mut asked, mut any, mut rows) = ([0; SIDE], 0, 0);
        for (i, asked) in asked.iter_mut().enumerate() {
            *asked = if of[0] >> i & 1 == 1 { seen.near[i] & of[1] } else { 0 };
            any |= *asked;
            rows |= u8::from(*asked != 0) << i;
            scratch.counts.oriented += u64::from(asked.count_ones());
        }
        if any == 0 {
            return asked;
        }
        let [of_a, of_b] = &mut scratch.turned;
        self.turn(0, a, rows, of_a);
        self.turn(1, b, any, of_b);
        let told = look_turned(scratch.level, facing, [of_a, of_b], asked);
        for ((near, asked), told) in seen.near.iter_mut().zip(asked).zip(told.near) {
            *near &= !asked | told;
        }
        told.touching
    }

    /// A bit for each node of an octet that belongs to the cut.
    fn staying(&self, which: usize, wide: &Wide<T>, accuracy: Accuracy) -> u8 {
        let mut bits = 0;
        for (i, spot) in wide.spots[..usize::from(wide.len)].iter().enumerate() {
            let node = self.node_of(which, spot.node);
            bits |= u8::from(!accuracy.opens_node(node, spot.depth)) << i;
        }
        bits
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
    if !accuracy.opens_node(node, spot.depth) {
        return Step::Stays;
    }
    octets.below(spot, accuracy).map_or(Step::OneByOne, Step::Opens)
}
