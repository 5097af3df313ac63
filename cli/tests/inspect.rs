//! Tests of `inspect`: counts of the library, as text and as JSON.

use boxwood::{Geometry, load};
use serde_json::Value;

use crate::tool::{BARS, Folder, data, fighter, level, objects, printed, run, text};

fn number(of: &Value, field: &str) -> usize {
    of[field].as_u64().unwrap_or_else(|| panic!("{field} of {of}")) as usize
}

#[test]
fn the_fighter_has_the_parts_and_clips_that_the_library_says() {
    let [found] = &objects(&["inspect", "--skin", text(&fighter())])[..] else { panic!("a line") };
    let loaded = load::gltf(fighter()).expect("the fighter");
    let trees: Vec<_> = loaded.model.parts().iter().filter_map(|part| part.tree()).collect();
    assert_eq!(found["kind"], "character");
    assert_eq!(number(found, "parts"), loaded.model.parts().len());
    assert_eq!(number(found, "parts_with_geometry"), trees.len());
    let solid = trees.iter().filter(|tree| matches!(tree.geometry(), Geometry::Solid(_)));
    assert_eq!(number(found, "solids"), solid.count());
    let triangles: usize = trees.iter().map(|tree| tree.geometry().len()).sum();
    assert_eq!((number(found, "triangles"), number(found, "boxes")), (triangles, 0));
    assert_eq!(number(found, "nodes"), trees.iter().map(|tree| tree.len()).sum::<usize>());
    assert_eq!(number(found, "model_bytes"), loaded.model.bytes());
    let size = std::fs::metadata(fighter()).expect("a file").len();
    assert_eq!(found["file_bytes"].as_u64(), Some(size));
    assert_eq!(found["fingerprint"], format!("{:016x}", loaded.model.fingerprint()));
    let clips = found["clips"].as_array().expect("clips");
    assert_eq!(clips.len(), loaded.clips.len());
    for (told, clip) in clips.iter().zip(&loaded.clips) {
        assert_eq!(told["name"], clip.name());
        assert_eq!(told["duration"].as_f64().map(|x| x as f32), Some(clip.duration()));
    }
    let outside = found["skin"]["outside"].as_f64().expect("a share");
    assert!((0.0001..0.02).contains(&outside), "docs/coverage.md has 0.35 %: {outside}");
    let [parts_outside, parts_farthest] = ["parts_outside", "parts_farthest"]
        .map(|field| found["skin"][field].as_f64().expect("a share"));
    assert!((0.0..0.6).contains(&parts_outside), "{parts_outside}");
    assert!((0.0..0.05).contains(&parts_farthest), "{parts_farthest}");
    assert_eq!(found["warnings"].as_array().map(Vec::len), Some(loaded.warnings.len()));
}

#[test]
fn text_tells_the_same_as_json() {
    let files = [fighter(), level()];
    let words = ["inspect", text(&files[0]), text(&files[1])];
    let (told, found) = (printed(&words), objects(&words));
    for field in ["parts", "triangles", "nodes", "brushes", "entities"] {
        let value = found.iter().find_map(|object| object[field].as_u64()).expect(field);
        let line = told.lines().find(|line| line.trim_start().starts_with(field)).expect(field);
        assert!(
            line.split_whitespace().any(|word| word.trim_end_matches(',') == value.to_string()),
            "{line}"
        );
    }
}

#[test]
fn a_robot_has_actuators_with_limits() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    let [found] = &objects(&["inspect", text(&file)])[..] else { panic!("a line") };
    assert_eq!((&found["kind"], number(found, "boxes")), (&"robot".into(), 3));
    let told = found["actuators"].to_string();
    let of = |name: &str, limits: &str| format!(r#"{{"limits":{limits},"name":"{name}"}}"#);
    let all = [of("a", "[-3.0,3.0]"), of("b", "[-3.0,3.0]"), of("c", "null")].join(",");
    assert_eq!(told, format!("[{all}]"));
}

#[test]
fn a_level_has_the_brushes_that_the_library_says() {
    let [found] = &objects(&["inspect", text(&level())])[..] else { panic!("a line") };
    let options = load::MapOptions::quake();
    let loaded = load::map(level(), &options).expect("the level");
    assert_eq!(found["kind"], "level");
    assert_eq!(number(found, "brushes"), loaded.world.len());
    assert_eq!(number(found, "entities"), loaded.entities.len());
    assert_eq!(number(found, "starts"), 1);
    assert_eq!(found["warnings"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_refused_file_does_not_stop_the_others() {
    let folder = Folder::new();
    let broken = folder.write("broken.glb", b"glTF");
    let level = level();
    let words = ["inspect", text(&broken), text(&level)];
    let text_run = run(words);
    assert_eq!(text_run.status.code(), Some(1));
    let told = String::from_utf8_lossy(&text_run.stderr).into_owned();
    assert!(told.starts_with("boxwood: ") && told.contains("broken.glb"), "{told}");
    assert!(String::from_utf8_lossy(&text_run.stdout).contains("level.map: level"));
    let json_run = run(words.into_iter().chain(["--json"]));
    assert_eq!(json_run.status.code(), Some(1));
    let lines = String::from_utf8(json_run.stdout).expect("text");
    let lines: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0]["error"].as_str().expect("why").contains("broken.glb"));
    assert_eq!(lines[1]["kind"], "level");
}

#[test]
fn real_files_of_every_kind_are_told() {
    let files = [
        "characters/kaykit-knight/Knight.glb",
        "characters/cesium-man/CesiumMan.glb",
        "robots/panda/urdf/panda.urdf",
    ];
    for file in files {
        let Some(file) = data(file) else { return };
        let [found] = &objects(&["inspect", text(&file)])[..] else { panic!("a line") };
        assert!(
            number(found, "parts_with_geometry") > 5 && number(found, "triangles") > 1000,
            "{found}"
        );
    }
}

#[test]
fn all_lists_what_is_left_out_without_a_warning() {
    let folder = Folder::new();
    let robot = "<robot name='r'><material name='red'/><link name='a' colour='red'><inertial/><collision>\
        <geometry><box size='1 1 1'/></geometry></collision></link></robot>";
    let file = folder.write("robot.urdf", robot);
    let [plain] = &objects(&["inspect", text(&file)])[..] else { panic!("a line") };
    assert!(plain.get("harmless").is_none());
    let [all] = &objects(&["inspect", "--all", text(&file)])[..] else { panic!("a line") };
    let texts = |name: &str| -> Vec<String> {
        let list = all[name].as_array().expect("a list");
        list.iter().map(|text| text.as_str().expect("text").to_owned()).collect()
    };
    assert_eq!(texts("harmless"), ["<material> in <robot>, 1 x", "<inertial> in <link>, 1 x"]);
    let unknown = "URDF: colour in <link> is unknown and is left out";
    assert_eq!(texts("warnings"), [unknown]);
}
