//! Exact SAT of two boxes, decided in integers.
//!
//! Stored numbers are integer multiples of powers of two, so the sign of every sum of the
//! fifteen-axis test is computed without rounding: in `i128` where it fits, in big integers
//! elsewhere. The axes are the cross products of the boxes' edges, not their stored normals: the
//! boxes are parallelepipeds and not exactly right-angled. For boxes of zero extent the directions
//! of the missing edges still count, which keeps the fifteen axes complete (a flat box is the limit
//! of ever thinner ones).

use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::BigInt;

use crate::plain_box::{PlainBox, inner, minus, outer};

/// One of the fifteen axes, by two of the six edge directions: 0-2 of the first box, 3-5 of the
/// second.
pub type Axis = (usize, usize);

/// Returns the fifteen axes: three normals each, nine crossed edges.
pub fn axes() -> [Axis; 15] {
    let mut all = [(0, 0); 15];
    for i in 0..3 {
        all[i] = ((i + 1) % 3, (i + 2) % 3);
        all[3 + i] = (3 + (i + 1) % 3, 3 + (i + 2) % 3);
        for j in 0..3 {
            all[6 + 3 * i + j] = (i, 3 + j);
        }
    }
    all
}

/// Returns `true` if the closed solids share a point. Exact.
pub fn share_a_point(a: &PlainBox, b: &PlainBox) -> bool {
    axes().into_iter().all(|axis| !apart_on(a, b, axis))
}

/// Returns `true` if the axis separates them: by a rounded sum, or by integers if that is too
/// close.
fn apart_on(a: &PlainBox, b: &PlainBox, axis: Axis) -> bool {
    let (excess, doubt) = rounded_excess(a, b, axis);
    if excess.abs() > doubt { excess > 0.0 } else { exact_sign(a, b, axis) > 0 }
}

/// Returns the excess in double precision and a generous bound of its error.
fn rounded_excess(a: &PlainBox, b: &PlainBox, (i, j): Axis) -> (f64, f64) {
    let edges = [a.axes[0], a.axes[1], a.axes[2], b.axes[0], b.axes[1], b.axes[2]];
    let half = [a.half[0], a.half[1], a.half[2], b.half[0], b.half[1], b.half[2]];
    let normal = outer(edges[i], edges[j]);
    let offset = minus(b.center, a.center);
    let reach: f64 = (0..6).map(|k| half[k] * inner(edges[k], normal).abs()).sum();
    let lengths = offset.iter().map(|x| x.abs()).sum::<f64>() + half.iter().sum::<f64>();
    (inner(offset, normal).abs() - reach, 1e-14 * lengths)
}

/// Returns the sign of the excess: 1 separate, 0 touching, -1 overlapping along this axis.
pub fn exact_sign(a: &PlainBox, b: &PlainBox, axis: Axis) -> i32 {
    let scales = Scales::of(a, b);
    match scales.bits <= 120 {
        true => sign::<i128>(a, b, axis, &scales),
        false => sign::<BigInt>(a, b, axis, &scales),
    }
}

/// Like [`exact_sign`], always with big integers, to check the shorter arithmetic.
pub fn exact_sign_long(a: &PlainBox, b: &PlainBox, axis: Axis) -> i32 {
    sign::<BigInt>(a, b, axis, &Scales::of(a, b))
}

/// Returns `true` if the pair fits the shorter arithmetic.
pub fn fits_i128(a: &PlainBox, b: &PlainBox) -> bool {
    Scales::of(a, b).bits <= 120
}

/// Integer that can be built from a shifted mantissa.
pub trait Whole:
    Clone + Ord + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    fn shifted(mantissa: i64, by: i32) -> Self;
    fn magnitude(self) -> Self {
        if self < Self::shifted(0, 0) { -self } else { self }
    }
}

impl Whole for i128 {
    fn shifted(mantissa: i64, by: i32) -> Self {
        i128::from(mantissa) << by
    }
}

impl Whole for BigInt {
    fn shifted(mantissa: i64, by: i32) -> Self {
        BigInt::from(mantissa) << by
    }
}

/// Common powers of two, and the number of bits of the longest sum.
struct Scales {
    axes: i32,
    half: i32,
    center: i32,
    /// Exponent of points and half edges: the lesser of `center` and `axes + half`.
    point: i32,
    bits: i32,
}

impl Scales {
    fn of(a: &PlainBox, b: &PlainBox) -> Scales {
        let axes = range(a.axes.iter().chain(&b.axes).flatten());
        let half = range(a.half.iter().chain(&b.half));
        let center = range(a.center.iter().chain(&b.center));
        let point = center.0.min(axes.0 + half.0);
        let longest = (center.1 + 1).max(axes.1 + half.1) - point;
        // Cross product: twice the axes and one; dot product with the longest: two more; the sum:
        // three more.
        let bits = 2 * (axes.1 - axes.0) + 1 + longest + 2 + 3;
        Scales { axes: axes.0, half: half.0, center: center.0, point, bits }
    }
}

/// Returns the lowest and the highest bit among the numbers.
pub fn range<'a>(numbers: impl Iterator<Item = &'a f64>) -> (i32, i32) {
    let bits =
        |(mantissa, low): (i64, i32)| (low, low + 64 - mantissa.abs().leading_zeros() as i32);
    let parts = numbers.filter(|x| **x != 0.0).map(|&x| bits(split(x)));
    parts.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 1))
}

/// Splits `x` into `mantissa * 2^exponent` with an odd mantissa.
pub fn split(x: f64) -> (i64, i32) {
    if x == 0.0 {
        return (0, 0);
    }
    let bits = x.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    let zeros = mantissa.trailing_zeros();
    let odd = mantissa >> zeros;
    (if x < 0.0 { -odd } else { odd }, exponent + zeros as i32)
}

pub fn whole<I: Whole>(x: f64, scale: i32) -> I {
    let (mantissa, exponent) = split(x);
    if mantissa == 0 { I::shifted(0, 0) } else { I::shifted(mantissa, exponent - scale) }
}

fn sign<I: Whole>(a: &PlainBox, b: &PlainBox, (i, j): Axis, scales: &Scales) -> i32 {
    let edge =
        |k: usize| if k < 3 { (a.axes[k], a.half[k]) } else { (b.axes[k - 3], b.half[k - 3]) };
    let axis = |k: usize| edge(k).0.map(|x| whole::<I>(x, scales.axes));
    let normal = cross(&axis(i), &axis(j));
    let lift = I::shifted(1, scales.axes + scales.half - scales.point);
    let mut excess = {
        let at = |x: f64| whole::<I>(x, scales.center);
        let offset: [I; 3] = std::array::from_fn(|k| at(b.center[k]) - at(a.center[k]));
        dot(&offset, &normal).magnitude() * I::shifted(1, scales.center - scales.point)
    };
    for k in 0..6 {
        let half = whole::<I>(edge(k).1, scales.half) * lift.clone();
        excess = excess - half * dot(&axis(k), &normal).magnitude();
    }
    match excess.cmp(&I::shifted(0, 0)) {
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1,
    }
}

fn cross<I: Whole>(a: &[I; 3], b: &[I; 3]) -> [I; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j].clone() * b[k].clone() - a[k].clone() * b[j].clone()
    })
}

fn dot<I: Whole>(a: &[I; 3], b: &[I; 3]) -> I {
    let term = |i: usize| a[i].clone() * b[i].clone();
    term(0) + term(1) + term(2)
}
