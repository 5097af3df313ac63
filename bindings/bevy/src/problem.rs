//! What keeps a character from being followed: a message, and a line in the log.

use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, MessageWriter};
use boxwood::Error;

/// Says once a character what keeps it, or a part of it, from being followed; also logged as a
/// warning. The app goes on.
#[derive(Message, Debug, Clone, PartialEq)]
pub struct CharacterProblem {
    /// The entity with the [`Character`](crate::Character); `None` for a query about all.
    pub character: Option<Entity>,
    /// What is the matter.
    pub problem: Problem,
}

/// What keeps a character from being followed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// No entities were found for these parts after
    /// [`patience`](crate::TouchSettings::patience) frames. The character touches nothing until
    /// they are there.
    MissingJoints(Vec<String>),
    /// The entity of this part's joint is gone. The part is switched off until one is found again;
    /// the others go on.
    JointGone(String),
    /// The joint of this part is this many times as large as the model was built for. The part is
    /// tested at the size of the model. For a scale that is known beforehand and even,
    /// [`Character::scaled`](crate::Character::scaled).
    Scaled {
        /// The part.
        part: String,
        /// The largest factor along an axis, or the smallest where that is further from 1; negative
        /// for a mirror image.
        factor: f32,
    },
    /// The joint of this part has no pose: a transform that is not finite, or flat. The part is
    /// switched off while that is so.
    Flat(String),
    /// The library refuses a pose, an option or a query; nothing of it is done.
    Refused(Error),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::MissingJoints(parts) => {
                write!(f, "no entities are named like these parts: {}", parts.join(", "))
            }
            Problem::JointGone(part) => write!(f, "the joint of part '{part}' is gone"),
            Problem::Scaled { part, factor } => {
                write!(f, "the joint of part '{part}' is scaled by {factor}; its boxes are not")
            }
            Problem::Flat(part) => write!(f, "the joint of part '{part}' is flat or not finite"),
            Problem::Refused(error) => write!(f, "{error}"),
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
