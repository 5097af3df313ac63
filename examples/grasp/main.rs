//! A robot takes a mug from a table and carries it past a post: ignored pairs, an attached
//! character, and the same robot at twice the size.
//!
//! `cargo example grasp`

mod robot;

use std::f32::consts::FRAC_PI_2;
use std::process::ExitCode;

use boxwood::motion::Mechanism;
use boxwood::nalgebra::Isometry3;
use boxwood::shape::pose;
use boxwood::{Accuracy, Buffers, CharacterKey, Error, Hits, PairQuery, Pose, Scene, Spawn};
use shared::command_line;

const HELP: &str = "\
grasp: a robot takes a mug from a table and carries it past a post, its own size and twice as large

cargo example grasp

A line a step: what the robot touches, and what with the mug it holds. The foot may touch the table, the fingers may
touch the mug; carried low the mug meets the post though no part of the robot does. The same on every run.

  --help, -h   this; there are no other flags";

fn main() -> ExitCode {
    command_line::without_flags("grasp", HELP, work)
}

fn work() -> Result<(), Error> {
    let small = Cell::new(1.0)?.carry()?;
    small.iter().for_each(|line| println!("{line}"));
    let large = Cell::new(2.0)?.carry()?;
    assert_eq!(small, large, "twice as large everything touches as before");
    println!("twice as large: the same {} answers", large.len());
    Ok(())
}

/// A robot on its table, with everything scaled.
struct Cell {
    scale: f64,
    mechanism: Mechanism,
    scene: Scene,
    robot: CharacterKey,
    mug: CharacterKey,
    poses: Vec<Pose>,
}

impl Cell {
    fn new(scale: f64) -> Result<Self, Error> {
        let mut scene = Scene::new();
        // Models are shared, scaled ones too.
        let robot = scene.insert(&robot::robot()?.scaled(scale)?, Spawn::default())?;
        let table =
            scene.insert(&robot::table()?.scaled(scale)?, Spawn::default().at_rest(true))?;
        scene.insert(&robot::post()?.scaled(scale)?, Spawn::default().at_rest(true))?;
        let mut at = [Isometry3::translation(0.62, 0.0, 0.06)];
        pose::scale(&mut at, scale)?;
        let mug = robot::mug()?.scaled(scale)?;
        let mug = scene.insert(&mug, Spawn::at(at[0]).at_rest(true))?;
        // The foot is screwed to the table, so this pair is never tested.
        let foot = scene.model(robot)?.part("foot")?;
        scene.set_ignored((robot, foot), table, true)?;
        let (mechanism, poses) = (robot::mechanism()?, Vec::new());
        Ok(Cell { scale, mechanism, scene, robot, mug, poses })
    }

    /// Moves the robot: height of the slide [m at scale 1], rotation of the arm [rad], and distance
    /// of the fingers from the middle [m at scale 1].
    fn go(&mut self, [lift, turn, grip]: [f32; 3]) -> Result<(), Error> {
        self.mechanism.poses(&[lift, turn, grip], &mut self.poses)?;
        pose::scale(&mut self.poses, self.scale)?;
        self.scene.set_joints(self.robot, &Pose::identity(), &self.poses)
    }

    /// Names of the touching parts.
    fn touching(&self, query: &PairQuery<'_>) -> Result<String, Error> {
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let now = self.scene.snapshot(&mut buffers);
        now.pairs(&query.clone().accuracy(Accuracy::Exact), &mut hits)?;
        let name = |node: boxwood::NodeRef| {
            self.scene.part(node.character, node.part).map(|part| part.name().to_owned())
        };
        let pair = |&(a, b): &_| Ok(format!("{} and {}", name(a)?, name(b)?));
        let pairs: Vec<String> = hits.pairs().iter().map(pair).collect::<Result<_, Error>>()?;
        Ok(if pairs.is_empty() { "nothing".to_owned() } else { pairs.join(", ") })
    }

    /// Takes the mug, carries it too low, then high enough, and sets it down.
    fn carry(&mut self) -> Result<Vec<String>, Error> {
        let (mut lines, robot) = (Vec::new(), self.robot);
        let mut tell = |cell: &Cell, step: &str| -> Result<(), Error> {
            let alone = cell.touching(&PairQuery::of(robot))?;
            let with_held = cell.touching(&PairQuery::of(robot).with_held())?;
            lines
                .push(format!("{step}: the robot touches {alone}; with what it holds {with_held}"));
            Ok(())
        };
        self.go([0.2, 0.0, 0.08])?;
        tell(self, "around the mug")?;
        self.go([0.2, 0.0, 0.049])?;
        tell(self, "closed")?;

        let model = self.scene.model(robot)?.clone();
        let [arm, left, right] =
            [model.part("arm")?, model.part("left_finger")?, model.part("right_finger")?];
        let grip = self.scene.pose(robot, arm)?.inv_mul(&self.scene.root(self.mug)?);
        self.scene.attach(self.mug, robot, arm, &grip, &[left, right])?;
        self.go([0.3, 0.0, 0.049])?;
        tell(self, "lifted")?;
        self.go([0.42, 0.5 * FRAC_PI_2, 0.049])?;
        tell(self, "low over the post")?;
        self.go([0.5, 0.5 * FRAC_PI_2, 0.049])?;
        tell(self, "high over the post")?;
        self.go([0.21, FRAC_PI_2, 0.049])?;
        tell(self, "beside the post")?;
        self.scene.detach(self.mug)?;
        self.go([0.4, FRAC_PI_2, 0.08])?;
        tell(self, "let go")?;
        Ok(lines)
    }
}
