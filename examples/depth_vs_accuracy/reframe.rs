//! A new frame for a part: the one in which the aligned boxes of its tree have the least surface.

use boxwood::nalgebra::{Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};
use boxwood::{Geometry, Mesh, NodeId, ObbTree, Pose};

/// Angles of the rotations about each axis that the search tries, each twice [rad].
const TURNS: [f32; 6] = [0.6, 0.4, 0.2, 0.1, 0.05, 0.02];

/// Returns the frame as columns, in the part's own: the better of the part's own and that of its
/// oriented box, rotated until no rotation improves it. The boxes are those of the tree; only their
/// frame changes.
pub fn best(tree: &ObbTree) -> Matrix3<f32> {
    let cost = |frame: &Matrix3<f32>| aligned_surface(tree, frame);
    let starts = [Matrix3::identity(), tree.node(NodeId::ROOT).oriented().axes()];
    let [own, fitted] = starts.map(|start| descend(start, cost));
    if fitted.1 < own.1 { fitted.0 } else { own.0 }
}

fn descend(mut best: Matrix3<f32>, cost: impl Fn(&Matrix3<f32>) -> f64) -> (Matrix3<f32>, f64) {
    let mut least = cost(&best);
    for angle in TURNS.into_iter().flat_map(|angle| [angle; 2]) {
        for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
            for turn in [axis * angle, axis * -angle] {
                let frame = best * Rotation3::new(turn).into_inner();
                let cost = cost(&frame);
                if cost < least {
                    (best, least) = (frame, cost);
                }
            }
        }
    }
    (best, least)
}

/// Half the surface area of all boxes aligned with the frame around the nodes' triangles.
fn aligned_surface(tree: &ObbTree, frame: &Matrix3<f32>) -> f64 {
    let Some(mesh) = tree.geometry().mesh() else { return 0.0 };
    let turned: Vec<Vector3<f32>> =
        mesh.vertices().iter().map(|v| frame.tr_mul(&v.coords)).collect();
    let node = |id: usize| {
        let (mut low, mut high) = (Vector3::repeat(f32::MAX), Vector3::repeat(f32::MIN));
        for &triangle in tree.primitives(NodeId::new(id)) {
            for corner in mesh.triangles()[triangle as usize] {
                let p = turned[corner as usize];
                (low, high) = (low.inf(&p), high.sup(&p));
            }
        }
        let s = (high - low).cast::<f64>();
        s.x * s.y + s.y * s.z + s.z * s.x
    };
    (0..tree.len()).map(node).sum()
}

/// Returns the same part in another frame, with rounding; boxes are unchanged.
pub fn seen_from(geometry: &Geometry, frame: &Matrix3<f32>) -> Result<Geometry, String> {
    let Some(mesh) = geometry.mesh() else { return Ok(geometry.clone()) };
    let turned = |v: &Point3<f32>| Point3::from(frame.tr_mul(&v.coords));
    let vertices = mesh.vertices().iter().map(turned).collect();
    let mesh = Mesh::new(vertices, mesh.triangles().to_vec()).map_err(|error| error.to_string())?;
    Ok(match geometry {
        Geometry::Solid(_) => Geometry::Solid(mesh),
        _ => Geometry::Surface(mesh),
    })
}

/// Returns the pose that leaves a part where it was after a change of its frame.
pub fn placed(pose: &Pose, frame: &Matrix3<f32>) -> Pose {
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*frame));
    Pose::from_parts(pose.translation, pose.rotation * turn)
}
