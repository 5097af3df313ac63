//! Box-box tests: every guarantee against exact and independent answers.

mod aabb;
mod batch;
mod box_pairs;
mod contact;
mod contact_points;
mod gap_histogram;
mod intersects;
mod invariance;
mod lattice;
mod naive_tests;
mod near_parallel;
mod parry;
mod slack;
