//! Axis of least overlap of one pair of boxes, its axes across lanes: bit for bit the result of
//! [`RelativeRotation::least_overlap`](super::RelativeRotation::least_overlap).

use super::least_overlap::LeastOverlap;
use super::three_axes::{AxisProjections, ThreeAxes, lane_of_edge};
use crate::num::Scalar;
use crate::num::linear::{Vec3, coordinate_sum, sub};
use crate::num::simd::DoubleTriple;
use crate::num::tolerance::PARALLEL_SINE;
use crate::shape::WideObb;

/// Relative difference up to which two rounded quotients may be in the wrong order.
const RELATIVE_TIE_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Absolute difference up to which two rounded quotients may be in the wrong order: squares of
/// overlaps underflow. No unit: overlaps are shares of the boxes' sizes.
const ABSOLUTE_TIE_ERROR: f64 = 1e-280;

/// Returns the least overlap of one pair; `None` if an axis separates the boxes by more than
/// `slack`. Bit for bit the result of
/// [`RelativeRotation::apart`](super::RelativeRotation::apart), then of its
/// `least_overlap`.
#[inline(always)]
pub(crate) fn least_overlap_of_one<D: DoubleTriple, T: Scalar>(
    token: D::Token,
    [a, b]: [&WideObb; 2],
    slack: f64,
) -> Option<LeastOverlap<f64>> {
    let half = [a.half_extents, b.half_extents];
    let pair = ThreeAxes::<D>::new(token, [&a.axes, &b.axes], sub(b.center, a.center), half);
    let slack = D::splat(token, slack);
    let faces = [pair.faces_of_first(), pair.faces_of_second()];
    // Faces first: they separate most disjoint pairs, and the edges are then not computed.
    if (D::bits(faces[0].apart(slack)) | D::bits(faces[1].apart(slack))) != 0 {
        return None;
    }
    let mut edges = [pair.edges(0), pair.edges(1), pair.edges(2)];
    let apart = [edges[0].apart(slack), edges[1].apart(slack), edges[2].apart(slack)];
    if (D::bits(apart[0]) | D::bits(apart[1]) | D::bits(apart[2])) != 0 {
        return None;
    }
    if T::IS_SINGLE {
        edges = [pair.edges_by_normals(0), pair.edges_by_normals(1), pair.edges_by_normals(2)];
    }
    let [x, y, z] = edges;
    let all = [faces[0], faces[1], x, y, z];
    let squares = [pair.squared_lengths(0), pair.squared_lengths(1), pair.squared_lengths(2)];
    let size =
        f64::MIN_POSITIVE.max(coordinate_sum(a.half_extents) + coordinate_sum(b.half_extents));
    let axis = least_axis(token, &all, &squares, size);
    let [x, y, z] = squares[0].low(squares[1]).low(squares[2]).numbers();
    Some(LeastOverlap {
        direction: AxisTable::new(pair.columns, &all, &squares).direction(axis),
        least_sine: x.min(y).min(z).sqrt(),
    })
}

#[inline(always)]
fn least_axis<D: DoubleTriple>(
    token: D::Token,
    all: &[AxisProjections<D>; 5],
    lengths: &[D; 3],
    size: f64,
) -> usize {
    let scale = D::splat(token, 1.0 / size);
    let parallel = D::splat(token, PARALLEL_SINE * PARALLEL_SINE);
    let nothing = D::splat(token, f64::INFINITY);
    let mut squares = [nothing; 5];
    let mut shares = [nothing; 5];
    for (i, three) in all.iter().enumerate() {
        let overlap = (three.radius - three.distance.abs()) * scale;
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
    let most = D::splat(token, least + (least.abs() * RELATIVE_TIE_ERROR + ABSOLUTE_TIE_ERROR));
    let mut close = 0;
    for (i, shares) in shares.iter().enumerate() {
        close |= D::bits(shares.at_most(most)) << (3 * i);
    }
    match close.is_power_of_two() {
        true => AXIS_OF_LANE[close.trailing_zeros() as usize % 16],
        false => {
            let one = D::splat(token, 1.0);
            let [x, y, z] = *lengths;
            first_least_axis(close, &lane_numbers(&squares), &lane_numbers(&[one, one, x, y, z]))
        }
    }
}

#[inline(always)]
fn lane_numbers<D: DoubleTriple>([a, b, x, y, z]: &[D; 5]) -> [Vec3; 5] {
    [a.numbers(), b.numbers(), x.numbers(), y.numbers(), z.numbers()]
}

/// Index of the axis in each lane; the last entry is unused.
const AXIS_OF_LANE: [usize; 16] = axes_of_lanes();

const fn axes_of_lanes() -> [usize; 16] {
    let mut axes = [0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut edges = 0;
    while edges < 9 {
        let (i, j) = (edges / 3, edges % 3);
        axes[6 + 3 * j + lane_of_edge(i)] = 6 + edges;
        edges += 1;
    }
    axes
}

/// Returns the first axis of least overlap among the lanes of the bits, comparing fractions of
/// squares.
#[cold]
fn first_least_axis(bits: u32, squares: &[Vec3; 5], lengths: &[Vec3; 5]) -> usize {
    let at = |all: &[Vec3; 5], lane: usize| all[lane / 3][lane % 3];
    let mut best = None;
    for axis in 0..15 {
        let lane = AXIS_OF_LANE[..15].iter().position(|&of_lane| of_lane == axis).unwrap_or(0);
        if bits >> lane & 1 == 0 {
            continue;
        }
        let less = |&(_, best): &(usize, usize)| {
            at(squares, best) * at(lengths, lane) > at(squares, lane) * at(lengths, best)
        };
        if best.as_ref().is_none_or(less) {
            best = Some((axis, lane));
        }
    }
    best.map_or(0, |(axis, _)| axis)
}

/// Table of the 15 axes, to select one without a branch: columns, negated columns, distances along
/// all axes, squared lengths of the edge axes.
struct AxisTable([f64; 60]);

/// Indices in the table for each axis: three coordinates, squared length, distance along it.
const TABLE_INDICES: [[u8; 5]; 15] = table_indices();
const NEGATED: u8 = 12;
const DISTANCES: u8 = 24;
const SQUARES: u8 = 44;
const ZERO: u8 = 56;
const ONE: u8 = 57;

const fn table_indices() -> [[u8; 5]; 15] {
    let mut places = [[ZERO, ZERO, ZERO, ONE, DISTANCES]; 15];
    let mut j = 0;
    while j < 3 {
        let at = j as u8;
        places[j][j] = ONE;
        places[j][4] = DISTANCES + at;
        places[3 + j] = [4 * at, 4 * at + 1, 4 * at + 2, ONE, DISTANCES + 4 + at];
        let mut i = 0;
        while i < 3 {
            let indices = &mut places[6 + 3 * i + j];
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            let lane = 4 * at + lane_of_edge(i) as u8;
            indices[i1] = NEGATED + 4 * at + i2 as u8;
            indices[i2] = 4 * at + i1 as u8;
            indices[3] = SQUARES + lane;
            indices[4] = DISTANCES + 8 + lane;
            i += 1;
        }
        j += 1;
    }
    places
}

impl AxisTable {
    #[inline(always)]
    pub fn new<D: DoubleTriple>(
        [x, y, z]: [D; 3],
        [a, b, i, j, k]: &[AxisProjections<D>; 5],
        squares: &[D; 3],
    ) -> Self {
        let mut numbers = [0.0; 60];
        numbers[usize::from(ONE)] = 1.0;
        let (f, g) = (a.distance, b.distance);
        let [i2, j2, k2] = *squares;
        let rows = [x, y, z, -x, -y, -z, f, g, i.distance, j.distance, k.distance, i2, j2, k2];
        for (place, row) in rows.iter().enumerate() {
            row.store(&mut numbers[4 * place..4 * place + 4]);
        }
        AxisTable(numbers)
    }

    /// Returns an axis by its index, of unit length, towards the second box. Branch-free: the axis
    /// is unpredictable.
    #[inline(always)]
    pub fn direction(&self, axis: usize) -> Vec3 {
        let [x, y, z, square, distance] = TABLE_INDICES[axis];
        let sign = if self.entry(distance) < 0.0 { -1.0 } else { 1.0 };
        let length = self.entry(square).sqrt();
        [
            sign * (self.entry(x) / length),
            sign * (self.entry(y) / length),
            sign * (self.entry(z) / length),
        ]
    }

    #[inline(always)]
    fn entry(&self, place: u8) -> f64 {
        self.0[usize::from(place)]
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::{Matrix3, Point3, Rotation3, Vector3};

    use super::*;
    use crate::num::SimdLevel;
    use crate::num::SplitMix64;
    use crate::num::proof::cases;
    use crate::num::simd::TripleKernel;
    use crate::sat::box_pair::BoxPair;
    use crate::sat::sat_tolerance;
    use crate::shape::Obb;

    struct OnePair<'a, T: Scalar>([&'a Obb<T>; 2]);

    impl<T: Scalar> TripleKernel for OnePair<'_, T> {
        type Output = Option<LeastOverlap<f64>>;

        #[inline(always)]
        fn run<D: DoubleTriple>(self, token: D::Token) -> Option<LeastOverlap<f64>> {
            let [a, b] = [self.0[0].wide(), self.0[1].wide()];
            least_overlap_of_one::<D, T>(token, [&a, &b], sat_tolerance::<T>(&a, &b))
        }
    }

    fn one_axis_after_another<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> Option<LeastOverlap<f64>> {
        let (a, b) = (a.wide(), b.wide());
        let pair = BoxPair::new(&a, &b);
        let least = || pair.rotation.least_overlap::<T>((), pair.t, [pair.a, pair.b]);
        (!pair.apart(sat_tolerance::<T>(&a, &b))).then(least)
    }

    /// Returns the bits of a result, so that zeros of both signs differ.
    fn bits(least: Option<LeastOverlap<f64>>) -> Option<[u64; 4]> {
        let LeastOverlap { direction: [x, y, z], least_sine } = least?;
        Some([x, y, z, least_sine].map(f64::to_bits))
    }

    fn pair_count() -> usize {
        cases(20_000)
    }

    fn touching<T: Scalar>(sizes: [f64; 2], far: f64) -> usize {
        let (mut numbers, mut touching) = (SplitMix64(11), 0);
        for _ in 0..pair_count() {
            let size = sizes[0] * (sizes[1] / sizes[0]).powf(numbers.share());
            let far = far * size * numbers.share();
            let [a, b] = numbers.hard_boxes::<T>(size, far);
            touching += usize::from(compare(&a, &b));
        }
        touching
    }

    pub fn axes_across_lanes_give_the_bits_of_one_after_another() {
        for (sizes, far) in [([1e-3, 1e3], 0.0), ([1e-3, 1e3], 1e8), ([1e-60, 1e60], 10.0)] {
            let double = touching::<f64>(sizes, far);
            let single = touching::<f32>(sizes.map(|size| size.powf(0.4)), far);
            let all = pair_count();
            println!("sizes {sizes:?}, {far} sizes out: {single} and {double} of {all} touch");
            let [least, most] = [all / 5, all / 20 * 19];
            assert!(single.min(double) > least && single.max(double) < most, "one-sided");
        }
    }

    fn compare<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> bool {
        let expected = bits(one_axis_after_another(a, b));
        for simd in SimdLevel::all() {
            assert_eq!(bits(simd.run_triples(OnePair([a, b]))), expected, "{simd:?} {a:?} {b:?}");
        }
        expected.is_some()
    }

    /// Boxes rotated by angles of Pythagorean triangles, by right angles or hardly, so that many
    /// axes tie up to rounding; one centre lies in a face, an edge or a corner of the other box.
    fn tied_boxes<T: Scalar>(numbers: &mut SplitMix64) -> [Obb<T>; 2] {
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

    pub fn axes_that_tie_are_taken_in_their_order() {
        let (mut numbers, count) = (SplitMix64(5), cases(60_000));
        let touch = (0..count).filter(|_| {
            let ([a, b], [c, d]) =
                (tied_boxes::<f64>(&mut numbers), tied_boxes::<f32>(&mut numbers));
            compare(&a, &b) & compare(&c, &d)
        });
        assert!(touch.count() > count / 6 * 5);
    }

    pub fn squares_that_vanish_tie() {
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
