//! Sweeps in space: times of impact against exact fractions, convex search and parry3d.

mod aligned_boxes;
mod ball_half_space;
mod boxes_and_balls;
mod invariance;
mod parry;
