//! World AABBs of parts and characters, computed from the poses for every snapshot.

use slotmap::{DefaultKey, SecondaryMap};

use super::entry::{Entry, MANY_PARTS};
use super::places::Places;
use super::placing::Placing;
use super::{Character, Scene};
use crate::broad_phase::{
    Aabb16List, AabbRange, CharacterBvh, CharacterList, CharacterPairs, Lazy, Nearness,
};
use crate::model::PartBoxes;
use crate::motion::Joints;
use crate::num::{Precompiled, Scalar, SimdLevel, precompile};
use crate::shape::Aabb;

/// The buffers of snapshots: kept from tick to tick, a snapshot does not allocate after the first
/// few.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
/// # use boxwood::{Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
/// # let model = parts.build(&Build::default())?;
/// # let mut scene = Scene::new();
/// # let red = scene.insert(&model, Spawn::default())?;
/// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
/// let mut buffers = boxwood::Buffers::new(); // kept from frame to frame
/// for frame in 0..3 {
///     let now = scene.snapshot(&mut buffers);
///     assert_eq!(now.characters().count(), 2);
/// }
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Buffers<T: Scalar> {
    /// Room for the samples of clips; no snapshot looks at it.
    pub joints: Joints<T>,
    /// The characters, ascending by order.
    pub(super) entries: Vec<Entry<T>>,
    pub(super) places: Places<T>,
    pub(super) rows: Aabb16List,
    upper: Vec<Aabb<T, 3>>,
    pub(super) index: SecondaryMap<DefaultKey, u32>,
    /// For all pairs.
    near: Lazy<CharacterPairs>,
    /// For one character and all others.
    everyone: Lazy<CharacterList>,
    /// For rays and regions.
    crowd: Lazy<CharacterBvh>,
    pub(super) level: SimdLevel,
}

/// Placing all parts.
pub(super) struct Fill;

impl Precompiled for Fill {
    type Given<'a, T: Scalar> = (&'a mut Buffers<T>, &'a Scene<T>);
    type Answer<T: Scalar> = ();

    precompile!(|Fill, (buffers, scene)| buffers.fill(scene));
}

impl<T: Scalar> Buffers<T> {
    /// Empty buffers.
    pub fn new() -> Self {
        Buffers::default()
    }

    /// Empty buffers whose snapshots and queries use that instruction set: the same answers, at
    /// another speed.
    pub fn with_simd_level(level: SimdLevel) -> Self {
        Buffers { level, ..Buffers::default() }
    }

    fn fill(&mut self, scene: &Scene<T>) {
        self.crowd.forget();
        self.near.forget();
        self.everyone.forget();
        self.lay_out(scene);
        let placing = Placing {
            entries: &mut self.entries,
            rows: self.rows.blocks_mut(),
            upper: &mut self.upper,
            level: self.level,
        };
        #[cfg(feature = "rayon")]
        placing.place_by_threads(scene);
        #[cfg(not(feature = "rayon"))]
        placing.place(scene);
    }

    /// Sorts the characters and gives each its room.
    fn lay_out(&mut self, scene: &Scene<T>) {
        self.entries.clear();
        self.index.clear();
        let characters = scene.characters.iter();
        self.entries.extend(characters.map(|(slot, character)| Entry::new(slot, character)));
        self.entries.sort_unstable_by_key(|entry| entry.order);
        let (mut upper, mut blocks) = (0, 0);
        for (place, entry) in self.entries.iter_mut().enumerate() {
            self.index.insert(entry.slot, place as u32);
            let model = &scene.characters[entry.slot].model;
            let (in_rows, in_tree) = match model.len() <= MANY_PARTS {
                true => (model.len(), 0),
                false => (0, model.upper().len()),
            };
            entry.rows = AabbRange { block: blocks, len: in_rows };
            entry.first_upper = upper;
            upper += in_tree;
            blocks += entry.rows.blocks();
        }
        self.places.forget(self.entries.len());
        self.upper.resize(upper, Aabb::empty());
        self.rows.resize(blocks);
    }

    /// The tree over the characters; made now, if it was not before.
    pub(super) fn crowd(&self) -> &CharacterBvh {
        self.crowd.get(|crowd| crowd.make(&self.entries))
    }

    /// The characters that are near each other; found now, if they were not before.
    pub(super) fn near(&self) -> &CharacterPairs {
        self.near.get(|near| near.find(&self.entries, self.level, Nearness::OVERLAP))
    }

    /// The boxes of all characters by place; put there now, if they were not before.
    pub(super) fn everyone(&self) -> &CharacterList {
        self.everyone.get(|everyone| everyone.fill(&self.entries))
    }

    /// The boxes of a character with many parts.
    pub(super) fn part_boxes<'a>(
        &'a self,
        entry: &Entry<T>,
        character: &'a Character<T>,
    ) -> Option<PartBoxes<'a, T>> {
        if character.model.len() <= MANY_PARTS {
            return None;
        }
        let tree = character.model.upper();
        let boxes = &self.upper[entry.first_upper..entry.first_upper + tree.len()];
        Some(PartBoxes { tree, boxes })
    }
}
