//! The collision matrix: which pairs of links touch never, always or sometimes, proved over all
//! values of the joints within their limits.
//!
//! `result.rs` has the result, `builder.rs` the samples and the proof of all pairs, `ranges.rs` the
//! boxes of joint values and the lever bound, `proof.rs` the splitting of one pair, `srdf.rs` the
//! file.

pub(super) mod builder;
mod proof;
mod ranges;
pub(super) mod result;
mod srdf;
