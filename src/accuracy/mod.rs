//! Depth against exact: what a coarser answer costs and what it gets wrong, in numbers.
//!
//! A [`Case`] is two parts in place and the exact truth about them; [`hard_cases`] makes them where it is hardest to
//! tell, around the distance at which the parts begin to touch. [`measure`] asks them at one [`Accuracy`] and sums up the
//! mistakes as a [`Sample`]. [`tune`](tune()) looks for the depth each part needs.
//!
//! The truth about *whether* parts touch is [`Accuracy::Exact`](crate::Accuracy::Exact). The truth about *where* and
//! *how deep* is measured along lines, in double precision, good to the spacing of the lines; see [`Truth`].
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
pub use tune::{PartDepth, Target, Tuning, tune};
