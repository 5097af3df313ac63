//! Clones of characters and scenes; `clone_from` reuses the storage of the target.

use super::character::Character;
use crate::num::Scalar;
use crate::scene::Scene;

impl<T: Scalar> Clone for Character<T> {
    fn clone(&self) -> Self {
        let Character { order, placed_by_parts, disabled, grouped, joint_groups, .. } = *self;
        let Character { at_rest, user, .. } = *self;
        Character {
            model: self.model.clone(),
            order,
            poses: self.poses.clone(),
            placed_by_parts,
            enabled: self.enabled.clone(),
            disabled,
            groups: self.groups.clone(),
            grouped,
            joint_groups,
            at_rest,
            user,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let Character {
            model,
            order,
            poses,
            placed_by_parts,
            enabled,
            disabled,
            groups,
            grouped,
            joint_groups,
            at_rest,
            user,
        } = source;
        self.model.clone_from(model);
        self.poses.clone_from(poses);
        self.enabled.clone_from(enabled);
        self.groups.clone_from(groups);
        (self.order, self.disabled, self.grouped) = (*order, *disabled, *grouped);
        (self.joint_groups, self.placed_by_parts) = (*joint_groups, *placed_by_parts);
        (self.at_rest, self.user) = (*at_rest, *user);
    }
}

impl<T: Scalar> Clone for Scene<T> {
    fn clone(&self) -> Self {
        Scene {
            id: self.id,
            characters: self.characters.clone(),
            rooted_joints: self.rooted_joints.clone(),
            attachments: self.attachments.clone(),
            ignored: self.ignored.clone(),
            orders: self.orders.clone(),
            inserts: self.inserts,
            composed: Vec::new(),
            followers: Vec::new(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        // The composed poses are no state; the target keeps its storage for them.
        let Scene { id, characters, rooted_joints, attachments, ignored, orders, inserts, .. } =
            source;
        self.characters.clone_from(characters);
        self.rooted_joints.clone_from(rooted_joints);
        self.attachments.clone_from(attachments);
        self.ignored.clone_from(ignored);
        self.orders.clone_from(orders);
        (self.id, self.inserts) = (*id, *inserts);
    }
}
