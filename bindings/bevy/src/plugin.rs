//! The plugin: its systems, their order, its messages and resources.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::schedule::{IntoScheduleConfigs, SystemSet};
use bevy_transform::TransformSystems;

use crate::{
    Boxwood, CharacterProblem, SweepSettings, SweptContact, TouchEnded, TouchSettings, Touched,
    ask::ask, bind::bind, follow::follow, sweep::sweep,
};

/// Plugin with all that characters need: systems in `PostUpdate`, messages, the resources
/// [`Boxwood`], [`TouchSettings`] and [`SweepSettings`].
///
/// Transforms must be propagated, by Bevy's `TransformPlugin`, which is one of the default plugins.
///
/// ```
/// use bevy_app::App;
/// use bevy_boxwood::{Boxwood, BoxwoodPlugin};
/// use bevy_transform::TransformPlugin;
///
/// let mut app = App::new();
/// app.add_plugins((TransformPlugin, BoxwoodPlugin));
/// app.update();
/// assert!(app.world().resource::<Boxwood>().scene().is_empty());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct BoxwoodPlugin;

/// Steps of a frame, in this order, in `PostUpdate` after `TransformSystems::Propagate`.
///
/// Run systems that read messages of the same frame after [`BoxwoodSystems::Ask`]; those in
/// `Update` read the messages of the frame before.
///
/// ```
/// use bevy_app::{App, PostUpdate};
/// use bevy_boxwood::{BoxwoodPlugin, BoxwoodSystems, Touched};
/// use bevy_ecs::prelude::*;
/// use bevy_transform::TransformPlugin;
///
/// fn sparks(mut touched: MessageReader<Touched>) {
///     for hit in touched.read() {
///         println!("{} deep at {}", hit.depth, hit.point);
///     }
/// }
///
/// let mut app = App::new();
/// app.add_plugins((TransformPlugin, BoxwoodPlugin));
/// app.add_systems(PostUpdate, sparks.after(BoxwoodSystems::Ask));
/// app.update();
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SystemSet)]
pub enum BoxwoodSystems {
    /// Inserts new characters into the scene, removes old ones, and searches for the entities of
    /// joints.
    Bind,
    /// Copies the poses of joints to their parts.
    Follow,
    /// Takes the snapshot that queries use, and sends messages about touching parts.
    Ask,
}

impl Plugin for BoxwoodPlugin {
    fn build(&self, app: &mut App) {
        use BoxwoodSystems::{Ask, Bind, Follow};
        app.init_resource::<Boxwood>()
            .init_resource::<TouchSettings>()
            .init_resource::<SweepSettings>()
            .add_message::<Touched>()
            .add_message::<TouchEnded>()
            .add_message::<SweptContact>()
            .add_message::<CharacterProblem>()
            .configure_sets(
                PostUpdate,
                (Bind, Follow, Ask).chain().after(TransformSystems::Propagate),
            )
            .add_systems(
                PostUpdate,
                (bind.in_set(Bind), follow.in_set(Follow), (ask, sweep).chain().in_set(Ask)),
            );
    }
}
