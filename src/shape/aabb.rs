//! Axis-aligned boxes, in any dimension.

use nalgebra::{Point, SMatrix, SVector};

use super::wide_point;
use crate::error::Error;
use crate::num::linear::{Vec3, add, scale, sub};
use crate::num::{Scalar, check_coordinates};

/// An axis-aligned box: all points `p` with `min <= p <= max` on every axis. Closed.
///
/// A box with `min > max` on some axis is empty. [`Aabb::empty`] is the neutral element of
/// [`Aabb::merged`], stays empty under any map, and overlaps nothing. A box with a NaN coordinate
/// overlaps and contains nothing.
///
/// ```
/// use boxwood::Aabb;
/// use boxwood::nalgebra::{Point3, Vector3};
///
/// let room = Aabb::new(Point3::origin(), Point3::new(4.0, 3.0, 2.0));
/// assert_eq!((room.sizes(), room.volume()), (Vector3::new(4.0, 3.0, 2.0), 24.0));
/// assert!(room.contains(Point3::new(4.0, 0.0, 0.0))); // its surface belongs to it
/// assert_eq!(room.closest_point(Point3::new(1.0, 9.0, 1.0)), Some(Point3::new(1.0, 3.0, 1.0)));
/// assert!(Aabb::empty().is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb<T: Scalar, const D: usize> {
    /// The end-point with the least coordinates.
    pub min: Point<T, D>,
    /// The end-point with the greatest coordinates.
    pub max: Point<T, D>,
}

impl<T: Scalar, const D: usize> Default for Aabb<T, D> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<T: Scalar, const D: usize> Aabb<T, D> {
    /// A box from its two end-points.
    pub fn new(min: Point<T, D>, max: Point<T, D>) -> Self {
        Aabb { min, max }
    }

    /// The empty box: from plus infinity to minus infinity.
    pub fn empty() -> Self {
        let infinity = T::nearest(f64::INFINITY);
        Aabb {
            min: Point::from(SVector::repeat(infinity)),
            max: Point::from(SVector::repeat(-infinity)),
        }
    }

    /// The smallest box around the points; empty without any.
    ///
    /// ```
    /// use boxwood::Aabb;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let bounds = Aabb::from_points([Point3::new(1.0, 0.0, 5.0), Point3::new(-1.0, 2.0, 5.0)]);
    /// assert_eq!(bounds, Aabb::new(Point3::new(-1.0, 0.0, 5.0), Point3::new(1.0, 2.0, 5.0)));
    /// ```
    pub fn from_points(points: impl IntoIterator<Item = Point<T, D>>) -> Self {
        let mut bounds = Self::empty();
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }

    /// Grows the box until it contains `point`.
    pub fn add(&mut self, point: Point<T, D>) {
        for i in 0..D {
            self.min[i] = lesser(self.min[i], point[i]);
            self.max[i] = greater(self.max[i], point[i]);
        }
    }

    /// Rejects NaN in either end, naming the end, even if the box is empty on another axis.
    pub(crate) fn check_not_nan(&self, ends: [(&'static str, usize); 2]) -> Result<(), Error> {
        for (end, (field, index)) in [&self.min, &self.max].into_iter().zip(ends) {
            if end.iter().any(|x| x.wide().is_nan()) {
                return Err(Error::NotFinite { field, index });
            }
        }
        Ok(())
    }

    /// Rejects ends that are not finite or would overflow, naming the end. Of an empty box it
    /// rejects only NaN: [`Aabb::empty`] has infinite ends.
    pub(crate) fn check_ends(&self, ends: [(&'static str, usize); 2]) -> Result<(), Error> {
        self.check_not_nan(ends)?;
        if self.is_empty() {
            return Ok(());
        }
        check_coordinates(self.min.coords.as_slice(), ends[0].0, ends[0].1)?;
        check_coordinates(self.max.coords.as_slice(), ends[1].0, ends[1].1)
    }

    /// Returns `true` if the box contains no point.
    pub fn is_empty(&self) -> bool {
        (0..D).any(|i| self.min[i] > self.max[i])
    }

    /// Returns `true` if the box contains the point, its surface included.
    pub fn contains(&self, point: Point<T, D>) -> bool {
        (0..D).all(|i| self.min[i] <= point[i] && point[i] <= self.max[i])
    }

    /// The point of the box nearest to `point`, itself if inside; exact. `None` if the box is
    /// empty.
    pub fn closest_point(&self, point: Point<T, D>) -> Option<Point<T, D>> {
        let inside = |i: usize, _| lesser(greater(point[i], self.min[i]), self.max[i]);
        (!self.is_empty()).then(|| Point::from(SVector::from_fn(inside)))
    }

    /// The corner farthest along `direction`, which need not be unit; the greater end of an axis at
    /// right angles to it. `None` if the box is empty.
    pub fn support(&self, direction: SVector<T, D>) -> Option<Point<T, D>> {
        let end = |i: usize, _| if direction[i] < T::zero() { self.min[i] } else { self.max[i] };
        (!self.is_empty()).then(|| Point::from(SVector::from_fn(end)))
    }

    /// Returns `true` if the boxes share a point: at most `2 D` comparisons.
    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        (0..D).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }

    /// The intersection of the two boxes, possibly a face, an edge or a point; `None` if they are
    /// disjoint.
    ///
    /// Source: CN1245934 (1998): the greater of the minima and the lesser of the maxima, axis by
    /// axis.
    ///
    /// ```
    /// use boxwood::Aabb;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let cube = |x: f32| Aabb::new(Point3::new(x, 0.0, 0.0), Point3::new(x + 1.0, 1.0, 1.0));
    /// let volume = |x| cube(0.0).intersection(&cube(x)).map(|shared| shared.volume());
    /// assert_eq!((volume(0.5), volume(1.0)), (Some(0.5), Some(0.0))); // at 1.0 a face
    /// assert_eq!(volume(2.0), None);
    /// ```
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        // Tested on the boxes, not on the result: `lesser` and `greater` ignore NaN.
        self.overlaps(other).then(|| {
            let mut region = *self;
            for i in 0..D {
                region.min[i] = greater(self.min[i], other.min[i]);
                region.max[i] = lesser(self.max[i], other.max[i]);
            }
            region
        })
    }

    /// The smallest box that contains both.
    pub fn merged(&self, other: &Self) -> Self {
        let mut both = *self;
        for i in 0..D {
            both.min[i] = lesser(self.min[i], other.min[i]);
            both.max[i] = greater(self.max[i], other.max[i]);
        }
        both
    }

    /// The box with every face moved out by `margin`, or in if negative. An empty box stays empty.
    /// The margin is rounded to the nearest `T` [units of the box].
    pub fn grown(&self, margin: impl Into<f64>) -> Self {
        if self.is_empty() {
            return *self;
        }
        let step = SVector::repeat(T::nearest(margin.into()));
        Aabb { min: self.min - step, max: self.max + step }
    }

    /// The sizes along the axes; zero if empty.
    pub fn sizes(&self) -> SVector<T, D> {
        if self.is_empty() { SVector::zeros() } else { self.max - self.min }
    }

    /// Half the sizes along the axes.
    pub fn half_extents(&self) -> SVector<T, D> {
        self.sizes() * T::nearest(0.5)
    }

    /// The centre; `None` if empty.
    pub fn center(&self) -> Option<Point<T, D>> {
        let half = T::nearest(0.5);
        (!self.is_empty()).then(|| Point::from(self.min.coords * half + self.max.coords * half))
    }

    /// The length of the main diagonal; zero if empty.
    pub fn diagonal(&self) -> T {
        T::nearest(self.sizes().map(T::wide).norm())
    }

    /// The product of the sizes: volume in space, area in the plane; zero if empty.
    pub fn volume(&self) -> T {
        self.sizes().iter().fold(T::one(), |product, &size| product * size)
    }

    /// The smallest box around the image of this one under `x -> linear * x + translation`.
    ///
    /// Computed from the two end-points: each matrix entry takes the lesser or the greater of the
    /// two by its sign (Arvo, Graphics Gems, 1990). Non-uniform and negative scale are allowed.
    /// Rounded to nearest, not outward.
    pub fn transformed(&self, linear: &SMatrix<T, D, D>, translation: &SVector<T, D>) -> Self {
        if self.is_empty() {
            return Self::empty();
        }
        let mut image = Aabb { min: Point::from(*translation), max: Point::from(*translation) };
        for i in 0..D {
            for j in 0..D {
                // Skips zeros: in an unbounded box `0 * inf` is NaN.
                if linear[(i, j)] == T::zero() {
                    continue;
                }
                let (low, high) = (linear[(i, j)] * self.min[j], linear[(i, j)] * self.max[j]);
                image.min[i] += lesser(low, high);
                image.max[i] += greater(low, high);
            }
        }
        image
    }
}

impl<T: Scalar> Aabb<T, 3> {
    /// The eight corners; bit `i` of the index selects the end of axis `i`.
    pub fn corners(&self) -> [Point<T, 3>; 8] {
        std::array::from_fn(|corner| {
            let end = |i: usize| if corner >> i & 1 == 1 { self.max[i] } else { self.min[i] };
            Point::from([end(0), end(1), end(2)])
        })
    }

    /// Centre and half extents in double precision; the box is not empty.
    pub(crate) fn wide(&self) -> (Vec3, Vec3) {
        let (min, max) = (wide_point(self.min), wide_point(self.max));
        (scale(add(min, max), 0.5), scale(sub(max, min), 0.5))
    }

    /// The box `center +- (half + pad)`, rounded outward.
    pub(crate) fn outward(center: [f64; 3], half: [f64; 3], pad: f64) -> Self {
        let low = |i: usize| T::at_most(center[i] - (half[i] + pad));
        let high = |i: usize| T::at_least(center[i] + (half[i] + pad));
        Aabb {
            min: Point::from([low(0), low(1), low(2)]),
            max: Point::from([high(0), high(1), high(2)]),
        }
    }
}

/// The lesser of two numbers, by one comparison: every platform treats signed zero and NaN alike.
fn lesser<T: Scalar>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// The greater of two numbers by one comparison.
fn greater<T: Scalar>(a: T, b: T) -> T {
    if b > a { b } else { a }
}
