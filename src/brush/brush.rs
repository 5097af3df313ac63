//! Convex solids bounded by planes.

use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use super::polytope::{HalfSpace, Polytope, PolytopeError};
use crate::error::Error;
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};
use crate::num::{Scalar, check_coordinates};
use crate::shape::{Aabb, Plane, wide_point};

/// Convex solid: the intersection of half-spaces, bounded and with an inside. Closed: its surface
/// belongs to it.
///
/// Level editors make maps of brushes. A brush is stored in double precision for every scalar of
/// the queries: planes rounded to single precision would no longer intersect in the same corners.
///
/// ```
/// use boxwood::brush::Brush;
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::Plane;
///
/// // A ramp: floor, back wall, two sides, and the slope on top.
/// let slope = Vector3::new(-3.0, 0.0, 4.0).normalize();
/// let planes = [
///     Plane::new(-Vector3::z_axis(), 0.0)?,
///     Plane::new(Vector3::x_axis(), 4.0)?,
///     Plane::new(Vector3::y_axis(), 1.0)?,
///     Plane::new(-Vector3::y_axis(), 1.0)?,
///     Plane::through(Point3::origin(), boxwood::nalgebra::Unit::new_normalize(slope))?,
/// ];
/// let ramp = Brush::from_planes(&planes)?;
/// assert_eq!((ramp.faces().count(), ramp.edges().count(), ramp.corners().len()), (5, 9, 6));
/// assert!((ramp.volume() - 12.0).abs() < 1e-6);
/// assert!(ramp.contains(Point3::new(4.0, 1.0, 3.0 - 1e-6)));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Brush {
    /// Shared by copies: a brush never changes.
    solid: Arc<Polytope>,
}

/// A face of a [`Brush`].
#[derive(Debug, Clone)]
pub struct BrushFace<'b> {
    brush: &'b Brush,
    index: usize,
}

/// Edge of a [`Brush`], shared by two of its faces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrushEdge {
    /// End points [length units].
    pub ends: [Point3<f64>; 2],
    /// Indices of the two faces.
    pub faces: [usize; 2],
}

impl Brush {
    /// Creates the brush behind all planes (`normal . x <= offset`). Planes that bound none of it,
    /// or only touch it, are left out.
    ///
    /// Normals are normalized in double precision. Two planes that differ by less than `2^-40` of
    /// the largest coordinate may become one.
    ///
    /// # Errors
    /// [`Error::UnboundedBrush`], naming a plane whose face is unbounded; [`Error::EmptyBrush`],
    /// naming a plane behind which nothing is left, or for a solid thinner than `2^-38` of the
    /// largest coordinate.
    pub fn from_planes<T: Scalar>(planes: &[Plane<T>]) -> Result<Brush, Error> {
        let half_spaces: Vec<HalfSpace> = planes.iter().map(half_space).collect();
        Brush::from_half_spaces(&half_spaces)
    }

    /// Creates the convex hull of the points, its planes rounded outward: no point is in front of
    /// one.
    ///
    /// The planes are the corners of the polar dual about the mean of the points (de Berg et al.,
    /// Computational Geometry, 8.2 and 11.4).
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`]; [`Error::EmptyBrush`] for points in one plane.
    ///
    /// ```
    /// use boxwood::brush::Brush;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let at = |x: f32, y: f32, z: f32| Point3::new(x, y, z);
    /// let points = [at(0., 0., 0.), at(1., 0., 0.), at(0., 1., 0.), at(0., 0., 1.)];
    /// let corner = Brush::from_points(&points)?;
    /// assert_eq!((corner.planes().len(), corner.corners().len()), (4, 4));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn from_points<T: Scalar>(points: &[Point3<T>]) -> Result<Brush, Error> {
        for (index, point) in points.iter().enumerate() {
            check_coordinates(point.coords.as_slice(), "point", index)?;
        }
        let points: Vec<Vec3> = points.iter().map(|&point| wide_point(point)).collect();
        let Some(center) = mean_point(&points) else { return Err(Error::EmptyBrush { plane: 0 }) };
        let size = points.iter().fold(0.0, |most: f64, &point| {
            let reach = length(sub(point, center));
            if reach > most { reach } else { most }
        });
        let polar = |point: &Vec3| {
            let way = sub(*point, center);
            let reach = length(way);
            // A point at the centre bounds nothing.
            (reach > size * 1e-9)
                .then(|| HalfSpace { normal: scale(way, 1.0 / reach), offset: size / reach })
        };
        let polars: Vec<HalfSpace> = points.iter().filter_map(polar).collect();
        // Coplanar points have an unbounded dual.
        let dual = Polytope::new(&polars).map_err(|_| Error::EmptyBrush { plane: 0 })?;
        let plane = |&corner: &Vec3| {
            let normal = scale(corner, 1.0 / length(corner));
            let reach = points.iter().map(|&point| dot(normal, point));
            let offset = reach.fold(f64::NEG_INFINITY, |most, x| if x > most { x } else { most });
            HalfSpace { normal, offset: offset + offset.abs() * (4.0 * f64::EPSILON) }
        };
        let planes: Vec<HalfSpace> = dual.corners.iter().map(plane).collect();
        Brush::from_half_spaces(&planes)
    }

    /// Creates the brush of an axis-aligned box.
    ///
    /// # Errors
    /// The errors of [`Brush::from_planes`].
    pub fn from_aabb<T: Scalar>(bounds: &Aabb<T, 3>) -> Result<Brush, Error> {
        let (min, max) = (wide_point(bounds.min), wide_point(bounds.max));
        check_coordinates(&min, "minimum", 0)?;
        check_coordinates(&max, "maximum", 0)?;
        let planes: [HalfSpace; 6] = std::array::from_fn(|i| {
            let mut normal = [0.0; 3];
            normal[i / 2] = if i % 2 == 0 { 1.0 } else { -1.0 };
            HalfSpace { normal, offset: if i % 2 == 0 { max[i / 2] } else { -min[i / 2] } }
        });
        Brush::from_half_spaces(&planes)
    }

    pub(crate) fn from_half_spaces(planes: &[HalfSpace]) -> Result<Brush, Error> {
        let refused = |why| match why {
            PolytopeError::Unbounded(plane) => Error::UnboundedBrush { plane },
            PolytopeError::Empty(plane) => Error::EmptyBrush { plane },
        };
        let solid = Polytope::new(planes).map(Arc::new);
        solid.map(|solid| Brush { solid }).map_err(refused)
    }

    /// Returns the planes that bound the brush, in the given order; their normals point outward.
    pub fn planes(&self) -> Vec<Plane<f64>> {
        let plane = |plane: &HalfSpace| {
            let normal = nalgebra::Unit::new_unchecked(Vector3::from(plane.normal));
            Plane::new(normal, plane.offset).expect("a unit normal")
        };
        self.solid.planes.iter().map(plane).collect()
    }

    /// Returns the index of each plane in the list given to [`Brush::from_planes`].
    pub fn source_indices(&self) -> &[usize] {
        &self.solid.source_indices
    }

    /// Returns the corners, rounded; three or more planes intersect in each.
    pub fn corners(&self) -> Vec<Point3<f64>> {
        self.solid.corners.iter().map(|&corner| Point3::from(corner)).collect()
    }

    /// Returns the faces, one per plane, in the order of [`Brush::planes`].
    pub fn faces(&self) -> impl Iterator<Item = BrushFace<'_>> {
        (0..self.solid.planes.len()).map(|index| BrushFace { brush: self, index })
    }

    /// Returns the edges, each once.
    pub fn edges(&self) -> impl Iterator<Item = BrushEdge> {
        self.solid.edges.iter().map(|edge| BrushEdge {
            ends: edge.corners.map(|corner| Point3::from(self.solid.corners[corner as usize])),
            faces: edge.faces.map(|face| face as usize),
        })
    }

    /// Returns the volume [cubic units]; exact where all corners are on a lattice.
    pub fn volume(&self) -> f64 {
        let corners = &self.solid.corners;
        let apex = corners[0];
        let mut six = 0.0;
        for face in 0..self.solid.planes.len() {
            let outline = self.solid.face(face);
            let first = sub(corners[outline[0] as usize], apex);
            for pair in outline[1..].windows(2) {
                let [b, c] = [pair[0], pair[1]].map(|i| sub(corners[i as usize], apex));
                six += dot(first, cross(b, c));
            }
        }
        six / 6.0
    }

    /// Returns `true` if the point is in the brush, its surface included; each plane is tested with
    /// the rounding of double precision.
    pub fn contains<T: Scalar>(&self, point: Point3<T>) -> bool {
        let point = wide_point(point);
        self.solid.planes.iter().all(|plane| plane.height(point) <= 0.0)
    }

    /// Returns an axis-aligned box around the brush, padded by the rounding of its corners.
    pub fn aabb(&self) -> Aabb<f64, 3> {
        let bounds = self.solid.bounds();
        Aabb::new(Point3::from(bounds.min), Point3::from(bounds.max))
    }

    pub(crate) fn half_spaces(&self) -> &[HalfSpace] {
        &self.solid.planes
    }

    pub(crate) fn polytope(&self) -> &Polytope {
        &self.solid
    }
}

impl<'b> BrushFace<'b> {
    /// Returns the index of the face, and of its plane in [`Brush::planes`].
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the outward unit normal.
    pub fn normal(&self) -> Vector3<f64> {
        Vector3::from(self.brush.solid.planes[self.index].normal)
    }

    /// Returns the corners, counter-clockwise seen from outside.
    pub fn corners(&self) -> impl Iterator<Item = Point3<f64>> + use<'b> {
        let solid = &self.brush.solid;
        solid.face(self.index).iter().map(|&corner| Point3::from(solid.corners[corner as usize]))
    }

    /// Returns the area [square units].
    pub fn area(&self) -> f64 {
        let corners: Vec<Point3<f64>> = self.corners().collect();
        let twice = corners[1..].windows(2).fold(Vector3::zeros(), |sum, pair| {
            sum + (pair[0] - corners[0]).cross(&(pair[1] - corners[0]))
        });
        0.5 * twice.norm()
    }
}

/// Converts a plane, its normal normalized in double precision.
fn half_space<T: Scalar>(plane: &Plane<T>) -> HalfSpace {
    let wide = plane.wide();
    // A normal that is unit up to rounding stays as it is, so that planes survive a round trip.
    if (dot(wide.normal, wide.normal) - 1.0).abs() <= 4.0 * f64::EPSILON {
        return HalfSpace { normal: wide.normal, offset: wide.offset };
    }
    HalfSpace { normal: scale(wide.normal, 1.0 / wide.length), offset: wide.offset / wide.length }
}

fn mean_point(points: &[Vec3]) -> Option<Vec3> {
    let sum = points.iter().fold([0.0; 3], |sum, &point| add(sum, point));
    (!points.is_empty()).then(|| scale(sum, 1.0 / points.len() as f64))
}
