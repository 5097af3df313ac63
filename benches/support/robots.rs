//! Robots in random configurations: from the shared data, and one made in code.

use std::path::PathBuf;
use std::sync::Arc;

use boxwood::load::Robot;
use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{Build, Geometry, Mesh, Model, Pose};

use super::random::Random;

/// Returns the folder of data; prints what is skipped without it.
pub fn data(what: &str) -> Option<PathBuf> {
    let data = std::env::var_os("BOXWOOD_DATA").map(PathBuf::from);
    if data.is_none() {
        println!("SKIPPED: {what}: BOXWOOD_DATA is not set");
    }
    data
}

/// Poses a robot in new random configurations within its limits.
pub fn next_poses(robot: &Robot<f32>, random: &mut Random, count: usize) -> Vec<Vec<Pose>> {
    let mut values: Vec<f32> = Vec::new();
    let mut one = || {
        let mut poses = Vec::new();
        robot.mechanism.sample_values(|| random.share(), &mut values);
        robot.mechanism.poses(&values, &mut poses).expect("values within limits");
        poses
    };
    (0..count).map(|_| one()).collect()
}

/// Links of the made arm.
const LINKS: usize = 8;
/// Distance of neighbouring joints [m].
const LENGTH: f64 = 0.24;
/// Joints turn by at most this, either way [rad].
const LIMIT: f64 = 2.4;

/// Triangles of a link, as a CAD program writes it: slivers along a tube with two flanges, and
/// small screws.
#[derive(Default)]
struct CadMesh {
    vertices: Vec<Point3<f32>>,
    triangles: Vec<[u32; 3]>,
}

impl CadMesh {
    /// Adds the solid of revolution of a profile of radii and heights about an upright axis; the
    /// ends of the profile are on the axis.
    fn turn(&mut self, profile: &[[f64; 2]], [x, y]: [f64; 2], sides: u32) {
        let first = self.vertices.len() as u32;
        for &[radius, height] in profile {
            for side in 0..sides {
                let angle = f64::from(side) * std::f64::consts::TAU / f64::from(sides);
                let corner = [x + radius * angle.cos(), y + radius * angle.sin(), height];
                self.vertices.push(corner.map(|x| x as f32).into());
            }
        }
        for ring in 0..profile.len() as u32 - 1 {
            for side in 0..sides {
                let at = |ring: u32, side: u32| first + ring * sides + side % sides;
                let [a, b] = [at(ring, side), at(ring, side + 1)];
                let [c, d] = [at(ring + 1, side + 1), at(ring + 1, side)];
                // At the ends of the profile a side is a triangle.
                if ring > 0 {
                    self.triangles.push([a, b, c]);
                }
                if ring + 2 < profile.len() as u32 {
                    self.triangles.push([a, c, d]);
                }
            }
        }
    }

    fn link() -> Self {
        let mut mesh = CadMesh::default();
        let (tube, flange, thick, end) = (0.045, 0.07, 0.012, LENGTH - 0.03);
        let profile = [
            [0.0, 0.0],
            [flange, 0.0],
            [flange, thick],
            [tube, thick],
            [tube, end - thick],
            [flange, end - thick],
            [flange, end],
            [0.0, end],
        ];
        mesh.turn(&profile, [0.0; 2], 96);
        for screw in 0..16 {
            let angle = f64::from(screw % 8) * std::f64::consts::FRAC_PI_4;
            let (base, up) = if screw < 8 { (thick, 1.0) } else { (end - thick, -1.0) };
            let profile = [0.0, 0.004, 0.004, 0.0].into_iter().zip([0.0, 0.0, 0.005, 0.005]);
            let profile: Vec<_> = profile.map(|(r, z)| [r, base + up * z]).collect();
            mesh.turn(&profile, [angle.cos(), angle.sin()].map(|x| 0.058 * x), 16);
        }
        mesh
    }
}

/// Builds an arm of meshes whose joints turn about x and y in turn, both across the links. Pairs of
/// neighbours and of their neighbours are ignored.
pub fn made_arm(build: &Build) -> Robot<f32> {
    let CadMesh { vertices, triangles } = CadMesh::link();
    let mesh = Mesh::new(vertices, triangles).expect("a mesh");
    let name = |index: usize| format!("link {index}");
    let link = |index: usize| Link {
        name: name(index),
        parent: index.checked_sub(1),
        origin: Isometry3::translation(0.0, 0.0, if index > 0 { LENGTH } else { 0.0 }),
        joint: match index.checked_sub(1) {
            None => JointKind::Fixed,
            Some(actuator) => {
                let axis = if index.is_multiple_of(2) { Vector3::x() } else { Vector3::y() };
                JointKind::Revolute { axis, mimic: Mimic::direct(actuator) }
            }
        },
    };
    let actuator = |index| Actuator { name: name(index), limits: Some([-LIMIT, LIMIT]) };
    let links = (0..LINKS).map(link).collect();
    let mechanism = Mechanism::new(links, (1..LINKS).map(actuator).collect()).expect("a chain");
    let parts = (0..LINKS).fold(Model::builder(), |all, index| {
        let parent = index.checked_sub(1).map(name);
        all.part(name(index), parent.as_deref(), Geometry::Surface(mesh.clone()))
    });
    let pairs = (0..LINKS).flat_map(|i| [(i, i + 1), (i, i + 2)]);
    let pairs = pairs.filter(|&(_, j)| j < LINKS);
    let model = pairs.fold(parts, |all, (i, j)| all.ignore(name(i), name(j)));
    let model = model.build(build).expect("a model");
    Robot::new(model, Arc::new(mechanism))
}
