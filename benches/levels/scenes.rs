//! Brushes of several kinds, and small scenes for walkers; y is up.

use std::f64::consts::TAU;
use std::path::PathBuf;

use boxwood::CollisionGroups;
use boxwood::brush::{Brush, BrushWorld};
use boxwood::load::{self, Level, MapOptions};
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::shape::{Aabb, UpAxis};

use crate::support::random::{Random, about, apply};

/// Kinds of single brushes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Box,
    TurnedBox,
    Ramp,
    Pillar,
    Polytope,
}

impl Kind {
    pub const ALL: [(Kind, &'static str); 5] = [
        (Kind::Box, "box along the axes"),
        (Kind::TurnedBox, "turned box"),
        (Kind::Ramp, "ramp"),
        (Kind::Pillar, "8-sided pillar"),
        (Kind::Polytope, "random polytope"),
    ];

    /// Returns a random brush of this kind about a centre, some 0.6 to 4 units wide.
    pub fn brush(self, random: &mut Random, center: [f64; 3]) -> Brush {
        let half: [f64; 3] = std::array::from_fn(|_| random.between(0.3, 2.0));
        let upright = about([0.0, 1.0, 0.0], random.between(0.0, TAU));
        let corners = match self {
            Kind::Box => {
                return cuboid([0, 1, 2].map(|i| [center[i] - half[i], center[i] + half[i]]));
            }
            Kind::TurnedBox => corners(half),
            // The two upper corners of one end are omitted.
            Kind::Ramp => corners(half).into_iter().filter(|c| c[0] < 0.0 || c[1] < 0.0).collect(),
            Kind::Pillar => pillar(half),
            Kind::Polytope => (0..12 + random.below(9))
                .map(|_| random.direction().map(|x| x * (half[0] + 0.3)))
                .collect(),
        };
        let turn = if self == Kind::TurnedBox { random.rotation() } else { upright };
        let place = |corner| {
            let corner = apply(&turn, corner);
            Point3::from(std::array::from_fn(|i| corner[i] + center[i]))
        };
        hull(&corners.into_iter().map(place).collect::<Vec<_>>())
    }
}

/// Brushes of all kinds in turn at random positions in a cube, at the same density for every count;
/// and half the side of the cube.
pub fn field(count: usize, random: &mut Random) -> (Vec<Brush>, f64) {
    let half = 2.5 * (count as f64).cbrt();
    let brush = |index: usize| {
        let center = std::array::from_fn(|_| random.between(-half, half));
        Kind::ALL[index % Kind::ALL.len()].0.brush(random, center)
    };
    ((0..count).map(brush).collect(), half)
}

fn corners(half: [f64; 3]) -> Vec<[f64; 3]> {
    let corner =
        |bits: usize| std::array::from_fn(|i| if bits >> i & 1 == 0 { -half[i] } else { half[i] });
    (0..8).map(corner).collect()
}

fn pillar(half: [f64; 3]) -> Vec<[f64; 3]> {
    let around = |i: usize| (TAU * i as f64 / 8.0).sin_cos();
    let corner = |i: usize, y| [half[0] * around(i).0, y, half[0] * around(i).1];
    (0..8).flat_map(|i| [corner(i, -half[1]), corner(i, half[1])]).collect()
}

fn hull(corners: &[Point3<f64>]) -> Brush {
    Brush::from_points(corners).expect("a hull with an inside")
}

/// A box along the axes, from its ranges.
fn cuboid([x, y, z]: [[f64; 2]; 3]) -> Brush {
    let (min, max) = (Point3::new(x[0], y[0], z[0]), Point3::new(x[1], y[1], z[1]));
    Brush::from_aabb(&Aabb::new(min, max)).expect("a box")
}

/// Builds the world of the brushes, y up.
pub fn world(brushes: &[Brush]) -> BrushWorld {
    let mut world = BrushWorld::builder();
    world.up(UpAxis::Y);
    for brush in brushes {
        world.push(brush.clone(), CollisionGroups::ALL);
    }
    world.build().expect("brushes of one builder")
}

/// The correct result of a walker's move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Due {
    /// Rest: no bit of the position changes.
    Rest,
    /// Advance along x [units].
    Along(f64),
}

/// Brushes, a displacement, and starts.
pub struct Scene {
    pub name: &'static str,
    pub brushes: Vec<Brush>,
    /// Displacement of every tick, fall included.
    pub wish: Vector3<f64>,
    /// Height of the highest step that the walker climbs.
    pub step: f64,
    pub due: Due,
    /// Ranges of the starts, x and z.
    pub starts: [[f64; 2]; 2],
}

/// Radius and half height of all walkers of scenes.
pub const SIZE: [f32; 2] = [0.3, 0.9];

/// Fall of every walker in a tick.
const FALL: f64 = -0.1;

impl Scene {
    /// A random start, slightly above the floor.
    pub fn start(&self, random: &mut Random) -> Point3<f64> {
        let [x, z] = self.starts.map(|[low, high]| random.between(low, high));
        Point3::new(x, f64::from(SIZE[1]) + 0.05, z)
    }

    /// A flat floor, rotated by 17.3 degrees in its own plane if `turned`.
    pub fn rest(turned: bool) -> Scene {
        let turn = about([0.0, 1.0, 0.0], if turned { 17.3f64.to_radians() } else { 0.0 });
        let floor = corners([20.0, 0.5, 20.0]).into_iter().map(|corner| {
            let corner = apply(&turn, corner);
            Point3::new(corner[0], corner[1] - 0.5, corner[2])
        });
        let sides = [[-20.0, 20.0], [-1.0, 0.0], [-20.0, 20.0]];
        let floor = if turned { hull(&floor.collect::<Vec<_>>()) } else { cuboid(sides) };
        Scene {
            name: if turned { "at rest, turned floor" } else { "at rest on a floor" },
            brushes: vec![floor],
            wish: Vector3::new(0.0, FALL, 0.0),
            step: 0.0,
            due: Due::Rest,
            starts: [[-8.0, 8.0]; 2],
        }
    }

    pub fn flat(advance: f64) -> Scene {
        Scene {
            name: "walking on the flat",
            brushes: vec![cuboid([[0.0, 64.0], [-1.0, 0.0], [-4.0, 4.0]])],
            wish: Vector3::new(advance, FALL, 0.0),
            step: 0.0,
            due: Due::Along(advance),
            starts: [[2.0, 30.0], [-3.0, 3.0]],
        }
    }

    /// Diagonal walk along a wall of 64 coplanar brushes on 64 floor tiles.
    pub fn tiles() -> Scene {
        let tile = |i: usize| {
            let x = [i as f64, i as f64 + 1.0];
            [cuboid([x, [-1.0, 0.0], [-4.0, 1.0]]), cuboid([x, [0.0, 3.0], [0.0, 1.0]])]
        };
        Scene {
            name: "along a tiled wall",
            brushes: (0..64).flat_map(tile).collect(),
            wish: Vector3::new(0.05, FALL, 0.05),
            step: 0.0,
            due: Due::Along(0.05),
            starts: [[2.0, 8.0], [-0.5, -0.33]],
        }
    }

    /// Walk into a right-angled corner.
    pub fn corner() -> Scene {
        let wide = [-20.0, 20.0];
        Scene {
            name: "pressed into a right corner",
            brushes: vec![
                cuboid([wide, [-1.0, 0.0], wide]),
                cuboid([[0.0, 1.0], [0.0, 3.0], wide]),
                cuboid([wide, [0.0, 3.0], [0.0, 1.0]]),
            ],
            wish: Vector3::new(0.05, FALL, 0.03),
            step: 0.0,
            due: Due::Rest,
            starts: [[-0.8, -0.4]; 2],
        }
    }

    /// Walk up `steps` steps of 0.3, at 4 units a second.
    pub fn stairs(steps: usize, rate: f64) -> Scene {
        let mut brushes = vec![cuboid([[-20.0, 0.0], [-1.0, 0.0], [-2.0, 2.0]])];
        let end = |i: usize| if i + 1 == steps { 40.0 } else { 0.3 };
        brushes.extend((0..steps).map(|i| {
            let x = 0.3 * i as f64;
            cuboid([[x, x + end(i)], [-1.0, 0.3 * (i + 1) as f64], [-2.0, 2.0]])
        }));
        let advance = 4.0 / rate;
        Scene {
            name: "up stairs",
            brushes,
            wish: Vector3::new(advance, FALL * (60.0 / rate), 0.0),
            step: 0.35,
            due: Due::Along(advance),
            starts: [[-1.5, -1.2], [-1.0, 1.0]],
        }
    }
}

/// Shared levels: name in tables, and file.
const LEVELS: [(&str, &str); 4] = [
    ("lq_e1m1", "lq-e1m1/lq_e1m1.map"),
    ("lqdm3", "lq-dm3/lqdm3.map"),
    ("slope", "lq-slope/slope.map"),
    ("playground", "ahoy-playground/playground.map"),
];

/// Radius and half height of walkers in levels [m]; 32 level units are a metre.
pub const LEVEL_SIZE: [f32; 2] = [0.5, 0.875];

/// Step height of walkers in levels [m].
pub const LEVEL_STEP: f64 = 18.0 / 32.0;

/// Options with which the levels are loaded.
pub fn options() -> MapOptions {
    MapOptions::quake().scale(1.0 / 32.0).up(UpAxis::Y)
}

/// Bytes of the available levels, by name, without those that can not be read.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let Some(folder) = std::env::var_os("BOXWOOD_DATA").map(PathBuf::from) else {
        eprintln!("levels: SKIPPED, BOXWOOD_DATA names no folder");
        return Vec::new();
    };
    let read = |(name, path): (&'static str, &str)| {
        let path = folder.join("levels").join(path);
        let bytes = std::fs::read(&path).inspect_err(|error| {
            eprintln!("levels: SKIPPED {}: {error}", path.display());
        });
        Some((name, bytes.ok()?))
    };
    LEVELS.into_iter().filter_map(read).collect()
}

/// The available shared levels.
pub fn levels() -> Vec<(&'static str, Level)> {
    let level = |(name, bytes): (_, Vec<u8>)| {
        let level = load::map_bytes(&bytes, &options());
        let level = level.inspect_err(|error| eprintln!("levels: SKIPPED {name}: {error}"));
        Some((name, level.ok()?))
    };
    files().into_iter().filter_map(level).collect()
}

/// All brushes of a world.
pub fn brushes(world: &BrushWorld) -> Vec<Brush> {
    world.ids().filter_map(|id| world.brush(id).cloned()).collect()
}
