//! Bones of a recorded motion, as files give them.

use nalgebra::{UnitQuaternion, Vector3};

use crate::load::Warning;

/// A joint of a file with its motion.
pub(super) struct Bone {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) offset: Vector3<f64>,
    /// The rotation in each frame; empty if it never rotates.
    pub(super) rotations: Vec<UnitQuaternion<f64>>,
    /// The position in each frame; empty if it never translates.
    pub(super) positions: Vec<Vector3<f64>>,
}

/// The contents of a file, in its own units.
pub(super) struct RecordedBones {
    pub(super) bones: Vec<Bone>,
    pub(super) ends: Vec<(usize, Vector3<f64>)>,
    /// Seconds per frame.
    pub(super) step: f64,
    pub(super) warnings: Vec<Warning>,
}
