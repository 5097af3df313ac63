//! Names that most systems need, to be imported together: `use bevy_boxwood::prelude::*`.
//!
//! None of them is a name of Bevy's own prelude.

pub use crate::{
    Boxwood, BoxwoodPlugin, BoxwoodQueries, BoxwoodSystems, Character, CharacterMotion,
    CharacterOptions, CharacterProblem, CollidingEntities, PartOf, Problem, SweepSettings,
    SweptBegin, SweptContact, Teleported, TouchBegin, TouchEnd, TouchEnded, TouchGroups,
    TouchLayer, TouchPairs, TouchPhase, TouchSettings, Touched,
};

#[cfg(feature = "gizmos")]
pub use crate::{BoxLines, BoxLinesPlugin};

#[cfg(feature = "asset")]
pub use crate::{CharacterAssetPlugin, CharacterModel, CharacterRoot};

#[cfg(feature = "gltf")]
pub use crate::JointNodePlugin;

#[cfg(feature = "levels")]
pub use crate::{Level, LevelWalker};
