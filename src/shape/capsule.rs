//! Capsules.

use super::Segment;
use crate::error::Error;
use crate::num::{Scalar, check_size};

/// All points within `radius` of a segment. Closed, solid; a segment of one point makes a ball, a radius of zero the segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule<T: Scalar> {
    segment: Segment<T>,
    radius: T,
}

impl<T: Scalar> Capsule<T> {
    /// A capsule from the segment in its middle and its radius, in one unit.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the radius.
    pub fn new(segment: Segment<T>, radius: T) -> Result<Self, Error> {
        check_size(radius, "radius")?;
        Ok(Capsule { segment, radius })
    }

    /// The segment in its middle.
    pub fn segment(&self) -> Segment<T> {
        self.segment
    }

    /// The distance from the segment to the surface.
    pub fn radius(&self) -> T {
        self.radius
    }
}
