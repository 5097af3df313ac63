//! World AABBs that contain each part during the whole tick.
//!
//! A point whose acceleration is at most `A` is, at every time of the tick, within `A / 8` of the
//! segment between its two ends; and that segment is in the box around the boxes at both ends.

use super::character_paths::CharacterPaths;
use super::path::PartPath;
use crate::broad_phase::{AabbF32, write_boxes};
use crate::model::padded_world_aabb;
use crate::num::Scalar;
use crate::scene::Scene;
use crate::scene::snapshot::buffers::Buffers;
use crate::shape::{Aabb, Pose};
use crate::tree::ObbTree;

/// Fills buffers, whose entries are assigned, with the boxes of the parts between two states. A
/// character at rest keeps its boxes while its state is the same.
pub(super) fn fill<T: Scalar>(
    buffers: &mut Buffers<T>,
    scenes: [&Scene<T>; 2],
    paths: &CharacterPaths,
) {
    let rests = |index: usize| paths.of(index, 0).is_none();
    buffers.replace_boxes(scenes[1], rests, |index, entry, blocks| {
        let character = &scenes[1].characters[entry.slot];
        let before = paths.poses_before(scenes, (index as u32, entry.slot));
        let paths = paths.of(index, character.model.len());
        let bounds = &mut entry.bounds;
        let boxes = (0..character.model.len()).map(|slot| {
            let part = character.model.part_at(slot).index();
            let swept = character.tree(part).map_or_else(Aabb::empty, |tree| {
                let at = |pose: &Pose<T>| padded_world_aabb(tree, pose);
                let later = at(&character.poses[part]);
                paths.map_or(later, |paths| {
                    at(&before[part]).merged(&later).grown(growth(tree, &paths[part]))
                })
            });
            *bounds = bounds.merged(&swept);
            AabbF32::new(&swept)
        });
        write_boxes(blocks, boxes);
        entry.range.write_summary(blocks);
        entry.bounds_f32 = AabbF32::new(&entry.bounds);
    });
}

/// Returns the length by which the boxes at both ends grow.
fn growth<T: Scalar>(tree: &ObbTree<T>, path: &PartPath) -> T {
    let radius = tree.wide_radius_about_origin();
    let acceleration = path.bounds.acceleration_within(radius);
    let error = path.bounds.error_within(radius, T::ROUNDING);
    T::at_least(0.125 * acceleration + 2.0 * error)
}
