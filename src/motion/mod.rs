//! Motion: skeletons with their animation clips, and mechanisms (robots) moved by actuator values.
//!
//! Poses are joint to model, right-handed, in the model's units; times are seconds. A joint may
//! scale its children, but a [`Pose`](crate::shape::Pose) is rigid: the scale of a joint moves its
//! children and is then dropped.

mod clip;
mod clips;
mod joints;
mod mechanism;
mod retarget;
mod sampling;
mod scaled;
mod skeleton;
mod skin;
mod track;
mod transform;

pub use clip::Clip;
pub use clips::Clips;
pub use joints::Joints;
pub use mechanism::{Actuator, JointKind, Link, Mechanism, Mimic};
pub use retarget::Retarget;
pub use skeleton::{Joint, Skeleton};
pub use skin::{Skin, SkinWeight};
pub use track::{Interpolation, Keys, Track};
pub use transform::Transform;
