//! The fight in a window.

use std::process::ExitCode;

use bevy::asset::AssetPlugin;
use bevy::prelude::*;
use bevy_boxwood::{BoxLines, BoxLinesPlugin};
use fight::{FightPlugin, folder};

/// Largest depth of drawn boxes; tens of thousands of lines.
const DEEPEST: u8 = 11;

pub fn run() -> ExitCode {
    let file_path = folder().to_string_lossy().into_owned();
    let assets = AssetPlugin { file_path, ..AssetPlugin::default() };
    let mut app = App::new();
    app.add_plugins((DefaultPlugins.set(assets), FightPlugin, BoxLinesPlugin));
    app.add_systems(Startup, light).add_systems(Update, steer);
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

fn light(mut commands: Commands) {
    let eye = Transform::from_xyz(3.0, 1.6, 0.6).looking_at(Vec3::new(0.0, 0.9, 0.56), Vec3::Y);
    commands.spawn((Camera3d::default(), eye));
    let sun = Transform::from_xyz(2.0, 4.0, 1.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight::default(), sun));
}

/// Handles keys: up and down choose the depth, space stops and starts the time.
fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    mut lines: ResMut<BoxLines>,
    mut time: ResMut<Time<Virtual>>,
) {
    let depth = lines.lines.depth;
    if keys.just_pressed(KeyCode::ArrowUp) && depth < DEEPEST {
        lines.lines.depth = depth + 1;
    }
    if keys.just_pressed(KeyCode::ArrowDown) {
        lines.lines.depth = depth.saturating_sub(1);
    }
    if keys.just_pressed(KeyCode::Space) {
        match time.is_paused() {
            true => time.unpause(),
            false => time.pause(),
        }
    }
}
