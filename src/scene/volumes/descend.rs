//! Traversal of the tree of one part with one volume.

use std::ops::ControlFlow::{self, Continue};

use super::collect::{Collector, QueryAnswer};
use super::volume::{LocalVolume, Primitive};
use super::wide_ray::WideRay;
use super::wide_region::WideRegion;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::sat::eight_boxes::WIDTH;
use crate::sat::eight_triangles::EightTriangles;
use crate::shape::{Mesh, Pose};
use crate::tree::{Accuracy, Counts, CutBounds, LEVELS, Node, NodeId, ObbTree, WideChild};

/// A node to visit: its index, its depth, and where it begins along a ray.
pub(super) type NodeStep = (u32, u8, f64);

/// Kind of a step of [`Descent::descend_wide`], in place of the depth: the number is that of a wide
/// node, or of a child that is a leaf.
const WIDE_NODE: u8 = 0;
const LEAF_CHILD: u8 = 1;

/// A part with its pose.
pub(super) struct PartView<'a, T: Scalar> {
    pub tree: &'a ObbTree<T>,
    pub pose: &'a Pose<T>,
    /// Index of the character, part.
    pub key: [u32; 2],
}

impl<T: Scalar> PartView<'_, T> {
    /// Returns the position of the part [world frame].
    #[inline(always)]
    pub fn position(&self) -> Vec3 {
        let p = &self.pose.translation.vector;
        [p.x.wide(), p.y.wide(), p.z.wide()]
    }
}

/// The lower half of a traversal: from the root of a part's tree down.
pub(super) struct Descent<'a, 'w, T: Scalar, A: QueryAnswer<T>> {
    pub collector: Collector<'a, 'w, T, A>,
    /// The accuracy: where the cut is, and the test at the cut.
    pub accuracy: Accuracy,
    pub counts: &'w mut Counts,
    pub stack: &'w mut Vec<NodeStep>,
}

impl<T: Scalar, A: QueryAnswer<T>> Descent<'_, '_, T, A> {
    /// Visits the nodes of a part that the volume overlaps. `has_root`: the root is an answer
    /// already.
    #[inline(always)]
    pub fn visit_tree<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        has_root: bool,
    ) -> ControlFlow<()> {
        if !V::NEAREST_FIRST
            && let Some(flow) = self.visit_only_box(part, local)
        {
            return flow;
        }
        let root = part.tree.node(NodeId::ROOT);
        if !V::NEAREST_FIRST {
            self.count_box::<V>(0);
        }
        let Some(entry) = local.enter_node(root, false) else { return Continue(()) };
        if A::is_beyond_best(&self.collector, local.entry_distance(entry), local.distance_error()) {
            return Continue(());
        }
        if is_above_cut(self.accuracy, root, 0, || slack_of(root, local)) {
            let to_leaves = match self.accuracy {
                Accuracy::Exact => true,
                Accuracy::Depth(cut) => cut >= part.tree.depth(),
                _ => false,
            };
            if V::NEAREST_FIRST
                && to_leaves
                && let Some(ray) = local.wide_ray(part.tree)
            {
                return self.descend_wide(part, local, &ray);
            }
            if !V::NEAREST_FIRST
                && self.accuracy == Accuracy::Exact
                && let Some(region) = local.wide_region(part.tree)
            {
                return self.descend_region(part, local, &region);
            }
            return self.descend(part, local);
        }
        if has_root {
            self.counts.oriented += u64::from(V::TESTED);
            return Continue(());
        }
        self.visit_cut_node(part, local, NodeId::ROOT, Some(entry))
    }

    /// Visits a part that is one aligned box; `None` unless its box decides.
    #[inline(always)]
    pub fn visit_only_box<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
    ) -> Option<ControlFlow<()>> {
        let (only, CutBounds { bound, radius, .. }) = part.tree.single_aabb()?;
        let slack = bound + local.pad(radius);
        if !boxes_decide(self.accuracy, slack) {
            return None;
        }
        self.count_box::<V>(0);
        self.counts.oriented += u64::from(V::TESTED);
        Some(match local.test_only_box(only) {
            Some(met) => self.add_hit(part, NodeId::ROOT, (met, slack)),
            None => Continue(()),
        })
    }

    /// Visits the leaves below the root that a ray hits, the nearest first, by wide nodes.
    #[inline(never)]
    fn descend_wide<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        ray: &WideRay,
    ) -> ControlFlow<()> {
        let (bvh, simd) = (part.tree.wide_bvh(), self.collector.simd());
        let mesh = part.tree.geometry().mesh().filter(|_| self.accuracy == Accuracy::Exact);
        let (mut begins, mut triangles) = ([0.0; WIDTH], EightTriangles::EMPTY);
        self.counts.boxes[0] += 1;
        self.stack.clear();
        let mut next = Some((bvh.root_wide_index(), WIDE_NODE, f64::NEG_INFINITY));
        while let Some((number, kind, time)) = next.take().or_else(|| self.stack.pop()) {
            if A::is_beyond_best(&self.collector, time, local.distance_error()) {
                continue;
            }
            if kind == LEAF_CHILD {
                let child = bvh.child(number);
                match (mesh, child.only_primitive()) {
                    (Some(mesh), None) => {
                        let near = ray.point_at(time);
                        let leaf = (mesh, child, &mut triangles);
                        let test = |triangles: &_| ray.test_triangles(simd, triangles, near);
                        self.visit_triangles(part, local, leaf, test)?;
                    }
                    (_, Some(index)) if self.accuracy == Accuracy::Exact => {
                        self.visit_only_primitive(part, local, (child.node, index))?;
                    }
                    _ => {
                        self.visit_cut_node(part, local, NodeId::new(child.node as usize), None)?
                    }
                }
                continue;
            }
            let wide = bvh.wide_node(number);
            self.counts.boxes[usize::from(wide.max_depth).min(LEVELS - 1)] += u64::from(wide.len);
            let mut hit_mask =
                ray.test_boxes(simd, &wide.boxes, &mut begins) & ((1 << wide.len) - 1);
            let leaf_hits = hit_mask & u32::from(wide.leaf_mask);
            if let Some(mesh) = mesh
                && leaf_hits != 0
            {
                let leaves = (bvh.children_of(wide), leaf_hits);
                let single = load_single_triangles(mesh, leaves, &mut triangles);
                if single != 0 {
                    self.counts.primitives += u64::from(single.count_ones());
                    let near = ray.point_at(ray.at(least_entry(&begins, single)));
                    hit_mask &= !single | ray.test_triangles(simd, &triangles, near);
                }
            }
            // The nearest child is visited next, the others are pushed in order.
            let bottom = self.stack.len();
            while hit_mask != 0 {
                let lane = hit_mask.trailing_zeros();
                hit_mask &= hit_mask - 1;
                let time = ray.at(begins[lane as usize % WIDTH]);
                let step = match wide.leaf_mask >> lane & 1 == 1 {
                    true => (wide.first_child + lane, LEAF_CHILD, time),
                    false => (wide.inner_index(lane), WIDE_NODE, time),
                };
                let Some(nearest) = next else {
                    next = Some(step);
                    continue;
                };
                let (nearest, later) =
                    if time <= nearest.2 { (step, nearest) } else { (nearest, step) };
                next = Some(nearest);
                let mut slot = self.stack.len();
                self.stack.push(later);
                while slot > bottom && self.stack[slot - 1].2 < later.2 {
                    self.stack[slot] = self.stack[slot - 1];
                    slot -= 1;
                }
                self.stack[slot] = later;
            }
        }
        Continue(())
    }

    /// Visits the leaves below the root that a region may overlap, in the order of
    /// [`Descent::descend`], by wide nodes.
    #[inline(never)]
    fn descend_region<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        region: &WideRegion,
    ) -> ControlFlow<()> {
        let (bvh, simd) = (part.tree.wide_bvh(), self.collector.simd());
        let mesh = part.tree.geometry().mesh();
        let mut triangles = EightTriangles::EMPTY;
        let test = |triangles: &_| region.test_triangles(simd, triangles);
        self.stack.clear();
        self.stack.push((bvh.root_wide_index(), WIDE_NODE, 0.0));
        while let Some((number, kind, _)) = self.stack.pop() {
            if kind == LEAF_CHILD {
                let (leaf, before) = (bvh.child(number), self.collector.len());
                match mesh {
                    Some(mesh) if leaf.only_primitive().is_none() => {
                        let leaf = (mesh, leaf, &mut triangles);
                        self.visit_triangles(part, local, leaf, test)?;
                    }
                    _ => self.visit_leaf(part, local, leaf)?,
                }
                if A::one_node_suffices(&self.collector) && self.collector.len() > before {
                    break;
                }
                continue;
            }
            let wide = bvh.wide_node(number);
            self.counts.boxes[usize::from(wide.max_depth).min(LEVELS - 1)] += u64::from(wide.len);
            let mut hit_mask = region.test_boxes(simd, &wide.boxes) & ((1 << wide.len) - 1);
            let leaf_hits = hit_mask & u32::from(wide.leaf_mask);
            if let Some(mesh) = mesh
                && leaf_hits != 0
            {
                let leaves = (bvh.children_of(wide), leaf_hits);
                let single = load_single_triangles(mesh, leaves, &mut triangles);
                if single != 0 {
                    let dropped = single & !test(&triangles);
                    // The others are counted when they are tested again.
                    self.counts.primitives += u64::from(dropped.count_ones());
                    hit_mask ^= dropped;
                }
            }
            if hit_mask == 0 {
                continue;
            }
            for lane in wide.lanes_in_order().filter(|lane| hit_mask >> lane & 1 == 1) {
                self.stack.push(match wide.leaf_mask >> lane & 1 == 1 {
                    true => (wide.first_child + lane, LEAF_CHILD, 0.0),
                    false => (wide.inner_index(lane), WIDE_NODE, 0.0),
                });
            }
        }
        Continue(())
    }

    /// Visits the only primitive of a leaf that a ray hits, whose boxes need no further test.
    #[inline(always)]
    fn visit_only_primitive<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        (node, index): (u32, u32),
    ) -> ControlFlow<()> {
        let id = NodeId::new(node as usize);
        let primitive = Primitive::at_index(part.tree.geometry(), index as usize);
        // Triangles are counted where those of a wide node are tested.
        let is_triangle = matches!(primitive, Some(Primitive::Triangle(_)));
        self.counts.primitives += u64::from(!is_triangle);
        let Some(met) = primitive.and_then(|p| local.test_primitive(p)) else {
            return Continue(());
        };
        let radius = part.tree.node(id).oriented().wide().radius();
        self.add_hit(part, id, (met, primitive_slack(part.tree, local, radius)))
    }

    /// Visits a leaf that a region may overlap: both boxes, then the primitives.
    #[inline(always)]
    fn visit_leaf<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        leaf: &WideChild,
    ) -> ControlFlow<()> {
        let id = NodeId::new(leaf.node as usize);
        self.count_box::<V>(leaf.depth);
        let entry = local.enter_node(part.tree.node(id), false);
        if entry.is_none() {
            return Continue(());
        }
        self.visit_cut_node(part, local, id, entry)
    }

    /// Visits the triangles of a leaf with several: first all side by side by `test`, which returns
    /// a mask of those that may be hit; then the boxes of the leaf and those triangles.
    #[inline(always)]
    fn visit_triangles<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        (mesh, leaf, eight): (&Mesh<T>, &WideChild, &mut EightTriangles),
        test: impl Fn(&EightTriangles) -> u32,
    ) -> ControlFlow<()> {
        let mut first = None;
        for some in part.tree.leaf_primitives(leaf).chunks(WIDTH) {
            let open = eight.set_all(mesh, some) & test(eight);
            self.counts.primitives += some.len() as u64;
            if open == 0 {
                continue;
            }
            let is_hit = self.find_first_triangle(part, local, (leaf, some, open), &mut first);
            if !is_hit || !V::NEAREST_FIRST && first.is_some() {
                break;
            }
        }
        match first {
            Some((met, slack)) => self.add_hit(part, NodeId::new(leaf.node as usize), (met, slack)),
            None => Continue(()),
        }
    }

    /// Finds the first hit along a ray, or any of a region, among some triangles of a leaf, given
    /// by a mask. Returns `false` if the boxes of the leaf are not hit; they are tested unless a
    /// triangle proves that they are.
    #[inline(never)]
    fn find_first_triangle<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        (leaf, triangles, mut open): (&WideChild, &[u32], u32),
        first: &mut Option<(A::Details, f64)>,
    ) -> bool {
        let (tree, id) = (part.tree, NodeId::new(leaf.node as usize));
        let node = tree.node(id);
        let radius = node.oriented().wide().radius();
        let mut boxes_hit = first.is_some();
        while open != 0 {
            let index = triangles[open.trailing_zeros() as usize];
            open &= open - 1;
            let Some(Primitive::Triangle(corners)) =
                Primitive::at_index(tree.geometry(), index as usize)
            else {
                continue;
            };
            let Some((met, proves_boxes)) = local.test_triangle(&corners) else { continue };
            if !boxes_hit && !proves_boxes {
                self.counts.oriented += u64::from(V::TESTED);
                let entry = local.enter_node(node, false);
                let hit = entry.and_then(|at| local.test_node_boxes((tree, id), radius, Some(at)));
                if hit.is_none() {
                    return false;
                }
            }
            boxes_hit = true;
            if first.is_none_or(|(first, _)| local.hit_distance(met) < local.hit_distance(first)) {
                *first = Some((met, primitive_slack(tree, local, radius)));
            }
            if !V::NEAREST_FIRST {
                return true;
            }
        }
        true
    }

    /// Visits the nodes below the root.
    #[inline(never)]
    fn descend<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
    ) -> ControlFlow<()> {
        self.stack.clear();
        self.push_children(part, local, part.tree.node(NodeId::ROOT), 0);
        while let Some((id, depth, time)) = self.stack.pop() {
            let node = part.tree.node(NodeId::new(id as usize));
            let mut entry = None;
            if V::NEAREST_FIRST {
                if A::is_beyond_best(&self.collector, time, local.distance_error()) {
                    continue;
                }
            } else {
                self.count_box::<V>(depth);
                entry = local.enter_node(node, false);
                if entry.is_none() {
                    continue;
                }
            }
            if is_above_cut(self.accuracy, node, depth, || slack_of(node, local)) {
                self.push_children(part, local, node, depth);
                continue;
            }
            let before = self.collector.len();
            self.visit_cut_node(part, local, NodeId::new(id as usize), entry)?;
            if A::one_node_suffices(&self.collector) && self.collector.len() > before {
                break;
            }
        }
        Continue(())
    }

    /// Pushes the children of a node. In order of distance: those that a ray enters, the nearer on
    /// top. Otherwise both, to be tested when they are visited.
    #[inline(always)]
    fn push_children<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        node: &Node<T>,
        depth: u8,
    ) {
        let Some(children) = node.children() else { return };
        let step = |child: NodeId, time: f64| (child.index() as u32, depth + 1, time);
        if !V::NEAREST_FIRST {
            self.stack.extend(children.map(|child| step(child, 0.0)));
            return;
        }
        // A node's primitives lie in both of its boxes, but those of its children need not.
        let both = self.accuracy == Accuracy::Exact;
        self.count_box::<V>(depth + 1);
        self.count_box::<V>(depth + 1);
        let [a, b] = children.map(|child| {
            let entry = local.enter_node(part.tree.node(child), both);
            entry.map(|entry| step(child, local.entry_distance(entry)))
        });
        let nearer = a.zip(b).is_some_and(|(a, b)| a.2 <= b.2);
        let order = if nearer { [b, a] } else { [a, b] };
        self.stack.extend(order.into_iter().flatten());
    }

    /// Tests a node of the cut.
    #[inline(never)]
    fn visit_cut_node<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        id: NodeId,
        entry: Option<V::Entry>,
    ) -> ControlFlow<()> {
        self.counts.oriented += u64::from(V::TESTED);
        let node = part.tree.node(id);
        let radius = node.oriented().wide().radius();
        let Some(met) = local.test_node_boxes((part.tree, id), radius, entry) else {
            return Continue(());
        };
        let slack = node.bound().wide() + local.pad(radius);
        if boxes_decide(self.accuracy, slack) {
            return self.add_hit(part, id, (met, slack));
        }
        match self.first_primitive(part, local, part.tree.primitives(id)) {
            Some(met) => self.add_hit(part, id, (met, primitive_slack(part.tree, local, radius))),
            None => Continue(()),
        }
    }

    /// Returns a hit primitive: the first along a ray, otherwise any.
    #[inline(never)]
    fn first_primitive<V: LocalVolume<T, Details = A::Details>>(
        &mut self,
        part: &PartView<'_, T>,
        local: &V,
        primitives: &[u32],
    ) -> Option<A::Details> {
        let mut first: Option<A::Details> = None;
        for &index in primitives {
            self.counts.primitives += u64::from(V::TESTED);
            let primitive = Primitive::at_index(part.tree.geometry(), index as usize);
            let Some(met) = primitive.and_then(|p| local.test_primitive(p)) else { continue };
            if !V::NEAREST_FIRST {
                return Some(met);
            }
            if first.is_none_or(|first| local.hit_distance(met) < local.hit_distance(first)) {
                first = Some(met);
            }
        }
        first
    }

    #[inline(always)]
    fn count_box<V: LocalVolume<T>>(&mut self, depth: u8) {
        self.counts.boxes[usize::from(depth).min(LEVELS - 1)] += u64::from(V::TESTED);
    }

    #[inline(always)]
    pub fn add_hit(
        &mut self,
        part: &PartView<'_, T>,
        node: NodeId,
        met: (A::Details, f64),
    ) -> ControlFlow<()> {
        let [character_index, index] = part.key;
        let key = [character_index, index, node.index() as u32];
        A::add(&mut self.collector, key, met)
    }
}

/// Copies the triangles of those hit leaves that have only one to their lanes; returns the mask of
/// these lanes.
#[inline(always)]
fn load_single_triangles<T: Scalar>(
    mesh: &Mesh<T>,
    (children, mut leaf_hits): (&[WideChild], u32),
    triangles: &mut EightTriangles,
) -> u32 {
    let mut single = 0u32;
    while leaf_hits != 0 {
        let lane = leaf_hits.trailing_zeros() as usize;
        leaf_hits &= leaf_hits - 1;
        if let Some(index) = children[lane].only_primitive() {
            triangles.set(lane, mesh, index);
            single |= 1 << lane;
        }
    }
    single
}

/// Returns the least entry of the lanes of a mask.
#[inline(always)]
fn least_entry(begins: &[f32; WIDTH], mut mask: u32) -> f32 {
    let mut least = f32::INFINITY;
    while mask != 0 {
        least = least.min(begins[mask.trailing_zeros() as usize % WIDTH]);
        mask &= mask - 1;
    }
    least
}

/// Returns a bound on the distance of a node's geometry from a volume that overlaps its boxes
/// [length units].
#[inline(always)]
fn slack_of<T: Scalar, V: LocalVolume<T>>(node: &Node<T>, local: &V) -> f64 {
    node.bound().wide() + local.pad(node.oriented().wide().radius())
}

/// Returns a bound on the distance of a primitive from a volume that overlaps it, given the radius
/// of its leaf [length units].
#[inline(always)]
fn primitive_slack<T: Scalar, V: LocalVolume<T>>(tree: &ObbTree<T>, local: &V, radius: f64) -> f64 {
    local.primitive_pad(radius, tree.geometry().convex_shapes().is_some())
}

/// Returns `true` if the cut lies below the node.
fn is_above_cut<T: Scalar>(
    accuracy: Accuracy,
    node: &Node<T>,
    depth: u8,
    slack: impl FnOnce() -> f64,
) -> bool {
    node.children().is_some()
        && match accuracy {
            Accuracy::Depth(cut) => depth < cut,
            _ => !boxes_decide(accuracy, slack()),
        }
}

/// Returns `true` if a hit of boxes with this slack is accepted without testing primitives.
fn boxes_decide(accuracy: Accuracy, slack: f64) -> bool {
    match accuracy {
        Accuracy::Depth(_) => true,
        Accuracy::Within(most) => slack <= most,
        _ => false,
    }
}
