//! Motion between two poses: impacts against dense samples by another kinematics, closed forms,
//! motions that graze, and identities.

mod closed_forms;
mod events;
mod grazing;
mod history;
mod identities;
mod paths;
mod queries;
mod samples;
mod used_buffers;
mod windows;
