//! Characters as assets: the program of the plugin's README, word for word.

use bevy::gltf::GltfAssetLabel;
use bevy::prelude::*;
use bevy::world_serialization::WorldAssetRoot;
use bevy_boxwood::prelude::*;

/// Add it beside Bevy's `DefaultPlugins`.
pub fn fighters(app: &mut App) {
    app.add_plugins((BoxwoodPlugin::default(), CharacterAssetPlugin));
    app.add_plugins((JointNodePlugin, BoxLinesPlugin));
    app.add_systems(Startup, spawn);
}

fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
    for x in [0.0, 0.3] {
        let scene = assets.load(GltfAssetLabel::Scene(0).from_asset("fighter.glb"));
        let boxes = CharacterRoot(assets.load("fighter.glb"));
        let fighter = (WorldAssetRoot(scene), boxes, Transform::from_xyz(x, 0.0, 0.0));
        commands.spawn(fighter).observe(print);
    }
}

fn print(touch: On<TouchBegin>, boxwood: Res<Boxwood>) {
    let [part, other] = [touch.part, touch.other].map(|one| boxwood.part_name(one));
    println!("{part} touches {other}, {} m deep", touch.depth);
}
