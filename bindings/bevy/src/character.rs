//! Characters: the components of their root entities and joints.

use std::sync::Arc;

use bevy_ecs::component::Component;
use boxwood::nalgebra::Vector3;
use boxwood::{Build, ConvexShape, Error, Geometry, Loaded, Model};

use crate::TouchGroups;

/// Component that makes an entity a character: the parts of a model, each moved by a joint below
/// the entity.
///
/// Joints may be spawned later, as Bevy's scenes are: a character is in no answer until all its
/// parts with geometry have their joints. Removing the component, or despawning the entity, removes
/// it from the scene; replacing it replaces the character. Entities below another character belong
/// to that one: a sword in a hand may be a character of its own.
///
/// ```
/// use bevy_boxwood::Character;
/// use bevy_boxwood::boxwood::{Build, Geometry, Model, Obb};
/// # use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// let model = Model::builder().part("fist", None, Geometry::Boxes(vec![cube]));
/// let model = model.build(&Build::default())?;
/// let by_name = Character::new(model.clone()); // a child entity of the `Name` "fist" moves it
/// let whole = Character::rigid(model); // the entity itself moves all parts
/// # Ok::<(), bevy_boxwood::boxwood::Error>(())
/// ```
#[derive(Component, Debug, Clone)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Component, Debug, Clone))]
pub struct Character {
    pub(crate) model: Arc<Model>,
    pub(crate) source: JointSource,
    /// Size of the geometry, as a multiple of that of the joints at rest.
    pub(crate) scale: f32,
    /// `true` for a character at rest, whatever its options say.
    pub(crate) is_fixed: bool,
}

/// Source of the poses of a character's parts.
#[derive(Debug, Clone)]
pub(crate) enum JointSource {
    /// Entities below the character, found by node or by name.
    Entities {
        /// Node of each part in its file; empty if unknown.
        nodes: Arc<[Option<usize>]>,
        /// Scale of each part's joint with which its geometry is built, negative along mirrored
        /// axes; empty for 1.
        scales: Arc<[Vector3<f32>]>,
    },
    /// The entity itself; parts are in their bind pose.
    Root,
}

impl Character {
    /// Creates a character whose joints are found by name: the entity of a part has the part's
    /// name, and if there are several, is below that of the part's parent. Geometry is expected at
    /// scale 1.
    pub fn new(model: Arc<Model>) -> Self {
        let source = JointSource::Entities { nodes: Arc::new([]), scales: Arc::new([]) };
        Character { model, source, scale: 1.0, is_fixed: false }
    }

    /// Creates a character from a file that Bevy also loads. Its joints are found by their node in
    /// the file, if entities have a [`JointNode`] (added with the feature `gltf`), otherwise by
    /// name. Joints may have the scale that they have in the file at rest.
    ///
    /// ```
    /// use bevy_boxwood::Character;
    /// # #[cfg(feature = "gltf")] {
    /// # let file = "../../examples/fighter/fighter.glb";
    /// let loaded = bevy_boxwood::boxwood::load::gltf(file)?;
    /// let fighter = Character::from_loaded(&loaded); // share the model by cloning this
    /// # }
    /// # Ok::<(), bevy_boxwood::boxwood::Error>(())
    /// ```
    pub fn from_loaded(loaded: &Loaded) -> Self {
        let poses = loaded.skeleton.rest_poses();
        let scale = |(linear, pose): (&boxwood::nalgebra::Matrix3<f32>, &boxwood::Pose)| {
            let turn = pose.rotation.to_rotation_matrix();
            Vector3::from_fn(|axis, _| {
                let (column, along) = (linear.column(axis), turn.matrix().column(axis));
                column.norm().copysign(column.dot(&along))
            })
        };
        let scales = loaded.skeleton.rest_linear().iter().zip(&poses).map(scale).collect();
        let source = JointSource::Entities { nodes: loaded.nodes.as_slice().into(), scales };
        let model = Arc::clone(&loaded.model);
        Character { model, source, scale: 1.0, is_fixed: false }
    }

    /// Creates a character of one ball, capsule, cylinder, ellipsoid, box or convex hull that moves
    /// with its entity.
    ///
    /// # Errors
    /// The errors of the build.
    ///
    /// ```
    /// use bevy_boxwood::Character;
    /// use bevy_boxwood::boxwood::{Sphere, nalgebra::Point3};
    ///
    /// let ball = Character::shape(Sphere::new(Point3::origin(), 0.5)?)?;
    /// # Ok::<(), bevy_boxwood::boxwood::Error>(())
    /// ```
    pub fn shape(shape: impl Into<ConvexShape>) -> Result<Self, Error> {
        let part = Model::builder().part("shape", None, Geometry::Convex(vec![shape.into()]));
        part.build(&Build::default()).map(Character::rigid)
    }

    /// Creates a character that moves as one piece with its entity, its parts in their bind pose: a
    /// crate, a door. For the world that characters stand in see [`Character::fixed`].
    pub fn rigid(model: Arc<Model>) -> Self {
        Character { model, source: JointSource::Root, scale: 1.0, is_fixed: false }
    }

    /// Returns the character for an entity that is scaled uniformly, by `factor` relative to the
    /// entity before: a giant of a `Transform::from_scale(Vec3::splat(3.0))`. Its model is
    /// [scaled](boxwood::Model::scaled), and joints are expected to be larger by the same factor.
    /// Clones share the scaled model: scale once for a kind, not once for an entity.
    ///
    /// # Errors
    /// The errors of the model.
    ///
    /// ```
    /// use bevy_boxwood::Character;
    /// use bevy_boxwood::boxwood::{Build, Geometry, Model, Obb};
    /// # use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// let model = Model::builder().part("fist", None, Geometry::Boxes(vec![cube]));
    /// let giant = Character::new(model.build(&Build::default())?).scaled(3.0)?;
    /// # Ok::<(), bevy_boxwood::boxwood::Error>(())
    /// ```
    pub fn scaled(self, factor: f32) -> Result<Self, Error> {
        let model = self.model.scaled(factor)?;
        Ok(Character { model, scale: self.scale * factor, ..self })
    }

    /// Returns the model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }
}

/// Options of a character, a component beside [`Character`] on its root entity; may change at any
/// time.
///
/// ```
/// use bevy_boxwood::{CharacterOptions, TouchGroups};
///
/// let ghosts = TouchGroups { memberships: 2, filter: 1 };
/// let options = CharacterOptions { groups: Some(ghosts), order: Some(7), ..Default::default() };
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Component, Debug, Clone, PartialEq, Default))]
pub struct CharacterOptions {
    /// Groups of all its parts; `None` keeps those of the model. For single parts see
    /// [`Boxwood::set_part_groups`](crate::Boxwood::set_part_groups).
    pub groups: Option<TouchGroups>,
    /// Position in all answers, unique: a net id, for example. `None` for the order in which
    /// characters are found with all their joints. In a touching pair the character of lower order
    /// is `a`.
    pub order: Option<u64>,
    /// Bits for the caller, returned by `Scene::user`.
    pub user: u64,
    /// Rest flag: two characters at rest are not tested against each other. A
    /// [fixed](Character::fixed) character is always at rest.
    pub at_rest: bool,
}

/// Index of an entity's node in its glTF file; finds the joints of [`Character::from_loaded`] where
/// names repeat.
///
/// With the feature `gltf`, `JointNodePlugin` makes Bevy's loader add it to every node.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Component, Debug, Clone, PartialEq, Default))]
pub struct JointNode(pub usize);

#[cfg(feature = "reflect")]
use bevy_ecs::reflect::ReflectComponent;
#[cfg(feature = "reflect")]
use bevy_reflect::std_traits::ReflectDefault;
