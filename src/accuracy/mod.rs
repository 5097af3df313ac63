//! Accuracy against the exact result: measures the errors and the cost of coarser depths.
//!
//! Read [`Case`] first: two placed parts and their exact ground truth. [`hard_cases`] creates cases
//! that are hard to decide, around the distance at which the parts begin to touch. [`measure`]
//! queries cases at one [`Accuracy`] and sums up the errors as a [`Sample`]. [`tune`](tune()) finds
//! the depth that each part needs.
//!
//! The verdict of the ground truth is that of [`Accuracy::Exact`](crate::Accuracy::Exact). Its
//! position and depth are measured along lines, in double precision, accurate to the spacing of the
//! lines; see [`Truth`].
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

collect_tests!(cases, lines);
