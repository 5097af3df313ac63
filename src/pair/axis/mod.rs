//! Separating axes of two shapes, and checks of axes found earlier.
//!
//! `reach` bounds how far a shape extends along a direction. `boxes` chooses one of the 15 axes of
//! two boxes, `convex` the direction of the closest points; `separating_axis` checks a kept axis.

mod boxes;
mod convex;
mod reach;
mod separating_axis;
