//! Saved touches, for rollback.

use crate::Boxwood;
use crate::ask::Touching;
use crate::sweep::SavedSweep;

/// The touches of a frame, which the next frame compares with: what touched, since when, and from
/// where the way begins.
///
/// Poses, options and characters are those of the entities, which the game restores itself. A
/// simulation that restores both and runs the schedule of the plugin again sends the same messages,
/// with the same phases and ids.
///
/// ```
/// # use bevy_app::App;
/// # use bevy_boxwood::{Boxwood, BoxwoodPlugin};
/// # use bevy_transform::TransformPlugin;
/// # let mut app = App::new();
/// # app.add_plugins((TransformPlugin, BoxwoodPlugin::default()));
/// let saved = app.world().resource::<Boxwood>().save_touches(); // at the end of a tick
/// app.update();
/// app.world_mut().resource_mut::<Boxwood>().restore_touches(&saved); // with the transforms
/// app.update();
/// ```
#[derive(Debug, Clone)]
pub struct SavedTouches {
    touching: Touching,
    sweep: SavedSweep,
}

impl Boxwood {
    /// Returns the touches of the last frame.
    pub fn save_touches(&self) -> SavedTouches {
        SavedTouches { touching: self.touching.clone(), sweep: self.sweep.save() }
    }

    /// Replaces the touches that the next frame compares with by those of an earlier frame. The
    /// snapshot is replaced when the schedule runs.
    pub fn restore_touches(&mut self, saved: &SavedTouches) {
        self.touching.clone_from(&saved.touching);
        self.sweep.restore(&saved.sweep);
    }
}
