//! Shape casts: random ones by brute force, and casts with known answers or other oracles.

mod convex;
mod crowd;
mod known;
mod random;
