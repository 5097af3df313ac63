//! Bodies: brushes that move and turn together, and where they are.
//!
//! A body turns about the axis that is up only. From it an upright cylinder looks as from
//! elsewhere: so what moves is taken into the frame of the body, and the brushes expanded once
//! serve every pose.

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

    /// The body as an index; 0 is the static one.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Body {
    pub pose: BodyPose,
    pub entries: Vec<u32>,
}

/// Where a body is, with z up: brushes are turned about z, then moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BodyPose {
    pub offset: Vec3,
    /// Cosine and sine of half the angle: the quaternion of the turn. Unit.
    half: [f64; 2],
}

impl Default for BodyPose {
    fn default() -> Self {
        BodyPose::moved([0.0; 3])
    }
}

impl BodyPose {
    pub fn moved(offset: Vec3) -> BodyPose {
        BodyPose { offset, half: [1.0, 0.0] }
    }

    /// A pose whose turn is about the axis that is up.
    pub fn of<T: Scalar>(pose: &Isometry3<T>, up: UpAxis) -> Result<BodyPose, Error> {
        check_poses(std::slice::from_ref(pose), "pose")?;
        let [x, y, z] = up.to_z(wide_point(pose.rotation.imag().into()));
        let lean = 16.0 * T::ROUNDING;
        if x.abs() > lean || y.abs() > lean {
            return Err(Error::BadQuery { reason: "a body turns about the axis that is up" });
        }
        let offset = up.to_z(wide_point(pose.translation.vector.into()));
        Ok(BodyPose { offset, half: unit([pose.rotation.w.wide(), z]) })
    }

    pub fn to_isometry<T: Scalar>(self, up: UpAxis) -> Isometry3<T> {
        let [x, y, z] = up.undo_to_z([0.0, 0.0, self.half[1]]);
        let turn = [self.half[0], x, y, z].map(T::nearest);
        let turn = Quaternion::new(turn[0], turn[1], turn[2], turn[3]);
        let offset: Vector3<T> = nearest_point(up.undo_to_z(self.offset)).coords;
        Isometry3::from_parts(offset.into(), UnitQuaternion::new_unchecked(turn))
    }

    pub fn is_turned(&self) -> bool {
        self.half[1] != 0.0
    }

    /// A direction of the body as the world sees it.
    pub fn vector(&self, v: Vec3) -> Vec3 {
        self.turned(v, self.half[1])
    }

    /// Undoes [`BodyPose::vector`].
    pub fn local_vector(&self, v: Vec3) -> Vec3 {
        self.turned(v, -self.half[1])
    }

    /// A point of the body in the world.
    pub fn point(&self, p: Vec3) -> Vec3 {
        add(self.vector(p), self.offset)
    }

    /// Undoes [`BodyPose::point`].
    #[inline(always)]
    pub fn local(&self, p: Vec3) -> Vec3 {
        self.local_vector(sub(p, self.offset))
    }

    #[inline(always)]
    fn turned(&self, v: Vec3, sine: f64) -> Vec3 {
        if !self.is_turned() {
            return v;
        }
        let turn = [self.half[0] * self.half[0] - sine * sine, 2.0 * self.half[0] * sine];
        [v[0] * turn[0] - v[1] * turn[1], v[0] * turn[1] + v[1] * turn[0], v[2]]
    }

    /// A box around a box of the body.
    pub fn bounds(&self, own: &Bounds) -> Bounds {
        if !self.is_turned() {
            return own.moved(self.offset);
        }
        let around = (0..4).fold(Bounds::EMPTY, |all, i| {
            let [x, y] = [[own.min[0], own.max[0]][i % 2], [own.min[1], own.max[1]][i / 2]];
            let [min, max] = [own.min[2], own.max[2]].map(|z| self.point([x, y, z]));
            all.merged(&Bounds { min, max })
        });
        let size = |i: usize| own.min[i].abs() + own.max[i].abs();
        around.grown(8.0 * f64::EPSILON * (size(0) + size(1) + size(2)))
    }

    /// How far a point that stays with the body has come from a place in the world, where it was
    /// when the body was at `before`.
    pub fn carries(&self, place: Vec3, before: &BodyPose) -> Vec3 {
        match self.half == before.half {
            true => sub(self.offset, before.offset),
            false => sub(self.point(before.local(place)), place),
        }
    }

    /// Halfway between two poses, turned the shorter way round.
    fn halfway(&self, other: &BodyPose) -> BodyPose {
        let ([a, b], [c, d]) = (self.half, other.half);
        let side = if a * c + b * d < 0.0 { -1.0 } else { 1.0 };
        BodyPose {
            offset: scale(add(self.offset, other.offset), 0.5),
            half: unit([a + side * c, b + side * d]),
        }
    }
}

fn unit([a, b]: [f64; 2]) -> [f64; 2] {
    let size = (a * a + b * b).sqrt();
    if b == 0.0 { [1.0, 0.0] } else { [a / size, b / size] }
}

/// How a body came from one pose to another: it moves and turns evenly.
///
/// What stands still in the world runs along an arc as the body sees it. That is cut into equal
/// pieces, straight ones, that stay within `error` of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyMotion {
    before: BodyPose,
    now: BodyPose,
    /// The pieces are halved so many times.
    halvings: u32,
}

/// More than these are refused.
const MOST_HALVINGS: u32 = 12;

impl BodyMotion {
    /// # Errors
    /// [`Error::BadQuery`] if a body that turns so far, so far away, takes more than 4,096 pieces.
    pub fn new(
        before: BodyPose,
        now: BodyPose,
        place: Vec3,
        error: f64,
    ) -> Result<BodyMotion, Error> {
        let mut motion = BodyMotion { before, now, halvings: 0 };
        let mut off = motion.bend(place);
        while off > error {
            (motion.halvings, off) = (motion.halvings + 1, 0.25 * off);
            if motion.halvings > MOST_HALVINGS {
                return Err(Error::BadQuery { reason: "the body turns too far in one move" });
            }
        }
        Ok(motion)
    }

    /// A bound on the angle, from the chord of its half.
    fn angle(&self) -> f64 {
        let ([a, b], [c, d]) = (self.before.half, self.now.half);
        let side = if a * c + b * d < 0.0 { -1.0 } else { 1.0 };
        let [x, y] = [a - side * c, b - side * d];
        // An arc of at most a quarter is below 1.12 of its chord.
        2.0 * 1.12 * (x * x + y * y).sqrt()
    }

    fn furthest(&self, place: Vec3) -> f64 {
        let far = |pose: &BodyPose| length(sub(place, pose.offset));
        let ends = [far(&self.before), far(&self.now)];
        if ends[0] > ends[1] { ends[0] } else { ends[1] }
    }

    /// How far the arc is off its chord: an eighth of its second derivative.
    fn bend(&self, place: Vec3) -> f64 {
        let (angle, way) = (self.angle(), length(sub(self.now.offset, self.before.offset)));
        angle * (angle * self.furthest(place) + 2.0 * way) / 8.0
    }

    /// A bound on how far a point at the place comes, as the body sees it.
    pub fn reach(&self, place: Vec3) -> f64 {
        length(sub(self.now.offset, self.before.offset)) + self.angle() * self.furthest(place)
    }

    /// The number of pieces.
    pub fn pieces(&self) -> u32 {
        1 << self.halvings
    }

    /// Where the body sees the place after so many pieces, as if it were at its last pose.
    pub fn seen(&self, place: Vec3, piece: u32) -> Vec3 {
        if piece == 0 {
            return add(place, self.now.carries(place, &self.before));
        }
        if piece == self.pieces() {
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
        self.now.point(low.local(place))
    }
}
