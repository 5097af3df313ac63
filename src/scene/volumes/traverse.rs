//! The one traversal of volume queries: from the tree over the characters, or the one character
//! asked about, through the world boxes of parts to their trees.

use std::ops::ControlFlow::{self, Continue};

use super::collect::Answer;
use super::descend::{Descent, PartView};
use super::frontier::{Frontier, Next};
use super::query_filter::QueryFilter;
use super::volume::{Volume, WholePart};
use crate::broad_phase::{BLOCK, Behind, CharacterNode, RayEntries, filled};
use crate::model::{PartId, Placed};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::num::simd::Floats;
use crate::scene::{Character, Snapshot};
use crate::shape::Aabb;
use crate::tree::{Geometry, NodeId};

/// Rounding of lengths along a ray seen from the world and from a part. No unit.
const SLANT: f64 = 1.0 / (1u64 << 42) as f64;

/// What traversals write on, kept from query to query.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    frontier: Frontier,
    /// Where the boxes of up to 64 parts of a character begin.
    begins: [RayEntries; 64 / BLOCK],
    path: Vec<u32>,
    /// Of a character with many parts those that may be met.
    parts: Vec<usize>,
}

/// A query under way.
pub(super) struct Traversal<'a, 'w, T: Scalar, A: Answer<T>> {
    pub now: &'w Snapshot<'a, T>,
    pub filter: &'w QueryFilter<'w>,
    pub scratch: &'w mut Scratch,
    pub descent: Descent<'a, 'w, T, A>,
}

/// A bit for each part of a character.
#[derive(Debug, Clone, Copy, Default)]
struct PartHits {
    met: u64,
    inside: u64,
}

/// A character in place.
struct CharacterView<'a, T: Scalar> {
    place: u32,
    character: &'a Character<T>,
    placed: &'a [Placed<T>],
    /// Whether nothing was said that could leave out a part.
    includes_all: bool,
}

impl<'a, T: Scalar, A: Answer<T>> Traversal<'a, '_, T, A> {
    /// Visits everything the volume meets of all characters, or of the one at that place.
    #[inline(always)]
    pub fn run<L: Floats, V: Volume<T, Answer = A>>(
        &mut self,
        token: L::Token,
        volume: &mut V,
        one: Option<u32>,
    ) {
        self.scratch.frontier.clear();
        let mut next = self.start(one);
        loop {
            let visited = match next.take() {
                Some(next) if volume.ends_before(next.near()) => continue,
                Some(next) => next,
                None if V::NEAREST_FIRST => match self.scratch.frontier.pop_nearest() {
                    Some(next) if !volume.ends_before(next.near()) => next,
                    // Nor is anything nearer.
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
                next = self.visit_node::<L, V>(token, volume, visited);
                continue;
            };
            let Some(parts) = self.parts_met::<L, V>(token, volume, (place, visited.inside)) else {
                continue;
            };
            if self.visit_character(volume, place, parts).is_break() {
                return;
            }
        }
    }

    /// What is visited first: the root of the tree over the characters, or the one character.
    #[inline(always)]
    fn start(&mut self, one: Option<u32>) -> Option<Next> {
        let buffers = self.now.buffers;
        let Some(place) = one else {
            return buffers.crowd().root().map(|root| Next::new(0.0, root, false));
        };
        self.descent.counts.characters += 1;
        let is_there = !buffers.entries[place as usize].bounds.is_empty();
        is_there.then(|| Next::new(0.0, Behind::character(place), false))
    }

    /// Puts what is met of a node where it waits to be visited; the nearest is returned instead.
    #[inline(always)]
    fn visit_node<L: Floats, V: Volume<T, Answer = A>>(
        &mut self,
        token: L::Token,
        volume: &V,
        visited: Next,
    ) -> Option<Next> {
        let node: &CharacterNode = self.now.buffers.crowd().node(visited.what());
        self.descent.counts.characters += BLOCK as u64;
        let mut begins: RayEntries = [0.0; BLOCK];
        let all = filled(node.len) as u32;
        let (mut met, mut inside) = (all, all);
        if !visited.inside {
            let hits = volume.test_block::<L>(token, (&node.boxes[0], node.len), &mut begins);
            (met, inside) = (hits.met & all, hits.inside);
        }
        let (frontier, mut nearest) = (&mut self.scratch.frontier, None::<Next>);
        while met != 0 {
            let lane = met.trailing_zeros() as usize % BLOCK;
            met &= met - 1;
            let next = Next::new(begins[lane], node.behind[lane], inside >> lane & 1 == 1);
            if !V::NEAREST_FIRST {
                frontier.push_in_order(next);
                continue;
            }
            nearest = Some(match nearest {
                None => next,
                Some(nearest) if next.is_before(nearest) => {
                    frontier.push(nearest);
                    next
                }
                Some(nearest) => {
                    frontier.push(next);
                    nearest
                }
            });
        }
        nearest
    }

    /// The parts of a character whose world boxes may be met; `None` without any. All of a
    /// character with so many that no blocks hold their boxes.
    #[inline(always)]
    fn parts_met<L: Floats, V: Volume<T, Answer = A>>(
        &mut self,
        token: L::Token,
        volume: &V,
        (place, inside): (u32, bool),
    ) -> Option<PartHits> {
        let buffers = self.now.buffers;
        let range = buffers.entries[place as usize].rows;
        let all = filled(range.len);
        if inside {
            return Some(PartHits { met: all, inside: all });
        }
        let (mut parts, mut first) = (PartHits::default(), 0);
        for (block, begins) in buffers.rows.range(range).iter().zip(&mut self.scratch.begins) {
            let hits = volume.test_block::<L>(token, (block, range.len - first), begins);
            parts.met |= u64::from(hits.met) << first;
            parts.inside |= u64::from(hits.inside) << first;
            first += BLOCK;
        }
        self.descent.counts.parts += first as u64;
        parts.met &= all;
        (parts.met != 0 || range.len == 0).then_some(parts)
    }

    /// Those parts of a character, unless it is left out.
    // Called: in lanes' registers its few numbers in double precision would only be moved about.
    #[inline(never)]
    fn visit_character<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &mut V,
        place: u32,
        PartHits { mut met, inside }: PartHits,
    ) -> ControlFlow<()> {
        if self.filter.excludes(self.now.key(place)) {
            return Continue(());
        }
        let (entry, character) = self.now.character(place);
        if entry.rows.len > 0
            && inside == 0
            && V::TESTS_CHARACTERS
            && volume.enters(&entry.bounds).is_none()
        {
            return Continue(());
        }
        let includes_all = self.filter.includes_all(character);
        let placed = self.now.parts(place);
        let view = CharacterView { place, character, placed, includes_all };
        if entry.rows.len == 0 {
            self.visit_many(volume, &view)?;
            self.shorten(volume);
            return Continue(());
        }
        while met != 0 {
            let part =
                if V::NEAREST_FIRST { self.nearest(met) } else { met.trailing_zeros() as usize };
            met &= !(1 << part);
            let begins = if V::NEAREST_FIRST { self.begins(part) } else { 0.0 };
            if volume.ends_before(begins) {
                break;
            }
            self.visit_part(volume, (&view, part), (begins == 0.0, inside >> part & 1 == 1))?;
            self.shorten(volume);
        }
        Continue(())
    }

    /// Nothing beyond what was hit first is visited.
    #[inline(always)]
    fn shorten<V: Volume<T, Answer = A>>(&self, volume: &mut V) {
        if let Some(t) = A::end(&self.descent.collector) {
            volume.end_at(t);
        }
    }

    /// The one of some parts, at least one, whose box begins nearest.
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

    /// Where the box of a part begins.
    #[inline]
    fn begins(&self, part: usize) -> f32 {
        self.scratch.begins.as_flattened()[part % 64]
    }

    /// A character with so many parts that no blocks hold their boxes, through the tree over them.
    /// Its boxes are a little larger than those of [`CharacterView::placed`].
    #[inline(never)]
    fn visit_many<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &V,
        view: &CharacterView<'a, T>,
    ) -> ControlFlow<()> {
        let (entry, character) = self.now.character(view.place);
        let Some(boxes) = self.now.buffers.part_boxes(entry, character) else {
            return Continue(());
        };
        let mut parts = std::mem::take(&mut self.scratch.parts);
        parts.clear();
        let enters = |bounds: &Aabb<T, 3>| match bounds.is_empty() {
            true => None,
            false => volume.enters(bounds),
        };
        let (met, path) = (|bounds: &_| enters(bounds).is_some(), &mut self.scratch.path);
        self.descent.counts.parts += boxes.each_met(met, path, |part| parts.push(part.index()));
        parts.sort_unstable();
        let flow = parts.iter().try_for_each(|&part| match enters(&view.placed[part].bounds) {
            Some(t) if !A::is_behind(&self.descent.collector, t, t * SLANT) => {
                self.visit_part(volume, (view, part), (t == 0.0, false))
            }
            _ => Continue(()),
        });
        self.scratch.parts = parts;
        flow
    }

    /// A part whose world box may be met. `starts`: a ray may start in it; `inside`: it surely lies
    /// in the volume as a whole.
    #[inline(always)]
    fn visit_part<V: Volume<T, Answer = A>>(
        &mut self,
        volume: &V,
        (view, index): (&CharacterView<'a, T>, usize),
        (starts, inside): (bool, bool),
    ) -> ControlFlow<()> {
        let placed = &view.placed[index];
        let is_met = !placed.bounds.is_empty()
            && (!V::TESTS_PARTS || inside || volume.enters(&placed.bounds).is_some());
        if !is_met || !(view.includes_all || self.includes(view, index)) {
            return Continue(());
        }
        let part = view.part(index);
        let (place, before) = (&placed.placement, self.descent.collector.len());
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
                let doubt = volume.doubt(place, part.tree.wide_reach());
                let whole = WholePart { doubt, met: A::Met::default() };
                self.descent.visit_tree(&part, &whole, has_root)?;
            }
            false => self.descent.visit_tree(&part, &volume.in_part(place, part.tree), has_root)?,
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

    /// Whether a part is solid and holds the point.
    #[inline]
    fn holds(&mut self, part: &PartView<'_, T>, point: Vec3) -> bool {
        matches!(part.tree.geometry(), Geometry::Solid(_)) && self.solid_holds(part, point)
    }

    #[inline(never)]
    fn solid_holds(&mut self, part: &PartView<'_, T>, point: Vec3) -> bool {
        self.descent.counts.points += 1;
        let (place, path) = (&part.placed.placement, &mut self.scratch.path);
        part.tree.contains_point(part.pose, place, point, path)
    }

    #[inline(never)]
    fn includes(&self, view: &CharacterView<'a, T>, part: usize) -> bool {
        let node = || self.now.node_ref([view.place, part as u32, 0]);
        self.filter.includes(view.character, PartId::new(part), node)
    }
}

impl<'a, T: Scalar> CharacterView<'a, T> {
    /// A part that has geometry: its box was met.
    #[inline]
    fn part(&self, index: usize) -> PartView<'a, T> {
        let (pose, placed) = (&self.character.poses[index], &self.placed[index]);
        let tree = self.character.model.tree(PartId::new(index));
        PartView { tree, pose, placed, key: [self.place, index as u32] }
    }
}
