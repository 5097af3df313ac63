//! k-DOPs: polytopes with fixed face directions.

use nalgebra::{Point, SMatrix, SVector};

use super::Aabb;
use super::half_spaces::SlabIntersection;
use crate::num::Scalar;
use crate::num::outward::{sum_at_least, sum_at_most};

mod sealed {
    pub trait SealedSlabs {}
    impl<T: super::Scalar, const D: usize, const N: usize> SealedSlabs for super::Kdop<T, D, N> {}
}

/// Directions of a k-DOP, one for each pair of faces. Sealed.
///
/// ```
/// use boxwood::shape::{Dop14, Slabs};
///
/// let directions = <Dop14<f32> as Slabs<3, 7>>::DIRECTIONS;
/// assert_eq!((directions.len(), directions[0]), (7, [1, 0, 0])); // a pair of faces for each
/// ```
pub trait Slabs<const D: usize, const N: usize>: sealed::SealedSlabs {
    /// The directions as integers, not unit; the coordinate axes first, where they are among them.
    const DIRECTIONS: [[i8; D]; N];
}

/// An octagon: eight sides in the plane, across the axes and the diagonals.
pub type Dop8<T> = Kdop<T, 2, 4>;
/// An octahedron: eight sides in space, across the four long diagonals of a cube. With the axes as
/// well it is a [`Dop14`].
pub type SpaceDop8<T> = Kdop<T, 3, 4>;
/// Fourteen sides in space, across the axes and the four long diagonals of a cube, so that corners
/// are cut.
pub type Dop14<T> = Kdop<T, 3, 7>;
/// Eighteen sides in space, across the axes and the six short diagonals of a cube, so that edges
/// are cut.
pub type Dop18<T> = Kdop<T, 3, 9>;

impl<T: Scalar> Slabs<2, 4> for Dop8<T> {
    const DIRECTIONS: [[i8; 2]; 4] = [[1, 0], [0, 1], [1, 1], [1, -1]];
}

impl<T: Scalar> Slabs<3, 4> for SpaceDop8<T> {
    const DIRECTIONS: [[i8; 3]; 4] = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]];
}

impl<T: Scalar> Slabs<3, 7> for Dop14<T> {
    const DIRECTIONS: [[i8; 3]; 7] =
        [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]];
}

impl<T: Scalar> Slabs<3, 9> for Dop18<T> {
    const DIRECTIONS: [[i8; 3]; 9] = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [1, 1, 0],
        [1, -1, 0],
        [1, 0, 1],
        [1, 0, -1],
        [0, 1, 1],
        [0, 1, -1],
    ];
}

/// A k-DOP with `k = 2 N` sides: all points `p` with `low_i <= direction_i . p <= high_i`. Closed,
/// solid.
///
/// A bounding volume between box and convex hull. Intervals are rounded outward: a k-DOP around a
/// set contains all of it, and two k-DOPs around sets that share a point always overlap. A k-DOP
/// with `low > high` somewhere is empty; NaN is ignored. Source: Klosowski, Held, Mitchell,
/// Sowizral, Zikan, Efficient Collision Detection Using Bounding Volume Hierarchies of k-DOPs
/// (1998).
///
/// ```
/// use boxwood::Dop14;
/// use boxwood::nalgebra::Point3;
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let bounds = Dop14::from_points(corners.map(Point3::from)); // a box whose corner is cut
/// assert!(bounds.contains(Point3::new(0.3, 0.3, 0.3)));
/// assert!(bounds.aabb().contains(Point3::new(0.9, 0.9, 0.9)));
/// assert!(!bounds.contains(Point3::new(0.9, 0.9, 0.9)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kdop<T: Scalar, const D: usize, const N: usize> {
    low: [T; N],
    high: [T; N],
}

impl<T: Scalar, const D: usize, const N: usize> Default for Kdop<T, D, N>
where
    Self: Slabs<D, N>,
{
    fn default() -> Self {
        Self::empty()
    }
}

impl<T: Scalar, const D: usize, const N: usize> Kdop<T, D, N>
where
    Self: Slabs<D, N>,
{
    /// The empty k-DOP: the neutral element of [`Kdop::merged`].
    pub fn empty() -> Self {
        let infinity = T::nearest(f64::INFINITY);
        Kdop { low: [infinity; N], high: [-infinity; N] }
    }

    /// The smallest k-DOP around the points, rounded outward; empty without any.
    pub fn from_points(points: impl IntoIterator<Item = Point<T, D>>) -> Self {
        let mut bounds = Self::empty();
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }

    /// Grows the k-DOP until it contains `point`.
    pub fn add(&mut self, point: Point<T, D>) {
        for i in 0..N {
            let (low, high) = Self::projection_interval(i, point);
            self.low[i] = if low < self.low[i] { low } else { self.low[i] };
            self.high[i] = if high > self.high[i] { high } else { self.high[i] };
        }
    }

    /// The lower bounds: the least of `direction_i . p` for each direction in the order of
    /// [`Slabs::DIRECTIONS`].
    pub fn low(&self) -> [T; N] {
        self.low
    }

    /// The upper bounds: the greatest of `direction_i . p`, in the order of [`Slabs::DIRECTIONS`].
    pub fn high(&self) -> [T; N] {
        self.high
    }

    /// Returns `true` if some interval is empty.
    pub fn is_empty(&self) -> bool {
        (0..N).any(|i| self.low[i] > self.high[i])
    }

    /// Returns `true` if the k-DOP contains the point, its surface included. Never misses a
    /// contained point; a point reported as inside is so up to the rounding of `T`.
    pub fn contains(&self, point: Point<T, D>) -> bool {
        (0..N).all(|i| {
            let (low, high) = Self::projection_interval(i, point);
            self.low[i] <= high && low <= self.high[i]
        })
    }

    /// The smallest k-DOP that contains both.
    pub fn merged(&self, other: &Self) -> Self {
        let lesser = |a: T, b: T| if b < a { b } else { a };
        let greater = |a: T, b: T| if b > a { b } else { a };
        Kdop {
            low: std::array::from_fn(|i| lesser(self.low[i], other.low[i])),
            high: std::array::from_fn(|i| greater(self.high[i], other.high[i])),
        }
    }

    /// The point of the k-DOP nearest to `point`, itself if it is [inside](Kdop::contains); rounded
    /// to `T`. `None` if it is empty or unbounded.
    pub fn closest_point(&self, point: Point<T, D>) -> Option<Point<T, D>> {
        let wide = self.wide()?;
        if self.contains(point) {
            return Some(point);
        }
        let nearest = wide.closest_point(&std::array::from_fn(|i| point[i].wide()));
        Some(Point::from(SVector::from(nearest.map(T::nearest))))
    }

    /// The corner farthest along `direction`, which need not be unit; rounded to `T`. `None` if it
    /// is empty or unbounded.
    pub fn support(&self, direction: SVector<T, D>) -> Option<Point<T, D>> {
        let corner = self.wide()?.support(&std::array::from_fn(|i| direction[i].wide()))?;
        Some(Point::from(SVector::from(corner.map(T::nearest))))
    }

    /// The volume in space, the area in the plane; zero if empty, infinite if unbounded. Source:
    /// pyramids over the faces, each clipped as by Sutherland and Hodgman (1974).
    pub fn volume(&self) -> T {
        let infinite = if self.is_empty() { 0.0 } else { f64::INFINITY };
        T::nearest(self.wide().map_or(infinite, |wide| wide.measure()))
    }

    /// The smallest k-DOP around the image of this one under `x -> linear * x + translation`,
    /// rounded outward: it contains the image of every point. Empty if this one is empty, and
    /// unbounded if this one is unbounded.
    ///
    /// Each bound is the support of this k-DOP along the direction mapped back. A map followed by
    /// its inverse enlarges the k-DOP, unless the map permutes the directions.
    pub fn transformed(&self, linear: &SMatrix<T, D, D>, translation: &SVector<T, D>) -> Self {
        if self.is_empty() {
            return Self::empty();
        }
        let infinity = T::nearest(f64::INFINITY);
        let wide = self.wide();
        let high = |i: usize, sign: f64| {
            let direction = Self::DIRECTIONS[i].map(|x| sign * f64::from(x));
            wide.and_then(|wide| image_support_bound(&wide, direction, linear, translation))
        };
        Kdop {
            low: std::array::from_fn(|i| high(i, -1.0).map_or(-infinity, |x| T::at_most(-x))),
            high: std::array::from_fn(|i| high(i, 1.0).map_or(infinity, T::at_least)),
        }
    }

    /// The slabs in double precision; `None` if the k-DOP is empty or unbounded.
    fn wide(&self) -> Option<SlabIntersection<D, N>> {
        let (low, high) = (self.low.map(T::wide), self.high.map(T::wide));
        let finite = low.iter().chain(&high).all(|x| x.is_finite()) && !self.is_empty();
        let directions = Self::DIRECTIONS.map(|direction| direction.map(f64::from));
        finite.then_some(SlabIntersection { directions, low, high })
    }

    /// The slabs in double precision, with bounds clamped to `+-far`; `None` if the k-DOP is empty.
    pub(crate) fn clipped(&self, far: f64) -> Option<SlabIntersection<D, N>> {
        let within = |ends: &[T; N]| ends.map(|x| x.wide().clamp(-far, far));
        let directions = Self::DIRECTIONS.map(|direction| direction.map(f64::from));
        let (low, high) = (within(&self.low), within(&self.high));
        (!self.is_empty()).then_some(SlabIntersection { directions, low, high })
    }

    /// Returns `true` if all bounds are finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.low.iter().chain(&self.high).all(|x| x.wide().is_finite())
    }

    /// The largest absolute value of the finite bounds.
    pub(crate) fn max_finite_bound(&self) -> f64 {
        let ends = self.low.iter().chain(&self.high).map(|x| x.wide().abs());
        ends.filter(|x| x.is_finite()).fold(0.0, f64::max)
    }

    /// The axis-aligned box of the bounds along the axes; for a [`SpaceDop8`], which has none, the
    /// smallest box around it, rounded outward.
    pub fn aabb(&self) -> Aabb<T, D> {
        let has_axes =
            (0..D).all(|i| Self::DIRECTIONS[i] == std::array::from_fn(|k| i8::from(k == i)));
        if !has_axes {
            return self.bounding_aabb();
        }
        let end = |of: &[T; N]| Point::from(SVector::from_fn(|i, _| of[i]));
        Aabb::new(end(&self.low), end(&self.high))
    }

    /// The smallest axis-aligned box around it, from support points.
    fn bounding_aabb(&self) -> Aabb<T, D> {
        if self.is_empty() {
            return Aabb::empty();
        }
        let (wide, still, none) = (self.wide(), SMatrix::<T, D, D>::identity(), SVector::zeros());
        let end = |i: usize, sign: f64| {
            let way = std::array::from_fn(|k| if k == i { sign } else { 0.0 });
            let far = wide.and_then(|wide| image_support_bound(&wide, way, &still, &none));
            T::at_least(far.unwrap_or(f64::INFINITY))
        };
        let (low, high) = (|i: usize, _| -end(i, -1.0), |i: usize, _| end(i, 1.0));
        Aabb::new(Point::from(SVector::from_fn(low)), Point::from(SVector::from_fn(high)))
    }

    /// The interval that contains `direction_i . point`: the number twice where it is exact, else
    /// its neighbours in `T`.
    fn projection_interval(i: usize, point: Point<T, D>) -> (T, T) {
        let direction = Self::DIRECTIONS[i];
        // Products with 1, 0 and -1 are exact.
        let terms: [f64; D] = std::array::from_fn(|k| match direction[k] {
            0 => 0.0,
            sign => f64::from(sign) * point[k].wide(),
        });
        (sum_at_most(terms), sum_at_least(&terms))
    }
}

/// Upper bound on the support of the image along the direction.
fn image_support_bound<T: Scalar, const D: usize, const N: usize>(
    wide: &SlabIntersection<D, N>,
    direction: [f64; D],
    linear: &SMatrix<T, D, D>,
    translation: &SVector<T, D>,
) -> Option<f64> {
    let sum = |term: &dyn Fn(usize) -> f64| (0..D).fold(0.0, |sum, i| sum + term(i));
    let way = std::array::from_fn(|k| sum(&|i| direction[i] * linear[(i, k)].wide()));
    let corner = wide.support(&way)?;
    let support = sum(&|k| way[k] * corner[k]) + sum(&|i| direction[i] * translation[i].wide());
    let columns = |k: usize| sum(&|i| linear[(i, k)].wide().abs());
    let most = |k: usize| if wide.high[k] > -wide.low[k] { wide.high[k] } else { -wide.low[k] };
    let far = match wide.has_axes() {
        true => sum(&|k| columns(k) * most(k)),
        // A `SpaceDop8`: no signed sum of coordinates is larger than the largest bound.
        false => (0..D).map(columns).fold(0.0, f64::max) * wide.max_bound(),
    };
    let size = far + sum(&|i| translation[i].wide().abs());
    Some(support + size * IMAGE_PAD)
}

/// Pad of the image, as a share of its sizes: `128 e`, more than the rounding of corner and sums.
const IMAGE_PAD: f64 = 1.0 / (1u64 << 46) as f64;
