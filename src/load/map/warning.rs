//! Warnings: features of a map that its level approximates or omits.

use std::fmt;

/// A feature of a map that its [`Level`](super::Level) approximates or omits. The rest of the map
/// is used.
///
/// ```
/// use boxwood::load::{LevelWarning, MapOptions, map_bytes};
///
/// let text = r#"{ "classname" "worldspawn" { } }"#; // a brush without faces
/// let level = map_bytes(text.as_bytes(), &MapOptions::quake())?;
/// let [LevelWarning::BadBrush { place, .. }] = &level.warnings[..] else { panic!() };
/// assert_eq!(place.to_string(), "line 1: brush 0 of entity 0 (worldspawn)");
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LevelWarning {
    /// The faces of a brush enclose no solid, or one of them has no plane; the brush is left out.
    BadBrush {
        /// The brush.
        place: BrushPlace,
        /// The reason.
        trouble: String,
    },
    /// Faces of a brush bound nothing of it: repeated planes, or planes beyond the others. They are
    /// left out, which changes nothing.
    IdleFaces {
        /// The brush.
        place: BrushPlace,
        /// The number of such faces.
        faces: usize,
    },
    /// A brush of the world has faces of a liquid and faces of something else; it is solid.
    MixedFaces {
        /// The brush.
        place: BrushPlace,
        /// The first liquid.
        texture: String,
    },
    /// Brushes of helper textures (hint, origin...) are left out. One warning for all of them.
    Helpers {
        /// The number of brushes.
        brushes: usize,
    },
    /// A layer is left out, as the map requests: [`_tb_layer_omit_from_export`][layers].
    ///
    /// [layers]: https://trenchbroom.github.io/manual/latest/#layers
    OmittedLayer {
        /// The name of the layer.
        layer: String,
        /// The number of entities left out.
        entities: usize,
        /// The number of brushes left out with them.
        brushes: usize,
    },
    /// An entity names a layer or a group that the map does not have; it is used.
    StrayLayer {
        /// The entity's index in the map, counted from 0.
        entity: usize,
        /// The id of the layer or group.
        id: String,
    },
    /// An entity has no class; its class is the empty text.
    NoClass {
        /// The entity's index in the map, counted from 0.
        entity: usize,
    },
    /// An entity has a key more than once; the last value is used.
    RepeatedKey {
        /// The entity's index in the map, counted from 0.
        entity: usize,
        /// The key.
        key: String,
    },
    /// The origin of an entity is not three finite numbers of at most `2^30`; it has none.
    BadOrigin {
        /// The entity's index in the map, counted from 0.
        entity: usize,
        /// The value.
        value: String,
    },
}

/// The position of a brush in a map.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BrushPlace {
    /// The line on which the brush begins, counted from 1.
    pub line: usize,
    /// The entity's index in the map, counted from 0.
    pub entity: usize,
    /// The class of the entity.
    pub class: String,
    /// The brush's index in the entity, counted from 0.
    pub brush: usize,
}

/// Returns text of a file for a message, on one line.
fn shown(text: &str) -> String {
    text.replace(char::is_control, " ")
}

impl fmt::Display for BrushPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BrushPlace { line, entity, class, brush } = self;
        write!(f, "line {line}: brush {brush} of entity {entity} ({})", shown(class))
    }
}

impl fmt::Display for LevelWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelWarning::BadBrush { place, trouble } => {
                write!(f, "{place}: {trouble}; it is left out")
            }
            LevelWarning::IdleFaces { place, faces } => {
                write!(f, "{place}: faces that do not bound the brush are left out ({faces})")
            }
            LevelWarning::MixedFaces { place, texture } => {
                write!(f, "{place}: some faces are of liquid '{}'; it is solid", shown(texture))
            }
            LevelWarning::Helpers { brushes } => {
                write!(f, "{brushes} brushes of helper textures are left out")
            }
            LevelWarning::OmittedLayer { layer, entities, brushes } => {
                let layer = shown(layer);
                write!(f, "layer '{layer}': left out, {entities} entities, {brushes} brushes")
            }
            LevelWarning::StrayLayer { entity, id } => {
                write!(f, "entity {entity}: the map has no layer or group '{}'", shown(id))
            }
            LevelWarning::NoClass { entity } => write!(f, "entity {entity}: it has no class"),
            LevelWarning::RepeatedKey { entity, key } => {
                write!(f, "entity {entity}: key '{}' repeats; the last value is used", shown(key))
            }
            LevelWarning::BadOrigin { entity, value } => {
                write!(
                    f,
                    "entity {entity}: its origin '{}' is not three numbers of at most 2^30",
                    shown(value)
                )
            }
        }
    }
}
