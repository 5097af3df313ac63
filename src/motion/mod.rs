//! Motion: skeletons with their animation clips, and mechanisms (robots) moved by actuator values.
//!
//! Both compute poses that a scene accepts: joint or link to model, right-handed, in the model's
//! units; times are seconds.
//!
//! - Characters: [`Skeleton`] has joints, [`Clip`] has a [`Track`] of keys per joint and property,
//!   [`Joints`] is the buffer for their poses, and [`Skin`] the vertices that follow them.
//!   [`Retarget`] plays a clip of one skeleton on another.
//! - Robots: [`Mechanism`] has links with a [`JointKind`], moved by the values of its [`Actuator`]s
//!   through [`Mimic`] rules; [`Mechanism::point_jacobian`] has the derivatives.
//!
//! A joint may scale its children, but a [`Pose`](crate::shape::Pose) is rigid: the scale of a
//! joint moves its children and is then dropped. Read `skeleton.rs` first, then `clip.rs` and
//! `track.rs`.

mod clip;
mod clips;
mod jacobian;
mod joints;
mod kinematics;
mod lane_kinematics;
mod link;
mod mechanism;
mod retarget;
mod rigid_motion;
mod sampling;
mod scaled;
mod skeleton;
mod skin;
mod track;
mod transform;

pub use clip::Clip;
pub use clips::Clips;
pub use joints::Joints;
pub(crate) use kinematics::unit_axis;
pub(crate) use lane_kinematics::{
    FramePoint, LaneKinematics, ROWS, RowFrames, RowNumbers, load_vector, splat, store_vector,
};
pub use link::{JointKind, Link, Mimic};
pub use mechanism::{Actuator, Mechanism};
pub use retarget::Retarget;
pub(crate) use rigid_motion::{Quat, RigidMotion, conjugate, product, rotated, squared_length};
pub use skeleton::{Joint, Skeleton};
pub use skin::{Skin, SkinWeight};
pub use track::{Interpolation, Keys, Track};
pub use transform::Transform;

collect_tests!(clip, clips, lane_kinematics, mechanism, sampling, skeleton, track);
