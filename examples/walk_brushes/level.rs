//! A small level: brushes whose corners are whole numbers, 32 a metre, as worlds and as a map.

use std::fmt::Write;

use boxwood::brush::{Brush, BrushWorld, Expansion};
use boxwood::nalgebra::{Point3, Unit, Vector3};
use boxwood::shape::{Plane, UpAxis, UprightCylinder};
use boxwood::{CollisionGroups, Error};

pub use crate::walks::SCALE;

/// Start of players: the centre of the cylinder [units].
pub const START: [i64; 3] = [48, 480, 29];

/// A corner in units.
type Corner = [i64; 3];

/// A convex solid: three corners of each face, clockwise seen from outside, as in a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    pub name: &'static str,
    pub faces: Vec<[Corner; 3]>,
}

fn across(a: Corner, b: Corner) -> Corner {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn inner(a: Corner, b: Corner) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: Corner, b: Corner) -> Corner {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The normal of a face, its components without common factors.
fn normal([a, b, c]: &[Corner; 3]) -> Corner {
    let normal = across(minus(*a, *b), minus(*c, *b));
    let common = normal.iter().fold(0, |x: i64, y| factor(x, y.abs())).max(1);
    normal.map(|x| x / common)
}

/// The greatest common divisor.
fn factor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { factor(b, a % b) }
}

impl Solid {
    /// Solid between two outlines with the same number of corners, the second above the first.
    fn between(name: &'static str, low: &[Corner], high: &[Corner]) -> Solid {
        let mut faces = vec![[low[0], low[1], low[2]], [high[0], high[1], high[2]]];
        let sides = (0..low.len()).map(|i| (i, (i + 1) % low.len()));
        // A line that both outlines share has no side.
        faces.extend(
            sides
                .filter(|&(i, j)| low[i] != high[i] || low[j] != high[j])
                .map(|(i, j)| [low[i], low[j], if low[i] == high[i] { high[j] } else { high[i] }]),
        );
        let count = (2 * low.len()) as i64;
        let middle =
            low.iter().chain(high).fold([0; 3], |sum, corner| minus(sum, minus([0; 3], *corner)));
        for face in &mut faces {
            let [x, y, z] = face[1];
            if inner(normal(face), minus([x * count, y * count, z * count], middle)) < 0 {
                face.swap(0, 2);
            }
        }
        Solid { name, faces }
    }

    /// An upright prism over an outline.
    fn prism(name: &'static str, outline: &[[i64; 2]], [low, high]: [i64; 2]) -> Solid {
        let at = |z: i64| outline.iter().map(|&[x, y]| [x, y, z]).collect::<Vec<Corner>>();
        Solid::between(name, &at(low), &at(high))
    }

    fn cuboid(name: &'static str, min: Corner, max: Corner) -> Solid {
        let outline = [[min[0], min[1]], [max[0], min[1]], [max[0], max[1]], [min[0], max[1]]];
        Solid::prism(name, &outline, [min[2], max[2]])
    }

    /// The brush, in metres.
    pub fn brush(&self) -> Result<Brush, Error> {
        let planes: Result<Vec<Plane<f64>>, Error> = self.faces.iter().map(plane).collect();
        Brush::from_planes(&planes?)
    }
}

/// Plane of a face, in metres.
fn plane(face: &[Corner; 3]) -> Result<Plane<f64>, Error> {
    let whole = normal(face);
    let length = (inner(whole, whole) as f64).sqrt();
    let unit = Unit::new_unchecked(Vector3::from(whole.map(|x| x as f64 / length)));
    Plane::new(unit, inner(whole, face[1]) as f64 * SCALE / length)
}

/// Outlines of the pillars, counter-clockwise: corners of 60, 90 and 120 degrees.
pub const ACUTE: [[i64; 2]; 3] = [[96, 96], [320, 96], [208, 290]];
pub const RIGHT: [[i64; 2]; 4] = [[448, 96], [608, 96], [608, 256], [448, 256]];
pub const OBTUSE: [[i64; 2]; 6] =
    [[912, 192], [856, 289], [744, 289], [688, 192], [744, 95], [856, 95]];

pub fn solids() -> Vec<Solid> {
    let mut all = Vec::new();
    for (x, y) in (0..4).flat_map(|x| (0..3).map(move |y| (256 * x, 256 * y))) {
        all.push(Solid::cuboid("floor", [x, y, -16], [x + 256, y + 256, 0]));
    }
    all.push(Solid::cuboid("curb", [-16, -16, -16], [0, 784, 32]));
    all.push(Solid::cuboid("curb", [1024, -16, -16], [1040, 784, 32]));
    all.push(Solid::cuboid("curb", [0, -16, -16], [1024, 0, 32]));
    all.push(Solid::cuboid("curb", [0, 768, -16], [1024, 784, 32]));
    all.push(Solid::prism("acute", &ACUTE, [0, 128]));
    all.push(Solid::prism("right", &RIGHT, [0, 128]));
    all.push(Solid::prism("obtuse", &OBTUSE, [0, 128]));
    for step in 0..4 {
        let (x, top) = (96 + 32 * step, 16 * (step + 1));
        all.push(Solid::cuboid("stairs", [x, 416, 0], [x + 32, 544, top]));
    }
    all.push(Solid::cuboid("landing", [224, 416, 0], [352, 544, 64]));
    all.push(slope("ramp", [[480, 544], [480, 416], [352, 416], [352, 544]], 64));
    all.push(Solid::cuboid("door post", [560, 352, 0], [576, 448, 96]));
    all.push(Solid::cuboid("door post", [560, 512, 0], [576, 768, 96]));
    all.push(Solid::cuboid("lintel", [560, 448, 40], [576, 512, 96]));
    all.push(slope("turned ramp", [[656, 484], [720, 420], [848, 548], [784, 612]], 32));
    all
}

/// Slope from the floor at the first two corners to the height `top` at the others.
fn slope(name: &'static str, [a, b, c, d]: [[i64; 2]; 4], top: i64) -> Solid {
    let at = |[x, y]: [i64; 2], z: i64| [x, y, z];
    let low = [at(a, 0), at(b, 0), at(c, 0), at(d, 0)];
    Solid::between(name, &low, &[low[0], low[1], at(c, top), at(d, top)])
}

/// The level as a world.
pub fn world(expansion: Expansion) -> Result<BrushWorld, Error> {
    let mut world = BrushWorld::builder();
    world.expansion(expansion);
    for solid in solids() {
        world.push(solid.brush()?, CollisionGroups::ALL);
    }
    world.build()
}

/// Builds the level for the centre of a box along the axes with the given half extents: every brush
/// is expanded by the box, so that a point moves among them as the box does among the brushes.
pub fn world_for_box(half: Vector3<f64>) -> Result<BrushWorld, Error> {
    let mut world = BrushWorld::builder();
    for solid in solids() {
        let corners = solid.brush()?.corners();
        let sums = corners.iter().flat_map(|corner| {
            (0..8).map(move |bits| {
                let sign = |bit: i32| if bits >> bit & 1 == 0 { -1.0 } else { 1.0 };
                corner + half.component_mul(&Vector3::new(sign(0), sign(1), sign(2)))
            })
        });
        let sums: Vec<Point3<f64>> = sums.collect();
        world.push(Brush::from_points(&sums)?, CollisionGroups::ALL);
    }
    world.build()
}

/// Builds the level for the centre of a cylinder: the planes of every brush are pushed out by the
/// cylinder's support distance, without bevels or arcs.
pub fn world_of_planes(cylinder: &UprightCylinder<f64>) -> Result<BrushWorld, Error> {
    let mut world = BrushWorld::builder();
    for solid in solids() {
        let brush = solid.brush()?;
        let pushed = brush.planes().into_iter().map(|plane| {
            let reach = cylinder.support_distance(plane.normal(), UpAxis::Z);
            Plane::new(plane.normal(), plane.offset() + reach)
        });
        let pushed: Result<Vec<Plane<f64>>, Error> = pushed.collect();
        world.push(Brush::from_planes(&pushed?)?, CollisionGroups::ALL);
    }
    world.build()
}

/// Returns the level as a map of Valve 220, which TrenchBroom opens.
pub fn map_text() -> String {
    let mut out = "// Game: Quake\n// Format: Valve\n{\n\"classname\" \"worldspawn\"\n\
                   \"mapversion\" \"220\"\n"
        .to_owned();
    for solid in solids() {
        let _ = writeln!(out, "// {}\n{{", solid.name);
        for face in &solid.faces {
            for [x, y, z] in face {
                let _ = write!(out, "( {x} {y} {z} ) ");
            }
            // Textures are along the axes closest to the face.
            let [x, y, z] = normal(face).map(i64::abs);
            let axes = match (z >= x && z >= y, x >= y) {
                (true, _) => "[ 1 0 0 0 ] [ 0 -1 0 0 ]",
                (_, true) => "[ 0 1 0 0 ] [ 0 0 -1 0 ]",
                _ => "[ 1 0 0 0 ] [ 0 0 -1 0 ]",
            };
            let _ = writeln!(out, "plain {axes} 0 1 1");
        }
        out.push_str("}\n");
    }
    let [x, y, z] = START;
    let start = "\"classname\" \"info_player_start\"";
    let _ = writeln!(out, "}}\n{{\n{start}\n\"origin\" \"{x} {y} {z}\"\n}}");
    out
}
