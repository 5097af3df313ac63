//! Tests of the tool from outside: output, files, refusals and exit codes of every command.

mod against_examples;
mod bake;
mod bare_names;
mod check;
mod diff;
mod documented;
mod duel;
mod edges;
mod hidden_faces;
mod hostile;
mod inspect;
mod matrix;
mod picture;
mod pipes;
mod standard_input;
mod tool;
mod usage;
mod view;
mod walk;
mod write_srdf;
