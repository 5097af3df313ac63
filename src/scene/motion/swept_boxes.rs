//! World AABBs that contain each part during the whole tick.
//!
//! A point whose acceleration is at most `A` is, at every time of the tick, within `A / 8` of the
//! segment between its two ends; and that segment is in the box around the boxes at both ends.

use super::character_paths::CharacterPaths;
use super::part_travel::{PartTravel, is_in_range};
use super::path::PartPath;
use crate::broad_phase::{AabbF32, CharacterAabb, write_boxes};
use crate::model::padded_world_aabb;
use crate::num::Scalar;
use crate::scene::Scene;
use crate::scene::snapshot::buffers::Buffers;
use crate::shape::Aabb;

/// Fills buffers, whose entries are assigned, with the boxes of the parts between two states, and
/// the travel of each part, by index of its path. A character at rest keeps its boxes
/// while its state is the same.
pub(super) fn fill<T: Scalar>(
    (buffers, travels): (&mut Buffers<T>, &mut Vec<PartTravel>),
    scenes: [&Scene<T>; 2],
    paths: &CharacterPaths,
) {
    travels.clear();
    travels.resize(paths.all().len(), PartTravel::default());
    let rests = |index: usize| paths.index(index as u32, 0).is_none();
    buffers.replace_boxes(scenes[1], rests, |index, entry, blocks| {
        let character = &scenes[1].characters[entry.slot];
        let before = paths.poses_before(scenes, (index as u32, entry.slot));
        let first = paths.index(index as u32, 0);
        let CharacterAabb { bounds, .. } = &mut entry.aabb;
        let f32_ok = &mut entry.f32_ok;
        *f32_ok = character.model.roots().is_some();
        let boxes = (0..character.model.len()).map(|slot| {
            let part = character.model.part_at(slot).index();
            let swept = character.tree(part).map_or_else(Aabb::empty, |tree| {
                let (radius, pose) = (tree.wide_radius_about_origin(), &character.poses[part]);
                *f32_ok &= is_in_range(pose, radius);
                let later = padded_world_aabb(tree, pose);
                let Some(first) = first else { return later };
                let path = first as usize + part;
                let growth = growth::<T>(radius, &paths.all()[path]);
                travels[path] = PartTravel::new(tree, paths.ends(path), growth.wide());
                *f32_ok &= is_in_range(&before[part], radius);
                padded_world_aabb(tree, &before[part]).merged(&later).grown(growth.wide())
            });
            *bounds = bounds.merged(&swept);
            AabbF32::new(&swept)
        });
        write_boxes(blocks, boxes);
        entry.range.write_summary(blocks);
        entry.bounds_f32 = AabbF32::new(&entry.bounds);
    });
}

/// Returns the length by which the boxes at both ends grow, for points no further than `radius`
/// from the origin of the part.
fn growth<T: Scalar>(radius: f64, path: &PartPath) -> T {
    let acceleration = path.bounds.acceleration_within(radius);
    let error = path.bounds.error_within(radius, T::ROUNDING);
    T::at_least(0.125 * acceleration + 2.0 * error)
}
