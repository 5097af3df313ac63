//! The plugin: its systems, their order, its messages and resources.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs, ScheduleLabel, SystemSet};
use bevy_transform::TransformSystems;
use bevy_transform::systems::{
    mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms,
};

use crate::{
    Boxwood, CharacterProblem, SweepSettings, SweptContact, TouchEnded, TouchSettings, Touched,
    ask::ask, bind::bind, follow::follow, sweep::sweep,
};

/// Plugin with all that characters need: systems, messages, the resources [`Boxwood`],
/// [`TouchSettings`] and [`SweepSettings`].
///
/// Transforms must be propagated, by Bevy's `TransformPlugin`, which is one of the default plugins.
///
/// ```
/// use bevy_app::App;
/// use bevy_boxwood::{Boxwood, BoxwoodPlugin};
/// use bevy_transform::TransformPlugin;
///
/// let mut app = App::new();
/// app.add_plugins((TransformPlugin, BoxwoodPlugin::default()));
/// app.update();
/// assert!(app.world().resource::<Boxwood>().scene().is_empty());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct BoxwoodPlugin {
    schedule: InternedScheduleLabel,
}

impl Default for BoxwoodPlugin {
    /// Returns the plugin with its systems in `PostUpdate`, in the frame whose transforms are drawn.
    fn default() -> Self {
        BoxwoodPlugin { schedule: PostUpdate.intern() }
    }
}

impl BoxwoodPlugin {
    /// Returns the plugin with its systems in another schedule: `FixedPostUpdate` for a simulation
    /// in fixed steps, or the schedule that a rollback library runs again. A frame of messages and
    /// settings is then one run of that schedule.
    ///
    /// Bevy propagates transforms in `PostUpdate` alone. The plugin therefore propagates them in
    /// its schedule too, in the set `TransformSystems::Propagate`. Joints that Bevy's animation
    /// moves have the pose of the last frame there.
    ///
    /// ```
    /// use bevy_app::{App, FixedPostUpdate};
    /// use bevy_boxwood::{BoxwoodPlugin, BoxwoodSystems, Touched};
    /// use bevy_ecs::prelude::*;
    /// use bevy_transform::TransformPlugin;
    ///
    /// fn damage(mut touched: MessageReader<Touched>) {
    ///     for hit in touched.read() {
    ///         println!("{} is hit", hit.b);
    ///     }
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TransformPlugin, BoxwoodPlugin::in_schedule(FixedPostUpdate)));
    /// app.add_systems(FixedPostUpdate, damage.after(BoxwoodSystems::Ask));
    /// app.world_mut().run_schedule(FixedPostUpdate); // Bevy's `TimePlugin` does this
    /// ```
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        BoxwoodPlugin { schedule: schedule.intern() }
    }
}

/// Steps of a frame, in this order, in the schedule of the plugin: `Walk` before
/// `TransformSystems::Propagate`, the others after it.
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
/// app.add_plugins((TransformPlugin, BoxwoodPlugin::default()));
/// app.add_systems(PostUpdate, sparks.after(BoxwoodSystems::Ask));
/// app.update();
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SystemSet)]
pub enum BoxwoodSystems {
    /// Moves [`LevelWalker`](crate::LevelWalker)s, before transforms are propagated. Empty without
    /// the feature `levels`.
    Walk,
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
        use BoxwoodSystems::{Ask, Bind, Follow, Walk};
        let schedule = self.schedule;
        app.init_resource::<Boxwood>()
            .init_resource::<TouchSettings>()
            .init_resource::<SweepSettings>()
            .add_message::<Touched>()
            .add_message::<TouchEnded>()
            .add_message::<SweptContact>()
            .add_message::<CharacterProblem>()
            .configure_sets(
                schedule,
                (
                    Walk.before(TransformSystems::Propagate),
                    (Bind, Follow, Ask).chain().after(TransformSystems::Propagate),
                ),
            )
            .add_systems(
                schedule,
                (bind.in_set(Bind), follow.in_set(Follow), (ask, sweep).chain().in_set(Ask)),
            );
        if schedule != PostUpdate.intern() {
            let propagate = (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms);
            app.add_systems(schedule, propagate.chain().in_set(TransformSystems::Propagate));
        }
        #[cfg(feature = "levels")]
        app.add_systems(schedule, crate::walk::walk.in_set(Walk));
        #[cfg(feature = "reflect")]
        crate::reflect::register(app);
    }
}
