//! The triangles of a frame as JSON.

use std::fmt::Write as _;

use boxwood::{Geometry, Obb, ObbTree, Pose};
use nalgebra::{Isometry3, Point3};

use crate::fight::json::{list, text};
use crate::fight::play::Frame;

/// Returns the world triangles of the geometry in every part's tree, moved in double precision.
pub fn dump(frame: &Frame<'_>) -> String {
    let mut out = format!("{{\"frame\":{},\"parts\":[", frame.number);
    let mut first = true;
    for (side, key) in frame.keys.into_iter().enumerate() {
        let model = &frame.cast[side].loaded.model;
        let poses = frame.scene.poses(key).unwrap_or_default();
        for (part, pose) in model.parts().iter().zip(poses) {
            let Some(tree) = part.tree() else { continue };
            let comma = if std::mem::take(&mut first) { "" } else { "," };
            let name = text(part.name());
            let triangles = triangles(tree, pose);
            let _ = write!(
                out,
                "{comma}\n{{\"character\":{side},\"part\":{name},\"triangles\":[{triangles}]}}"
            );
        }
    }
    out.push_str("\n]}\n");
    out
}

fn triangles(tree: &ObbTree, pose: &Pose) -> String {
    // Poses rotate by q / |q|.
    let rotation =
        nalgebra::UnitQuaternion::new_normalize(pose.rotation.cast::<f64>().into_inner());
    let exact = Isometry3::from_parts(pose.translation.cast::<f64>(), rotation);
    let moved = |corners: [Point3<f32>; 3]| {
        let points = corners.map(|corner| exact * corner.cast::<f64>());
        list(points.iter().flat_map(|point| point.iter()))
    };
    let all: Vec<String> = match tree.geometry() {
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            (0..mesh.triangles().len()).map(|i| moved(mesh.corners(i))).collect()
        }
        Geometry::Boxes(boxes) => boxes.iter().flat_map(faces).map(moved).collect(),
        _ => Vec::new(),
    };
    all.join(",")
}

/// The twelve triangles of a box.
fn faces(of: &Obb) -> Vec<[Point3<f32>; 3]> {
    let corners = of.corners();
    let mut triangles = Vec::new();
    for axis in 0..3 {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for base in [0, 1 << axis] {
            let quad = [base, base | u, base | u | v, base | v].map(|corner| corners[corner]);
            triangles.push([quad[0], quad[1], quad[2]]);
            triangles.push([quad[0], quad[2], quad[3]]);
        }
    }
    triangles
}
