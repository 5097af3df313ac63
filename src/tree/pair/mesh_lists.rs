//! Two small meshes as lists of triangles, for queries to which many pairs of triangles matter.
//!
//! A query of all pairs that cross, or a search along a direction, visits many nodes of both trees
//! near the surface. For a few hundred triangles it takes less time to compute all of them anew, in
//! axes that suit the query, and to test [groups](crate::sat::triangle_groups) of eight.

use crate::num::linear::{Vec3, length, perpendicular_axes, scale};
use crate::num::sorting::ascending_bits;
use crate::num::{Scalar, SimdLevel, set_bits};
use crate::sat::eight_boxes::WIDTH;
use crate::sat::triangle_groups::{GroupPairs, TriangleGroups, group_pad};
use crate::tree::{Counts, Geometry, LEVELS, NodeId, TreePair};

/// Largest number of triangles of a mesh that is searched as a list: beyond, trees take less time.
const MAX_TRIANGLES: usize = 2048;

/// Number of pairs of groups that a search tests first, in their order.
const EARLIEST_PAIRS: usize = 4;

/// Pads are this share of the sizes of both parts, or more.
const SIZES_PER_PAD: f32 = (1 << 18) as f32;

/// Lists of the triangles of two parts, in the order of their trees, placed relative to each other.
#[derive(Debug, Clone, Default)]
pub(in crate::tree) struct MeshLists {
    sides: [TriangleGroups; 2],
    pad: f32,
    /// Pairs of groups that may touch, in the order of a search.
    order: Vec<GroupPair>,
    /// Groups of the second near a group of the first, eight an entry.
    near: Vec<u8>,
    /// Level of the counts.
    depth: usize,
}

impl MeshLists {
    /// Projects both lists on the axes of a query, given in the frame of the first part.
    fn project(&mut self, axes: &[[f32; 3]; 3], level: SimdLevel) {
        for side in &mut self.sides {
            side.project(axes, level);
        }
    }

    /// Calls `visit` with the positions of all pairs of triangles that may share a point.
    pub fn visit_near(
        &mut self,
        (level, counts): (SimdLevel, &mut Counts),
        mut visit: impl FnMut([usize; 2]),
    ) {
        self.project(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], level);
        let MeshLists { sides, pad, near, depth, .. } = self;
        let pairs = GroupPairs { sides: sides.each_ref(), pad: *pad, shift: None };
        pairs.visit_groups((near, level), |[a, b]| {
            counts.boxes[*depth] += pairs.sides[0].group_len(a) as u64;
            for bit in set_bits(pairs.near_triangles([a, b], level)) {
                visit([a * WIDTH + bit / WIDTH, b * WIDTH + bit % WIDTH]);
            }
        });
        counts.boxes[*depth] += pairs.group_tests();
    }

    /// Calls `visit` with the positions of all pairs of triangles that may touch while the second
    /// is shifted along a direction, by no more than `visit` last returned; some groups that may
    /// touch early first. `visit` gets `None` where it should test what it has queued, and returns
    /// `None` to stop. `direction`: in the frame of the first, length near 1. `to`: greatest shift
    /// that matters.
    pub fn visit_shifted(
        &mut self,
        (direction, to): (Vec3, f64),
        (level, counts): (SimdLevel, &mut Counts),
        mut visit: impl FnMut(Option<[usize; 2]>) -> Option<f64>,
    ) {
        let third = scale(direction, 1.0 / length(direction));
        let [first, second] = perpendicular_axes(third);
        self.project(&[first, second, third].map(|axis| axis.map(|x| x as f32)), level);
        let MeshLists { sides, pad, near, order, depth } = self;
        let (sides, pad) = (sides.each_ref(), *pad);
        // No two triangles touch at a greater shift.
        let farthest = SIZES_PER_PAD * pad;
        let latest = |to: f64| {
            let to = f32::at_least(to);
            if to < farthest { to } else { farthest }
        };
        let direction = direction.map(|x| x as f32);
        let mut pairs = GroupPairs { sides, pad, shift: Some((direction, latest(to))) };
        order.clear();
        pairs.visit_groups((near, level), |groups| order.push(GroupPair::new(&pairs, groups)));
        counts.boxes[*depth] += pairs.group_tests();
        // Not sorted: a few of the earliest mostly have a contact that most others cannot precede.
        for count in 0..EARLIEST_PAIRS.min(order.len()) {
            let earliest = (count..order.len()).min_by_key(|&index| order[index]);
            order.swap(count, earliest.unwrap_or(count));
        }
        for (count, next) in order.iter().enumerate() {
            if count == EARLIEST_PAIRS {
                let Some(to) = visit(None) else { return };
                pairs.shift = Some((direction, latest(to)));
            }
            let to = pairs.shift.map_or(farthest, |(_, to)| to);
            if next.earliest() - pad > to + pad {
                continue;
            }
            let [a, b] = next.groups();
            counts.boxes[*depth] += sides[0].group_len(a) as u64;
            for bit in set_bits(pairs.near_triangles([a, b], level)) {
                let pair = [a * WIDTH + bit / WIDTH, b * WIDTH + bit % WIDTH];
                let Some(to) = visit(Some(pair)) else { return };
                pairs.shift = Some((direction, latest(to)));
            }
        }
        visit(None);
    }
}

/// Pair of groups that may touch, ordered by the least shift at which they may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GroupPair(u64);

impl GroupPair {
    fn new(pairs: &GroupPairs<'_>, [a, b]: [usize; 2]) -> Self {
        let [first, second] = pairs.sides;
        // The same bits for both zeros: which of them is found depends on the lanes.
        let earliest = ascending_bits(first.least(a, 2) - second.greatest(b, 2));
        GroupPair(u64::from(earliest) << 32 | (a << 16 | b) as u64)
    }

    fn earliest(self) -> f32 {
        let bits = (self.0 >> 32) as u32;
        f32::from_bits(if bits >> 31 == 1 { bits & !(1 << 31) } else { !bits })
    }

    fn groups(self) -> [usize; 2] {
        [self.0 as usize >> 16 & 0xffff, self.0 as usize & 0xffff]
    }
}

impl<T: Scalar> TreePair<'_, T> {
    /// Writes the triangles of both parts to lists; `false` unless both are small meshes.
    pub(in crate::tree) fn place_lists(&self, lists: &mut MeshLists, level: SimdLevel) -> bool {
        if self.margin > 0.0 {
            return false;
        }
        let [Some(first), Some(second)] = self.geometries().map(Geometry::mesh) else {
            return false;
        };
        let lens = [first, second].map(|mesh| mesh.triangles().len());
        if lens.iter().any(|&len| len > MAX_TRIANGLES) {
            return false;
        }
        let Some(frame) = self.relative_frame() else { return false };
        let ordered = self.ordered_pair();
        lists.near.resize(lens[1].div_ceil(WIDTH * WIDTH), 0);
        lists.pad = group_pad(&frame, ordered.radii_about_origins());
        lists.depth = usize::from(ordered.depth()).min(LEVELS - 1);
        let trees = [ordered.first.tree, ordered.second.tree];
        for (side, (tree, mesh)) in trees.into_iter().zip([first, second]).enumerate() {
            let list = &mut lists.sides[side];
            list.set(tree.primitives(NodeId::ROOT), mesh.triangles(), mesh.vertices());
            let frame = (side == 1).then_some(&frame);
            list.place(frame, self.bvhs()[side].center, level);
        }
        true
    }

    /// Returns the primitives of both lists by position, in canonical order.
    pub(in crate::tree) fn listed_primitives(&self) -> [&[u32]; 2] {
        let ordered = self.ordered_pair();
        [ordered.first.tree, ordered.second.tree].map(|tree| tree.primitives(NodeId::ROOT))
    }

    /// Returns the leaves at two positions of the lists.
    pub(in crate::tree) fn listed_leaves(&self, positions: [u32; 2]) -> [u32; 2] {
        [0, 1].map(|side| {
            let mut id = 0;
            loop {
                let node = self.node_at(side, id);
                if node.first_child == 0 {
                    return id;
                }
                let first = self.node_at(side, node.first_child);
                let is_first = first.primitive_range().contains(&(positions[side] as usize));
                id = if is_first { node.first_child } else { node.first_child + 1 };
            }
        })
    }
}
