//! The proof of what moves in space: first touches against whole fractions, convex search and
//! parry3d.

mod aligned_boxes;
mod ball_half_space;
mod boxes_and_balls;
mod invariance;
mod parry;
