//! Characters as assets of Bevy's asset server, read again when their files change.

use std::sync::Arc;

use bevy_app::{App, Plugin, PreUpdate};
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetApp, AssetEvent, AssetId, AssetLoadFailedEvent, AssetLoader, Assets, Handle,
    LoadContext,
};
use bevy_ecs::component::Component;
use bevy_ecs::prelude::{
    Commands, DetectChanges, Entity, MessageReader, MessageWriter, Query, Ref, Res,
};
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::{Reflect, TypePath};
use boxwood::{Error, Loaded, Loader};

use crate::problem::tell;
use crate::{Character, CharacterProblem, Problem};

/// Plugin that reads characters as assets: glTF files with their buffers inside, and files that
/// [`Loaded::bake`] or the command `boxwood bake` wrote (`.box`), which load in milliseconds.
///
/// It needs Bevy's `AssetPlugin`, before it. Where that watches for changes (the feature
/// `file_watcher` of Bevy), a saved file replaces the characters made from it.
#[derive(Debug, Clone, Copy, Default)]
pub struct CharacterAssetPlugin;

/// Character that was read from a file: model, skeleton and clips.
///
/// The asset server reads it by its type, whatever other loader reads the same file for Bevy:
///
/// ```
/// use bevy_asset::AssetServer;
/// use bevy_boxwood::CharacterRoot;
/// use bevy_ecs::prelude::*;
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn(CharacterRoot(assets.load("fighter.glb")));
/// }
/// ```
#[derive(Asset, TypePath, Debug, Clone)]
pub struct CharacterModel {
    loaded: Arc<Loaded>,
    character: Character,
}

impl CharacterModel {
    /// Creates the asset of a character that was loaded or made by the program.
    pub fn new(loaded: Loaded) -> Self {
        CharacterModel { character: Character::from_loaded(&loaded), loaded: Arc::new(loaded) }
    }

    /// Returns what was loaded: clips, skeleton, warnings.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Returns the component of this character; clones share the model.
    pub fn character(&self) -> &Character {
        &self.character
    }
}

/// Component that makes an entity the character of an asset: once that is loaded, and each time it
/// is loaded again, the plugin inserts its [`Character`].
#[derive(Component, Debug, Clone, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct CharacterRoot(pub Handle<CharacterModel>);

/// Reason why an asset is no character.
#[derive(Debug)]
#[non_exhaustive]
pub enum CharacterLoadError {
    /// The file cannot be read.
    Read(std::io::Error),
    /// The library refuses its content.
    Refused(Error),
}

impl std::fmt::Display for CharacterLoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CharacterLoadError::Read(error) => write!(f, "{error}"),
            CharacterLoadError::Refused(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for CharacterLoadError {}

impl Plugin for CharacterAssetPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<CharacterModel>()
            .register_asset_loader(CharacterLoader)
            .register_type::<CharacterRoot>()
            .add_message::<CharacterProblem>()
            .add_systems(PreUpdate, insert_characters);
    }
}

/// Loader of [`CharacterModel`]. It does not claim `.glb`, which Bevy's own loader reads, and is
/// found by the type of the asset.
#[derive(TypePath)]
struct CharacterLoader;

impl AssetLoader for CharacterLoader {
    type Asset = CharacterModel;
    type Settings = ();
    type Error = CharacterLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<CharacterModel, CharacterLoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await.map_err(CharacterLoadError::Read)?;
        let path = context.path().to_string();
        let loader = Loader::new();
        let loaded = match path.ends_with(".glb") || path.ends_with(".gltf") {
            true => loader.gltf_bytes(&bytes),
            false => loader.baked_bytes(&bytes),
        };
        loaded.map(CharacterModel::new).map_err(CharacterLoadError::Refused)
    }

    fn extensions(&self) -> &[&str] {
        &["box"]
    }
}

type Roots<'w, 's> = Query<'w, 's, (Entity, Ref<'static, CharacterRoot>)>;

/// Inserts the characters of assets that are loaded, and reports those that are not.
fn insert_characters(
    mut commands: Commands,
    assets: Res<Assets<CharacterModel>>,
    roots: Roots<'_, '_>,
    mut changes: MessageReader<AssetEvent<CharacterModel>>,
    mut failures: MessageReader<AssetLoadFailedEvent<CharacterModel>>,
    mut problems: MessageWriter<CharacterProblem>,
) {
    let mut fresh: Vec<AssetId<CharacterModel>> = Vec::new();
    for change in changes.read() {
        if let AssetEvent::Added { id } | AssetEvent::Modified { id } = change {
            fresh.push(*id);
        }
    }
    let failed: Vec<_> = failures.read().collect();
    for (entity, root) in &roots {
        let id = root.0.id();
        if (root.is_changed() || fresh.contains(&id))
            && let Some(model) = assets.get(id)
        {
            commands.entity(entity).insert(model.character().clone());
        }
        if let Some(failure) = failed.iter().find(|failure| failure.id == id) {
            tell(&mut problems, entity, Problem::NotLoaded(failure.error.to_string()));
        }
    }
}
