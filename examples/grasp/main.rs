//! A robot takes a mug, or the mesh of a file, from a table and carries it past a post: ignored pairs,
//! an attached character, and the same robot at twice the size.
//!
//! `cargo example grasp -- [FILE]`; `held.rs` has what it does with a robot of a file.

mod held;
mod robot;
mod thing;

use std::f32::consts::FRAC_PI_2;
use std::path::Path;
use std::process::ExitCode;

use boxwood::motion::Mechanism;
use boxwood::nalgebra::Isometry3;
use boxwood::shape::pose;
use boxwood::{
    Accuracy, Buffers, CharacterKey, Error, Hits, PairQuery, PartId, Pose, QueryScratch, Scene,
    Spawn,
};
use shared::{any_file, command_line};
use thing::Thing;

const HELP: &str = "\
grasp: a robot takes a mug from a table and carries it past a post, its own size and twice as large

cargo example grasp -- [FILE]

  FILE         a mesh, .obj or .stl, up is z, that is taken instead of the mug, scaled so that the fingers can hold it; or a robot, .urdf
               or .xml (MJCF), whose last link holds a ball in random configurations among posts; without: the mug
  --help, -h   this

A line a step: what the robot touches, and what with the mug it holds. The foot may touch the table, the fingers may
touch the mug; carried low the mug meets the post though no part of the robot does. The same on every run.";

fn main() -> ExitCode {
    command_line::with_file("grasp", HELP, work)
}

fn work(file: Option<&str>) -> Result<(), String> {
    if let Some(file) = file.filter(|file| any_file::is_robot(Path::new(file))) {
        return show(|scale| held::count(file, scale));
    }
    let thing = match file {
        Some(file) => Thing::of_file(file)?,
        None => Thing::mug().map_err(|error| error.to_string())?,
    };
    show(|scale| {
        let cell = Cell::new(&thing, scale).and_then(|mut cell| cell.carry());
        let lines = cell.map_err(|error| error.to_string())?;
        lines.ok_or(format!("{}: the fingers close without touching it", thing.name))
    })
}

/// Prints lines, and checks that they are the same with everything twice as large.
fn show(lines: impl Fn(f64) -> Result<Vec<String>, String>) -> Result<(), String> {
    let small = lines(1.0)?;
    small.iter().for_each(|line| println!("{line}"));
    let large = lines(2.0)?;
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
    /// Height of the slide at which the fingers end at the middle of the mug [m at scale 1].
    low: f32,
    poses: Vec<Pose>,
}

/// Distance of the fingertips below the slide, and of a finger's axis from the middle, closed and
/// open [m].
const TIPS: f32 = 0.14;
const CLOSED: f32 = 0.03;
const OPEN: f32 = 0.08;

impl Cell {
    fn new(thing: &Thing, scale: f64) -> Result<Self, Error> {
        let mut scene = Scene::new();
        // Models are shared, scaled ones too.
        let robot = scene.insert(&robot::robot()?.scaled(scale)?, Spawn::default())?;
        let table =
            scene.insert(&robot::table()?.scaled(scale)?, Spawn::default().at_rest(true))?;
        scene.insert(&robot::post()?.scaled(scale)?, Spawn::default().at_rest(true))?;
        let mut at = [Isometry3::translation(0.62, 0.0, thing.middle)];
        pose::scale(&mut at, scale)?;
        let mug = thing.model.scaled(scale)?;
        let mug = scene.insert(&mug, Spawn::at(at[0]).at_rest(true))?;
        // The foot is screwed to the table, so this pair is never tested.
        let foot = scene.model(robot)?.part("foot")?;
        scene.set_ignored((robot, foot), table, true)?;
        let (mechanism, poses) = (robot::mechanism()?, Vec::new());
        let low = thing.middle + TIPS;
        Ok(Cell { scale, mechanism, scene, robot, mug, low, poses })
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

    /// Closes the fingers millimetre by millimetre until both touch the mug; returns their distance
    /// from the middle, or `None` if they do not.
    fn close(&mut self) -> Result<Option<f32>, Error> {
        let model = self.scene.model(self.robot)?.clone();
        let fingers = [model.part("left_finger")?, model.part("right_finger")?];
        let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
        for step in 1.. {
            let grip = OPEN - 0.001 * step as f32;
            if grip < CLOSED {
                break;
            }
            self.go([self.low, 0.0, grip])?;
            let now = self.scene.snapshot(&mut buffers);
            let touches = |finger| {
                let (of_robot, of_mug) = ([finger], [PartId::new(0)]);
                let query = PairQuery::between(self.robot, self.mug).parts(&of_robot, &of_mug);
                now.intersects(&query.accuracy(Accuracy::Exact), &mut scratch)
            };
            let touching = fingers.map(touches);
            if let [Ok(true), Ok(true)] = touching {
                return Ok(Some(grip));
            }
            touching.into_iter().collect::<Result<Vec<_>, _>>()?;
        }
        Ok(None)
    }

    /// Takes the mug, carries it too low, then high enough, and sets it down; `None` if the fingers
    /// can not hold it.
    fn carry(&mut self) -> Result<Option<Vec<String>>, Error> {
        let (mut lines, robot) = (Vec::new(), self.robot);
        let mut tell = |cell: &Cell, step: &str| -> Result<(), Error> {
            let alone = cell.touching(&PairQuery::of(robot))?;
            let with_held = cell.touching(&PairQuery::of(robot).with_held())?;
            lines
                .push(format!("{step}: the robot touches {alone}; with what it holds {with_held}"));
            Ok(())
        };
        self.go([self.low, 0.0, OPEN])?;
        tell(self, "around the mug")?;
        let Some(grip) = self.close()? else { return Ok(None) };
        tell(self, "closed")?;

        let model = self.scene.model(robot)?.clone();
        let [arm, left, right] =
            [model.part("arm")?, model.part("left_finger")?, model.part("right_finger")?];
        let held = self.scene.pose(robot, arm)?.inv_mul(&self.scene.root(self.mug)?);
        self.scene.attach(self.mug, robot, arm, &held, &[left, right])?;
        // The bottom of the mug is at the height of the table: it is lifted by these.
        for (lift, turn, step) in [
            (0.1, 0.0, "lifted"),
            (0.22, 0.5, "low over the post"),
            (0.3, 0.5, "high over the post"),
            (0.01, 1.0, "beside the post"),
        ] {
            self.go([self.low + lift, turn * FRAC_PI_2, grip])?;
            tell(self, step)?;
        }
        self.scene.detach(self.mug)?;
        self.go([self.low + 0.2, FRAC_PI_2, OPEN])?;
        tell(self, "let go")?;
        Ok(Some(lines))
    }
}
