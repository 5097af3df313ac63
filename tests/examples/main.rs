//! The examples from outside (output, files, errors), and their modules from inside.
#![allow(dead_code)] // Tests use only some items of the examples' own files.

#[path = "../../examples/duel/arguments.rs"]
mod arguments;
#[path = "../../examples/walk_brushes/barriers.rs"]
mod barriers;
#[path = "../../examples/duel/caption.rs"]
mod caption;
#[path = "../../examples/walk_brushes/corners.rs"]
mod corners;
#[path = "../../examples/duel/dump.rs"]
mod dump;
#[path = "../../examples/walk_brushes/level.rs"]
mod level;
#[path = "../../examples/maintenance/make_fighter/make/mod.rs"]
mod make;
#[path = "../../examples/duel/output.rs"]
mod output;
#[path = "../../examples/walk_brushes/overshoot.rs"]
mod overshoot;
#[path = "../../examples/duel/picture.rs"]
mod picture;
#[path = "../../examples/rotating_boxes/plane.rs"]
mod plane;
#[path = "../../examples/duel/script.rs"]
mod script;
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
mod grasp;
mod rotating_boxes;
mod shooter;
mod static_world;
mod sword;
mod walk_brushes;

use shared::{any_file, command_line as flags, fight, fighter, progress_bar as bar, random, walks};
