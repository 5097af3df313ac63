//! The plane: intersection, contact and sweeps against exact clipping, dense directions and convex
//! search.

mod allocations;
mod contact;
mod distance;
mod distance_oracle;
mod exact_clipping;
mod intersects;
mod invariance;
mod parry;
mod shape_queries;
mod sweep;
