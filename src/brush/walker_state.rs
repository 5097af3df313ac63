//! The state of a walker, and its parts for what saves it.

use nalgebra::Point3;

use super::body::BodyPose;
use super::world::BrushId;
use crate::error::Error;
use crate::num::tolerance::UNIT;
use crate::num::{Scalar, check_coordinates};

/// Whole state of a walker, a small value to copy and to send.
///
/// A rollback of a level copies this, the poses of the bodies
/// ([`BrushWorld::pose`](super::BrushWorld::pose)), and the [`Walker`](super::Walker) where
/// [`Walker::resize`](super::Walker::resize) changes it. For other formats than memory there are
/// [`WalkerState::to_parts`] and, with the feature `serde`, the same parts as values of `serde`.
/// Restored parts are the same state, bit for bit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "WalkerParts<T>", try_from = "WalkerParts<T>"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "T: serde::Serialize", deserialize = "T: serde::Deserialize<'de>"))
)]
pub struct WalkerState<T: Scalar> {
    pub(super) position: Point3<T>,
    pub(super) ground: Option<BrushId>,
    /// Pose of the ground's body when the walker stood on it.
    pub(super) ground_pose: BodyPose,
}

/// The numbers of a [`WalkerState`]: what a save game or a message contains.
///
/// ```
/// # use boxwood::brush::{Brush, BrushWorld, WalkScratch, Walker};
/// # use boxwood::{Aabb, CollisionGroups, UprightCylinder, nalgebra::Point3};
/// use boxwood::brush::WalkerState;
///
/// # let slab = Aabb::new(Point3::new(-9.0, -9.0, -1.0), Point3::new(9.0, 9.0, 0.0));
/// # let mut level = BrushWorld::builder();
/// # let floor = level.push(Brush::from_aabb(&slab)?, CollisionGroups::ALL);
/// # let level = level.build()?;
/// # let walker = Walker::new(UprightCylinder::new(0.4_f32, 0.9)?);
/// let at = walker.stand_at_feet(&level, Point3::origin(), &mut WalkScratch::new())?;
/// let saved = at.to_parts();
/// assert_eq!(saved.ground, Some(floor));
/// assert_eq!(WalkerState::from_parts(saved)?, at);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkerParts<T> {
    /// Coordinates of the centre of the cylinder.
    pub position: [T; 3],
    /// Brush the walker stands on.
    pub ground: Option<BrushId>,
    /// Displacement of the brush's body when the walker stood on it, its up coordinate last; zero
    /// without ground [length units].
    pub ground_offset: [f64; 3],
    /// Cosine and sine of half the angle by which that body was rotated about the up axis; 1 and 0
    /// without ground.
    pub ground_half_angle: [f64; 2],
}

impl<T: Scalar> WalkerState<T> {
    /// Returns the centre of the cylinder.
    pub fn position(&self) -> Point3<T> {
        self.position
    }

    /// Returns the brush the walker stands on; `None` in the air and on ground too steep to stand
    /// on.
    pub fn ground(&self) -> Option<BrushId> {
        self.ground
    }

    /// Returns the numbers of the state, for other formats than memory.
    pub fn to_parts(&self) -> WalkerParts<T> {
        let (ground_offset, ground_half_angle) = self.ground_pose.to_parts();
        let position = self.position.into();
        WalkerParts { position, ground: self.ground, ground_offset, ground_half_angle }
    }

    /// Creates the state of which [`WalkerState::to_parts`] returned the numbers, bit for bit.
    ///
    /// The world is not asked: a ground that it does not have carries nobody, and a position inside
    /// a brush is what the next move begins with. [`Walker::stand`](super::Walker::stand) finds
    /// both anew.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for the position and the displacement of the
    /// ground; [`Error::NotUnit`] if cosine and sine are not of one angle.
    pub fn from_parts(parts: WalkerParts<T>) -> Result<Self, Error> {
        let WalkerParts { position, ground, ground_offset, ground_half_angle } = parts;
        check_coordinates(&position, "position", 0)?;
        check_coordinates(&ground_offset, "ground offset", 0)?;
        check_half_angle(ground_half_angle)?;
        let ground_pose = match ground {
            Some(_) => BodyPose::from_parts(ground_offset, ground_half_angle),
            None => BodyPose::default(),
        };
        Ok(WalkerState { position: position.into(), ground, ground_pose })
    }
}

fn check_half_angle([cosine, sine]: [f64; 2]) -> Result<(), Error> {
    let field = "ground half angle";
    check_coordinates(&[cosine, sine], field, 0)?;
    let length = (cosine * cosine + sine * sine).sqrt();
    match (length - 1.0).abs() <= UNIT {
        true => Ok(()),
        false => Err(Error::NotUnit { field, index: 0, length }),
    }
}

impl<T: Scalar> From<WalkerState<T>> for WalkerParts<T> {
    fn from(state: WalkerState<T>) -> Self {
        state.to_parts()
    }
}

impl<T: Scalar> TryFrom<WalkerParts<T>> for WalkerState<T> {
    type Error = Error;

    fn try_from(parts: WalkerParts<T>) -> Result<Self, Error> {
        WalkerState::from_parts(parts)
    }
}
