//! Tests of the tool from outside: output, files, refusals and exit codes of every command.

mod against_examples;
mod bake;
mod bare_names;
mod check;
mod documented;
mod duel;
mod hostile;
mod inspect;
mod matrix;
mod pipes;
mod tool;
mod usage;
mod view;
mod walk;
mod write_srdf;
