//! Files by their bare names, from inside their folder, with the files they refer to beside them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::tool::{Folder, data, fighter, tool};

/// Runs a command in a folder; returns what it prints as JSON.
fn told(folder: &Path, words: &[&str]) -> Value {
    let run = tool().current_dir(folder).args(words).arg("--json").output().expect("it runs");
    let error = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{words:?}: {error}");
    serde_json::from_slice(&run.stdout).expect("an object")
}

#[test]
fn a_bare_robot_finds_its_mesh() {
    let Some(file) = data("bugs/bare_name.urdf") else { return };
    let folder = file.parent().expect("a folder");
    for name in ["bare_name.urdf", "./bare_name.urdf", "../bugs/bare_name.urdf"] {
        let found = told(folder, &["inspect", name]);
        assert_eq!((&found["parts"], &found["triangles"]), (&1.into(), &12.into()), "{name}");
    }
}

#[test]
fn what_bare_files_refer_to_is_beside_or_above_them() {
    let folder = Folder::new();
    let cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    folder.write("t.obj", cube);
    fs::create_dir_all(folder.path("urdf")).expect("a folder");
    let robot = |name: &str| {
        let mesh = format!("<collision><geometry><mesh filename='{name}'/></geometry></collision>");
        format!(
            "<robot name='r'><link name='a'>{mesh}</link><link name='b'>{mesh}</link>\
            <link name='c'>{mesh}</link>\
            <joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>\
            <joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint></robot>"
        )
    };
    folder.write("plain.urdf", robot("t.obj"));
    folder.write("packaged.urdf", robot("package://some/where/t.obj"));
    folder.write("urdf/above.urdf", robot("package://some/t.obj"));
    folder.write("r.srdf", "<robot><disable_collisions link1='a' link2='c'/></robot>");
    for (place, name) in [("", "plain.urdf"), ("", "packaged.urdf"), ("urdf", "above.urdf")] {
        let found = told(&folder.path(place), &["inspect", name]);
        assert_eq!(found["triangles"], 12, "{name}");
    }
    let found = told(&folder.path(""), &["check", "plain.urdf", "--srdf", "r.srdf", "-n", "3"]);
    assert_eq!(found["pairs_tested"], 0);
    let found =
        told(&folder.path(""), &["check", "plain.urdf", "-n", "3", "--write-srdf", "written.srdf"]);
    assert_eq!((&found["pairs_tested"], &found["srdf"]["adjacent"]), (&1.into(), &2.into()));
}

#[test]
fn a_bare_gltf_finds_its_buffer() {
    let folder = Folder::new();
    let bytes = fs::read(fighter()).expect("the fighter");
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4")) as usize;
    let json = &bytes[20..20 + number(12)];
    let buffer = &bytes[28 + number(12)..];
    let text = String::from_utf8(json.to_vec()).expect("text");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    document["buffers"][0]["uri"] = "f.bin".into();
    folder.write("f.bin", buffer);
    folder.write("f.gltf", document.to_string());
    let found = told(&folder.path(""), &["inspect", "f.gltf"]);
    assert!(found["triangles"].as_u64() > Some(100), "{found}");
}
