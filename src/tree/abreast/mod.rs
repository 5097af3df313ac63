//! The descent eight nodes abreast: what the two halves of a node, and theirs, would be asked one
//! after another, asked together.
//!
//! First the boxes along the frames of the parts, eight of one against eight of the other by their
//! face normals; what these leave is little, and waits until there are enough pairs of oriented
//! boxes to be asked side by side.

mod close;

use std::cmp::Ordering::Equal;
use std::ops::ControlFlow;

pub(super) use close::Close;

use super::octets::{Octets, Spot, Wide};
use super::{Accuracy, LEVELS, Node, TreePair, TreeScratch};
use crate::num::Scalar;
use crate::num::linear::{add, sub, turn};
use crate::pair::octet::{RelativeFrame, SIDE, Seen, look, squared};
use crate::pair::turned::CLOSE;

/// Two nodes of the cuts, and what is known of them when they are reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// In the order of the arithmetic.
    pub nodes: (u32, u32),
    /// Whether both boxes touch; or primitives decide, and boxes have told what they can. Else
    /// nothing on the way told them apart.
    pub told: bool,
    /// If they touch, their contact is no less deep and no deeper than this.
    pub depth: [f32; 2],
}

impl Reached {
    pub fn new(nodes: (u32, u32)) -> Self {
        Reached { nodes, told: false, depth: [0.0, f32::INFINITY] }
    }
}

/// What a descent is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// All that touches.
    All,
    /// Whether anything does; so nothing waits for company.
    First,
    /// The deepest contact: what is surely less deep than another may be left out.
    Deepest,
}

/// How a descent goes on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub accuracy: Accuracy,
    pub aim: Aim,
}

/// Pairs of nodes, by the numbers of their spots, that are yet to be opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    spots: [u32; 2],
    /// How far apart the face normals show the boxes along the frames to be, at most; negative if
    /// these overlap.
    excess: f32,
}

/// How one of two nodes goes on.
enum WideStep<'a, T: Scalar> {
    /// It belongs to the cut.
    Stays,
    Opens(&'a Wide<T>),
    /// The cut runs through what its octet would skip.
    OneByOne,
}

/// A descent on its way.
struct Descent<'p, 'a, T: Scalar> {
    pair: &'p TreePair<'a, T>,
    octets: [&'a Octets<T>; 2],
    manner: Manner,
    frame: RelativeFrame,
    /// How much deeper a contact may be than the boxes along the frames that hold the two leaves
    /// overlap.
    deeper: f32,
    /// What rounding in the world may add to a depth or take from it.
    far_out: f32,
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// As [`TreePair::descend_to`] from the roots to the cut of that accuracy, and the same set, or
    /// what is asked of it.
    pub(super) fn descend_abreast(
        &self,
        manner: Manner,
        scratch: &mut TreeScratch,
        mut at_cut: impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(frame) = self.frame_of_octets() else {
            return self.descend_to(manner.accuracy, [(0, 0); 2], scratch, &mut at_cut);
        };
        let octets = self.octets();
        let far_out = if manner.aim == Aim::Deepest { self.far_out() } else { 0.0 };
        let deeper = f32::at_least(self.deeper(manner) + f64::from(far_out + frame.pad));
        Descent { pair: self, octets, manner, frame, deeper, far_out }.run(scratch, &mut at_cut)
    }

    fn frame_of_octets(&self) -> Option<RelativeFrame> {
        let [first, second] = self.octets();
        let ((rotation, offset), reach) = (self.frame(), self.seats().reaches());
        let middle = add(turn(rotation, second.middle), offset);
        RelativeFrame::new::<T>(
            rotation,
            sub(middle, first.middle),
            first.size + second.size,
            reach,
        )
    }
}

impl<T: Scalar> Descent<'_, '_, T> {
    fn run(
        &self,
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        scratch.ahead.clear();
        scratch.close.clear();
        // The roots.
        scratch.ahead.push(Ahead { spots: [0, 0], excess: f32::NEG_INFINITY });
        loop {
            match scratch.ahead.pop() {
                Some(next) if self.is_too_shallow(next.excess, scratch) => {}
                Some(next) => self.open(next.spots, scratch, at_cut)?,
                None if scratch.close.len() > 0 => self.look_closer(scratch, at_cut)?,
                None => return ControlFlow::Continue(()),
            }
        }
    }

    /// Whether no contact of nodes in boxes that overlap like that can be the deepest.
    fn is_too_shallow(&self, excess: f32, scratch: &TreeScratch) -> bool {
        let known = self.manner.aim == Aim::Deepest && scratch.deepest > 0.0;
        known && self.deeper - excess < scratch.deepest
    }

    /// What stands for two nodes, of which one at least is not of its cut.
    fn open(
        &self,
        [a, b]: [u32; 2],
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (accuracy, [first, second]) = (self.manner.accuracy, self.octets);
        let (spot_a, spot_b) = (&first.spots[a as usize], &second.spots[b as usize]);
        let (node_a, node_b) = self.pair.nodes(spot_a.node, spot_b.node);
        let steps = [step(first, node_a, spot_a, accuracy), step(second, node_b, spot_b, accuracy)];
        match steps {
            [WideStep::Opens(a), WideStep::Opens(b)] => self.compare([a, b], scratch, at_cut),
            [WideStep::Opens(wide), WideStep::Stays] => {
                self.compare([wide, &second.alone(node_b, b, spot_b.depth)], scratch, at_cut)
            }
            [WideStep::Stays, WideStep::Opens(wide)] => {
                self.compare([&first.alone(node_a, a, spot_a.depth), wide], scratch, at_cut)
            }
            _ => {
                let from = [(spot_a.node, spot_a.depth), (spot_b.node, spot_b.depth)];
                self.pair.descend_to(accuracy, from, scratch, at_cut)
            }
        }
    }

    /// Every box of one octet against every one of another: what is near goes on, or is looked at
    /// closer.
    fn compare(
        &self,
        wides: [&Wide<T>; 2],
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let stay = squared(self.staying(0, wides[0]), self.staying(1, wides[1]));
        let mut excess = [0.0; SIDE * SIDE];
        let seen = self.look(wides, stay, &mut excess, scratch);
        let ahead = |bit: u32| Ahead {
            spots: [wides[0].first + bit / SIDE as u32, wides[1].first + bit % SIDE as u32],
            excess: excess[bit as usize],
        };
        let closer = if self.is_exact() { seen.near } else { seen.near & stay };
        let before = scratch.ahead.len();
        scratch.ahead.extend(bits(seen.near & !closer).map(ahead));
        order(self.manner.aim, &mut scratch.ahead[before..]);
        for bit in bits(closer) {
            if self.is_too_shallow(excess[bit as usize], scratch) {
                continue;
            }
            let is = |bits: u64| (bits >> bit & 1) as u32;
            scratch.close.push(ahead(bit), is(stay), is(seen.touching));
            if scratch.close.is_full() {
                self.look_closer(scratch, at_cut)?;
            }
        }
        match scratch.close.len() >= self.enough() {
            true => self.look_closer(scratch, at_cut),
            false => ControlFlow::Continue(()),
        }
    }

    /// What the boxes along the frames tell; `stay`: which pairs belong to both cuts.
    fn look(
        &self,
        [a, b]: [&Wide<T>; 2],
        stay: u64,
        excess: &mut [f32; SIDE * SIDE],
        scratch: &mut TreeScratch,
    ) -> Seen {
        let lens = [usize::from(a.len), usize::from(b.len)];
        let level = usize::from(a.deepest.max(b.deepest)).min(LEVELS - 1);
        scratch.counts.boxes[level] += (lens[0] * lens[1]) as u64;
        // The oriented boxes tell as much where these lie in those along the frames, unless they
        // are those and may be parallel.
        let same = a.upright && b.upright;
        let thorough = stay != 0 && !self.is_exact() && (same || !(a.held && b.held));
        look(scratch.level, &self.frame, [&a.boxes, &b.boxes], (lens, thorough), excess)
    }

    /// Whether primitives decide: then every box that holds them may cull, so the oriented ones do
    /// on the way, too.
    fn is_exact(&self) -> bool {
        self.manner.accuracy == Accuracy::Exact
    }

    /// So many pairs of oriented boxes do not wait for more.
    fn enough(&self) -> usize {
        match self.manner.aim {
            Aim::First if !self.is_exact() => 1,
            Aim::Deepest => CLOSE / 2,
            // All are asked for; or primitives decide, and of those whose boxes touch few do.
            _ => CLOSE,
        }
    }

    /// A bit for each node of an octet that belongs to the cut.
    fn staying(&self, which: usize, wide: &Wide<T>) -> u8 {
        match self.manner.accuracy {
            Accuracy::Exact | Accuracy::Budget(_) => wide.leaves,
            Accuracy::Depth(cut) if cut > wide.deepest => wide.leaves,
            accuracy => {
                let mut bits = wide.leaves;
                for (i, spot) in self.octets[which].spots_of(wide).iter().enumerate() {
                    let node = self.pair.node_of(which, spot.node);
                    bits |= u8::from(!accuracy.opens_node(node, spot.depth)) << i;
                }
                bits
            }
        }
    }
}

fn step<'a, T: Scalar>(
    octets: &'a Octets<T>,
    node: &Node<T>,
    spot: &Spot,
    accuracy: Accuracy,
) -> WideStep<'a, T> {
    if spot.is_leaf() || !accuracy.opens(node.bound, spot.depth) {
        return WideStep::Stays;
    }
    octets.below(spot, accuracy).map_or(WideStep::OneByOne, WideStep::Opens)
}

/// Puts last what is to be opened first: what overlaps most, as the likeliest to touch, and to
/// touch deeply.
fn order(aim: Aim, ahead: &mut [Ahead]) {
    // Zeros of either sign are alike: which it is depends on the instructions.
    let later = |x: &Ahead, y: &Ahead| y.excess.partial_cmp(&x.excess).unwrap_or(Equal);
    match aim {
        Aim::All => {}
        Aim::First => {
            let deepest = (0..ahead.len()).max_by(|&i, &j| later(&ahead[i], &ahead[j]));
            if let (Some(deepest), Some(last)) = (deepest, ahead.len().checked_sub(1)) {
                ahead.swap(deepest, last);
            }
        }
        Aim::Deepest => ahead.sort_unstable_by(later),
    }
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
