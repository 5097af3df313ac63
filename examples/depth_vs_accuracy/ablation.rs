//! The same poses asked of trees built in other ways.

use boxwood::accuracy::{Case, measure};
use boxwood::nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use boxwood::tree::{Bound, Fit, Split};
use boxwood::{Accuracy, Build, Geometry, Mesh, NodeId, ObbTree, Pose};

/// One way to build: what it reports falsely and what it costs, depth by depth.
pub struct Ablation {
    pub name: &'static str,
    /// At depth 0, 2, 4...: false positives in percent of the cases apart, box tests a query.
    pub by_depth: Vec<(u8, f64, f64)>,
    /// Box tests of an exact yes or no.
    pub exact_tests: f64,
    /// Sum of the surfaces of all oriented boxes, over that of the default.
    pub surface: f64,
}

/// A way to build, and whether the part's frame is chosen anew.
type Way = (&'static str, Build, bool);

fn ways() -> [Way; 9] {
    let plain = Build { bound: Bound::Corners, ..Build::tight() };
    [
        ("median, best fit", plain, false),
        ("area median", Build { split: Split::AreaMedian, ..plain }, false),
        ("mean", Build { split: Split::Mean, ..plain }, false),
        ("bottom-up", Build { split: Split::BottomUp, ..plain }, false),
        ("fit: part frame", Build { fit: Fit::Aligned, ..plain }, false),
        ("fit: area PCA", Build { fit: Fit::Spread, ..plain }, false),
        ("fit: refined", Build { fit: Fit::Refined, ..plain }, false),
        ("part frame chosen", plain, true),
        ("bottom-up, frame chosen", Build { split: Split::BottomUp, ..plain }, true),
    ]
}

/// A tree built another way, and how its geometry was turned before.
struct Built {
    tree: ObbTree,
    turn: Matrix3<f32>,
}

pub fn ablations(trees: &[&ObbTree], cases: &[Case<'_, f32>]) -> Result<Vec<Ablation>, String> {
    let mut found: Vec<Ablation> = Vec::new();
    for (index, (name, build, turned)) in ways().into_iter().enumerate() {
        eprint!("\rablation {} of {}: {name:<26}", index + 1, ways().len());
        let built: Vec<Built> =
            trees.iter().map(|tree| rebuilt(tree, &build, turned)).collect::<Result<_, _>>()?;
        let mut moved = Vec::new();
        for case in cases {
            let [a, b] = case.trees.map(|tree| {
                trees.iter().position(|other| std::ptr::eq(*other, tree)).unwrap_or_default()
            });
            let place = |pose: &Pose, turn: &Matrix3<f32>| -> Pose {
                let turn =
                    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*turn));
                Pose::from_parts(pose.translation, pose.rotation * turn)
            };
            let poses =
                [place(&case.poses[0], &built[a].turn), place(&case.poses[1], &built[b].turn)];
            let trees = [&built[a].tree, &built[b].tree];
            moved.push(Case { trees, poses, touching: case.touching, truth: None });
        }
        let surface: f64 = built.iter().map(|b| surface(&b.tree)).sum();
        let base = found.first().map_or(surface, |first: &Ablation| first.surface);
        found.push(one(name, &moved, surface / if index == 0 { 1.0 } else { base })?);
    }
    eprintln!();
    if let Some(first) = found.first_mut() {
        first.surface = 1.0;
    }
    Ok(found)
}

fn one(name: &'static str, cases: &[Case<'_, f32>], surface: f64) -> Result<Ablation, String> {
    let said = |error: boxwood::Error| error.to_string();
    let mut by_depth = Vec::new();
    for depth in (0..=16).step_by(2) {
        let sample = measure(cases, Accuracy::Depth(depth)).map_err(said)?;
        let apart = (sample.cases - sample.touching).max(1) as f64;
        by_depth.push((depth, 100.0 * sample.false_positives as f64 / apart, sample.tests.mean));
    }
    let exact = measure(cases, Accuracy::Exact).map_err(said)?;
    Ok(Ablation { name, by_depth, exact_tests: exact.tests.mean, surface })
}

fn rebuilt(tree: &ObbTree, build: &Build, turned: bool) -> Result<Built, String> {
    let said = |error: boxwood::Error| error.to_string();
    let (geometry, turn) = match (turned, tree.geometry().mesh()) {
        (true, Some(mesh)) => {
            let turn = best_frame(tree, build)?;
            (turned_by(tree.geometry(), mesh, &turn)?, turn)
        }
        _ => (tree.geometry().clone(), Matrix3::identity()),
    };
    Ok(Built { tree: ObbTree::build(geometry, build).map_err(said)?, turn })
}

/// The same triangles seen from the turned frame.
fn turned_by(geometry: &Geometry, mesh: &Mesh, turn: &Matrix3<f32>) -> Result<Geometry, String> {
    let vertices = mesh.vertices().iter().map(|v| turn.transpose() * v).collect();
    let mesh = Mesh::new(vertices, mesh.triangles().to_vec()).map_err(|error| error.to_string())?;
    Ok(match geometry {
        Geometry::Solid(_) => Geometry::Solid(mesh),
        _ => Geometry::Surface(mesh),
    })
}

/// The frame in which the part-aligned boxes of all nodes have the least surface: of the part's own, that of its oriented box,
/// and turns about either, smaller and smaller.
fn best_frame(tree: &ObbTree, build: &Build) -> Result<Matrix3<f32>, String> {
    let Some(mesh) = tree.geometry().mesh() else { return Ok(Matrix3::identity()) };
    let cost = |turn: &Matrix3<f32>| -> Result<f64, String> {
        let turned = turned_by(&Geometry::Surface(mesh.clone()), mesh, turn)?;
        let tree = ObbTree::build(turned, build).map_err(|error| error.to_string())?;
        let surface = |id: usize| {
            let s = tree.node(NodeId::new(id)).aligned().sizes().cast::<f64>();
            s.x * s.y + s.y * s.z + s.z * s.x
        };
        Ok((0..tree.len()).map(surface).sum())
    };
    let starts = [Matrix3::identity(), tree.node(NodeId::ROOT).oriented().axes()];
    let mut best = (starts[0], cost(&starts[0])?);
    let other = cost(&starts[1])?;
    if other < best.1 {
        best = (starts[1], other);
    }
    for angle in [0.4f32, 0.2, 0.1, 0.05] {
        for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
            for sign in [-1.0, 1.0] {
                let turn = best.0 * Rotation3::new(axis * sign * angle).into_inner();
                let cost = cost(&turn)?;
                if cost < best.1 {
                    best = (turn, cost);
                }
            }
        }
    }
    Ok(best.0)
}

fn surface(tree: &ObbTree) -> f64 {
    let of = |id: usize| {
        let h = tree.node(NodeId::new(id)).oriented().half_extents().cast::<f64>();
        8.0 * (h.x * h.y + h.y * h.z + h.z * h.x)
    };
    (0..tree.len()).map(of).sum()
}
