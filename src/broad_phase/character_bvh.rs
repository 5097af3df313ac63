//! BVHs over the boxes of the characters, 16 to a node, for rays and volumes: one of those at rest,
//! reused while none of them changes, and one of those that move.

use super::aabb16::{
    Aabb16, AabbF32, BLOCK, EMPTY_BLOCK, near_mask, prefix_mask, squared_distance, write_boxes,
};
use super::character_aabb::CharacterAabb;
use super::distance_limit::DistanceLimit;
use super::nearness::{NearKernel, Nearness};
use super::ray_slabs::{RayEntries, RaySlabs, l1_radius};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::sorting::{ascending_bits, from_ascending_bits, move_least_to_end};
use crate::num::{Scalar, SimdLevel, set_bits};
use crate::shape::{Aabb, wide_point};

/// BVH of characters that have a box; neighbours share a node.
#[derive(Debug, Clone, Default)]
pub(crate) struct CharacterBvh {
    /// Nodes of characters first, then those around 16 of the former each, and so on; the root
    /// last.
    nodes: Vec<CharacterNode>,
    members: Vec<Member>,
    /// [`l1_radius`] of all boxes. [world units]
    l1_radius: f32,
    /// [`RESTING_FLAG`] for characters at rest; otherwise 0.
    flag: u32,
}

/// BVHs of all characters: those at rest, and those that move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CharacterBvhs<'a> {
    pub resting: &'a CharacterBvh,
    pub moving: &'a CharacterBvh,
}

/// Node with up to [`BLOCK`] boxes in single precision, rounded outward.
#[derive(Debug, Clone)]
pub(crate) struct CharacterNode {
    pub boxes: [Aabb16; 1],
    pub children: [ChildRef; BLOCK],
    pub len: usize,
}

#[derive(Debug, Clone, Copy)]
struct Member {
    /// Centre of its box, rounded, as bits that ascend with the numbers. [world frame]
    center: [u32; 3],
    index: u32,
}

impl Member {
    fn new(center: [f32; 3], index: u32) -> Self {
        Member { center: center.map(ascending_bits), index }
    }

    /// Key of the order along an axis, which is total.
    #[inline(always)]
    fn key(&self, axis: usize) -> u64 {
        u64::from(self.center[axis]) << 32 | u64::from(self.index)
    }
}

/// Child of a node: a node or, if flagged, a character. Orders nodes before characters, and these
/// by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChildRef(u32);

/// Flag of characters. Indices are below it.
const CHARACTER_FLAG: u32 = 1 << 31;

/// Flag of nodes over characters at rest.
const RESTING_FLAG: u32 = 1 << 30;

impl ChildRef {
    pub fn node(id: u32) -> Self {
        ChildRef(id)
    }

    pub fn character(index: u32) -> Self {
        ChildRef(index | CHARACTER_FLAG)
    }

    pub fn from_bits(bits: u32) -> Self {
        ChildRef(bits)
    }

    pub fn bits(self) -> u32 {
        self.0
    }

    /// Returns the index of a character; `None` for a node.
    pub fn as_character(self) -> Option<u32> {
        (self.0 & CHARACTER_FLAG != 0).then_some(self.0 & !CHARACTER_FLAG)
    }
}

impl<'a> CharacterBvhs<'a> {
    /// Returns the [`l1_radius`] of all boxes. [world units]
    pub fn l1_radius(&self) -> f32 {
        self.resting.l1_radius.max(self.moving.l1_radius)
    }

    /// Returns the roots of both, if they have characters with a box.
    pub fn roots(&self) -> [Option<ChildRef>; 2] {
        [self.moving.root(), self.resting.root()]
    }

    #[inline(always)]
    pub fn node(&self, node: ChildRef) -> &'a CharacterNode {
        if node.0 & RESTING_FLAG == 0 { self.moving.node(node) } else { self.resting.node(node) }
    }
}

/// Child of a node to visit, with the squared distance of its box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearChild {
    squared: f32,
    child: ChildRef,
}

impl NearChild {
    /// Sort key: the distance, which is never NaN, then the child.
    #[inline(always)]
    fn key(&self) -> (f32, ChildRef) {
        (self.squared, self.child)
    }
}

impl CharacterBvhs<'_> {
    /// Calls `visit` with each character whose box may be within the limit of a box, roughly the
    /// nearest first. `visit` may lower the limit, so that fewer characters follow. Returns the
    /// number of comparisons.
    #[inline(always)]
    pub fn visit_near<T: Scalar>(
        &self,
        simd: SimdLevel,
        stack: &mut Vec<NearChild>,
        one: AabbF32,
        limit: &mut DistanceLimit<T>,
        mut visit: impl FnMut(u32, &mut DistanceLimit<T>),
    ) -> u64 {
        stack.clear();
        let mut compared = 0;
        for root in self.roots().into_iter().flatten() {
            compared += self.push_near_children(simd, root, one, limit.squared_f32(), stack);
        }
        // Both roots' children, as if of one node: the nearest on top. The others need no order,
        // since most are beyond the limit once it is visited.
        move_least_to_end(stack, NearChild::key);
        while let Some(NearChild { squared, child }) = stack.pop() {
            if squared > limit.squared_f32() {
                continue;
            }
            if let Some(index) = child.as_character() {
                visit(index, limit);
                continue;
            }
            let start = stack.len();
            compared += self.push_near_children(simd, child, one, limit.squared_f32(), stack);
            move_least_to_end(&mut stack[start..], NearChild::key);
        }
        compared
    }

    /// Appends the children of a node whose boxes may be within a distance. Returns the number of
    /// comparisons.
    fn push_near_children(
        &self,
        simd: SimdLevel,
        node: ChildRef,
        one: AabbF32,
        limit_squared: f32,
        stack: &mut Vec<NearChild>,
    ) -> u64 {
        let (node, mut squared) = (self.node(node), [0.0; BLOCK]);
        let kernel = NodeDistancesKernel {
            one,
            boxes: &node.boxes[0],
            limit_squared,
            squared: &mut squared,
        };
        let near = u64::from(simd.run(kernel)) & prefix_mask(node.len);
        let child = |lane: usize| NearChild { squared: squared[lane], child: node.children[lane] };
        stack.extend(set_bits(near).map(child));
        BLOCK as u64
    }
}

/// Kernel that computes the squared distances of the boxes of a node from a box, and returns a bit
/// for each within the limit.
struct NodeDistancesKernel<'a> {
    one: AabbF32,
    boxes: &'a Aabb16,
    limit_squared: f32,
    squared: &'a mut [f32; BLOCK],
}

impl FloatKernel for NodeDistancesKernel<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u32 {
        let NodeDistancesKernel { one, boxes, limit_squared, squared } = self;
        let (limit, mut bits, mut lane) = (L::splat(token, limit_squared), 0, 0);
        while lane < BLOCK {
            let distances = squared_distance::<L>(token, one, (boxes, lane));
            distances.store(&mut squared[lane..]);
            bits |= L::bits(distances.at_most(limit)) << lane;
            lane += L::LEN;
        }
        bits
    }
}

impl CharacterBvh {
    /// Rebuilds the BVH over the characters at rest, or over the others.
    pub fn rebuild<T: Scalar, E: AsRef<CharacterAabb<T>>>(&mut self, entries: &[E], at_rest: bool) {
        let entry = |place: u32| entries[place as usize].as_ref();
        let around = |place: u32| entry(place).bounds_f32;
        let present = (0..entries.len() as u32)
            .filter(|&place| entry(place).at_rest == at_rest && !entry(place).bounds.is_empty());
        self.flag = if at_rest { RESTING_FLAG } else { 0 };
        self.members.clear();
        let member = |index| Member::new(center_of(&entry(index).bounds), index);
        self.members.extend(present.map(member));
        sort_spatially(&mut self.members);
        let bounds = self.members.iter().map(|member| &entry(member.index).bounds);
        let all = bounds.fold(Aabb::empty(), |all, one| all.merged(one));
        self.l1_radius = if all.is_empty() {
            0.0
        } else {
            l1_radius([wide_point(all.min), wide_point(all.max)])
        };
        self.nodes.clear();
        for members in self.members.chunks(BLOCK) {
            let mut node =
                CharacterNode::new(members.iter().map(|member| ChildRef::character(member.index)));
            write_boxes(&mut node.boxes, members.iter().map(|member| around(member.index)));
            self.nodes.push(node);
        }
        let mut layer = 0..self.nodes.len();
        while layer.len() > 1 {
            for first in layer.clone().step_by(BLOCK) {
                let below = &self.nodes[first..layer.end.min(first + BLOCK)];
                self.nodes.push(CharacterNode::parent_of(self.flag | first as u32, below));
            }
            layer = layer.end..self.nodes.len();
        }
    }

    /// Returns the root; `None` without characters that have a box.
    fn root(&self) -> Option<ChildRef> {
        self.nodes.len().checked_sub(1).map(|root| ChildRef::node(self.flag | root as u32))
    }

    #[inline(always)]
    fn node(&self, node: ChildRef) -> &CharacterNode {
        &self.nodes[(node.0 & !RESTING_FLAG) as usize]
    }
}

impl CharacterNode {
    fn new(all: impl ExactSizeIterator<Item = ChildRef>) -> Self {
        let (len, mut children) = (all.len(), [ChildRef::node(0); BLOCK]);
        children.iter_mut().zip(all).for_each(|(behind, one)| *behind = one);
        CharacterNode { boxes: [EMPTY_BLOCK], children, len }
    }

    /// Creates the parent of consecutive nodes.
    fn parent_of(first: u32, below: &[CharacterNode]) -> Self {
        let mut node =
            CharacterNode::new((0..below.len()).map(|i| ChildRef::node(first + i as u32)));
        for (lane, CharacterNode { boxes: [boxes], len, .. }) in below.iter().enumerate() {
            for (row, of_all) in node.boxes[0].iter_mut().enumerate() {
                let ends = boxes[row][..*len].iter().copied();
                let end = if row < 3 { ends.reduce(f32::min) } else { ends.reduce(f32::max) };
                of_all[lane] = end.unwrap_or(0.0);
            }
        }
        node
    }
}

/// Kernel that finds the characters whose boxes a ray may hit, in no order.
pub(crate) struct RayCharactersKernel<'a> {
    pub bvhs: CharacterBvhs<'a>,
    pub slabs: &'a RaySlabs,
    /// Stack of nodes to visit.
    pub stack: &'a mut Vec<u32>,
    pub found: &'a mut Vec<u32>,
}

impl FloatKernel for RayCharactersKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let RayCharactersKernel { bvhs, slabs, stack, found } = self;
        stack.clear();
        stack.extend(bvhs.roots().into_iter().flatten().map(ChildRef::bits));
        while let Some(node) = stack.pop() {
            let node = bvhs.node(ChildRef::from_bits(node));
            let mut begins: RayEntries = [0.0; BLOCK];
            let met = slabs.hit_mask::<L>(token, &node.boxes[0], &mut begins);
            let mut met = met & prefix_mask(node.len) as u32;
            while met != 0 {
                let behind = node.children[met.trailing_zeros() as usize % BLOCK];
                met &= met - 1;
                match behind.as_character() {
                    Some(place) => found.push(place),
                    None => stack.push(behind.bits()),
                }
            }
        }
    }
}

/// Kernel that finds all pairs of a box and a character of a BVH near each other, in no order:
/// index of the box, index of the character. Returns the number of comparisons.
pub(crate) struct NearCharactersKernel<'a> {
    pub bvh: &'a CharacterBvh,
    pub blocks: &'a [Aabb16],
    pub len: usize,
    pub near: Nearness,
    /// Stack of nodes to visit.
    pub stack: &'a mut Vec<u32>,
    pub found: &'a mut Vec<(u32, u32)>,
}

impl NearKernel for NearCharactersKernel<'_> {
    type Output = u64;

    #[inline(always)]
    fn nearness(&self) -> Nearness {
        self.near
    }

    #[inline(always)]
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> u64 {
        let NearCharactersKernel { bvh, blocks, len, near: nearness, stack, found } = self;
        let mut compared = 0;
        for number in 0..len {
            let one = AabbF32::from_block(&blocks[number / BLOCK], number);
            stack.clear();
            stack.extend(bvh.root().map(ChildRef::bits));
            while let Some(node) = stack.pop() {
                let node = bvh.node(ChildRef::from_bits(node));
                let mut with = near_mask::<L, APART>(token, nearness, one, &node.boxes[0]);
                with &= prefix_mask(node.len) as u32;
                compared += BLOCK as u64;
                while with != 0 {
                    let behind = node.children[with.trailing_zeros() as usize % BLOCK];
                    with &= with - 1;
                    match behind.as_character() {
                        Some(place) => found.push((number as u32, place)),
                        None => stack.push(behind.bits()),
                    }
                }
            }
        }
        compared
    }
}

/// Returns the indices of boxes with the given centres in an order that keeps neighbours together.
pub(crate) fn spatial_order(middles: impl Iterator<Item = [f32; 3]>) -> Vec<u32> {
    let mut members: Vec<Member> =
        middles.zip(0..).map(|(center, index)| Member::new(center, index)).collect();
    sort_spatially(&mut members);
    members.iter().map(|member| member.index).collect()
}

fn center_of<T: Scalar>(bounds: &Aabb<T, 3>) -> [f32; 3] {
    bounds.wide().0.map(|x| x as f32)
}

/// Sorts by recursive median splits of the longest side down to 16 members, filling the left nodes.
/// Depends on indices and boxes alone.
fn sort_spatially(members: &mut [Member]) {
    if members.len() <= BLOCK {
        return;
    }
    let axis = longest_axis(members);
    let left = BLOCK << ((members.len() - 1) / BLOCK).ilog2();
    members.select_nth_unstable_by_key(left, |member| member.key(axis));
    let (left, right) = members.split_at_mut(left);
    sort_spatially(left);
    sort_spatially(right);
}

/// Returns the coordinate along which the centres are furthest apart.
fn longest_axis(members: &[Member]) -> usize {
    let (mut low, mut high) = ([u32::MAX; 3], [0; 3]);
    for Member { center, .. } in members {
        for i in 0..3 {
            (low[i], high[i]) = (low[i].min(center[i]), high[i].max(center[i]));
        }
    }
    let size = [0, 1, 2].map(|i| from_ascending_bits(high[i]) - from_ascending_bits(low[i]));
    (1..3).fold(0, |best, i| if size[i] > size[best] { i } else { best })
}
