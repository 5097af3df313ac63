//! Clones of characters and scenes; `clone_from` reuses the storage of the target.

use slotmap::DefaultKey;

use super::character::{Character, copy_poses};
use super::pose_pool::PosePool;
use crate::num::Scalar;
use crate::scene::Scene;
use crate::shape::Pose;

fn copied<T: Scalar>(poses: &[Pose<T>]) -> Vec<Pose<T>> {
    let mut copies = Vec::with_capacity(poses.len());
    copy_poses(&mut copies, poses);
    copies
}

impl<T: Scalar> Clone for Character<T> {
    fn clone(&self) -> Self {
        Character {
            model: self.model.clone(),
            poses: copied(&self.poses),
            enabled: self.enabled.clone(),
            own_groups: self.own_groups.clone(),
            joints: copied(&self.joints),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let Character { model, poses, order, joint_groups, disabled, grouped, .. } = source;
        let Character { enabled, own_groups, joints, root, has_composable_joints, .. } = source;
        let Character { placed_by_parts, at_rest, user, .. } = source;
        self.model.clone_from(model);
        copy_poses(&mut self.poses, poses);
        self.enabled.clone_from(enabled);
        self.own_groups.clone_from(own_groups);
        copy_poses(&mut self.joints, joints);
        (self.order, self.disabled, self.grouped) = (*order, *disabled, *grouped);
        (self.joint_groups, self.placed_by_parts) = (*joint_groups, *placed_by_parts);
        (self.root, self.has_composable_joints) = (*root, *has_composable_joints);
        (self.at_rest, self.user) = (*at_rest, *user);
    }
}

impl<T: Scalar> Clone for Scene<T> {
    fn clone(&self) -> Self {
        Scene {
            id: self.id,
            characters: self.characters.clone(),
            attachments: self.attachments.clone(),
            ignored: self.ignored.clone(),
            orders: self.orders.clone(),
            inserts: self.inserts,
            composed: Vec::new(),
            followers: Vec::new(),
            pool: PosePool::new(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        // Composed poses and the pool are no state; the target keeps its storage for them.
        let Scene { id, characters, attachments, ignored, orders, inserts, .. } = source;
        if self.characters.roster() != characters.roster() {
            self.orders.clone_from(orders);
        }
        self.characters.clone_from(characters);
        self.attachments.clone_from(attachments);
        self.ignored.clone_from(ignored);
        (self.id, self.inserts) = (*id, *inserts);
    }
}

impl<T: Scalar> Scene<T> {
    /// Makes this scene, a copy of another one apart from the states of some characters, a copy
    /// again.
    pub(in crate::scene) fn restore(&mut self, source: &Self, slots: &[DefaultKey]) {
        self.characters.restore(&source.characters, slots);
        // These have no stamp, and are small.
        self.attachments.clone_from(&source.attachments);
        self.ignored.clone_from(&source.ignored);
    }
}
