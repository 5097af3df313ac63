//! Poses of parts, from the transforms of their joints.

use bevy_ecs::change_detection::DetectChanges;
use bevy_ecs::prelude::{Entity, MessageWriter, Query, Ref, ResMut};
use bevy_transform::components::GlobalTransform;
use boxwood::nalgebra::Vector3;
use boxwood::{PartId, Pose, Scene};

use crate::character::JointSource;
use crate::problem::tell;
use crate::rigid::Rigid;
use crate::state::Followed;
use crate::{Boxwood, CharacterProblem, Problem};

type Transforms<'w, 's> = Query<'w, 's, Ref<'static, GlobalTransform>>;
type Problems<'w> = MessageWriter<'w, CharacterProblem>;

pub(crate) fn follow(
    mut boxwood: ResMut<Boxwood>,
    transforms: Transforms<'_, '_>,
    mut problems: Problems<'_>,
) {
    let Boxwood { scene, followed, .. } = &mut *boxwood;
    for (&entity, followed) in followed {
        let moved = match followed.character.source {
            JointSource::Root => move_whole(entity, followed, scene, &transforms, &mut problems),
            JointSource::Entities { .. } => {
                move_joints(entity, followed, scene, &transforms, &mut problems)
            }
        };
        followed.is_unread = moved.is_err();
        if let Err(error) = moved
            && followed.told.as_ref() != Some(&error)
        {
            followed.told = Some(error.clone());
            tell(&mut problems, entity, Problem::Refused(error));
        }
    }
}

/// Poses a character that has no joints, if it has moved.
fn move_whole(
    entity: Entity,
    followed: &mut Followed,
    scene: &mut Scene,
    transforms: &Transforms<'_, '_>,
    problems: &mut Problems<'_>,
) -> Result<(), boxwood::Error> {
    let Some(key) = followed.key else { return Ok(()) };
    let root = transforms.get(entity).ok();
    if !followed.is_unread && root.as_ref().is_some_and(|root| !root.is_changed()) {
        return Ok(());
    }
    let rigid = root.and_then(|root| Rigid::of(&root.affine(), &followed.expected_scale(0)));
    if let Some(rigid) = rigid {
        scene.set_root(key, &rigid.pose)?;
        tell_of_scale(entity, 0, &rigid, followed, problems);
    }
    for part in 0..followed.joints.len() {
        see(entity, part, rigid.is_some(), followed, scene, problems)?;
    }
    Ok(())
}

/// Poses every part by its joint, if any joint has moved.
fn move_joints(
    entity: Entity,
    followed: &mut Followed,
    scene: &mut Scene,
    transforms: &Transforms<'_, '_>,
    problems: &mut Problems<'_>,
) -> Result<(), boxwood::Error> {
    let Some(key) = followed.key else { return Ok(()) };
    let mut has_moved = followed.is_unread;
    for part in 0..followed.joints.len() {
        let Some(joint) = followed.joints[part].entity else {
            let has_geometry = followed.character.model.parts()[part].tree().is_some();
            if has_geometry {
                see(entity, part, false, followed, scene, problems)?;
            }
            continue;
        };
        let Ok(transform) = transforms.get(joint) else {
            lose(entity, part, followed, scene, problems)?;
            continue;
        };
        if !transform.is_changed() && !followed.is_unread {
            continue;
        }
        has_moved = true;
        let rigid = Rigid::of(&transform.affine(), &followed.expected_scale(part));
        if let Some(rigid) = rigid {
            followed.poses[part] = rigid.pose;
            tell_of_scale(entity, part, &rigid, followed, problems);
        }
        see(entity, part, rigid.is_some(), followed, scene, problems)?;
    }
    has_moved |= place_without_joint(entity, followed, transforms);
    if !has_moved {
        return Ok(());
    }
    scene.set_parts(key, &followed.poses)
}

/// Poses parts without geometry and joint: they stay in the bind pose, relative to the root.
/// Returns `false` if there are none, or the root has not moved.
fn place_without_joint(
    entity: Entity,
    followed: &mut Followed,
    transforms: &Transforms<'_, '_>,
) -> bool {
    if followed.joints.iter().all(|joint| joint.entity.is_some()) {
        return false;
    }
    let root = transforms.get(entity).ok();
    if !followed.is_unread && root.as_ref().is_some_and(|root| !root.is_changed()) {
        return false;
    }
    let root = root.and_then(|root| Rigid::of(&root.affine(), &Vector3::repeat(1.0)));
    let root = root.map_or(Pose::identity(), |rigid| rigid.pose);
    let parts = followed.character.model.parts().iter().zip(&followed.joints);
    for (pose, (part, joint)) in followed.poses.iter_mut().zip(parts) {
        if joint.entity.is_none() && part.tree().is_none() {
            *pose = root * part.bind();
        }
    }
    true
}

/// Disables a part while its joint has no pose, and enables it again.
#[inline]
fn see(
    entity: Entity,
    part: usize,
    has_pose: bool,
    followed: &mut Followed,
    scene: &mut Scene,
    problems: &mut Problems<'_>,
) -> Result<(), boxwood::Error> {
    match followed.joints[part].lost == has_pose {
        true => change_visibility(entity, part, has_pose, followed, scene, problems),
        false => Ok(()),
    }
}

/// Enables or disables a part; a part without a pose is reported once. Rarely called, so not
/// inlined.
#[cold]
fn change_visibility(
    entity: Entity,
    part: usize,
    has_pose: bool,
    followed: &mut Followed,
    scene: &mut Scene,
    problems: &mut Problems<'_>,
) -> Result<(), boxwood::Error> {
    let joint = &mut followed.joints[part];
    joint.lost = !has_pose;
    let tells = !has_pose && !std::mem::replace(&mut joint.told, true);
    if tells {
        let name = followed.character.model.parts()[part].name().to_owned();
        tell(problems, entity, Problem::Flat(name));
    }
    match followed.key {
        Some(key) => scene.set_part_enabled(key, PartId::new(part), has_pose && !joint.off),
        None => Ok(()),
    }
}

/// Disables a part whose joint is gone, until another is found.
fn lose(
    entity: Entity,
    part: usize,
    followed: &mut Followed,
    scene: &mut Scene,
    problems: &mut Problems<'_>,
) -> Result<(), boxwood::Error> {
    let joint = &mut followed.joints[part];
    joint.entity = None;
    // Reported here, so that `see` does not report the same part again.
    joint.told = true;
    let of = &followed.character.model.parts()[part];
    if of.tree().is_some() {
        tell(problems, entity, Problem::JointGone(of.name().to_owned()));
    }
    see(entity, part, false, followed, scene, problems)
}

/// Reports the first part of a character that is scaled.
#[inline]
fn tell_of_scale(
    entity: Entity,
    part: usize,
    rigid: &Rigid,
    followed: &mut Followed,
    problems: &mut Problems<'_>,
) {
    if !rigid.is_scaled() || followed.told_scale {
        return;
    }
    if followed.character.model.parts()[part].tree().is_some() {
        followed.told_scale = true;
        let part = followed.character.model.parts()[part].name().to_owned();
        tell(problems, entity, Problem::Scaled { part, factor: rigid.factor });
    }
}
