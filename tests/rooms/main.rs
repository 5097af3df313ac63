//! What the crate promises, in a module named like the room of `src` that keeps the promise.
//! `tests/README.md` lists claim, oracle and file.

mod accuracy;
mod architecture;
mod draw;
mod load;
mod model;
mod motion;
mod pair;
mod planar;
mod scene;
mod shape;
mod tree;
mod words;
