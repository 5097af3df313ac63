//! Options of maps: the roles of classes and textures, and the frame of the level.

use crate::brush::Expansion;
use crate::error::Error;
use crate::model::CollisionGroups;
use crate::num::{check_coordinates, check_size};
use crate::shape::UpAxis;

/// Names of entity classes or of textures. ASCII letters match in either case.
///
/// A texture also matches by the part after the last `/` of its name: `clip` matches `common/clip`.
///
/// ```
/// use boxwood::load::NamePattern;
///
/// assert!(NamePattern::from("clip").matches("CLIP"));
/// assert!(NamePattern::StartsWith("trigger".into()).matches("trigger_once"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NamePattern {
    /// The name alone.
    Is(String),
    /// Every name with this beginning.
    StartsWith(String),
    /// Every name with this ending.
    EndsWith(String),
}

impl From<&str> for NamePattern {
    fn from(name: &str) -> Self {
        NamePattern::Is(name.to_owned())
    }
}

impl NamePattern {
    /// Returns `true` if the pattern matches the name.
    pub fn matches(&self, name: &str) -> bool {
        let (name, same) = (name.as_bytes(), <[u8]>::eq_ignore_ascii_case);
        match self {
            NamePattern::Is(whole) => same(name, whole.as_bytes()),
            NamePattern::StartsWith(head) => {
                name.get(..head.len()).is_some_and(|part| same(part, head.as_bytes()))
            }
            NamePattern::EndsWith(tail) => {
                let rest = name.len().checked_sub(tail.len());
                rest.is_some_and(|from| same(&name[from..], tail.as_bytes()))
            }
        }
    }
}

/// The role of the brushes of an entity class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClassRole {
    /// Solid parts of the world that never move.
    World,
    /// One solid body of its own, which can be moved: a door, a train, a wall that disappears.
    Body,
    /// Volumes that are not solid, kept in [`Level::volumes`](super::Level::volumes): a trigger.
    Volume,
    /// Left out.
    Omit,
}

/// The role that a texture gives its brush.
///
/// A brush is left out if one of its faces is; else its faces decide together, without those of
/// [`TextureRole::Skip`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextureRole {
    /// Solid: the role of textures without a rule.
    Solid,
    /// Solid, in the groups of [`MapOptions::clip_groups`]; without effect unless all faces have
    /// it.
    Clip,
    /// A liquid: the brush is not solid, but in [`Level::volumes`](super::Level::volumes). Only for
    /// brushes of the world, as in Quake: a door with a liquid texture remains a door.
    Volume,
    /// A face that is not drawn. The other faces decide about the brush, which is solid without
    /// others.
    Skip,
    /// Left out, and the centre of the brush is its entity's
    /// [`pivot`](super::LevelEntity::pivot).
    Pivot,
    /// Left out: a helper of the map compiler.
    Omit,
}

/// Options of loading a map: scale, frame, and the roles of classes and textures.
///
/// The last added of several rules that match a name applies. A class without a rule is a
/// [`ClassRole::Body`].
///
/// ```
/// use boxwood::load::{ClassRole, MapOptions};
/// use boxwood::shape::UpAxis;
///
/// let options = MapOptions::quake()
///     .scale(1.0 / 32.0) // 32 units a metre
///     .up(UpAxis::Y)
///     .class("ice", ClassRole::World)
///     .class("water", ClassRole::Volume);
/// # let _ = options;
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MapOptions {
    scale: f64,
    origin_height: f64,
    pub(super) up: UpAxis,
    pub(super) expansion: Expansion,
    pub(super) groups: CollisionGroups,
    pub(super) clip_groups: CollisionGroups,
    classes: Vec<(NamePattern, ClassRole)>,
    textures: Vec<(NamePattern, TextureRole)>,
}

impl Default for MapOptions {
    /// [`MapOptions::quake`].
    fn default() -> Self {
        MapOptions::quake()
    }
}

impl MapOptions {
    /// The rules of Quake and its map compilers; lengths are the map's, z is up.
    ///
    /// `worldspawn`, `func_group` and `func_detail*` are the world, `trigger*` and `*illusionary`
    /// volumes, all other classes bodies. Textures that begin with `*` are liquids; `clip` is
    /// [`TextureRole::Clip`], `skip` [`TextureRole::Skip`], `origin` a pivot; `hint` and
    /// `hintskip` are left out. Origins of entities are 24 units above their feet.
    pub fn quake() -> Self {
        let starts = |head: &str| NamePattern::StartsWith(head.to_owned());
        let ends = |tail: &str| NamePattern::EndsWith(tail.to_owned());
        MapOptions::plain()
            .origin_height(24)
            .class("worldspawn", ClassRole::World)
            .class("func_group", ClassRole::World)
            .class(starts("func_detail"), ClassRole::World)
            .class(starts("trigger"), ClassRole::Volume)
            .class(ends("illusionary"), ClassRole::Volume)
            .texture(starts("*"), TextureRole::Volume)
            .texture("clip", TextureRole::Clip)
            .texture("skip", TextureRole::Skip)
            .texture("origin", TextureRole::Pivot)
            .texture("hint", TextureRole::Omit)
            .texture("hintskip", TextureRole::Omit)
    }

    /// Returns options without rules: even `worldspawn` is a body, and all brushes are solid.
    pub fn plain() -> Self {
        MapOptions {
            scale: 1.0,
            origin_height: 0.0,
            up: UpAxis::Z,
            expansion: Expansion::default(),
            groups: CollisionGroups::ALL,
            clip_groups: CollisionGroups::ALL,
            classes: Vec::new(),
            textures: Vec::new(),
        }
    }

    /// Sets the factor from the map's lengths to the level's. A power of two is exact.
    pub fn scale(mut self, scale: impl Into<f64>) -> Self {
        self.scale = scale.into();
        self
    }

    /// Sets the height of an entity's origin above its [feet](super::LevelEntity::feet), in units
    /// of the map: 24 in Quake, 0 where origins are on the ground.
    pub fn origin_height(mut self, height: impl Into<f64>) -> Self {
        self.origin_height = height.into();
        self
    }

    /// Sets the axis of the level that points up; the map's is z.
    ///
    /// Axes are permuted cyclically, so all numbers are exact and the frame is right-handed: with y
    /// up, the map's (x, y, z) are the level's (z, x, y).
    pub fn up(mut self, up: UpAxis) -> Self {
        self.up = up;
        self
    }

    /// Sets the rounding of brush corners for cylinders; exact by default.
    pub fn expansion(mut self, expansion: Expansion) -> Self {
        self.expansion = expansion;
        self
    }

    /// Sets the groups of all solid brushes; [`CollisionGroups::ALL`] by default.
    pub fn groups(mut self, groups: CollisionGroups) -> Self {
        self.groups = groups;
        self
    }

    /// Sets the groups of brushes with [`TextureRole::Clip`], which stop walkers but not shots in
    /// Quake; [`CollisionGroups::ALL`] by default.
    pub fn clip_groups(mut self, groups: CollisionGroups) -> Self {
        self.clip_groups = groups;
        self
    }

    /// Sets the role of the brushes of these classes.
    pub fn class(mut self, names: impl Into<NamePattern>, role: ClassRole) -> Self {
        self.classes.push((names.into(), role));
        self
    }

    /// Sets the role that these textures give their brushes.
    pub fn texture(mut self, names: impl Into<NamePattern>, role: TextureRole) -> Self {
        self.textures.push((names.into(), role));
        self
    }

    /// The height of origins above feet, checked with the scale.
    pub(super) fn height_of_origins(&self) -> f64 {
        self.origin_height
    }

    /// The role of a class.
    pub(super) fn class_role(&self, class: &str) -> ClassRole {
        let rule = self.classes.iter().rev().find(|(names, _)| names.matches(class));
        rule.map_or(ClassRole::Body, |&(_, role)| role)
    }

    /// The role of a texture.
    pub(super) fn texture_role(&self, texture: &str) -> TextureRole {
        let last = texture.rsplit('/').next().unwrap_or(texture);
        let mut rules = self.textures.iter().rev();
        let rule = rules.find(|(names, _)| names.matches(texture) || names.matches(last));
        rule.map_or(TextureRole::Solid, |&(_, role)| role)
    }

    /// Returns the scale if it and the height of origins are valid.
    pub(super) fn checked_scale(&self) -> Result<f64, Error> {
        check_coordinates(&[self.origin_height], "origin height", 0)?;
        check_size(self.scale, "scale")?;
        // Products with coordinates of a map neither overflow nor lose bits to underflow.
        let limit = (1u64 << 40) as f64;
        if self.scale > limit {
            return Err(Error::OutOfRange { field: "scale", index: 0, limit });
        }
        if self.scale < 1.0 / limit {
            return Err(Error::BadQuery { reason: "the scale must be above 2^-40" });
        }
        Ok(self.scale)
    }
}
