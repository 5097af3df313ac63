//! A frame of a crowd, from the poses of all parts to what touches: as boxwood does it, and as a user of parry3d can.

use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{
    Buffers, Build, CharacterKey, Detail, Error, Geometry, Hits, Model, Obb, Query, Scene, Spawn,
};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};
use parry3d::query::{contact, intersection_test};
use parry3d::shape::{Compound, Cuboid, Shape, SharedShape};

use crate::people::{PARTS, leaves, parts};

/// What a part is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// One box.
    Box,
    /// [`LEAVES`](crate::people::LEAVES) boxes.
    Leaves,
}

/// The crowd in a scene.
pub struct Ours {
    scene: Scene,
    keys: Vec<CharacterKey>,
    buffers: Buffers,
    hits: Hits,
}

impl Ours {
    pub fn new(people: usize, body: Body) -> Result<Self, Error> {
        let mut builder = Model::builder();
        for (index, (name, half_extents)) in parts().into_iter().enumerate() {
            let boxes = match body {
                Body::Box => vec![Obb::from_pose(&Isometry3::identity(), half_extents)?],
                Body::Leaves => leaves(half_extents, index as u64)
                    .into_iter()
                    .map(|(pose, half)| Obb::from_pose(&pose, half))
                    .collect::<Result<_, _>>()?,
            };
            builder = builder.part(format!("{name} {index}"), None, Geometry::Boxes(boxes));
        }
        let (model, mut scene) = (builder.build(&Build::tight())?, Scene::new());
        let insert = |_| scene.insert(&model, Spawn::default());
        let keys = (0..people).map(insert).collect::<Result<_, _>>()?;
        Ok(Ours { scene, keys, buffers: Buffers::new(), hits: Hits::new() })
    }

    /// Places everyone and finds who touches: pairs of parts, or of boxes.
    pub fn pairs(&mut self, poses: &[Isometry3<f32>], detail: Detail) -> Result<usize, Error> {
        self.place(poses)?;
        let now = self.scene.snapshot(&mut self.buffers);
        now.pairs(&Query::all().detail(detail), &mut self.hits)?;
        Ok(self.hits.pairs().len())
    }

    /// The same with where and how deep, by parts.
    pub fn contacts(&mut self, poses: &[Isometry3<f32>]) -> Result<usize, Error> {
        self.place(poses)?;
        let now = self.scene.snapshot(&mut self.buffers);
        now.contacts(&Query::all(), &mut self.hits)?;
        Ok(self.hits.len())
    }

    fn place(&mut self, poses: &[Isometry3<f32>]) -> Result<(), Error> {
        let mut people = self.keys.iter().zip(poses.chunks_exact(PARTS));
        people.try_for_each(|(&key, poses)| self.scene.set_parts(key, poses))
    }
}

/// The crowd in parry3d: a tree over the boxes of all parts, built anew every frame, and what it keeps between frames.
pub struct Peer<S> {
    shapes: Vec<S>,
    bounds: Vec<Aabb>,
    workspace: BvhWorkspace,
    pairs: Vec<[u32; 2]>,
    contacts: Vec<([u32; 2], parry3d::query::Contact)>,
    leaf_pairs: Vec<([u32; 2], [u32; 2])>,
}

/// The poses in the types of parry3d; not part of a frame.
pub fn peer_poses(poses: &[Isometry3<f32>]) -> Vec<Pose> {
    poses.iter().map(|&pose| pose.into()).collect()
}

impl Peer<Cuboid> {
    pub fn boxes() -> Self {
        Peer::new(parts().into_iter().map(|(_, half)| cuboid(half)).collect())
    }
}

impl Peer<Compound> {
    pub fn leaves() -> Self {
        let compound = |(index, (_, half)): (usize, (_, Vector3<f32>))| {
            let leaf =
                |(pose, half): (Isometry3<f32>, _)| (pose.into(), SharedShape::new(cuboid(half)));
            Compound::new(leaves(half, index as u64).into_iter().map(leaf).collect())
        };
        Peer::new(parts().into_iter().enumerate().map(compound).collect())
    }

    /// Which parts touch, by walking the trees of both together instead of [`intersection_test`].
    pub fn pairs_by_walk(&mut self, poses: &[Pose]) -> usize {
        let Peer { pairs, .. } = self;
        let mut found = std::mem::take(pairs);
        found.clear();
        self.near(poses, |parts, [(pose_a, a), (pose_b, b)]| {
            if touching_leaves(&pose_a.inv_mul(pose_b), a, b).next().is_some() {
                found.push(parts);
            }
        });
        self.pairs = found;
        self.pairs.len()
    }

    /// Which leaves touch.
    pub fn leaf_pairs(&mut self, poses: &[Pose]) -> usize {
        let mut found = std::mem::take(&mut self.leaf_pairs);
        found.clear();
        self.near(poses, |parts, [(pose_a, a), (pose_b, b)]| {
            let offset = pose_a.inv_mul(pose_b);
            let touching = touching_leaves(&offset, a, b);
            found.extend(touching.map(|leaves| (parts, leaves)));
        });
        self.leaf_pairs = found;
        self.leaf_pairs.len()
    }
}

impl<S: Shape> Peer<S> {
    fn new(shapes: Vec<S>) -> Self {
        let (bounds, workspace) = (Vec::new(), BvhWorkspace::default());
        let (pairs, contacts, leaf_pairs) = (Vec::new(), Vec::new(), Vec::new());
        Peer { shapes, bounds, workspace, pairs, contacts, leaf_pairs }
    }

    /// How many parts of different people have world boxes that overlap.
    pub fn candidates(&mut self, poses: &[Pose]) -> usize {
        let mut count = 0;
        self.near(poses, |_, _| count += 1);
        count
    }

    /// Which parts touch.
    pub fn pairs(&mut self, poses: &[Pose]) -> usize {
        let mut found = std::mem::take(&mut self.pairs);
        found.clear();
        self.near(poses, |parts, [(pose_a, a), (pose_b, b)]| {
            if intersection_test(pose_a, a, pose_b, b).is_ok_and(|answer| answer.intersecting) {
                found.push(parts);
            }
        });
        self.pairs = found;
        self.pairs.len()
    }

    /// Which parts touch, their closest points and how deep.
    pub fn contacts(&mut self, poses: &[Pose]) -> usize {
        let mut found = std::mem::take(&mut self.contacts);
        found.clear();
        self.near(poses, |parts, [(pose_a, a), (pose_b, b)]| {
            if let Ok(Some(contact)) = contact(pose_a, a, pose_b, b, 0.0) {
                found.push((parts, contact));
            }
        });
        self.contacts = found;
        self.contacts.len()
    }

    /// Calls `meet` with every two parts of different people whose world boxes overlap.
    fn near(&mut self, poses: &[Pose], mut meet: impl FnMut([u32; 2], [(&Pose, &S); 2])) {
        let Peer { shapes, bounds, workspace, .. } = self;
        let bound = |(pose, shape): (&Pose, &S)| shape.compute_aabb(pose);
        bounds.clear();
        bounds.extend(poses.iter().zip(shapes.iter().cycle()).map(bound));
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, bounds);
        let person = |part: u32| part as usize / PARTS;
        let seat = |part: u32| (&poses[part as usize], &shapes[part as usize % PARTS]);
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            if person(a) != person(b) {
                meet([a, b], [seat(a), seat(b)]);
            }
        });
    }
}

fn cuboid(half_extents: Vector3<f32>) -> Cuboid {
    Cuboid::new(Vector::new(half_extents.x, half_extents.y, half_extents.z))
}

/// The boxes of two compounds that touch, the second moved by `offset` into the frame of the first.
fn touching_leaves<'a>(
    offset: &'a Pose,
    a: &'a Compound,
    b: &'a Compound,
) -> impl Iterator<Item = [u32; 2]> + 'a {
    let near = |a: &BvhNode, b: &BvhNode| a.aabb().intersects(&b.aabb().transform_by(offset));
    a.bvh().leaf_pairs(b.bvh(), near).map(|(i, j)| [i, j]).filter(move |&[i, j]| {
        let ((pose_a, a), (pose_b, b)) = (&a.shapes()[i as usize], &b.shapes()[j as usize]);
        intersection_test(pose_a, a.as_ref(), &(offset * pose_b), b.as_ref())
            .is_ok_and(|answer| answer.intersecting)
    })
}
