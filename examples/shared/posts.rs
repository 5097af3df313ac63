//! The world: upright posts in a ring around the robot, as far as its size says.

use crate::random::Random;
use boxwood::load::Robot;
use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{Build, Error, Geometry, Model, Obb, Pose, Scene, Spawn};

/// Distance of the posts from the robot's axis, as a share of its reach.
pub const DISTANCE: f32 = 0.6;
/// Half of the width of a post, as a share of the reach.
const HALF_WIDTH: f32 = 0.03;
/// Directions of the posts: none along x, so that the robot stretches between two of them.
const DIRECTIONS: [[f32; 2]; 6] =
    [[0.866, 0.5], [0.0, 1.0], [-0.866, 0.5], [-0.866, -0.5], [0.0, -1.0], [0.866, -0.5]];
/// Random configurations that measure the reach.
const SAMPLES: usize = 500;

/// A ring of posts, from the floor of the robot to above what it reaches.
pub struct Posts {
    /// Greatest distance of a part's centre from the robot's upright axis. World units.
    pub reach: f32,
    /// Centres of the posts.
    pub centers: Vec<Point3<f32>>,
    pub half: Vector3<f32>,
}

impl Posts {
    /// Creates the posts for a robot that stands at the origin, z up.
    pub fn around(robot: &Robot<f32>) -> Result<Posts, Error> {
        let (mut random, mut values, mut poses) = (Random(7), Vec::<f32>::new(), Vec::new());
        let (mut reach, mut low, mut high) = (0.0f32, 0.0f32, 0.0f32);
        for _ in 0..SAMPLES {
            robot.mechanism.sample_values(|| random.between(0.0, 1.0), &mut values);
            robot.mechanism.poses(&values, &mut poses)?;
            for center in centers(robot, &poses) {
                reach = reach.max(center.x.hypot(center.y));
                (low, high) = (low.min(center.z), high.max(center.z));
            }
        }
        let half = Vector3::new(HALF_WIDTH * reach, HALF_WIDTH * reach, 0.6 * (high - low));
        let middle = 0.5 * (low + high);
        let away = DISTANCE * reach;
        let centers = DIRECTIONS.map(|[x, y]| Point3::new(away * x, away * y, middle));
        Ok(Posts { reach, centers: centers.to_vec(), half })
    }

    /// Returns the posts as a scene.
    pub fn scene(&self) -> Result<Scene, Error> {
        let post = Obb::from_pose(&Pose::identity(), self.half)?;
        let post = Model::builder().part("post", None, Geometry::Boxes(vec![post]));
        let (post, mut scene) = (post.build(&Build::default())?, Scene::new());
        for center in &self.centers {
            let at = Isometry3::translation(center.x, center.y, center.z);
            scene.insert(&post, Spawn::at(at).at_rest(true))?;
        }
        Ok(scene)
    }
}

/// Returns the centres of all parts with geometry.
pub fn centers<'a>(
    robot: &'a Robot<f32>,
    poses: &'a [Pose],
) -> impl DoubleEndedIterator<Item = Point3<f32>> + 'a {
    robot.model.parts().iter().zip(poses).filter_map(|(part, pose)| {
        let tree = part.tree()?;
        Some(pose * tree.node(boxwood::NodeId::ROOT).oriented().center())
    })
}
