//! Models: which part is which, and how well rigid parts stand in for a skin that bends.

mod coverage;
mod part_ids;
