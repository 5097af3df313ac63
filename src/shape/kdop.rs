//! Polytopes with fixed face directions: k-DOPs.

use nalgebra::{Point, SVector};

use super::Aabb;
use crate::num::Scalar;
use crate::num::outward::{sum_at_least, sum_at_most};

mod sealed {
    pub trait Sealed {}
    impl<T: super::Scalar, const D: usize, const N: usize> Sealed for super::Kdop<T, D, N> {}
}

/// The directions of a k-DOP, one for each pair of faces. Sealed.
pub trait Slabs<const D: usize, const N: usize>: sealed::Sealed {
    /// Whole numbers, not unit; the first `D` are the axes.
    const DIRECTIONS: [[i8; D]; N];
}

/// Eight sides in the plane: across the axes and the diagonals. An octagon.
pub type Dop8<T> = Kdop<T, 2, 4>;
/// Fourteen sides in space: across the axes and the four long diagonals of a cube, so that corners are cut.
pub type Dop14<T> = Kdop<T, 3, 7>;
/// Eighteen sides in space: across the axes and the six short diagonals of a cube, so that edges are cut.
pub type Dop18<T> = Kdop<T, 3, 9>;

impl<T: Scalar> Slabs<2, 4> for Dop8<T> {
    const DIRECTIONS: [[i8; 2]; 4] = [[1, 0], [0, 1], [1, 1], [1, -1]];
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

/// A k-DOP with `k = 2 N` sides: all points `p` with `low_i <= direction_i . p <= high_i`. Closed, solid.
///
/// A bounding volume between box and hull. Intervals are rounded outward: what is around a set holds all of it,
/// and two around sets that share a point are never called apart. With `low > high` somewhere it is empty;
/// NaN is passed over. Source: Klosowski, Held, Mitchell, Sowizral, Zikan, Efficient Collision
/// Detection Using Bounding Volume Hierarchies of k-DOPs (1998).
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
    /// That of nothing: the neutral element of [`Kdop::merged`].
    pub fn empty() -> Self {
        let infinity = T::nearest(f64::INFINITY);
        Kdop { low: [infinity; N], high: [-infinity; N] }
    }

    /// The smallest around the points, rounded outward; empty without any.
    pub fn around(points: impl IntoIterator<Item = Point<T, D>>) -> Self {
        let mut bounds = Self::empty();
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }

    /// Grows it until it holds `point`.
    pub fn add(&mut self, point: Point<T, D>) {
        for i in 0..N {
            let (low, high) = Self::along(i, point);
            self.low[i] = if low < self.low[i] { low } else { self.low[i] };
            self.high[i] = if high > self.high[i] { high } else { self.high[i] };
        }
    }

    /// The least of `direction_i . p` in it, for each direction in the order of [`Slabs::DIRECTIONS`].
    pub fn low(&self) -> [T; N] {
        self.low
    }

    /// The greatest of `direction_i . p` in it, in the same order.
    pub fn high(&self) -> [T; N] {
        self.high
    }

    /// Whether some interval has nothing in it.
    pub fn is_empty(&self) -> bool {
        (0..N).any(|i| self.low[i] > self.high[i])
    }

    /// Whether the point is in it, its surface included. A point it holds is never called outside; one called inside is so up
    /// to the rounding of `T`.
    pub fn contains(&self, point: Point<T, D>) -> bool {
        (0..N).all(|i| {
            let (low, high) = Self::along(i, point);
            self.low[i] <= high && low <= self.high[i]
        })
    }

    /// Whether all intervals of the two overlap; touching counts. At most `2 N` comparisons.
    ///
    /// False: they are apart, surely. True: they may still be apart past an edge, as any two
    /// convex bodies on which only the face normals are tried.
    pub fn intersects(&self, other: &Self) -> bool {
        (0..N).all(|i| self.low[i] <= other.high[i] && other.low[i] <= self.high[i])
    }

    /// The smallest around both.
    pub fn merged(&self, other: &Self) -> Self {
        let lesser = |a: T, b: T| if b < a { b } else { a };
        let greater = |a: T, b: T| if b > a { b } else { a };
        Kdop {
            low: std::array::from_fn(|i| lesser(self.low[i], other.low[i])),
            high: std::array::from_fn(|i| greater(self.high[i], other.high[i])),
        }
    }

    /// The box of its sides across the axes.
    pub fn aabb(&self) -> Aabb<T, D> {
        let end = |of: &[T; N]| Point::from(SVector::from_fn(|i, _| of[i]));
        Aabb::new(end(&self.low), end(&self.high))
    }

    /// Where the point is along direction `i`: one number twice where that is exact, else those around it.
    fn along(i: usize, point: Point<T, D>) -> (T, T) {
        let direction = Self::DIRECTIONS[i];
        // Products with 1, 0 and -1 are exact.
        let terms: [f64; D] = std::array::from_fn(|k| match direction[k] {
            0 => 0.0,
            sign => f64::from(sign) * point[k].wide(),
        });
        (sum_at_most(terms), sum_at_least(&terms))
    }
}
