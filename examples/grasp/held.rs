//! A robot of a file that holds a ball among posts, in random configurations: what touches a post,
//! and whether the ball touches the robot.

use std::path::Path;

use boxwood::load::Robot;
use boxwood::nalgebra::Isometry3;
use boxwood::{
    Accuracy, Buffers, Build, ConvexShape, Error, Geometry, Loader, Model, NodeId, PairQuery,
    PartId, Pose, QueryScratch, Spawn, Sphere,
};
use shared::any_file::{self, Wishes};
use shared::posts::Posts;
use shared::random::Random;

const SAMPLES: usize = 1_000;
/// Radius of the ball, as a share of the robot's reach.
const BALL: f32 = 0.05;
/// Number of links that may touch the ball: the last one and those before it.
const TOUCHING: usize = 3;

/// Returns a line for each count, of the robot of a file and a ball as many times as large.
pub fn count(file: &str, scale: f64) -> Result<Vec<String>, String> {
    let path = Path::new(file);
    let robot = any_file::robot(path, &Loader::new(), Wishes::default())?;
    any_file::check_parts(path, &robot.model)?;
    let counted = robot.scaled(scale).and_then(|robot| count_touches(&robot));
    counted.map_err(|error| format!("{file}: {error}"))
}

fn count_touches(robot: &Robot<f32>) -> Result<Vec<String>, Error> {
    let (posts, model) = (Posts::around(robot)?, &robot.model);
    let mut scene = posts.scene()?;
    let arm = scene.insert(model, Spawn::default())?;
    // The last link that has geometry holds the ball, in the middle of its box.
    let trees = || model.parts().iter().enumerate().filter_map(|(i, part)| Some((i, part.tree()?)));
    let Some((last, tree)) = trees().next_back() else {
        return Err(Error::Empty { field: "robot" });
    };
    let (hand, middle) = (PartId::new(last), tree.node(NodeId::ROOT).oriented().center());
    let ball = ConvexShape::from(Sphere::new(middle, BALL * posts.reach)?);
    let ball = Model::builder().part("ball", None, Geometry::Convex(vec![ball]));
    let ball = scene.insert(&ball.build(&Build::default())?, Spawn::default())?;
    let before = std::iter::successors(Some(hand), |&link| model[link].parent());
    let mut touching: Vec<PartId> = before.take(TOUCHING).collect();
    // The other fingers of a hand.
    let links = (0..model.len()).map(PartId::new);
    touching.extend(links.filter(|&link| model[link].parent() == model[hand].parent()));
    scene.attach(ball, arm, hand, &Isometry3::identity(), &touching)?;

    let alone = PairQuery::of(arm).excluding(&[ball]).accuracy(Accuracy::Exact);
    let both = PairQuery::of(arm).with_held().accuracy(Accuracy::Exact);
    let between = PairQuery::between(arm, ball).accuracy(Accuracy::Exact);
    let (mut random, mut values, mut poses) = (Random(1), Vec::<f32>::new(), Vec::new());
    let (mut buffers, mut scratch, mut counts) = (Buffers::new(), QueryScratch::new(), [0; 3]);
    for _ in 0..SAMPLES {
        robot.mechanism.sample_values(|| random.between(0.0, 1.0), &mut values);
        robot.mechanism.poses(&values, &mut poses)?;
        scene.set_joints(arm, &Pose::identity(), &poses)?;
        let now = scene.snapshot(&mut buffers);
        for (count, query) in counts.iter_mut().zip([&alone, &both, &between]) {
            *count += usize::from(now.intersects(query, &mut scratch)?);
        }
    }
    let [alone, both, own] = counts;
    let name = model[hand].name();
    Ok(vec![
        format!("{name} holds a ball; of {SAMPLES} random configurations"),
        format!("  {alone:>4} in which the robot touches a post"),
        format!("  {both:>4} in which it or the ball touches a post"),
        format!("  {own:>4} in which the ball touches another link"),
    ])
}
