//! Insertion and removal of characters, and the search for the entities of their joints.

use bevy_ecs::change_detection::DetectChanges;
use bevy_ecs::prelude::{Changed, Entity, MessageWriter, Or, Query, Ref, Res, ResMut, With};

use crate::character::JointSource;
use crate::joints::{JointQuery, find};
use crate::problem::tell;
use crate::state::Followed;
use crate::{Boxwood, Character, CharacterOptions, CharacterProblem, Problem, TouchSettings};

type ChangedCharacters<'w, 's> = Query<
    'w,
    's,
    (Entity, Ref<'static, Character>, Option<Ref<'static, CharacterOptions>>),
    Or<(Changed<Character>, Changed<CharacterOptions>)>,
>;

pub(crate) fn bind(
    mut boxwood: ResMut<Boxwood>,
    settings: Res<TouchSettings>,
    characters: Query<'_, '_, (), With<Character>>,
    changed: ChangedCharacters<'_, '_>,
    entities: JointQuery<'_, '_>,
    mut problems: MessageWriter<CharacterProblem>,
) {
    let boxwood = &mut *boxwood;
    // Compared with the entities, because Bevy's own list of removed components lasts two frames, and
    // a fixed schedule may run less often. A component that was replaced is a changed one below.
    let is_gone = |&&entity: &&Entity| !characters.contains(entity);
    let gone: Vec<Entity> = boxwood.followed.keys().filter(is_gone).copied().collect();
    for entity in gone {
        boxwood.forget(entity);
    }
    for (entity, character, options) in &changed {
        let new = options.as_deref().copied().unwrap_or_default();
        let known = boxwood.followed.get(&entity);
        // After a removal and insertion in one frame the entity is unknown here, changed or not.
        let is_new =
            known.is_none_or(|known| character.is_changed() || known.options.order != new.order);
        if is_new {
            boxwood.add(entity, Character::clone(&character), new);
        } else if let Err(error) = set_options(boxwood, entity, new) {
            tell(&mut problems, entity, Problem::Refused(error));
        }
    }
    let waiting = boxwood.followed.iter().filter(|(_, followed)| followed.waits());
    let mut waiting: Vec<_> = waiting.map(|(&entity, one)| (one.arrived, entity)).collect();
    // Sorted by arrival: the first to arrive is the first in answers.
    waiting.sort_unstable();
    for (_, entity) in waiting {
        look(boxwood, entity, settings.patience, &entities, &mut problems);
    }
}

fn set_options(
    boxwood: &mut Boxwood,
    entity: Entity,
    new: CharacterOptions,
) -> Result<(), boxwood::Error> {
    let Some(followed) = boxwood.followed.get_mut(&entity) else { return Ok(()) };
    let old = std::mem::replace(&mut followed.options, new);
    let Some(key) = followed.key else { return Ok(()) };
    let at_rest = followed.is_at_rest();
    boxwood.scene.set_user(key, new.user)?;
    boxwood.scene.set_at_rest(key, at_rest)?;
    match old.groups == new.groups {
        true => Ok(()),
        false => boxwood.set_groups(entity),
    }
}

impl Followed {
    /// Returns `true` if joints are missing.
    fn waits(&self) -> bool {
        let is_entities = matches!(self.character.source, JointSource::Entities { .. });
        self.key.is_none() || is_entities && self.missing().next().is_some()
    }
}

/// Searches for the joints of a character; once all are found, it is inserted into the scene.
fn look(
    boxwood: &mut Boxwood,
    entity: Entity,
    patience: u32,
    entities: &JointQuery<'_, '_>,
    problems: &mut MessageWriter<CharacterProblem>,
) {
    let Some(followed) = boxwood.followed.get_mut(&entity) else { return };
    if let JointSource::Entities { nodes, .. } = &followed.character.source {
        let found = find(entity, &followed.character.model, nodes, entities);
        for (joint, found) in followed.joints.iter_mut().zip(found) {
            followed.is_unread |= joint.entity != found;
            joint.entity = found;
        }
        if followed.key.is_none() && followed.missing().next().is_some() {
            followed.waited = followed.waited.saturating_add(1);
            if followed.waited == patience.max(1) {
                let missing = followed.missing().map(str::to_owned).collect();
                tell(problems, entity, Problem::MissingJoints(missing));
            }
            return;
        }
    }
    if followed.key.is_some() {
        return;
    }
    if let Err(error) = boxwood.insert(entity)
        && let Some(followed) = boxwood.followed.get_mut(&entity)
        && followed.told.as_ref() != Some(&error)
    {
        followed.told = Some(error.clone());
        tell(problems, entity, Problem::Refused(error));
    }
}
