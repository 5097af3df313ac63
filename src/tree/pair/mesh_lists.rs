//! Two small meshes as lists of triangles, for queries to which many pairs of triangles matter.
//!
//! A query of all pairs that cross, or a search along a direction, visits many nodes of both trees
//! near the surface. For a few hundred triangles it takes less time to compute all of them anew, in
//! axes that suit the query, and to test [groups](crate::sat::triangle_groups) of eight.

use crate::num::linear::{Vec3, length, perpendicular_axes, scale};
use crate::num::{Scalar, SimdLevel, set_bits};
use crate::sat::eight_boxes::WIDTH;
use crate::sat::group_pairs::{GroupPair, GroupPairs, NearGroups, NearTriangles};
use crate::sat::triangle_groups::{TriangleGroups, group_pad};
use crate::tree::{Counts, Geometry, LEVELS, NodeId, TreePair};

/// Largest number of triangles of a mesh that is searched as a list: beyond, trees take less time.
const MAX_TRIANGLES: usize = 2048;

/// Pads are this share of the sizes of both parts, or more.
const SIZES_PER_PAD: f32 = (1 << 18) as f32;

/// Lists of the triangles of two parts, in the order of their trees, placed relative to each other.
#[derive(Debug, Clone, Default)]
pub(in crate::tree) struct MeshLists {
    sides: [TriangleGroups; 2],
    pad: f32,
    /// Groups of the second near a group of the first, a block an entry.
    near: Vec<NearGroups>,
    near_triangles: Vec<NearTriangles>,
    /// Level of the counts.
    depth: usize,
}

impl MeshLists {
    /// Projects both lists on the axes of a query, given in the frame of the first part.
    fn project(&mut self, axes: &[[f32; 3]; 3], simd: SimdLevel) {
        for side in &mut self.sides {
            side.project(axes, simd);
        }
    }

    /// Calls `visit` with the positions of all pairs of triangles that may share a point.
    pub fn visit_near(
        &mut self,
        simd: SimdLevel,
        counts: &mut Counts,
        mut visit: impl FnMut([usize; 2]),
    ) {
        self.project(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], simd);
        let MeshLists { sides, pad, near, near_triangles, depth } = self;
        let pairs = GroupPairs { sides: sides.each_ref(), pad: *pad, shift: None };
        pairs.list_near(near, simd);
        pairs.list_near_triangles(near, near_triangles, simd);
        near_triangles.iter().flat_map(|near| near.pairs()).for_each(&mut visit);
        let box_count: u64 = near.iter().map(|near| near.box_tests(&pairs)).sum();
        counts.boxes[*depth] += box_count + pairs.group_tests();
    }

    /// Calls `visit` with the positions of all pairs of triangles that may touch while the second
    /// is shifted along a direction, by no more than `visit` last returned; some groups that may
    /// touch early first. `visit` gets `None` where it should test what it has queued, and returns
    /// `None` to stop. `direction`: in the frame of the first, length near 1. `to`: greatest shift
    /// that matters.
    pub fn visit_shifted(
        &mut self,
        direction: Vec3,
        to: f64,
        simd: SimdLevel,
        counts: &mut Counts,
        visit: impl FnMut(Option<[usize; 2]>) -> Option<f64>,
    ) {
        let third = scale(direction, 1.0 / length(direction));
        let [first, second] = perpendicular_axes(third);
        self.project(&[first, second, third].map(|axis| axis.map(|x| x as f32)), simd);
        let MeshLists { sides, pad, near, depth, .. } = self;
        let (sides, pad) = (sides.each_ref(), *pad);
        // No two triangles touch at a greater shift.
        let farthest = SIZES_PER_PAD * pad;
        let latest = f32::at_least(to);
        let latest = if latest < farthest { latest } else { farthest };
        let pairs = GroupPairs { sides, pad, shift: Some((direction.map(|x| x as f32), latest)) };
        let box_count = &mut counts.boxes[*depth];
        *box_count += pairs.group_tests();
        // Not sorted: a few of the earliest mostly have a contact that most others cannot precede.
        let order = pairs.earliest(simd);
        let mut search = ShiftedSearch { pairs, to, farthest, simd, box_count, visit };
        for &next in order.earliest() {
            if search.is_early(next) && search.test_groups(next).is_none() {
                return;
            }
        }
        if search.visit(None).is_none() {
            return;
        }
        // Enough for all pairs of groups that are tested: these are compared with two pads.
        let mut pairs = search.pairs;
        let enough = pairs.latest().map_or(latest, |to| to + 4.0 * pad);
        pairs.limit_shift(if enough < latest { enough } else { latest });
        pairs.list_near(near, simd);
        for groups in near.iter().copied().flat_map(NearGroups::pairs) {
            let next = order.at_place_of(GroupPair::new(&pairs, groups));
            let next = next.filter(|&next| search.is_early(next));
            if next.is_some_and(|next| search.test_groups(next).is_none()) {
                return;
            }
        }
        search.visit(None);
    }
}

/// Search of pairs of triangles that touch while the second part is shifted.
struct ShiftedSearch<'a, V> {
    /// The lists, with the greatest shift that matters.
    pairs: GroupPairs<'a>,
    /// Greatest shift that matters, as `visit` last returned it.
    to: f64,
    /// Greatest shift at which any two triangles touch.
    farthest: f32,
    simd: SimdLevel,
    /// Number of boxes tested.
    box_count: &'a mut u64,
    visit: V,
}

impl<V: FnMut(Option<[usize; 2]>) -> Option<f64>> ShiftedSearch<'_, V> {
    /// Calls `visit` with a pair of triangles, or `None`, and limits the shifts that matter to what
    /// it returns; `None` to stop.
    fn visit(&mut self, pair: Option<[usize; 2]>) -> Option<()> {
        let to = (self.visit)(pair)?;
        if to != self.to {
            self.to = to;
            let to = f32::at_least(to);
            self.pairs.limit_shift(if to < self.farthest { to } else { self.farthest });
        }
        Some(())
    }

    /// Returns `true` unless two groups touch later than matters.
    #[inline]
    fn is_early(&self, next: GroupPair) -> bool {
        let pad = self.pairs.pad;
        self.pairs.latest().is_none_or(|to| next.earliest() - pad <= to + pad)
    }

    /// Calls `visit` with the pairs of triangles of two groups that may touch; returns `None` to
    /// stop.
    fn test_groups(&mut self, next: GroupPair) -> Option<()> {
        let [a, b] = next.groups();
        *self.box_count += self.pairs.sides[0].group_len(a) as u64;
        for bit in set_bits(self.pairs.near_triangles([a, b], self.simd)) {
            self.visit(Some([a * WIDTH + bit / WIDTH, b * WIDTH + bit % WIDTH]))?;
        }
        Some(())
    }
}

impl<T: Scalar> TreePair<'_, T> {
    /// Writes the triangles of both parts to lists; `false` unless both are small meshes.
    pub(in crate::tree) fn place_lists(&self, lists: &mut MeshLists, simd: SimdLevel) -> bool {
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
        lists.pad = group_pad(&frame, ordered.radii_about_origins());
        lists.depth = usize::from(ordered.depth()).min(LEVELS - 1);
        let trees = [ordered.first.tree, ordered.second.tree];
        for (side, (tree, mesh)) in trees.into_iter().zip([first, second]).enumerate() {
            let list = &mut lists.sides[side];
            list.set(tree.primitives(NodeId::ROOT), mesh.triangles(), mesh.vertices());
            let frame = (side == 1).then_some(&frame);
            list.place_corners(frame, self.bvhs()[side].center, simd);
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
