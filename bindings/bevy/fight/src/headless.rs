//! The fight without a window: the real loaders and players of Bevy, and manual time.

use std::time::Duration;

use bevy::animation::AnimationPlugin;
use bevy::app::Plugins;
use bevy::asset::AssetPlugin;
use bevy::gizmos::GizmoPlugin;
use bevy::gltf::GltfPlugin;
use bevy::image::ImagePlugin;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::world_serialization::WorldSerializationPlugin;
use bevy_boxwood::Boxwood;

use crate::{Trouble, folder};

/// Duration of a frame [s].
pub const FRAME: f64 = 1.0 / 60.0;

/// Largest number of frames for loading files; each takes a millisecond or more.
const MOST_FRAMES: usize = 30_000;

/// Creates an app with a game, whose time advances by one frame at each update, however long that
/// takes.
pub fn app<Marker>(game: impl Plugins<Marker>) -> App {
    let mut app = App::new();
    let file_path = folder().to_string_lossy().into_owned();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin { file_path, ..AssetPlugin::default() },
        WorldSerializationPlugin,
        ImagePlugin::default(),
        MeshPlugin,
        GltfPlugin::default(),
        GizmoPlugin,
        AnimationPlugin,
    ));
    app.add_plugins(game);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
    app.finish();
    app.cleanup();
    app
}

/// Runs frames until both fighters are in the scene; returns their number, or the reason why a
/// fighter is missing.
pub fn wait(app: &mut App) -> Result<usize, String> {
    for frame in 1..=MOST_FRAMES {
        app.update();
        if let Some(Trouble(error)) = app.world().get_resource() {
            return Err(error.to_string());
        }
        if app.world().resource::<Boxwood>().scene().len() == 2 {
            return Ok(frame);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Err("the fighters were not loaded".to_owned())
}
