//! Response of a moving body to walls: bouncing, sliding, pushing out.
//!
//! Pure functions of vectors, without shapes and without state. A sweep computes when and where a
//! body hits a wall: [`Sweep`](crate::pair::Sweep),
//! [`ObbTree::shape_cast`](crate::tree::ObbTree::shape_cast). This module computes its new
//! velocity, or its displacement if it overlaps the wall.
//!
//! - [`reflect`]: velocity after a bounce. [`slide`]: velocity along walls. [`is_approaching`].
//! - [`push_out`]: shortest translation out of walls that overlap.
//!
//! # Direction of normals
//! A normal here is unit and points **out of the wall, towards the mover**: a velocity `v` goes
//! into the wall if `v.n < 0`. The normal of a [`CastHit`] already does: [`Wall::of_hit`]. That of
//! a [`Contact`] points from the first shape to the second instead; [`Wall::of_contact`] converts
//! it, given which of the two shapes moves.
//! ```
//! use boxwood::nalgebra::{Point3, Vector3};
//! use boxwood::pair::Sweep;
//! use boxwood::response::{Wall, reflect, slide};
//! use boxwood::{Sphere, Triangle};
//!
//! let floor = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]].map(Point3::from);
//! let floor = Triangle::new(floor[0], floor[1], floor[2])?;
//! let ball = Sphere::new(Point3::new(0.0, 2.0, 0.0), 1.0)?;
//! let velocity = Vector3::new(1.0, -2.0, 0.0);
//! let hit = ball.sweep(velocity, &floor).expect("on the way");
//! let wall = Wall::of_hit(&hit);
//! assert!((wall.normal - Vector3::y()).norm() < 1e-6);
//! let bounced = reflect(velocity, wall.normal, 0.5, 0.0)?;
//! assert!((bounced - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-6);
//! assert!((slide(velocity, &[wall.normal])? - Vector3::x()).norm() < 1e-6);
//! # Ok::<(), boxwood::Error>(())
//! ```

use std::cmp::Ordering;

use nalgebra::Vector3;

use crate::error::Error;
use crate::num::linear::{Vec3, add, cross, dot, length, orthogonal_part, scale, sub};
use crate::num::{Scalar, check_coordinates, check_size, checked_size, tolerance};
use crate::pair::{CastHit, Contact};

/// Least sine of two normals that define a crease. Walls more nearly parallel count as one: a
/// vector along one is along the other.
const MIN_CREASE_SINE: f64 = MAX_APPROACH;

/// Share of its length by which a velocity must go into a wall to count: less is the rounding of a
/// velocity that slides along it.
const MAX_APPROACH: f64 = 1e-12;

/// The shape of a contact that moves; the other one is the wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mover {
    /// The shape passed as `self`, or `a`.
    First,
    /// The other shape.
    Second,
}

/// A wall that a body touches or overlaps: its normal and how deep the body is in it.
///
/// ```
/// use boxwood::Sphere;
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::response::{Mover, Wall};
///
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// let contact = ball(0.0)?.contact(&ball(1.5)?).expect("they touch");
/// let wall = Wall::of_contact(&contact, Mover::First); // the first moves, the second is the wall
/// assert_eq!((wall.normal, wall.depth), (-Vector3::x(), 0.5));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall<T: Scalar> {
    /// The unit normal, out of the wall, towards the mover.
    pub normal: Vector3<T>,
    /// The distance along the normal to where the two only touch. Units, never negative.
    pub depth: T,
}

impl<T: Scalar> Wall<T> {
    /// The wall of a contact, whose normal points from first to second.
    pub fn of_contact(contact: &Contact<T, 3>, mover: Mover) -> Self {
        let normal = match mover {
            Mover::First => -contact.normal,
            Mover::Second => contact.normal,
        };
        Wall { normal, depth: contact.depth }
    }

    /// The wall that a moving shape hits: of a sweep, of a shape cast, of a cast among brushes. Its
    /// depth is 0, as a hit has none: use the contact for a start inside.
    ///
    /// ```
    /// use boxwood::Sphere;
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::pair::Sweep;
    /// use boxwood::response::Wall;
    ///
    /// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
    /// let hit = ball(0.0)?.sweep(Vector3::new(8.0, 0.0, 0.0), &ball(5.0)?).expect("on the way");
    /// assert_eq!(Wall::of_hit(&hit).normal, -Vector3::x());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    ///
    /// A contact does not compile, as its normal points from first to second, and neither does the
    /// hit of a ray, which moves nothing:
    ///
    /// ```compile_fail,E0308
    /// use boxwood::Sphere;
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::response::Wall;
    ///
    /// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
    /// let contact = ball(0.0)?.contact(&ball(1.5)?).expect("they touch");
    /// Wall::of_hit(&contact);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    ///
    /// ```compile_fail,E0308
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::response::Wall;
    /// use boxwood::{Ray, Sphere};
    ///
    /// let ray = Ray::through(Point3::origin(), Point3::new(8.0, 0.0, 0.0))?.expect("two points");
    /// let hit = ray.cast(&Sphere::new(Point3::new(4.0, 0.0, 0.0), 1.0)?).expect("in the way");
    /// Wall::of_hit(&hit);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn of_hit<R>(hit: &CastHit<T, 3, R>) -> Self {
        Wall { normal: hit.normal, depth: T::zero() }
    }
}

/// Returns `true` if a body with that velocity goes into the wall: `v.n < 0`. A body that moves
/// along the wall, or not at all, does not approach; `false` for NaN.
///
/// ```
/// use boxwood::nalgebra::Vector3;
/// use boxwood::response::is_approaching;
///
/// let floor = Vector3::y();
/// assert!(is_approaching(Vector3::new(1.0, -0.1, 0.0), floor));
/// assert!(!is_approaching(Vector3::new(1.0, 0.0, 0.0), floor));
/// ```
pub fn is_approaching<T: Scalar>(velocity: Vector3<T>, normal: Vector3<T>) -> bool {
    dot(wide(velocity), wide(normal)) < 0.0
}

/// Computes the velocity after a bounce: the part along the normal is reversed and scaled by
/// `restitution`, the part along the wall is reduced by the share `friction`,
/// `v' = vt (1 - friction) - restitution vn`. Returns the velocity unchanged, bit for bit, unless
/// it [approaches](is_approaching).
///
/// `restitution` 1 loses nothing, 0 stays at the wall; `friction` 0 is ice, 1 stops all motion
/// along the wall. Source: Newton's law of impact; Ericson, Real-Time Collision Detection (2005),
/// 5.5, leaves the response to the reader.
///
/// # Errors
/// [`Error::NotFinite`], [`Error::OutOfRange`] for the velocity, and for a restitution or a
/// friction above 1; [`Error::Negative`] for one below 0; [`Error::NotUnit`] for the normal.
///
/// ```
/// use boxwood::nalgebra::Vector3;
/// use boxwood::response::reflect;
///
/// let (fall, floor) = (Vector3::new(4.0, -2.0, 0.0), Vector3::y());
/// assert_eq!(reflect(fall, floor, 1.0, 0.0)?, Vector3::new(4.0, 2.0, 0.0));
/// assert_eq!(reflect(fall, floor, 0.5, 0.25)?, Vector3::new(3.0, 1.0, 0.0));
/// assert_eq!(reflect(-fall, floor, 0.5, 0.25)?, -fall); // on its way up already
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn reflect<T: Scalar>(
    velocity: Vector3<T>,
    normal: Vector3<T>,
    restitution: impl Into<f64>,
    friction: impl Into<f64>,
) -> Result<Vector3<T>, Error> {
    let v = checked_vector(velocity, "velocity")?;
    let n = checked_unit(normal, 0)?;
    let restitution = checked_share::<T>(restitution, "restitution")?;
    let friction = checked_share::<T>(friction, "friction")?;
    let speed = dot(v, n);
    if speed >= 0.0 {
        return Ok(velocity);
    }
    let into = scale(n, speed);
    let along = sub(v, into);
    Ok(narrow(sub(scale(along, 1.0 - friction), scale(into, restitution))))
}

/// Computes the velocity nearest to `velocity` that goes into none of the walls: of all `x` with
/// `n.x >= 0` for every normal the one with the least `|x - v|`. It never gains energy. It is along
/// one wall, along the crease of two, or zero in a corner.
///
/// The result is the exact projection on that cone: `v` itself if it goes into no wall by more than
/// 1e-12 of its length; else its projection on the plane of one wall, or on the crease
/// `c = n_i x n_j` of two whose sine is at least 1e-12; else 0. It does not depend on the order of
/// the normals, bit for bit. It is rounded to `T`, which may rotate it into a wall by that
/// rounding. The time is the third power of the number of normals. Source: Dykstra, An algorithm
/// for restricted least squares regression (1983) has the projection in general; the cases are the
/// faces of a cone in space.
///
/// # Errors
/// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`], naming the normal.
///
/// ```
/// use boxwood::nalgebra::Vector3;
/// use boxwood::response::slide;
///
/// let (floor, wall) = (Vector3::y(), -Vector3::x());
/// let velocity = Vector3::new(1.0, -1.0, 3.0);
/// assert_eq!(slide(velocity, &[floor])?, Vector3::new(1.0, 0.0, 3.0));
/// assert_eq!(slide(velocity, &[floor, wall])?, Vector3::new(0.0, 0.0, 3.0)); // the crease
/// assert_eq!(slide(velocity, &[floor, wall, -Vector3::z()])?, Vector3::zeros()); // a corner
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn slide<T: Scalar>(velocity: Vector3<T>, normals: &[Vector3<T>]) -> Result<Vector3<T>, Error> {
    let v = checked_vector(velocity, "velocity")?;
    for (index, &normal) in normals.iter().enumerate() {
        checked_unit(normal, index)?;
    }
    let units: Vec<Vec3> = normals.iter().map(|&normal| unit(wide(normal))).collect();
    Ok(nearest_free(v, &units, MAX_APPROACH).map_or(velocity, narrow))
}

/// Like [`slide`], in double precision; `None` if no wall is in the way. A vector counts as free if
/// it goes into a wall by at most `along` of its length.
pub(crate) fn nearest_free(v: Vec3, units: &[Vec3], along: f64) -> Option<Vec3> {
    let bar = -along * length(v);
    let is_free = |x: Vec3| units.iter().all(|&n| dot(n, x) >= bar);
    if is_free(v) {
        return None;
    }
    let mut best = NearestCandidate { to: v, found: [0.0; 3] };
    let on_planes = units.iter().map(|&n| sub(v, scale(n, dot(v, n))));
    on_planes.filter(|&x| is_free(x)).for_each(|x| best.offer(x));
    for (i, &a) in units.iter().enumerate() {
        for &b in &units[i + 1..] {
            let crease = crease_direction(a, b).map(|c| scale(c, dot(c, v)));
            crease.filter(|&x| is_free(x)).into_iter().for_each(|x| best.offer(x));
        }
    }
    Some(best.found)
}

/// The candidate nearest to a vector, the first by coordinates for a tie, so that the order of the
/// candidates does not matter.
struct NearestCandidate {
    to: Vec3,
    found: Vec3,
}

impl NearestCandidate {
    fn offer(&mut self, x: Vec3) {
        let (off, best) = (sub(x, self.to), sub(self.found, self.to));
        let (off, best) = (dot(off, off), dot(best, best));
        if off < best || off == best && x < self.found {
            self.found = x;
        }
    }
}

/// Returns the unit direction of the crease of two walls, equal for either order; `None` if they
/// are nearly parallel. Orthogonal to both normals up to rounding, however small their sine.
fn crease_direction(a: Vec3, b: Vec3) -> Option<Vec3> {
    let (a, b) = if b < a { (b, a) } else { (a, b) };
    perpendicular_in_plane(a, b).map(|(y, _)| cross(a, y))
}

/// Returns the unit vector orthogonal to `a` in the plane of both, towards `b`, and the sine;
/// `None` if they are nearly parallel.
fn perpendicular_in_plane(a: Vec3, b: Vec3) -> Option<(Vec3, f64)> {
    let across = orthogonal_part(b, a);
    let sine = length(across);
    (sine >= MIN_CREASE_SINE).then(|| (unit(orthogonal_part(scale(across, 1.0 / sine), a)), sine))
}

/// The result of [`push_out`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PushOut<T: Scalar> {
    /// The translation of the mover. Units.
    pub displacement: Vector3<T>,
    /// The largest remaining depth in a wall, up to the rounding of the displacement: zero unless
    /// the mover is squeezed. Units.
    pub remaining: T,
}

/// Largest length of a push, in multiples of the greatest depth.
const MAX_PUSH: f64 = 16.0;

/// Number of halvings of the remaining depth of a squeezed mover.
const MAX_HALVINGS: usize = 50;

/// Computes the shortest translation that moves the mover out of all walls: of all `x` with
/// `n.x >= depth` for every wall the one with the least `|x|`. It is along one normal, in the plane
/// of two, or defined by three.
///
/// Walls count as planes: between two that face each other, or meet at a sharp angle, there is no
/// such `x`, or only a long one. If `|x|` would exceed 16 times the greatest depth, the mover is
/// squeezed: all depths are then reduced by the least amount for which `x` exists, returned as
/// [`PushOut::remaining`] (found by 50 halvings). Between two parallel walls the mover ends up in
/// the middle.
///
/// The result does not depend on the order of the walls, bit for bit. The time is the fourth power
/// of the number of walls: pass only those of one moment. Source: the least point of a polyhedron
/// by its faces, edges and corners; Ericson, Real-Time Collision Detection (2005), 5.4.4, for the
/// intersection of three planes.
///
/// # Errors
/// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] naming the normal;
/// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] naming the depth.
///
/// ```
/// use boxwood::nalgebra::Vector3;
/// use boxwood::response::{Wall, push_out};
///
/// let floor = Wall { normal: Vector3::y(), depth: 0.5_f32 };
/// let wall = Wall { normal: Vector3::x(), depth: 0.25 };
/// let out = push_out(&[floor, wall])?;
/// assert_eq!((out.displacement, out.remaining), (Vector3::new(0.25, 0.5, 0.0), 0.0));
///
/// let ceiling = Wall { normal: -Vector3::y(), depth: 0.25 };
/// let squeezed = push_out(&[floor, ceiling])?;
/// assert!((squeezed.remaining - 0.375).abs() < 1e-6); // as deep in the floor as in the ceiling
/// assert!((squeezed.displacement.y - 0.125).abs() < 1e-6);
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn push_out<T: Scalar>(walls: &[Wall<T>]) -> Result<PushOut<T>, Error> {
    let mut planes = Vec::with_capacity(walls.len());
    for (index, wall) in walls.iter().enumerate() {
        let normal = checked_unit(wall.normal, index)?;
        check_size(wall.depth, "depth").map_err(|error| with_index(error, index))?;
        planes.push((normal, wall.depth.wide()));
    }
    planes.sort_by(compare_planes);
    planes.dedup();
    let most = planes.iter().fold(0.0, |most, p| if p.1 > most { p.1 } else { most });
    if let Some(x) = shortest_push(&planes, 0.0, most) {
        return Ok(PushOut { displacement: narrow(x), remaining: T::zero() });
    }
    let (mut low, mut high, mut found) = (0.0, most, [0.0; 3]);
    for _ in 0..MAX_HALVINGS {
        let middle = 0.5 * (low + high);
        match shortest_push(&planes, middle, most) {
            Some(x) => (high, found) = (middle, x),
            None => low = middle,
        }
    }
    Ok(PushOut { displacement: narrow(found), remaining: T::at_least(high) })
}

/// A wall's unit normal and its depth.
type DepthPlane = (Vec3, f64);

fn compare_planes(a: &DepthPlane, b: &DepthPlane) -> Ordering {
    let key = |p: &DepthPlane| [p.0[0], p.0[1], p.0[2], p.1];
    let pairs = key(a).into_iter().zip(key(b));
    pairs.fold(Ordering::Equal, |order, (x, y)| order.then(x.total_cmp(&y)))
}

/// Returns the shortest translation out of walls whose depths are reduced by `less`; `None` if
/// there is none, or if it is too long for the greatest depth.
fn shortest_push(planes: &[DepthPlane], less: f64, most: f64) -> Option<Vec3> {
    let bar = MAX_APPROACH * most;
    let mut best: Option<(f64, Vec3)> = None;
    let mut offer = |x: Vec3| {
        let size = length(x);
        let sooner = best.is_none_or(|(least, _)| size < least);
        let free = || planes.iter().all(|(n, depth)| dot(*n, x) >= depth - less - bar);
        if size <= MAX_PUSH * most && sooner && free() {
            best = Some((size, x));
        }
    };
    offer([0.0; 3]);
    for (i, &(a, depth)) in planes.iter().enumerate() {
        let by_one = scale(a, depth - less);
        offer(by_one);
        for (j, &(b, depth)) in planes.iter().enumerate().skip(i + 1) {
            let Some((y, sine)) = perpendicular_in_plane(a, b) else { continue };
            let by_two = add(by_one, scale(y, (depth - less - dot(b, by_one)) / sine));
            offer(by_two);
            let z = cross(a, y);
            for &(c, depth) in &planes[j + 1..] {
                let sine = dot(c, z);
                if sine.abs() >= MIN_CREASE_SINE {
                    offer(add(by_two, scale(z, (depth - less - dot(c, by_two)) / sine)));
                }
            }
        }
    }
    best.map(|(_, x)| x)
}

fn wide<T: Scalar>(v: Vector3<T>) -> Vec3 {
    [v.x.wide(), v.y.wide(), v.z.wide()]
}

fn narrow<T: Scalar>(v: Vec3) -> Vector3<T> {
    Vector3::from(v.map(T::nearest))
}

fn unit(v: Vec3) -> Vec3 {
    scale(v, 1.0 / length(v))
}

/// Checks that a vector is finite and in range, and converts it to double precision.
fn checked_vector<T: Scalar>(v: Vector3<T>, field: &'static str) -> Result<Vec3, Error> {
    check_coordinates(v.as_slice(), field, 0)?;
    Ok(wide(v))
}

/// Checks that a normal is of length one, and normalises it in double precision.
fn checked_unit<T: Scalar>(normal: Vector3<T>, index: usize) -> Result<Vec3, Error> {
    check_coordinates(normal.as_slice(), "normal", index)?;
    let length = length(wide(normal));
    match (length - 1.0).abs() <= tolerance::UNIT {
        true => Ok(unit(wide(normal))),
        false => Err(Error::NotUnit { field: "normal", index, length }),
    }
}

/// Checks that a number is from 0 to 1.
fn checked_share<T: Scalar>(share: impl Into<f64>, field: &'static str) -> Result<f64, Error> {
    let share = T::nearest(checked_size::<T>(share, field)?).wide();
    match share <= 1.0 {
        true => Ok(share),
        false => Err(Error::OutOfRange { field, index: 0, limit: 1.0 }),
    }
}

/// Sets the element's index in an error.
fn with_index(error: Error, at: usize) -> Error {
    match error {
        Error::NotFinite { field, .. } => Error::NotFinite { field, index: at },
        Error::OutOfRange { field, limit, .. } => Error::OutOfRange { field, index: at, limit },
        Error::Negative { field, .. } => Error::Negative { field, index: at },
        other => other,
    }
}
