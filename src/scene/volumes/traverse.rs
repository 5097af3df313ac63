//! The traversal of all volume queries: from the trees over the characters, or from one character,
//! through the world AABBs of parts to their trees.

use std::ops::ControlFlow::{self, Continue};

use super::collect::QueryAnswer;
use super::descend::{Descent, PartView};
use super::frontier::{Frontier, FrontierEntry};
use super::volume::{BlockTest, BoxHits, BoxTestKernel, Volume, WholePart};
use crate::broad_phase::{
    Aabb16, AabbRange, BLOCK, CharacterBvhs, CharacterNode, ChildRef, MASK_BITS, MASK_BLOCKS,
    RayEntries, prefix_mask,
};
use crate::model::{PartId, PlacedPart};
use crate::num::linear::Vec3;
use crate::num::{Scalar, SimdLevel};
use crate::scene::filter::query_filter::QueryFilter;
use crate::scene::state::character::Character;
use crate::scene::{CharacterKey, Snapshot};
use crate::shape::Placement;
use crate::tree::{Geometry, NodeId};

/// The scratch memory of traversals, kept from query to query.
#[derive(Debug, Clone, Default)]
pub(super) struct TraversalScratch {
    frontier: Frontier,
    /// Distances of the part AABBs of a character along a ray, if it has no more than [`MASK_BITS`]
    /// parts.
    entry_distances: [RayEntries; MASK_BLOCKS],
    stack: Vec<u32>,
    /// The parts to visit, of a character with more parts.
    part_hits: Vec<PartHit>,
}

/// A part whose world AABB may be hit.
#[derive(Debug, Clone, Copy)]
struct PartHit {
    /// Lower bound on the distance of the AABB along a ray.
    distance: f32,
    part: u32,
    /// `true` if the part certainly lies inside the volume.
    inside: bool,
}

// Separate functions, to be compiled only once for all volumes.
impl PartHit {
    fn sort(parts: &mut [PartHit]) {
        parts.sort_unstable_by_key(|met| met.part);
    }

    fn sort_nearest_first(parts: &mut [PartHit]) {
        parts.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.part.cmp(&b.part)));
    }
}

/// A running query.
pub(super) struct Traversal<'a, 'w, T: Scalar, A: QueryAnswer<T>> {
    pub now: &'w Snapshot<'a, T>,
    pub filter: &'w QueryFilter<'w>,
    /// The character that this query excludes in addition to the filter.
    pub excluded: Option<CharacterKey>,
    pub scratch: &'w mut TraversalScratch,
    pub descent: Descent<'a, 'w, T, A>,
}

/// A character with its transforms.
struct CharacterView<'a, T: Scalar> {
    index: u32,
    character: &'a Character<T>,
    /// The transforms of its parts, if they are computed.
    placed: Option<&'a [PlacedPart<T>]>,
    /// `true` if the filter includes all parts.
    includes_all: bool,
}

impl<'a, T: Scalar, A: QueryAnswer<T>> Traversal<'a, '_, T, A> {
    /// Visits everything the volume overlaps, of all characters or of one.
    pub fn run<V: Volume<T, Answer = A>>(&mut self, volume: &mut V, one: Option<u32>) {
        self.scratch.frontier.clear();
        let (crowd, mut next) = self.start::<V>(one);
        loop {
            let visited = match next.take() {
                Some(next) if V::NEAREST_FIRST && volume.ends_before(next.distance()) => continue,
                Some(next) => next,
                None if V::NEAREST_FIRST => match self.scratch.frontier.pop_nearest() {
                    Some(next) if !volume.ends_before(next.distance()) => next,
                    // `pop_nearest` returns the minimum, so nothing left can be nearer.
                    _ => return,
                },
                None => {
                    match self.scratch.frontier.pop_in_order(self.descent.collector.is_ordered()) {
                        Some(next) => next,
                        None => return,
                    }
                }
            };
            let Some(index) = visited.child().as_character() else {
                if let Some(crowd) = crowd {
                    next = self.visit_node(volume, (crowd, visited));
                }
                continue;
            };
            let parts = self.now.buffers.entries[index as usize].range;
            let flow = if parts.len > MASK_BITS {
                let of = (index, visited.is_inside());
                let found = self.find_many_parts(volume, (parts, of));
                if found { self.visit_many_parts(volume, index) } else { Continue(()) }
            } else {
                match self.find_parts(volume, (parts, visited.is_inside())) {
                    Some(parts) => self.visit_character(volume, index, parts),
                    None => Continue(()),
                }
            };
            if flow.is_break() {
                return;
            }
        }
    }

    /// Returns the trees over the characters and the first entry to visit: one root, with the other
    /// in the frontier, or the single character.
    #[inline(always)]
    fn start<V: Volume<T, Answer = A>>(
        &mut self,
        one: Option<u32>,
    ) -> (Option<CharacterBvhs<'a>>, Option<FrontierEntry>) {
        let buffers = self.now.buffers;
        let Some(index) = one else {
            let crowd = buffers.character_bvhs();
            let [next, other] =
                crowd.roots().map(|root| root.map(|root| FrontierEntry::new(root, false)));
            if let Some(other) = other {
                match V::NEAREST_FIRST {
                    true => self.scratch.frontier.push(other),
                    false => self.scratch.frontier.push_in_order(other),
                }
            }
            return (Some(crowd), next);
        };
        self.descent.counts.characters += 1;
        let is_there = !buffers.entries[index as usize].bounds.is_empty();
        (None, is_there.then(|| FrontierEntry::new(ChildRef::character(index), false)))
    }

    /// Adds the overlapped children of a node to the frontier, except the nearest, which it
    /// returns.
    #[inline(always)]
    fn visit_node<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &V,
        (crowd, visited): (CharacterBvhs<'_>, FrontierEntry),
    ) -> Option<FrontierEntry> {
        let node: &CharacterNode = crowd.node(visited.child());
        self.descent.counts.characters += BLOCK as u64;
        let mut begins = [[0.0; BLOCK]];
        let all = prefix_mask(node.len);
        let mut hits = BoxHits { hit: all, inside: all };
        if V::NEAREST_FIRST || !visited.is_inside() {
            hits = test_blocks(volume, self.simd(), (&node.boxes, node.len), &mut begins);
        }
        let ([begins], BoxHits { hit: mut met, inside }) = (begins, hits);
        let (frontier, mut nearest) = (&mut self.scratch.frontier, None::<FrontierEntry>);
        while met != 0 {
            let lane = met.trailing_zeros() as usize % BLOCK;
            met &= met - 1;
            if !V::NEAREST_FIRST {
                frontier.push_in_order(FrontierEntry::new(
                    node.children[lane],
                    inside >> lane & 1 == 1,
                ));
                continue;
            }
            let next = FrontierEntry::with_distance(begins[lane], node.children[lane]);
            nearest = Some(match nearest {
                None => next,
                Some(nearest) => {
                    let swaps = next.is_before(nearest);
                    frontier.push(if swaps { nearest } else { next });
                    if swaps { next } else { nearest }
                }
            });
        }
        nearest
    }

    /// Returns the parts of a character whose world AABBs may be hit; `None` without any.
    #[inline(always)]
    fn find_parts<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &V,
        (range, inside): (AabbRange, bool),
    ) -> Option<BoxHits> {
        if !V::NEAREST_FIRST && inside {
            let all = prefix_mask(range.len);
            return Some(BoxHits { hit: all, inside: all });
        }
        let blocks = self.now.buffers.part_aabbs.range_blocks(range);
        self.descent.counts.parts += (blocks.len() * BLOCK) as u64;
        let hits = test_blocks(
            volume,
            self.simd(),
            (blocks, range.len),
            &mut self.scratch.entry_distances,
        );
        (hits.hit != 0).then_some(hits)
    }

    fn simd(&self) -> SimdLevel {
        self.now.buffers.simd
    }

    /// Collects into the scratch memory the parts of a large character whose world AABBs may be
    /// hit, by the AABBs of blocks of parts: the nearest first, or in order. Returns `true` if
    /// there are any.
    #[inline(never)]
    fn find_many_parts<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &V,
        (range, (place, inside)): (AabbRange, (u32, bool)),
    ) -> bool {
        let (buffers, simd) = (self.now.buffers, self.simd());
        let model = &self.now.character(place).1.model;
        let (blocks, parts) = (buffers.part_aabbs.range_blocks(range), &mut self.scratch.part_hits);
        parts.clear();
        let mut begins = [[0.0; BLOCK]];
        for (group, around) in buffers.part_aabbs.summary_blocks(range).iter().enumerate() {
            let below = &blocks[group * BLOCK..blocks.len().min((group + 1) * BLOCK)];
            let around = std::slice::from_ref(around);
            let groups = test_blocks(volume, simd, (around, below.len()), &mut begins);
            self.descent.counts.parts += BLOCK as u64;
            let mut pending_mask = groups.hit;
            while pending_mask != 0 {
                let block_lane = pending_mask.trailing_zeros() as usize % BLOCK;
                pending_mask &= pending_mask - 1;
                let first = (group * BLOCK + block_lane) * BLOCK;
                let len = (range.len - first).min(BLOCK);
                let all = prefix_mask(len);
                let mut hits = BoxHits { hit: all, inside: all };
                if !(inside || groups.inside >> block_lane & 1 == 1) {
                    hits = test_blocks(
                        volume,
                        simd,
                        (&below[block_lane..=block_lane], len),
                        &mut begins,
                    );
                    self.descent.counts.parts += BLOCK as u64;
                }
                let mut met = hits.hit;
                while met != 0 {
                    let lane = met.trailing_zeros() as usize % BLOCK;
                    met &= met - 1;
                    let part = model.part_at(first + lane).index() as u32;
                    let inside = hits.inside >> lane & 1 == 1;
                    parts.push(PartHit { distance: begins[0][lane], part, inside });
                }
            }
        }
        match V::NEAREST_FIRST {
            true => PartHit::sort_nearest_first(parts),
            false => PartHit::sort(parts),
        }
        !parts.is_empty()
    }

    /// Visits these parts of a character, unless the filter excludes it.
    #[inline(never)]
    fn visit_character<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &mut V,
        index: u32,
        BoxHits { hit: mut met, inside }: BoxHits,
    ) -> ControlFlow<()> {
        let Some(view) = self.view(volume, index, inside != 0) else { return Continue(()) };
        // If any hit suffices, a part that certainly lies inside is first: it needs no test.
        let first = if self.descent.collector.is_ordered() { 0 } else { met & inside };
        while met != 0 {
            let part = if V::NEAREST_FIRST {
                self.nearest_part(met)
            } else if met & first != 0 {
                (met & first).trailing_zeros() as usize
            } else {
                met.trailing_zeros() as usize
            };
            met &= !(1 << part);
            let begins = if V::NEAREST_FIRST { self.part_distance(part) } else { 0.0 };
            if V::NEAREST_FIRST && volume.ends_before(begins) {
                break;
            }
            self.visit_part(volume, (&view, part), (begins == 0.0, inside >> part & 1 == 1))?;
            self.shorten_ray(volume);
        }
        Continue(())
    }

    /// Returns the view of a character; `None` if the filter excludes it, or it is certainly not
    /// hit. `inside`: some part lies inside the volume, so the test is skipped.
    #[inline(always)]
    fn view<V: Volume<T, Answer = A>>(
        &self,
        volume: &V,
        index: u32,
        inside: bool,
    ) -> Option<CharacterView<'a, T>> {
        let (entry, character) = self.now.character(index);
        let key = self.now.key_at(index);
        if self.excluded == Some(key) || self.filter.rejects_all(key, character) {
            return None;
        }
        if !inside && V::TESTS_CHARACTERS && !volume.may_overlap(&entry.bounds) {
            return None;
        }
        let includes_all = self.filter.includes_all(character);
        let placed = self.now.parts_if_worth(index);
        Some(CharacterView { index, character, placed, includes_all })
    }

    /// Shortens the ray to the first hit, so that nothing beyond is visited.
    #[inline(always)]
    fn shorten_ray<V: Volume<T, Answer = A>>(&self, volume: &mut V) {
        if let Some(t) = A::ray_end(&self.descent.collector) {
            volume.shorten_to(t);
        }
    }

    /// Returns the part, of a mask with at least one, whose AABB begins nearest.
    #[inline]
    fn nearest_part(&self, mut bits: u64) -> usize {
        let mut nearest = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        while bits != 0 {
            let part = bits.trailing_zeros() as usize;
            nearest =
                if self.part_distance(part) < self.part_distance(nearest) { part } else { nearest };
            bits &= bits - 1;
        }
        nearest
    }

    /// Returns where the AABB of a part begins along the ray.
    #[inline]
    fn part_distance(&self, part: usize) -> f32 {
        self.scratch.entry_distances.as_flattened()[part % MASK_BITS]
    }

    /// Visits the parts collected by [`Traversal::find_many_parts`].
    #[inline(never)]
    fn visit_many_parts<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &mut V,
        index: u32,
    ) -> ControlFlow<()> {
        let parts = std::mem::take(&mut self.scratch.part_hits);
        let inside = parts.iter().any(|met| met.inside);
        let mut flow = Continue(());
        if let Some(view) = self.view(volume, index, inside) {
            for &PartHit { distance, part, inside } in &parts {
                if flow.is_break() || V::NEAREST_FIRST && volume.ends_before(distance) {
                    break;
                }
                flow = self.visit_part(volume, (&view, part as usize), (distance == 0.0, inside));
                self.shorten_ray(volume);
            }
        }
        self.scratch.part_hits = parts;
        flow
    }

    /// Visits a part whose world AABB may be hit. `starts`: a ray may start in it; `inside`: it
    /// certainly lies inside the volume.
    #[inline(always)]
    fn visit_part<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &V,
        (view, index): (&CharacterView<'a, T>, usize),
        (starts, inside): (bool, bool),
    ) -> ControlFlow<()> {
        let Some(part) = view.part(index) else { return Continue(()) };
        let bounds = || &self.now.parts(view.index)[index].bounds;
        let may_meet = !V::TESTS_PARTS || inside || volume.may_overlap(bounds());
        if !may_meet || !(view.includes_all || self.includes(view, index)) {
            return Continue(());
        }
        let before = self.descent.collector.len();
        let mut has_root = false;
        if V::NEAREST_FIRST
            && starts
            && volume.ray_start().is_some_and(|start| self.solid_contains(&part, start))
        {
            self.descent.add_hit(&part, NodeId::ROOT, (A::Details::default(), 0.0))?;
            if !self.descent.collector.needs_all_boxes() {
                A::end_part(&mut self.descent.collector, before);
                return Continue(());
            }
            has_root = true;
        }
        let overlaps_unrotated = || {
            let only = part.tree.single_aabb();
            only.is_some_and(|(only, _)| volume.overlaps_unrotated(part.position(), only))
        };
        let is_whole = !inside && V::TESTS_UNROTATED && overlaps_unrotated();
        let flow = match inside || is_whole {
            true => {
                let error = volume.frame_error(
                    part.position(),
                    || view.placement(&part),
                    part.tree.wide_radius_about_origin(),
                );
                let details = A::Details::default();
                match is_whole {
                    true => {
                        self.descent.visit_only_box(&part, &WholePart::<_, true> { error, details })
                    }
                    false => Some(self.descent.visit_tree(
                        &part,
                        &WholePart::<_, false> { error, details },
                        has_root,
                    )),
                }
            }
            false => None,
        };
        match flow {
            Some(flow) => flow?,
            None => {
                let placement = view.placement(&part);
                self.descent.visit_tree(
                    &part,
                    &volume.in_part_frame(&placement, part.tree),
                    has_root,
                )?;
            }
        }
        if !V::NEAREST_FIRST
            && self.descent.collector.len() == before
            && matches!(part.tree.geometry(), Geometry::Solid(_))
            && volume.sample_point().is_some_and(|point| self.solid_contains(&part, point))
        {
            self.descent.add_hit(&part, NodeId::ROOT, (A::Details::default(), 0.0))?;
        }
        A::end_part(&mut self.descent.collector, before);
        Continue(())
    }

    /// Returns `true` if a part is solid and contains the point.
    #[inline]
    fn solid_contains(&mut self, part: &PartView<'_, T>, point: Vec3) -> bool {
        matches!(part.tree.geometry(), Geometry::Solid(_)) && self.contains_point(part, point)
    }

    #[inline(never)]
    fn contains_point(&mut self, part: &PartView<'_, T>, point: Vec3) -> bool {
        self.descent.counts.points += 1;
        let (placement, path) = (Placement::new(part.pose), &mut self.scratch.stack);
        part.tree.contains_point(part.pose, &placement, point, path)
    }

    #[inline(never)]
    fn includes(&self, view: &CharacterView<'a, T>, part: usize) -> bool {
        let node = || self.now.node_ref([view.index, part as u32, 0]);
        self.filter.includes(view.character, PartId::new(part), node)
    }
}

/// Tests a volume against the first boxes of some blocks.
#[inline(always)]
fn test_blocks<V: BlockTest>(
    volume: &V,
    simd: SimdLevel,
    (blocks, len): (&[Aabb16], usize),
    begins: &mut [RayEntries],
) -> BoxHits {
    simd.run(BoxTestKernel { volume, blocks, len, begins })
}

impl<'a, T: Scalar> CharacterView<'a, T> {
    /// Returns a part that has geometry and is not switched off.
    #[inline(always)]
    fn part(&self, index: usize) -> Option<PartView<'a, T>> {
        let tree = self.character.tree(index)?;
        Some(PartView { tree, pose: &self.character.poses[index], key: [self.index, index as u32] })
    }

    /// Returns the transform of a part.
    #[inline(always)]
    fn placement(&self, part: &PartView<'a, T>) -> Placement {
        PlacedPart::placement(self.placed, part.key[1] as usize, part.pose)
    }
}
