//! Tests of `walk`: a path on the level, tick by tick.

use boxwood::load::{self, MapOptions};
use boxwood::shape::UprightCylinder;

use crate::tool::{Folder, data, level, objects, printed, refused, text};

fn path(of: &serde_json::Value) -> Vec<[f64; 3]> {
    let points = of["path"].as_array().expect("a path").iter();
    points.map(|point| [0, 1, 2].map(|axis| point[axis].as_f64().expect("a number"))).collect()
}

#[test]
fn the_path_is_as_long_as_told_and_nowhere_in_a_brush() {
    let level = level();
    let found = objects(&["walk", text(&level), "--frames", "900"]);
    let [found] = &found[..] else { panic!("a line") };
    let points = path(found);
    assert_eq!((points.len(), &found["frames"]), (901, &900.into()));
    let step =
        |pair: &[[f64; 3]]| (0..3).map(|i| (pair[1][i] - pair[0][i]).powi(2)).sum::<f64>().sqrt();
    let length: f64 = points.windows(2).map(step).sum();
    assert!((length - found["length"].as_f64().expect("metres")).abs() < 1e-9 && length > 10.0);
    // A slightly smaller cylinder must fit into the freshly loaded level at every tick.
    let world = load::map(&level, &MapOptions::quake().scale(1.0 / 32.0)).expect("the level").world;
    let cylinder = UprightCylinder::new(0.4999, 0.8749).expect("a cylinder");
    for point in &points {
        let free = world.cast_cylinder(
            &cylinder,
            (*point).into(),
            [0.0, 0.0, 1e-9].into(),
            &Default::default(),
        );
        assert!(free.expect("a cast").is_none_or(|hit| hit.time_of_impact > 0.0), "{point:?}");
    }
}

#[test]
fn text_and_seeds_and_places() {
    let level = level();
    let told = printed(&["walk", text(&level), "--frames", "60", "--path"]);
    assert_eq!(told.lines().count(), 61 + 3);
    assert!(told.contains("solid brushes") && told.contains("walk: 60 frames"), "{told}");
    let end = |seed: &str| {
        path(&objects(&["walk", text(&level), "--frames", "300", "--seed", seed])[0])[300]
    };
    assert!(end("1") != end("2"));
    let from = objects(&["walk", text(&level), "--frames", "5", "--from", "10,-0.2,0.9"]);
    let start = path(&from[0])[0];
    assert!((start[0] - 10.0).abs() < 1.0 && start[1] > 0.4, "pushed out of the curb: {start:?}");
}

#[test]
fn a_map_without_a_start_or_with_a_bad_one_is_refused() {
    let folder = Folder::new();
    let map = folder.write("empty.map", r#"{ "classname" "worldspawn" }"#);
    let told = refused(1, &["walk", text(&map)]);
    assert!(told.contains("empty.map") && told.contains("--from"), "{told}");
    let level = level();
    for flags in [["--from", "1,2"], ["--from", "1,2,nan"], ["--frames", "0"], ["--scale", "-1"]] {
        refused(2, &[&["walk", text(&level)][..], &flags].concat());
    }
    // Positions so far away that no answer is exact, and a scale that moves the level there.
    for flags in [["--from", "1e300,0,0"], ["--scale", "1e6"]] {
        let run = crate::tool::run([&["walk", text(&level)][..], &flags].concat());
        assert!(matches!(run.status.code(), Some(0 | 1)), "{flags:?}");
    }
}

#[test]
fn a_real_level_is_walked() {
    let Some(map) = data("levels") else { return };
    let mut maps: Vec<_> = walkdir(&map);
    maps.sort();
    let map = maps.first().expect("a map");
    let found = objects(&["walk", text(map), "--frames", "300"]);
    assert!(found[0]["brushes"].as_u64() > Some(10) && found[0]["length"].as_f64() > Some(1.0));
}

/// Maps in the folders below.
fn walkdir(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let below = |folder: &std::path::Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.filter_map(|entry| Some(entry.ok()?.path())).collect::<Vec<_>>()
    };
    let files = below(folder).into_iter().flat_map(|folder| below(&folder));
    files.filter(|file| file.extension().is_some_and(|end| end == "map")).collect()
}
