//! Proofs of the crate's guarantees, in modules named like the rooms of `src`. `tests/README.md`
//! lists claim, oracle and file.

mod accuracy;
mod architecture;
mod brush;
mod cast_normals;
mod draw;
mod growing_types;
mod guide;
mod import_circles;
mod lengths;
mod load;
mod model;
mod motion;
mod pair;
mod planar;
mod refusals;
mod response;
mod robot;
mod root_names;
mod scene;
mod shape;
mod systems;
mod tree;
mod unit_tests;
mod words;
