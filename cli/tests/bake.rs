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
fn a_robot_is_baked_with_a_clip_of_its_joints() {
    let folder = Folder::new();
    let (file, out) = (folder.write("bars.urdf", BARS), folder.path("bars.baked"));
    let told = printed(&["bake", text(&file), "-o", text(&out)]);
    assert!(told.contains("4 parts, 1 clips"), "{told}");
    assert_eq!(load::baked(&out).expect("a baked file").clips[0].name(), "swing");
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
