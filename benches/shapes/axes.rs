//! Separating axes beside the intersection test, of any pairs and of disjoint ones, and the check of
//! a kept axis.

use boxwood::pair::{IntersectsQuery, SeparatingAxis, SeparatingAxisQuery};
use boxwood::shape::{Aabb, Capsule, Obb, Sphere, Triangle};
use criterion::Criterion;

use crate::support::measure::{CHUNK, bench_group, cases, counted};
use crate::support::shape_pairs::{self, Solid};

/// Pair of shapes with the axis that separated it.
type Kept<A, B> = (A, B, SeparatingAxis<f32>);

fn of_kinds<A, B>(criterion: &mut Criterion)
where
    A: Solid + IntersectsQuery<B> + SeparatingAxisQuery<B, Scalar = f32> + Copy,
    B: Solid + Copy,
{
    let all = shape_pairs::pairs::<A, B>(cases());
    let name = format!("{} {}", A::NAME, B::NAME);
    let ways = vec![
        counted("intersects", &all, |(a, b)| !IntersectsQuery::intersects(a, b)),
        counted("separating_axis", &all, |(a, b)| {
            SeparatingAxisQuery::separating_axis(a, b).is_some()
        }),
    ];
    bench_group(criterion, &format!("{name}: separating axis, any pair"), CHUNK, ways);

    // Repeated up to the number of other pairs, so that the caches hold as much.
    let disjoint = all.iter().cycle().filter_map(|&(a, b)| {
        let axis = SeparatingAxisQuery::separating_axis(&a, &b)?;
        Some((a, b, axis))
    });
    let kept: Vec<Kept<A, B>> = disjoint.take(all.len()).collect();
    let ways = vec![
        counted("intersects", &kept, |(a, b, _)| !IntersectsQuery::intersects(a, b)),
        counted("separating_axis", &kept, |(a, b, _)| {
            SeparatingAxisQuery::separating_axis(a, b).is_some()
        }),
        counted("kept axis", &kept, |(a, b, axis)| axis.separates(a, b)),
    ];
    bench_group(criterion, &format!("{name}: separating axis, disjoint pairs"), CHUNK, ways);
}

pub fn axes(criterion: &mut Criterion) {
    of_kinds::<Obb<f32>, Obb<f32>>(criterion);
    of_kinds::<Aabb<f32, 3>, Obb<f32>>(criterion);
    of_kinds::<Aabb<f32, 3>, Aabb<f32, 3>>(criterion);
    of_kinds::<Capsule<f32>, Obb<f32>>(criterion);
    of_kinds::<Capsule<f32>, Capsule<f32>>(criterion);
    of_kinds::<Triangle<f32>, Triangle<f32>>(criterion);
    of_kinds::<Sphere<f32, 3>, Triangle<f32>>(criterion);
}
