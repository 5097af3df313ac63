//! The examples from outside (output, files, errors), and their modules from inside.
#![allow(dead_code)] // Tests use only some items of the examples' own files.

#[path = "../../examples/walk_brushes/barriers.rs"]
mod barriers;
#[path = "../../examples/walk_brushes/corners.rs"]
mod corners;
#[path = "../../examples/duel/main.rs"]
mod duel_example;
#[path = "../../examples/walk_brushes/level.rs"]
mod level;
#[path = "../../examples/maintenance/make_fighter/make/mod.rs"]
mod make;
#[path = "../../examples/walk_brushes/overshoot.rs"]
mod overshoot;
#[path = "../../examples/rotating_boxes/plane.rs"]
mod plane;
#[path = "../../examples/rotating_boxes/space.rs"]
mod space;
#[path = "../../examples/rotating_boxes/svg.rs"]
mod svg;
#[path = "../../examples/walk_brushes/tour.rs"]
mod tour;

mod any_files;
mod concepts;
mod depth_vs_accuracy;
mod duel;
mod duel_allocations;
mod duel_story;
mod fighter_file;
mod fighter_motion;
mod four_programs;
mod grasp;
mod house_capsule;
mod leaf_pairs;
mod plan;
mod rewind;
mod rotating_boxes;
mod shooter;
mod static_world;
mod sword;
mod walk_brushes;

use duel_example::{arguments, caption, dump, output, picture, script};
use shared::{any_file, command_line as flags, fight, fighter, random, walks};
