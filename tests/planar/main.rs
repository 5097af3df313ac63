//! The proof of the plane: overlap, contact and sweeps against exact clipping, dense directions and convex search.

#[allow(dead_code)]
#[path = "../support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../support/exact.rs"]
mod exact;
#[allow(dead_code)]
#[path = "../support/random.rs"]
mod random;
#[path = "../support/regime.rs"]
mod regime;

mod alone;
mod any;
mod apart;
mod clip;
mod contact;
mod distance;
mod invalid;
mod invariance;
mod moving;
mod pairs;
mod parry;
mod still;
mod sweep;
mod verdict;
