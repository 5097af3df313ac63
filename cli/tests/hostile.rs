//! Files that are damaged, empty, of the wrong kind or missing: refused by name, without a panic.

use std::ffi::OsString;
use std::fs;

use crate::tool::{Folder, fighter, level, objects, printed, refused, run, text};

const ENDINGS: [&str; 11] =
    ["glb", "gltf", "obj", "stl", "urdf", "xml", "bvh", "amc", "baked", "box", "map"];

/// Texts of which no reader may accept more than there is.
fn texts() -> Vec<Vec<u8>> {
    vec![
        b"".to_vec(),
        b"\0\0\0\0".to_vec(),
        vec![0xff; 4096],
        [&b"boxrobot"[..], &[0xff; 200]].concat(),
        b"<robot name=\"x\"><link name=\"a\"/><link name=\"a\"/></robot>".to_vec(),
        br#"{"asset":{"version":"2.0"},"nodes":[{"children":[0]}],"scenes":[{"nodes":[0]}]}"#
            .to_vec(),
        b"glTF\x02\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7fJSON{}".to_vec(),
        b"v 1 2 nan\nf 1 1 1\nf 1 2 3\n".to_vec(),
        b"{ \"classname\" \"worldspawn\" { ( 0 0 0 ) ( 1 0 0 ) ( 0 1".to_vec(),
        b"HIERARCHY\nROOT x\n{\nOFFSET 0 0 0\nCHANNELS 999999999 Xposition".to_vec(),
        "<a>".repeat(5_000).into_bytes(),
    ]
}

#[test]
fn hostile_files_are_refused_by_every_command_that_reads_them() {
    let folder = Folder::new();
    let out = folder.path("out");
    let page = folder.write(
        "page.html",
        r#"<script type="text/plain" id="boxwood-file" data-name=""></script>"#,
    );
    for ending in ENDINGS {
        for (index, bytes) in texts().into_iter().enumerate() {
            let file = folder.write(format!("hostile-{index}.{ending}"), &bytes);
            let file = text(&file);
            let commands: [&[&str]; 8] = [
                &["inspect", file],
                &["check", file],
                &["bake", file, "-o", text(&out)],
                &["view", file, "-o", text(&out), "--page", text(&page)],
                &["walk", file, "--frames", "2"],
                &["diff", file, file],
                &["picture", file, "-o", text(&out)],
                &["edges", file, "--random", "2"],
            ];
            // Each text is tried with every command once, not with every extension, to save time.
            let words = commands[(index + ending.len()) % commands.len()];
            let run = run(words);
            let told = String::from_utf8_lossy(&run.stderr).into_owned();
            assert!(!told.contains("panicked"), "{words:?}: {told}");
            match run.status.code() {
                // An empty level or mesh may be a valid file for `inspect`.
                Some(0) => assert!(words[0] == "inspect", "{words:?}: {told}"),
                // A file without a robot is a mistake of usage for `edges`.
                Some(code) if code == 1 || ["diff", "edges"].contains(&words[0]) => {
                    assert!(told.contains(&format!("hostile-{index}.")), "{words:?}: {told}")
                }
                code => panic!("{words:?}: {code:?}: {told}"),
            }
        }
    }
    assert!(!out.exists());
}

#[test]
fn cut_short_at_any_place_the_fighter_is_refused() {
    let folder = Folder::new();
    let whole = fs::read(fighter()).expect("the fighter");
    for share in [0, 1, 2, 4, 7, 9] {
        let file = folder.write("cut.glb", &whole[..whole.len() * share / 10]);
        assert!(refused(1, &["duel", text(&file)]).contains("cut.glb"));
    }
}

#[test]
fn folders_and_files_that_are_not_there_are_named() {
    let folder = Folder::new();
    fs::create_dir(folder.path("folder.glb")).expect("a folder");
    for name in
        ["folder.glb", "nothing.glb", "nothing.map", "nothing.urdf", "nothing.txt", "nothing"]
    {
        let file = folder.path(name);
        assert!(refused(1, &["inspect", text(&file)]).contains(name));
    }
    let txt = folder.write("notes.txt", "x");
    let told = refused(1, &["inspect", text(&txt)]);
    assert!(told.contains(".txt") && told.contains(".glb"), "{told}");
    let dash = refused(1, &["inspect", "--", "-x.glb"]);
    assert!(dash.contains("-x.glb"), "{dash}");
}

/// File name that is not Unicode: Unix systems allow any byte.
#[cfg(unix)]
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStringExt;
    let folder = Folder::new();
    let strange = |end: &str| OsString::from_vec([b"\xff\xfe".as_slice(), end.as_bytes()].concat());
    let (glb, map) = (folder.path(strange(".glb")), folder.path(strange(".map")));
    fs::copy(fighter(), &glb).expect("a copy");
    fs::copy(level(), &map).expect("a copy");
    let words = [OsString::from("inspect"), glb.clone().into(), map.into()];
    let found = objects(&words);
    assert!(
        found.len() == 2 && found[0]["file"].as_str().is_some_and(|name| name.ends_with(".glb"))
    );
    let out = folder.path(strange(".baked"));
    printed(&[OsString::from("bake"), glb.into(), "-o".into(), out.clone().into()]);
    assert!(out.exists());
    let gone = folder.path(strange("-gone.glb"));
    refused(1, &[OsString::from("inspect"), gone.into()]);
}
