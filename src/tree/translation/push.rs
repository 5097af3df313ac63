//! Pushes: sets of directions in which one body may be moved to separate it from another.

use nalgebra::{Point3, Unit, Vector3};

use crate::error::Error;
use crate::num::linear::{Vec3, add, dot, length, scale, sub};
use crate::num::{Scalar, check_unit};
use crate::shape::wide_point;
use crate::tree::{TreePair, TreeScratch};

/// Set of directions in which the second of two bodies may be pushed to separate it from the first.
///
/// ```
/// use boxwood::Push;
/// use boxwood::nalgebra::Vector3;
///
/// let along = Push::along(Vector3::x_axis()); // exactly this way
/// let knockback = Push::within(Vector3::x_axis(), 0.5); // no more than 60 degrees from it
/// let ground = Push::across(Vector3::y_axis()); // along the ground, where y is up
/// let steady = Push::least().near(Vector3::z_axis()); // as in the last frame, if near
/// # let _: [Push; 4] = [along, knockback, ground, steady];
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push<T: Scalar> {
    directions: DirectionSet<Unit<Vector3<T>>>,
    preferred: Option<Unit<Vector3<T>>>,
    bounded: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::tree) enum DirectionSet<D> {
    Least,
    Along(D),
    Within(D, f64),
    Across(D),
}

impl<T: Scalar> Push<T> {
    /// Allows any direction, for the shortest push found.
    pub fn least() -> Self {
        Push { directions: DirectionSet::Least, preferred: None, bounded: false }
    }

    /// Allows only that direction.
    pub fn along(direction: Unit<Vector3<T>>) -> Self {
        Push { directions: DirectionSet::Along(direction), preferred: None, bounded: false }
    }

    /// Allows directions whose angle with that one has a cosine of at least `cosine`, up to
    /// rounding: a knockback.
    pub fn within(direction: Unit<Vector3<T>>, cosine: impl Into<f64>) -> Self {
        Push {
            directions: DirectionSet::Within(direction, cosine.into()),
            preferred: None,
            bounded: false,
        }
    }

    /// Allows directions perpendicular to `up`, up to rounding: along the ground.
    pub fn across(up: Unit<Vector3<T>>) -> Self {
        Push { directions: DirectionSet::Across(up), preferred: None, bounded: false }
    }

    /// Prefers a direction close to this one, such as the last frame's
    /// [`normal`](crate::tree::Separation::normal), while the push is at most 1.25 times as long as
    /// the shortest one found. `None` for no preference.
    pub fn near(self, normal: impl Into<Option<Unit<Vector3<T>>>>) -> Self {
        Push { preferred: normal.into(), ..self }
    }

    /// Requests a lower bound, [`at_least`](crate::tree::Separation::at_least), which takes extra
    /// time.
    pub fn bounded(self) -> Self {
        Push { bounded: true, ..self }
    }

    /// Returns the lower bound, or zero unless the push is bounded; takes the points that separate
    /// last.
    pub(crate) fn separation_lower_bound(
        &self,
        pair: &TreePair<'_, T>,
        [on_a, on_b]: [Point3<T>; 2],
        scratch: &mut TreeScratch,
    ) -> T {
        if !self.bounded {
            return T::zero();
        }
        let points = if pair.ordered_pair().swapped { [on_b, on_a] } else { [on_a, on_b] };
        T::at_most(pair.separation_lower_bound(points, scratch))
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.directions {
            DirectionSet::Along(direction) | DirectionSet::Across(direction) => {
                check_unit(&direction, "direction")?
            }
            DirectionSet::Within(direction, cosine) => {
                check_unit(&direction, "direction")?;
                if !cosine.is_finite() {
                    return Err(Error::NotFinite { field: "cosine", index: 0 });
                }
                if cosine.abs() > 1.0 {
                    return Err(Error::OutOfRange { field: "cosine", index: 0, limit: 1.0 });
                }
            }
            DirectionSet::Least => {}
        }
        self.preferred.map_or(Ok(()), |near| check_unit(&near, "near"))
    }

    /// Converts the push to double precision; `reversed` if the first body is moved.
    pub(crate) fn wide(&self, reversed: bool) -> WidePush {
        let wide = |v: Unit<Vector3<T>>| {
            let v = wide_point(v.into_inner().into());
            if reversed { scale(v, -1.0) } else { v }
        };
        let directions = match self.directions {
            DirectionSet::Least => DirectionSet::Least,
            DirectionSet::Along(direction) => DirectionSet::Along(wide(direction)),
            DirectionSet::Within(direction, cosine) => {
                DirectionSet::Within(wide(direction), cosine)
            }
            // Not negated: a direction and its negative are normals of the same plane.
            DirectionSet::Across(up) => DirectionSet::Across(wide_point(up.into_inner().into())),
        };
        WidePush { directions, preferred: self.preferred.map(wide) }
    }
}

/// A push in double precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WidePush {
    pub(in crate::tree) directions: DirectionSet<Vec3>,
    pub(in crate::tree) preferred: Option<Vec3>,
}

impl WidePush {
    /// Returns the nearest allowed direction, rounded as it will be stored; `None` if there is
    /// none.
    pub(in crate::tree) fn nearest_allowed<T: Scalar>(&self, direction: Vec3) -> Option<Vec3> {
        let direction = match self.directions {
            DirectionSet::Least => direction,
            DirectionSet::Along(only) => return Some(only),
            DirectionSet::Within(axis, cosine) => {
                let (size, along) = (length(direction), dot(direction, axis));
                if along < cosine * size {
                    on_cone(axis, cosine, sub(direction, scale(axis, along / dot(axis, axis))))?
                } else {
                    direction
                }
            }
            DirectionSet::Across(up) => projected_across(direction, up),
        };
        let unit = normalized(direction)?;
        // Rounded: the length of a stored direction differs from 1, and shifts are multiples of it.
        Some(unit.map(|x| T::nearest(x).wide()))
    }

    /// Projects a face's normal onto the plane of allowed directions, if there is one.
    pub(in crate::tree) fn project_normal(&self, normal: Vec3) -> Vec3 {
        match self.directions {
            DirectionSet::Across(up) => projected_across(normal, up),
            _ => normal,
        }
    }
}

fn projected_across(v: Vec3, up: Vec3) -> Vec3 {
    sub(v, scale(up, dot(v, up) / dot(up, up)))
}

fn normalized(v: Vec3) -> Option<Vec3> {
    let size = length(v);
    (size > 0.0 && size < f64::INFINITY).then(|| scale(v, 1.0 / size))
}

/// Returns the unit vector at an angle of that cosine with the axis, tilted towards `across`.
fn on_cone(axis: Vec3, cosine: f64, across: Vec3) -> Option<Vec3> {
    let sine = (1.0 - cosine * cosine).sqrt();
    let across = if sine > 0.0 { normalized(across)? } else { [0.0; 3] };
    Some(add(scale(normalized(axis)?, cosine), scale(across, sine)))
}
