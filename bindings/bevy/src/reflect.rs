//! Registration of types for inspectors, scenes and remote tools.

use bevy_app::App;

use crate::{
    Character, CharacterMotion, CharacterOptions, CollidingEntities, JointNode, PartOf, SweptBegin,
    SweptImpact, Teleported, TouchBegin, TouchEnd, TouchGroups,
};

/// Registers the types whose fields can be read and written by name.
pub(crate) fn register(app: &mut App) {
    app.register_type::<Character>()
        .register_type::<CharacterMotion>()
        .register_type::<CharacterOptions>()
        .register_type::<CollidingEntities>()
        .register_type::<JointNode>()
        .register_type::<PartOf>()
        .register_type::<SweptBegin>()
        .register_type::<SweptImpact>()
        .register_type::<Teleported>()
        .register_type::<TouchBegin>()
        .register_type::<TouchEnd>()
        .register_type::<TouchGroups>();
}
