//! Accuracy against the exact result: measures the errors and the cost of coarser depths.
//!
//! A [`Case`] is two placed parts and their exact ground truth; [`hard_cases`] makes cases where it
//! is hardest to decide, around the distance at which the parts begin to touch. [`measure`] queries
//! them at one [`Accuracy`] and sums up the errors as a [`Sample`]. [`tune`](tune()) finds the
//! depth each part needs.
//!
//! The ground truth of *whether* parts touch is [`Accuracy::Exact`](crate::Accuracy::Exact). The
//! ground truth of *where* and *how deep* is measured along lines, in double precision, accurate to
//! the spacing of the lines; see [`Truth`].
//!
//! [`Accuracy`]: crate::Accuracy

mod cases;
mod lines;
mod sample;
mod truth;
mod tune;

pub use cases::{Case, hard_cases};
pub use sample::{Sample, Spread, measure, volume_ratio};
pub use truth::Truth;
pub use tune::{PartDepth, Step, Target, Tuning, tune};
