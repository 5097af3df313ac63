//! The proof of the plane: overlap, contact and sweeps against exact clipping, dense directions and convex search.

mod alone;
mod apart;
mod clip;
mod contact;
mod distance;
mod invalid;
mod invariance;
mod parry;
mod still;
mod sweep;
mod verdict;
