//! What the examples load by its ending: every shared file is a character with a clip.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use boxwood::Build;
use boxwood::load::{Loaded, Options};
use boxwood::motion::Joints;

fn load(file: &Path) -> Result<Loaded<f32>, String> {
    let options = Options { build: Build { max_depth: 2, ..Build::fast() }, ..Options::default() };
    crate::any::load_watched(file, &options, &mut |_| ControlFlow::Continue(()))
}

/// Every file below the folder that the examples read, but for the meshes of robots and files that are no robots.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let of_robots =
            path.ends_with("robots/panda/meshes") || path.ends_with("robots/talos/meshes");
        if path.is_dir() && !of_robots {
            found.extend(files(&path));
        } else if crate::any::ENDINGS.contains(&crate::any::ending(&path).as_str()) {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_shared_file_moves() {
    let Some(data) = support::data::data() else { return };
    let files =
        ["characters", "meshes/fcl-env-rob", "mocap", "robots"].map(|part| files(&data.join(part)));
    let counts = files.each_ref().map(Vec::len);
    assert_eq!(counts, [7, 2, 3, 5]);
    for file in files.iter().flatten() {
        let loaded = load(file).expect("a character");
        assert_eq!(loaded.model.len(), loaded.skeleton.len());
        assert!(loaded.model.parts().iter().any(|part| part.tree().is_some()));
        let clip = crate::any::clip(&loaded, None).expect("a clip");
        let mut joints = Joints::new();
        let start = clip.sample(0.0, &mut joints).expect("a time").to_vec();
        let still = (1..8).all(|i| {
            let t = clip.duration() * i as f32 / 8.0;
            clip.sample(t, &mut joints).expect("a time") == start
        });
        let is_mesh = crate::any::ending(file) == "obj";
        assert_eq!(still, is_mesh, "{}", file.display());
        assert_eq!(clip.name() == crate::any::REST, is_mesh);
    }
}

#[test]
fn recorded_motion_is_a_clip_of_whoever_has_the_same_joints() {
    let Some(data) = support::data::data() else { return };
    let humanoid = load(&data.join("robots/humanoid-cmu/humanoid_CMU_V2020.xml")).expect("a robot");
    for file in ["mocap/cmu-02-05/02_05.amc", "mocap/cmu-18-01/18_01.bvh"] {
        let path = data.join(file);
        let clip = crate::any::clip(&humanoid, path.to_str()).expect("a clip");
        assert_eq!(clip.name(), path.file_stem().expect("a name").to_string_lossy());
        let mut joints = Joints::new();
        let part = |name: &str| humanoid.model.part(name).expect("a part").index();
        for share in [0.0, 0.3, 0.6, 1.0] {
            let poses = clip.sample(share * clip.duration(), &mut joints).expect("a time");
            // A person stands: metres, Y up.
            let height = |name: &str| poses[part(name)].translation.y;
            assert!((1.0..2.0).contains(&(height("head") - height("ltoes"))), "{file} {share}");
        }
    }
    // Another recording calls its joints something else, and a fox has none of them.
    let fox = load(&data.join("characters/fox/Fox.glb")).expect("a fox");
    let path = data.join("mocap/cmu-18-01/18_01.bvh");
    assert!(crate::any::clip(&fox, path.to_str()).expect_err("no names").contains("the same name"));
    assert!(
        crate::any::clip(&fox, Some("Fly")).expect_err("no clip").contains("Survey, Walk, Run")
    );
}

#[test]
fn other_endings_and_missing_skeletons_are_named() {
    let folder = support::folder::Folder::new();
    let said = load(&folder.write("a.fbx", "")).expect_err("unknown");
    assert!(said.contains("'.fbx' are not read") && said.contains(".urdf"), "{said}");
    let said = load(&folder.write("7_12.amc", "1\nroot 0\n")).expect_err("no skeleton");
    assert!(said.contains("7.asf"), "{said}");
}
