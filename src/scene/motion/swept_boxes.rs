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
use crate::scene::state::character::Character;
use crate::shape::{Aabb, Pose};

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
            let swept = match paths {
                Some(paths) => swept_box(character, part, (&before[part], &paths[part])),
                None => box_at(character, part, &character.poses[part]),
            };
            *bounds = bounds.merged(&swept);
            AabbF32::new(&swept)
        });
        write_boxes(blocks, boxes);
        entry.range.write_summary(blocks);
        entry.bounds_f32 = AabbF32::new(&entry.bounds);
    });
}

/// Returns the box of a part at a pose.
fn box_at<T: Scalar>(character: &Character<T>, part: usize, pose: &Pose<T>) -> Aabb<T, 3> {
    character.tree(part).map_or_else(Aabb::empty, |tree| padded_world_aabb(tree, pose))
}

fn swept_box<T: Scalar>(
    character: &Character<T>,
    part: usize,
    (before, path): (&Pose<T>, &PartPath),
) -> Aabb<T, 3> {
    let Some(tree) = character.tree(part) else { return Aabb::empty() };
    let radius = tree.wide_radius_about_origin();
    let acceleration = path.bounds.acceleration_within(radius);
    let error = path.bounds.error_within(radius, T::ROUNDING);
    let at = |pose: &Pose<T>| padded_world_aabb(tree, pose);
    let grown = T::at_least(0.125 * acceleration + 2.0 * error);
    at(before).merged(&at(&character.poses[part])).grown(grown)
}
