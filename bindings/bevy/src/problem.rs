//! Problems of characters: messages, and lines in the log.

use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, MessageWriter};
use boxwood::Error;

/// Message about a problem that stops a character or one of its parts from being followed, sent
/// once and also logged as a warning. The app continues.
#[derive(Message, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Debug, Clone, PartialEq))]
pub struct CharacterProblem {
    /// Entity with the [`Character`](crate::Character), the walker or the level; `None` for a query
    /// about all.
    pub character: Option<Entity>,
    /// Kind of the problem.
    pub problem: Problem,
}

/// Problem that stops a character or one of its parts from being followed.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Debug, Clone, PartialEq))]
#[non_exhaustive]
pub enum Problem {
    /// Entities of these parts are missing after [`patience`](crate::TouchSettings::patience)
    /// frames. The character touches nothing until they exist.
    MissingJoints(Vec<String>),
    /// The entity of this part's joint is gone. The part is disabled until another is found; the
    /// others continue.
    JointGone(String),
    /// The joint of this part is scaled by this factor relative to the model. The part is tested at
    /// the size of the model. For a uniform scale that is known beforehand use
    /// [`Character::scaled`](crate::Character::scaled).
    Scaled {
        /// Name of the part.
        part: String,
        /// Largest factor along an axis, or the smallest if that is further from 1; negative for a
        /// mirror image.
        factor: f32,
    },
    /// The joint of this part has no pose: its transform is flat or not finite. The part is
    /// disabled meanwhile.
    Flat(String),
    /// The library refuses a pose, an option or a query; none of it is applied. Also sent for
    /// levels and walkers: a walker has no room, or the order of another.
    Refused(Error),
    /// The entity that a walker names as its level has none.
    NoLevel(Entity),
    /// The asset of a character cannot be read.
    NotLoaded(String),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::MissingJoints(parts) => {
                write!(f, "no entities have the names of these parts: {}", parts.join(", "))
            }
            Problem::JointGone(part) => write!(f, "the joint of part '{part}' no longer exists"),
            Problem::Scaled { part, factor } => {
                write!(f, "the joint of part '{part}' is scaled by {factor}; its boxes are not")
            }
            Problem::Flat(part) => {
                write!(f, "the joint of part '{part}' is singular or not finite")
            }
            Problem::Refused(error) => write!(f, "{error}"),
            Problem::NoLevel(level) => write!(f, "entity {level} has no level to walk in"),
            Problem::NotLoaded(error) => write!(f, "the character was not loaded: {error}"),
        }
    }
}

/// Sends and logs a problem.
pub(crate) fn tell(
    to: &mut MessageWriter<CharacterProblem>,
    character: impl Into<Option<Entity>>,
    problem: Problem,
) {
    let character = character.into();
    match character {
        Some(entity) => log::warn!("character {entity}: {problem}"),
        None => log::warn!("characters: {problem}"),
    }
    to.write(CharacterProblem { character, problem });
}
