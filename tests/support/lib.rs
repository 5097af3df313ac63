//! Code shared by tests and benches: scenes and shapes from fixed seeds, brute-force oracles of the
//! crate's answers, exact arithmetic, and the other libraries' side of a comparison.
//!
//! Expensive code belongs here: this library is optimized, the tests are not.

/// Instantiates generic functions, and methods of generic types, here for both scalars: else they
/// would be compiled with the tests that call them.
macro_rules! compiled_here {
    ($($($name:ident)::+),* $(; $type:ident: $($method:ident),+)*) => {
        #[doc(hidden)]
        pub fn compiled_here() -> Vec<*const ()> {
            vec![
                $($($name)::+::<f32> as *const (), $($name)::+::<f64> as *const (),)*
                $($(
                    $type::<f32>::$method as *const (), $type::<f64>::$method as *const (),
                )+)*
            ]
        }
    };
}

pub mod answer_bits;
pub mod ball_robots;
pub mod both_ways;
pub mod box_distance;
pub mod brush_shape;
pub mod brushes;
pub mod brute_force;
pub mod closed_meshes;
pub mod convex_bodies;
pub mod coverage;
pub mod cylinder_distance;
pub mod damage;
pub mod data;
pub mod degenerate_parts;
pub mod enclosing_ball;
pub mod exact_boxes;
pub mod exact_character;
pub mod exact_corners;
pub mod exact_cylinder;
pub mod exact_gap;
pub mod exact_hulls;
pub mod exact_parts;
pub mod exact_parts_by_hulls;
pub mod exact_planes;
pub mod exact_sat;
pub mod exact_walks;
pub mod f64_sat;
pub mod fcl;
pub mod folder;
pub mod gltf_clips;
pub mod grazing_forms;
pub mod heights;
pub mod hull_distance;
pub mod kdops;
pub mod map_by_text;
pub mod moving_parts;
pub mod moving_segment;
pub mod naive_box_tests;
pub mod node_distance;
pub mod node_pairs;
pub mod node_samples;
pub mod pair;
pub mod pair_regime;
pub mod parry;
pub mod parry_volumes;
pub mod part_distance;
pub mod people;
pub mod placed_corners;
pub mod placed_scenes;
pub mod placed_solid;
pub mod plain_box;
pub mod planar;
pub mod polytopes;
pub mod posed_characters;
pub mod prelude;
pub mod proof;
pub mod random;
pub mod random_parts;
pub mod random_robots;
pub mod random_sweeps;
pub mod rational_points;
pub mod refusals;
pub mod regime_counts;
pub mod run_example;
pub mod scalars;
pub mod skinning;
pub mod slivers;
pub mod small_gltf;
pub mod surface;
pub mod tree_nodes;
pub mod triangle_cuts;
pub mod triangle_distance;
pub mod urdf_by_text;
pub mod volume_world;
pub mod walks;
pub mod winding_number;

pub use shared::fighter;
