//! The traversal of all volume queries: from the trees over the characters, or from one character,
//! through the world AABBs of parts to their trees.

use std::ops::ControlFlow::{self, Continue};

use super::collect::Answer;
use super::descend::{Descent, PartView};
use super::frontier::{Frontier, Next};
use super::query_filter::QueryFilter;
use super::volume::{BlockTest, BoxHits, TestBoxes, Volume, WholePart};
use crate::broad_phase::{
    Aabb16, AabbRange, BLOCK, CharacterBvhs, CharacterNode, ChildRef, MASK_BITS, MASK_BLOCKS,
    RayEntries, prefix_mask,
};
use crate::model::{PartId, Placed};
use crate::num::linear::Vec3;
use crate::num::{Scalar, SimdLevel};
use crate::scene::{Character, Snapshot};
use crate::shape::Placement;
use crate::tree::{Geometry, NodeId};

/// The scratch memory of traversals, kept from query to query.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    frontier: Frontier,
    /// Distances of the part AABBs of a character along a ray, if it has no more than [`MASK_BITS`]
    /// parts.
    begins: [RayEntries; MASK_BLOCKS],
    path: Vec<u32>,
    /// The parts to visit, of a character with more parts.
    parts: Vec<MetPart>,
}

/// A part whose world AABB may be hit.
#[derive(Debug, Clone, Copy)]
struct MetPart {
    /// Lower bound on the distance of the AABB along a ray.
    begins: f32,
    part: u32,
    /// `true` if the part certainly lies inside the volume.
    inside: bool,
}

// Separate functions, to be compiled only once for all volumes.
impl MetPart {
    fn sort(parts: &mut [MetPart]) {
        parts.sort_unstable_by_key(|met| met.part);
    }

    fn sort_nearest_first(parts: &mut [MetPart]) {
        parts.sort_unstable_by(|a, b| a.begins.total_cmp(&b.begins).then(a.part.cmp(&b.part)));
    }
}

/// A running query.
pub(super) struct Traversal<'a, 'w, T: Scalar, A: Answer<T>> {
    pub now: &'w Snapshot<'a, T>,
    pub filter: &'w QueryFilter<'w>,
    pub scratch: &'w mut Scratch,
    pub descent: Descent<'a, 'w, T, A>,
}

/// A character with its transforms.
struct CharacterView<'a, T: Scalar> {
    place: u32,
    character: &'a Character<T>,
    /// The transforms of its parts, if they are computed.
    placed: Option<&'a [Placed<T>]>,
    /// `true` if the filter includes all parts.
    includes_all: bool,
}

impl<'a, T: Scalar, A: Answer<T>> Traversal<'a, '_, T, A> {
    /// Visits everything the volume overlaps, of all characters or of one.
    pub fn run<V: Volume<T, Answer = A>>(&mut self, volume: &mut V, one: Option<u32>) {
        self.scratch.frontier.clear();
        let (crowd, mut next) = self.start::<V>(one);
        loop {
            let visited = match next.take() {
                Some(next) if V::NEAREST_FIRST && volume.ends_before(next.near()) => continue,
                Some(next) => next,
                None if V::NEAREST_FIRST => match self.scratch.frontier.pop_nearest() {
                    Some(next) if !volume.ends_before(next.near()) => next,
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
            let Some(place) = visited.what().as_character() else {
                if let Some(crowd) = crowd {
                    next = self.visit_node(volume, (crowd, visited));
                }
                continue;
            };
            let parts = self.now.buffers.entries[place as usize].parts;
            let flow = if parts.len > MASK_BITS {
                let of = (place, visited.is_inside());
                let found = self.find_parts(volume, (parts, of));
                if found { self.visit_many(volume, place) } else { Continue(()) }
            } else {
                match self.parts_met(volume, (parts, visited.is_inside())) {
                    Some(parts) => self.visit_character(volume, place, parts),
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
    ) -> (Option<CharacterBvhs<'a>>, Option<Next>) {
        let buffers = self.now.buffers;
        let Some(place) = one else {
            let crowd = buffers.crowd();
            let [next, other] = crowd.roots().map(|root| root.map(|root| Next::new(root, false)));
            if let Some(other) = other {
                match V::NEAREST_FIRST {
                    true => self.scratch.frontier.push(other),
                    false => self.scratch.frontier.push_in_order(other),
                }
            }
            return (Some(crowd), next);
        };
        self.descent.counts.characters += 1;
        let is_there = !buffers.entries[place as usize].bounds.is_empty();
        (None, is_there.then(|| Next::new(ChildRef::character(place), false)))
    }

    /// Adds the overlapped children of a node to the frontier, except the nearest, which it
    /// returns.
    #[inline(always)]
    fn visit_node<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &V,
        (crowd, visited): (CharacterBvhs<'_>, Next),
    ) -> Option<Next> {
        let node: &CharacterNode = crowd.node(visited.what());
        self.descent.counts.characters += BLOCK as u64;
        let mut begins = [[0.0; BLOCK]];
        let all = prefix_mask(node.len);
        let mut hits = BoxHits { met: all, inside: all };
        if V::NEAREST_FIRST || !visited.is_inside() {
            hits = test(volume, self.level(), (&node.boxes, node.len), &mut begins);
        }
        let ([begins], BoxHits { mut met, inside }) = (begins, hits);
        let (frontier, mut nearest) = (&mut self.scratch.frontier, None::<Next>);
        while met != 0 {
            let lane = met.trailing_zeros() as usize % BLOCK;
            met &= met - 1;
            if !V::NEAREST_FIRST {
                frontier.push_in_order(Next::new(node.children[lane], inside >> lane & 1 == 1));
                continue;
            }
            let next = Next::along(begins[lane], node.children[lane]);
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
    fn parts_met<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &V,
        (range, inside): (AabbRange, bool),
    ) -> Option<BoxHits> {
        if !V::NEAREST_FIRST && inside {
            let all = prefix_mask(range.len);
            return Some(BoxHits { met: all, inside: all });
        }
        let blocks = self.now.buffers.rows.range_blocks(range);
        self.descent.counts.parts += (blocks.len() * BLOCK) as u64;
        let hits = test(volume, self.level(), (blocks, range.len), &mut self.scratch.begins);
        (hits.met != 0).then_some(hits)
    }

    fn level(&self) -> SimdLevel {
        self.now.buffers.level
    }

    /// Collects into the scratch memory the parts of a large character whose world AABBs may be
    /// hit, by the AABBs of blocks of parts: the nearest first, or in order. Returns `true` if
    /// there are any.
    #[inline(never)]
    fn find_parts<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &V,
        (range, (place, inside)): (AabbRange, (u32, bool)),
    ) -> bool {
        let (buffers, level) = (self.now.buffers, self.level());
        let model = &self.now.character(place).1.model;
        let (blocks, parts) = (buffers.rows.range_blocks(range), &mut self.scratch.parts);
        parts.clear();
        let mut begins = [[0.0; BLOCK]];
        for (group, around) in buffers.rows.summary_blocks(range).iter().enumerate() {
            let below = &blocks[group * BLOCK..blocks.len().min((group + 1) * BLOCK)];
            let around = std::slice::from_ref(around);
            let groups = test(volume, level, (around, below.len()), &mut begins);
            self.descent.counts.parts += BLOCK as u64;
            let mut left = groups.met;
            while left != 0 {
                let at = left.trailing_zeros() as usize % BLOCK;
                left &= left - 1;
                let first = (group * BLOCK + at) * BLOCK;
                let len = (range.len - first).min(BLOCK);
                let all = prefix_mask(len);
                let mut hits = BoxHits { met: all, inside: all };
                if !(inside || groups.inside >> at & 1 == 1) {
                    hits = test(volume, level, (&below[at..=at], len), &mut begins);
                    self.descent.counts.parts += BLOCK as u64;
                }
                let mut met = hits.met;
                while met != 0 {
                    let lane = met.trailing_zeros() as usize % BLOCK;
                    met &= met - 1;
                    let part = model.part_at(first + lane).index() as u32;
                    let inside = hits.inside >> lane & 1 == 1;
                    parts.push(MetPart { begins: begins[0][lane], part, inside });
                }
            }
        }
        match V::NEAREST_FIRST {
            true => MetPart::sort_nearest_first(parts),
            false => MetPart::sort(parts),
        }
        !parts.is_empty()
    }

    /// Visits these parts of a character, unless the filter excludes it.
    #[inline(never)]
    fn visit_character<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &mut V,
        place: u32,
        BoxHits { mut met, inside }: BoxHits,
    ) -> ControlFlow<()> {
        let Some(view) = self.view(volume, place, inside != 0) else { return Continue(()) };
        while met != 0 {
            let part =
                if V::NEAREST_FIRST { self.nearest(met) } else { met.trailing_zeros() as usize };
            met &= !(1 << part);
            let begins = if V::NEAREST_FIRST { self.begins(part) } else { 0.0 };
            if V::NEAREST_FIRST && volume.ends_before(begins) {
                break;
            }
            self.visit_part(volume, (&view, part), (begins == 0.0, inside >> part & 1 == 1))?;
            self.shorten(volume);
        }
        Continue(())
    }

    /// Returns the view of a character; `None` if the filter excludes it, or it is certainly not
    /// hit. `inside`: some part lies inside the volume, so the test is skipped.
    #[inline(always)]
    fn view<V: Volume<T, Answer = A>>(
        &self,
        volume: &V,
        place: u32,
        inside: bool,
    ) -> Option<CharacterView<'a, T>> {
        if self.filter.excludes(self.now.key(place)) {
            return None;
        }
        let (entry, character) = self.now.character(place);
        if !inside && V::TESTS_CHARACTERS && !volume.may_meet(&entry.bounds) {
            return None;
        }
        let includes_all = self.filter.includes_all(character);
        let placed = self.now.parts_if_worth(place);
        Some(CharacterView { place, character, placed, includes_all })
    }

    /// Shortens the ray to the first hit, so that nothing beyond is visited.
    #[inline(always)]
    fn shorten<V: Volume<T, Answer = A>>(&self, volume: &mut V) {
        if let Some(t) = A::end(&self.descent.collector) {
            volume.end_at(t);
        }
    }

    /// Returns the part, of a mask with at least one, whose AABB begins nearest.
    #[inline]
    fn nearest(&self, mut bits: u64) -> usize {
        let mut nearest = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        while bits != 0 {
            let part = bits.trailing_zeros() as usize;
            nearest = if self.begins(part) < self.begins(nearest) { part } else { nearest };
            bits &= bits - 1;
        }
        nearest
    }

    /// Returns where the AABB of a part begins along the ray.
    #[inline]
    fn begins(&self, part: usize) -> f32 {
        self.scratch.begins.as_flattened()[part % MASK_BITS]
    }

    /// Visits the parts collected by [`Traversal::find_many_parts`].
    #[inline(never)]
    fn visit_many<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &mut V,
        place: u32,
    ) -> ControlFlow<()> {
        let parts = std::mem::take(&mut self.scratch.parts);
        let inside = parts.iter().any(|met| met.inside);
        let mut flow = Continue(());
        if let Some(view) = self.view(volume, place, inside) {
            for &MetPart { begins, part, inside } in &parts {
                if flow.is_break() || V::NEAREST_FIRST && volume.ends_before(begins) {
                    break;
                }
                flow = self.visit_part(volume, (&view, part as usize), (begins == 0.0, inside));
                self.shorten(volume);
            }
        }
        self.scratch.parts = parts;
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
        let bounds = || &self.now.parts(view.place)[index].bounds;
        let may_meet = !V::TESTS_PARTS || inside || volume.may_meet(bounds());
        if !may_meet || !(view.includes_all || self.includes(view, index)) {
            return Continue(());
        }
        let before = self.descent.collector.len();
        let mut has_root = false;
        if V::NEAREST_FIRST
            && starts
            && volume.start().is_some_and(|start| self.holds(&part, start))
        {
            self.descent.take(&part, NodeId::ROOT, (A::Met::default(), 0.0))?;
            if !self.descent.collector.takes_all_boxes() {
                A::end_part(&mut self.descent.collector, before);
                return Continue(());
            }
            has_root = true;
        }
        match inside {
            true => {
                let doubt = volume.doubt(&view.placement(&part), part.tree.wide_radius_about_origin());
                let whole = WholePart { doubt, met: A::Met::default() };
                self.descent.visit_tree(&part, &whole, has_root)?;
            }
            false => {
                let place = view.placement(&part);
                self.descent.visit_tree(&part, &volume.in_part(&place, part.tree), has_root)?;
            }
        }
        if !V::NEAREST_FIRST
            && self.descent.collector.len() == before
            && matches!(part.tree.geometry(), Geometry::Solid(_))
            && volume.point().is_some_and(|point| self.holds(&part, point))
        {
            self.descent.take(&part, NodeId::ROOT, (A::Met::default(), 0.0))?;
        }
        A::end_part(&mut self.descent.collector, before);
        Continue(())
    }

    /// Returns `true` if a part is solid and contains the point.
    #[inline]
    fn holds(&mut self, part: &PartView<'_, T>, point: Vec3) -> bool {
        matches!(part.tree.geometry(), Geometry::Solid(_)) && self.solid_holds(part, point)
    }

    #[inline(never)]
    fn solid_holds(&mut self, part: &PartView<'_, T>, point: Vec3) -> bool {
        self.descent.counts.points += 1;
        let (place, path) = (Placement::new(part.pose), &mut self.scratch.path);
        part.tree.contains_point(part.pose, &place, point, path)
    }

    #[inline(never)]
    fn includes(&self, view: &CharacterView<'a, T>, part: usize) -> bool {
        let node = || self.now.node_ref([view.place, part as u32, 0]);
        self.filter.includes(view.character, PartId::new(part), node)
    }
}

/// Tests a volume against the first boxes of some blocks.
#[inline(always)]
fn test<V: BlockTest>(
    volume: &V,
    level: SimdLevel,
    (blocks, len): (&[Aabb16], usize),
    begins: &mut [RayEntries],
) -> BoxHits {
    level.run(TestBoxes { volume, blocks, len, begins })
}

impl<'a, T: Scalar> CharacterView<'a, T> {
    /// Returns a part that has geometry and is not switched off.
    #[inline(always)]
    fn part(&self, index: usize) -> Option<PartView<'a, T>> {
        let tree = self.character.tree(index)?;
        Some(PartView { tree, pose: &self.character.poses[index], key: [self.place, index as u32] })
    }

    /// Returns the transform of a part.
    #[inline(always)]
    fn placement(&self, part: &PartView<'a, T>) -> Placement {
        Placed::placement(self.placed, part.key[1] as usize, part.pose)
    }
}
