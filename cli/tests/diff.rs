//! Tests of `diff`: tables of differences, and exit codes.

use serde_json::Value;

use crate::tool::{BARS, Folder, baked_fighter, data, fighter, printed, repository, run, text};

/// Runs a comparison; returns exit code, output and errors.
fn compared(words: &[&str]) -> (Option<i32>, String, String) {
    let done = run([&["diff"][..], words].concat());
    let [out, errors] =
        [done.stdout, done.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert!(!errors.contains("panicked"), "{errors}");
    (done.status.code(), out, errors)
}

/// Returns the differences as JSON, each as `kind name field a b`.
fn differences(a: &str, b: &str) -> Vec<String> {
    let (code, out, errors) = compared(&[a, b, "--json"]);
    assert_eq!(code, Some(1), "{errors}");
    let found: Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(found["equal"], false);
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let row = |row: &Value| {
        ["kind", "name", "only_in", "field", "a", "b"].map(|field| word(&row[field])).join(" ")
    };
    found["differences"].as_array().expect("differences").iter().map(row).collect()
}

#[test]
fn a_file_equals_itself_baked() {
    let folder = Folder::new();
    let bars = folder.write("bars.urdf", BARS);
    let out = folder.path("bars.box");
    printed(&["bake", text(&bars), "-o", text(&out)]);
    let (fighter, baked) = (fighter(), baked_fighter());
    for [a, b] in [[&bars, &out], [&bars, &bars], [&fighter, &baked]] {
        let (code, told, errors) = compared(&[text(a), text(b)]);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{told}");
        assert!(told.ends_with(" are equal\n"), "{told}");
        let (code, told, _) = compared(&[text(a), text(b), "--json"]);
        let found: Value = serde_json::from_str(&told).expect("an object");
        assert_eq!((code, &found["equal"]), (Some(0), &true.into()));
    }
}

#[test]
fn every_change_of_a_robot_is_a_line() {
    let folder = Folder::new();
    let a = folder.write("a.urdf", BARS);
    let other = |from: &str, to: &str| {
        assert!(BARS.contains(from));
        folder.write("b.urdf", BARS.replacen(from, to, 1))
    };
    // Limits, axis, origin of a joint, size of a box, name of a link.
    for (from, to, expected) in [
        ("lower=\"-3\"", "lower=\"-2.5\"", "actuator a - limits -3 to 3 -2.5 to 3"),
        ("0 0 1\"/><limit", "0 1 0\"/><limit", "link left - axis 0 0 1 0 1 0"),
        ("<origin xyz=\"0.5 0 0\"/><axis", "<origin xyz=\"0.6 0 0\"/><axis", "link right - origin"),
        (
            "1 0.1 0.1",
            "1.5 0.1 0.1",
            "part left - root box half extents 0.5 0.05 0.05 0.75 0.05 0.05",
        ),
        (
            "<link name=\"post\"/>",
            "<link name=\"post\"/><link name=\"new\"/>\
          <joint name=\"n\" type=\"fixed\"><parent link=\"post\"/><child link=\"new\"/></joint>",
            "part new b - - -",
        ),
        ("type=\"continuous\"", "type=\"fixed\"", "actuator c a - - -"),
        (
            "<geometry><box size=\"1 1 1\"/></geometry>",
            "<geometry><sphere radius=\"1\"/></geometry>",
            "part lamp - tree fingerprint",
        ),
    ] {
        let b = other(from, to);
        let found = differences(text(&a), text(&b));
        assert!(found.iter().any(|row| row.starts_with(expected)), "{expected}: {found:#?}");
        // Seen from the other side the same things are different.
        assert_eq!(differences(text(&b), text(&a)).len(), found.len());
    }
    let pair = r#"<disable_collisions link1="left" link2="right" reason="Never"/>"#;
    let srdf = folder.write("bars.srdf", format!("<robot name=\"bars\">{pair}</robot>"));
    let b = folder.path("b.box");
    printed(&["bake", text(&a), "--srdf", text(&srdf), "-o", text(&b)]);
    let found = differences(text(&a), text(&b));
    assert!(found.contains(&"pair left - right b - - -".to_owned()), "{found:#?}");
    assert_eq!(found.len(), 2, "also the fingerprint: {found:#?}");
}

#[test]
fn the_table_has_a_column_for_each_file() {
    let folder = Folder::new();
    let a = folder.write("a.urdf", BARS);
    let b = folder.write(
        "b.urdf",
        BARS.replace("name=\"lamp\"", "name=\"light\"").replace("link=\"lamp\"", "link=\"light\""),
    );
    let (code, told, errors) = compared(&[text(&a), text(&b)]);
    assert_eq!((code, errors.as_str()), (Some(1), ""));
    let lines: Vec<&str> = told.lines().collect();
    let [left, right] = [text(&a), text(&b)].map(|file| lines[0].find(file).expect("its column"));
    let row = |what: &str| lines.iter().find(|line| line.starts_with(what)).expect("a row");
    assert_eq!(&row("part lamp ")[left..left + 5], "there");
    assert_eq!(&row("part lamp ")[right..], "-");
    assert_eq!(&row("part light ")[right..], "there");
    assert!(row("file fingerprint").len() > right);
    assert!(lines.last().is_some_and(|line| line.ends_with(" differences")), "{told}");
}

#[test]
fn characters_with_other_clips_differ() {
    let folder = Folder::new();
    let bytes = std::fs::read(fighter()).expect("the fighter");
    // A name inside the file, of the same length.
    let at = bytes.windows(6).position(|word| word == b"\"kick\"").expect("its clip");
    let mut other = bytes.clone();
    other[at + 1] = b'p';
    let b = folder.write("other.glb", other);
    let found = differences(text(&fighter()), text(&b));
    assert_eq!(found, ["clip kick a - - -", "clip pick b - - -"]);
    // One bit of the last number of the buffer: a key of a clip, or a corner.
    let mut other = bytes;
    let last = other.len() - 3;
    other[last] ^= 1;
    let b = folder.write("other.glb", other);
    assert!(!differences(text(&fighter()), text(&b)).is_empty());
}

#[test]
fn refused_files_and_wrong_words_are_no_difference() {
    let (fighter, folder) = (fighter(), Folder::new());
    let notes = folder.write("notes.txt", "x");
    let level = folder.write("broken.map", "{ ( 0 0 0 ) ( 1 0");
    for file in ["nothing.glb", "nothing.map", text(&notes), text(&level)] {
        for words in [[text(&fighter), file], [file, text(&fighter)]] {
            let (code, out, errors) = compared(&words);
            assert_eq!((code, out.as_str(), errors.lines().count()), (Some(2), "", 1), "{errors}");
            assert!(errors.contains(file), "{errors}");
        }
    }
    for words in [&[text(&fighter)][..], &["-", "-"], &[]] {
        assert_eq!(compared(words).0, Some(2));
    }
    // A character and a robot have little in common.
    let bars = folder.write("bars.urdf", BARS);
    let found = differences(text(&fighter), text(&bars));
    assert!(found.contains(&"file  - kind character robot".to_owned()), "{found:#?}");
    let found = differences(text(&bars), text(&level_file()));
    assert!(found.contains(&"file  - kind robot level".to_owned()), "{found:#?}");
}

/// A map of two blocks, a door, a trigger and two lights; `door` are the keys of the door.
fn hall(door: &str, lights: [&str; 2]) -> String {
    let block = |min: [i32; 3], max: [i32; 3], texture: &str| {
        let ([a, b, c], [x, y, z]) = (min, max);
        format!(
            "{{ ( {a} {b} {c} ) ( {a} {y} {c} ) ( {a} {b} {z} ) {texture} 0 0 0 1 1\n\
             ( {a} {b} {c} ) ( {a} {b} {z} ) ( {x} {b} {c} ) {texture} 0 0 0 1 1\n\
             ( {a} {b} {c} ) ( {x} {b} {c} ) ( {a} {y} {c} ) {texture} 0 0 0 1 1\n\
             ( {x} {y} {z} ) ( {x} {y} {c} ) ( {x} {b} {z} ) {texture} 0 0 0 1 1\n\
             ( {x} {y} {z} ) ( {a} {y} {z} ) ( {x} {y} {c} ) {texture} 0 0 0 1 1\n\
             ( {x} {y} {z} ) ( {x} {b} {z} ) ( {a} {y} {z} ) {texture} 0 0 0 1 1 }}\n"
        )
    };
    let [floor, wall] = [([0, 0, -16], [256, 256, 0]), ([0, 0, 0], [16, 256, 128])];
    let world = block(floor.0, floor.1, "stone") + &block(wall.0, wall.1, "brick");
    let lamp = lights.map(|at| format!("{{ \"classname\" \"light\" \"origin\" \"{at}\" }}\n"));
    format!(
        "{{ \"classname\" \"worldspawn\"\n{world}}}\n\
         {{ \"classname\" \"func_door\" {door}\n{}}}\n\
         {{ \"classname\" \"trigger_once\"\n{}}}\n{}",
        block([16, 100, 0], [32, 150, 96], "wood"),
        block([64, 64, 0], [96, 96, 32], "trigger"),
        lamp.concat()
    )
}

/// The level of the examples.
fn level_file() -> std::path::PathBuf {
    repository("examples/walk_brushes/level.map")
}

#[test]
fn every_change_of_a_level_is_a_line() {
    let folder = Folder::new();
    let lights = ["0 0 64", "128 0 64"];
    let door = "\"targetname\" \"gate\" \"speed\" \"100\"";
    let text_a = hall(door, lights);
    let a = folder.write("a.map", &text_a);
    for file in [&a, &level_file()] {
        let (code, told, errors) = compared(&[text(file), text(file)]);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{told}");
    }
    // All changes change the digest of the file; the others are exactly these.
    let changes = |name: &str, text_b: String| {
        let b = folder.write(name, text_b);
        let mut found = differences(text(&a), text(&b));
        assert_eq!(differences(text(&b), text(&a)).len(), found.len());
        assert!(found.iter().any(|row| row.starts_with("file  - digest ")), "{found:#?}");
        found.retain(|row| !row.starts_with("file  - digest "));
        found
    };
    let faster = hall(&door.replace("100", "250"), lights);
    assert_eq!(changes("b.map", faster), ["entity func_door gate - speed 100 250"]);
    let locked = hall(&format!("{door} \"key\" \"red\""), lights);
    assert_eq!(changes("b.map", locked), ["entity func_door gate - key - red"]);
    assert_eq!(
        changes("b.map", hall(door, ["0 0 64", "128 8 64"])),
        ["entity light at 128 0 64 a - - -", "entity light at 128 8 64 b - - -"]
    );
    // The others keep their names when one comes first.
    let more = "{ \"classname\" \"light\" \"origin\" \"9 9 9\" }\n";
    let of_door = "{ \"classname\" \"func_door\"";
    let found = changes("b.map", text_a.replace(of_door, &format!("{more}{of_door}")));
    assert_eq!(found, ["file  - entities 5 6", "entity light at 9 9 9 b - - -"]);
    let found = changes("b.map", text_a.replace("brick", "brick2"));
    assert_eq!(found.len(), 2, "{found:#?}");
    let wall = "brush worldspawn, 0 0 0 to 16 256 128";
    assert_eq!(found[0], format!("{wall} - textures brick brick2"));
    assert!(found[1].starts_with(&format!("{wall} - digest ")), "{found:#?}");
    let found = changes("b.map", text_a.replace("16 256 128", "16 256 160"));
    let higher = "brush worldspawn, 0 0 0 to 16 256 160";
    let expected = [format!("{wall} a - - -"), format!("{higher} b - - -")];
    assert!(found.ends_with(&expected), "{found:#?}");
    assert!(found[..found.len() - 2].iter().all(|row| row.starts_with("file  - arcs ")));
    let found = changes("b.map", text_a.replace("trigger_once", "trigger_many"));
    let extent = "64 64 0 to 96 96 32";
    let expected = [
        "entity trigger_once a - - -".to_owned(),
        format!("volume trigger_once, {extent} a - - -"),
        "entity trigger_many b - - -".to_owned(),
        format!("volume trigger_many, {extent} b - - -"),
    ];
    assert_eq!(found, expected);
    // The order of entities is the order of ids, which the digest alone shows.
    assert_eq!(changes("b.map", hall(door, [lights[1], lights[0]])), [""; 0]);
    // The second of two equal ones has a number.
    let twice = text_a.clone() + &more.replace("9 9 9", lights[0]);
    let found = changes("b.map", twice);
    assert_eq!(found, ["file  - entities 5 6", "entity light at 0 0 64 (2) b - - -"]);
}

#[test]
fn real_files_equal_themselves_baked() {
    for file in ["characters/kaykit-knight/Knight.glb", "robots/panda/urdf/panda.urdf"] {
        let Some(file) = data(file) else { return };
        let folder = Folder::new();
        let out = folder.path("again.baked");
        printed(&["bake", text(&file), "-o", text(&out)]);
        let (code, told, _) = compared(&[text(&file), text(&out)]);
        assert_eq!(code, Some(0), "{told}");
    }
}

/// A hand of MJCF: its masks let no two of its links touch, and a pair does.
const HAND: &str = "<mujoco><worldbody><body name='palm'><geom name='p' size='.1' conaffinity='0'/>\
    <body name='thumb' pos='0 0 .3'><joint name='t' axis='1 0 0' range='-90 90'/>\
    <geom name='t' size='.1' conaffinity='0'/></body><body name='ring' pos='0 .1 .3'>\
    <joint name='r' axis='1 0 0' range='-90 90'/><geom name='r' size='.1' conaffinity='0'/></body>\
    </body></worldbody><contact><pair geom1='t' geom2='r'/></contact></mujoco>";

#[test]
fn pairs_of_geoms_are_rules_and_count_as_tested() {
    let folder = Folder::new();
    let with = folder.write("with.xml", HAND);
    let without = HAND.replace("<pair geom1='t' geom2='r'/>", "");
    let without = folder.write("without.xml", without.as_str());
    let found = differences(text(&with), text(&without));
    assert_eq!(found[1..], ["pair thumb - ring a - - -"], "{found:?}");
    for (file, tested) in [(&with, "1 of 3"), (&without, "0 of 3")] {
        let told = printed(&["check", text(file), "--samples", "10"]);
        let line = told.lines().find(|line| line.starts_with("pairs tested"));
        assert!(line.is_some_and(|line| line.ends_with(tested)), "{told}");
    }
}
