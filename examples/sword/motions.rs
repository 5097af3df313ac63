//! The motions of the table and of the picture, a blade that turns about its hilt and a kick, and
//! the arms that they hit.

use std::sync::Arc;

use boxwood::motion::{Clip, Joints};
use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use boxwood::{
    Build, Capsule, CharacterKey, ConvexShape, Error, Geometry, Loaded, Model, Obb, PartId, Scene,
    Segment,
};
use shared::random::Random;

/// Half sizes of the blade, which begins at the hilt, the origin, and points along x [m].
pub const BLADE: [f32; 3] = [0.45, 0.02, 0.004];
/// Radius of an arm, and half the length of its core [m].
pub const ARM: [f32; 2] = [0.05, 0.2];
/// Rate at which the blade turns [degrees/s]: the tip at 30 m/s.
pub const TURN: f32 = 1_920.0;

/// Builds the blade.
pub fn blade() -> Result<Arc<Model>, Error> {
    let steel = Obb::new(Point3::new(BLADE[0], 0.0, 0.0), Matrix3::identity(), BLADE.into())?;
    let model = Model::builder().part("blade", None, Geometry::Boxes(vec![steel]));
    model.build(&Build::default())
}

/// Builds an arm: a capsule along x about the origin.
pub fn arm() -> Result<Arc<Model>, Error> {
    let [radius, half] = ARM;
    let core = Segment::new(Point3::new(-half, 0.0, 0.0), Point3::new(half, 0.0, 0.0))?;
    let arm = ConvexShape::from(Capsule::new(core, radius)?);
    Model::builder().part("arm", None, Geometry::Convex(vec![arm])).build(&Build::default())
}

/// A motion that strikes.
pub enum StrikingMotion<'a> {
    /// The blade, which turns about z from -96 to 96 degrees.
    Swing,
    /// The fighter's kick, from the moment at which the foot leaves the floor.
    Kick(&'a Clip<f32>),
}

impl StrikingMotion<'_> {
    /// Returns the number of ticks of a thirtieth of a second.
    pub fn ticks(&self) -> usize {
        match self {
            StrikingMotion::Swing => 3,
            StrikingMotion::Kick(_) => 16,
        }
    }

    pub fn name(&self) -> String {
        match self {
            StrikingMotion::Swing => format!("blade of 0.9 m, {TURN} degrees/s"),
            StrikingMotion::Kick(_) => "kick of the fighter".to_owned(),
        }
    }

    pub fn model(&self, fighter: &Loaded) -> Result<Arc<Model>, Error> {
        match self {
            StrikingMotion::Swing => blade(),
            StrikingMotion::Kick(_) => Ok(fighter.model.clone()),
        }
    }

    /// Returns the parts that strike.
    pub fn parts(&self, model: &Model) -> Result<Vec<PartId>, Error> {
        match self {
            StrikingMotion::Swing => Ok(vec![model.part("blade")?]),
            StrikingMotion::Kick(_) => {
                let names = ["right_shin", "right_foot", "right_toes"];
                names.into_iter().map(|name| model.part(name)).collect()
            }
        }
    }

    /// Places what strikes at a time [s].
    pub fn place(&self, time: f32, scene: &mut Scene, key: CharacterKey) -> Result<(), Error> {
        match self {
            StrikingMotion::Swing => scene.set_root(key, &swing(time)),
            StrikingMotion::Kick(clip) => {
                let joints = &mut Joints::new();
                scene.set_joints(key, &Isometry3::identity(), clip.sample(0.2 + time, joints)?)
            }
        }
    }

    /// Draws the place of an arm: anywhere near the way of what strikes, in any direction.
    pub fn draw_arm(&self, random: &mut Random) -> Isometry3<f32> {
        let mut number = |low: f32, high: f32| random.between(low.into(), high.into()) as f32;
        let place = match self {
            StrikingMotion::Swing => {
                let (angle, far) = (number(-1.5, 1.5), number(0.2, 1.0));
                Vector3::new(far * angle.cos(), far * angle.sin(), number(-0.15, 0.15))
            }
            StrikingMotion::Kick(_) => {
                Vector3::new(number(-0.5, 0.3), number(0.1, 1.4), number(0.2, 1.2))
            }
        };
        Isometry3::new(place, Vector3::new(number(-2.0, 2.0), number(-2.0, 2.0), number(-2.0, 2.0)))
    }
}

/// Returns the pose of the blade at a time of its swing [s].
pub fn swing(time: f32) -> Isometry3<f32> {
    Isometry3::rotation(Vector3::z() * (TURN * time - 96.0).to_radians())
}
