//! Coverage of a skin by the boxes of the parts.

use std::path::Path;

use boxwood::load::{Loaded, Loader, Straddling};
use boxwood::motion::Joints;
use boxwood::shape::Obb;
use boxwood::tree::ObbTree;

use super::bare;
use support::folder::Folder;
use support::gltf_clips::locals;
use support::prelude::*;
use support::skinning::Character;
use support::small_gltf::Small;

/// Largest distance of a corner outside its part's boxes, for rounding, as a fraction of the
/// character's size.
const ROUNDING: f64 = 1e-6;

/// Loads a file and checks its boxes at each of the given times of its first clip, and at rest:
/// each corner of each triangle, placed by its joint alone with the matrices of the file, lies in
/// the boxes of its part, placed by the loaded clip: in the box of the whole part, and in one of
/// its leaves. For cut triangles each corner is placed by its dominating joint.
pub fn covered(small: &Small, times: &[f32]) -> Loaded<f32> {
    let (loaded, worst) = excess(small, times, &bare());
    assert!(worst <= ROUNDING, "corners are {worst} of the size outside");
    let folder = Folder::new();
    let path = folder.write("cut.glb", small.glb());
    let cut = bare().straddling(Straddling::Cut).gltf(&path).expect("a good file");
    for t in std::iter::once(None).chain(times.iter().copied().map(Some)) {
        let worst = cut_excess_at(&cut, &path, t);
        assert!(worst <= ROUNDING, "corners of cut parts are {worst} of the size outside");
    }
    loaded
}

/// Returns the largest distance of any such corner outside those boxes, as a fraction of the
/// character's size.
pub fn excess(small: &Small, times: &[f32], options: &Loader<'_>) -> (Loaded<f32>, f64) {
    let folder = Folder::new();
    let path = folder.write("covered.glb", small.glb());
    let loaded = options.gltf(&path).expect("a good file");
    let moments = std::iter::once(None).chain(times.iter().copied().map(Some));
    let worst = moments.map(|t| excess_at(&loaded, &path, t)).fold(0.0, f64::max);
    (loaded, worst)
}

fn excess_at(loaded: &Loaded<f32>, path: &Path, t: Option<f32>) -> f64 {
    let character = posed(path, t);
    assert!(!character.shares.is_empty());
    let shares = character.shares.iter().map(|(node, corners)| (*node, corners.to_vec()));
    worst_of(loaded, t, &character, shares)
}

/// Like [`excess`], but for each corner and its dominating joint only.
fn cut_excess_at(loaded: &Loaded<f32>, path: &Path, t: Option<f32>) -> f64 {
    let character = posed(path, t);
    let skinned = character.vertices.iter().filter_map(|v| Some((v.joint?, vec![v.dominated])));
    worst_of(loaded, t, &character, skinned)
}

fn posed(path: &Path, t: Option<f32>) -> Character {
    Character::posed(path, |document, blob| {
        t.map(|t| locals(document, blob, 0, f64::from(t))).unwrap_or_default()
    })
}

/// Returns the largest distance of points outside the boxes of the part of their node.
fn worst_of(
    loaded: &Loaded<f32>,
    t: Option<f32>,
    character: &Character,
    points: impl Iterator<Item = (usize, Vec<Point3<f64>>)>,
) -> f64 {
    let mut joints = Joints::new();
    let poses = match t {
        Some(t) => loaded.clips[0].sample(t, &mut joints).expect("finite").to_vec(),
        None => loaded.skeleton.rest_poses(),
    };
    let mut worst = 0.0_f64;
    for (node, corners) in points {
        let name = character.document.nodes().nth(node).and_then(|node| node.name());
        let part = loaded.skeleton.find(name.expect("a name")).expect("a joint of that name");
        let tree = loaded.model.parts()[part].tree().expect("a part with geometry");
        for corner in &corners {
            let local = poses[part].cast::<f64>().inverse_transform_point(corner);
            worst = worst.max(outside(tree, &local));
        }
    }
    worst / character.size()
}

/// Returns the greater of the distances of a point from the box of the whole part and from the
/// nearest leaf.
fn outside(tree: &ObbTree<f32>, point: &Point3<f64>) -> f64 {
    let of = |id| distance(tree.node(id).oriented(), point);
    let root = tree.cut(0).into_iter().map(of).fold(0.0, f64::max);
    let leaves = tree.cut(tree.depth()).into_iter().map(of).fold(f64::INFINITY, f64::min);
    root.max(leaves)
}

fn distance(b: &Obb<f32>, point: &Point3<f64>) -> f64 {
    let from = point - b.center().cast::<f64>();
    let along = b.axes().cast::<f64>().transpose() * from;
    let half = b.half_extents().cast::<f64>();
    Vector3::from_fn(|i, _| (along[i].abs() - half[i]).max(0.0)).norm()
}
