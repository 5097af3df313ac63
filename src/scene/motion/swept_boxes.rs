//! World AABBs that contain each part during the whole tick.
//!
//! A point whose acceleration is at most `A` is, at every time of the tick, within `A / 8` of the
//! segment between its two ends; and that segment is in the box around the boxes at both ends.
//!
//! There are two such boxes. Candidates are found by those of [`fill`], made of all parts, many at
//! a time in single precision and without their paths. A part that is tested has a path, and by
//! that a tighter [box](swept_aabb).

use super::character_paths::{CharacterPaths, MotionEnds, PartIndex, PathSource};
use super::part_travel::PartTravel;
use super::path::{ChainBounds, rotation_chord};
use crate::broad_phase::{Aabb16, AabbF32, BLOCK, EMPTY_BLOCK, GrownBoxesKernel};
use crate::model::padded_world_aabb;
use crate::motion::RigidMotion;
use crate::num::Scalar;
use crate::scene::Scene;
use crate::scene::snapshot::buffers::Buffers;
use crate::shape::Aabb;

/// Memory of [`fill`].
#[derive(Debug, Clone, Default)]
pub(super) struct SweptMemory {
    /// Length by which the boxes of each part grow, in the order of the blocks.
    growths: Vec<[f32; BLOCK]>,
    /// Bounds and poses in the world of the parts of a character, if they are needed.
    links: Vec<(ChainBounds, [RigidMotion; 2])>,
    /// Flag per part: `true` if it has geometry, or a part below it.
    needed: Vec<bool>,
    /// A part and those that it moves with.
    chain: Vec<PartIndex>,
    /// Boxes of the parts of a character after the tick.
    later: Vec<Aabb16>,
}

/// Fills buffers, whose entries are assigned, with the boxes of the parts between two states, and
/// the travel of each part that moves, by its number. A character at rest keeps its boxes while its
/// state is the same.
pub(super) fn fill<T: Scalar>(
    (buffers, travels): (&mut Buffers<T>, &mut Vec<PartTravel>),
    scenes: [&Scene<T>; 2],
    paths: &CharacterPaths,
    memory: &mut SweptMemory,
) {
    let ends = MotionEnds { scenes, entries: &buffers.entries, indices: &buffers.indices };
    let source = PathSource { ends, paths };
    travels.resize(source.part_count(), PartTravel::default());
    memory.growths.resize(source.part_count() / BLOCK, [0.0; BLOCK]);
    for index in 0..buffers.entries.len() as u32 {
        if !source.rests(index) {
            memory.bound_motion(&source, index, travels);
        }
    }
    let (simd, SweptMemory { growths, later, .. }) = (buffers.simd, memory);
    let rests = |index: usize| paths.rests(index as u32);
    buffers.replace_boxes(scenes[1], rests, |index, entry, blocks| {
        let character = &scenes[1].characters[entry.slot];
        if rests(index) {
            return entry.place(character, blocks, simd);
        }
        let before = &scenes[0].characters[entry.slot].poses;
        later.resize(blocks.len(), EMPTY_BLOCK);
        let placed = character
            .place_parts(before, blocks, simd)
            .and_then(|_| character.place_parts(&character.poses, later, simd));
        let growths = &growths[entry.range.block..];
        match placed {
            Some(_) => entry.set_bounds(simd.run(GrownBoxesKernel {
                blocks: &mut blocks[..entry.range.block_count()],
                others: later,
                growths,
            })),
            None => {
                let boxes = (0..character.model.len()).map(|slot| {
                    let part = character.model.part_at(slot).index();
                    character.tree(part).map_or_else(Aabb::empty, |tree| {
                        let ends = [&before[part], &character.poses[part]];
                        let [before, later] = ends.map(|pose| padded_world_aabb(tree, pose));
                        let growth = growths[slot / BLOCK][slot % BLOCK];
                        before.merged(&later).grown(T::at_least(growth.into()).wide())
                    })
                });
                entry.write_boxes(boxes, blocks);
            }
        }
        entry.range.write_summary(blocks);
    });
}

impl SweptMemory {
    /// Computes the growths and the travels of the parts of a character that moves.
    fn bound_motion<T: Scalar>(
        &mut self,
        source: &PathSource<'_, T>,
        index: u32,
        travels: &mut [PartTravel],
    ) {
        let SweptMemory { growths, links, needed, chain, .. } = self;
        let (character, first) = (source.character(index), source.first_number(index));
        let (before, is_jointed) = (source.poses_before(index), source.is_jointed(index));
        let holder = source.holder(index).map(|part| link(source, part, chain));
        let parts = character.model.parts();
        needed.clear();
        needed.resize(parts.len(), false);
        for part in (0..parts.len()).rev() {
            needed[part] |= character.tree(part).is_some();
            if let Some(parent) = parts[part].parent().filter(|_| needed[part]) {
                needed[parent.index()] = true;
            }
        }
        links.clear();
        for (part, poses) in before.iter().zip(&character.poses).enumerate() {
            if !needed[part] {
                links.push((ChainBounds::default(), [RigidMotion::IDENTITY; 2]));
                continue;
            }
            let world = [poses.0, poses.1].map(RigidMotion::normalised);
            let chord = rotation_chord(world.map(|end| end.rotation));
            let parent = match parts[part].parent() {
                Some(parent) if is_jointed => Some(&links[parent.index()]),
                _ => holder.as_ref(),
            };
            let bounds = match parent {
                Some(_) => ChainBounds::of_link(&world, parent),
                None => ChainBounds::default().with_ends(&world, chord),
            };
            links.push((bounds, world));
            if let Some(tree) = character.tree(part) {
                let growth = growth::<T>(tree.wide_radius_about_origin(), &bounds).wide();
                travels[first + part] = PartTravel::new(tree, &world, (chord, growth));
            }
        }
        let model = &character.model;
        let rows = growths[first / BLOCK..].as_flattened_mut();
        for (slot, row) in rows.iter_mut().enumerate().take(model.len()) {
            *row = f32::at_least(travels[first + model.part_at(slot).index()].growth);
        }
    }
}

/// Returns bounds on the motion of a part, and its poses in the world.
fn link<T: Scalar>(
    source: &PathSource<'_, T>,
    part: PartIndex,
    chain: &mut Vec<PartIndex>,
) -> (ChainBounds, [RigidMotion; 2]) {
    chain.clear();
    let mut next = Some(part);
    while let Some(part) = next {
        chain.push(part);
        next = source.parent(part);
    }
    let mut above = None;
    while let Some(part) = chain.pop() {
        let world = source.ends_of(part);
        above = Some((ChainBounds::of_link(&world, above.as_ref()), world));
    }
    above.unwrap_or((ChainBounds::default(), [RigidMotion::IDENTITY; 2]))
}

/// Returns the box that contains a part during the whole tick, by the bounds of its path.
pub(super) fn swept_aabb<T: Scalar>(
    source: &PathSource<'_, T>,
    (index, part): PartIndex,
    bounds: impl FnOnce() -> ChainBounds,
) -> AabbF32 {
    let character = source.character(index);
    let Some(tree) = character.tree(part) else { return AabbF32::EMPTY };
    let later = padded_world_aabb(tree, &character.poses[part]);
    if source.rests(index) {
        return AabbF32::new(&later);
    }
    let growth = growth::<T>(tree.wide_radius_about_origin(), &bounds());
    let before = padded_world_aabb(tree, &source.poses_before(index)[part]);
    AabbF32::new(&before.merged(&later).grown(growth.wide()))
}

/// Returns the length by which the boxes at both ends grow, for points no further than `radius`
/// from the origin of the part.
fn growth<T: Scalar>(radius: f64, bounds: &ChainBounds) -> T {
    let acceleration = bounds.acceleration_within(radius);
    let error = bounds.error_within(radius, T::ROUNDING);
    T::at_least(0.125 * acceleration + 2.0 * error)
}
