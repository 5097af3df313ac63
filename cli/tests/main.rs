//! The tool from outside: what every command prints, writes and refuses, and its exit codes.

mod against_examples;
mod bake;
mod bare_names;
mod check;
mod documented;
mod duel;
mod hostile;
mod inspect;
mod pipes;
mod tool;
mod usage;
mod view;
mod walk;
mod write_srdf;
