//! The levels of the data folder: their counts against those of another reader.

use std::collections::BTreeMap;
use std::path::PathBuf;

use boxwood::brush::BrushFilter;
use boxwood::f64::{Aabb, UprightCylinder};
use boxwood::load::{ClassRole, Level, LevelWarning, MapOptions, NamePattern, map, map_bytes};
use boxwood::shape::UpAxis;

use support::data::data;
use support::prelude::*;

/// Counts of a level with Quake's rules.
struct Counts {
    file: &'static str,
    entities: usize,
    /// All brushes and faces of the map, solid or not.
    brushes: usize,
    faces: usize,
    solid: usize,
    volumes: usize,
    helpers: usize,
    /// Brushes of omitted layers.
    omitted: usize,
    bodies: usize,
    spawns: usize,
    classes: &'static [(&'static str, usize)],
    bounds: [[f64; 3]; 2],
}

/// Counts from the READMEs beside the maps; solid brushes, volumes and bodies by a script of 40
/// lines that shares no code with the loader.
const LEVELS: [Counts; 4] = [
    Counts {
        file: "lq-slope/slope.map",
        entities: 4,
        brushes: 103,
        faces: 602,
        solid: 103,
        volumes: 0,
        helpers: 0,
        omitted: 0,
        bodies: 0,
        spawns: 2,
        classes: &[("worldspawn", 1), ("func_detail_wall", 1)],
        bounds: [[-4096.0, -4096.0, -32.0], [4096.0, 4096.0, 1568.0]],
    },
    Counts {
        file: "ahoy-playground/playground.map",
        entities: 124,
        brushes: 288,
        faces: 1766,
        solid: 267,
        volumes: 8,
        helpers: 13,
        omitted: 0,
        bodies: 5,
        spawns: 1,
        classes: &[
            ("ice", 18),
            ("func_group", 17),
            ("water", 8),
            ("func_train", 5),
            ("worldspawn", 1),
        ],
        bounds: [[-1824.0, -6384.0, 160.0], [1920.0, 5360.0, 2112.0]],
    },
    Counts {
        file: "lq-dm3/lqdm3.map",
        entities: 347,
        brushes: 2191,
        faces: 13126,
        solid: 2166,
        volumes: 25,
        helpers: 0,
        omitted: 0,
        bodies: 2,
        spawns: 11,
        classes: &[
            ("func_detail", 159),
            ("func_detail_illusionary", 19),
            ("func_group", 12),
            ("trigger_push", 3),
            ("func_detail_wall", 3),
            ("func_door", 2),
            ("worldspawn", 1),
            ("trigger_multiple", 1),
            ("trigger_hurt", 1),
        ],
        bounds: [[-3816.0, -640.0, -896.0], [2340.0, 4096.0, 704.0]],
    },
    Counts {
        file: "lq-e1m1/lq_e1m1.map",
        entities: 1587,
        brushes: 3926,
        faces: 24336,
        solid: 3799,
        volumes: 120,
        helpers: 2,
        omitted: 5,
        bodies: 96,
        spawns: 12,
        classes: &[
            ("func_detail_wall", 391),
            ("func_detail", 146),
            ("func_wall", 39),
            ("func_door", 36),
            ("func_illusionary", 35),
            ("func_group", 34),
            ("func_detail_illusionary", 21),
            ("func_button", 12),
            ("trigger_once", 10),
            ("func_door_secret", 8),
            ("trigger_secret", 6),
            ("trigger_changelevel", 2),
        ],
        bounds: [[-2656.0, -2672.0, -576.0], [3660.0, 3616.0, 1088.0]],
    },
];

/// Returns Quake's rules, and the roles of the classes of `playground.map` in its game.
fn options() -> MapOptions {
    MapOptions::quake().class("ice", ClassRole::World).class("water", ClassRole::Volume)
}

fn path(file: &str) -> Option<PathBuf> {
    data().map(|data| data.join("levels").join(file))
}

/// Loads all brushes with those options, of any class, texture and layer.
fn all_brushes(file: &str, options: MapOptions) -> Option<Level> {
    let text = std::fs::read_to_string(path(file)?).expect("a map");
    let text = text.replace("\"_tb_layer_omit_from_export\" \"1\"", "");
    Some(map_bytes(text.as_bytes(), &options).expect("a level"))
}

#[test]
fn every_brush_is_valid_and_every_plane_is_a_face() {
    for counts in &LEVELS {
        let Some(level) = all_brushes(counts.file, MapOptions::plain()) else { return };
        assert_eq!(level.warnings, [], "{}", counts.file);
        let brushes = level.entities.iter().flat_map(|entity| &entity.brushes);
        let faces = brushes.clone().map(|brush| brush.textures.len()).sum::<usize>();
        assert_eq!((brushes.count(), faces), (counts.brushes, counts.faces), "{}", counts.file);
        let mut classes = BTreeMap::<&str, usize>::new();
        for entity in level.entities.iter().filter(|entity| !entity.brushes.is_empty()) {
            *classes.entry(&entity.class).or_default() += 1;
        }
        for &(class, count) in counts.classes {
            assert_eq!(classes.get(class), Some(&count), "{class} of {}", counts.file);
        }
    }
}

#[test]
fn counts_with_the_rules_of_quake() {
    for counts in &LEVELS {
        let Some(path) = path(counts.file) else { return };
        let level = map(path, &options()).expect("a level");
        let solid = level.entities.iter().map(|entity| entity.brushes.len()).sum::<usize>();
        let mut helpers = 0;
        let mut omitted = 0;
        for warning in &level.warnings {
            match warning {
                LevelWarning::Helpers { brushes } => helpers += brushes,
                LevelWarning::OmittedLayer { brushes, .. } => omitted += brushes,
                other => panic!("{}: {other}", counts.file),
            }
        }
        let found = [level.entities.len(), solid, level.volumes.len(), helpers, omitted];
        let expected =
            [counts.entities, counts.solid, counts.volumes, counts.helpers, counts.omitted];
        assert_eq!(found, expected, "{}", counts.file);
        assert_eq!(solid + level.volumes.len() + helpers + omitted, counts.brushes);
        let found = [level.bodies().count(), level.spawns().count()];
        assert_eq!(found, [counts.bodies, counts.spawns], "{}", counts.file);
    }
}

#[test]
fn bounds_and_up_axis_of_real_levels() {
    let every = || NamePattern::StartsWith(String::new());
    for counts in &LEVELS {
        for up in [UpAxis::X, UpAxis::Y, UpAxis::Z] {
            let options = MapOptions::plain().class(every(), ClassRole::Volume);
            let options = options.up(up).scale(0.25);
            let Some(level) = all_brushes(counts.file, options) else { return };
            assert_eq!(level.volumes.len(), counts.brushes);
            let corners = level.volumes.iter().flat_map(|volume| volume.brush.corners());
            let bounds = Aabb::from_points(corners);
            for (found, expected) in [bounds.min, bounds.max].into_iter().zip(counts.bounds) {
                let [x, y, z] = expected.map(|x| 0.25 * x);
                let expected = match up {
                    UpAxis::X => [z, x, y],
                    UpAxis::Y => [y, z, x],
                    UpAxis::Z => [x, y, z],
                };
                assert!((found - Point3::from(expected)).norm() < 1e-9, "{}", counts.file);
            }
        }
    }
}

/// Checks Quake's player: 56 high, its lowest point 24 below the origin; here lifted by one.
#[test]
fn every_spawn_is_free_and_has_ground_below() {
    let mut drops = Vec::new();
    for counts in &LEVELS {
        let Some(path) = path(counts.file) else { return };
        for (up, scale) in [(UpAxis::Z, 1.0), (UpAxis::Y, 1.0 / 32.0)] {
            let level = map(&path, &options().up(up).scale(scale)).expect("a level");
            let player = UprightCylinder::new(16.0 * scale, 28.0 * scale).expect("a cylinder");
            let above: Vector3<f64> = up.vector::<f64>().into_inner() * scale;
            for spawn in level.spawns() {
                let center = spawn.origin.expect("an origin") + above * 5.0;
                let (filter, mut found) = (BrushFilter::default(), Vec::new());
                level
                    .world
                    .overlaps_cylinder(&player, center, &filter, &mut found)
                    .expect("finite");
                assert_eq!(found, [], "{} of {}", spawn.index, counts.file);
                let way = above * -256.0;
                let hit = level.world.cast_cylinder(&player, center, way, &filter);
                let hit = hit.expect("finite").expect("ground");
                assert!((hit.normal - up.vector::<f64>().into_inner()).norm() < 1e-9);
                drops.push((hit.time_of_impact * 256.0 - 1.0).round() as i64);
            }
        }
    }
    drops.sort_unstable();
    assert_eq!(drops, [[0; 46].as_slice(), &[32; 4], &[104; 2]].concat());
}
