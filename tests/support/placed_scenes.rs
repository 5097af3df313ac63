//! Scenes of random parts, with their boxes and triangles in the world by independent arithmetic.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::num::Scalar;
use boxwood::scene::{Scene, Spawn};
use boxwood::shape::Pose;
use boxwood::tree::{Geometry, ObbTree};
use boxwood::{CharacterKey, NodeId, PartId};

use crate::plain_box::{PlainBox, V, plus, times};
use crate::random::Random;
use crate::random_parts::{aligned, place, put, random_model, turned};

pub struct TestScene<T: Scalar> {
    pub scene: Scene<T>,
    pub keys: Vec<CharacterKey>,
}

/// Node in answers: character by order, part, node.
pub type Place = (usize, usize, usize);

/// Inserts a character of a model with the poses of its parts.
pub fn insert_posed<T: Scalar>(
    scene: &mut Scene<T>,
    model: &Arc<Model<T>>,
    poses: &[Pose<T>],
) -> CharacterKey {
    let key = scene.insert(model, Spawn::default()).expect("a character");
    scene.set_parts(key, poses).expect("sound poses");
    key
}

/// Builds two characters of random parts of every kind around a position.
pub fn random_stage<T: Scalar>(random: &mut Random, at: V) -> TestScene<T> {
    stage_of(random, at, [2, 4], 2.0)
}

/// Builds characters of random parts of every kind within a distance of a position.
pub fn stage_of<T: Scalar>(
    random: &mut Random,
    at: V,
    [characters, parts]: [usize; 2],
    far: f64,
) -> TestScene<T> {
    let mut scene = Scene::new();
    let keys = (0..characters)
        .map(|_| {
            let model = random_model(random, parts);
            let poses: Vec<_> = (0..parts)
                .map(|_| {
                    let near = times(random.direction(), random.between(0.0, far));
                    turned::<T>(random, plus(at, near))
                })
                .collect();
            insert_posed(&mut scene, &model, &poses)
        })
        .collect();
    TestScene { scene, keys }
}

/// Builds two characters of a model side by side, in its bind pose, rotated.
pub fn pair_of<T: Scalar>(model: &Arc<Model<T>>, random: &mut Random, apart: f64) -> TestScene<T> {
    let mut scene = Scene::new();
    let keys = (0..2)
        .map(|i| {
            let at = turned::<T>(random, [apart * i as f64, 0.0, 0.0]);
            scene.insert(model, Spawn::at(at)).expect("a character")
        })
        .collect();
    TestScene { scene, keys }
}

impl<T: Scalar> TestScene<T> {
    pub fn place(&self, node_ref: &boxwood::NodeRef) -> Place {
        let at = self.keys.iter().position(|&key| key == node_ref.character).expect("a key");
        (at, node_ref.part.index(), node_ref.node.index())
    }

    fn trees(&self) -> impl Iterator<Item = ((usize, usize), &ObbTree<T>, &Pose<T>)> {
        self.keys.iter().enumerate().flat_map(move |(at, &key)| {
            let parts = self.scene.model(key).expect("a key").parts().iter().enumerate();
            parts.filter_map(move |(i, part)| {
                Some(((at, i), part.tree()?, self.scene.pose(key, PartId::new(i)).expect("a part")))
            })
        })
    }

    /// Returns the two boxes of every node of the cuts.
    pub fn boxes(&self, depth: u8) -> Vec<(Place, [PlainBox; 2])> {
        let mut boxes = Vec::new();
        for ((at, part), tree, pose) in self.trees() {
            for id in tree.cut(depth) {
                let node = tree.node(id);
                let both = [aligned(node), PlainBox::of(node.oriented())];
                boxes.push(((at, part, id.index()), both.map(|b| place(&b, pose))));
            }
        }
        boxes
    }

    /// Returns every triangle, and the leaf it is in.
    pub fn triangles(&self) -> Vec<(Place, [V; 3])> {
        let mut all = Vec::new();
        for ((at, part), tree, pose) in self.trees() {
            let Some(mesh) = tree.geometry().mesh() else { continue };
            for id in
                (0..tree.len()).map(NodeId::new).filter(|&id| tree.node(id).children().is_none())
            {
                for &index in tree.primitives(id) {
                    let corners = mesh.corners(index as usize);
                    let corners = corners.map(|p| put(pose, [p.x.wide(), p.y.wide(), p.z.wide()]));
                    all.push(((at, part, id.index()), corners));
                }
            }
        }
        all
    }

    /// Returns every hand-made box, and the leaf it is in.
    pub fn solids(&self) -> Vec<(Place, PlainBox)> {
        let mut all = Vec::new();
        for ((at, part), tree, pose) in self.trees() {
            let Geometry::Boxes(boxes) = tree.geometry() else { continue };
            for id in
                (0..tree.len()).map(NodeId::new).filter(|&id| tree.node(id).children().is_none())
            {
                for &index in tree.primitives(id) {
                    all.push((
                        (at, part, id.index()),
                        place(&PlainBox::of(&boxes[index as usize]), pose),
                    ));
                }
            }
        }
        all
    }
}

compiled_here! { stage_of, pair_of; TestScene: boxes, triangles, solids, place }
