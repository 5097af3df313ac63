//! Separation: a direction, and a short distance along it that separates two bodies.
//!
//! The distance along one direction is that of their last contact:
//! [`Passage`](crate::tree::Passage). The search starts from the direction of the last frame, if
//! given, and from the directions of least overlap of convex hulls or root boxes, among them the
//! axes of boxes, which flat bodies usually separate along. It descends from the best of them: each
//! last contact yields a supporting plane of the Minkowski difference, and the point beyond all
//! planes so far that is nearest to the origin is the next direction. So the answer ends on the
//! face of the last contact, not on a direction near its normal. Source: Je, Tang, Lee, Lee, Kim,
//! PolyDepth (2012), which likewise projects onto the contact space.
//!
//! The last contact along a direction is the expensive step. A direction that the contacts found so
//! far prove to be no better is skipped, so that the number of last contacts stays small.
//! Small meshes are searched as [lists](crate::tree::pair::mesh_lists) of triangles, whose boxes
//! are computed anew for each direction; other bodies by their trees.

use nalgebra::{Point3, Unit, Vector3};

use super::first_contact::ShiftContact;
use super::passage::{ShiftedContact, TranslationQuery};
use super::push::{DirectionSet, Push, WidePush};
use super::witness_cache::WitnessCache;
use crate::error::Error;
use crate::hull::SupportHeights;
use crate::num::linear::{Mat3, Vec3, add, cross, dot, length, rotate, rotate_back, scale};
use crate::num::{Scalar, precompiled};
use crate::tree::{Accuracy, NodeId, TreePair, TreeScratch};

/// Number of descent steps from a starting direction. More steps yield shorter separations; each
/// costs as much as another direction.
const DESCENT_STEPS: usize = 2;

/// Number of starting directions of least overlap to consider. Most are skipped by witnesses.
const START_DIRECTIONS: usize = 4;

/// Number of starting directions to try.
const TRIED_STARTS: usize = 3;

/// Least relative gain that is worth another starting direction: the descent usually gains more.
const START_GAIN: f64 = 0.05;

/// The preferred direction wins if its separation is at most this many times the shortest.
const PREFERENCE_FACTOR: f64 = 1.25;

/// Least relative gain that is worth a descent step: above the rounding of stored directions in
/// single precision. With 0.002 a direction 3.6 degrees from the normal of a face was kept.
const MIN_GAIN: f64 = 1e-6;

/// Directions whose cosine exceeds this are not both tried.
const MAX_COSINE: f64 = 0.9;

/// Number of sampled directions: those with integer coordinates, sum of squares at most
/// [`MAX_SQUARES`], and both directions of the axes of boxes.
const SAMPLED_DIRECTIONS: usize = INTEGER_DIRECTIONS + 6 * BOX_COUNT;
const MAX_SQUARES: i32 = 6;
const INTEGER_DIRECTIONS: usize = 74;

/// Number of boxes whose axes are sampled: the root boxes of two trees that touch. Boxes of leaves
/// are not: which leaves are found to touch depends on the traversal.
pub(crate) const BOX_COUNT: usize = 2;

/// A short translation that separates two bodies.
///
/// With the second moved by `normal * t`, for any `t` of at least `depth`, the tested bodies share
/// no point. This holds in real numbers: the pose of the moved body is rounded, so move it a little
/// further where that matters.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Build, Geometry, Obb, ObbTree, Push};
/// use boxwood::tree::{TreePair, TreeScratch};
///
/// // Two unit cubes, 0.7 apart along x.
/// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
/// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.7, 0.0, 0.0));
/// let pair = TreePair::new(&tree, &here, &tree, &there)?;
/// let way = pair.separation(&Push::least(), &mut TreeScratch::default())?.expect("they touch");
/// assert_eq!(way.normal, Vector3::x_axis());
/// assert!((way.depth - 0.3).abs() < 1e-6);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Separation<T: Scalar, R = NodeId> {
    /// Leaf of the first that separates last; among several that of the primitive with the least
    /// index.
    pub a: R,
    /// Leaf of the second that separates last.
    pub b: R,
    /// Direction in which to move the second.
    pub normal: Unit<Vector3<T>>,
    /// Distance to move it, rounded up and never negative. [world units]
    pub depth: T,
    /// Lower bound on the length of any translation that separates the two, in whichever direction,
    /// rounded down [world units]. Zero unless the push is [bounded](Push::bounded) and a point was
    /// found well inside one of the two, which is a solid mesh or made of boxes.
    pub at_least: T,
    /// Point of the first that separates last. [world frame]
    pub on_a: Point3<T>,
    /// Point of the second that separates last, before the move. [world frame]
    pub on_b: Point3<T>,
}

impl<T: Scalar, R: Copy> Separation<T, R> {
    /// Returns the separation with the two swapped.
    pub fn reversed(&self) -> Self {
        let Separation { a, b, normal, on_a, on_b, .. } = *self;
        Separation { a: b, b: a, normal: -normal, on_a: on_b, on_b: on_a, ..*self }
    }

    /// Returns the separation with other identifiers.
    pub(crate) fn with_ids<S>(&self, a: S, b: S) -> Separation<T, S> {
        let Separation { normal, depth, at_least, on_a, on_b, .. } = *self;
        Separation { a, b, normal, depth, at_least, on_a, on_b }
    }

    pub(crate) fn new(normal: Vec3, last: ShiftedContact<T, R>, at_least: T) -> Self {
        let ShiftedContact { shift, a, b, on_a, on_b } = last;
        // Rounding may make the shift of bodies that barely touch negative.
        let depth = if shift.wide() > 0.0 { shift } else { T::zero() };
        let normal = Unit::new_unchecked(Vector3::from(normal.map(T::nearest)));
        Separation { a, b, normal, depth, at_least, on_a, on_b }
    }
}

precompiled! {
    fn separation<'a, T>(
        pair: &'a TreePair<'a, T>,
        push: &'a Push<T>,
        scratch: &'a mut TreeScratch,
    ) -> Option<Separation<T>> {
        pair.separation_checked(push, scratch)
    }
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Computes a short translation of the second that separates the two; `None` if they share no
    /// point, by the exact test, insides included.
    ///
    /// The translation is certainly long enough, see [`Separation`]. In [any](Push::least)
    /// direction it is most often the shortest, which no search in bounded time can guarantee.
    ///
    /// Swapped trees and the opposite direction of the push give the
    /// [reversed](Separation::reversed) answer, bit for bit, except for two equal trees in one
    /// pose.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for the push.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Build, Geometry, Obb, ObbTree, Push};
    /// # use boxwood::tree::{TreePair, TreeScratch};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.7, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// let mut scratch = TreeScratch::default();
    /// let up = pair.separation(&Push::along(Vector3::y_axis()), &mut scratch)?;
    /// let up = up.expect("they touch");
    /// assert!((up.depth - 1.0).abs() < 1e-6); // longer than the 0.3 along x
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn separation(
        &self,
        push: &Push<T>,
        scratch: &mut TreeScratch,
    ) -> Result<Option<Separation<T>>, Error> {
        push.check()?;
        Ok(separation(self, push, scratch))
    }

    /// Like [`TreePair::separation`], for a valid push.
    pub(crate) fn separation_checked(
        &self,
        push: &Push<T>,
        scratch: &mut TreeScratch,
    ) -> Option<Separation<T>> {
        if !self.touches_at(Accuracy::Exact, scratch) {
            return None;
        }
        let (normal, last) = self.separation_of_touching(push, false, scratch)?;
        let at_least = push.separation_lower_bound(self, [last.on_a, last.on_b], scratch);
        Some(Separation::new(normal, last, at_least))
    }

    /// Returns the direction of the separation of two trees that touch, and the last contact along
    /// it. `are_placed`: the scratch memory has the [lists](TreePair::place_lists) of both.
    pub(in crate::tree) fn separation_of_touching(
        &self,
        push: &Push<T>,
        are_placed: bool,
        scratch: &mut TreeScratch,
    ) -> Option<(Vec3, ShiftedContact<T>)> {
        let (witnesses, reversed) = (WitnessCache::new(0), self.ordered_pair().swapped);
        let is_listed = are_placed || self.place_lists(&mut scratch.mesh_lists, scratch.simd);
        let mut bodies = TreeSeparation { pair: self, reversed, scratch, witnesses, is_listed };
        let best = search_separation::<T>(&mut bodies, &push.wide(reversed))?;
        let last = bodies.query_against(best.normal).contact(&best.contact.contact);
        let normal = if reversed { scale(best.normal, -1.0) } else { best.normal };
        Some((normal, last.negated()))
    }
}

impl<T: Scalar> TreePair<'_, T> {
    /// Returns the axes of both root boxes, in canonical order. [world frame]
    pub(crate) fn box_axes(&self) -> [Mat3; BOX_COUNT] {
        let ordered = self.ordered_pair();
        let (trees, placements) = ([ordered.first.tree, ordered.second.tree], self.placements());
        [0, 1].map(|side| {
            let solid = trees[side].nodes[0].oriented.wide();
            solid.axes.map(|axis| rotate(&placements[side].rotation, axis))
        })
    }
}

/// Two bodies, the second to be moved, in canonical order.
pub(crate) trait SeparationPair {
    /// Returns the last contact along a direction; `None` if they never touch. If the distance is
    /// at least `enough`, any distance from `enough` on may be returned. [world units]
    fn last_contact(&mut self, normal: Vec3, enough: f64) -> Option<LastContact>;
    /// Returns the supporting plane at the last contact: its normal, and the distance along it to
    /// move the second beyond the plane.
    fn supporting_plane(&self, best: &Incumbent) -> Option<(Vec3, f64)>;
    /// Returns `true` if witnesses of other directions prove that the distance is at least `shift`.
    fn is_at_least(&mut self, normal: Vec3, shift: f64) -> bool;
    /// Returns the axes of the root boxes of two trees that touch. [world frame]
    fn box_axes(&self) -> [Mat3; BOX_COUNT];
    /// Estimates the overlap along each direction, by convex hulls or boxes. [world units]
    fn estimate_overlaps(&mut self, normals: &[Vec3], overlaps: &mut [f64]);
}

/// Last contact along a direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LastContact {
    pub shift: f64,
    /// Index of the pair of trees that separates last, and its primitives.
    pub pair: u32,
    pub contact: ShiftContact,
}

/// Best direction found so far, with its last contact.
#[derive(Clone, Copy)]
pub(crate) struct Incumbent {
    pub normal: Vec3,
    pub contact: LastContact,
}

/// Searches a short translation that separates two bodies that touch.
pub(crate) fn search_separation<T: Scalar>(
    bodies: &mut impl SeparationPair,
    push: &WidePush,
) -> Option<Incumbent> {
    if let DirectionSet::Along(normal) = push.directions {
        return try_direction(bodies, normal, f64::INFINITY);
    }
    let near = push.preferred.and_then(|near| push.nearest_allowed::<T>(near));
    let near = near.and_then(|normal| try_direction(bodies, normal, f64::INFINITY));
    let kept = near.map(|best| descend::<T>(bodies, push, best));
    let (mut best, mut tried_count): (Option<Incumbent>, usize) = (None, 0);
    for normal in starting_directions::<T>(bodies, push).into_iter().flatten() {
        let shortest = [kept, best].into_iter().flatten().map(|best| best.contact.shift);
        let shortest = shortest.fold(f64::INFINITY, |a, b| if b < a { b } else { a });
        let useful = shortest * (1.0 - START_GAIN);
        if shortest < f64::INFINITY && bodies.is_at_least(normal, useful) {
            continue;
        }
        if tried_count == TRIED_STARTS {
            break;
        }
        tried_count += 1;
        let tried = try_direction(bodies, normal, shortest);
        let tried = tried.filter(|tried| tried.contact.shift < shortest);
        best = tried.or(best);
    }
    let best = best.map(|best| descend::<T>(bodies, push, best));
    match (kept, best) {
        (Some(kept), Some(best)) => {
            let stays = kept.contact.shift <= PREFERENCE_FACTOR * best.contact.shift;
            Some(if stays { kept } else { best })
        }
        (kept, best) => kept.or(best),
    }
}

fn shorter(one: Incumbent, other: Incumbent) -> Incumbent {
    if other.contact.shift < one.contact.shift { other } else { one }
}

fn try_direction(bodies: &mut impl SeparationPair, normal: Vec3, enough: f64) -> Option<Incumbent> {
    bodies.last_contact(normal, enough).map(|contact| Incumbent { normal, contact })
}

/// Returns the starting directions: the axis of the cone, and those along which the bodies overlap
/// least.
fn starting_directions<T: Scalar>(
    bodies: &mut impl SeparationPair,
    push: &WidePush,
) -> [Option<Vec3>; START_DIRECTIONS + 1] {
    let mut normals = [[0.0; 3]; SAMPLED_DIRECTIONS];
    let mut count = 0;
    let mut sample = |direction: Vec3| {
        if let Some(normal) = push.nearest_allowed::<T>(direction) {
            normals[count] = normal;
            count += 1;
        }
    };
    // Axes first: of equal overlaps the first is tried.
    for axis in bodies.box_axes().into_iter().flatten() {
        sample(axis);
        sample(scale(axis, -1.0));
    }
    SAMPLES.into_iter().for_each(sample);
    let mut overlaps = [0.0; SAMPLED_DIRECTIONS];
    bodies.estimate_overlaps(&normals[..count], &mut overlaps[..count]);
    let mut least = [None; START_DIRECTIONS + 1];
    if let DirectionSet::Within(axis, _) = push.directions {
        least[0] = push.nearest_allowed::<T>(axis);
    }
    let mut is_far = [true; SAMPLED_DIRECTIONS];
    for index in 0..START_DIRECTIONS {
        let chosen = least[index];
        let mut first: Option<(Vec3, f64)> = None;
        for ((normal, &overlap), is_far) in normals[..count].iter().zip(&overlaps).zip(&mut is_far)
        {
            *is_far = *is_far && chosen.is_none_or(|chosen| dot(*normal, chosen) < MAX_COSINE);
            if *is_far && first.is_none_or(|(_, least)| overlap < least) {
                first = Some((*normal, overlap));
            }
        }
        least[index + 1] = first.map(|(normal, _)| normal);
    }
    least
}

/// Sampled directions with integer coordinates.
const SAMPLES: [Vec3; INTEGER_DIRECTIONS] = {
    let (mut samples, mut count, mut bits) = ([[0.0; 3]; INTEGER_DIRECTIONS], 0, 0);
    while bits < 125 {
        let [x, y, z] = [bits / 25 - 2, bits / 5 % 5 - 2, bits % 5 - 2];
        let squares = x * x + y * y + z * z;
        if squares >= 1 && squares <= MAX_SQUARES && squares != 4 {
            samples[count] = [x as f64, y as f64, z as f64];
            count += 1;
        }
        bits += 1;
    }
    samples
};

/// Descends from a direction to shorter translations.
fn descend<T: Scalar>(
    bodies: &mut impl SeparationPair,
    push: &WidePush,
    from: Incumbent,
) -> Incumbent {
    let (mut best, mut faces) = (from, SupportingPlanes::default());
    faces.push(push, bodies.supporting_plane(&from));
    for _ in 0..DESCENT_STEPS {
        let Some(point) = faces.nearest_point() else { break };
        if length(point) >= best.contact.shift * (1.0 - MIN_GAIN) {
            break;
        }
        let Some(normal) = push.nearest_allowed::<T>(point) else { break };
        if bodies.is_at_least(normal, best.contact.shift) {
            break;
        }
        let Some(next) = try_direction(bodies, normal, f64::INFINITY) else { break };
        faces.push(push, bodies.supporting_plane(&next));
        best = shorter(best, next);
    }
    best
}

/// Supporting planes beyond which the second has to be moved: unit normals, and distances along
/// them.
#[derive(Default)]
struct SupportingPlanes {
    planes: [(Vec3, f64); DESCENT_STEPS + 1],
    len: usize,
}

impl SupportingPlanes {
    fn push(&mut self, push: &WidePush, face: Option<(Vec3, f64)>) {
        let Some((normal, along)) = face else { return };
        let normal = push.project_normal(normal);
        let size = length(normal);
        if size > 0.0 && self.len < self.planes.len() {
            self.planes[self.len] = (scale(normal, 1.0 / size), along / size);
            self.len += 1;
        }
    }

    /// Returns the point beyond all planes that is nearest to the origin: it lies on one, two or
    /// three of them.
    fn nearest_point(&self) -> Option<Vec3> {
        let faces = &self.planes[..self.len];
        let mut nearest: Option<Vec3> = None;
        let mut take = |point: Option<Vec3>| {
            let Some(point) = point else { return };
            let error = 1e-9 * length(point);
            let beyond = faces.iter().all(|(n, c)| dot(*n, point) >= c - error);
            let closer = nearest.is_none_or(|old| dot(point, point) < dot(old, old));
            if beyond && closer {
                nearest = Some(point);
            }
        };
        for (i, one) in faces.iter().enumerate() {
            take(Some(scale(one.0, one.1)));
            for (j, two) in faces.iter().enumerate().skip(i + 1) {
                take(point_on_two(one, two));
                faces[j + 1..].iter().for_each(|three| take(point_on_three(one, two, three)));
            }
        }
        nearest
    }
}

/// Returns the point on two planes nearest to the origin; `None` for parallel planes.
fn point_on_two((n, c): &(Vec3, f64), (m, d): &(Vec3, f64)) -> Option<Vec3> {
    let cosine = dot(*n, *m);
    let square = 1.0 - cosine * cosine;
    (square > 1e-12).then(|| {
        let (p, q) = ((c - d * cosine) / square, (d - c * cosine) / square);
        add(scale(*n, p), scale(*m, q))
    })
}

/// Returns the common point of three planes; `None` unless there is exactly one.
fn point_on_three(
    (n, c): &(Vec3, f64),
    (m, d): &(Vec3, f64),
    (k, e): &(Vec3, f64),
) -> Option<Vec3> {
    let [mk, kn, nm] = [cross(*m, *k), cross(*k, *n), cross(*n, *m)];
    let volume = dot(*n, mk);
    (volume.abs() > 1e-9).then(|| {
        let sum = add(add(scale(mk, *c), scale(kn, *d)), scale(nm, *e));
        scale(sum, 1.0 / volume)
    })
}

/// Two trees in canonical order.
struct TreeSeparation<'p, 'a, T: Scalar> {
    pair: &'p TreePair<'a, T>,
    /// `true` if the tree given first is moved, the other way.
    reversed: bool,
    scratch: &'p mut TreeScratch,
    witnesses: WitnessCache,
    /// `true` if the scratch memory has the lists of both meshes.
    is_listed: bool,
}

impl<'p, 'a, T: Scalar> TreeSeparation<'p, 'a, T> {
    /// Returns the query that shifts the second against the direction.
    fn query_against(&self, normal: Vec3) -> TranslationQuery<'p, 'a, T> {
        TranslationQuery::new(self.pair, if self.reversed { normal } else { scale(normal, -1.0) })
    }
}

impl<T: Scalar> SeparationPair for TreeSeparation<'_, '_, T> {
    fn last_contact(&mut self, normal: Vec3, enough: f64) -> Option<LastContact> {
        let back = self.query_against(normal);
        let (leaves, len) = self.witnesses.leaves(0);
        let contact = if self.is_listed {
            back.first_listed_contact(-enough, &leaves[..len], self.scratch)?
        } else {
            let always = f64::NEG_INFINITY..=f64::INFINITY;
            back.first_contact_or_below(always, -enough, &leaves[..len], self.scratch)?
        };
        self.witnesses.store(0, contact);
        Some(LastContact { shift: -contact.shift, pair: 0, contact })
    }

    fn supporting_plane(&self, best: &Incumbent) -> Option<(Vec3, f64)> {
        let face = self.query_against(best.normal).contact_face(&best.contact.contact);
        face.map(|(v, along)| (if self.reversed { scale(v, -1.0) } else { v }, along))
    }

    fn is_at_least(&mut self, normal: Vec3, shift: f64) -> bool {
        let back = self.query_against(normal);
        let witnesses = self.witnesses.witnesses().map(|(_, contact)| contact);
        back.any_touches_by(witnesses, -shift, self.scratch)
    }

    fn box_axes(&self) -> [Mat3; BOX_COUNT] {
        self.pair.box_axes()
    }

    fn estimate_overlaps(&mut self, normals: &[Vec3], overlaps: &mut [f64]) {
        let ordered = self.pair.ordered_pair();
        let (ordered, placements) = ([&ordered.first, &ordered.second], self.pair.placements());
        let mut local = [[0.0; 3]; SAMPLED_DIRECTIONS];
        overlaps.fill(0.0);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let placement = &placements[side];
            for (local, &normal) in local.iter_mut().zip(normals) {
                *local = rotate_back(&placement.rotation, scale(normal, sign));
            }
            let local = &local[..normals.len()];
            let mut projected_radii = [0.0; SAMPLED_DIRECTIONS];
            let heights = &mut projected_radii[..normals.len()];
            let tree = ordered[side].tree;
            let center = match tree.hulls.hull(0) {
                Some(hull) => {
                    let corners = &hull.corners;
                    SupportHeights { corners, directions: local, heights }.find(self.scratch.simd);
                    corners.center
                }
                None => {
                    let solid = tree.nodes[0].oriented.wide();
                    for (projected_radius, &direction) in heights.iter_mut().zip(local) {
                        *projected_radius = solid.projected_radius(direction);
                    }
                    solid.center
                }
            };
            let center = add(rotate(&placement.rotation, center), placement.position);
            for ((overlap, &normal), &reach) in overlaps.iter_mut().zip(normals).zip(&*heights) {
                *overlap += reach + sign * dot(normal, center);
            }
        }
    }
}
