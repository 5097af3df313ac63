//! Bodies: brushes that move and rotate together, and their poses.
//!
//! A body rotates about the up axis only, and an upright cylinder is symmetric about it. So movers
//! are transformed into the frame of the body, and the brushes, expanded once, serve every pose.

use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};

use super::tree::Bounds;
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, scale, sub};
use crate::shape::{UpAxis, check_poses, nearest_point, wide_point};

/// Brushes of a [`BrushWorld`](super::BrushWorld) that move together: a door, a lift, a train.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) u32);

impl BodyId {
    /// The body of all brushes that never move.
    pub const STATIC: BodyId = BodyId(0);

    /// Returns the body as an index; 0 is the static one.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Body {
    pub pose: BodyPose,
    pub entries: Vec<u32>,
}

/// Pose of a body, with z up: brushes are rotated about z, then moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BodyPose {
    pub offset: Vec3,
    /// Cosine and sine of half the angle: the quaternion of the rotation, unit.
    half_angle: [f64; 2],
}

impl Default for BodyPose {
    fn default() -> Self {
        BodyPose::from_offset([0.0; 3])
    }
}

impl BodyPose {
    pub fn from_offset(offset: Vec3) -> BodyPose {
        BodyPose { offset, half_angle: [1.0, 0.0] }
    }

    /// Converts a pose that rotates about the up axis.
    pub fn from_isometry<T: Scalar>(pose: &Isometry3<T>, up: UpAxis) -> Result<BodyPose, Error> {
        check_poses(std::slice::from_ref(pose), "pose")?;
        let [x, y, z] = up.to_z(wide_point(pose.rotation.imag().into()));
        let lean = 16.0 * T::ROUNDING;
        if x.abs() > lean || y.abs() > lean {
            return Err(Error::BadQuery { reason: "a body can only rotate about the up axis" });
        }
        let offset = up.to_z(wide_point(pose.translation.vector.into()));
        Ok(BodyPose { offset, half_angle: unit_half_angle([pose.rotation.w.wide(), z]) })
    }

    pub fn to_isometry<T: Scalar>(self, up: UpAxis) -> Isometry3<T> {
        let [x, y, z] = up.undo_to_z([0.0, 0.0, self.half_angle[1]]);
        let turn = [self.half_angle[0], x, y, z].map(T::nearest);
        let turn = Quaternion::new(turn[0], turn[1], turn[2], turn[3]);
        let offset: Vector3<T> = nearest_point(up.undo_to_z(self.offset)).coords;
        Isometry3::from_parts(offset.into(), UnitQuaternion::new_unchecked(turn))
    }

    /// Returns the displacement, and cosine and sine of half the angle.
    pub fn to_parts(self) -> (Vec3, [f64; 2]) {
        (self.offset, self.half_angle)
    }

    /// Inverse of [`BodyPose::to_parts`].
    pub fn from_parts(offset: Vec3, half_angle: [f64; 2]) -> BodyPose {
        BodyPose { offset, half_angle }
    }

    pub fn is_rotated(&self) -> bool {
        self.half_angle[1] != 0.0
    }

    /// Rotates a direction from the body's frame into the world.
    pub fn to_world_vector(&self, v: Vec3) -> Vec3 {
        self.rotated(v, self.half_angle[1])
    }

    /// Inverse of [`BodyPose::to_world_vector`].
    pub fn to_local_vector(&self, v: Vec3) -> Vec3 {
        self.rotated(v, -self.half_angle[1])
    }

    /// Transforms a point from the body's frame into the world.
    pub fn to_world_point(&self, p: Vec3) -> Vec3 {
        add(self.to_world_vector(p), self.offset)
    }

    /// Inverse of [`BodyPose::to_world_point`].
    #[inline(always)]
    pub fn to_local_point(&self, p: Vec3) -> Vec3 {
        self.to_local_vector(sub(p, self.offset))
    }

    #[inline(always)]
    fn rotated(&self, v: Vec3, sine: f64) -> Vec3 {
        if !self.is_rotated() {
            return v;
        }
        let turn = [
            self.half_angle[0] * self.half_angle[0] - sine * sine,
            2.0 * self.half_angle[0] * sine,
        ];
        [v[0] * turn[0] - v[1] * turn[1], v[0] * turn[1] + v[1] * turn[0], v[2]]
    }

    /// Returns a world AABB of a box in the body's frame.
    pub fn world_bounds(&self, own: &Bounds) -> Bounds {
        if !self.is_rotated() {
            return own.moved(self.offset);
        }
        let around = (0..4).fold(Bounds::EMPTY, |all, i| {
            let [x, y] = [[own.min[0], own.max[0]][i % 2], [own.min[1], own.max[1]][i / 2]];
            let [min, max] = [own.min[2], own.max[2]].map(|z| self.to_world_point([x, y, z]));
            all.merged(&Bounds { min, max })
        });
        let size = |i: usize| own.min[i].abs() + own.max[i].abs();
        around.grown(8.0 * f64::EPSILON * (size(0) + size(1) + size(2)))
    }

    /// Returns the displacement, since the pose `before`, of a point that moves with the body and
    /// was at the given world position.
    pub fn carried_displacement(&self, place: Vec3, before: &BodyPose) -> Vec3 {
        match self.half_angle == before.half_angle {
            true => sub(self.offset, before.offset),
            false => sub(self.to_world_point(before.to_local_point(place)), place),
        }
    }

    /// Returns the pose halfway between two, rotated the shorter way.
    fn halfway(&self, other: &BodyPose) -> BodyPose {
        let ([a, b], [c, d]) = (self.half_angle, other.half_angle);
        let side = if a * c + b * d < 0.0 { -1.0 } else { 1.0 };
        BodyPose {
            offset: scale(add(self.offset, other.offset), 0.5),
            half_angle: unit_half_angle([a + side * c, b + side * d]),
        }
    }
}

fn unit_half_angle([a, b]: [f64; 2]) -> [f64; 2] {
    let size = (a * a + b * b).sqrt();
    if b == 0.0 { [1.0, 0.0] } else { [a / size, b / size] }
}

/// Motion of a body from one pose to another: it moves and rotates evenly.
///
/// A fixed point of the world follows an arc in the frame of the body. The arc is approximated by
/// equal straight segments that stay within `error` of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyMotion {
    before: BodyPose,
    now: BodyPose,
    /// Number of times the segments are halved.
    halvings: u32,
}

const MAX_HALVINGS: u32 = 12;

impl BodyMotion {
    /// # Errors
    /// [`Error::BadQuery`] if the body rotates so far, so far away, that it takes more than 4,096
    /// segments.
    pub fn new(
        before: BodyPose,
        now: BodyPose,
        place: Vec3,
        error: f64,
    ) -> Result<BodyMotion, Error> {
        let mut motion = BodyMotion { before, now, halvings: 0 };
        let mut off = motion.chord_error(place);
        while off > error {
            (motion.halvings, off) = (motion.halvings + 1, 0.25 * off);
            if motion.halvings > MAX_HALVINGS {
                return Err(Error::BadQuery { reason: "the body rotates too far in one move" });
            }
        }
        Ok(motion)
    }

    /// Returns an upper bound on the angle, from the chord of its half [in radians].
    fn angle(&self) -> f64 {
        let ([a, b], [c, d]) = (self.before.half_angle, self.now.half_angle);
        let side = if a * c + b * d < 0.0 { -1.0 } else { 1.0 };
        let [x, y] = [a - side * c, b - side * d];
        // An arc of at most a quarter turn is below 1.12 of its chord.
        2.0 * 1.12 * (x * x + y * y).sqrt()
    }

    fn max_distance(&self, place: Vec3) -> f64 {
        let far = |pose: &BodyPose| length(sub(place, pose.offset));
        let ends = [far(&self.before), far(&self.now)];
        if ends[0] > ends[1] { ends[0] } else { ends[1] }
    }

    /// Returns an upper bound on the distance of the arc from its chord: an eighth of its second
    /// derivative [length units].
    fn chord_error(&self, place: Vec3) -> f64 {
        let (angle, way) = (self.angle(), length(sub(self.now.offset, self.before.offset)));
        angle * (angle * self.max_distance(place) + 2.0 * way) / 8.0
    }

    /// Returns an upper bound on the displacement, in the frame of the body, of a point at the
    /// given position [length units].
    pub fn max_displacement(&self, place: Vec3) -> f64 {
        length(sub(self.now.offset, self.before.offset)) + self.angle() * self.max_distance(place)
    }

    pub fn segment_count(&self) -> u32 {
        1 << self.halvings
    }

    /// Returns the point, in the frame of the body at its last pose, after the given number of
    /// segments.
    pub fn relative_position(&self, place: Vec3, piece: u32) -> Vec3 {
        if piece == 0 {
            return add(place, self.now.carried_displacement(place, &self.before));
        }
        if piece == self.segment_count() {
            return place;
        }
        let (mut low, mut high) = (self.before, self.now);
        for bit in (0..self.halvings).rev() {
            let middle = low.halfway(&high);
            match piece >> bit & 1 {
                1 => low = middle,
                _ => high = middle,
            }
        }
        self.now.to_world_point(low.to_local_point(place))
    }
}
