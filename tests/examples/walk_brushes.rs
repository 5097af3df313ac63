//! The example that walks through brushes: its ways by formulas, its level as a map, its pictures.

use boxwood::brush::Expansion;
use boxwood::load::{self, MapOptions};

use crate::corners::{self, MOVERS, Mover, RADIUS, SKIN};
use crate::{barriers, level, overshoot, tour, walks};

#[test]
fn the_ways_round_corners_have_the_lengths_of_the_formulas() {
    let corners = corners::corners();
    for (corner, degrees) in corners.iter().zip([120.0, 90.0, 60.0]) {
        assert!((corner.turn().to_degrees() - degrees).abs() < 0.01);
    }
    for mover in MOVERS {
        let world = mover.world().expect("a world");
        for corner in &corners {
            let way = corners::round(&world, mover, corner).expect("a way");
            let expected = corner.predicted(mover);
            // The walker moves along the wall after each tip in pieces of R / 1024.
            let loss = 8.0 * RADIUS / 1024.0;
            let name = (mover.name(), corner.name);
            let fits = way.length > expected - 1e-4 && way.length < expected + loss;
            assert!(fits, "{name:?}: {} {expected}", way.length);
        }
    }
    // The source: one mitre, bevels in equal parts, arcs.
    let [acute, right, obtuse] = corners;
    let reach = RADIUS + SKIN;
    let planes = Mover::Cylinder(Expansion::Planes);
    let arcs = Mover::Cylinder(Expansion::Arcs);
    assert!((acute.predicted(planes) - 2.0 * reach * 3f64.sqrt()).abs() < 1e-4);
    assert!((right.predicted(planes) - 2.0 * reach).abs() < 1e-9);
    assert!((right.predicted(arcs) - reach * std::f64::consts::FRAC_PI_2).abs() < 1e-9);
    let bevels = Mover::Cylinder(Expansion::Bevels(8));
    for corner in [right, obtuse] {
        assert_eq!(corner.parts(bevels), Some(2));
        assert!((corner.predicted(bevels) - corner.source(2)).abs() < 1e-4);
    }
}

#[test]
fn overshoots_equal_those_of_the_documents() {
    let exact = level::world(Expansion::Arcs).expect("a world");
    let best = Mover::Cylinder(Expansion::Arcs);
    for mover in [Mover::Cylinder(Expansion::Planes), Mover::Cylinder(Expansion::Bevels(8)), best] {
        let world = mover.world().expect("a world");
        for corner in corners::corners() {
            let over = overshoot::at_corner((&exact, best), (&world, mover), &corner);
            let over = over.expect("casts");
            let half = (std::f64::consts::PI - corner.turn()) / 2.0;
            match mover {
                Mover::Cylinder(Expansion::Planes) => {
                    let expected = RADIUS * (1.0 / half.sin() - 1.0);
                    assert!((over - expected).abs() < 1e-4, "{} {over}", corner.name);
                }
                Mover::Cylinder(Expansion::Bevels(_)) => assert!(over <= 0.0825 * RADIUS),
                _ => assert_eq!(over, 0.0),
            }
        }
    }
}

#[test]
fn the_map_equals_the_level_of_the_code() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/walk_brushes/level.map");
    assert_eq!(std::fs::read_to_string(file).expect("a map"), level::map_text());
    let loaded = load::map(file, &MapOptions::quake().scale(level::SCALE)).expect("a level");
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    let solids = level::solids();
    assert_eq!(loaded.world.len(), solids.len());
    for (solid, id) in solids.iter().zip(loaded.world.ids()) {
        let (own, read) = (solid.brush().expect("a brush"), loaded.world.brush(id).expect("one"));
        assert_eq!(own.faces().count(), read.faces().count());
        for corner in own.corners() {
            assert!(read.corners().iter().any(|c| (c - corner).norm() < 1e-9), "{}", solid.name);
        }
    }
    let start = loaded.spawns().next().and_then(|spawn| spawn.origin);
    let walk = walks::at_random(&loaded.world, start.expect("a start"), 600, 1).expect("a walk");
    assert!(walk.points.iter().all(|p| p.z > 0.8 && p.z < 4.0) && walk.length() > 5.0);
}

#[test]
fn the_tour_visits_every_place() {
    let world = level::world(Expansion::Arcs).expect("a world");
    let walk = tour::tour(&world).expect("a tour");
    assert_eq!(walk.reached, tour::places());
    assert_eq!((walk.steps, walk.refused > 0), (4, false));
}

#[test]
fn the_run_passes_every_barrier_in_order() {
    let world = level::world(Expansion::Arcs).expect("a world");
    let passed = barriers::passed(&world).expect("a run");
    assert!(passed.iter().map(|one| one.barrier.0).eq(0..6), "{passed:?}");
    assert!(passed.is_sorted_by(|a, b| a.frames < b.frames), "{passed:?}");
    assert!(passed.iter().any(|one| one.is_between_frames), "{passed:?}");
}

#[test]
fn the_example_prints_a_table_and_draws() {
    let out = std::env::temp_dir().join(format!("boxwood-brushes-{}", std::process::id()));
    let printed = support::run_example::printed("walk_brushes", &["--out", &out.to_string_lossy()]);
    assert!(printed.contains("places reached: 16 of 16"), "{printed}");
    assert!(printed.contains("6 barriers passed"), "{printed}");
    for name in ["corners.svg", "plan.svg", "oblique.svg"] {
        let picture = std::fs::read_to_string(out.join(name)).expect("a picture");
        assert!(picture.starts_with("<svg") && !picture.contains("NaN"), "{name}");
    }
    assert!(std::fs::remove_dir_all(out).is_ok());
    let trouble = support::run_example::refused("walk_brushes", &["--frames", "9"]);
    assert!(trouble.contains("--map"), "{trouble}");
}

#[test]
fn the_walk_brushes_example_has_help() {
    support::run_example::helps("walk_brushes", &["--out", "--map", "--frames", "--seed"]);
}
