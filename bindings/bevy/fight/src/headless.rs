//! The fight without a window: the real loaders and players of Bevy, and time by hand.

use std::time::Duration;

use bevy::animation::AnimationPlugin;
use bevy::asset::AssetPlugin;
use bevy::gltf::GltfPlugin;
use bevy::image::ImagePlugin;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::world_serialization::WorldSerializationPlugin;
use bevy_boxwood::Boxwood;

use crate::{FightPlugin, Trouble, folder};

/// A frame. Seconds.
pub const FRAME: f64 = 1.0 / 60.0;

/// How long files may take to load. Frames of a millisecond and more.
const MOST_FRAMES: usize = 30_000;

/// An app in which a frame takes as long as it should, however long it takes.
pub fn app() -> App {
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
        AnimationPlugin,
        FightPlugin,
    ));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
    app.finish();
    app.cleanup();
    app
}

/// Frames until both fighters are in the scene; the number, or why they do not come.
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
