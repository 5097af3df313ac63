//! Shape casts: random ones by brute force; those whose answer is known, or that others answer, too.

mod convex;
mod crowd;
mod known;
mod random;
