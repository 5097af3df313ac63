//! Frames as users of parry3d can write them, as fast as its functions allow.

use boxwood::nalgebra::{Isometry3, Vector3};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};
use parry3d::query::details::intersection_test_cuboid_cuboid;
use parry3d::query::{Contact, contact, intersection_test};
pub use parry3d::shape::{Compound, Cuboid};
use parry3d::shape::{Shape, SharedShape};

use super::super::crowd::Frames;
use super::super::frames::Crowd;
use super::super::measure::{Way, clock, way};
use super::super::people::{leaves, parts};
use super::solids::cuboid;

/// Converts the poses to types of parry3d; not part of a frame.
pub fn poses(poses: &[Isometry3<f32>]) -> Vec<Pose> {
    poses.iter().map(|&pose| pose.into()).collect()
}

/// The crowd in parry3d, and the scratch buffers of a frame.
pub struct Peer<S> {
    broad: PeerBroadPhase<S>,
    pairs: Vec<[u32; 2]>,
    contacts: Vec<([u32; 2], Contact)>,
    leaf_pairs: Vec<([u32; 2], [u32; 2])>,
}

impl<S: Shape> Peer<S> {
    fn new(shapes: Vec<S>) -> Self {
        let broad =
            PeerBroadPhase { shapes, bounds: Vec::new(), workspace: BvhWorkspace::default() };
        Peer { broad, pairs: Vec::new(), contacts: Vec::new(), leaf_pairs: Vec::new() }
    }

    /// Number of pairs of parts of different people whose world boxes overlap.
    pub fn candidates(&mut self, poses: &[Pose]) -> usize {
        let mut count = 0;
        self.broad.near(poses, |_, _| count += 1);
        count
    }

    /// Number of contacts of parts with closest points and depth. parry3d also returns and marks
    /// some pairs that are disjoint.
    pub fn contacts(&mut self, poses: &[Pose]) -> usize {
        let Peer { broad, contacts, .. } = self;
        contacts.clear();
        broad.near(poses, |parts, [(pose_a, a), (pose_b, b)]| {
            let answer = contact(pose_a, a, pose_b, b, 0.0).ok().flatten();
            contacts.extend(answer.filter(|at| at.dist <= 0.0).map(|at| (parts, at)));
        });
        contacts.len()
    }
}

impl Peer<Cuboid> {
    /// Creates people of boxes.
    pub fn boxes() -> Self {
        Peer::new(parts().into_iter().map(|(_, half)| cuboid(half)).collect())
    }

    /// Creates characters of equal boxes.
    pub fn alike(half: Vector3<f32>, parts: usize) -> Self {
        Peer::new(vec![cuboid(half); parts])
    }

    /// Number of touching parts of each character with itself, without neighbours in order, by a
    /// tree for each character.
    pub fn own_pairs(&mut self, poses: &[Pose]) -> usize {
        let Peer { broad, pairs, .. } = self;
        pairs.clear();
        for poses in poses.chunks_exact(broad.shapes.len()) {
            let tree = broad.tree(poses);
            let PeerBroadPhase { shapes, workspace, .. } = &mut *broad;
            tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
                let [p, q] = [a, b].map(|part| (&poses[part as usize], &shapes[part as usize]));
                let apart = a.abs_diff(b) > 1;
                if apart && intersection_test_cuboid_cuboid(&p.0.inv_mul(q.0), p.1, q.1) {
                    pairs.push([a, b]);
                }
            });
        }
        pairs.len()
    }

    /// Number of touching parts; calls the cuboid test directly, without dispatch.
    pub fn pairs(&mut self, poses: &[Pose]) -> usize {
        let Peer { broad, pairs, .. } = self;
        pairs.clear();
        broad.near(poses, |parts, [(pose_a, a), (pose_b, b)]| {
            if intersection_test_cuboid_cuboid(&pose_a.inv_mul(pose_b), a, b) {
                pairs.push(parts);
            }
        });
        pairs.len()
    }

    /// Places all parts and builds a tree over them; returns the number of parts.
    pub fn update(&mut self, poses: &[Pose]) -> usize {
        self.broad.tree(poses).leaf_count() as usize
    }

    /// Returns `true` if any two parts of different people touch.
    pub fn intersects(&mut self, poses: &[Pose]) -> bool {
        self.broad.any(poses, |[(pose_a, a), (pose_b, b)]| {
            intersection_test_cuboid_cuboid(&pose_a.inv_mul(pose_b), a, b)
        })
    }
}

impl Peer<Compound> {
    /// Creates people of trees.
    pub fn leaves() -> Self {
        let compound = |(index, (_, half)): (usize, (_, Vector3<f32>))| {
            let leaf =
                |(pose, half): (Isometry3<f32>, _)| (pose.into(), SharedShape::new(cuboid(half)));
            Compound::new(leaves(half, index as u64).into_iter().map(leaf).collect())
        };
        Peer::new(parts().into_iter().enumerate().map(compound).collect())
    }

    /// Number of touching parts, by the library's test of compounds.
    pub fn pairs(&mut self, poses: &[Pose]) -> usize {
        let Peer { broad, pairs, .. } = self;
        pairs.clear();
        broad.near(poses, |parts, [(pose_a, a), (pose_b, b)]| {
            if intersection_test(pose_a, a, pose_b, b).is_ok_and(|answer| answer.intersecting) {
                pairs.push(parts);
            }
        });
        pairs.len()
    }

    /// Number of touching parts, by simultaneous traversal of both trees.
    pub fn pairs_by_walk(&mut self, poses: &[Pose]) -> usize {
        let Peer { broad, pairs, .. } = self;
        pairs.clear();
        broad.near(poses, |parts, [(pose_a, a), (pose_b, b)]| {
            if touching_leaves(&pose_a.inv_mul(pose_b), a, b).next().is_some() {
                pairs.push(parts);
            }
        });
        pairs.len()
    }

    /// Returns `true` if any two parts of different people touch, by simultaneous traversal of both
    /// trees.
    pub fn intersects(&mut self, poses: &[Pose]) -> bool {
        self.broad.any(poses, |[(pose_a, a), (pose_b, b)]| {
            touching_leaves(&pose_a.inv_mul(pose_b), a, b).next().is_some()
        })
    }

    /// Number of touching leaves.
    pub fn leaf_pairs(&mut self, poses: &[Pose]) -> usize {
        let Peer { broad, leaf_pairs, .. } = self;
        leaf_pairs.clear();
        broad.near(poses, |parts, [(pose_a, a), (pose_b, b)]| {
            let offset = pose_a.inv_mul(pose_b);
            let touching = touching_leaves(&offset, a, b);
            leaf_pairs.extend(touching.map(|leaves| (parts, leaves)));
        });
        leaf_pairs.len()
    }
}

/// A tree over the world boxes of all parts, rebuilt for every frame.
struct PeerBroadPhase<S> {
    /// Shapes of the parts of one person.
    shapes: Vec<S>,
    bounds: Vec<Aabb>,
    workspace: BvhWorkspace,
}

impl<S: Shape> PeerBroadPhase<S> {
    /// Calls `meet` with every two parts of different people whose world boxes overlap.
    fn near(&mut self, poses: &[Pose], mut meet: impl FnMut([u32; 2], [(&Pose, &S); 2])) {
        let tree = self.tree(poses);
        let PeerBroadPhase { shapes, workspace, .. } = self;
        let person = |part: u32| part as usize / shapes.len();
        let placed = |part: u32| (&poses[part as usize], &shapes[part as usize % shapes.len()]);
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            if person(a) != person(b) {
                meet([a, b], [placed(a), placed(b)]);
            }
        });
    }
}

/// Two parts as arguments of a test.
type Two<'a, S> = [(&'a Pose, &'a S); 2];

impl<S: Shape> PeerBroadPhase<S> {
    fn tree(&mut self, poses: &[Pose]) -> Bvh {
        let PeerBroadPhase { shapes, bounds, .. } = self;
        let bound = |(pose, shape): (&Pose, &S)| shape.compute_aabb(pose);
        bounds.clear();
        bounds.extend(poses.iter().zip(shapes.iter().cycle()).map(bound));
        // The faster of the library's two builders.
        Bvh::from_leaves(BvhBuildStrategy::Binned, bounds)
    }

    /// Returns `true` at the first two parts of different people that touch. It queries the tree
    /// part by part, because the traversal of all pairs can not stop early.
    fn any(&mut self, poses: &[Pose], touch: impl Fn(Two<'_, S>) -> bool) -> bool {
        let tree = self.tree(poses);
        let PeerBroadPhase { shapes, bounds, .. } = self;
        let (person, placed) = (
            |part: usize| part / shapes.len(),
            |part: usize| (&poses[part], &shapes[part % shapes.len()]),
        );
        bounds.iter().enumerate().any(|(a, bound)| {
            let mut near = tree.leaves(|node| node.aabb().intersects(bound));
            near.any(|b| person(a) < person(b as usize) && touch([placed(a), placed(b as usize)]))
        })
    }
}

/// Touching pairs of boxes of two compounds; `offset` moves the second into the frame of the first.
fn touching_leaves<'a>(
    offset: &'a Pose,
    a: &'a Compound,
    b: &'a Compound,
) -> impl Iterator<Item = [u32; 2]> + 'a {
    let near = |a: &BvhNode, b: &BvhNode| a.aabb().intersects(&b.aabb().transform_by(offset));
    a.bvh().leaf_pairs(b.bvh(), near).map(|(i, j)| [i, j]).filter(move |&[i, j]| {
        let ((pose_a, a), (pose_b, b)) = (&a.shapes()[i as usize], &b.shapes()[j as usize]);
        let (Some(a), Some(b)) = (a.as_cuboid(), b.as_cuboid()) else { return false };
        intersection_test_cuboid_cuboid(&pose_a.inv_mul(&(offset * pose_b)), a, b)
    })
}

/// Times a query on a new frame in every round.
pub fn theirs<'a, S: 'a>(
    name: &str,
    (people, spacing): Crowd,
    mut peer: Peer<S>,
    ask: impl Fn(&mut Peer<S>, &[Pose]) -> usize + 'a,
) -> Way<'a> {
    let mut frames = Frames::new(people, spacing);
    way(name, move || {
        let poses = poses(&frames.next());
        clock(|| ask(&mut peer, &poses))
    })
}
