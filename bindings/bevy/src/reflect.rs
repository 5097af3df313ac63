//! Registration of types for inspectors, scenes and remote tools.

use bevy_app::App;

use crate::{
    Character, CharacterMotion, CharacterOptions, CharacterProblem, CollidingEntities, JointNode,
    PartOf, SweepSettings, SweptBegin, SweptContact, SweptImpact, Teleported, TouchBegin, TouchEnd,
    TouchEnded, TouchGroups, TouchSettings, Touched,
};

/// Registers the types whose fields can be read and written by name, and those of their fields.
///
/// Fields of the library's types are left out of theirs (`reflect(ignore)`): Bevy's wrapper for
/// foreign types generates unsafe code, which this crate forbids.
pub(crate) fn register(app: &mut App) {
    app.register_type::<Character>()
        .register_type::<CharacterMotion>()
        .register_type::<CharacterOptions>()
        .register_type::<CharacterProblem>()
        .register_type::<CollidingEntities>()
        .register_type::<JointNode>()
        .register_type::<PartOf>()
        .register_type::<SweepSettings>()
        .register_type::<SweptBegin>()
        .register_type::<SweptContact>()
        .register_type::<SweptImpact>()
        .register_type::<Teleported>()
        .register_type::<TouchBegin>()
        .register_type::<TouchEnd>()
        .register_type::<TouchEnded>()
        .register_type::<TouchGroups>()
        .register_type::<TouchSettings>()
        .register_type::<Touched>();
    #[cfg(feature = "gizmos")]
    app.register_type::<crate::BoxLines>();
    #[cfg(feature = "levels")]
    app.register_type::<crate::Level>().register_type::<crate::LevelWalker>();
}
