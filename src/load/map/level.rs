//! A level: a world of brushes, the entities of the map, and its volumes.

use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use super::LevelWarning;
use crate::brush::{BodyId, Brush, BrushId, BrushWorld};
use crate::num::Scalar;

/// A level from a map: solid brushes, entities, and volumes that are not solid.
///
/// All points are in the frame of [`MapOptions`](super::MapOptions): scaled, with its axis up.
///
/// ```
/// use boxwood::load::{MapOptions, map_bytes};
///
/// let text = r#"{ "classname" "worldspawn" }
///     { "classname" "info_player_start" "origin" "64 0 32" "angle" "90" }"#;
/// let level = map_bytes(text.as_bytes(), &MapOptions::quake().scale(1.0 / 32.0))?;
/// let start = level.spawns().next().expect("a spawn");
/// assert_eq!(start.origin.map(|at| at.x), Some(2.0));
/// assert_eq!(start.feet.map(|at| at.z), Some(0.25)); // 24 units lower
/// assert_eq!(start.number("angle"), Some(90.0));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Level {
    /// The solid brushes: the world's, and those of bodies, where the map has them.
    pub world: BrushWorld,
    /// The entities in the order of the map, without those of omitted layers.
    pub entities: Vec<LevelEntity>,
    /// Brushes that are not solid: liquids, triggers.
    pub volumes: Vec<LevelVolume>,
    /// Features of the map that the level approximates or omits.
    pub warnings: Vec<LevelWarning>,
}

/// An entity of a map.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LevelEntity {
    /// The index of the entity in the map, counted from 0.
    pub index: usize,
    /// The class: `worldspawn`, `func_door`...
    pub class: String,
    /// The origin, in the frame of the level; brush entities mostly have none. It is no point of
    /// the floor, nor the centre of a player: see [`LevelEntity::feet`].
    pub origin: Option<Point3<f64>>,
    /// The point on the ground of an entity that stands at its origin, in the frame of the level:
    /// [`MapOptions::origin_height`](super::MapOptions::origin_height) below the origin, 24 units
    /// of the map by Quake's rules. For players' starts and monsters; it means nothing for other
    /// classes, such as lights. [`Walker::stand_at_feet`](crate::brush::Walker::stand_at_feet)
    /// takes it.
    pub feet: Option<Point3<f64>>,
    /// The centre of the entity's `origin` brush, about which it rotates; in the frame of the
    /// level.
    pub pivot: Option<Point3<f64>>,
    /// All keys and values in the order of the map, unchanged: lengths are not scaled.
    pub properties: Vec<(String, String)>,
    /// The solid brushes of the entity.
    pub brushes: Vec<LevelBrush>,
    /// The body of the entity in the world, if its solid brushes may move.
    pub body: Option<BodyId>,
}

/// A solid brush of an entity.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LevelBrush {
    /// The brush in [`Level::world`].
    pub id: BrushId,
    /// The textures of its planes, in the order of [`Brush::planes`].
    pub textures: Vec<Arc<str>>,
}

/// A brush that is not solid: a liquid, or one of a trigger.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LevelVolume {
    /// The index of its entity in [`Level::entities`].
    pub entity: usize,
    /// The content: the liquid, else the first texture.
    pub texture: Arc<str>,
    /// The shape, in the frame of the level.
    pub brush: Brush,
}

impl Level {
    /// The entities at which players start: those of classes `info_player_*` (except the cameras of
    /// `info_player_intermission`) and `spawn_player` that have an origin.
    pub fn spawns(&self) -> impl Iterator<Item = &LevelEntity> {
        let starts = |entity: &&LevelEntity| {
            let named = entity.class.strip_prefix("info_player_");
            named.is_some_and(|kind| kind != "intermission") || entity.class == "spawn_player"
        };
        self.entities.iter().filter(|entity| entity.origin.is_some()).filter(starts)
    }

    /// The entities that are bodies, which may be moved.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &LevelEntity)> {
        self.entities.iter().filter_map(|entity| Some((entity.body?, entity)))
    }

    /// The volumes that contain a point, their surface included, as indices of [`Level::volumes`].
    ///
    /// ```
    /// use boxwood::load::{MapOptions, map_bytes};
    /// use boxwood::nalgebra::Point3;
    ///
    /// let text = r#"{ "classname" "worldspawn" {
    ///     ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) *water 0 0 0 1 1
    ///     ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) *water 0 0 0 1 1
    ///     ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) *water 0 0 0 1 1
    ///     ( 8 8 8 ) ( 8 9 8 ) ( 9 8 8 ) *water 0 0 0 1 1
    ///     ( 8 8 8 ) ( 8 8 9 ) ( 8 9 8 ) *water 0 0 0 1 1
    ///     ( 8 8 8 ) ( 9 8 8 ) ( 8 8 9 ) *water 0 0 0 1 1 } }"#;
    /// let level = map_bytes(text.as_bytes(), &MapOptions::quake())?;
    /// let wet = level.volumes_at(Point3::new(8.0, 4.0, 4.0)).next().expect("water");
    /// assert_eq!(&*level.volumes[wet].texture, "*water");
    /// assert_eq!(level.volumes_at(Point3::new(9.0, 4.0, 4.0)).count(), 0);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn volumes_at<T: Scalar>(&self, point: Point3<T>) -> impl Iterator<Item = usize> {
        let inside = move |&(_, volume): &(usize, &LevelVolume)| volume.brush.contains(point);
        self.volumes.iter().enumerate().filter(inside).map(|(index, _)| index)
    }
}

impl LevelEntity {
    /// The value of a key, unchanged.
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.properties.iter().rev().find(|(own, _)| own == key);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of a key as a finite number, not scaled.
    pub fn number(&self, key: &str) -> Option<f64> {
        finite(self.get(key)?)
    }

    /// The value of a key as three finite numbers, not scaled, z up.
    pub fn vector(&self, key: &str) -> Option<Vector3<f64>> {
        three(self.get(key)?).map(Vector3::from)
    }
}

/// Parses a finite number.
fn finite(word: &str) -> Option<f64> {
    word.trim().parse().ok().filter(|x: &f64| x.is_finite())
}

/// Parses three finite numbers separated by blanks.
pub(super) fn three(text: &str) -> Option<[f64; 3]> {
    let mut words = text.split_whitespace().map(finite);
    let found = [words.next()??, words.next()??, words.next()??];
    words.next().is_none().then_some(found)
}
