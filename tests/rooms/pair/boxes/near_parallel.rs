//! The contact axis of nearly parallel edges: the axis of least overlap, not one that rounding
//! favours.

use boxwood::num::tolerance::{LEAF_SLACK_F32, PARALLEL_SINE};
use boxwood::shape::Obb;

use super::box_pairs::stored;
use support::f64_sat;
use support::prelude::*;
use support::random::{about, compose};

const CASES: usize = 60_000;

/// Returns a bound on the depth beyond the least overlap as a fraction of the size, where no edges
/// are skipped as parallel. In f64 it is a sixteenth of the effect of assuming right angles at that
/// sine, as axes of rotated boxes are less skew than the proof allows.
fn beyond_least<T: Scalar>() -> f64 {
    if T::IS_SINGLE { LEAF_SLACK_F32 } else { 28.0 * T::ROUNDING / PARALLEL_SINE }
}

fn half_extents(random: &mut Random) -> V {
    let plain: V = std::array::from_fn(|_| random.between(0.1, 1.0));
    let (kind, chosen) = (random.below(4), random.below(3));
    match kind {
        0 => plain,
        1 => times(plain, random.decade(-3.0, -1.0)),
        _ => std::array::from_fn(|i| {
            let thin = (i == chosen) != (kind == 2);
            if thin { plain[i] / 1000.0 } else { plain[i] }
        }),
    }
}

/// Draws two boxes rotated about an edge of the first by any angle or none, then by a little; they
/// touch on an edge of each, or a corner.
fn pair<T: Scalar>(random: &mut Random) -> (Obb<T>, Obb<T>) {
    let base = random.rotation();
    let roll = if random.chance(0.5) { random.between(0.0, 6.3) } else { 0.0 };
    let rolled = compose(&about(base[random.below(3)], roll), &base);
    let angle = random.decade(-5.0, -2.0);
    let turned = compose(&random.turn(angle), &rolled);
    let block = |axes, half, center| PlainBox { center, axes, half };
    let first = stored::<T>(&block(base, half_extents(random), random.direction()));
    let second = stored::<T>(&block(turned, half_extents(random), [0.0; 3]));
    let (a, b) = (PlainBox::of(&first), PlainBox::of(&second));
    let axes = f64_sat::axes(&a, &b);
    let away = axes[random.below(axes.len())];
    let deep = if random.chance(0.5) { random.decade(-8.0, -2.0) } else { 0.0 };
    let mut offset = times(away, -deep * (a.radius() + b.radius()));
    for solid in [&a, &b] {
        for (&edge, half) in solid.axes.iter().zip(solid.half) {
            let ahead = inner(edge, away);
            let along = ahead.abs() < 0.05 && random.chance(0.7);
            let share = if along { random.between(-1.0, 1.0) } else { ahead.signum() };
            offset = plus(offset, times(edge, share * half));
        }
    }
    let center = nalgebra::Point3::from(nalgebra::Vector3::from(plus(a.center, offset)));
    let center = center.map(T::nearest);
    (first, Obb::new(center, second.axes(), second.half_extents()).expect("a valid box"))
}

/// Returns the depth beyond the least overlap, as a fraction of the size; asserts that the normal
/// separates the two by that depth.
fn beyond<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> Option<f64> {
    let contact = a.contact(b)?;
    let (first, second) = (PlainBox::of(a), PlainBox::of(b));
    let size = first.radius() + second.radius();
    let normal: V = std::array::from_fn(|i| contact.normal[i].wide());
    let depth = contact.depth.wide();
    let reach = f64_sat::reach(&first, normal) + f64_sat::reach(&second, normal);
    let overlap = reach - inner(minus(second.center, first.center), normal);
    assert!((norm(normal) - 1.0).abs() < 4.0 * T::ROUNDING + 1e-13, "{normal:?}");
    // The oracle's axes have its rounding over their sines.
    let rounding = (8.0 * T::ROUNDING + 1e-11) * size;
    assert!((depth - overlap.max(0.0)).abs() <= rounding, "{overlap:e} {contact:?} {a:?} {b:?}");
    let least = (-f64_sat::separation(&first, &second)).max(0.0);
    assert!(depth >= least - rounding, "{least:e} {contact:?} {a:?} {b:?}");
    Some((depth - least) / size)
}

fn least_of_all<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut crossed, mut parallel, mut by_edges) = (0, 0, 0);
    let mut worst = [0.0_f64; 2];
    for _ in 0..cases(CASES) {
        let (a, b) = pair::<T>(&mut random);
        let Some(beyond) = beyond(&a, &b) else { continue };
        let (first, second) = (PlainBox::of(&a), PlainBox::of(&b));
        let passed_over = f64_sat::nearly_parallel(&first, &second, 1.001 * PARALLEL_SINE);
        let allowed = if passed_over { PARALLEL_SINE } else { 0.0 } + beyond_least::<T>();
        assert!(beyond <= allowed, "{beyond:e} of the size beyond the least overlap: {a:?} {b:?}");
        worst[usize::from(passed_over)] = worst[usize::from(passed_over)].max(beyond);
        if passed_over {
            parallel += 1
        } else {
            crossed += 1
        }
        let normal = a.contact(&b).expect("they touch").normal.map(T::wide);
        let is_face = |axis: &V| {
            norm(minus(*axis, normal.into())).min(norm(plus(*axis, normal.into()))) < 1e-6
        };
        by_edges += usize::from(!first.axes.iter().chain(&second.axes).any(is_face));
    }
    let [least, most] = worst;
    println!(
        "{crossed} crossed: {least:.1e} of the size beyond; {parallel} nearly parallel: {most:.1e}; {by_edges} along edges"
    );
    assert!(
        crossed > cases(CASES) / 4 && parallel > cases(CASES) / 4 && by_edges > cases(CASES) / 8
    );
}

/// A small cube just outside of a plate: `A_1 x B_1`, of sine 1.2e-4, overlaps by 3e-4 and appeared
/// seemed to separate.
#[test]
fn a_face_that_separates_by_zero_precedes_edges_that_separate_by_rounding() {
    let solid = |center: [f32; 3], half: [f32; 3], axes: [[f32; 3]; 3]| {
        let axes = nalgebra::Matrix3::from_columns(&axes.map(nalgebra::Vector3::from));
        Obb::new(center.into(), axes, half.into()).expect("a valid box")
    };
    let cube = [
        [0.769_851_57, -0.614_588_2, -0.172_075_26],
        [0.609_872_1, 0.628_944_8, 0.482_166_38],
        [-0.188_107_94, -0.476_140_44, 0.859_014_4],
    ];
    let plate = [
        [0.769_791, -0.614_625_6, -0.172_212_6],
        [0.609_954_3, 0.628_828_2, 0.482_214_48],
        [-0.188_089_2, -0.476_246_2, 0.858_959_85],
    ];
    let a = solid([-0.540_909_23, -0.729_913_7, 0.764_476_54], [0.001; 3], cube);
    let b =
        solid([-1.424_087_3, -0.583_384_16, 1.691_213], [0.929_065_94, 0.001, 0.891_361_5], plate);
    let contact = a.contact(&b).expect("within the slack");
    assert!(contact.depth < 1e-6, "{contact:?}");
    assert!(beyond(&a, &b).expect("they touch") <= LEAF_SLACK_F32);
}

scalars! {
    depth_is_the_least_of_all_directions => least_of_all(51; 52);
}
