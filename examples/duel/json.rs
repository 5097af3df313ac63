//! JSON, as text: hits and pushes a line each, and the triangles of a frame.

use std::fmt::Write as _;
use std::io::Write;

use boxwood::{Geometry, NodeRef, Obb, ObbTree, Pose};
use nalgebra::{Isometry3, Point3};

use crate::play::Frame;

/// One object a hit, one a line.
pub fn hits(frame: &Frame<'_>, file: &mut dyn Write) -> std::io::Result<()> {
    for hit in frame.hits {
        writeln!(
            file,
            "{{\"frame\":{},\"a\":{},\"b\":{},\"point\":{},\"point_error\":{},\"normal\":{},\
             \"depth\":{},\"slack\":{}}}",
            frame.number,
            site(frame, hit.a)?,
            site(frame, hit.b)?,
            list(hit.point.iter()),
            hit.point_error,
            list(hit.normal.iter()),
            hit.depth,
            hit.slack,
        )?;
    }
    Ok(())
}

/// One object, with all that it takes to check the push: who parts last, where, and the way of blue.
pub fn push(frame: &Frame<'_>, file: &mut dyn Write) -> std::io::Result<()> {
    let Some(push) = frame.push else { return Ok(()) };
    let part =
        |site| format!("{{\"part\":{},\"node\":{}}}", text(frame.part_name(site)), site.node);
    writeln!(
        file,
        "{{\"frame\":{},\"push\":{{\"a\":{},\"b\":{},\"normal\":{},\"depth\":{},\"on_a\":{},\
         \"on_b\":{}}}}}",
        frame.number,
        part(push.a),
        part(push.b),
        list(push.normal.iter()),
        push.depth,
        list(push.on_a.iter()),
        list(push.on_b.iter()),
    )
}

fn site(frame: &Frame<'_>, site: NodeRef) -> std::io::Result<String> {
    let world = frame.now.node_obb(site).map_err(std::io::Error::other)?;
    let axes = world.axes();
    let axes: Vec<String> = axes.column_iter().map(|axis| list(axis.iter())).collect();
    Ok(format!(
        "{{\"character\":{},\"part\":{},\"node\":{},\"box\":{{\"center\":{},\"axes\":[{}],\
         \"half_extents\":{}}}}}",
        frame.side(site),
        text(frame.part_name(site)),
        site.node,
        list(world.center().iter()),
        axes.join(","),
        list(world.half_extents().iter()),
    ))
}

/// The world triangles of what every part's tree holds, moved in double precision.
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
    // A pose moves by q / |q|.
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

fn list<'a, N: std::fmt::Display + 'a>(numbers: impl Iterator<Item = &'a N>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// A JSON string.
fn text(of: &str) -> String {
    let mut out = String::from("\"");
    for character in of.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            control if (control as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
