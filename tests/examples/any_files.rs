//! The loader of the examples, by file extension: every shared file is a character with a clip.

use std::path::{Path, PathBuf};

use crate::any_file::Wishes;
use boxwood::Build;
use boxwood::Loader;
use boxwood::load::Loaded;
use boxwood::motion::Joints;

fn load(file: &Path) -> Result<Loaded<f32>, String> {
    load_as(file, Wishes::default())
}

fn load_as(file: &Path, wishes: Wishes) -> Result<Loaded<f32>, String> {
    let options = Loader::new().build(Build::fast().max_depth(2));
    crate::any_file::load_with(file, &options, wishes)
}

/// Returns every file below the folder that the examples read, without the meshes of robots and
/// files that are no robots.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let of_robots =
            path.ends_with("robots/panda/meshes") || path.ends_with("robots/talos/meshes");
        if path.is_dir() && !of_robots {
            found.extend(files(&path));
        } else if crate::any_file::ENDINGS.contains(&crate::any_file::ending(&path).as_str()) {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_shared_file_has_a_moving_clip() {
    let Some(data) = support::data::data() else { return };
    let files =
        ["characters", "meshes/fcl-env-rob", "mocap", "robots"].map(|part| files(&data.join(part)));
    let counts = files.each_ref().map(Vec::len);
    assert_eq!(counts, [7, 2, 3, 5]);
    for file in files.iter().flatten() {
        let loaded = load(file).expect("a character");
        assert_eq!(loaded.model.len(), loaded.skeleton.len());
        assert!(loaded.model.parts().iter().any(|part| part.tree().is_some()));
        let clip = crate::any_file::clip(&loaded, None).expect("a clip");
        let mut joints = Joints::new();
        let start = clip.sample(0.0, &mut joints).expect("a time").to_vec();
        let still = (1..8).all(|i| {
            let t = clip.duration() * i as f32 / 8.0;
            clip.sample(t, &mut joints).expect("a time") == start
        });
        let is_mesh = crate::any_file::ending(file) == "obj";
        assert_eq!(still, is_mesh, "{}", file.display());
        assert_eq!(clip.name() == crate::any_file::REST, is_mesh);
    }
}

#[test]
fn recorded_motion_is_a_clip_of_characters_with_the_same_joints() {
    let Some(data) = support::data::data() else { return };
    let humanoid = load(&data.join("robots/humanoid-cmu/humanoid_CMU_V2020.xml")).expect("a robot");
    for file in ["mocap/cmu-02-05/02_05.amc", "mocap/cmu-18-01/18_01.bvh"] {
        let path = data.join(file);
        // By the unit of these files, and by the length of the bones, which is not exact.
        let cmu = Wishes { scale: Some(Loader::CMU), ..Wishes::default() };
        let clips = [cmu, Wishes::default()].map(|wishes| {
            crate::any_file::clip_as(&humanoid, path.to_str(), wishes).expect("a clip")
        });
        let mut joints = Joints::new();
        let part = |name: &str| humanoid.model.part(name).expect("a part").index();
        let root = part("root");
        let mut travelled = [0.0; 2];
        for (clip, travelled) in clips.iter().zip(&mut travelled) {
            assert_eq!(clip.name(), path.file_stem().expect("a name").to_string_lossy());
            let start = clip.sample(0.0, &mut joints).expect("a time")[root].translation.vector;
            for share in [0.0, 0.3, 0.6, 1.0] {
                let poses = clip.sample(share * clip.duration(), &mut joints).expect("a time");
                // A person stands: metres, Y up.
                let height = |name: &str| poses[part(name)].translation.y;
                assert!((1.0..2.0).contains(&(height("head") - height("ltoes"))), "{file} {share}");
                *travelled += (poses[root].translation.vector - start).norm();
            }
        }
        // The BVH file has another name for the root.
        let ratio: f32 = travelled[1] / travelled[0];
        let named = file.ends_with(".amc");
        assert_eq!(named, travelled[0] > 0.1, "{file}: {travelled:?}");
        assert!(!named || (0.8..1.25).contains(&ratio), "{file}: {travelled:?}");
    }
    // Another recording has other names for its joints, and a fox has none of them.
    let fox = load(&data.join("characters/fox/Fox.glb")).expect("a fox");
    let path = data.join("mocap/cmu-18-01/18_01.bvh");
    assert!(
        crate::any_file::clip(&fox, path.to_str()).expect_err("no names").contains("the same name")
    );
    assert!(
        crate::any_file::clip(&fox, Some("Fly"))
            .expect_err("no clip")
            .contains("Survey, Walk, Run")
    );
}

/// Returns the extent of the boxes of a character in the first frame of its clip.
fn size(loaded: &Loaded<f32>) -> f32 {
    let mut joints = Joints::new();
    let poses = loaded.clips[0].sample(0.0, &mut joints).expect("a time");
    let ends = poses.iter().map(|pose| pose.translation.y);
    ends.clone().fold(f32::MIN, f32::max) - ends.fold(f32::MAX, f32::min)
}

#[test]
fn recordings_without_a_scale_have_the_unit_of_the_file() {
    let folder = support::folder::Folder::new();
    let text = |unit: f64| {
        let [up, down] = [0.8 * unit, -0.9 * unit];
        let end = "CHANNELS 3 Zrotation Yrotation Xrotation\nEnd NodeRef {\nOFFSET 0 1 0\n}\n}\n";
        format!(
            "HIERARCHY\nROOT hips {{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n\
             JOINT head {{\nOFFSET 0 {up} 0\n{end}JOINT foot {{\nOFFSET 0 {down} 0\n{end}}}\n\
             MOTION\nFrames: 2\nFrame Time: 0.1\n0 1 0 0 0 0 0 0 0\n0 1 0 9 0 0 0 9 0\n"
        )
    };
    let [metres, centimetres, cmu] = [1.0, 100.0, 1.0 / Loader::CMU]
        .map(|unit| folder.write(&format!("{unit}.bvh"), text(unit)));
    for (file, scale, expected) in [
        (&metres, None, 1.7),
        (&centimetres, None, 170.0),
        (&centimetres, Some(0.01), 1.7),
        (&cmu, None, 1.7 / 0.056444),
        (&cmu, Some(Loader::CMU), 1.7),
    ] {
        let loaded = load_as(file, Wishes { scale, ..Wishes::default() }).expect("a figure");
        let found = size(&loaded);
        assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
        let hinted = crate::any_file::motion::hint(file, &loaded, scale).is_some();
        assert_eq!(hinted, expected > 2.0);
    }
}

/// Returns the output of an example on both streams, and its exit status.
fn example(words: &[&str]) -> (Option<i32>, String) {
    let run = support::run_example::run(words[0], &words[1..]);
    let streams = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    (run.status.code(), streams.concat())
}

#[test]
fn robots_without_collision_geometry_are_refused_or_tested_by_visual_geometry() {
    let folder = support::folder::Folder::new();
    let look = "<visual><geometry><box size='1 1 1'/></geometry></visual>";
    let links = ["a", "b", "c"].map(|name| format!("<link name='{name}'>{look}</link>")).concat();
    let joint = |parent: &str, child: &str| {
        format!(
            "<joint name='{child}' type='continuous'><parent link='{parent}'/><child link='{child}'/></joint>"
        )
    };
    let text = format!("<robot name='r'>{links}{}{}</robot>", joint("a", "b"), joint("b", "c"));
    let path = folder.write("looks.urdf", text);
    let file = path.to_str().expect("a plain path");
    let base = ["self_collision", "--samples", "2", "--robot", file];
    let (code, said) = example(&base);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("looks.urdf: no link has geometry that can collide; load visual"),
        "{said}"
    );
    assert!(said.contains("--visual"), "{said}");
    let (code, said) = example(&[&base[..], &["--visual"]].concat());
    assert_eq!(code, Some(0), "{said}");
    // The first and the last are at one position.
    assert!(said.contains("3 of them with geometry") && said.contains("a - c"), "{said}");
    // One without any geometry has no visual geometry either, in any format.
    let bare =
        folder.write("bare.xml", "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>");
    let (code, said) = example(&["self_collision", "--model", bare.to_str().expect("plain")]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("bare.xml: no link has geometry that can collide; "), "{said}");
}

#[test]
fn help_of_self_collision_names_every_flag() {
    let (code, help) = example(&["self_collision", "--help"]);
    let source = include_str!("../../examples/self_collision/arguments.rs");
    let flags = source.split('"').filter(|word| word.starts_with("--") && !word.contains(' '));
    let flags: std::collections::BTreeSet<&str> = flags.collect();
    assert!(code == Some(0) && flags.len() > 9, "{flags:?}");
    assert!(flags.iter().all(|flag| help.contains(flag)), "{flags:?}");
    for (flags, expected) in
        [(["--scale", "2"], "--scale needs --model"), (["--model=x", "2"], "unknown flag")]
    {
        let (code, said) = example(&["self_collision", flags[0], flags[1]]);
        assert!(code == Some(2) && said.contains(expected), "{said}");
    }
}

#[test]
fn unknown_extensions_and_missing_skeletons_are_named() {
    let folder = support::folder::Folder::new();
    let said = load(&folder.write("a.fbx", "")).expect_err("unknown");
    assert!(said.contains("'.fbx' are not supported") && said.contains(".urdf"), "{said}");
    let said = load(&folder.write("7_12.amc", "1\nroot 0\n")).expect_err("no skeleton");
    assert!(said.contains("7.asf"), "{said}");
}

/// Checks that a file without a flag is read as with the flag that has always read it.
#[test]
fn examples_take_their_file_as_the_first_argument() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let (fighter, map) =
        (format!("{root}/fighter/fighter.glb"), format!("{root}/walk_brushes/level.map"));
    let (fighter, map) = (fighter.as_str(), map.as_str());
    // Words without the flag, with it, and of both.
    let cases: [(&str, [&[&str]; 3]); 5] = [
        ("duel", [&[fighter], &["--a", fighter, "--b", fighter], &["--frames", "30"]]),
        ("duel", [&[fighter, fighter], &["--b", fighter, "--a", fighter], &["--clip-a", "kick"]]),
        ("self_collision", [&[fighter], &["--model", fighter], &["--clip", "kick"]]),
        ("walk_brushes", [&[map], &["--map", map], &["--frames", "60"]]),
        ("concepts", [&[fighter], &["--skin", fighter], &[]]),
    ];
    for (example, [plain, flagged, rest]) in cases {
        let [plain, flagged] = [plain, flagged]
            .map(|file| support::run_example::printed(example, &[file, rest].concat()));
        assert!(plain == flagged && plain.lines().count() > 1, "{example}: {plain}");
    }
    // A robot is one by the end of its name.
    let nothing = support::run_example::refused("self_collision", &["nothing.urdf"]);
    assert!(nothing.contains("nothing.urdf"), "{nothing}");
    for example in ["push_apart", "depth_vs_accuracy"] {
        let nothing = support::run_example::refused(example, &["nothing.glb"]);
        assert!(nothing.contains("nothing.glb"), "{nothing}");
    }
    let three = support::run_example::refused("duel", &[fighter; 3]);
    assert!(three.contains("3 files"), "{three}");
    let twice = support::run_example::refused("duel", &[fighter, fighter, "--a", fighter]);
    assert!(twice.contains("named twice"), "{twice}");
}
