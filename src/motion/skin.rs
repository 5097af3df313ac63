//! A skin that bends: corners that follow several joints at once.

use nalgebra::{Point3, Vector3};

use super::Joints;
use crate::error::Error;
use crate::num::{Scalar, check_coordinates};

/// One joint that a corner of a skin follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinWeight<T: Scalar> {
    /// The index of the joint.
    pub joint: usize,
    /// How much of the corner it moves; those of one corner sum to 1.
    pub share: T,
    /// Where the corner is in the joint's own axes, before any scale.
    pub at: Point3<T>,
}

/// Corners that each follow one joint or more, as linear blending has it.
/// Source: glTF 2.0 specification, section 3.7.3.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin<T: Scalar> {
    follows: Vec<SkinWeight<T>>,
    /// For each corner the end of its own.
    ends: Vec<usize>,
}

impl<T: Scalar> Skin<T> {
    /// A skin of those corners; none is fine.
    ///
    /// # Errors
    /// [`Error::Empty`] for a corner that follows nothing; [`Error::NotFinite`] and [`Error::OutOfRange`] naming the corner.
    pub fn new(corners: impl IntoIterator<Item = Vec<SkinWeight<T>>>) -> Result<Self, Error> {
        let mut skin = Skin { follows: Vec::new(), ends: Vec::new() };
        for (index, corner) in corners.into_iter().enumerate() {
            if corner.is_empty() {
                return Err(Error::Empty { field: "skin corner" });
            }
            for follow in &corner {
                check_coordinates(follow.at.coords.as_slice(), "skin corner", index)?;
                check_coordinates(&[follow.share], "skin corner", index)?;
            }
            skin.follows.extend(corner);
            skin.ends.push(skin.follows.len());
        }
        Ok(skin)
    }

    /// How many corners there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What each corner follows.
    pub fn corners(&self) -> impl Iterator<Item = &[SkinWeight<T>]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.follows[start..end])
    }

    /// The greatest index of a joint that any corner follows.
    pub(crate) fn last_joint(&self) -> Option<usize> {
        self.follows.iter().map(|follow| follow.joint).max()
    }
}

impl<T: Scalar> Joints<T> {
    /// Where a corner of a skin is in the poses written last: in the model, in double precision.
    pub(crate) fn bent(&self, corner: &[SkinWeight<T>]) -> Vector3<f64> {
        let moved = |follow: &SkinWeight<T>| {
            let linear = self.linear[follow.joint].map(T::wide);
            let origin = self.poses[follow.joint].translation.vector.map(T::wide);
            (linear * follow.at.coords.map(T::wide) + origin) * follow.share.wide()
        };
        corner.iter().map(moved).sum()
    }
}
