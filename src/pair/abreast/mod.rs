//! Where one pair of boxes touches: in double precision, the axes [three abreast](ThreeAxes). Bit
//! for bit what [`Facing`](super::facing::Facing) finds along one after another.

mod numbers;

use numbers::Numbers;

use super::axes::LeastOverlap;
use super::facing::Touching;
use super::obb_obb::leaf_slack;
use super::results::Contact;
use super::three_axes::{Three, ThreeAxes};
use crate::num::linear::{Vec3, sub, sum};
use crate::num::simd::{Triple, TripleKernel};
use crate::num::tolerance::PARALLEL_SINE;
use crate::num::{Scalar, SimdLevel};
use crate::shape::{Obb, WideObb};

/// Two quotients that differ by no more than that share may be in the other order than what they
/// were rounded from.
const ALIKE: f64 = 1.0 / (1u64 << 44) as f64;

/// Or by no more than this, where squares of overlaps vanish. No unit: overlaps are shares of the
/// boxes' sizes.
const NOTHING: f64 = 1e-280;

/// Where two boxes touch; `None` if an axis says apart by more than the slack.
pub(super) fn meet<T: Scalar>(first: &Obb<T>, second: &Obb<T>) -> Option<Contact<T>> {
    SimdLevel::best().run_triples(Meet([first, second]))
}

/// The same bits at every level.
struct Meet<'a, T: Scalar>([&'a Obb<T>; 2]);

impl<T: Scalar> TripleKernel for Meet<'_, T> {
    type Output = Option<Contact<T>>;

    #[inline(always)]
    fn run<D: Triple>(self, token: D::Token) -> Option<Contact<T>> {
        let [first, second] = self.0;
        let (first, second) = (first.wide(), second.wide());
        let slack = leaf_slack::<T>(&first, &second);
        let least = least_overlap::<D, T>(token, [&first, &second], slack)?;
        Some(Touching::along::<T>((), &least, [&first, &second], [slack, 0.0]).contact())
    }
}

/// As [`Axes::apart`](super::axes::Axes::apart), then
/// [`Axes::least_overlap`](super::axes::Axes::least_overlap).
#[inline(always)]
fn least_overlap<D: Triple, T: Scalar>(
    token: D::Token,
    [a, b]: [&WideObb; 2],
    slack: f64,
) -> Option<LeastOverlap<f64>> {
    let half = [a.half_extents, b.half_extents];
    let pair = ThreeAxes::<D>::new(token, [&a.axes, &b.axes], sub(b.center, a.center), half);
    let mut all = [
        pair.faces_of_first(),
        pair.faces_of_second(),
        pair.edges(0),
        pair.edges(1),
        pair.edges(2),
    ];
    let slack = D::splat(token, slack);
    let mut apart = 0;
    for three in &all {
        apart |= D::bits(three.distance.abs().above(three.reach + slack));
    }
    if apart != 0 {
        return None;
    }
    if T::IS_SINGLE {
        for (i, three) in all[2..].iter_mut().enumerate() {
            three.reach = pair.reach_by_normals(i);
        }
    }
    let squares = [pair.squares(0), pair.squares(1), pair.squares(2)];
    let size = f64::MIN_POSITIVE.max(sum(a.half_extents) + sum(b.half_extents));
    let axis = least(token, &all, &squares, size);
    let [x, y, z] = squares[0].low(squares[1]).low(squares[2]).numbers();
    Some(LeastOverlap {
        direction: Numbers::new(pair.rows, &all, &squares).direction(axis),
        least_sine: x.min(y).min(z).sqrt(),
    })
}

/// The number of the axis of least overlap.
#[inline(always)]
fn least<D: Triple>(token: D::Token, all: &[Three<D>; 5], lengths: &[D; 3], size: f64) -> usize {
    let scale = D::splat(token, 1.0 / size);
    let parallel = D::splat(token, PARALLEL_SINE * PARALLEL_SINE);
    let nothing = D::splat(token, f64::INFINITY);
    let mut squares = [nothing; 5];
    let mut shares = [nothing; 5];
    for (i, three) in all.iter().enumerate() {
        let overlap = (three.reach - three.distance.abs()) * scale;
        squares[i] = overlap * overlap.abs();
        shares[i] = match i {
            0 | 1 => squares[i],
            _ => {
                let length = lengths[i - 2];
                D::choose(length.above(parallel), squares[i] / length, nothing)
            }
        };
    }
    let [x, y, z] = shares[0].low(shares[1]).low(shares[2]).low(shares[3].low(shares[4])).numbers();
    let least = x.min(y).min(z);
    let most = D::splat(token, least + (least.abs() * ALIKE + NOTHING));
    let mut close = 0;
    for (i, shares) in shares.iter().enumerate() {
        close |= D::bits(shares.within(most)) << (3 * i);
    }
    match close.is_power_of_two() {
        true => close.trailing_zeros() as usize,
        false => {
            let one = D::splat(token, 1.0);
            let [x, y, z] = *lengths;
            first_of(close, &numbers(&squares), &numbers(&[one, one, x, y, z]))
        }
    }
}

#[inline(always)]
fn numbers<D: Triple>([a, b, x, y, z]: &[D; 5]) -> [Vec3; 5] {
    [a.numbers(), b.numbers(), x.numbers(), y.numbers(), z.numbers()]
}

/// The first of the least among those in the bits, compared as [`Axes`](super::axes::Axes) does.
#[cold]
fn first_of(mut bits: u32, squares: &[Vec3; 5], lengths: &[Vec3; 5]) -> usize {
    let mut best = bits.trailing_zeros() as usize % 32;
    let at = |all: &[Vec3; 5], axis: usize| all[axis / 3][axis % 3];
    while bits != 0 {
        let axis = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        if at(squares, best) * at(lengths, axis) > at(squares, axis) * at(lengths, best) {
            best = axis;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Point3, Rotation3, Vector3};

    use super::*;
    use crate::num::chance::Chance;
    use crate::pair::obb_obb::meet_in_turn;

    /// Zeros of both signs are told apart.
    fn bits<T: Scalar>(contact: Option<Contact<T>>) -> Option<[u64; 9]> {
        let Contact { point, point_error, normal, depth, slack } = contact?;
        let all = [point.x, point.y, point.z, point_error, normal.x, normal.y, normal.z];
        let mut bits = [depth.bits(); 9];
        bits[..7].copy_from_slice(&all.map(T::bits));
        bits[8] = slack.bits();
        Some(bits)
    }

    /// How many of the hard pairs touch.
    fn touching<T: Scalar>(sizes: [f64; 2], far: f64) -> usize {
        let (mut numbers, mut touching) = (Chance(11), 0);
        for _ in 0..20_000 {
            let size = sizes[0] * (sizes[1] / sizes[0]).powf(numbers.share());
            let far = far * size * numbers.share();
            let [a, b] = numbers.boxes::<T>(size, far);
            touching += usize::from(compare(&a, &b));
        }
        touching
    }

    #[test]
    fn three_axes_abreast_give_the_bits_of_one_after_another() {
        for (sizes, far) in [([1e-3, 1e3], 0.0), ([1e-3, 1e3], 1e8), ([1e-60, 1e60], 10.0)] {
            let double = touching::<f64>(sizes, far);
            let single = touching::<f32>(sizes.map(|size| size.powf(0.4)), far);
            println!("sizes {sizes:?}, {far} sizes out: {single} and {double} of 20,000 touch");
            assert!(single.min(double) > 4_000 && single.max(double) < 19_000, "one-sided");
        }
    }

    fn compare<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> bool {
        let expected = bits(meet_in_turn(a, b));
        for level in SimdLevel::all() {
            assert_eq!(bits(level.run_triples(Meet([a, b]))), expected, "{level:?} {a:?} {b:?}");
        }
        expected.is_some()
    }

    /// Turned by angles of Pythagorean triangles, or by right ones, or hardly, so that many axes
    /// overlap alike but for rounding; one centre in a face, an edge or a corner of the other box.
    fn tying<T: Scalar>(numbers: &mut Chance) -> [Obb<T>; 2] {
        let mut turn = || {
            let mut axes = Matrix3::<f64>::identity();
            for _ in 0..numbers.below(4) {
                let (i, j) = [(0, 1), (1, 2), (2, 0)][numbers.below(3)];
                let turns = [(0.6, 0.8), (5.0 / 13.0, 12.0 / 13.0), (0.0, 1.0), (1.0, 1.0001e-4)];
                let (c, s) = turns[numbers.below(4)];
                let (x, y) = (
                    axes.column(i) * c + axes.column(j) * s,
                    axes.column(j) * c - axes.column(i) * s,
                );
                axes.set_column(i, &x);
                axes.set_column(j, &y);
            }
            axes
        };
        let [a, b] = [turn(), turn()];
        let mut half =
            || Vector3::from_fn(|_, _| [0.0, 1e-23, 1.0, numbers.share()][numbers.below(4)]);
        let [half_a, half_b] = [half(), half()];
        let at = Vector3::from_fn(|i, _| half_a[i] * (numbers.below(3) as f64 - 1.0));
        let solid = |center: Vector3<f64>, axes: Matrix3<f64>, half: Vector3<f64>| {
            let center = Point3::from(center.map(T::nearest));
            Obb::new(center, axes.map(T::nearest), half.map(T::nearest)).expect("a sound box")
        };
        [solid(Vector3::zeros(), a, half_a), solid(a * at, b, half_b)]
    }

    #[test]
    fn axes_that_tie_are_taken_in_their_order() {
        let mut numbers = Chance(5);
        let touch = (0..60_000).filter(|_| {
            let ([a, b], [c, d]) = (tying::<f64>(&mut numbers), tying::<f32>(&mut numbers));
            compare(&a, &b) & compare(&c, &d)
        });
        assert!(touch.count() > 50_000);
    }

    #[test]
    fn squares_that_vanish_tie() {
        let solid = |at: [f64; 3], turn: f64, half: [f64; 3]| {
            let axes = Rotation3::from_axis_angle(&Vector3::z_axis(), turn).into_inner();
            Obb::new(Point3::from(at), axes, Vector3::from(half)).expect("a sound box")
        };
        for k in 0..400 {
            let thin = 10f64.powf(-140.0 - 0.06 * f64::from(k));
            for up in [-1.5, -1.0, 0.3, 1.5, 2.0] {
                let a = solid([0.0; 3], 0.0, [1.0, 1.0, thin]);
                assert!(compare(&a, &solid([0.1, 0.0, up * thin], 0.1, [0.7, 0.7, thin])));
            }
        }
    }
}
