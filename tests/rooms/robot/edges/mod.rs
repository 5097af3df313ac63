//! Edges between configurations: verdicts against samples and closed forms.

mod allocations;
pub mod closed_forms;
mod grazing;
mod real_robots;
mod refusals;
pub mod samples;
mod worlds;
