//! Scene of all characters, as a resource.

use std::collections::BTreeMap;

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_platform::collections::HashMap;
use boxwood::nalgebra::Vector3;
use boxwood::{
    CharacterKey, CollisionGroups, ContactEvents, Error, Hit, Hits, NodeRef, OwnedSnapshot, PartId,
    Pose, Scene, Snapshot, Spawn,
};

use crate::ask::Touching;
use crate::character::JointSource;
use crate::sweep::SweepState;
use crate::{Character, CharacterOptions, PartOf};

/// Scene of all characters, its last snapshot, and the contacts of that.
///
/// Systems that only read it (`Res<Boxwood>`) run in parallel; [`BoxwoodQueries`] is such a
/// parameter. [`Boxwood::key`] and [`Boxwood::entity`] translate between keys of the library's
/// scene and entities.
///
/// [`BoxwoodQueries`]: crate::BoxwoodQueries
#[derive(Resource, Debug)]
pub struct Boxwood {
    pub(crate) scene: Scene,
    pub(crate) moment: OwnedSnapshot,
    pub(crate) hits: Hits,
    /// Sorted by entity, so that messages have a fixed order.
    pub(crate) followed: BTreeMap<Entity, Followed>,
    pub(crate) entities: HashMap<CharacterKey, Entity>,
    arrivals: u64,
    pub(crate) touching: Touching,
    pub(crate) sweep: SweepState,
}

/// A character of the app.
#[derive(Debug)]
pub(crate) struct Followed {
    pub character: Character,
    pub options: CharacterOptions,
    /// Number of characters that arrived before it.
    pub arrived: u64,
    /// Key in the scene; `None` until all joints are found.
    pub key: Option<CharacterKey>,
    pub joints: Vec<Joint>,
    /// Poses part -> world; stored for parts whose joint has no pose.
    pub poses: Vec<Pose>,
    /// `true` if poses have to be read from joints that have not moved: after the character, or one
    /// of its joints, was found.
    pub is_unread: bool,
    /// Number of frames it has waited for its joints.
    pub waited: u32,
    pub told_scale: bool,
    pub told: Option<Error>,
}

/// Joint that moves a part.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Joint {
    pub entity: Option<Entity>,
    /// `true` if the caller has disabled the part.
    pub off: bool,
    /// `true` if the joint has no pose now; the part is then disabled, whatever the caller set.
    pub lost: bool,
    pub told: bool,
}

impl Default for Boxwood {
    fn default() -> Self {
        let scene = Scene::new();
        Boxwood {
            moment: OwnedSnapshot::new(&scene),
            scene,
            hits: Hits::new(),
            followed: BTreeMap::new(),
            entities: HashMap::default(),
            arrivals: 0,
            touching: Touching::default(),
            sweep: SweepState::default(),
        }
    }
}

impl Boxwood {
    /// Returns the characters and their poses.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns the last snapshot of [`BoxwoodSystems::Ask`](crate::BoxwoodSystems::Ask), for every
    /// query of the library. It contains its characters until the next one is taken, even those
    /// whose entities are gone.
    pub fn snapshot(&self) -> Snapshot<'_> {
        self.moment.snapshot()
    }

    /// Returns that snapshot as a value: a clone may be stored, or sent to another thread.
    pub fn moment(&self) -> &OwnedSnapshot {
        &self.moment
    }

    /// Returns the contacts of that snapshot, in the library's types.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Returns the pairs of parts that touch at the end of the way to this frame, if
    /// [`SweptContact`](crate::SweptContact) messages are sent.
    pub fn contacts(&self) -> &ContactEvents {
        &self.sweep.contacts
    }

    /// Returns the key of an entity's character; `None` if it is no character, or joints are
    /// missing.
    pub fn key(&self, entity: Entity) -> Option<CharacterKey> {
        self.followed.get(&entity)?.key
    }

    /// Returns the entity of a character.
    pub fn entity(&self, key: CharacterKey) -> Option<Entity> {
        self.entities.get(&key).copied()
    }

    /// Returns the part of a node in the library's answers.
    pub fn part_of(&self, node: NodeRef) -> Option<PartOf> {
        let character = self.entity(node.character)?;
        Some(PartOf { character, part: node.part })
    }

    /// Returns the entity that moves a part: of its joint, or of a [rigid](Character::rigid)
    /// character.
    pub fn joint(&self, of: PartOf) -> Option<Entity> {
        let followed = self.followed.get(&of.character)?;
        match followed.character.source {
            JointSource::Root => followed.joints.get(of.part.index()).map(|_| of.character),
            JointSource::Entities { .. } => followed.joints.get(of.part.index())?.entity,
        }
    }

    /// Returns the name of a part; empty if it is no part of a character.
    pub fn part_name(&self, of: PartOf) -> &str {
        let model = self.followed.get(&of.character).map(|followed| followed.character.model());
        let part = model.and_then(|model| model.parts().get(of.part.index()));
        part.map_or("", |part| part.name())
    }

    /// Enables or disables a part, from the next snapshot on; a disabled part touches nothing.
    ///
    /// # Errors
    /// [`Error::StaleKey`] if the entity is no character in the scene; [`Error::IndexOutOfRange`]
    /// for the part.
    pub fn set_part_enabled(&mut self, of: PartOf, enabled: bool) -> Result<(), Error> {
        let key = self.key(of.character).ok_or(Error::StaleKey)?;
        let followed = self.followed.get_mut(&of.character).ok_or(Error::StaleKey)?;
        let lost = followed.joints.get(of.part.index()).is_some_and(|joint| joint.lost);
        self.scene.set_part_enabled(key, of.part, enabled && !lost)?;
        if let Some(joint) = followed.joints.get_mut(of.part.index()) {
            joint.off = !enabled;
        }
        Ok(())
    }

    /// Sets the groups of a part, from the next snapshot on: a fist that strikes only during a
    /// blow. A change of [`CharacterOptions::groups`] overwrites them.
    ///
    /// # Errors
    /// The errors of [`Boxwood::set_part_enabled`].
    pub fn set_part_groups(
        &mut self,
        of: PartOf,
        groups: impl Into<CollisionGroups>,
    ) -> Result<(), Error> {
        let key = self.key(of.character).ok_or(Error::StaleKey)?;
        self.scene.set_groups(key, of.part, groups.into())
    }

    /// Removes a character.
    pub(crate) fn forget(&mut self, entity: Entity) {
        let Some(key) = self.followed.remove(&entity).and_then(|followed| followed.key) else {
            return;
        };
        self.entities.remove(&key);
        // The key is valid, because characters are removed only here.
        let _ = self.scene.remove(key);
    }

    /// Adds a character that waits for its joints, and replaces one that the entity had.
    pub(crate) fn add(&mut self, entity: Entity, character: Character, options: CharacterOptions) {
        self.forget(entity);
        self.followed.insert(entity, Followed::new(self.arrivals, character, options));
        self.arrivals += 1;
    }

    /// Inserts a character whose joints are found into the scene.
    pub(crate) fn insert(&mut self, entity: Entity) -> Result<(), Error> {
        let Some(followed) = self.followed.get_mut(&entity) else { return Ok(()) };
        let CharacterOptions { order, user, .. } = followed.options;
        let mut spawn = Spawn::default().user(user).at_rest(followed.is_at_rest());
        spawn.order = order;
        let key = self.scene.insert(&followed.character.model, spawn)?;
        followed.key = Some(key);
        followed.poses = followed.character.model.bind_poses();
        followed.is_unread = true;
        self.entities.insert(key, entity);
        self.set_groups(entity)
    }

    /// Sets the groups of all parts of a character to those of its options.
    pub(crate) fn set_groups(&mut self, entity: Entity) -> Result<(), Error> {
        let Some(followed) = self.followed.get(&entity) else { return Ok(()) };
        let Some(key) = followed.key else { return Ok(()) };
        for (index, part) in followed.character.model.parts().iter().enumerate() {
            let groups = followed.options.groups.map_or(part.groups(), CollisionGroups::from);
            self.scene.set_groups(key, PartId::new(index), groups)?;
        }
        Ok(())
    }
}

impl Followed {
    fn new(arrived: u64, character: Character, options: CharacterOptions) -> Self {
        Followed {
            arrived,
            key: None,
            joints: vec![Joint::default(); character.model.len()],
            poses: Vec::new(),
            is_unread: true,
            waited: 0,
            told_scale: false,
            told: None,
            character,
            options,
        }
    }

    /// Returns `true` if the character or its options say that it is at rest.
    pub fn is_at_rest(&self) -> bool {
        self.character.is_fixed || self.options.at_rest
    }

    /// Scale with which a part's geometry is built.
    pub fn expected_scale(&self, part: usize) -> Vector3<f32> {
        let of_joint = match &self.character.source {
            JointSource::Entities { scales, .. } => scales.get(part).copied(),
            JointSource::Root => None,
        };
        of_joint.unwrap_or(Vector3::repeat(1.0)) * self.character.scale
    }

    /// Names of parts with geometry that have no joint.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        let parts = self.character.model.parts().iter().zip(&self.joints);
        let missing = parts.filter(|(part, joint)| part.tree().is_some() && joint.entity.is_none());
        missing.map(|(part, _)| part.name())
    }
}
