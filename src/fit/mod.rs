//! Fitting of bounding volumes: oriented boxes, balls, capsules and cylinders around points.
//!
//! A fit of a box has two steps. [`Covariance`] gives principal axes, which [`refined`] improves;
//! then a [`BoxFrame`] of axes rounded to the stored type turns bounds of coordinates into a box
//! with outward rounding. Trees call these for each node, in SIMD lanes; `Obb::fit` in
//! `obb_fit.rs` shows the steps for one set of points.
//!
//! Balls (`enclosing_ball.rs`), capsules (`capsule.rs`, `capsule_axis.rs`) and upright cylinders
//! are separate searches; each computes its radius last, from the rounded centre or segment.

mod box_frame;
mod capsule;
mod capsule_axis;
mod covariance;
mod eigen;
mod enclosing_ball;
mod obb_fit;
mod refined;
mod upright_cylinder;

pub(crate) use self::box_frame::{AxisBounds, BoxFrame, smaller_box, surface_cost};
pub(crate) use capsule::fit_capsule;
pub(crate) use capsule_axis::{Ball, CapsuleEffort};
pub(crate) use covariance::{Covariance, Moments};
pub(crate) use refined::refined_axes;

collect_tests!(box_frame, covariance, eigen, refined);
