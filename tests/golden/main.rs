//! The answers of this version of the crate, pinned: a change of the implementation must not change
//! them.
//!
//! Every kind of query runs on a few scenes, for both scalars; `digests.txt` keeps a hash of all
//! answers of a row and 16 bits of each, so that a failing row names its first query with a changed
//! answer, and the new answer. Two groups of rows:
//!
//! * *geometry*: answers that depend on the geometry alone, at the exact end. No change of trees or
//!   of their traversal moves them.
//! * *volumes*: answers that name nodes, or depend on which boxes represent a part. Trees are built
//!   with every option set; the trees of the presets of [`Build`](boxwood::Build) have their own
//!   rows.
//!
//! Counts ([`Counts`](boxwood::Counts)) are not stored. The rows must be the same at every SIMD
//! level, with fresh and with used buffers, by 1, 2 and 8 threads (feature `rayon`), in every
//! profile and on every machine: inputs are made by `+ - * / sqrt` alone. Sampled clips are
//! compared with the feature `enhanced-determinism` only.
//!
//! When answers are meant to change, `BOXWOOD_GOLDEN=write cargo test --test golden` (with
//! `--features enhanced-determinism` for the clips) rewrites the rows of the tests that run. It
//! fails on purpose: read `git diff` of the file, then run again without the variable.
#![recursion_limit = "256"]

mod answers;
mod brushes;
mod buffers;
mod builds;
mod convex_parts;
mod degenerate_parts;
mod digest;
mod fighter;
mod instances;
mod motion;
mod pairs;
mod planar;
mod random;
mod scene_queries;
mod shape_queries;
mod shapes;
mod static_world;
mod test_scenes;
mod trees_and_models;
mod volume_queries;

use answers::Number;
use boxwood::Accuracy;
use buffers::{Tools, compare, compare_plain, kept};
use digest::Row;
use test_scenes::TestScene;

/// Runs every kind of query of a scene.
fn all<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Vec<Row> {
    let mut rows = vec![
        scene_queries::pairs(stage, tools),
        scene_queries::rewound(stage, (Accuracy::Exact, "geometry"), tools),
        scene_queries::rewound(stage, (Accuracy::Depth(0), "volumes"), tools),
        scene_queries::near(stage, tools),
        scene_queries::rough_distances(stage, tools),
        scene_queries::separations(stage, tools),
        scene_queries::passages(stage, tools),
        motion::impacts(stage, tools),
        motion::trajectories(stage, tools),
        motion::events(stage, tools),
        volume_queries::rays(stage, tools),
        volume_queries::shape_casts(stage, tools),
        volume_queries::shape_passages(stage, tools),
        trees_and_models::primitives(stage, tools),
        trees_and_models::nodes(stage, tools),
        trees_and_models::rough_own(stage, tools),
    ];
    rows.extend(scene_queries::contacts(stage, tools));
    rows.push(scene_queries::body_contacts(stage, tools));
    rows.extend(scene_queries::distances(stage, tools));
    rows.extend(volume_queries::regions(stage, tools));
    rows.extend(volume_queries::many_rays(stage, tools));
    rows.extend(volume_queries::many_regions(stage, tools));
    rows.extend(trees_and_models::own(stage, tools));
    rows
}

fn scene<T: Number>(stage: &TestScene<T>) {
    compare::<T>(stage.name, |tools| all(stage, tools));
}

/// Makes a test of each scene for both scalars, `single::name` and `double::name`, from the call
/// that compares it; `T` is the scalar.
macro_rules! scenes {
    ($($(#[$when:meta])* $name:ident => $call:expr;)*) => {
        scenes!(single f32: $($(#[$when])* $name => $call;)*);
        scenes!(double f64: $($(#[$when])* $name => $call;)*);

        const SCENES: &[&str] = &[$(stringify!($name)),*];
    };
    ($module:ident $scalar:ident: $($(#[$when:meta])* $name:ident => $call:expr;)*) => {
        mod $module {
            use super::*;

            type T = $scalar;
            $(
                $(#[$when])*
                #[test]
                fn $name() {
                    $call
                }
            )*
        }
    };
}

scenes! {
    crowd => scene(&test_scenes::crowd::<T>());
    robots => scene(&test_scenes::robots::<T>());
    degenerate => scene(&degenerate_parts::degenerate::<T>());
    instances => {
        let stage = instances::instances::<T>();
        compare::<T>(stage.name, |tools| instances::rows(&stage, tools))
    };
    fighter => scene(&fighter::fighters::<T>());
    #[cfg(feature = "enhanced-determinism")]
    clips => compare_plain::<T>("clips", fighter::clips::<T>());
    shapes => compare_plain::<T>("shapes", pairs::rows::<T>());
    batches => compare::<T>("batches", |tools| vec![pairs::batch(tools)]);
    moving => compare_plain::<T>("moving", planar::rows::<T>());
    builds => compare_plain::<T>("builds", builds::rows::<T>());
    convex => compare_plain::<T>("convex", convex_parts::rows::<T>());
    brushes => compare_plain::<T>("brushes", brushes::rows::<T>());
    world => scene(&static_world::static_world::<T>());
}

/// Checks that every row has an owner: a row that no test owns would stay forever.
#[test]
fn every_row_of_the_file_belongs_to_a_test() {
    for owner in kept().owners() {
        let (scalar, scene) = owner.split_once(' ').expect("a scalar and a scene");
        assert!(["f32", "f64"].contains(&scalar) && SCENES.contains(&scene), "{owner}");
    }
    assert!(kept().len() > 300, "only {} rows", kept().len());
}
