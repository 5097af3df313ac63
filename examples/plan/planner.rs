//! RRT-Connect (Kuffner and LaValle, ICRA 2000): two trees of configurations, from both ends, grow
//! towards random configurations and towards each other. Its edges are proved free.

use std::fmt;

use boxwood::load::Robot;
use boxwood::robot::{Edge, EdgeChecker, EdgeScratch};
use boxwood::{Error, Pose};
use shared::random::Random;

use shared::posts::{Posts, centers};

/// Greatest length of an edge [rad, or length of a slide].
const STEP: f32 = 1.0;
/// Distance of the samples of a planner that does not check whole edges.
pub const SAMPLE_STEP: f32 = 0.02;
/// Random configurations among which the ends are chosen.
const CANDIDATES: usize = 2_000;

/// Number of edges by verdict, and of configurations.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    free: usize,
    collides: usize,
    undecided: usize,
    /// Configurations tested for the free edges.
    tested: u64,
    /// Configurations that a planner tests for them which samples every [`SAMPLE_STEP`].
    sampled: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { free, collides, undecided, tested, sampled } = self;
        write!(
            out,
            "{free} free, {collides} in collision, {undecided} undecided; the free ones took \
             {tested} configurations, samples {SAMPLE_STEP} apart {sampled}"
        )
    }
}

/// A way: configurations one after another.
pub struct Plan {
    pub rows: Vec<f32>,
    width: usize,
}

impl Plan {
    pub fn configurations(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.rows.chunks_exact(self.width)
    }

    pub fn edges(&self) -> usize {
        self.configurations().len() - 1
    }

    pub fn length(&self) -> f32 {
        self.configurations().zip(self.configurations().skip(1)).map(|(a, b)| distance(a, b)).sum()
    }

    /// Returns the configuration that is a share of the whole length from the start.
    pub fn at(&self, share: f32) -> Vec<f32> {
        let mut left = share * self.length();
        for (a, b) in self.configurations().zip(self.configurations().skip(1)) {
            let length = distance(a, b);
            if left <= length && length > 0.0 {
                return mix(a, b, left / length);
            }
            left -= length;
        }
        self.configurations().last().map(<[f32]>::to_vec).unwrap_or_default()
    }
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

fn mix(a: &[f32], b: &[f32], share: f32) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| (a + (b - a) * share).clamp(a.min(*b), a.max(*b))).collect()
}

/// Configurations, each reached from an earlier one.
struct SearchTree {
    rows: Vec<Vec<f32>>,
    parents: Vec<usize>,
}

impl SearchTree {
    fn new(root: Vec<f32>) -> SearchTree {
        SearchTree { rows: vec![root], parents: vec![0] }
    }

    /// Returns the configuration nearest to `to`.
    fn nearest(&self, to: &[f32]) -> usize {
        let mut best = (f32::INFINITY, 0);
        for (index, row) in self.rows.iter().enumerate() {
            let away = distance(row, to);
            if away < best.0 {
                best = (away, index);
            }
        }
        best.1
    }

    fn add(&mut self, row: Vec<f32>, parent: usize) -> usize {
        self.rows.push(row);
        self.parents.push(parent);
        self.rows.len() - 1
    }

    /// Returns the configurations from `index` to the root.
    fn branch(&self, mut index: usize) -> Vec<&[f32]> {
        let mut branch = vec![&self.rows[index][..]];
        while index > 0 {
            index = self.parents[index];
            branch.push(&self.rows[index]);
        }
        branch
    }
}

/// A planner for one robot in one world.
pub struct Planner<'a> {
    robot: &'a Robot<f32>,
    checker: &'a EdgeChecker<'a, f32>,
    random: Random,
    pub scratch: EdgeScratch<f32>,
    pub tally: Tally,
}

impl<'a> Planner<'a> {
    pub fn new(robot: &'a Robot<f32>, checker: &'a EdgeChecker<'a, f32>, seed: u64) -> Self {
        Planner {
            robot,
            checker,
            random: Random(seed),
            scratch: EdgeScratch::default(),
            tally: Tally::default(),
        }
    }

    fn sample(&mut self) -> Vec<f32> {
        let (random, mut values) = (&mut self.random, Vec::new());
        self.robot.mechanism.sample_values(|| random.between(0.0, 1.0), &mut values);
        values
    }

    /// Returns the two free configurations, of many random ones, whose last part is farthest along
    /// x and against x; `None` unless both are beyond the posts.
    pub fn far_ends(&mut self, posts: &Posts) -> Result<Option<[Vec<f32>; 2]>, Error> {
        let (mut ends, mut poses) = ([const { Vec::new() }; 2], Vec::<Pose>::new());
        let mut most = [posts.reach * shared::posts::DISTANCE; 2];
        for _ in 0..CANDIDATES {
            let values = self.sample();
            self.robot.mechanism.poses(&values, &mut poses)?;
            let Some(tip) = centers(self.robot, &poses).next_back() else { return Ok(None) };
            let side = usize::from(tip.x < 0.0);
            // A configuration is an edge of no length.
            if tip.x.abs() > most[side] && self.is_free(&values, &values)? {
                (most[side], ends[side]) = (tip.x.abs(), values);
            }
        }
        self.tally = Tally::default();
        Ok(ends.iter().all(|end| !end.is_empty()).then_some(ends))
    }

    /// Returns `true` if an edge is proved free; counts it.
    fn is_free(&mut self, from: &[f32], to: &[f32]) -> Result<bool, Error> {
        let is_free = match self.checker.check(from, to, &mut self.scratch)? {
            Edge::Free { .. } => {
                self.tally.free += 1;
                true
            }
            Edge::Collides { .. } => {
                self.tally.collides += 1;
                false
            }
            // Closer than the tolerance: a planner stays away.
            _ => {
                self.tally.undecided += 1;
                false
            }
        };
        if is_free {
            self.tally.tested += self.scratch.samples();
            self.tally.sampled += (distance(from, to) / SAMPLE_STEP).ceil() as u64 + 1;
        }
        Ok(is_free)
    }

    /// Adds one edge towards `to`; returns its end, and whether it is `to`. `None` if not free.
    fn extend(
        &mut self,
        tree: &mut SearchTree,
        to: &[f32],
    ) -> Result<Option<(usize, bool)>, Error> {
        let nearest = tree.nearest(to);
        let away = distance(&tree.rows[nearest], to);
        let arrives = away <= STEP;
        let row = match arrives {
            true => to.to_vec(),
            false => mix(&tree.rows[nearest], to, STEP / away),
        };
        if !self.is_free(&tree.rows[nearest], &row)? {
            return Ok(None);
        }
        Ok(Some((tree.add(row, nearest), arrives)))
    }

    /// Searches a way between two configurations.
    pub fn connect(
        &mut self,
        [from, to]: [Vec<f32>; 2],
        samples: usize,
    ) -> Result<Option<Plan>, Error> {
        let width = from.len();
        let (mut trees, mut swapped) = ([SearchTree::new(from), SearchTree::new(to)], false);
        for _ in 0..samples {
            let sample = self.sample();
            let [growing, other] = &mut trees;
            if let Some((end, _)) = self.extend(growing, &sample)? {
                let target = growing.rows[end].clone();
                // The other tree comes as far as its edges are free.
                while let Some((meeting, arrives)) = self.extend(other, &target)? {
                    if arrives {
                        let mut branches = [growing.branch(end), other.branch(meeting)];
                        if swapped {
                            branches.reverse();
                        }
                        let [mut rows, rest] = branches;
                        rows.reverse();
                        rows.extend(&rest[1..]);
                        return Ok(Some(Plan { rows: rows.concat(), width }));
                    }
                }
            }
            trees.swap(0, 1);
            swapped = !swapped;
        }
        Ok(None)
    }

    /// Replaces pieces of a way by single edges that are free and shorter.
    pub fn shorten(&mut self, plan: Plan, shortcuts: usize) -> Result<Plan, Error> {
        let width = plan.width;
        let mut rows: Vec<Vec<f32>> = plan.configurations().map(<[f32]>::to_vec).collect();
        for _ in 0..shortcuts {
            let edges = rows.len() - 1;
            let mut place = || {
                let at = self.random.between(0.0, edges as f64);
                ((at as usize).min(edges - 1), at.fract() as f32)
            };
            let mut cut = [place(), place()];
            cut.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
            let [from, to] = cut.map(|(edge, share)| mix(&rows[edge], &rows[edge + 1], share));
            let [(first, _), (last, _)] = cut;
            if first != last && self.is_free(&from, &to)? {
                rows.splice(first + 1..=last, [from, to]);
            }
        }
        Ok(Plan { rows: rows.concat(), width })
    }
}
