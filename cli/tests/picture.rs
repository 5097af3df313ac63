//! Tests of `picture`: SVG files with the boxes, and their poses.

use std::fs;
use std::path::Path;

use crate::tool::{BARS, Folder, baked_fighter, data, level, objects, printed, refused, text};

/// Draws, and returns the picture.
fn drawn(folder: &Folder, words: &[&str]) -> String {
    let out = folder.path("out.svg");
    let _ = fs::remove_file(&out);
    printed(&[&["picture"][..], words, &["-o", text(&out)]].concat());
    let svg = fs::read_to_string(&out).expect("a picture");
    let document = roxmltree::Document::parse(&svg).expect("XML");
    assert!(document.root_element().has_tag_name("svg"));
    svg
}

/// Corners of all filled faces.
fn corners(svg: &str) -> Vec<[f32; 2]> {
    let document = roxmltree::Document::parse(svg).expect("XML");
    let faces = document.descendants().filter(|node| {
        node.attribute("class").is_some_and(|class| class.starts_with('c') && class.len() > 3)
    });
    let points = |path: &str| -> Vec<[f32; 2]> {
        let words = path.trim_start_matches('M').trim_end_matches('Z').split('L');
        let number = |word: &str| word.parse::<f32>().expect("a number");
        let point = |pair: &str| pair.split_once(' ').map(|(x, y)| [number(x), number(y)]);
        words.map(|pair| point(pair).expect("two numbers")).collect()
    };
    faces.flat_map(|node| points(node.attribute("d").expect("a path"))).collect()
}

#[test]
fn all_boxes_are_in_the_picture_and_inside_it() {
    let folder = Folder::new();
    let file = baked_fighter();
    let out = folder.path("out.svg");
    for depth in ["0", "2"] {
        let words = ["picture", text(&file), "-o", text(&out), "--depth", depth];
        let found = &objects(&words)[0];
        let boxes = found["boxes"].as_u64().expect("a count");
        let svg = fs::read_to_string(&out).expect("a picture");
        assert_eq!(found["bytes"].as_u64(), Some(svg.len() as u64));
        // Each box shows two or three faces, of which some are cut.
        let faces = svg.matches("<path class=\"c").count() as u64;
        assert!(faces >= 2 * boxes && faces < 30 * boxes, "{faces} faces of {boxes} boxes");
        let corners = corners(&svg);
        assert!(
            corners.iter().all(|[x, y]| (0.0..=960.0).contains(x) && (40.0..=720.0).contains(y))
        );
        let width = corners.iter().map(|[x, _]| *x).fold(f32::MIN, f32::max)
            - corners.iter().map(|[x, _]| *x).fold(f32::MAX, f32::min);
        let height = corners.iter().map(|[_, y]| *y).fold(f32::MIN, f32::max)
            - corners.iter().map(|[_, y]| *y).fold(f32::MAX, f32::min);
        assert!(width > 400.0 || height > 400.0, "{width} {height}");
        assert!(svg.contains("prefers-color-scheme:dark") && svg.contains("class=\"shadow\""));
        assert!(svg.contains(&format!("boxes at depth {depth} of the trees")), "the title");
    }
    let by_alias = printed(&["picture", text(&file), "--out", text(&out)]);
    assert!(by_alias.contains("out.svg: ") && by_alias.contains(" boxes at depth 3"), "{by_alias}");
}

#[test]
fn clips_and_values_pose_what_is_drawn() {
    let folder = Folder::new();
    let file = baked_fighter();
    let file = text(&file);
    let still = drawn(&folder, &[file]);
    let kick = |time: &str| drawn(&folder, &[file, "--clip", "k?ck", "--time", time]);
    let (start, later) = (kick("0"), kick("0.5"));
    assert!(start != later && later != still && later.contains("fighter.baked, kick at 0.5 s"));
    assert_eq!(drawn(&folder, &[file, "--clip", "kick"]), start);
    let robot = folder.write("bars.urdf", BARS);
    let robot = text(&robot);
    let bars = |flags: &[&str]| drawn(&folder, &[&[robot][..], flags].concat());
    assert!(bars(&[]) != bars(&["--values", "1,0,0"]));
    assert!(corners(&bars(&["--values", "-1,0,0"])) == corners(&bars(&["--values", "a=-1"])));
    assert!(bars(&["--eye", "0,0,1"]) != bars(&["--eye", "0,0,-1"]));
    assert!(bars(&["--up", "y"]) != bars(&[]) && bars(&["--up", "z"]) == bars(&[]));
    let baked = folder.path("bars.box");
    printed(&["bake", robot, "-o", text(&baked)]);
    assert!(corners(&drawn(&folder, &[text(&baked)])) == corners(&bars(&[])));
}

/// The nearer of two bars hides the other, and of two that cross each is in front at one side.
#[test]
fn nearer_faces_are_drawn_later() {
    let folder = Folder::new();
    let link = |name: &str, xyz: &str, size: &str| {
        format!(
            "<link name='{name}'><collision><origin xyz='{xyz}'/><geometry><box size='{size}'/>\
             </geometry></collision></link>"
        )
    };
    let joint = "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>";
    let robot = |a: String, b: String| {
        folder.write("two.urdf", format!("<robot name='r'>{a}{b}{joint}</robot>"))
    };
    let order = |file: &Path| -> Vec<char> {
        let svg = drawn(&folder, &[text(file), "--depth", "0", "--eye", "1,0,0"]);
        let faces = svg.split("<path class=\"c").skip(1);
        faces.filter_map(|face| face.chars().next()).collect()
    };
    // Looking along -x: the bar at x = 1 is nearer, whichever is first in the file.
    let at = |name: &str, x: &str| link(name, &format!("{x} 0 0"), "0.1 1 1");
    assert_eq!(order(&robot(at("a", "0"), at("b", "1"))), ['0', '1']);
    assert_eq!(order(&robot(at("a", "1"), at("b", "0"))), ['1', '0']);
    // Crossed bars seen from a corner: faces of one are cut by those of the other.
    let crossed = robot(link("a", "0 0 0", "2 0.2 0.2"), link("b", "0 0 0", "0.2 2 0.2"));
    let svg = drawn(&folder, &[text(&crossed), "--depth", "0"]);
    assert!(svg.matches("<path class=\"c").count() > 6, "{svg}");
}

/// Number of faces of a picture in a colour: 0 for brushes that do not move.
fn colored(svg: &str, color: usize) -> usize {
    svg.matches(&format!("<path class=\"c{color}s")).count()
}

#[test]
fn levels_are_drawn_by_their_brushes() {
    let folder = Folder::new();
    let level = level();
    let whole = drawn(&folder, &[text(&level)]);
    let out = folder.path("out.svg");
    let words = ["picture", text(&level), "-o", text(&out)];
    let found = &objects(&words)[0];
    let brushes = found["brushes"].as_u64().expect("a count");
    assert!(brushes > 20 && found["boxes"] == 0 && found["depth"].is_null(), "{found}");
    assert!(colored(&whole, 0) as u64 > brushes, "each brush shows a face at least");
    assert!(whole.contains(&format!("level.map: {brushes} brushes")), "the title");
    assert!(!whole.contains("class=\"shadow\""), "a level stands on nothing");
    let told = printed(&words);
    assert!(told.ends_with(&format!(", {brushes} brushes\n")), "{told}");
    // A cut leaves out what is above, and shortens what it passes through.
    let cut = |at: &str| drawn(&folder, &[text(&level), "--cut", at, "--eye", "1,0,0"]);
    let height = |svg: &str| {
        let corners = corners(svg);
        let along = |axis: usize| {
            let values = || corners.iter().map(move |corner| corner[axis]);
            values().fold(f32::MIN, f32::max) - values().fold(f32::MAX, f32::min)
        };
        along(1) / along(0)
    };
    let (low, high) = (cut("0.5"), cut("1"));
    // The floor is half a metre thick, and its top is at 0.
    let ratio = height(&high) / height(&low);
    assert!((ratio - 1.5).abs() < 0.02, "{ratio}");
    assert!(low.contains("level.map, below 0.5 m: "));
    assert_eq!(cut("100").len(), drawn(&folder, &[text(&level), "--eye", "1,0,0"]).len() + 13);
    // A door has another colour than the walls.
    let face = |points: &str| format!("{points} plain 0 0 0 1 1\n");
    let faces = [
        "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )",
        "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 )",
        "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 )",
        "( 64 32 32 ) ( 64 32 0 ) ( 64 0 32 )",
        "( 64 32 32 ) ( 0 32 32 ) ( 64 32 0 )",
        "( 64 32 32 ) ( 64 0 32 ) ( 0 32 32 )",
    ];
    let block = faces.map(face).concat();
    let door = format!(
        "{{ \"classname\" \"worldspawn\" }} {{ \"classname\" \"func_door\"\n{{ {block} }} }}"
    );
    let map = folder.write("door.map", door);
    let svg = drawn(&folder, &[text(&map)]);
    assert_eq!((colored(&svg, 0), colored(&svg, 1)), (0, 3));
}

#[test]
fn flags_of_other_files_are_refused_for_levels_and_the_other_way() {
    let folder = Folder::new();
    let (level, out) = (level(), folder.path("out.svg"));
    for flags in [
        &["--depth", "2"][..],
        &["--clip", "walk"],
        &["--values", "1"],
        &["--visual"],
        &["--allow-empty"],
        &["--scale", "2"],
        &["--planes", "2"],
        &["--cut", "nan"],
        &["--cut", "1e300"],
    ] {
        let told =
            refused(2, &[&["picture", text(&level)][..], flags, &["-o", text(&out)]].concat());
        assert!(told.contains(flags[0]), "{told}");
    }
    let robot = folder.write("bars.urdf", BARS);
    let told = refused(2, &["picture", text(&robot), "--cut", "1", "-o", text(&out)]);
    assert!(told.contains("--cut requires a level"), "{told}");
    let told = refused(1, &["picture", text(&level), "--cut=-90", "-o", text(&out)]);
    assert!(told.contains("nothing is below --cut"), "{told}");
    let empty = folder.write("empty.map", r#"{ "classname" "worldspawn" }"#);
    let told = refused(1, &["picture", text(&empty), "-o", text(&out)]);
    assert!(told.contains("empty.map: the level has no brushes"), "{told}");
    assert!(!out.exists());
}

#[test]
fn what_can_not_be_drawn_is_refused() {
    let folder = Folder::new();
    let (file, out) = (baked_fighter(), folder.path("out.svg"));
    let robot = folder.write("bars.urdf", BARS);
    let (file, robot, out) = (text(&file), text(&robot), text(&out));
    for words in [
        &[robot, "--clip", "walk"][..],
        &[file, "--values", "1"],
        &[file, "--time", "1"],
        &[file, "--clip", "kick", "--time", "nan"],
        &[robot, "--values", "1,2"],
        &[robot, "--values", "9,0,0"],
        &[robot, "--values", "a=x"],
        &[robot, "--values", "elbow=1"],
        &[robot, "--values", "a=1,2,3"],
        &[robot, "--eye", "0,0,0"],
        &[robot, "--depth", "-1"],
    ] {
        refused(2, &[&["picture"][..], words, &["-o", out]].concat());
    }
    let told = refused(2, &["picture", robot, "-o", out, "--values", "elbow=1"]);
    assert!(told.contains("no actuator is called 'elbow'"), "{told}");
    refused(2, &["picture", robot, "-o", robot]);
    refused(2, &["picture", robot]);
    let told = refused(1, &["picture", file, "-o", out, "--clip", "fly"]);
    assert!(told.contains("fighter.baked") && told.contains("kick"), "{told}");
    let told = refused(1, &["picture", "nothing.glb", "-o", out]);
    assert!(told.contains("nothing.glb"), "{told}");
    let nowhere = folder.path("no/folder/out.svg");
    refused(1, &["picture", robot, "-o", text(&nowhere)]);
    assert!(!Path::new(out).exists());
}

#[test]
fn real_files_are_drawn_at_their_leaves() {
    for file in ["characters/kaykit-knight/Knight.glb", "robots/panda/urdf/panda.urdf"] {
        let Some(file) = data(file) else { return };
        let folder = Folder::new();
        assert!(drawn(&folder, &[text(&file), "--depth", "4"]).len() > 10_000);
    }
    let Some(map) = data("levels/lq-e1m1/lq_e1m1.map") else { return };
    let folder = Folder::new();
    assert!(drawn(&folder, &[text(&map), "--cut", "3"]).len() > 100_000);
}
