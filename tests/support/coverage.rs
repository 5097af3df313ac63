//! Coverage of a skin by rigid parts, by brute force.

use std::collections::HashMap;
use std::path::Path;

use boxwood::load::Loaded;
use boxwood::model::coverage;
use boxwood::motion::Joints;
use nalgebra::Point3;

use crate::box_distance::nearest_to;
use crate::gltf_clips;
use crate::plain_box::PlainBox;
use crate::random_parts::place;
use crate::skinning::{Character, scene_nodes};

/// Computes coverage at one time of the first clip by brute force: the distance of each skinned
/// vertex from the nearest box.
pub fn by_brute_force(loaded: &Loaded<f32>, file: &Path, t: f32, depth: u8) -> Vec<(usize, f64)> {
    let clip = |document: &gltf::Document, blob: &[u8]| {
        gltf_clips::locals(document, blob, 0, f64::from(t))
    };
    let character = Character::posed(file, clip);
    let nodes = scene_nodes(&character.document);
    let joint: HashMap<usize, usize> =
        nodes.iter().enumerate().map(|(joint, (node, _))| (node.index(), joint)).collect();
    let mut joints = Joints::new();
    let poses = loaded.clips[0].sample(t, &mut joints).expect("finite");
    let parts = loaded.model.parts().iter().zip(poses);
    let boxes: Vec<PlainBox> = parts
        .filter_map(|(part, pose)| Some((part.tree()?, *pose)))
        .flat_map(|(tree, pose)| {
            let placed = move |id| place(&PlainBox::of(tree.node(id).oriented()), &pose);
            tree.cut(depth).into_iter().map(placed)
        })
        .collect();
    let of_skin = character.vertices.iter().map(|v| (joint[&v.node], v.skinned));
    of_skin.map(|(joint, point)| (joint, nearest_to(point.into(), &boxes))).collect()
}

/// Computes distances of points outside the skin at one time of the first clip by brute force: from
/// all triangles, and zero inside by the winding number. Points near the surface are omitted, and
/// those in holes, where the winding number is neither 0 nor 1.
pub fn outside_skin(file: &Path, t: f32, points: &[Point3<f64>]) -> Vec<Option<f64>> {
    let clip = |document: &gltf::Document, blob: &[u8]| {
        gltf_clips::locals(document, blob, 0, f64::from(t))
    };
    let character = Character::posed(file, clip);
    let triangles: Vec<_> =
        character.triangles.iter().map(|of| of.map(|v| character.vertices[v].skinned)).collect();
    let outside = |point: &Point3<f64>| {
        let distances = triangles.iter().map(|triangle| nearest_on(triangle, point));
        let (winding, least) =
            (winding(&triangles, point), distances.fold(f64::INFINITY, f64::min));
        let clear = (winding - winding.round()).abs() < 1e-3 && least > 1e-3 * character.size();
        clear.then_some(if winding.round() == 0.0 { least } else { 0.0 })
    };
    points.iter().map(outside).collect()
}

/// Computes the winding number of triangles around a point: 1 inside a closed surface, 0 outside
/// it. Source: Van Oosterom and Strackee, The Solid Angle of a Plane Triangle (1983).
pub fn winding(triangles: &[[Point3<f64>; 3]], point: &Point3<f64>) -> f64 {
    let angle = |triangle: &[Point3<f64>; 3]| {
        let [a, b, c] = triangle.map(|corner| corner - point);
        let [x, y, z] = [a.norm(), b.norm(), c.norm()];
        let down = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
        2.0 * a.dot(&b.cross(&c)).atan2(down)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// Computes the distance from a triangle, by its plane, edges and corners.
fn nearest_on([a, b, c]: &[Point3<f64>; 3], p: &Point3<f64>) -> f64 {
    let normal = (b - a).cross(&(c - a));
    let inside = |s: &Point3<f64>, e: &Point3<f64>| (e - s).cross(&(p - s)).dot(&normal) >= 0.0;
    if normal.norm() > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        return (p - a).dot(&normal).abs() / normal.norm();
    }
    let on_edge = |s: &Point3<f64>, e: &Point3<f64>| {
        let along = e - s;
        let share = (p - s).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
        (p - (s + along * share.clamp(0.0, 1.0))).norm()
    };
    on_edge(a, b).min(on_edge(b, c)).min(on_edge(c, a))
}

compiled_here! { coverage }
