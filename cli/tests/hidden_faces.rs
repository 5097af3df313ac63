//! Tests of the order of faces: at every point of the picture the last face drawn is the nearest.

use boxwood::nalgebra::{Point3, Quaternion, UnitQuaternion, Vector3};
use boxwood_cli::drawing::hidden_faces::{Corner, Face, sorted};
use boxwood_cli::random::Random;

/// Returns the faces of a random box that look towards +z.
fn random_box(random: &mut Random, label: usize) -> Vec<Face> {
    let mut number = |low, high| random.between(low, high);
    let turn = Quaternion::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0), 0.3);
    let turn = UnitQuaternion::from_quaternion(turn);
    let center = Vector3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
    let half = Vector3::new(number(0.1, 0.8), number(0.1, 0.8), number(0.1, 0.8));
    let mut faces = Vec::new();
    for side in 0..6 {
        let (axis, sign) = (side / 2, if side % 2 == 0 { 1.0 } else { -1.0 });
        let normal = turn * (Vector3::ith(axis, 1.0) * sign);
        if normal.z <= 1e-6 {
            continue;
        }
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let corner = |[along, across]: [f64; 2]| {
            let mut at = Vector3::ith(axis, sign * half[axis]);
            (at[u], at[v]) = (along * half[u], across * half[v]);
            Corner { at: Point3::from(center + turn * at), is_edge: true }
        };
        let around = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        faces.push(Face { corners: around.map(corner).to_vec(), normal, label });
    }
    faces
}

/// Returns the height of a face above a point of the picture; `None` beside it and near its sides.
fn height(face: &Face, [x, y]: [f64; 2]) -> Option<f64> {
    let at = |corner: &Corner| [corner.at.x - x, corner.at.y - y];
    let count = face.corners.len();
    let turns = (0..count).map(|index| {
        let (a, b) = (at(&face.corners[index]), at(&face.corners[(index + 1) % count]));
        a[0] * b[1] - a[1] * b[0]
    });
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    turns.for_each(|turn| (least, most) = (least.min(turn), most.max(turn)));
    if least < 0.0 && most > 0.0 || least.abs().min(most.abs()) < 1e-9 {
        return None;
    }
    let from = face.corners[0].at;
    let [dx, dy] = [x - from.x, y - from.y];
    Some(from.z - (face.normal.x * dx + face.normal.y * dy) / face.normal.z)
}

#[test]
fn the_last_face_at_a_point_is_the_nearest() {
    let mut random = Random(5);
    let mut tested = 0;
    for round in 0..20 {
        let boxes = 2 + round;
        let faces: Vec<Face> =
            (0..boxes).flat_map(|label| random_box(&mut random, label)).collect();
        let drawn = sorted(faces.clone());
        assert!(drawn.len() >= faces.len() && drawn.len() < 40 * faces.len(), "{}", drawn.len());
        for _ in 0..500 {
            let point = [random.between(-1.5, 1.5), random.between(-1.5, 1.5)];
            let nearest = faces.iter().filter_map(|face| height(face, point));
            let nearest = nearest.fold(f64::NEG_INFINITY, f64::max);
            let Some(last) = drawn.iter().rev().find_map(|face| height(face, point)) else {
                continue;
            };
            // Faces that meet within the thickness of a plane may be in either order.
            assert!((last - nearest).abs() < 1e-3, "round {round}: {last}, not {nearest}");
            tested += 1;
        }
    }
    assert!(tested > 3_000, "{tested}");
    assert!(sorted(Vec::new()).is_empty());
}

#[test]
fn cuts_are_no_edges() {
    let mut random = Random(9);
    let faces: Vec<Face> = (0..12).flat_map(|label| random_box(&mut random, label)).collect();
    let length = |faces: &[Face], edges: bool| -> f64 {
        let sides = faces.iter().flat_map(|face| {
            let count = face.corners.len();
            (0..count).map(move |index| (face.corners[index], face.corners[(index + 1) % count].at))
        });
        let sides = sides.filter(|(corner, _)| corner.is_edge == edges);
        sides.map(|(corner, next)| (next - corner.at).norm()).sum()
    };
    let drawn = sorted(faces.clone());
    assert!(drawn.len() > faces.len() && length(&drawn, false) > 1.0);
    let (before, after) = (length(&faces, true), length(&drawn, true));
    assert!((before - after).abs() < 1e-2 * before, "{before} {after}");
    // The pieces of all faces of a box are as large as the faces.
    let area = |faces: &[Face], label: usize| -> f64 {
        let own = faces.iter().filter(|face| face.label == label);
        let triangles = own.flat_map(|face| {
            let from = face.corners[0].at;
            face.corners.windows(2).map(move |pair| (pair[0].at - from).cross(&(pair[1].at - from)))
        });
        triangles.map(|normal| 0.5 * normal.norm()).sum()
    };
    for label in 0..12 {
        let (before, after) = (area(&faces, label), area(&drawn, label));
        assert!((before - after).abs() < 1e-6 * before, "{label}: {before} {after}");
    }
}
