//! The proof of scenes: whole queries against brute force, and what may change an answer and what may not.
#![allow(dead_code)] // the support files are shared, and each test uses some of them

#[path = "../support/awkward.rs"]
mod awkward;
#[path = "../support/axes.rs"]
mod axes;
#[path = "../support/block.rs"]
mod block;
#[path = "../support/brute.rs"]
mod brute;
#[path = "../support/cast.rs"]
mod cast;
#[path = "../support/closed.rs"]
mod closed;
#[path = "../support/data.rs"]
mod data;
#[path = "../support/distance.rs"]
mod distance;
#[path = "../support/duo.rs"]
mod duo;
#[path = "../support/exact.rs"]
mod exact;
#[path = "../../examples/fighter/mod.rs"]
mod fighter;
#[path = "../support/figure.rs"]
mod figure;
#[path = "../support/parry.rs"]
mod parry;
#[path = "../support/parts.rs"]
mod parts;
#[path = "../support/peers.rs"]
mod peers;
#[path = "../support/people.rs"]
mod people;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/rational.rs"]
mod rational;
#[path = "../support/regime.rs"]
mod regime;
#[path = "../support/triangles.rs"]
mod triangles;
#[path = "../support/twin.rs"]
mod twin;
#[path = "../support/verdicts.rs"]
mod verdicts;
#[path = "../support/winding.rs"]
mod winding;

mod broad;
mod check;
mod deepest;
mod dial;
mod errors;
mod exactly;
mod filters;
mod history;
mod levels;
mod mixed;
mod near_parts;
mod other_library;
mod own_levels;
mod own_regimes;
mod own_robot;
mod queries;
mod real;
mod regimes;
mod within;
mod world_boxes;
