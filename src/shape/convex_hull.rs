//! Convex hulls of points.

use std::collections::HashSet;

use nalgebra::{Point3, Vector3};

use super::support_table::SupportTable;
use super::{Aabb, Pose, check_poses, nearest_point, wide_point};
use crate::error::Error;
use crate::num::exact::{self, exact};
use crate::num::linear::{Vec3, cross, dot, sub};
use crate::num::sorting::sorted_indices;
use crate::num::{Scalar, check_coordinates};
use crate::shape::Placement;

/// The convex hull of some points: all their weighted means. Closed, solid. Points in one plane, on
/// one line or all equal make a polygon, a segment or a point.
///
/// The corners are those given points that are not in the hull of the others, unchanged and in the
/// given order: no point is moved, so the hull is exact.
///
/// ```
/// use boxwood::ConvexHull;
/// use boxwood::nalgebra::{Point3, Vector3};
///
/// let (o, a) = ([0.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
/// let wedge = [o, a, [0.0, 2.0, 0.0], [0.0, 0.0, 2.0], [0.4, 0.4, 0.4]];
/// let wedge = ConvexHull::new(&wedge.map(Point3::from))?;
/// assert_eq!((wedge.corners().len(), wedge.triangles().len()), (4, 4)); // the last is inside
/// assert!(wedge.contains(Point3::new(0.5, 0.5, 0.5)) && !wedge.contains([1.0; 3].into()));
/// assert_eq!(wedge.support(Vector3::x()), Point3::new(2.0, 0.0, 0.0));
/// assert!((wedge.volume() - 4.0 / 3.0_f32).abs() < 1e-6);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexHull<T: Scalar> {
    corners: Vec<Point3<T>>,
    triangles: Vec<[u32; 3]>,
    /// Corners by direction, of a hull of many corners.
    support_table: Option<SupportTable>,
}

impl<T: Scalar> ConvexHull<T> {
    /// Largest number of points of a hull. The time is the square of the number of corners, as each
    /// point is tested exactly against every face: 16,384 corners take a second.
    pub const MAX_POINTS: usize = 16_384;

    /// The convex hull of some points.
    ///
    /// The side of a plane that a point is on is decided exactly. Source: the incremental algorithm
    /// of de Berg, Cheong, van Kreveld, Overmars, Computational Geometry (2008), 11.2, with each
    /// point tested against every face.
    ///
    /// # Errors
    /// [`Error::Empty`] without a point; [`Error::NotFinite`] and [`Error::OutOfRange`] naming the
    /// point; [`Error::WrongCount`] for more than [`ConvexHull::MAX_POINTS`].
    pub fn new(points: &[Point3<T>]) -> Result<Self, Error> {
        let mut hull = ConvexHull::without_table(points)?;
        let corners: Vec<Vec3> = hull.corners.iter().map(|&corner| wide_point(corner)).collect();
        hull.support_table = SupportTable::new(&corners);
        Ok(hull)
    }

    /// Returns the hull of some points like [`new`](Self::new), with slower support points: it is
    /// equal only to hulls that are built like it.
    pub(crate) fn without_table(points: &[Point3<T>]) -> Result<Self, Error> {
        if points.is_empty() {
            return Err(Error::Empty { field: "points" });
        }
        if points.len() > Self::MAX_POINTS {
            let (expected, found) = (Self::MAX_POINTS, points.len());
            return Err(Error::WrongCount { field: "points of a hull", expected, found });
        }
        for (index, point) in points.iter().enumerate() {
            check_coordinates(point.coords.as_slice(), "point", index)?;
        }
        let mut corners: Vec<Point3<T>> =
            distinct_indices(points).into_iter().map(|at| points[at as usize]).collect();
        // Repeats until every point is a corner, so that equal corners make equal hulls.
        loop {
            let wide: Vec<Vec3> = corners.iter().map(|&p| wide_point(p)).collect();
            let triangles =
                HullFaces::enclosing(&wide).map_or(Vec::new(), |faces| faces.triangles());
            let mut kept = triangles.concat();
            kept.sort_unstable();
            kept.dedup();
            if kept.is_empty() || kept.len() == corners.len() {
                return Ok(ConvexHull { corners, triangles, support_table: None });
            }
            corners = kept.into_iter().map(|at| corners[at as usize]).collect();
        }
    }

    /// The corners, in the order in which they were given.
    pub fn corners(&self) -> &[Point3<T>] {
        &self.corners
    }

    /// The faces in triangles, as indices of corners, counterclockwise seen from outside; empty for
    /// a hull without a volume.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns `true` if the hull contains the point, its surface included. Decided exactly. A hull
    /// without a volume contains only its corners.
    pub fn contains(&self, point: Point3<T>) -> bool {
        let p = wide_point(point);
        let outside = |t: &[u32; 3]| is_above(&t.map(|v| self.corner(v as usize)), p);
        match self.triangles.is_empty() {
            true => self.corners.contains(&point),
            false => !self.triangles.iter().any(outside),
        }
    }

    /// Returns the planes of the faces, to test many points.
    #[cfg(feature = "mjcf")]
    pub(crate) fn face_planes(&self) -> FacePlanes<'_, T> {
        let plane = |t: &[u32; 3]| FacePlane::through(&t.map(|v| self.corner(v as usize)));
        FacePlanes { hull: self, planes: self.triangles.iter().map(plane).collect() }
    }

    /// The corner farthest along `direction`, which need not be unit; the first of equals.
    pub fn support(&self, direction: Vector3<T>) -> Point3<T> {
        self.corners[self.support_index(wide_point(direction.into()))]
    }

    /// The volume.
    pub fn volume(&self) -> T {
        let from = self.corner(0);
        let six = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| sub(self.corner(v as usize), from));
            dot(a, cross(b, c))
        };
        T::nearest(self.triangles.iter().map(six).sum::<f64>() / 6.0)
    }

    /// The smallest axis-aligned box around it, exactly.
    pub fn aabb(&self) -> Aabb<T, 3> {
        Aabb::from_points(self.corners.iter().copied())
    }

    /// The hull of the corners moved by `pose`, rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        check_poses(std::slice::from_ref(pose), "pose")?;
        let placement = Placement::new(pose);
        let moved = |&corner: &Point3<T>| nearest_point(placement.point(wide_point(corner)));
        ConvexHull::new(&self.corners.iter().map(moved).collect::<Vec<_>>())
    }

    pub(crate) fn corner(&self, index: usize) -> Vec3 {
        wide_point(self.corners[index])
    }

    /// Returns the heap memory in bytes, spare capacity excluded.
    pub(crate) fn heap_bytes(&self) -> usize {
        let table = self.support_table.as_ref().map_or(0, SupportTable::heap_bytes);
        size_of_val(&self.corners[..]) + size_of_val(&self.triangles[..]) + table
    }

    /// Index of the corner farthest along a direction, the first of equals.
    #[inline]
    pub(crate) fn support_index(&self, direction: Vec3) -> usize {
        let candidates = self.support_table.as_ref().and_then(|table| table.candidates(direction));
        match candidates {
            Some(some) => self.farthest_of(some.iter().map(|&index| index as usize), direction),
            None => self.farthest_of(0..self.corners.len(), direction),
        }
    }

    /// Returns the first of the farthest of some corners along a direction.
    #[inline]
    fn farthest_of(&self, some: impl Iterator<Item = usize>, direction: Vec3) -> usize {
        let mut most = (f64::NEG_INFINITY, 0);
        for index in some {
            let along = dot(self.corner(index), direction);
            if along > most.0 {
                most = (along, index);
            }
        }
        most.1
    }
}

/// The planes of the faces of a hull, for testing many points: a test takes an eighth of the time
/// of [`ConvexHull::contains`], which computes the planes each time.
#[cfg(feature = "mjcf")]
pub(crate) struct FacePlanes<'h, T: Scalar> {
    hull: &'h ConvexHull<T>,
    planes: Vec<FacePlane>,
}

#[cfg(feature = "mjcf")]
impl<T: Scalar> FacePlanes<'_, T> {
    /// Returns `true` if the hull, which has a volume, contains the point: decided exactly.
    pub fn contains(&self, point: Point3<T>) -> bool {
        let p = wide_point(point);
        let corners = |face: usize| self.hull.triangles[face].map(|v| self.hull.corner(v as usize));
        let mut planes = self.planes.iter().enumerate();
        !planes.any(|(face, plane)| {
            plane.side(p).unwrap_or_else(|| side_exactly(&corners(face), p)) > 0
        })
    }
}

/// The indices of the distinct points, ascending.
fn distinct_indices<T: Scalar>(points: &[Point3<T>]) -> Vec<u32> {
    let mut sorted = sorted_indices(points.len(), &|a, b| {
        let (p, q) = (wide_point(points[a]), wide_point(points[b]));
        let by = |i: usize| p[i].total_cmp(&q[i]);
        by(0).then(by(1)).then(by(2))
    });
    sorted.dedup_by(|b, a| points[*a as usize] == points[*b as usize]);
    sorted.sort_unstable();
    sorted
}

/// Returns `true` if the point is above the plane of a triangle, which is counterclockwise seen
/// from above. Exact.
fn is_above(triangle: &[Vec3; 3], p: Vec3) -> bool {
    side(triangle, p) > 0
}

/// Returns 1 if the point is above, -1 if below, 0 if in the plane. Exact.
fn side(triangle: &[Vec3; 3], p: Vec3) -> i32 {
    FacePlane::through(triangle).side(p).unwrap_or_else(|| side_exactly(triangle, p))
}

/// The plane of a triangle, rounded.
#[derive(Debug, Clone, Copy)]
struct FacePlane {
    from: Vec3,
    normal: Vec3,
    /// Product of the sizes (1-norms) of two edges; the error of the normal is a share of it.
    size: f64,
}

impl FacePlane {
    fn through(&[a, b, c]: &[Vec3; 3]) -> Self {
        let [x, y] = [sub(b, a), sub(c, a)];
        FacePlane { from: a, normal: cross(x, y), size: one_norm(x) * one_norm(y) }
    }

    /// Returns 1 if the point is above, -1 if below; `None` if rounding could change the sign.
    #[inline]
    fn side(&self, p: Vec3) -> Option<i32> {
        let z = sub(p, self.from);
        let value = dot(self.normal, z);
        // Differences are rounded once, products of three factors and their sums six times.
        let error = self.size * one_norm(z) * (1.0 / (1u64 << 48) as f64);
        match value {
            v if v > error => Some(1),
            v if v < -error => Some(-1),
            _ => None,
        }
    }
}

fn one_norm(v: Vec3) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

#[cold]
fn side_exactly(triangle: &[Vec3; 3], p: Vec3) -> i32 {
    let ([a, b, c], p) = (triangle.map(exact), exact(p));
    let normal = exact::cross(&exact::sub(&b, &a), &exact::sub(&c, &a));
    exact::dot(&normal, &exact::sub(&p, &a)).sign() as i32
}

/// A face of the growing hull: the indices of its corners, and its plane.
struct HullFace {
    corners: [u32; 3],
    plane: FacePlane,
    /// `false` once a point was found above it.
    remains: bool,
}

/// The faces of the growing hull, in the order in which they were added.
struct HullFaces<'a> {
    points: &'a [Vec3],
    faces: Vec<HullFace>,
    /// Number of faces that no longer remain. They are removed when they are half of all: removing
    /// them for each point would take longer than the tests.
    dropped: usize,
}

impl<'a> HullFaces<'a> {
    /// Builds the hull of the points; `None` if they are in one plane.
    fn enclosing(points: &'a [Vec3]) -> Option<Self> {
        let first = initial_tetrahedron(points)?;
        let [a, b, c, d] = first;
        let up = side(&[a, b, c].map(|v| points[v as usize]), points[d as usize]) > 0;
        let [b, c] = if up { [c, b] } else { [b, c] };
        let mut faces = HullFaces { points, faces: Vec::new(), dropped: 0 };
        for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            faces.push(corners);
        }
        for point in 0..points.len() as u32 {
            if !first.contains(&point) {
                faces.add_point(point);
            }
        }
        Some(faces)
    }

    fn push(&mut self, corners: [u32; 3]) {
        let plane = FacePlane::through(&self.triangle(corners));
        self.faces.push(HullFace { corners, plane, remains: true });
    }

    fn triangle(&self, corners: [u32; 3]) -> [Vec3; 3] {
        corners.map(|v| self.points[v as usize])
    }

    /// Replaces the faces below the point by faces that join it to their outline. Faces whose plane
    /// contains the point remain.
    fn add_point(&mut self, point: u32) {
        let p = self.points[point as usize];
        let points = self.points;
        let is_seen = |face: &HullFace| {
            let side = face.plane.side(p);
            side.unwrap_or_else(|| side_exactly(&face.corners.map(|v| points[v as usize]), p)) > 0
        };
        let mut seen: Vec<[u32; 3]> = Vec::new();
        for face in self.faces.iter_mut().filter(|face| face.remains) {
            if is_seen(face) {
                face.remains = false;
                seen.push(face.corners);
            }
        }
        let edges = |face: &[u32; 3]| [0, 1, 2].map(|i| (face[i], face[(i + 1) % 3]));
        let all: HashSet<(u32, u32)> = seen.iter().flat_map(edges).collect();
        for (a, b) in seen.iter().flat_map(edges).filter(|&(a, b)| !all.contains(&(b, a))) {
            self.push([a, b, point]);
        }
        self.dropped += seen.len();
        if 2 * self.dropped > self.faces.len() {
            self.faces.retain(|face| face.remains);
            self.dropped = 0;
        }
    }

    /// Returns the corners of the faces that remain.
    fn triangles(&self) -> Vec<[u32; 3]> {
        self.faces.iter().filter(|face| face.remains).map(|face| face.corners).collect()
    }
}

/// Four points that are not in one plane, far apart where that costs nothing. `None` if there are
/// none.
fn initial_tetrahedron(points: &[Vec3]) -> Option<[u32; 4]> {
    let farthest = |far: &dyn Fn(Vec3) -> f64| {
        let mut most = (0.0, None);
        for (at, &p) in points.iter().enumerate() {
            let distance = far(p);
            if distance > most.0 {
                most = (distance, Some(at));
            }
        }
        most.1
    };
    let a = points[0];
    let b = farthest(&|p| dot(sub(p, a), sub(p, a)))?;
    let across = |p| cross(sub(points[b], a), sub(p, a));
    let c = farthest(&|p| dot(across(p), across(p)))?;
    let corners = [a, points[b], points[c]];
    let normal = across(points[c]);
    let d = farthest(&|p| dot(normal, sub(p, a)).abs()).filter(|&d| side(&corners, points[d]) != 0);
    // The farthest point may be out of the plane by rounding alone.
    let d = d.or_else(|| points.iter().position(|&p| side(&corners, p) != 0))?;
    Some([0, b as u32, c as u32, d as u32])
}
