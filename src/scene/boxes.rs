//! World AABBs of parts and characters, computed from the poses for every snapshot.

use slotmap::{DefaultKey, SecondaryMap};

use super::Scene;
use super::entry::Entry;
use super::places::Places;
use super::placing::Placing;
use crate::broad_phase::{
    Aabb16List, AabbRange, CharacterBvh, CharacterList, CharacterSweep, Lazy, Nearness,
};
use crate::motion::Joints;
use crate::num::{Precompiled, Scalar, SimdLevel, precompile};

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
    pub(super) index: SecondaryMap<DefaultKey, u32>,
    /// For all pairs.
    near: Lazy<CharacterSweep>,
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
        let placing =
            Placing { entries: &mut self.entries, rows: self.rows.blocks_mut(), level: self.level };
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
        let mut blocks = 0;
        for (place, entry) in self.entries.iter_mut().enumerate() {
            self.index.insert(entry.slot, place as u32);
            let len = scene.characters[entry.slot].model.len();
            entry.parts = AabbRange { block: blocks, len };
            blocks += entry.parts.room();
        }
        self.places.forget(self.entries.len());
        self.rows.resize(blocks);
    }

    /// The tree over the characters; made now, if it was not before.
    pub(super) fn crowd(&self) -> &CharacterBvh {
        self.crowd.get(|crowd| crowd.make(&self.entries))
    }

    /// The characters that are near each other; found now, if they were not before.
    pub(super) fn near(&self) -> &CharacterSweep {
        self.near.get(|near| near.find(&self.entries, self.level, Nearness::OVERLAP))
    }

    /// The boxes of all characters by place; put there now, if they were not before.
    pub(super) fn everyone(&self) -> &CharacterList {
        self.everyone.get(|everyone| everyone.fill(&self.entries))
    }
}
