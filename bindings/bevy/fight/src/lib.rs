//! Two fighters, loaded, animated and drawn by Bevy; `bevy_boxwood` finds where they touch.

pub mod headless;
pub mod loaded;

use std::path::PathBuf;

use bevy::animation::AnimationPlayer;
use bevy::gltf::GltfAssetLabel;
use bevy::prelude::*;
use bevy::world_serialization::WorldAssetRoot;
use bevy_boxwood::boxwood::{Error, Loaded, load};
use bevy_boxwood::{BoxwoodPlugin, Character, CharacterOptions, JointNodePlugin};

const FILE: &str = "fighter.glb";

/// Distance of the fighters, so that a kick lands [m].
pub const DISTANCE: f32 = 1.12;

/// Clips that the fighters repeat.
pub const CLIPS: [&str; 2] = ["kick", "guard"];

/// Folder of the file: that of the library's examples.
pub fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "..", "examples", "fighter"].iter().collect()
}

/// Adds the fight to an app that has Bevy's plugins for files, scenes and animation.
pub struct FightPlugin;

/// The character as the library reads it.
#[derive(Resource)]
pub struct Fighter(pub Loaded);

/// A fighter: 0 for red, who kicks, 1 for blue.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side(pub usize);

/// Animation that a fighter's player plays.
#[derive(Component, Clone)]
struct Plays(Handle<AnimationGraph>, AnimationNodeIndex);

/// Reason why there is no fight.
#[derive(Resource, Debug)]
pub struct Trouble(pub Error);

impl Plugin for FightPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((BoxwoodPlugin::default(), JointNodePlugin));
        match load::gltf(folder().join(FILE)) {
            Ok(loaded) => {
                app.insert_resource(Fighter(loaded)).add_systems(Startup, spawn);
                app.add_systems(Update, play);
            }
            Err(error) => {
                error!("{error}");
                app.insert_resource(Trouble(error));
            }
        }
    }
}

/// Transform of a fighter: red at the origin looking along +Z, blue looking back at it.
pub fn place(side: usize) -> Transform {
    match side {
        0 => Transform::IDENTITY,
        _ => Transform::from_xyz(0.0, 0.0, DISTANCE)
            .with_rotation(Quat::from_rotation_y(std::f32::consts::PI)),
    }
}

fn spawn(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut graphs: ResMut<Assets<AnimationGraph>>,
    fighter: Res<Fighter>,
) {
    let character = Character::from_loaded(&fighter.0);
    for (side, name) in CLIPS.into_iter().enumerate() {
        // Bevy and the library number the clips as the file does.
        let index = fighter.0.clips.iter().position(|clip| clip.name() == name).unwrap_or(0);
        let clip = assets.load(GltfAssetLabel::Animation(index).from_asset(FILE));
        let (graph, node) = AnimationGraph::from_clip(clip);
        let scene = assets.load(GltfAssetLabel::Scene(0).from_asset(FILE));
        commands.spawn((
            Side(side),
            place(side),
            character.clone(),
            CharacterOptions { order: Some(side as u64), ..CharacterOptions::default() },
            WorldAssetRoot(scene),
            Plays(graphs.add(graph), node),
        ));
    }
}

/// Starts the players that Bevy's loader has added to scenes.
fn play(
    mut commands: Commands,
    mut players: Query<(Entity, &mut AnimationPlayer), Added<AnimationPlayer>>,
    parents: Query<&ChildOf>,
    plays: Query<&Plays>,
) {
    for (entity, mut player) in &mut players {
        let above = parents.iter_ancestors(entity).find_map(|above| plays.get(above).ok());
        if let Some(Plays(graph, node)) = above {
            commands.entity(entity).insert(AnimationGraphHandle(graph.clone()));
            player.play(*node).repeat();
        }
    }
}
