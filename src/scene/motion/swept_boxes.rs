//! World AABBs that contain each part during the whole tick.
//!
//! A point whose acceleration is at most `A` is, at every time of the tick, within `A / 8` of the
//! segment between its two ends; and that segment is in the box around the boxes at both ends.

use slotmap::DefaultKey;

use super::path::PartPath;
use crate::broad_phase::{AabbF32, write_boxes};
use crate::model::padded_world_aabb;
use crate::num::Scalar;
use crate::scene::Scene;
use crate::scene::snapshot::buffers::Buffers;
use crate::scene::state::character::Character;
use crate::shape::{Aabb, Pose};

/// Fills buffers with the boxes of the parts of `after` and their paths, given the poses of each
/// character before the tick.
pub(super) fn fill<'s, T: Scalar>(
    buffers: &mut Buffers<T>,
    after: &Scene<T>,
    (paths, first_path): (&[PartPath], &[u32]),
    poses_before: impl Fn(usize, DefaultKey) -> &'s [Pose<T>],
) {
    let (entries, list) = buffers.replace_boxes(after);
    let blocks = list.blocks_mut();
    for (index, entry) in entries.iter_mut().enumerate() {
        let character = &after.characters[entry.slot];
        entry.reset(character);
        let before = poses_before(index, entry.slot);
        let paths = &paths[first_path[index] as usize..][..character.model.len()];
        let range = entry.range;
        let blocks = &mut blocks[range.block..][..range.total_block_count()];
        let bounds = &mut entry.bounds;
        let boxes = (0..character.model.len()).map(|slot| {
            let part = character.model.part_at(slot).index();
            let swept = swept_box(character, part, (&before[part], &paths[part]));
            *bounds = bounds.merged(&swept);
            AabbF32::new(&swept)
        });
        write_boxes(blocks, boxes);
        range.write_summary(blocks);
        entry.bounds_f32 = AabbF32::new(&entry.bounds);
    }
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
