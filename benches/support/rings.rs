//! Bumpy rings of triangles: two nearly touching links of a chain, always at new relative poses;
//! and rings with new bumps, to build trees of.

use std::ops::ControlFlow;

use boxwood::f64::{Geometry, Mesh, ObbTree};
use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::tree::{Bound, TreePair, TreeScratch};
use boxwood::{Accuracy, Build, NodeId};

/// Segments of a ring: along it and around it.
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

pub type Triangles = (Vec<Point3<f64>>, Vec<[u32; 3]>);

/// A ring in the plane z = 0: radius 1, about 0.3 thick, with bumps that begin at an angle.
pub fn torus(ring: Ring, begin: f64) -> Triangles {
    let Ring { rounds, sides } = ring;
    let angle = |step: u32, steps: u32| f64::from(step) * std::f64::consts::TAU / f64::from(steps);
    let vertex = |index: u32| {
        let (u, v) = (angle(index / sides, rounds), angle(index % sides, sides));
        let thick = 0.3 * (1.0 + 0.1 * (7.0 * u + begin).sin() * (5.0 * v).cos());
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

/// Builds the tree of a ring, with one triangle a leaf as in the peer's. The fast bounds are
/// enough, because nothing uses them here.
pub fn tree(ring: Ring) -> ObbTree {
    let (vertices, triangles) = torus(ring, 0.0);
    let build = Build::default().bound(Bound::Corners);
    let mesh = Mesh::new(vertices, triangles).expect("a mesh");
    ObbTree::build(Geometry::Surface(mesh), &build).expect("a tree")
}

/// Orientations of the second ring; each occurs touching and disjoint.
const TURNS: u32 = 64;

/// Poses in a round: four orientations.
pub const PLACES: usize = 8;

/// Poses of the second ring: in each orientation, moved along X to the last disjoint and the first
/// touching pose, less than a thousandth apart.
pub fn places(ring: &ObbTree) -> Vec<Isometry3<f64>> {
    let mut places = Vec::new();
    for turn in 0..TURNS {
        let at = |pull: f64| {
            // The golden section never gets near a cycle.
            let tilt = 1.3 + 0.4 * (0.618 * f64::from(turn)).fract();
            let upright = Isometry3::rotation(Vector3::x() * tilt);
            let turned = upright * Isometry3::rotation(Vector3::z() * (0.7 * f64::from(turn)));
            Isometry3::translation(1.0 - pull, 0.0, 0.0) * turned
        };
        // At 0 the rings are linked and disjoint, at 0.6 they overlap.
        let (mut apart, mut touching) = (0.0, 0.6);
        while touching - apart > 1e-3 {
            let middle = 0.5 * (apart + touching);
            match touch(ring, &at(middle), &mut TreeScratch::default()) {
                true => touching = middle,
                false => apart = middle,
            }
        }
        places.extend([at(apart), at(touching)]);
    }
    places
}

fn touch(ring: &ObbTree, place: &Isometry3<f64>, scratch: &mut TreeScratch) -> bool {
    let pair = TreePair::new(ring, &Isometry3::identity(), ring, place).expect("sound poses");
    pair.intersects(Accuracy::Exact, scratch).expect("a sound accuracy")
}

/// A ring against a moved copy of itself.
pub struct Ours {
    pub ring: ObbTree,
    scratch: TreeScratch,
    pairs: Vec<[u32; 2]>,
}

impl Ours {
    pub fn new(ring: ObbTree) -> Self {
        Ours { ring, scratch: TreeScratch::default(), pairs: Vec::new() }
    }

    /// Number of poses at which the rings touch.
    pub fn touching(&mut self, places: &[Isometry3<f64>]) -> usize {
        let Ours { ring, scratch, .. } = self;
        places.iter().filter(|place| touch(ring, place, scratch)).count()
    }

    /// Number of intersecting pairs of triangles over all poses.
    pub fn pairs(&mut self, places: &[Isometry3<f64>]) -> usize {
        let Ours { ring, scratch, pairs } = self;
        pairs.clear();
        for place in places {
            let pair = TreePair::new(ring, &Isometry3::identity(), ring, place).expect("poses");
            let _ = pair.visit_primitives(scratch, |i, j| {
                pairs.push([i, j]);
                ControlFlow::Continue(())
            });
        }
        pairs.len()
    }
}

/// Meshes to build trees of; none repeats.
pub struct NewMeshes {
    /// `None` for cuboids of 12 triangles.
    ring: Option<Ring>,
    next: u32,
}

impl NewMeshes {
    pub fn new(ring: Ring) -> Self {
        NewMeshes { ring: Some(ring), next: 0 }
    }

    pub fn cuboids() -> Self {
        NewMeshes { ring: None, next: 0 }
    }

    pub fn next(&mut self) -> boxwood::Mesh {
        let (vertices, triangles) = match self.ring {
            Some(ring) => torus(ring, 0.37 * f64::from(self.next)),
            None => cuboid(self.next),
        };
        self.next += 1;
        boxwood::Mesh::new(vertices.iter().map(|p| p.cast()).collect(), triangles).expect("a mesh")
    }
}

/// A cuboid about the origin, with sides from 0.2 to 0.94 that depend on its number.
fn cuboid(number: u32) -> Triangles {
    let half = [0, 1, 2].map(|axis| 0.1 + 0.37e-3 * f64::from((3 * number + axis) * 7919 % 1000));
    let vertex = |index: u32| {
        Point3::from([0, 1, 2].map(|axis| match index >> axis & 1 {
            0 => -half[axis],
            _ => half[axis],
        }))
    };
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(vertex).collect(), triangles.collect())
}

/// Number of triangles in the leaves of a tree.
pub fn in_leaves(tree: &boxwood::ObbTree) -> usize {
    let leaves = (0..tree.len()).map(NodeId::new).filter(|&id| tree.node(id).children().is_none());
    leaves.map(|id| tree.primitives(id).len()).sum()
}
