//! The buffers of snapshots: world AABBs of parts and characters, updated for every snapshot.

use slotmap::{DefaultKey, SecondaryMap};

use super::entry::CharacterEntry;
use super::part_transforms::PartTransforms;
use super::placement::PlacementBatch;
use crate::broad_phase::{
    Aabb16, Aabb16List, AabbRange, CharacterBvh, CharacterBvhs, CharacterSweep, Lazy, Nearness,
};
use crate::motion::Joints;
use crate::num::{Scalar, SimdLevel, precompiled};
use crate::scene::Scene;

/// The buffers of snapshots, to be kept from tick to tick: a snapshot then does not allocate after
/// the first few, and places only the characters that have changed since the last one. No answer
/// depends on their content.
///
/// ```
/// # boxwood::fixture_scene!(model, scene, red, blue at 0.9);
/// let mut buffers = boxwood::Buffers::new(); // kept from frame to frame
/// for frame in 0..3 {
///     let now = scene.snapshot(&mut buffers);
///     assert_eq!(now.characters().count(), 2);
/// }
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Buffers<T: Scalar> {
    /// Memory for the samples of clips; no snapshot reads it.
    pub joints: Joints<T>,
    /// The stamp of the roster that `entries` belong to.
    roster: Option<u64>,
    /// The characters, ascending by order.
    pub(in crate::scene) entries: Vec<CharacterEntry<T>>,
    /// The stamp of the characters at rest when they were placed last.
    rest: Option<u64>,
    /// Indices of the characters that are not at rest, ascending.
    moving_indices: Vec<u32>,
    /// Indices of the characters to be placed, ascending.
    changed_indices: Vec<u32>,
    /// The entries of the previous roster, kept for their memory.
    previous_entries: Vec<CharacterEntry<T>>,
    pub(in crate::scene) part_transforms: PartTransforms<T>,
    pub(in crate::scene) part_aabbs: Aabb16List,
    pub(in crate::scene) indices: SecondaryMap<DefaultKey, u32>,
    /// Pairs of characters whose AABBs overlap, for queries about all pairs.
    near_pairs: Lazy<CharacterSweep>,
    /// Tree over the moving characters, for rays, shapes and queries about one character.
    moving: Lazy<CharacterBvh>,
    /// Tree over the characters at rest, for these and the sweep; kept while none of them changes.
    resting: Lazy<CharacterBvh>,
    pub(in crate::scene) simd: SimdLevel,
}

precompiled! {
    /// Places the characters of a scene.
    pub(in crate::scene) fn update<'a, T>(buffers: &'a mut Buffers<T>, scene: &'a Scene<T>) -> () {
        buffers.update(scene)
    }
}

impl<T: Scalar> Buffers<T> {
    /// Returns empty buffers.
    pub fn new() -> Self {
        Buffers::default()
    }

    /// Returns empty buffers whose snapshots and queries use that instruction set. Only the speed
    /// changes, no answer.
    pub fn with_simd_level(simd: SimdLevel) -> Self {
        Buffers { simd, ..Buffers::default() }
    }

    /// Places the characters whose stamp has changed since these buffers last placed them.
    fn update(&mut self, scene: &Scene<T>) {
        let is_same_roster = self.roster == Some(scene.characters.roster());
        let mut rest_is_same = is_same_roster || self.assign_ranges(scene);
        self.changed_indices.clear();
        if is_same_roster && self.rest == Some(scene.characters.rest()) {
            // Not all entries: a world at rest has many more characters than move.
            for at in 0..self.moving_indices.len() {
                self.reset_if_changed(self.moving_indices[at], scene);
            }
        } else {
            for index in 0..self.entries.len() as u32 {
                let was_at_rest = self.entries[index as usize].at_rest;
                if self.reset_if_changed(index, scene) {
                    rest_is_same &= !(was_at_rest || self.entries[index as usize].at_rest);
                }
            }
            let moving = (0..).zip(&self.entries).filter(|(_, entry)| !entry.at_rest);
            self.moving_indices.clear();
            self.moving_indices.extend(moving.map(|(index, _)| index));
            self.rest = Some(scene.characters.rest());
        }
        if is_same_roster && self.changed_indices.is_empty() {
            return;
        }
        if !rest_is_same {
            self.resting.reset();
        }
        self.reset_moving();
        let placing = PlacementBatch {
            entries: &mut self.entries,
            part_aabbs: self.part_aabbs.blocks_mut(),
            changed: &self.changed_indices,
            first: 0,
            simd: self.simd,
        };
        #[cfg(feature = "rayon")]
        placing.place_by_threads(scene);
        #[cfg(not(feature = "rayon"))]
        placing.place_characters(scene);
    }

    /// Makes the entries those of the characters of a scene, without placing them.
    pub(in crate::scene) fn assign_entries(&mut self, scene: &Scene<T>) {
        if self.roster == Some(scene.characters.roster()) {
            return;
        }
        if !self.assign_ranges(scene) {
            self.resting.reset();
        }
        self.reset_moving();
    }

    /// Replaces the boxes of the assigned entries by others than those of the poses: boxes around
    /// all that the parts pass through, for example. Entries are given to `write` reset, with the
    /// blocks of their parts. What depends on the state of a character alone (`is_kept` of its
    /// index) is written once for each state.
    pub(in crate::scene) fn replace_boxes(
        &mut self,
        scene: &Scene<T>,
        is_kept: impl Fn(usize) -> bool,
        mut write: impl FnMut(usize, &mut CharacterEntry<T>, &mut [Aabb16]),
    ) {
        let (mut all_are_same, mut rest_is_same) = (true, true);
        for (index, entry) in self.entries.iter_mut().enumerate() {
            let stamp = is_kept(index).then(|| scene.characters.stamp(entry.slot));
            if stamp.is_some() && stamp == entry.stamp {
                continue;
            }
            all_are_same = false;
            rest_is_same &= !entry.at_rest;
            entry.reset(&scene.characters[entry.slot]);
            rest_is_same &= !entry.at_rest;
            self.part_transforms.invalidate(index);
            let range = entry.range;
            write(
                index,
                entry,
                &mut self.part_aabbs.blocks_mut()[range.block..][..range.total_block_count()],
            );
            entry.stamp = stamp;
        }
        if !rest_is_same {
            self.resting.reset();
        }
        if !all_are_same {
            self.reset_moving();
        }
    }

    /// Forgets what was computed of the boxes of characters that move.
    fn reset_moving(&mut self) {
        self.moving.reset();
        self.near_pairs.reset();
    }

    /// Resets the entry of a character whose stamp has changed; returns `true` if it has.
    #[inline]
    fn reset_if_changed(&mut self, index: u32, scene: &Scene<T>) -> bool {
        let entry = &mut self.entries[index as usize];
        let has_changed = entry.stamp != Some(scene.characters.stamp(entry.slot));
        if has_changed {
            entry.reset(&scene.characters[entry.slot]);
            self.part_transforms.invalidate(index as usize);
            self.changed_indices.push(index);
        }
        has_changed
    }

    /// Sorts the characters by order and assigns each its range of AABBs. A character whose range
    /// has not moved keeps its content. Returns `true` if this applies to all characters at rest,
    /// before and now.
    fn assign_ranges(&mut self, scene: &Scene<T>) -> bool {
        self.roster = Some(scene.characters.roster());
        let previous = &mut self.previous_entries;
        std::mem::swap(previous, &mut self.entries);
        self.entries.clear();
        self.indices.clear();
        let characters = scene.characters.iter();
        self.entries
            .extend(characters.map(|(slot, character)| CharacterEntry::new(slot, character)));
        self.entries.sort_unstable_by_key(|entry| entry.order);
        let mut removed = previous.iter().skip(self.entries.len());
        let (mut blocks, mut rest_is_same) = (0, removed.all(|entry| !entry.at_rest));
        for (index, entry) in self.entries.iter_mut().enumerate() {
            self.indices.insert(entry.slot, index as u32);
            let len = scene.characters[entry.slot].model.len();
            entry.range = AabbRange { block: blocks, len };
            blocks += entry.range.total_block_count();
            // An equal range and slot suffice: the stamp detects a different state.
            match previous.get(index) {
                Some(kept) if kept.range == entry.range && kept.slot == entry.slot => {
                    *entry = *kept;
                }
                other => {
                    let was_at_rest = other.is_some_and(|other| other.at_rest);
                    rest_is_same &= !(was_at_rest || entry.at_rest);
                }
            }
        }
        self.part_transforms.resize(self.entries.len());
        self.part_aabbs.resize(blocks);
        rest_is_same
    }

    /// Returns the trees over the characters, built on first use.
    pub(in crate::scene) fn character_bvhs(&self) -> CharacterBvhs<'_> {
        let moving = self.moving.get(|moving| moving.rebuild(&self.entries, false));
        CharacterBvhs { resting: self.resting_bvh(), moving }
    }

    fn resting_bvh(&self) -> &CharacterBvh {
        self.resting.get(|resting| resting.rebuild(&self.entries, true))
    }

    /// Returns the pairs of characters whose AABBs overlap, computed on first use.
    pub(in crate::scene) fn near_pairs(&self) -> &CharacterSweep {
        self.near_pairs.get(|near| self.find_near_pairs(near, Nearness::OVERLAP))
    }

    /// Finds the pairs of characters whose AABBs are within a distance.
    pub(in crate::scene) fn find_near_pairs(&self, found: &mut CharacterSweep, within: Nearness) {
        found.find((&self.entries, self.resting_bvh()), self.simd, within);
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::{Isometry3, Vector3};

    use super::*;
    use crate::model::Model;
    use crate::scene::{CharacterKey, Spawn};
    use crate::shape::Obb;
    use crate::tree::{Build, Geometry};

    fn scene() -> (Scene<f32>, [CharacterKey; 3]) {
        let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5)).expect("a cube");
        let model = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
        let (model, mut scene) = (model.build(&Build::default()).expect("a model"), Scene::new());
        let keys = [0, 1, 2].map(|_| scene.insert(&model, Spawn::default()).expect("room"));
        (scene, keys)
    }

    /// Marks every entry, and returns which entries the next snapshot places again.
    fn placed_anew(scene: &Scene<f32>, buffers: &mut Buffers<f32>) -> Vec<bool> {
        buffers.entries.iter_mut().for_each(|entry| entry.f32_ok = false);
        let _ = scene.snapshot(buffers);
        buffers.entries.iter().map(|entry| entry.f32_ok).collect()
    }

    pub fn only_what_has_changed_is_placed() {
        let ((mut scene, keys), mut buffers) = (scene(), Buffers::new());
        let _ = scene.snapshot(&mut buffers);
        assert_eq!(placed_anew(&scene, &mut buffers), [false; 3]);
        scene.set_root(keys[1], &Isometry3::translation(1.0, 0.0, 0.0)).expect("a pose");
        assert_eq!(placed_anew(&scene, &mut buffers), [false, true, false]);
        assert_eq!(placed_anew(&scene.clone(), &mut buffers), [false; 3]);
        // The characters before a removed one keep their index.
        scene.remove(keys[1]).expect("a key");
        assert_eq!(placed_anew(&scene, &mut buffers), [false, true]);
        let model = scene.model(keys[0]).expect("a key").clone();
        scene.insert(&model, Spawn::default()).expect("room");
        assert_eq!(placed_anew(&scene, &mut buffers), [false, false, true]);
    }

    pub fn changes_of_characters_at_rest_are_placed() {
        let ((mut scene, keys), mut buffers) = (scene(), Buffers::new());
        for key in [keys[0], keys[2]] {
            scene.set_at_rest(key, true).expect("a key");
        }
        let _ = scene.snapshot(&mut buffers);
        assert_eq!(placed_anew(&scene, &mut buffers), [false; 3]);
        let at = |x: f32| Isometry3::translation(x, 0.0, 0.0);
        scene.set_root(keys[0], &at(1.0)).expect("a key");
        assert_eq!(placed_anew(&scene, &mut buffers), [true, false, false]);
        let part = scene.model(keys[2]).expect("a key").parts()[0].id();
        scene.set_part_enabled(keys[2], part, false).expect("a part");
        assert_eq!(placed_anew(&scene, &mut buffers), [false, false, true]);
        // Both flags, and a change while the other is set.
        for (at_rest, x) in [(false, 2.0), (true, 3.0)] {
            scene.set_at_rest(keys[2], at_rest).expect("a key");
            assert_eq!(placed_anew(&scene, &mut buffers), [false, false, true]);
            scene.set_root(keys[2], &at(x)).expect("a key");
            scene.set_root(keys[1], &at(x)).expect("a key");
            assert_eq!(placed_anew(&scene, &mut buffers), [false, true, true]);
            assert_eq!(placed_anew(&scene, &mut buffers), [false; 3]);
        }
        // Copies whose characters at rest differ, in the same buffers in turn.
        let mut copy = scene.clone();
        copy.set_root(keys[0], &at(4.0)).expect("a key");
        assert_eq!(placed_anew(&copy, &mut buffers), [true, false, false]);
        assert_eq!(placed_anew(&scene, &mut buffers), [true, false, false]);
        copy.clone_from(&scene);
        assert_eq!(placed_anew(&copy, &mut buffers), [false; 3]);
        copy.set_root(keys[0], &at(5.0)).expect("a key");
        scene.set_root(keys[0], &at(6.0)).expect("a key");
        assert_eq!(placed_anew(&copy, &mut buffers), [true, false, false]);
        assert_eq!(placed_anew(&scene, &mut buffers), [true, false, false]);
    }

    pub fn what_is_worked_out_of_all_stays_while_nothing_changes() {
        let ((mut scene, keys), mut buffers) = (scene(), Buffers::new());
        let _ = scene.snapshot(&mut buffers);
        assert_eq!(buffers.near_pairs().pairs.len(), 3);
        let _ = scene.snapshot(&mut buffers);
        assert!(buffers.near_pairs.has_value());
        scene.set_at_rest(keys[0], true).expect("a key");
        let _ = scene.snapshot(&mut buffers);
        assert!(!buffers.near_pairs.has_value());
    }

    pub fn the_tree_over_those_at_rest_stays_while_others_move() {
        let ((mut scene, keys), mut buffers) = (scene(), Buffers::new());
        let keeps = |scene: &Scene<f32>, buffers: &mut Buffers<f32>| {
            let _ = scene.snapshot(buffers);
            let kept = buffers.resting.has_value();
            assert_eq!(buffers.character_bvhs().roots().map(|root| root.is_some()), [true; 2]);
            kept
        };
        scene.set_at_rest(keys[0], true).expect("a key");
        assert!(!keeps(&scene, &mut buffers));
        scene.set_root(keys[1], &Isometry3::translation(1.0, 0.0, 0.0)).expect("a pose");
        assert!(keeps(&scene, &mut buffers));
        // Characters behind it in the order, inserted and removed.
        scene.remove(keys[2]).expect("a key");
        assert!(keeps(&scene, &mut buffers));
        let model = scene.model(keys[0]).expect("a key").clone();
        let other = scene.insert(&model, Spawn::default()).expect("room");
        assert!(keeps(&scene, &mut buffers));
        scene.set_at_rest(other, true).expect("a key");
        assert!(!keeps(&scene, &mut buffers));
        scene.set_root(other, &Isometry3::translation(2.0, 0.0, 0.0)).expect("a pose");
        assert!(!keeps(&scene, &mut buffers));
        scene.remove(other).expect("a key");
        assert!(!keeps(&scene, &mut buffers));
    }
}
