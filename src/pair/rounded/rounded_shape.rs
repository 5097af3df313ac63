//! Rounded shapes, a core grown by a radius: overlap, closest points and contact of every pair.

use super::cores::{ClosestOnCores, CorePair, CoreSegment, CoreShape};
use super::penetration::Penetration;
use super::slack_box::SlackBox;
use super::triangle_exact::TriangleCorners;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale};
use crate::shape::{Aabb, Capsule, Obb, Segment, Sphere, Triangle, wide_point};

/// Rounded shape: all points within a radius of its core.
pub(crate) trait RoundedShape {
    type Core: CoreShape;
    /// Returns the core; `None` if the shape is empty.
    fn core(&self) -> Option<Self::Core>;
    fn radius(&self) -> f64 {
        0.0
    }
    /// Orders two shapes of one kind by their stored bits only.
    fn precedes(&self, other: &Self) -> bool;
}

/// Closest points and distance in double precision.
pub(crate) type WideClosest = (Vec3, Vec3, f64);

/// Closest points of a pair with an empty shape.
pub(in crate::pair) const EMPTY_CLOSEST: WideClosest =
    ([f64::NAN; 3], [f64::NAN; 3], f64::INFINITY);

/// Point, normal and depth of a contact in double precision.
pub(crate) type WideContact = (Vec3, Vec3, f64);

/// Returns `true` if two shapes share a point.
#[inline]
pub(crate) fn intersects<A: RoundedShape, B: RoundedShape>(a: &A, b: &B) -> bool
where
    A::Core: CorePair<B::Core>,
{
    let (Some(middle_a), Some(middle_b)) = (a.core(), b.core()) else { return false };
    let radius_sum = a.radius() + b.radius();
    if radius_sum > 0.0 {
        middle_a.closest(&middle_b).squared <= radius_sum * radius_sum
    } else {
        middle_a.overlaps(&middle_b)
    }
}

/// Returns the closest points of two shapes: NaN at infinite distance if one is empty.
#[inline]
pub(crate) fn closest<A: RoundedShape, B: RoundedShape>(a: &A, b: &B) -> WideClosest
where
    A::Core: CorePair<B::Core>,
{
    let (Some(middle_a), Some(middle_b)) = (a.core(), b.core()) else {
        return EMPTY_CLOSEST;
    };
    let radii = [a.radius(), b.radius()];
    match radii[0] + radii[1] > 0.0 {
        true => {
            let near = middle_a.closest(&middle_b);
            surface_points((near, exceeds_radii(&near, radii[0] + radii[1])), radii)
        }
        false => surface_points(middle_a.closest_and_disjoint(&middle_b), radii),
    }
}

/// Returns the closest points on the surfaces, from those of the cores, the verdict that the shapes
/// are disjoint, and the radii.
#[inline]
pub(in crate::pair) fn surface_points(
    (near, apart): (ClosestOnCores, bool),
    [radius_a, radius_b]: [f64; 2],
) -> WideClosest {
    let radius_sum = radius_a + radius_b;
    if !apart {
        let share = if radius_sum > 0.0 { radius_a / radius_sum } else { 0.5 };
        let both = add(near.on_a, scale(near.offset, share));
        return (both, both, 0.0);
    }
    let length = near.squared.sqrt();
    let on_a = add(near.on_a, scale(near.offset, radius_share(radius_a, length)));
    let on_b = add(near.on_b(), scale(near.offset, -radius_share(radius_b, length)));
    (on_a, on_b, surface_distance(length, radius_sum))
}

/// Returns the distance of [`closest`] without the points.
#[inline]
pub(crate) fn distance<A: RoundedShape, B: RoundedShape>(a: &A, b: &B) -> f64
where
    A::Core: CorePair<B::Core>,
{
    let (Some(middle_a), Some(middle_b)) = (a.core(), b.core()) else { return f64::INFINITY };
    let radius_sum = a.radius() + b.radius();
    let near = if radius_sum > 0.0 {
        Some(middle_a.closest(&middle_b))
    } else {
        middle_a.closest_if_disjoint(&middle_b)
    };
    match near {
        Some(near) if exceeds_radii(&near, radius_sum) => {
            surface_distance(near.squared.sqrt(), radius_sum)
        }
        _ => 0.0,
    }
}

/// Returns `true` if cores at this distance belong to disjoint shapes. Without radii the caller has
/// decided that already.
#[inline]
fn exceeds_radii(near: &ClosestOnCores, radius_sum: f64) -> bool {
    radius_sum == 0.0 || near.squared > radius_sum * radius_sum
}

/// Returns the distance of the surfaces of disjoint shapes: positive, even where rounding cancels
/// it.
#[inline]
pub(in crate::pair) fn surface_distance(length: f64, radius_sum: f64) -> f64 {
    let distance = length - radius_sum;
    if distance > 0.0 { distance } else { f64::MIN_POSITIVE }
}

#[inline]
fn radius_share(radius: f64, length: f64) -> f64 {
    if radius > 0.0 { radius / length } else { 0.0 }
}

/// Returns the contact of two shapes; `None` if they are disjoint.
#[inline]
pub(crate) fn contact<A: RoundedShape, B: RoundedShape>(a: &A, b: &B) -> Option<WideContact>
where
    A::Core: Penetration<B::Core>,
{
    let (middle_a, middle_b) = (a.core()?, b.core()?);
    let (near, reach) = (middle_a.closest(&middle_b), a.radius() + b.radius());
    let together = match reach > 0.0 {
        true => near.squared <= reach * reach,
        false => !middle_a.is_surely_disjoint(&middle_b, &near) && middle_a.overlaps(&middle_b),
    };
    if !together {
        return None;
    }
    let size = middle_a.radius_about(near.on_a) + middle_b.radius_about(near.on_a);
    let (on_a, normal, depth) = if near.squared > size * size * DIRECTION_ERROR_SQUARED {
        let length = near.squared.sqrt();
        (near.on_a, scale(near.offset, 1.0 / length), reach - length)
    } else {
        let (normal, depth) = middle_a.least_translation(&middle_b);
        (middle_a.deepest_point(normal, &near), normal, depth + reach)
    };
    let depth = if depth > 0.0 { depth } else { 0.0 };
    Some((add(on_a, scale(normal, a.radius() - 0.5 * depth)), normal, depth))
}

/// Squared distance below which cores count as overlapping, as a share of their squared sizes: the
/// direction of their offset is noise there.
const DIRECTION_ERROR_SQUARED: f64 = 1.0 / (1u128 << 80) as f64;

impl<T: Scalar> RoundedShape for Sphere<T, 3> {
    type Core = Vec3;
    #[inline]
    fn core(&self) -> Option<Vec3> {
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

impl<T: Scalar> RoundedShape for Capsule<T> {
    type Core = CoreSegment;
    #[inline]
    fn core(&self) -> Option<CoreSegment> {
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

impl<T: Scalar> RoundedShape for Segment<T> {
    type Core = CoreSegment;
    #[inline]
    fn core(&self) -> Option<CoreSegment> {
        Some(self.wide())
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        bits_of(self) < bits_of(other)
    }
}

impl<T: Scalar> RoundedShape for Triangle<T> {
    type Core = TriangleCorners;
    #[inline]
    fn core(&self) -> Option<TriangleCorners> {
        Some(self.wide().corners)
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        let bits = |t: &Self| t.corners().map(|p| [p.x.bits(), p.y.bits(), p.z.bits()]);
        bits(self) < bits(other)
    }
}

impl<T: Scalar> RoundedShape for Aabb<T, 3> {
    type Core = SlackBox;
    #[inline]
    fn core(&self) -> Option<SlackBox> {
        SlackBox::aligned(self)
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        let bits = |b: &Self| [b.min, b.max].map(|p| [p.x.bits(), p.y.bits(), p.z.bits()]);
        bits(self) < bits(other)
    }
}

impl<T: Scalar> RoundedShape for Obb<T> {
    type Core = SlackBox;
    #[inline]
    fn core(&self) -> Option<SlackBox> {
        Some(SlackBox::oriented(self))
    }
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        Obb::precedes(self, other)
    }
}
