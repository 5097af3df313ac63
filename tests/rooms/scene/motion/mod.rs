//! Motion between two poses: impacts against dense samples by another kinematics, closed forms,
//! motions that graze, and identities.

mod chains;
mod closed_forms;
mod ends;
mod events;
mod grazing;
mod grazing_forms;
mod history;
mod identities;
mod moving_hulls;
mod paths;
mod queries;
mod samples;
mod static_worlds;
mod trajectories;
mod used_buffers;
mod windows;
