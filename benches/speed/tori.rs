//! Two bumpy rings, linked like those of a chain and near touching.

use boxwood::f64::{Geometry, Mesh, ObbTree};
use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::tree::{Bound, Scratch, TreePair};
use boxwood::{Accuracy, Build, Error};

/// How finely a ring is cut: along it and around it.
#[derive(Debug, Clone, Copy)]
pub struct Ring {
    pub rounds: u32,
    pub sides: u32,
}

impl Ring {
    pub fn triangles(self) -> u32 {
        2 * self.rounds * self.sides
    }
}

/// Rings of 5,000, 50,000 and 200,000 triangles.
pub const RINGS: [Ring; 3] = [
    Ring { rounds: 100, sides: 25 },
    Ring { rounds: 250, sides: 100 },
    Ring { rounds: 500, sides: 200 },
];

/// A ring in the plane z = 0: radius 1, about 0.3 thick, with bumps.
pub fn torus(ring: Ring) -> (Vec<Point3<f64>>, Vec<[u32; 3]>) {
    let Ring { rounds, sides } = ring;
    let angle = |step: u32, steps: u32| f64::from(step) * std::f64::consts::TAU / f64::from(steps);
    let vertex = |index: u32| {
        let (u, v) = (angle(index / sides, rounds), angle(index % sides, sides));
        let thick = 0.3 * (1.0 + 0.1 * (7.0 * u).sin() * (5.0 * v).cos());
        let from_axis = 1.0 + thick * v.cos();
        Point3::new(from_axis * u.cos(), from_axis * u.sin(), thick * v.sin())
    };
    let triangles = (0..rounds * sides).flat_map(|index| {
        let (round, side) = (index / sides, index % sides);
        let at = |round: u32, side: u32| round % rounds * sides + side % sides;
        let [a, b] = [at(round, side), at(round + 1, side)];
        let [c, d] = [at(round + 1, side + 1), at(round, side + 1)];
        [[a, b, c], [a, c, d]]
    });
    ((0..rounds * sides).map(vertex).collect(), triangles.collect())
}

/// A tree of a ring, with one triangle a leaf as in the peer's; no bound is asked for here, so the cheap ones do.
pub fn tree(ring: Ring) -> Result<ObbTree, Error> {
    let (vertices, triangles) = torus(ring);
    let build = Build { bound: Bound::Corners, ..Build::tight() };
    ObbTree::build(Geometry::Surface(Mesh::new(vertices, triangles)?), &build)
}

/// Places of the second ring: each turned another way, and pulled along X until the rings just touch and until they just do
/// not, less than a thousandth apart. The first is where it was made.
pub fn places(ring: &ObbTree, turns: u32) -> Result<Vec<Isometry3<f64>>, Error> {
    let mut places = Vec::new();
    for turn in 0..turns {
        let at = |pull: f64| {
            let upright = Isometry3::rotation(Vector3::x() * (1.3 + 0.1 * f64::from(turn)));
            let turned = upright * Isometry3::rotation(Vector3::z() * (0.7 * f64::from(turn)));
            Isometry3::translation(1.0 - pull, 0.0, 0.0) * turned
        };
        // Linked and clear of each other, then through each other.
        let (mut apart, mut touching) = (0.0, 0.6);
        while touching - apart > 1e-3 {
            let middle = 0.5 * (apart + touching);
            match touch(ring, &at(middle))? {
                true => touching = middle,
                false => apart = middle,
            }
        }
        places.extend([at(apart), at(touching)]);
    }
    Ok(places)
}

fn touch(ring: &ObbTree, place: &Isometry3<f64>) -> Result<bool, Error> {
    let pair = TreePair::new(ring, &Isometry3::identity(), ring, place)?;
    pair.intersects(Accuracy::Exact, &mut Scratch::default())
}
