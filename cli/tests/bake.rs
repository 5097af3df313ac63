//! Tests of `bake`: the written file loads as the character that was read.

use boxwood::load;

use crate::tool::{BARS, Folder, data, fighter, objects, printed, refused, text};

#[test]
fn a_baked_fighter_has_the_same_fingerprint() {
    let folder = Folder::new();
    let out = folder.path("fighter.baked");
    let found = objects(&["bake", text(&fighter()), "-o", text(&out)]);
    let loaded = load::gltf(fighter()).expect("the fighter");
    let again = load::baked(&out).expect("a baked file");
    assert_eq!(again.model.fingerprint(), loaded.model.fingerprint());
    assert_eq!(again.clips.len(), loaded.clips.len());
    assert_eq!(found[0]["fingerprint"], format!("{:016x}", loaded.model.fingerprint()));
    let bytes = std::fs::read(&out).expect("a file");
    assert_eq!(found[0]["bytes"].as_u64(), Some(bytes.len() as u64));
    // The bytes equal those of the library, and those of a second run.
    assert!(bytes == loaded.bake().expect("bytes"));
    printed(&["bake", text(&fighter()), "-o", text(&out)]);
    assert!(bytes == std::fs::read(&out).expect("a file"));
    let inspected = objects(&["inspect", text(&out)]);
    assert_eq!(inspected[0]["fingerprint"], found[0]["fingerprint"]);
}

#[test]
fn a_robot_is_baked_as_a_robot_that_every_command_reads() {
    let folder = Folder::new();
    let (file, out) = (folder.write("bars.urdf", BARS), folder.path("bars.box"));
    let (file, out) = (text(&file), text(&out));
    let told = printed(&["bake", file, "-o", out]);
    assert!(told.contains("4 parts, 3 actuators, fingerprint "), "{told}");
    let found = &objects(&["bake", file, "-o", out])[0];
    assert_eq!(
        (&found["kind"], &found["actuators"], &found["clips"]),
        (&"robot".into(), &3.into(), &0.into())
    );
    let (robot, again) = (load::urdf(file).expect("bars"), load::baked_robot(out).expect("baked"));
    assert_eq!((&again.model, &again.mechanism), (&robot.model, &robot.mechanism));
    assert!(std::fs::read(out).expect("a file") == robot.bake().expect("bytes"));
    let inspected = &objects(&["inspect", out])[0];
    assert_eq!(
        (&inspected["kind"], &inspected["fingerprint"]),
        (&"robot".into(), &found["fingerprint"])
    );
    assert_eq!(inspected["actuators"][0]["limits"], serde_json::json!([-3.0, 3.0]));
    // Answers equal those of the file that was baked, also under the other extension.
    let other = folder.write("bars.baked", std::fs::read(out).expect("a file"));
    for flags in [
        &["check", "-n", "300"][..],
        &["check", "-n", "50", "--dial"],
        &["edges", "--random", "30"],
    ] {
        let [told, first, second] = [file, out, text(&other)]
            .map(|file| printed(&[&flags[..1], &[file], &flags[1..]].concat()));
        assert!(told == first && told == second, "{flags:?}");
    }
    // A robot plays a clip of its joints where a character is expected.
    let told = printed(&["duel", out, "--frames", "3"]);
    assert!(told.contains("swing"), "{told}");
    // A baked robot is baked again, to the same bytes.
    let twice = folder.path("twice.box");
    printed(&["bake", out, "-o", text(&twice)]);
    assert!(std::fs::read(twice).expect("a file") == std::fs::read(out).expect("a file"));
}

#[test]
fn an_srdf_file_is_baked_in() {
    let folder = Folder::new();
    let (file, out) = (folder.write("bars.urdf", BARS), folder.path("bars.box"));
    let pair = r#"<disable_collisions link1="left" link2="right" reason="Never"/>"#;
    let srdf = folder.write("bars.srdf", format!("<robot name=\"bars\">{pair}</robot>"));
    printed(&["bake", text(&file), "--srdf", text(&srdf), "-o", text(&out)]);
    let found = &objects(&["check", text(&out), "-n", "500"])[0];
    assert_eq!((&found["colliding"], &found["pairs_tested"]), (&0.into(), &2.into()));
}

#[test]
fn flags_without_effect_on_baked_files_are_mistakes_of_usage() {
    let folder = Folder::new();
    let (file, out) = (folder.write("bars.urdf", BARS), folder.path("bars.box"));
    printed(&["bake", text(&file), "-o", text(&out)]);
    let (robot, character, again) =
        (text(&out), crate::tool::baked_fighter(), folder.path("x.box"));
    for words in [
        &["check", robot, "--srdf", "x.srdf"][..],
        &["check", robot, "--write-srdf", "x.srdf"],
        &["check", robot, "--visual"],
        &["check", robot, "--neighbours", "2"],
        &["check", text(&character), "--surfaces"],
        &["matrix", robot, "-o", "x.srdf"],
        &["matrix", robot, "--visual"],
        &["edges", robot, "--srdf", "x.srdf"],
        &["bake", robot, "--srdf", "x.srdf", "-o", text(&again)],
        &["bake", robot, "--visual", "-o", text(&again)],
        &["bake", text(&character), "--srdf", "x.srdf", "-o", text(&again)],
    ] {
        refused(2, words);
    }
    assert!(!again.exists());
}

#[test]
fn nothing_is_written_over_the_input_or_where_it_can_not_be() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    let told = refused(2, &["bake", text(&file), "-o", text(&file)]);
    assert!(
        told.contains("bars.urdf") && std::fs::read_to_string(&file).is_ok_and(|now| now == BARS)
    );
    let out = folder.path("no/such/folder/x.baked");
    assert!(refused(1, &["bake", text(&file), "-o", text(&out)]).contains("x.baked"));
    refused(2, &["bake", text(&file)]);
}

#[test]
fn a_real_character_is_baked() {
    let Some(knight) = data("characters/kaykit-knight/Knight.glb") else { return };
    let folder = Folder::new();
    let out = folder.path("knight.baked");
    objects(&["bake", text(&knight), "-o", text(&out)]);
    let again = load::baked(&out).expect("a baked file");
    let knight = load::gltf(knight).expect("the knight");
    assert_eq!(again.model.fingerprint(), knight.model.fingerprint());
}
