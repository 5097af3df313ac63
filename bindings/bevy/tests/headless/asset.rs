//! Tests of characters as assets: read, read again when their files change, refused.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Assets};
use bevy_boxwood::boxwood::motion::{Joint, Skeleton};
use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
use bevy_boxwood::boxwood::{Build, Geometry, Loaded, Model, Obb};
use bevy_boxwood::prelude::*;
use bevy_ecs::prelude::*;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

use crate::stage::{boxwood, fighter, problems, spawn_cube, step, touched};

/// Folder of a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bevy_boxwood_{name}_{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).expect("a file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn app(folder: &Path) -> App {
    let mut app = App::new();
    let file_path = folder.to_string_lossy().into_owned();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TransformPlugin,
        AssetPlugin { file_path, ..AssetPlugin::default() },
        BoxwoodPlugin::default(),
        CharacterAssetPlugin,
    ));
    app.finish();
    app.cleanup();
    app
}

/// Bytes of a character of one box: its joint is named "cube".
fn baked(half_size: f32) -> Vec<u8> {
    let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(half_size)).expect("a box");
    let model = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    let model = model.build(&Build::default()).expect("a model");
    let joint = Joint { name: "cube".into(), parent: None, rest: Default::default() };
    let skeleton = Skeleton::new(vec![joint]).expect("a skeleton");
    Loaded::new(model, skeleton.into()).bake().expect("bytes")
}

/// Runs frames until a condition holds.
fn wait(app: &mut App, what: &str, mut is_done: impl FnMut(&mut App) -> bool) {
    for _ in 0..20_000 {
        app.update();
        if is_done(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("waited in vain: {what}");
}

/// Spawns the character of a file with one joint.
fn spawn(app: &mut App, file: &'static str, x: f32) -> Entity {
    let handle = app.world().resource::<AssetServer>().load(file);
    let bundle = (CharacterRoot(handle), Transform::from_xyz(x, 0.0, 0.0));
    let root = app.world_mut().spawn(bundle).id();
    app.world_mut().spawn((Name::new("cube"), Transform::IDENTITY, ChildOf(root)));
    root
}

#[test]
fn a_file_is_read_and_read_again() {
    let folder = Folder::new("again");
    folder.write("cube.box", &baked(0.5));
    let mut app = app(&folder.0);
    let target = spawn_cube(&mut app, 1.4);
    let root = spawn(&mut app, "cube.box", 0.0);
    let other = spawn(&mut app, "cube.box", 0.9);
    wait(&mut app, "loaded", |app| boxwood(app).key(root).is_some());
    let pairs = |app: &mut App| {
        touched(app);
        step(app).iter().map(|hit| (hit.a, hit.b)).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&mut app), [(target, other), (root, other)]);
    // Both are replaced by what the file holds now.
    folder.write("cube.box", &baked(1.0));
    app.world().resource::<AssetServer>().reload("cube.box");
    wait(&mut app, "loaded again", |app| pairs(app).len() == 3);
    let mut all = pairs(&mut app);
    all.sort_unstable();
    let mut expected = vec![(target, root), (target, other), (root, other)];
    expected.sort_unstable();
    assert_eq!(all, expected);
    // Another handle replaces the character: a smaller one, out of reach of the target.
    folder.write("small.box", &baked(0.1));
    let small = app.world().resource::<AssetServer>().load("small.box");
    app.world_mut().entity_mut(root).insert(CharacterRoot(small));
    wait(&mut app, "loaded the other", |app| pairs(app).len() == 2);
    assert!(
        !pairs(&mut app).iter().any(|&(a, b)| [a, b] == [target, root] || [b, a] == [target, root])
    );
    assert_eq!(problems(&mut app), []);
}

#[test]
fn a_file_that_is_no_character_is_told_of() {
    let folder = Folder::new("refused");
    folder.write("broken.box", b"no character");
    let mut app = app(&folder.0);
    let broken = spawn(&mut app, "broken.box", 0.0);
    let missing = spawn(&mut app, "missing.box", 3.0);
    let mut told = Vec::new();
    wait(&mut app, "two problems", |app| {
        told.extend(problems(app));
        told.len() == 2
    });
    told.sort_by_key(|(of, _)| *of != Some(broken));
    let [(Some(first), Problem::NotLoaded(reason)), (Some(second), Problem::NotLoaded(gone))] =
        &told[..]
    else {
        panic!("{told:?}")
    };
    assert_eq!((*first, *second), (broken, missing));
    assert!(reason.contains("broken.box") && gone.contains("missing.box"), "{reason}; {gone}");
    assert_eq!((boxwood(&app).key(broken), boxwood(&app).scene().len()), (None, 0));
}

#[test]
fn a_gltf_file_is_read_by_the_type_of_the_asset() {
    let path = [env!("CARGO_MANIFEST_DIR"), "..", "..", "..", "examples", "fighter"];
    let mut app = app(&path.iter().collect::<PathBuf>());
    let handle = app.world().resource::<AssetServer>().load::<CharacterModel>("fighter.glb");
    let id = handle.id();
    wait(&mut app, "loaded", |app| app.world().resource::<Assets<CharacterModel>>().contains(id));
    let models = app.world().resource::<Assets<CharacterModel>>();
    let model = models.get(id).expect("an asset");
    assert_eq!(model.character().model(), &fighter().model);
    assert_eq!(model.loaded().nodes, fighter().nodes);
}
