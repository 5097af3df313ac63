//! Paths round the corner of a pillar, along its walls: their length with every variant.

use boxwood::Error;
use boxwood::brush::{BrushWorld, Expansion, WalkScratch, Walker, WalkerState};
use boxwood::nalgebra::{Point3, Vector2, Vector3};
use boxwood::shape::UprightCylinder;

use crate::level;
pub use crate::walks::{HALF_HEIGHT, RADIUS, RATE, SPEED};

/// Skin of the walkers at corners: much smaller than a piece of the path [m].
pub const SKIN: f64 = RADIUS / 65536.0;

/// Length of a piece of the path, so short that its corners have no effect [m].
const PIECE: f64 = RADIUS / 1024.0;

/// Rotation of an airborne walker towards the wall after every piece [rad].
const TURN: f64 = 0.5;

/// A shape that moves round a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mover {
    /// A box along the axes, as wide as the cylinder.
    Box,
    Cylinder(Expansion),
}

/// All movers, the largest overshoot first.
pub const MOVERS: [Mover; 6] = [
    Mover::Box,
    Mover::Cylinder(Expansion::Planes),
    Mover::Cylinder(Expansion::OuterBox),
    Mover::Cylinder(Expansion::BoxArcs),
    Mover::Cylinder(Expansion::Bevels(8)),
    Mover::Cylinder(Expansion::Arcs),
];

pub fn body() -> Result<UprightCylinder<f64>, Error> {
    UprightCylinder::new(RADIUS, HALF_HEIGHT)
}

impl Mover {
    pub fn name(self) -> String {
        match self {
            Mover::Box => "box".to_owned(),
            Mover::Cylinder(expansion) => format!("{expansion:?}"),
        }
    }

    /// Returns the level in which this mover moves.
    pub fn world(self) -> Result<BrushWorld, Error> {
        match self {
            Mover::Box => level::world_for_box(Vector3::new(RADIUS, RADIUS, HALF_HEIGHT)),
            // A world finds brushes by their boxes, and the tips of pushed-out planes extend beyond
            // these: here the expanded brushes are brushes themselves, among which a point moves.
            Mover::Cylinder(Expansion::Planes) => level::world_of_planes(&body()?),
            Mover::Cylinder(expansion) => level::world(expansion),
        }
    }

    /// Returns the cylinder that moves in that world.
    pub fn cylinder(self) -> Result<UprightCylinder<f64>, Error> {
        match self {
            Mover::Box | Mover::Cylinder(Expansion::Planes) => UprightCylinder::new(0.0, 0.0),
            Mover::Cylinder(_) => body(),
        }
    }
}

/// An upright corner: its position, and the horizontal normals of its walls, in the order in which
/// a walker with the pillar on its left reaches them.
#[derive(Debug, Clone, Copy)]
pub struct Corner {
    pub name: &'static str,
    pub at: Vector2<f64>,
    pub normals: [Vector2<f64>; 2],
}

/// Corners of 60, 90 and 120 degrees.
pub fn corners() -> [Corner; 3] {
    let corner = |name, outline: &[[i64; 2]], i: usize| {
        let count = outline.len();
        let at = |i: usize| Vector2::from(outline[i % count].map(|x| x as f64 * level::SCALE));
        let out = |from: Vector2<f64>, to: Vector2<f64>| {
            Vector2::new(to.y - from.y, from.x - to.x).normalize()
        };
        let normals = [out(at(i + count - 1), at(i)), out(at(i), at(i + 1))];
        Corner { name, at: at(i), normals }
    };
    [
        corner("acute", &level::ACUTE, 1),
        corner("right", &level::RIGHT, 1),
        corner("obtuse", &level::OBTUSE, 0),
    ]
}

/// Direction of a path that has a wall with this normal on its left.
pub fn along(normal: Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-normal.y, normal.x)
}

/// Angle by which `to` is rotated to the left of `from` [rad].
fn turn(from: Vector2<f64>, to: Vector2<f64>) -> f64 {
    from.perp(&to).atan2(from.dot(&to))
}

impl Corner {
    /// Angle between the walls' normals, by which the path turns [rad].
    pub fn turn(&self) -> f64 {
        turn(self.normals[0], self.normals[1])
    }

    /// Directions of the source's planes that this corner has between its walls.
    fn planes(&self, between: &[f64]) -> Vec<Vector2<f64>> {
        let first = self.normals[0].y.atan2(self.normals[0].x);
        let mut turns: Vec<f64> = between
            .iter()
            .map(|degrees| (degrees.to_radians() - first).rem_euclid(std::f64::consts::TAU))
            .filter(|&x| x > 1e-9 && x < self.turn() - 1e-9)
            .collect();
        turns.sort_by(f64::total_cmp);
        let mut all = vec![self.normals[0]];
        all.extend(turns.iter().map(|x| Vector2::new((first + x).cos(), (first + x).sin())));
        all.push(self.normals[1]);
        all
    }

    /// Directions of a mover's planes, and whether an arc joins each two of them.
    fn pieces(&self, mover: Mover) -> (Vec<Vector2<f64>>, Vec<bool>) {
        let axes = [0.0, 90.0, 180.0, 270.0];
        let compass: Vec<f64> = (0..8).map(|i| 45.0 * f64::from(i)).collect();
        let planes = match mover {
            // The box around a pillar only touches corners of the pillar that lie on it.
            Mover::Cylinder(Expansion::OuterBox | Expansion::BoxArcs) => self.planes(&axes),
            Mover::Cylinder(Expansion::Bevels(8)) => self.planes(&compass),
            _ => self.planes(&[]),
        };
        let on_axis = |n: &Vector2<f64>| n.x.abs() < 1e-9 || n.y.abs() < 1e-9;
        let round = |pair: &[Vector2<f64>]| match mover {
            Mover::Cylinder(Expansion::Arcs) => true,
            Mover::Cylinder(Expansion::BoxArcs) => pair.iter().all(on_axis),
            _ => false,
        };
        let rounds = planes.windows(2).map(round).collect();
        (planes, rounds)
    }

    /// Length of the path from foot to foot of the perpendiculars from the corner to the offset
    /// walls: `2 R tan(f / 2)` for each turn `f` between planes, `R f` for an arc.
    pub fn predicted(&self, mover: Mover) -> f64 {
        let reach = RADIUS + SKIN;
        if mover == Mover::Box {
            return self.predicted_for_box();
        }
        let (planes, rounds) = self.pieces(mover);
        let turns = planes.windows(2).map(|pair| turn(pair[0], pair[1]));
        let lengths = turns
            .zip(rounds)
            .map(|(f, round)| if round { reach * f } else { 2.0 * reach * (f / 2.0).tan() });
        lengths.sum()
    }

    /// Length by the source's formula: `2 R tan(f / 2 s) s` for a turn cut into `s` equal parts.
    pub fn source(&self, parts: u32) -> f64 {
        let s = f64::from(parts);
        2.0 * (RADIUS + SKIN) * (self.turn() / (2.0 * s)).tan() * s
    }

    /// Number of parts into which a mover's planes cut the turn, if they are all planes.
    pub fn parts(&self, mover: Mover) -> Option<u32> {
        let (planes, rounds) = self.pieces(mover);
        let cut = mover != Mover::Box && !rounds.contains(&true);
        cut.then_some(planes.len() as u32 - 1)
    }

    /// Length for the sum of corner and box, which is a box: its edges between those furthest along
    /// the two normals.
    fn predicted_for_box(&self) -> f64 {
        let furthest = |n: Vector2<f64>, ahead: Vector2<f64>| {
            let pick = |x: f64, tie: f64| (if x.abs() < 1e-9 { tie } else { x }).signum() * RADIUS;
            Vector2::new(pick(n.x, ahead.x), pick(n.y, ahead.y))
        };
        let [n, m] = self.normals;
        // If a whole edge is furthest, the path uses its end on the first wall and its beginning
        // on the second.
        let (from, to) = (furthest(n, along(n)), furthest(m, -along(m)));
        let mut points = vec![from - along(n) * 9.0, from];
        while (points[points.len() - 1] - to).norm() > 1e-9 {
            let last = points[points.len() - 1];
            points.push(Vector2::new(-last.y, last.x));
        }
        points.push(to + along(m) * 9.0);
        // Only the part of each piece after the first foot and before the second counts.
        let pieces = points.windows(2).map(|pair| {
            let ends = |d: Vector2<f64>| [pair[0].dot(&d), pair[1].dot(&d)];
            let (mut low, mut high) = (0.0_f64, 1.0_f64);
            for [a, b] in [ends(along(n)), ends(-along(m))] {
                match (a < 0.0, b < 0.0) {
                    (true, true) => high = 0.0,
                    (true, false) => low = low.max(a / (a - b)),
                    (false, true) => high = high.min(a / (a - b)),
                    (false, false) => {}
                }
            }
            (pair[1] - pair[0]).norm() * (high - low).max(0.0)
        });
        let length: f64 = pieces.sum();
        // The skin adds an arc around the corner of the box.
        length + SKIN * self.turn()
    }
}

/// A path round a corner.
#[derive(Debug, Clone)]
pub struct Way {
    /// Length from foot to foot [m].
    pub length: f64,
    /// Distance it continues beyond the corner, along the first wall [m].
    pub beyond: f64,
    /// Positions of the centre.
    pub points: Vec<Vector2<f64>>,
}

impl Way {
    /// Number of frames of a game in which it is walked.
    pub fn frames(&self) -> f64 {
        self.length / SPEED * RATE
    }
}

/// Walks along the first wall of a corner, round it, and along the second one.
pub fn round(world: &BrushWorld, mover: Mover, corner: &Corner) -> Result<Way, Error> {
    let walker = Walker::new(mover.cylinder()?).skin(SKIN);
    let [n, m] = corner.normals;
    // The box is further from walls that are not along the axes.
    let reach = RADIUS * if mover == Mover::Box { n.x.abs() + n.y.abs() } else { 1.0 };
    let begin = corner.at - along(n) * 2.0 * RADIUS + n * (reach + 4.0 * SKIN);
    let mut at = walker.stand(
        world,
        Point3::new(begin.x, begin.y, HALF_HEIGHT + 0.25),
        &mut WalkScratch::new(),
    )?;
    let (mut scratch, mut heading, mut touching) = (WalkScratch::new(), along(n), false);
    let (mut met, mut airborne) = (false, 0);
    let mut way = Way { length: 0.0, beyond: 0.0, points: vec![begin] };
    let (mut before, mut started) = (begin - corner.at, false);
    // Presses towards the wall until the first contact; then follows it by touch.
    for _ in 0..40_000 {
        let aim = if touching || !met {
            heading + Vector2::new(-heading.y, heading.x) * TURN.tan()
        } else {
            // The rotation is limited: at a sharp tip the walker would circle endlessly.
            heading = if airborne < 5 { turned(heading) } else { heading };
            airborne += 1;
            heading
        };
        let wall = step(&walker, world, &mut at, aim * PIECE, &mut scratch)?;
        touching = wall.is_some();
        met |= touching;
        airborne = if touching { 0 } else { airborne };
        heading = wall.map_or(heading, along);
        let now = Vector2::new(at.position().x, at.position().y) - corner.at;
        way.points.push(now + corner.at);
        way.beyond = way.beyond.max(now.dot(&along(n)));
        let share = |d: Vector2<f64>| crossed(before.dot(&d), now.dot(&d));
        let piece = (now - before).norm();
        if let Some(share) = share(along(n)).filter(|_| !started) {
            started = true;
            way.length -= piece * share;
        }
        if let Some(share) = share(along(m)).filter(|_| started) {
            way.length += piece * share;
            return Ok(way);
        }
        way.length += if started { piece } else { 0.0 };
        before = now;
    }
    Err(Error::BadQuery { reason: "the way round the corner does not end" })
}

/// Moves by one piece of the path; returns the horizontal normal of the last wall it touched.
fn step(
    walker: &Walker<f64>,
    world: &BrushWorld,
    at: &mut WalkerState<f64>,
    by: Vector2<f64>,
    scratch: &mut WalkScratch,
) -> Result<Option<Vector2<f64>>, Error> {
    walker.slide(world, at, Vector3::new(by.x, by.y, 0.0), scratch)?;
    let last = walker.blocked_by(world, scratch).last();
    Ok(last.map(|wall| wall.normal.xy().normalize()))
}

/// Direction rotated to the left by [`TURN`].
fn turned(way: Vector2<f64>) -> Vector2<f64> {
    let (sine, cosine) = TURN.sin_cos();
    Vector2::new(way.x * cosine - way.y * sine, way.x * sine + way.y * cosine)
}

/// Fraction of a change at which it crosses zero from below.
fn crossed(before: f64, now: f64) -> Option<f64> {
    (before < 0.0 && now >= 0.0).then(|| before / (before - now))
}
