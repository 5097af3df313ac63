//! Small maps: every rule of solidity, both formats, layers, keys, warnings.

use boxwood::Error;
use boxwood::load::{ClassRole, LevelWarning, MapOptions, TextureRole, map, map_bytes};
use boxwood::shape::UpAxis;

use super::{cuboid, cuboid_of, read};
use support::folder::Folder;
use support::prelude::*;

const LOW: [f64; 3] = [0.0; 3];
const HIGH: [f64; 3] = [64.0; 3];

/// Returns an entity of a class with keys and brushes.
fn entity(class: &str, keys: &str, brushes: &[String]) -> String {
    format!("{{\n\"classname\" \"{class}\"\n{keys}\n{}}}\n", brushes.concat())
}

/// Counts solid brushes, volumes, bodies and helpers of a map of one entity.
fn kinds(class: &str, textures: [&str; 6]) -> [usize; 4] {
    let level = read(&entity(class, "", &[cuboid_of(LOW, HIGH, textures)]));
    let helpers = level.warnings.iter().map(|warning| match warning {
        LevelWarning::Helpers { brushes } => *brushes,
        _ => 0,
    });
    let solid = level.entities.iter().map(|entity| entity.brushes.len());
    [solid.sum(), level.volumes.len(), level.bodies().count(), helpers.sum()]
}

#[test]
fn classes_and_textures_decide_what_is_solid() {
    let (solid, body, volume, helper) = ([1, 0, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]);
    let mixed = |some| [some, "wall", "wall", "wall", "wall", "wall"];
    let skipped = |some| [some, "skip", "skip", "skip", "SKIP", "skip"];
    for class in ["worldspawn", "func_group", "func_detail", "func_detail_wall"] {
        assert_eq!(kinds(class, ["wall"; 6]), solid);
        assert_eq!(kinds(class, ["*water1"; 6]), volume);
        assert_eq!(kinds(class, skipped("*slime")), volume);
        assert_eq!(kinds(class, mixed("*lava")), solid);
    }
    for class in ["func_door", "func_wall", "func_train", "ice"] {
        assert_eq!(kinds(class, ["wall"; 6]), body);
        assert_eq!(kinds(class, skipped("*tele")), body);
        assert_eq!(kinds(class, ["origin"; 6]), helper);
    }
    for class in ["trigger_once", "func_illusionary", "func_detail_illusionary"] {
        assert_eq!(kinds(class, ["trigger"; 6]), volume);
        assert_eq!(kinds(class, mixed("clip")), volume);
    }
    assert_eq!(kinds("worldspawn", skipped("hint")), helper);
    assert_eq!(kinds("worldspawn", mixed("hintskip")), helper);
    assert_eq!(kinds("worldspawn", ["clip"; 6]), solid);
    assert_eq!(kinds("worldspawn", ["common/Clip"; 6]), solid);
    assert_eq!(kinds("worldspawn", ["skip"; 6]), solid);
}

#[test]
fn rules_of_the_caller_override_those_of_quake() {
    let brushes = [cuboid(LOW, HIGH, "lib/Ladder"), cuboid(LOW, HIGH, "stone")];
    let text = entity("func_water", "", &brushes) + &entity("prop", "", &brushes);
    let options = MapOptions::quake()
        .class("FUNC_WATER", ClassRole::World)
        .class("prop", ClassRole::Omit)
        .texture("ladder", TextureRole::Volume);
    let level = map_bytes(text.as_bytes(), &options).expect("a level");
    assert_eq!((level.volumes.len(), level.bodies().count()), (1, 0));
    assert_eq!((&*level.volumes[0].texture, level.volumes[0].entity), ("lib/Ladder", 0));
    let counts: Vec<usize> = level.entities.iter().map(|entity| entity.brushes.len()).collect();
    assert_eq!(counts, [1, 0]);
    // The last rule decides.
    let options = options.class("prop", ClassRole::Body);
    let level = map_bytes(text.as_bytes(), &options).expect("a level");
    assert_eq!(level.bodies().map(|(_, entity)| entity.brushes.len()).collect::<Vec<_>>(), [2]);
}

/// A ramp of five faces with comments, Valve 220 axes, a signed zero, exponents and tabs.
const RAMP: &str = r#"// Game: Quake
// Format: Valve
{ // entity 0
"classname" "worldspawn"
"wad" "C:\quake\id.wad"
"message" "two\nlines {not a brace} // no comment"
// brush 0
{
( 384 704 32 ) ( 512 704 64 ) ( 512 576 64 ) floor [ 1 0 0 0 ] [ 0 -1 0 0 ] 0 1 1
( 384 576 32 ) ( 512 576 64 ) ( 5.12e2 576 32 ) wall [ 1 0 0 0 ] [ 0 0 -1 6.1e-17 ] 0 1 1
( 512 576 -0 )	( 512 704 0 ) ( 384 704 0 ) wall [ 1 0 0 0 ] [ 0 -1 0 0 ] 0 1 1
( 512 704 32 ) ( 512 704 64 ) ( 384 704 32 ) wall [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 1 1
( 512 576 64 ) ( 512 704 64 ) ( 512 704 32 ) wall [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1
( 384 576 0 ) ( 384 704 0 ) ( 384 704 32 ) "side wall" [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1
}
}
"#;

#[test]
fn valve_220_and_classic_formats_give_the_same_level() {
    let trigger = |text: &str| text.replace("worldspawn", "trigger_once");
    // A copy without texture axes, with carriage returns and a byte order mark.
    let mut classic = String::from("\u{feff}");
    for line in RAMP.lines() {
        match line.split_once(" [") {
            Some((face, _)) => classic += &format!("{face} 0 0 0 1 1\r\n"),
            None => classic += &format!("{line}\r\n"),
        }
    }
    // Quake II has three more numbers.
    let later = classic.replace(" 1 1\r", " 1 1 134217728 4 0\r");
    let levels = [RAMP, &classic, &later].map(|text| read(&trigger(text)));
    for level in &levels {
        assert_eq!(level.warnings, []);
        let [volume] = &level.volumes[..] else { panic!("{:?}", level.volumes) };
        assert_eq!(volume.brush, levels[0].volumes[0].brush);
        assert_eq!(volume.brush.volume(), 128.0 * 128.0 * 48.0);
        assert_eq!(volume.brush.planes().len(), 6);
        let entity = &level.entities[0];
        assert_eq!(entity.get("wad"), Some(r"C:\quake\id.wad"));
        assert_eq!(entity.get("message"), Some(r"two\nlines {not a brace} // no comment"));
        assert_eq!(entity.get("Wad"), None);
    }
    let world = read(RAMP);
    let textures: Vec<&str> = world.entities[0].brushes[0].textures.iter().map(|t| &**t).collect();
    assert_eq!(textures, ["floor", "wall", "wall", "wall", "wall", "side wall"]);
}

#[test]
fn points_numbers_and_frames_of_maps() {
    let keys =
        "\"origin\" \"64 -32 8\"\n\"angle\" \"90\"\n\"mangle\" \" 1 2  3 \"\n\"light\" \"x\"";
    let text = entity("info_player_start", keys, &[])
        + &entity("info_player_intermission", "\"origin\" \"1 2 3\"", &[])
        + &entity("spawn_player", "\"origin\" \"0.1 0 0\"", &[])
        + &entity("info_player_coop", "", &[]);
    for (up, expected) in [
        (UpAxis::X, [1.0, 8.0, -4.0]),
        (UpAxis::Y, [-4.0, 1.0, 8.0]),
        (UpAxis::Z, [8.0, -4.0, 1.0]),
    ] {
        let options = MapOptions::quake().up(up).scale(0.125);
        let level = map_bytes(text.as_bytes(), &options).expect("a level");
        let spawns: Vec<usize> = level.spawns().map(|spawn| spawn.index).collect();
        assert_eq!(spawns, [0, 2]);
        let start = &level.entities[0];
        assert_eq!(start.origin, Some(Point3::from(expected)));
        assert_eq!(start.vector("origin"), Some(Vector3::new(64.0, -32.0, 8.0)));
        assert_eq!(start.vector("mangle"), Some(Vector3::new(1.0, 2.0, 3.0)));
        assert_eq!((start.number("angle"), start.number("light")), (Some(90.0), None));
        assert_eq!(start.vector("angle"), None);
    }
}

#[test]
fn bodies_pivots_and_volumes_of_maps() {
    let door = [cuboid(LOW, HIGH, "wood"), cuboid([24.0; 3], [40.0; 3], "origin")];
    let water = entity("trigger_hurt", "", &[cuboid(LOW, [8.0, 16.0, 32.0], "trigger")]);
    let text = entity("worldspawn", "", &[cuboid(LOW, HIGH, "wall")])
        + &entity("func_door", "", &door)
        + &entity("func_plat", "", &door[..1])
        + &water;
    let options = MapOptions::quake().up(UpAxis::Y).scale(0.5);
    let level = map_bytes(text.as_bytes(), &options).expect("a level");
    let bodies: Vec<_> = level.bodies().collect();
    assert_eq!(bodies.len(), 2);
    assert_ne!(bodies[0].0, bodies[1].0);
    let pivot = bodies[0].1.pivot.expect("a pivot");
    assert!((pivot - Point3::new(16.0, 16.0, 16.0)).norm() < 1e-9);
    assert_eq!((bodies[1].1.pivot, level.entities[0].body), (None, None));
    assert_eq!(level.warnings, [LevelWarning::Helpers { brushes: 1 }]);
    // The map's (x, y, z) are the level's (z, x, y).
    let inside = |x, y, z| level.volumes_at(Point3::<f64>::new(x, y, z)).count();
    assert_eq!((inside(8.0, 16.0, 4.0), inside(4.0, 8.0, 16.0)), (1, 0));
    assert_eq!(level.entities[level.volumes[0].entity].class, "trigger_hurt");
}

#[test]
fn excluded_layers_are_omitted() {
    let brush = [cuboid(LOW, HIGH, "wall")];
    let layer = |id, more| format!("\"_tb_type\" \"_tb_layer\"\n\"_tb_id\" \"{id}\"\n{more}");
    let omit = "\"_tb_name\" \"spare\"\n\"_tb_layer_omit_from_export\" \"1\"";
    let text = entity("worldspawn", "", &brush)
        + &entity("func_wall", "\"_tb_layer\" \"1\"", &brush)
        + &entity("func_wall", "\"_tb_group\" \"3\"", &brush)
        + &entity("func_group", &layer("1", omit), &brush)
        + &entity("func_group", &layer("2", ""), &brush)
        + &entity("func_group", "\"_tb_id\" \"3\"\n\"_tb_layer\" \"1\"", &brush)
        + &entity("light", "\"_tb_layer\" \"2\"", &[])
        + &entity("light", "\"_tb_layer\" \"9\"", &[])
        + &entity("func_group", "\"_tb_id\" \"7\"\n\"_tb_group\" \"7\"", &[]);
    let level = read(&text);
    let kept: Vec<usize> = level.entities.iter().map(|entity| entity.index).collect();
    assert_eq!(kept, [0, 4, 6, 7, 8]);
    let warnings: Vec<String> = level.warnings.iter().map(|warning| warning.to_string()).collect();
    let expected = [
        "entity 7: the map has no layer or group '9'",
        "layer 'spare': left out, 4 entities, 4 brushes",
    ];
    assert_eq!(warnings, expected);
}

#[test]
fn warnings_name_line_and_cause() {
    let good = cuboid(LOW, HIGH, "wall");
    let faces: Vec<&str> = good.lines().collect();
    let line = good.replace("( 64 65 64 ) wall", "( 63 64 64 ) wall");
    let without = |count: usize| format!("{{\n{}\n}}\n", faces[1..1 + count].join("\n"));
    let twice = good.replacen("{\n", &format!("{{\n{}\n", faces[2]), 1);
    let nan = good.replacen("64", "nan", 1);
    let thin = cuboid(LOW, [1e-12, 64.0, 64.0], "wall");
    let inside_out = cuboid(HIGH, LOW, "wall");
    let brushes = [good.clone(), without(5), without(3), twice, nan, thin, inside_out, line];
    let text = entity("worldspawn", "\"a\" \"1\"\n\"a\" \"2\"", &brushes)
        + "{ \"origin\" \"1 2 inf\" }\n"
        + &entity("light", "\"origin\" \"1 2\"", &[]);
    let level = read(&text);
    assert_eq!(level.entities[0].brushes.len(), 2);
    assert_eq!(level.entities[0].get("a"), Some("2"));
    assert_eq!((&*level.entities[1].class, level.entities[1].origin), ("", None));
    let starts = [
        "entity 0: key 'a' repeats; the last value is used",
        "entity 1: it has no class",
        "entity 1: its origin '1 2 inf' is not three numbers of at most 2^30",
        "entity 2: its origin '1 2' is not three numbers of at most 2^30",
        "line 13: brush 1 of entity 0 (worldspawn): the brush is unbounded: the face of plane",
        "line 20: brush 2 of entity 0 (worldspawn): the brush has only 3 faces; it is left out",
        "line 25: brush 3 of entity 0 (worldspawn): faces that do not bound the brush are left out (1)",
        "line 34: brush 4 of entity 0 (worldspawn): face 1: NaN is not finite; it is left out",
        "line 42: brush 5 of entity 0 (worldspawn): the brush is ",
        "line 50: brush 6 of entity 0 (worldspawn): the brush is empty or too thin, at plane",
        "line 58: brush 7 of entity 0 (worldspawn): face 5: its three points are in a line;",
    ];
    assert_eq!(level.warnings.len(), starts.len());
    for (warning, start) in level.warnings.iter().zip(starts) {
        assert!(warning.to_string().starts_with(start), "'{warning}' is not '{start}'");
    }
}

#[test]
fn invalid_files_and_scales_are_refused() {
    let folder = Folder::new();
    let path = folder.path("nothing.map");
    let error = map(&path, &MapOptions::quake()).unwrap_err();
    assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
    assert!(matches!(map(folder.path(""), &MapOptions::quake()), Err(Error::File { .. })));
    let scaled = |scale| map_bytes(b"", &MapOptions::quake().scale(scale)).map(|_| ()).unwrap_err();
    assert_eq!(scaled(f64::NAN), Error::NotFinite { field: "scale", index: 0 });
    assert_eq!(scaled(-1.0), Error::Negative { field: "scale", index: 0 });
    assert!(matches!(scaled(1e30), Error::OutOfRange { field: "scale", .. }));
    assert!(matches!(scaled(0.0), Error::BadQuery { .. }));
    let level = map(folder.write("a.map", RAMP), &MapOptions::default()).expect("a level");
    assert_eq!(level.entities[0].brushes.len(), 1);
}

#[test]
fn quotes_within_values_are_read() {
    let value = |text: &[u8]| {
        let level = map_bytes(text, &MapOptions::quake()).expect("a level");
        assert_eq!(level.warnings, []);
        level.entities[0].get("message").map(str::to_owned)
    };
    let said = |value: &str| entity("worldspawn", &format!("\"message\" \"{value}\""), &[]);
    for (written, meant) in [
        (r#"say \"hi\" now"#, r#"say "hi" now"#),
        (r#"\"{\""#, r#""{""#),
        (r"c:\maps\", r"c:\maps\"),
        (r#"a \\\"b"#, r#"a \\"b"#),
        (r"line\nbreak", r"line\nbreak"),
    ] {
        assert_eq!(value(said(written).as_bytes()).as_deref(), Some(meant));
    }
    let latin: Vec<u8> = said("cafX").bytes().map(|b| if b == b'X' { 0xe9 } else { b }).collect();
    assert_eq!(value(&latin).as_deref(), Some("caf\u{e9}"));
    assert_eq!(value(format!("\u{feff}{}", said("a")).as_bytes()).as_deref(), Some("a"));
    if let Some(data) = support::data::data() {
        let bytes = std::fs::read(data.join("bugs/escaped_quotes.map")).expect("a file");
        assert_eq!(value(&bytes).as_deref(), Some(r#"say "hi" now"#));
        let level = map_bytes(&bytes, &MapOptions::quake()).expect("a level");
        let id = level.entities[0].brushes[0].id;
        let bounds = level.world.brush(id).expect("a brush").aabb();
        let low = Point3::new(-64.0, -64.0, -16.0);
        let high = Point3::new(64.0, 64.0, 0.0);
        assert!((bounds.min - low).norm() < 1e-6 && (bounds.max - high).norm() < 1e-6);
    }
}

#[test]
fn brushes_of_many_sides_are_read() {
    let Some(data) = support::data::data() else { return };
    let bytes = std::fs::read(data.join("bugs/many_sides.map")).expect("a file");
    let level = map_bytes(&bytes, &MapOptions::quake()).expect("a level");
    assert_eq!(level.warnings, []);
    let brush = level.world.brush(level.entities[0].brushes[0].id).expect("a brush");
    assert_eq!(brush.faces().count(), 302);
    assert!((brush.volume() - 52_709_105.28).abs() < 0.01, "{}", brush.volume());
}
