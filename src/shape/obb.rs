//! Oriented boxes.

use nalgebra::{Matrix3, Point3, Vector3};

use super::rounding::{
    check_sizes, checked_axes, nearest_matrix, nearest_point, wide_matrix, wide_point,
};
use super::{Aabb, Placement, Pose, check_poses};
use crate::error::Error;
use crate::num::linear::{
    IDENTITY, Mat3, Vec3, aabb_half_extents, add, dot, matrix_product, rotate, rotate_back, sub,
};
use crate::num::simd::Lanes;
use crate::num::{Scalar, check_coordinates, tolerance};

/// An oriented box: all points `center + axes * s` with `|s_i| <= half_extents_i`. Closed, solid.
///
/// The columns of `axes` are its edge directions: unit, at right angles, right-handed, up to the
/// rounding of `T`. Half extents may be zero.
///
/// ```
/// use boxwood::Obb;
/// use boxwood::nalgebra::{Isometry3, Point3, Vector3};
///
/// // 4 long, 2 wide and high, turned by a quarter about z: it lies along y now.
/// let turn = Isometry3::rotation(Vector3::z() * std::f32::consts::FRAC_PI_2);
/// let plank = Obb::from_pose(&turn, Vector3::new(2.0, 1.0, 1.0))?;
/// assert_eq!(plank.volume(), 16.0);
/// assert!(plank.contains(Point3::new(0.0, 1.9, 0.0)));
/// assert!(!plank.contains(Point3::new(1.9, 0.0, 0.0)));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb<T: Scalar> {
    center: Point3<T>,
    axes: Matrix3<T>,
    half_extents: Vector3<T>,
}

impl<T: Scalar> Obb<T> {
    /// A box from its centre, its edge directions (columns) and its half sizes along them.
    ///
    /// Axes that are off by at most [`tolerance::UNIT`] are made orthonormal.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for a half extent,
    /// [`Error::NotUnit`] and [`Error::NotOrthonormal`] for axes further off, or left-handed.
    ///
    /// ```
    /// use boxwood::Obb;
    /// use boxwood::nalgebra::{Matrix3, Point3, Vector3};
    ///
    /// let half = Vector3::new(0.5, 1.0, 0.2); // half sizes
    /// let door = Obb::new(Point3::new(0.0, 1.0, 0.0), Matrix3::identity(), half)?;
    /// assert!(door.contains(Point3::origin())); // on its lower face
    /// assert!(Obb::new(Point3::origin(), Matrix3::identity() * 2.0, half).is_err()); // scaled
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn new(
        center: Point3<T>,
        axes: Matrix3<T>,
        half_extents: Vector3<T>,
    ) -> Result<Self, Error> {
        check_coordinates(center.coords.as_slice(), "center", 0)?;
        let axes = checked_axes(&axes)?;
        check_sizes(&half_extents, "half extents", "half extent")?;
        Ok(Obb { center, axes, half_extents })
    }

    /// A box of these half extents, centred in the frame of `pose`.
    ///
    /// # Errors
    /// The errors of [`Obb::new`].
    pub fn from_pose(pose: &Pose<T>, half_extents: Vector3<T>) -> Result<Self, Error> {
        check_poses(std::slice::from_ref(pose), "pose")?;
        let placement = Placement::new(pose);
        let center = Point3::from(pose.translation.vector);
        Obb::new(center, nearest_matrix(&placement.rotation), half_extents)
    }

    /// An unchecked box from valid centre, axes and half extents, as fits compute them.
    pub(crate) fn from_parts(
        center: Point3<T>,
        axes: Matrix3<T>,
        half_extents: Vector3<T>,
    ) -> Self {
        Obb { center, axes, half_extents }
    }

    /// The centre of the box.
    pub fn center(&self) -> Point3<T> {
        self.center
    }

    /// The edge directions, as columns.
    pub fn axes(&self) -> Matrix3<T> {
        self.axes
    }

    /// Half the sizes, along the axes.
    pub fn half_extents(&self) -> Vector3<T> {
        self.half_extents
    }

    /// The length of the main diagonal.
    pub fn diagonal(&self) -> T {
        T::nearest(2.0 * self.wide().radius())
    }

    /// The volume.
    pub fn volume(&self) -> T {
        let h = self.wide().half_extents;
        T::nearest(8.0 * h[0] * h[1] * h[2])
    }

    /// The eight corners; bit `i` of the index selects the end of axis `i`.
    pub fn corners(&self) -> [Point3<T>; 8] {
        self.wide().corners().map(nearest_point)
    }

    /// Returns `true` if the box contains the point, its surface included, up to the rounding of
    /// `f64`.
    pub fn contains(&self, point: Point3<T>) -> bool {
        let wide = self.wide();
        let from_center = sub(wide_point(point), wide.center);
        (0..3).all(|i| dot(wide.axes[i], from_center).abs() <= wide.half_extents[i])
    }

    /// The point of the box nearest to `point`, itself if inside; rounded to `T`.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        let (wide, p) = (self.wide(), wide_point(point));
        let local = wide.local_point(p);
        let inside = wide.clamp_local(local);
        if inside == local { point } else { nearest_point(wide.world_point(inside)) }
    }

    /// The corner farthest along `direction`, which need not be unit; the greater end of an axis at
    /// right angles to it.
    pub fn support(&self, direction: Vector3<T>) -> Point3<T> {
        nearest_point(self.wide().support(wide_point(direction.into())))
    }

    /// The box moved by `pose`, rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        check_poses(std::slice::from_ref(pose), "pose")?;
        let moved = self.wide().placed(&Placement::new(pose));
        let (center, axes) = (nearest_point(moved.center), nearest_matrix(&moved.axes));
        Obb::new(center, axes, self.half_extents)
    }

    /// The smallest axis-aligned box around this one, rounded outward.
    pub fn aabb(&self) -> Aabb<T, 3> {
        let wide = self.wide();
        let farthest = wide.radius() + dot(wide.center, wide.center).sqrt();
        Aabb::outward(wide.center, wide.aabb_half_extents(), farthest * tolerance::WORLD_BOX_PAD)
    }

    pub(crate) fn wide(&self) -> WideObb {
        WideObb {
            center: wide_point(self.center),
            axes: wide_matrix(&self.axes),
            half_extents: self.half_extents.map(|h| h.wide()).into(),
        }
    }

    /// The stored bits: centre, half extents, axes.
    pub(crate) fn bits(&self) -> impl Iterator<Item = u64> {
        let mut values = [T::zero(); 15];
        values[..3].copy_from_slice(self.center.coords.as_slice());
        values[3..6].copy_from_slice(self.half_extents.as_slice());
        values[6..].copy_from_slice(self.axes.as_slice());
        values.into_iter().map(T::bits)
    }

    /// Returns `true` if this box is first in the total order by stored bits.
    #[inline(always)]
    pub(crate) fn precedes(&self, other: &Self) -> bool {
        let (x, y) = (self.center.x.bits(), other.center.x.bits());
        // The first word nearly always decides.
        if x != y { x < y } else { self.precedes_by_all_bits(other) }
    }

    #[cold]
    #[inline(never)]
    fn precedes_by_all_bits(&self, other: &Self) -> bool {
        self.bits().lt(other.bits())
    }
}

/// An oriented box as the kernels use it: in double precision, or one box a lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WideObb<D = f64> {
    pub center: Vec3<D>,
    pub axes: Mat3<D>,
    pub half_extents: Vec3<D>,
}

impl<D: Lanes> WideObb<D> {
    /// Half the main diagonal.
    #[inline(always)]
    pub fn radius(&self) -> D {
        dot(self.half_extents, self.half_extents).sqrt()
    }

    /// The box rotated, then moved by an offset.
    #[inline(always)]
    pub fn moved(&self, rotation: &Mat3<D>, offset: Vec3<D>) -> Self {
        WideObb {
            center: add(rotate(rotation, self.center), offset),
            axes: matrix_product(rotation, &self.axes),
            half_extents: self.half_extents,
        }
    }
}

impl WideObb {
    /// Makes the aligned box between two corners; its half extents reach the farther of both.
    pub fn aligned([low, high]: [Vec3; 2]) -> Self {
        let center = [0, 1, 2].map(|i| 0.5 * low[i] + 0.5 * high[i]);
        let half_extents = [0, 1, 2].map(|i| {
            let (up, down) = (high[i] - center[i], center[i] - low[i]);
            if down > up { down } else { up }
        });
        WideObb { center, axes: IDENTITY, half_extents }
    }

    /// Rounds to the stored type.
    pub fn narrow<T: Scalar>(&self) -> Obb<T> {
        Obb {
            center: nearest_point(self.center),
            axes: nearest_matrix(&self.axes),
            half_extents: nearest_point(self.half_extents).coords,
        }
    }

    /// Half extents of the axis-aligned box around it.
    #[inline]
    pub fn aabb_half_extents(&self) -> Vec3 {
        aabb_half_extents(&self.axes, self.half_extents)
    }

    #[inline]
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let sign = |i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
            let h = self.half_extents;
            let along = [sign(0) * h[0], sign(1) * h[1], sign(2) * h[2]];
            add(self.center, rotate(&self.axes, along))
        })
    }

    /// The box moved by a placement.
    #[inline]
    pub fn placed(&self, placement: &Placement) -> WideObb {
        self.moved(&placement.rotation, placement.position)
    }

    /// The support point: the corner farthest along `direction`.
    pub fn support(&self, direction: Vec3) -> Vec3 {
        let h = self.half_extents;
        let sign = |i: usize| if dot(self.axes[i], direction) < 0.0 { -h[i] } else { h[i] };
        add(self.center, rotate(&self.axes, [sign(0), sign(1), sign(2)]))
    }

    /// The projected radius along a direction, times the length of the direction.
    pub fn projected_radius(&self, direction: Vec3) -> f64 {
        let [x, y, z] = rotate_back(&self.axes, direction).map(f64::abs);
        x * self.half_extents[0] + y * self.half_extents[1] + z * self.half_extents[2]
    }

    /// The distance from `p` to the solid box, 0 inside.
    #[inline]
    pub fn distance(&self, p: Vec3) -> f64 {
        self.distance_squared(p).sqrt()
    }

    /// The squared distance from `p` to the solid box, 0 inside.
    #[inline]
    pub fn distance_squared(&self, p: Vec3) -> f64 {
        let from_center = sub(p, self.center);
        let mut outside = [0.0; 3];
        for (i, out) in outside.iter_mut().enumerate() {
            let beyond = dot(self.axes[i], from_center).abs() - self.half_extents[i];
            *out = if beyond > 0.0 { beyond } else { 0.0 };
        }
        dot(outside, outside)
    }

    /// The point of the box closest to `p`.
    #[inline]
    pub fn closest_point(&self, p: Vec3) -> Vec3 {
        self.world_point(self.clamp_local(self.local_point(p)))
    }

    /// Transforms a world point to the frame of the box.
    #[inline]
    fn local_point(&self, p: Vec3) -> Vec3 {
        rotate_back(&self.axes, sub(p, self.center))
    }

    /// Transforms a point in the frame of the box to the world.
    #[inline]
    fn world_point(&self, local: Vec3) -> Vec3 {
        add(self.center, rotate(&self.axes, local))
    }

    /// The point of the box closest to `local`, both in the frame of the box.
    #[inline]
    fn clamp_local(&self, local: Vec3) -> Vec3 {
        let h = self.half_extents;
        [0, 1, 2].map(|i| {
            let above = if local[i] < -h[i] { -h[i] } else { local[i] };
            if above > h[i] { h[i] } else { above }
        })
    }
}

impl<T: Scalar> TryFrom<Aabb<T, 3>> for Obb<T> {
    type Error = Error;

    /// Converts the box to an oriented one with identity axes; half extents are rounded up so that
    /// it contains the whole box.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN in `minimum` or `maximum`, in an empty box too;
    /// [`Error::Empty`] for an empty box; [`Error::NotFinite`] and [`Error::OutOfRange`] as
    /// [`Obb::new`].
    fn try_from(stored: Aabb<T, 3>) -> Result<Self, Error> {
        stored.check_not_nan([("minimum", 0), ("maximum", 0)])?;
        let Some(center) = stored.center() else { return Err(Error::Empty { field: "box" }) };
        let half = |i: usize, _| {
            let (low, middle, high) =
                (stored.min[i].wide(), center[i].wide(), stored.max[i].wide());
            let (up, down) = (high - middle, middle - low);
            T::at_least(if up > down { up } else { down })
        };
        Obb::new(center, Matrix3::identity(), Vector3::from_fn(half))
    }
}
