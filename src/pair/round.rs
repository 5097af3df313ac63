//! Rounded shapes, a core grown by a radius: overlap, closest points and contact of every pair.

use super::block::Block;
use super::near::{Between, Line, Middle, Near};
use super::part::Parting;
use super::triangles::Corners;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale};
use crate::shape::{Aabb, Capsule, Obb, Segment, Sphere, Triangle, wide_point};

/// Rounded shape: all points within a radius of its core.
pub(crate) trait Round {
    type Middle: Middle;
    /// Returns the core; `None` if the shape is empty.
    fn middle(&self) -> Option<Self::Middle>;
    fn radius(&self) -> f64 {
        0.0
    }
    /// Orders two shapes of one kind by their stored bits only.
    fn precedes(&self, other: &Self) -> bool;
}

/// Closest points and distance in double precision.
pub(crate) type WideClosest = (Vec3, Vec3, f64);

/// Closest points of a pair with an empty shape.
pub(super) const NOWHERE: WideClosest = ([f64::NAN; 3], [f64::NAN; 3], f64::INFINITY);

/// Point, normal and depth of a contact in double precision.
pub(crate) type WideTouch = (Vec3, Vec3, f64);

/// Returns `true` if two shapes share a point.
#[inline]
pub(crate) fn intersects<A: Round, B: Round>(a: &A, b: &B) -> bool
where
    A::Middle: Between<B::Middle>,
{
    let (Some(middle_a), Some(middle_b)) = (a.middle(), b.middle()) else { return false };
    let reach = a.radius() + b.radius();
    if reach > 0.0 {
        middle_a.near(&middle_b).squared <= reach * reach
    } else {
        middle_a.meets(&middle_b)
    }
}

/// Returns the closest points of two shapes: NaN at infinite distance if one is empty.
#[inline]
pub(crate) fn closest<A: Round, B: Round>(a: &A, b: &B) -> WideClosest
where
    A::Middle: Between<B::Middle>,
{
    let (Some(middle_a), Some(middle_b)) = (a.middle(), b.middle()) else {
        return NOWHERE;
    };
    let radii = [a.radius(), b.radius()];
    match radii[0] + radii[1] > 0.0 {
        true => {
            let near = middle_a.near(&middle_b);
            ends((near, beyond(&near, radii[0] + radii[1])), radii)
        }
        false => ends(middle_a.near_and_apart(&middle_b), radii),
    }
}

/// Returns the closest points on the surfaces, from those of the cores, the verdict that the shapes
/// are disjoint, and the radii.
#[inline]
pub(super) fn ends((near, apart): (Near, bool), [radius_a, radius_b]: [f64; 2]) -> WideClosest {
    let reach = radius_a + radius_b;
    if !apart {
        let share = if reach > 0.0 { radius_a / reach } else { 0.5 };
        let both = add(near.on_a, scale(near.offset, share));
        return (both, both, 0.0);
    }
    let length = near.squared.sqrt();
    let on_a = add(near.on_a, scale(near.offset, share(radius_a, length)));
    let on_b = add(near.on_b(), scale(near.offset, -share(radius_b, length)));
    (on_a, on_b, left(length, reach))
}

/// Returns the distance of [`closest`] without the points.
#[inline]
pub(crate) fn distance<A: Round, B: Round>(a: &A, b: &B) -> f64
where
    A::Middle: Between<B::Middle>,
{
    let (Some(middle_a), Some(middle_b)) = (a.middle(), b.middle()) else { return f64::INFINITY };
    let reach = a.radius() + b.radius();
    let near = if reach > 0.0 { Some(middle_a.near(&middle_b)) } else { middle_a.apart(&middle_b) };
    match near {
        Some(near) if beyond(&near, reach) => left(near.squared.sqrt(), reach),
        _ => 0.0,
    }
}

/// Returns `true` if cores at this distance belong to disjoint shapes. Without radii the caller has
/// decided that already.
#[inline]
fn beyond(near: &Near, reach: f64) -> bool {
    reach == 0.0 || near.squared > reach * reach
}

/// Returns the distance of the surfaces of disjoint shapes: positive, even where rounding cancels
/// it.
#[inline]
pub(super) fn left(length: f64, reach: f64) -> f64 {
    let distance = length - reach;
    if distance > 0.0 { distance } else { f64::MIN_POSITIVE }
}

#[inline]
fn share(radius: f64, length: f64) -> f64 {
    if radius > 0.0 { radius / length } else { 0.0 }
}

/// Returns the contact of two shapes; `None` if they are disjoint.
#[inline]
pub(crate) fn touch<A: Round, B: Round>(a: &A, b: &B) -> Option<WideTouch>
where
    A::Middle: Parting<B::Middle>,
{
    let (middle_a, middle_b) = (a.middle()?, b.middle()?);
    let (near, reach) = (middle_a.near(&middle_b), a.radius() + b.radius());
    let together = match reach > 0.0 {
        true => near.squared <= reach * reach,
        false => !middle_a.surely_apart(&middle_b, &near) && middle_a.meets(&middle_b),
    };
    if !together {
        return None;
    }
    let size = middle_a.reach(near.on_a) + middle_b.reach(near.on_a);
    let (on_a, normal, depth) = if near.squared > size * size * NOISE {
        let length = near.squared.sqrt();
        (near.on_a, scale(near.offset, 1.0 / length), reach - length)
    } else {
        let (normal, depth) = middle_a.way(&middle_b);
        (middle_a.deepest(normal, &near), normal, depth + reach)
    };
    let depth = if depth > 0.0 { depth } else { 0.0 };
    Some((add(on_a, scale(normal, a.radius() - 0.5 * depth)), normal, depth))
}

/// Squared distance below which cores count as overlapping, as a share of their squared sizes: the
/// direction of their offset is noise there.
const NOISE: f64 = 1.0 / (1u128 << 80) as f64;

impl<T: Scalar> Round for Sphere<T, 3> {
    type Middle = Vec3;
    #[inline]
    fn middle(&self) -> Option<Vec3> {
        Some(wide_point(self.center()))
    }
    #[inline]
    fn radius(&self) -> f64 {
        Sphere::radius(self).wide()
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        let bits = |s: &Self| {
            let c = s.center();
            [c.x.bits(), c.y.bits(), c.z.bits(), Sphere::radius(s).bits()]
        };
        bits(self) < bits(other)
    }
}

impl<T: Scalar> Round for Capsule<T> {
    type Middle = Line;
    #[inline]
    fn middle(&self) -> Option<Line> {
        Some(self.segment().wide())
    }
    #[inline]
    fn radius(&self) -> f64 {
        Capsule::radius(self).wide()
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        let bits = |c: &Self| (bits_of(&c.segment()), Capsule::radius(c).bits());
        bits(self) < bits(other)
    }
}

fn bits_of<T: Scalar>(segment: &Segment<T>) -> [[u64; 3]; 2] {
    [segment.a(), segment.b()].map(|p| [p.x.bits(), p.y.bits(), p.z.bits()])
}

impl<T: Scalar> Round for Segment<T> {
    type Middle = Line;
    #[inline]
    fn middle(&self) -> Option<Line> {
        Some(self.wide())
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        bits_of(self) < bits_of(other)
    }
}

impl<T: Scalar> Round for Triangle<T> {
    type Middle = Corners;
    #[inline]
    fn middle(&self) -> Option<Corners> {
        Some(self.wide().corners)
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        let bits = |t: &Self| t.corners().map(|p| [p.x.bits(), p.y.bits(), p.z.bits()]);
        bits(self) < bits(other)
    }
}

impl<T: Scalar> Round for Aabb<T, 3> {
    type Middle = Block;
    #[inline]
    fn middle(&self) -> Option<Block> {
        Block::aligned(self)
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        let bits = |b: &Self| [b.min, b.max].map(|p| [p.x.bits(), p.y.bits(), p.z.bits()]);
        bits(self) < bits(other)
    }
}

impl<T: Scalar> Round for Obb<T> {
    type Middle = Block;
    #[inline]
    fn middle(&self) -> Option<Block> {
        Some(Block::oriented(self))
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        Obb::precedes(self, other)
    }
}
