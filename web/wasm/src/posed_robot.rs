//! A robot in one configuration: the parts that touch, the two closest, and straight edges to other
//! configurations.

use std::f64::consts::PI;

use boxwood::load::Robot;
use boxwood::robot::{Edge, EdgeChecker, EdgePart, EdgeScratch};
use boxwood::{Accuracy, Pose, SelfQueryScratch};
use wasm_bindgen::prelude::*;

use crate::arena::accuracy;
use crate::{MemoryView, RobotFiles, file, model_shapes};

/// Numbers of the verdicts on an edge.
const FREE: f64 = 0.0;
const COLLIDES: f64 = 1.0;
const UNDECIDED: f64 = 2.0;

/// A robot, its values, and the answers about them.
#[wasm_bindgen]
pub struct PosedRobot {
    robot: Robot<f32>,
    accuracy: Accuracy,
    /// A value for each actuator.
    values: Vec<f32>,
    poses: Vec<Pose>,
    /// State of the random numbers (Marsaglia's xorshift, 2003).
    chance: u32,
    scratch: SelfQueryScratch,
    edges: EdgeScratch<f32>,
    matrices: Vec<f32>,
    pairs: Vec<u32>,
    counts: Vec<f64>,
    nearest: Vec<f64>,
    edge: Vec<f64>,
}

#[wasm_bindgen]
impl PosedRobot {
    /// Reads a robot of a URDF, an MJCF or a baked file, with the files it names, at rest.
    ///
    /// # Errors
    /// The errors of the crate, as texts that name the file.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: &[u8], files: &RobotFiles) -> Result<PosedRobot, JsError> {
        let robot = file::robot(name, bytes, &files.loader());
        let robot = robot.map_err(|error| JsError::new(&error))?;
        let mut posed = PosedRobot {
            robot,
            accuracy: Accuracy::Exact,
            values: Vec::new(),
            poses: Vec::new(),
            chance: 20,
            scratch: SelfQueryScratch::default(),
            edges: EdgeScratch::default(),
            matrices: Vec::new(),
            pairs: Vec::new(),
            counts: Vec::new(),
            nearest: Vec::new(),
            edge: Vec::new(),
        };
        let rest = posed.rest();
        posed.set_values(&rest)?;
        Ok(posed)
    }

    /// Returns the features of the file that the robot approximates or omits, a line each.
    pub fn warnings(&self) -> Vec<String> {
        self.robot.warnings.iter().map(ToString::to_string).collect()
    }

    /// Returns the names of the parts.
    pub fn parts(&self) -> Vec<String> {
        model_shapes::part_names(&self.robot.model)
    }

    /// Returns the depth of the deepest tree.
    pub fn deepest(&self) -> u8 {
        model_shapes::deepest(&self.robot.model)
    }

    /// Returns the number of triangles, boxes and convex shapes of the parts.
    pub fn primitives(&self) -> usize {
        model_shapes::primitives(&self.robot.model)
    }

    /// Returns the vertices of a part's triangles, nine numbers each, in the frame of the part.
    pub fn triangles(&self, part: usize) -> Vec<f32> {
        model_shapes::triangles(&self.robot.model, part)
    }

    /// Returns the edges of a part's boxes at a depth of its tree, six numbers each, in the frame
    /// of the part.
    pub fn boxes(&self, part: usize, depth: u8) -> Vec<f32> {
        model_shapes::boxes(&self.robot.model, part, depth)
    }

    /// Returns the edges of the convex hulls at a depth of a part's tree, six numbers each, in the
    /// frame of the part; a node without a hull has its box.
    pub fn hulls(&self, part: usize, depth: u8) -> Vec<f32> {
        model_shapes::hulls(&self.robot.model, part, depth)
    }

    /// Returns the names of the actuators.
    pub fn actuators(&self) -> Vec<String> {
        self.robot.mechanism.actuators().iter().map(|own| own.name.clone()).collect()
    }

    /// Returns three numbers for each actuator: 1 if it has limits, the least and the greatest
    /// value; without limits these are -pi and pi.
    pub fn ranges(&self) -> Vec<f64> {
        let range = |limits: Option<[f64; 2]>| {
            let [least, most] = limits.unwrap_or([-PI, PI]);
            [f64::from(u8::from(limits.is_some())), least, most]
        };
        self.robot.mechanism.actuators().iter().flat_map(|own| range(own.limits)).collect()
    }

    /// Returns the values at rest: for every actuator zero, or the limit nearest to zero.
    pub fn rest(&self) -> Vec<f32> {
        self.robot.mechanism.rest().into_iter().map(|value| value as f32).collect()
    }

    /// Returns random values within the limits, others at each call.
    pub fn random(&mut self) -> Vec<f32> {
        let (chance, mut values) = (&mut self.chance, Vec::new());
        let uniform = || {
            *chance ^= *chance << 13;
            *chance ^= *chance >> 17;
            *chance ^= *chance << 5;
            f64::from(*chance) / 2.0_f64.powi(32)
        };
        self.robot.mechanism.sample_values(uniform, &mut values);
        values
    }

    /// Returns the current values.
    pub fn values(&self) -> Vec<f32> {
        self.values.clone()
    }

    /// Sets the values, one for each actuator, and poses the parts.
    ///
    /// # Errors
    /// The errors of the crate for values, which name the actuator; nothing is changed then.
    pub fn set_values(&mut self, values: &[f32]) -> Result<(), JsError> {
        self.robot.mechanism.poses(values, &mut self.poses)?;
        self.values.clear();
        self.values.extend(values);
        Ok(())
    }

    /// Sets the accuracy of the parts that touch: 0 a depth, 1 a tolerance, 2 exact, 3 a budget;
    /// and its value.
    pub fn set_accuracy(&mut self, kind: u8, value: f64) {
        self.accuracy = accuracy(kind, value);
    }

    /// Finds the pairs of parts that touch; returns their number.
    ///
    /// # Errors
    /// The errors of the crate for the accuracy.
    pub fn find_pairs(&mut self) -> Result<usize, JsError> {
        let PosedRobot { robot, poses, scratch, pairs, counts, .. } = self;
        let found = robot.model.self_pairs(poses, self.accuracy, scratch)?;
        pairs.clear();
        pairs.extend(found.iter().flat_map(|(a, b)| [a.index() as u32, b.index() as u32]));
        let report = scratch.report();
        let c = &report.counts;
        let tests = [c.parts, c.tests(), c.hulls, c.primitives + c.exact + c.points];
        counts.clear();
        counts.extend(tests.map(|count| count as f64));
        counts.extend([f64::from(report.slack), f64::from(u8::from(report.met))]);
        Ok(pairs.len() / 2)
    }

    /// Finds the two closest parts, exactly.
    ///
    /// # Errors
    /// None for accepted values.
    pub fn find_nearest(&mut self) -> Result<(), JsError> {
        let PosedRobot { robot, poses, scratch, nearest, .. } = self;
        let found = robot.model.self_distance(poses, Accuracy::Exact, f64::INFINITY, scratch)?;
        nearest.clear();
        if let Some(near) = found {
            let parts = [near.a.part, near.b.part].map(|part| part.index() as f64);
            let points = [near.on_a, near.on_b];
            nearest.extend([f64::from(near.distance), f64::from(near.slack)]);
            nearest.extend(parts);
            nearest.extend(points.iter().flat_map(|point| point.iter()).map(|&x| f64::from(x)));
            let c = scratch.counts();
            nearest.push((c.parts + c.tests() + c.primitives) as f64);
        }
        Ok(())
    }

    /// Checks the straight edge between two configurations, to its first collision.
    ///
    /// # Errors
    /// The errors of the crate for values, which name the actuator.
    pub fn check_edge(&mut self, from: &[f32], to: &[f32]) -> Result<(), JsError> {
        let PosedRobot { robot, edges, edge, .. } = self;
        let checker = EdgeChecker::new(&robot.mechanism, &robot.model)?;
        let other = |b: EdgePart| match b {
            EdgePart::Robot(part) => part.index() as f64,
            _ => f64::NAN,
        };
        let verdict = match checker.first(from, to, edges)? {
            Edge::Free { clearance_at_least } => [FREE, clearance_at_least, 1.0, 0.0, 0.0],
            Edge::Collides { fraction, a, b, clear_until, .. } => {
                [COLLIDES, fraction, clear_until, a.index() as f64, other(b)]
            }
            Edge::Undecided { fraction, a, b, slack, .. } => {
                [UNDECIDED, fraction, slack, a.index() as f64, other(b)]
            }
            _ => [f64::NAN; 5],
        };
        edge.clear();
        edge.extend(verdict);
        edge.push(edges.samples() as f64);
        Ok(())
    }

    /// Returns the matrices of all parts: 16 numbers each, column by column.
    pub fn matrices(&mut self) -> MemoryView {
        self.matrices.clear();
        for pose in &self.poses {
            self.matrices.extend(pose.to_homogeneous().as_slice());
        }
        MemoryView::of(&self.matrices)
    }

    /// Returns the touching pairs: two parts each.
    pub fn pairs(&self) -> MemoryView {
        MemoryView::of(&self.pairs)
    }

    /// Returns the numbers of tests of part boxes, boxes of nodes, hulls and primitives, then the
    /// slack of the answer and whether the accuracy was met.
    pub fn counts(&self) -> MemoryView {
        MemoryView::of(&self.counts)
    }

    /// Returns the least distance, its error bound, the two parts, a point of each in the frame of
    /// the robot, and the number of tests; empty if no two parts are tested.
    pub fn nearest(&self) -> MemoryView {
        MemoryView::of(&self.nearest)
    }

    /// Returns the verdict on the edge: 0 for free, then the least clearance and 1; 1 for a
    /// collision, then its fraction and the fraction until which the edge is clear; 2 for
    /// undecided, then the fraction and the slack. Then the two parts, and the number of
    /// configurations that were posed.
    pub fn edge(&self) -> MemoryView {
        MemoryView::of(&self.edge)
    }
}
