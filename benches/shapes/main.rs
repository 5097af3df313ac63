//! Single shapes beside parry3d and parry2d in f32 on the same data: every pair at rest,
//! half-spaces, rays, points, sweeps, and the same in the plane.
//!
//! Data: 131,072 different cases a row, read in order, 4,096 a round. The arrangement of the two
//! shapes is random from case to case, and too many cases for a branch predictor to remember. The
//! cases of both libraries exceed the second-level cache, so the times include reading them from
//! memory.
//!
//! Both libraries read shapes in f32 and answer in f32. The differences: boxwood computes in double
//! precision, and its verdict of shapes without radius is exact, so thin shapes that touch only
//! because of rounding are disjoint in boxwood and touch in the peer. For shapes that touch,
//! boxwood's closest points contain a common point; the peer returns only `Intersecting`. The
//! peer's shapes are behind `dyn Shape`, as its queries require; boxwood's types are known. Rays
//! compute the normal in both. The rate of agreement is printed beside.

#[path = "../support/mod.rs"]
mod support;

mod axes;
mod pairs;
mod planar;
mod points;
mod sweeps;

use criterion::{criterion_group, criterion_main};
use support::measure::settings;

criterion_group! {
    name = benches;
    config = settings()
        .sample_size(10)
        .measurement_time(std::time::Duration::from_millis(200))
        .warm_up_time(std::time::Duration::from_millis(60));
    targets =
        pairs::pairs, pairs::planes, pairs::rays, axes::axes, points::points, points::half_spaces,
        sweeps::sweeps,
        planar::at_rest, planar::on_the_way, planar::points, planar::directly
}
criterion_main!(benches);
