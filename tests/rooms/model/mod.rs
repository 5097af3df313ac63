//! Models: how well rigid parts stand in for a skin that bends.

mod coverage;
