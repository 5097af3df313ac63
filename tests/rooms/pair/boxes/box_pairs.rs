//! Random pairs of boxes by regime, most of them within a hair of touching.

use boxwood::shape::Obb;

use support::f64_sat;
use support::prelude::*;
use support::random::{apply, compose};

/// Regime of a pair. Sizes are about 1 where nothing else is stated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Regime {
    /// Any rotation, half extents of 0.1 to 1.
    Plain,
    /// Rotated against each other by 1e-3 to 1e-9 about any axis.
    NearParallel,
    /// Rotated by 1e-3 to 1e-9 about one of their own axes, so that one edge stays parallel.
    NearParallelShared,
    /// Rolled about one of their edges, then rotated by 1e-5 to 1e-1: two edges cross at a small
    /// angle.
    FacingEdges,
    /// Plates and rods of 1000 : 1.
    Thin,
    /// Thin and nearly parallel.
    ThinParallel,
    /// 1e4 to 1e6 sizes from the origin.
    Far,
    /// Sizes of 1e20.
    Huge,
    /// Sizes of 1e-20.
    Tiny,
    /// One is a hundred to ten thousand times the other.
    Unequal,
    /// Exactly the coordinate axes, in any order and sign.
    Aligned,
    /// Points, segments and rectangles: some half extents are zero.
    Flat,
}

impl Regime {
    pub const ALL: [Regime; 12] = [
        Regime::Plain,
        Regime::NearParallel,
        Regime::NearParallelShared,
        Regime::FacingEdges,
        Regime::Thin,
        Regime::ThinParallel,
        Regime::Far,
        Regime::Huge,
        Regime::Tiny,
        Regime::Unequal,
        Regime::Aligned,
        Regime::Flat,
    ];
}

/// Gap or overlap of a generated pair.
#[derive(Clone, Copy)]
enum Aim {
    /// Gap as a fraction of the size; negative for overlap.
    Gap(f64),
    /// Fraction of the way in from touching: 1 is concentric.
    Deep(f64),
}

/// Rounds a box of plain numbers to `T`.
pub fn stored<T: Scalar>(block: &PlainBox) -> Obb<T> {
    let matrix = Matrix3::from_fn(|i, j| T::nearest(block.axes[j][i]));
    let center = Point3::from(Vector3::from(block.center).map(T::nearest));
    Obb::new(center, matrix, Vector3::from(block.half).map(T::nearest)).expect("a valid box")
}

/// Draws a pair of the regime; `None` if these shapes cannot have that gap.
pub fn pair<T: Scalar>(regime: Regime, random: &mut Random) -> Option<(Obb<T>, Obb<T>)> {
    let unit = match regime {
        Regime::Huge => random.decade(19.5, 20.5),
        Regime::Tiny => random.decade(-20.5, -19.5),
        _ => 1.0,
    };
    let (half_a, half_b) = (half_extents(regime, random), half_extents(regime, random));
    let (axes_a, axes_b) = rotations(regime, random);
    let far = if regime == Regime::Far { random.decade(4.0, 6.0) } else { 2.0 };
    let center = times(random.direction(), random.share() * far * unit);
    let first = PlainBox { center, axes: axes_a, half: times(half_a, unit) };
    let second = PlainBox { center, axes: axes_b, half: times(half_b, unit) };
    let (first, second) = (stored::<T>(&first), stored::<T>(&second));
    let aim = aim(random);
    place(&first, &second, aim, random).map(|second| (first, second))
}

fn aim(random: &mut Random) -> Aim {
    let kind = random.share();
    if kind < 0.3 {
        Aim::Gap(random.sign() * random.decade(-8.0, -5.3))
    } else if kind < 0.62 {
        Aim::Gap(random.sign() * random.decade(-15.0, -7.0))
    } else if kind < 0.72 {
        Aim::Gap(random.sign() * random.decade(-5.3, -3.0))
    } else if kind < 0.85 {
        Aim::Gap(random.decade(-4.0, 0.0))
    } else {
        Aim::Deep(random.share())
    }
}

fn half_extents(regime: Regime, random: &mut Random) -> V {
    let plain: V = std::array::from_fn(|_| random.between(0.1, 1.0));
    let chosen = random.below(3);
    match regime {
        Regime::Thin | Regime::ThinParallel => {
            let rod = random.chance(0.5);
            let thin = |i: usize| (i == chosen) != rod;
            std::array::from_fn(|i| if thin(i) { plain[i] / 1000.0 } else { plain[i] })
        }
        Regime::Unequal if random.chance(0.5) => times(plain, random.decade(-4.0, -2.0)),
        Regime::Flat => plain.map(|h| if random.chance(0.5) { 0.0 } else { h }),
        _ => plain,
    }
}

fn rotations(regime: Regime, random: &mut Random) -> ([V; 3], [V; 3]) {
    match regime {
        Regime::Aligned => (random.quarter(), random.quarter()),
        Regime::NearParallel | Regime::ThinParallel => {
            let angle = random.decade(-9.0, -3.0);
            let (base, turn) = (random.rotation(), random.turn(angle));
            (base, compose(&compose(&turn, &base), &random.quarter()))
        }
        Regime::NearParallelShared => {
            let base = random.rotation();
            let turn = support::random::about(base[random.below(3)], random.decade(-9.0, -3.0));
            (base, compose(&turn, &base))
        }
        Regime::FacingEdges => {
            let base = random.rotation();
            let roll = support::random::about(base[random.below(3)], random.between(0.0, 6.3));
            let angle = random.decade(-5.0, -1.0);
            (base, compose(&random.turn(angle), &compose(&roll, &base)))
        }
        _ => (random.rotation(), random.rotation()),
    }
}

/// Moves the second box to that gap, and scales its sizes slightly against the rounding of the
/// move.
fn place<T: Scalar>(a: &Obb<T>, b: &Obb<T>, aim: Aim, random: &mut Random) -> Option<Obb<T>> {
    let (first, mut second) = (PlainBox::of(a), PlainBox::of(b));
    let size = first.radius() + second.radius();
    let axes = f64_sat::axes(&first, &second);
    let reaches: Vec<(V, f64)> =
        axes.iter().map(|&l| (l, f64_sat::reach(&first, l) + f64_sat::reach(&second, l))).collect();
    let direction = match random.chance(0.3) {
        true => corner_direction(&reaches, random),
        false => aimed_direction(&axes, random),
    };
    let touching = |(l, r): &(V, f64)| r / inner(direction, *l).abs();
    let (axis, way) = reaches
        .iter()
        .map(|entry| (entry.0, touching(entry)))
        // Zero by zero, for boxes without extent along the axis.
        .filter(|(_, way)| way.is_finite())
        .min_by(|p, q| p.1.total_cmp(&q.1))?;
    let offset = match aim {
        Aim::Deep(share) => times(direction, way * (1.0 - share)),
        Aim::Gap(gap) => {
            let sign = if inner(axis, direction) < 0.0 { -1.0 } else { 1.0 };
            plus(times(direction, way), times(axis, sign * gap * size))
        }
    };
    second.center = plus(first.center, offset);
    let moved = rounded::<T>(&second, b);
    match aim {
        Aim::Gap(gap) => Some(adjusted(&first, &moved, gap * size, &axes)),
        Aim::Deep(_) => Some(moved),
    }
}

/// Draws any direction, or one close to an axis of the test, so that faces touch as often as edges.
fn aimed_direction(axes: &[V], random: &mut Random) -> V {
    let any = random.direction();
    let mixed = plus(axes[random.below(axes.len())], times(any, random.share()));
    if random.chance(0.5) || norm(mixed) < 1e-3 { any } else { times(mixed, 1.0 / norm(mixed)) }
}

/// Draws a direction towards an edge or a corner of the first box's faces, where boxes with nearly
/// flush faces touch in edges that cross at a small angle: the axis most sensitive to rounding.
fn corner_direction(reaches: &[(V, f64)], random: &mut Random) -> V {
    let inward = random.below(4);
    let mut direction = [0.0; 3];
    for (i, &(axis, reach)) in reaches.iter().take(3).enumerate() {
        let near = 1.0 + random.sign() * random.decade(-7.0, -2.0);
        let share = if i == inward { random.share() } else { near };
        direction = plus(direction, times(axis, random.sign() * share * reach));
    }
    let size = direction.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if size == 0.0 {
        return random.direction();
    }
    let direction = times(direction, 1.0 / size);
    times(direction, 1.0 / norm(direction))
}

/// Returns the box `b` with the centre and half extents of `block`; its stored axes are normalized
/// again.
fn rounded<T: Scalar>(block: &PlainBox, b: &Obb<T>) -> Obb<T> {
    let center = Point3::from(Vector3::from(block.center).map(T::nearest));
    Obb::new(center, b.axes(), Vector3::from(block.half).map(T::nearest)).expect("a valid box")
}

/// Scales the second box so that the gap is `gap` in spite of the rounded centre.
fn adjusted<T: Scalar>(first: &PlainBox, b: &Obb<T>, gap: f64, axes: &[V]) -> Obb<T> {
    let second = PlainBox::of(b);
    let offset = support::plain_box::minus(second.center, first.center);
    let factor = axes.iter().map(|&l| {
        let free = inner(offset, l).abs() - f64_sat::reach(first, l) - gap;
        free / f64_sat::reach(&second, l)
    });
    let factor = factor.filter(|f| f.is_finite()).fold(f64::MIN, f64::max);
    if !(0.1..10.0).contains(&factor) {
        return *b;
    }
    rounded(&PlainBox { half: times(second.half, factor), ..second }, b)
}

/// Draws two boxes exactly through the origin: it is the middle of a face or an edge, or an end, of
/// each.
///
/// Half extents along the first axis are powers of two, so that `half * axis` is a stored number.
/// `None` if the axes change each time they are normalized.
pub fn through_origin<T: Scalar>(random: &mut Random) -> Option<(Obb<T>, Obb<T>)> {
    Some((from_origin(1.0, random)?, from_origin(-1.0, random)?))
}

/// Draws a box that begins at the origin and lies on the side of `sign * x`.
fn from_origin<T: Scalar>(sign: f64, random: &mut Random) -> Option<Obb<T>> {
    let mut half: V = std::array::from_fn(|_| random.between(0.1, 1.0));
    half[0] = 2f64.powi(random.below(6) as i32 - 4);
    let zeros = random.below(3);
    (0..zeros).for_each(|i| half[1 + i] = 0.0);
    let mut axes = random.rotation();
    if axes[0][0] * sign < 0.0 {
        axes = [times(axes[0], -1.0), times(axes[1], -1.0), axes[2]];
    }
    let mut free = stored::<T>(&PlainBox { center: [0.0; 3], axes, half });
    for _ in 0..8 {
        let next = Obb::new(free.center(), free.axes(), free.half_extents()).expect("valid");
        if next == free {
            let block = PlainBox::of(&free);
            let center = apply(&block.axes, [block.half[0], 0.0, 0.0]);
            return Some(rounded(&PlainBox { center, ..block }, &free));
        }
        free = next;
    }
    None
}
