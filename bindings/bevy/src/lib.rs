//! A plugin for Bevy that finds which parts of animated characters touch, and where: collision
//! queries of [`boxwood`] for entities.
//!
//! A [`Character`] on the root entity of an animated scene refers to the model: parts with trees of
//! boxes, built once. Every frame, after transforms are propagated, the plugin
//!
//! 1. finds the entities of the model's joints ([`BoxwoodSystems::Bind`]),
//! 2. reads their poses ([`BoxwoodSystems::Follow`]),
//! 3. finds touching parts, sends [`Touched`] and [`TouchEnded`], triggers [`TouchBegin`] and
//!    [`TouchEnd`] at their entities, and on demand sends [`SweptContact`] for what touched on the
//!    way ([`BoxwoodSystems::Ask`]).
//!
//! All of it happens in the frame whose transforms are drawn: answers have no lag. Your own systems
//! can run more queries (rays, regions, nearest parts, pushes) through the parameter
//! [`BoxwoodQueries`].
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ask;
#[cfg(feature = "asset")]
mod asset;
mod bind;
mod character;
mod colliding;
mod events;
mod fixed;
mod follow;
#[cfg(feature = "gizmos")]
mod gizmos;
#[cfg(feature = "gltf")]
mod gltf;
mod groups;
mod joints;
mod pairs;
mod plugin;
pub mod prelude;
mod problem;
mod queries;
#[cfg(feature = "reflect")]
mod reflect;
mod rigid;
mod saved;
mod state;
mod sweep;
#[cfg(feature = "levels")]
mod walk;

pub use boxwood;

pub use ask::{TouchEnded, TouchPhase, Touched};
#[cfg(feature = "asset")]
pub use asset::{CharacterAssetPlugin, CharacterLoadError, CharacterModel, CharacterRoot};
pub use character::{Character, CharacterOptions, JointNode};
pub use colliding::CollidingEntities;
pub use events::{SweptBegin, TouchBegin, TouchEnd};
#[cfg(feature = "gizmos")]
pub use gizmos::{BoxLines, BoxLinesPlugin};
#[cfg(feature = "gltf")]
pub use gltf::JointNodePlugin;
pub use groups::{TouchGroups, TouchLayer};
pub use pairs::{PartOf, TouchPairs, TouchSettings};
pub use plugin::{BoxwoodPlugin, BoxwoodSystems};
pub use problem::{CharacterProblem, Problem};
pub use queries::{BoxwoodQueries, NearPart, RayTouch, ShapeTouch};
pub use saved::SavedTouches;
pub use state::Boxwood;
pub use sweep::{CharacterMotion, SweepSettings, SweptContact, SweptImpact, Teleported};
#[cfg(feature = "levels")]
pub use walk::{Level, LevelWalker};
