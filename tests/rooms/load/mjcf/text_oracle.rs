//! A second reader of MJCF, which only splits the text, with poses by products of 4x4 matrices. It
//! reads what the humanoid's file uses: no defaults but the one class that makes shapes capsules,
//! and no orientations but quaternions.

use std::collections::HashMap;

use nalgebra::Matrix4;

use support::prelude::*;

pub struct Body {
    pub name: String,
    pub parent: Option<usize>,
    /// Pose in its parent, before its joints move it.
    pub place: Matrix4<f64>,
    /// Names, axes and anchors.
    pub joints: Vec<(String, Vector3<f64>, Vector3<f64>)>,
    /// Kind, size, and pose in the body.
    pub shapes: Vec<(String, Vec<f64>, Matrix4<f64>)>,
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

/// Returns the matrix of a quaternion, w first, of any length.
fn turned(quat: &[f64]) -> Matrix3<f64> {
    let length = quat.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| quat[i] / length);
    Matrix3::new(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
}

fn place(tag: &HashMap<&str, &str>) -> Matrix4<f64> {
    let mut place = Matrix4::identity();
    if let Some(quat) = tag.get("quat") {
        place.fixed_view_mut::<3, 3>(0, 0).copy_from(&turned(&numbers(quat)));
    }
    if let Some(pos) = tag.get("pos") {
        place.fixed_view_mut::<3, 1>(0, 3).copy_from(&Vector3::from_vec(numbers(pos)));
    }
    place
}

/// Returns all bodies, in the order of the file.
pub fn read(text: &str) -> Vec<Body> {
    let world = text.split("<worldbody>").nth(1).expect("a world");
    let world = world.split("</worldbody>").next().expect("its end");
    let (mut bodies, mut open): (Vec<Body>, Vec<usize>) = (Vec::new(), Vec::new());
    for piece in world.split('<').skip(1) {
        let inside = piece.split('>').next().expect("an end");
        let words: Vec<&str> = inside.split('"').collect();
        let attributes: HashMap<&str, &str> = words
            .chunks_exact(2)
            .map(|pair| {
                let name = pair[0].trim_end_matches('=').split_whitespace().last();
                (name.expect("a name"), pair[1])
            })
            .collect();
        match inside.split_whitespace().next().expect("a tag") {
            "body" => {
                bodies.push(Body {
                    name: attributes["name"].to_owned(),
                    parent: open.last().copied(),
                    place: place(&attributes),
                    joints: Vec::new(),
                    shapes: Vec::new(),
                });
                open.push(bodies.len() - 1);
            }
            "/body" => drop(open.pop()),
            "joint" => {
                let axis = Vector3::from_vec(numbers(attributes["axis"]));
                let body = &mut bodies[*open.last().expect("a body")];
                let anchor = attributes.get("pos").map_or(vec![0.0; 3], |pos| numbers(pos));
                let anchor = Vector3::from_vec(anchor);
                body.joints.push((attributes["name"].to_owned(), axis, anchor));
            }
            "geom" => {
                let kind = attributes.get("type").copied().unwrap_or("capsule").to_owned();
                let shape = (kind, numbers(attributes["size"]), place(&attributes));
                bodies[*open.last().expect("a body")].shapes.push(shape);
            }
            _ => {}
        }
    }
    bodies
}

/// Computes body-to-world matrices for joint angles by name; missing ones are zero.
pub fn poses(bodies: &[Body], angles: &HashMap<String, f64>) -> Vec<Matrix4<f64>> {
    let mut poses: Vec<Matrix4<f64>> = Vec::new();
    for body in bodies {
        let mut pose = body.parent.map_or(Matrix4::identity(), |parent| poses[parent]) * body.place;
        for (name, axis, anchor) in &body.joints {
            let half = 0.5 * angles.get(name).copied().unwrap_or(0.0);
            let (sine, cosine) = half.sin_cos();
            let axis = axis / axis.norm() * sine;
            let turn = turned(&[cosine, axis.x, axis.y, axis.z]);
            let mut matrix = Matrix4::identity();
            matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&turn);
            pose *= Matrix4::new_translation(anchor) * matrix * Matrix4::new_translation(&-anchor);
        }
        poses.push(pose);
    }
    poses
}

/// Computes the support of a shape along a direction, in the frame of its body.
pub fn reach((kind, size, place): &(String, Vec<f64>, Matrix4<f64>), way: &Vector3<f64>) -> f64 {
    let turn = place.fixed_view::<3, 3>(0, 0).into_owned();
    let local = turn.tr_mul(way);
    let middle = place.fixed_view::<3, 1>(0, 3).dot(way);
    middle
        + match kind.as_str() {
            "sphere" => size[0],
            "capsule" => size[0] + size[1] * local.z.abs(),
            "ellipsoid" => (0..3).map(|i| (size[i] * local[i]).powi(2)).sum::<f64>().sqrt(),
            other => panic!("{other}"),
        }
}
