//! The proof of the dial: every accuracy against an exact answer that shares nothing with the crate.

mod everyone;
mod frames;
mod hard_poses;
mod mixed;
mod oracle;
mod parry;
mod places;
mod primitives;
mod recorded;
mod shapes;
mod sizes;
mod slacks;
mod solids;
mod triangle_pairs;
mod voxels;
