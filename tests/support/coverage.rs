//! Coverage of a skin by rigid parts, by brute force.

use std::collections::HashMap;
use std::path::Path;

use boxwood::load::Loaded;
use boxwood::model::coverage;
use boxwood::motion::Joints;

use crate::box_distance::nearest_to;
use crate::gltf_clips;
use crate::plain_box::PlainBox;
use crate::random_parts::place;
use crate::skinning::{Character, scene_nodes};

/// Coverage at one time of the first clip by brute force: the distance of each skinned vertex from
/// the nearest box.
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
    let of_skin = character.vertices.iter().filter_map(|v| Some((joint[&v.joint?], v.skinned)));
    of_skin.map(|(joint, point)| (joint, nearest_to(point.into(), &boxes))).collect()
}

compiled_here! { coverage }
