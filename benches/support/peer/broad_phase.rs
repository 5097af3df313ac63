//! Broad phase by world boxes alone, in parry3d.

use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::shape::SharedShape;

use super::super::people::PARTS;
use super::people::everyone;
use super::solids::point;

pub type Bounds = [Aabb; PARTS];

fn tree(leaves: &[Aabb]) -> Bvh {
    Bvh::from_leaves(BvhBuildStrategy::Binned, leaves)
}

fn around(parts: &Bounds) -> Aabb {
    parts[1..].iter().fold(parts[0], |all, part| all.merged(part))
}

/// Buffers that are reused from frame to frame.
#[derive(Default)]
pub struct Peer {
    bodies: Vec<SharedShape>,
    parts: Vec<Aabb>,
    around: Vec<Aabb>,
    kept: Bvh,
    space: BvhWorkspace,
    near: Vec<[u32; 2]>,
}

impl Peer {
    pub fn new(bodies: Vec<SharedShape>) -> Self {
        Peer { bodies, ..Peer::default() }
    }

    /// Computes the world boxes of all parts and people.
    pub fn place(&mut self, poses: &[Pose]) -> usize {
        self.parts.clear();
        self.around.clear();
        for person in everyone(poses, &self.bodies) {
            let bounds = person.bounds();
            self.parts.extend_from_slice(&bounds);
            self.around.push(around(&bounds));
        }
        self.around.len()
    }

    /// Number of near pairs of people, by a rebuilt tree.
    pub fn characters(&mut self, poses: &[Pose]) -> usize {
        self.place(poses);
        self.near.clear();
        let near = &mut self.near;
        tree(&self.around).traverse_bvtt_single_tree::<false>(&mut self.space, &mut |a, b| {
            near.push([a.min(b), a.max(b)]);
        });
        near.len()
    }

    /// Number of near pairs of people, by the refitted tree.
    pub fn characters_refitted(&mut self, poses: &[Pose]) -> usize {
        self.place(poses);
        if self.kept.leaf_count() == 0 {
            self.kept = tree(&self.around);
        }
        for (index, bounds) in self.around.iter().enumerate() {
            self.kept.insert_or_update_partially(*bounds, index as u32, 0.0);
        }
        self.kept.refit_without_opt();
        let mut count = 0;
        self.kept.traverse_bvtt_single_tree::<false>(&mut self.space, &mut |_, _| count += 1);
        count
    }

    /// Number of near pairs of parts of different people, by one tree.
    pub fn parts_by_tree(&mut self, poses: &[Pose]) -> usize {
        self.place(poses);
        let mut count = 0;
        tree(&self.parts).traverse_bvtt_single_tree::<false>(&mut self.space, &mut |a, b| {
            count += usize::from(a as usize / PARTS != b as usize / PARTS);
        });
        count
    }

    /// Number of near pairs of parts of different people, by a tree of the people, then part by
    /// part.
    pub fn parts_by_people(&mut self, poses: &[Pose]) -> usize {
        self.characters(poses);
        let of = |person: u32| &self.parts[person as usize * PARTS..][..PARTS];
        self.near.iter().map(|&[a, b]| overlaps(of(a), of(b))).sum()
    }
}

/// Number of overlapping pairs of two lists of boxes.
pub fn overlaps(one: &[Aabb], other: &[Aabb]) -> usize {
    let with = |x: &Aabb| other.iter().filter(|y| x.intersects(y)).count();
    one.iter().map(with).sum()
}

/// Number of overlapping pairs of two trees built beforehand.
pub fn overlaps_by_trees(one: &Bvh, other: &Bvh) -> usize {
    one.leaf_pairs(other, |x, y| x.intersects(y)).count()
}

/// World boxes of a character in types of the peer.
pub fn bounds(now: boxwood::Snapshot<'_>, key: boxwood::CharacterKey) -> Bounds {
    std::array::from_fn(|part| {
        let bounds = now.part_aabb(key, boxwood::PartId::new(part)).expect("a part");
        Aabb::new(point(bounds.min), point(bounds.max))
    })
}

pub fn trees(people: &[Bounds]) -> Vec<Bvh> {
    people.iter().map(|of| tree(of)).collect()
}
