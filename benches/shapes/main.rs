//! Single shapes beside parry3d and parry2d in f32 on the same data: every pair at rest,
//! half-spaces, rays, points, pairs on the way, and the same in the plane.
//!
//! Data: 131,072 different cases a row, put in order, 4,096 a round; how the two of a case lie is
//! left to chance, case by case. A branch predictor can not remember so many. Both libraries' cases
//! are larger than the second cache and are read in order: bringing them in is measured, too.
//!
//! Both take the shapes as stored in f32 and answer in f32. What differs: here all is computed in
//! double precision, and a verdict of shapes without radius is exact, so that thin shapes that meet
//! but for rounding are apart, where the other library says they meet. Of shapes that meet a point
//! of both is among the closest points here; the other library says `Intersecting` and no more. Its
//! shapes come behind `dyn Shape`, as its queries want them; the types are known here. A ray asks
//! both for the normal. How often both agree is printed beside.

#[path = "../support/mod.rs"]
mod support;

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
        pairs::pairs, pairs::planes, pairs::rays, points::points, points::half_spaces, sweeps::sweeps,
        planar::at_rest, planar::on_the_way, planar::points, planar::directly
}
criterion_main!(benches);
