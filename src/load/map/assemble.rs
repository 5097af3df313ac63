//! Assembly of a level from the entities of a map.

use std::collections::HashMap;
use std::ffi::CString;
use std::sync::Arc;

use nalgebra::Point3;
use quake_map::{QuakeMap, Surface};

use super::layers::omitted_layers;
use super::level::three;
use super::plane::plane;
use super::read::{BrushLines, MAX_COORDINATE};
use super::{
    BrushPlace, ClassRole, Level, LevelBrush, LevelEntity, LevelVolume, LevelWarning, MapOptions,
    TextureRole,
};
use crate::brush::{Brush, BrushWorld, BrushWorldBuilder};
use crate::error::Error;
use crate::load::source::plain_text;

/// Largest number of faces of a brush: cutting a brush from its planes takes the square of their
/// number, some twenty milliseconds for 1,024.
const MAX_FACES: usize = 1024;

/// A brush of the map: its faces and its position in the file.
struct FileBrush<'m> {
    faces: &'m [Surface],
    textures: Vec<Arc<str>>,
    place: BrushPlace,
}

/// The use of a brush in a level.
enum BrushUse {
    Solid,
    Clip,
    /// A volume that is not solid, and its texture.
    Volume(Arc<str>),
    Pivot,
    Omit,
}

/// A level during assembly.
struct LevelAssembly<'o> {
    options: &'o MapOptions,
    scale: f64,
    world: BrushWorldBuilder,
    entities: Vec<LevelEntity>,
    volumes: Vec<LevelVolume>,
    warnings: Vec<LevelWarning>,
    helpers: usize,
    /// Every texture once, with its role.
    textures: HashMap<CString, (Arc<str>, TextureRole)>,
}

/// Assembles the level of a map; `lines` are those on which its brushes begin.
pub(super) fn assemble_level(
    map: QuakeMap,
    lines: &BrushLines,
    options: &MapOptions,
) -> Result<Level, Error> {
    let scale = options.checked_scale()?;
    let mut world = BrushWorld::builder();
    world.up(options.up).expansion(options.expansion);
    let mut assembly = LevelAssembly {
        options,
        scale,
        world,
        entities: Vec::new(),
        volumes: Vec::new(),
        warnings: Vec::new(),
        helpers: 0,
        textures: HashMap::new(),
    };
    let given = map.entities.iter().enumerate();
    let entities: Vec<LevelEntity> =
        given.map(|(index, entity)| assembly.entity(index, &entity.edict)).collect();
    let layers = omitted_layers(&entities, &mut assembly.warnings);
    assembly.warn_of_layers(&map, &entities, &layers);
    for (entity, layer) in entities.into_iter().zip(&layers) {
        if layer.is_none() {
            let index = entity.index;
            let brushes = map.entities[index].brushes.iter();
            assembly.brushes(entity, brushes.map(Vec::as_slice).zip(lines[index].iter().copied()));
        }
    }
    if assembly.helpers > 0 {
        assembly.warnings.push(LevelWarning::Helpers { brushes: assembly.helpers });
    }
    let LevelAssembly { world, entities, volumes, warnings, .. } = assembly;
    Ok(Level { world: world.build()?, entities, volumes, warnings })
}

/// Converts bytes of a file to text: UTF-8, else Latin-1.
fn text(bytes: &CString) -> String {
    plain_text(bytes.as_bytes())
}

impl LevelAssembly<'_> {
    /// Adds an entity, without its brushes.
    fn entity(&mut self, index: usize, pairs: &[(CString, CString)]) -> LevelEntity {
        let properties = pairs.iter().map(|(key, value)| (text(key), text(value))).collect();
        let mut entity = LevelEntity {
            index,
            class: String::new(),
            origin: None,
            feet: None,
            pivot: None,
            properties,
            brushes: Vec::new(),
            body: None,
        };
        let mut keys: Vec<&str> = entity.properties.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        let repeats = keys.chunk_by(|a, b| a == b).filter(|alike| alike.len() > 1);
        for alike in repeats {
            let key = alike[0].to_owned();
            self.warnings.push(LevelWarning::RepeatedKey { entity: index, key });
        }
        match entity.get("classname").map(str::to_owned) {
            Some(class) => entity.class = class,
            None => self.warnings.push(LevelWarning::NoClass { entity: index }),
        }
        if let Some(value) = entity.get("origin") {
            let near = |point: &[f64; 3]| point.iter().all(|x| x.abs() <= MAX_COORDINATE);
            let origin = three(value).filter(near);
            if origin.is_none() {
                let value = value.to_owned();
                self.warnings.push(LevelWarning::BadOrigin { entity: index, value });
            }
            entity.origin = origin.map(|point| self.to_level(point));
            let below = self.options.height_of_origins();
            entity.feet = origin.map(|[x, y, z]| self.to_level([x, y, z - below]));
        }
        entity
    }

    /// Transforms a point of the map to the frame of the level.
    fn to_level(&self, point: [f64; 3]) -> Point3<f64> {
        self.options.up.undo_to_z(point.map(|x| x * self.scale)).into()
    }

    /// Adds one warning for each layer that is left out.
    fn warn_of_layers(
        &mut self,
        map: &QuakeMap,
        entities: &[LevelEntity],
        layers: &[Option<usize>],
    ) {
        let mut counts = vec![(0, 0); entities.len()];
        for (entity, layer) in map.entities.iter().zip(layers) {
            if let &Some(layer) = layer {
                let (entities, brushes): &mut (usize, usize) = &mut counts[layer];
                *entities += 1;
                *brushes += entity.brushes.len();
            }
        }
        for (layer, (count, brushes)) in entities.iter().zip(counts) {
            if count > 0 {
                let name = layer.get("_tb_name").or(layer.get("_tb_id")).unwrap_or_default();
                self.warnings.push(LevelWarning::OmittedLayer {
                    layer: name.to_owned(),
                    entities: count,
                    brushes,
                });
            }
        }
    }

    /// Adds the brushes of an entity, each with its first line.
    fn brushes<'m>(
        &mut self,
        mut entity: LevelEntity,
        brushes: impl Iterator<Item = (&'m [Surface], usize)>,
    ) {
        let role = self.options.class_role(&entity.class);
        for (brush, (faces, line)) in brushes.enumerate() {
            if role == ClassRole::Omit {
                continue;
            }
            let class = entity.class.clone();
            let place = BrushPlace { line, entity: entity.index, class, brush };
            let textures = faces.iter().map(|face| self.texture(&face.texture).0).collect();
            let given = FileBrush { faces, textures, place };
            let purpose = self.purpose(&given, role);
            if let BrushUse::Omit = purpose {
                self.helpers += 1;
                continue;
            }
            match self.brush(&given) {
                Ok(solid) => self.add_brush(&mut entity, role, purpose, solid, given),
                Err(trouble) => {
                    self.warnings.push(LevelWarning::BadBrush { place: given.place, trouble });
                }
            }
        }
        self.entities.push(entity);
    }

    /// Returns a texture by its bytes, with its role.
    fn texture(&mut self, name: &CString) -> (Arc<str>, TextureRole) {
        if let Some(known) = self.textures.get(name) {
            return known.clone();
        }
        let text: Arc<str> = text(name).into();
        let found = (text.clone(), self.options.texture_role(&text));
        self.textures.insert(name.clone(), found.clone());
        found
    }

    /// Returns the use of a brush, by its faces and the role of its entity.
    fn purpose(&mut self, brush: &FileBrush<'_>, class: ClassRole) -> BrushUse {
        let named = |face: &Surface| self.textures[&face.texture].clone();
        let faces: Vec<(Arc<str>, TextureRole)> = brush.faces.iter().map(named).collect();
        let any = |role| faces.iter().find(|face| face.1 == role);
        if any(TextureRole::Pivot).is_some() {
            return BrushUse::Pivot;
        }
        if any(TextureRole::Omit).is_some() {
            return BrushUse::Omit;
        }
        let mut saying = faces.iter().filter(|face| face.1 != TextureRole::Skip).peekable();
        let liquid = any(TextureRole::Volume).map(|(texture, _)| texture.clone());
        let first = saying.peek().map(|face| face.1);
        let alike = saying.all(|face| Some(face.1) == first);
        match (class, first) {
            (ClassRole::Volume, _) => {
                let texture = liquid.or(brush.textures.first().cloned());
                BrushUse::Volume(texture.unwrap_or_else(|| "".into()))
            }
            (_, Some(TextureRole::Clip)) if alike => BrushUse::Clip,
            (ClassRole::World, _) => match liquid {
                Some(texture) if alike => BrushUse::Volume(texture),
                Some(texture) => {
                    let (place, texture) = (brush.place.clone(), texture.as_ref().to_owned());
                    self.warnings.push(LevelWarning::MixedFaces { place, texture });
                    BrushUse::Solid
                }
                None => BrushUse::Solid,
            },
            _ => BrushUse::Solid,
        }
    }

    /// Returns the solid that the faces enclose.
    fn brush(&mut self, given: &FileBrush<'_>) -> Result<Brush, String> {
        let faces = given.faces.len();
        if faces > MAX_FACES {
            return Err(format!("the brush has {faces} faces, more than {MAX_FACES}"));
        }
        if faces < 4 {
            return Err(format!("the brush has only {faces} faces"));
        }
        let mut planes = Vec::with_capacity(faces);
        for (index, face) in given.faces.iter().enumerate() {
            let found = plane(&face.half_space, self.scale, self.options.up);
            planes.push(found.map_err(|trouble| format!("face {index}: {trouble}"))?);
        }
        let solid = Brush::from_planes(&planes).map_err(|error| error.to_string())?;
        let idle = faces - solid.source_indices().len();
        if idle > 0 {
            let place = given.place.clone();
            self.warnings.push(LevelWarning::IdleFaces { place, faces: idle });
        }
        Ok(solid)
    }

    /// Adds a brush to the world, to a body or to the volumes.
    fn add_brush(
        &mut self,
        entity: &mut LevelEntity,
        role: ClassRole,
        purpose: BrushUse,
        brush: Brush,
        given: FileBrush<'_>,
    ) {
        let groups = match purpose {
            BrushUse::Solid => self.options.groups,
            BrushUse::Clip => self.options.clip_groups,
            BrushUse::Volume(texture) => {
                let entity = self.entities.len();
                self.volumes.push(LevelVolume { entity, texture, brush });
                return;
            }
            BrushUse::Pivot => {
                self.helpers += 1;
                let bounds = brush.aabb();
                entity.pivot = entity.pivot.or(bounds.center());
                return;
            }
            BrushUse::Omit => return,
        };
        let textures =
            brush.source_indices().iter().map(|&face| given.textures[face].clone()).collect();
        let id = match role {
            ClassRole::Body => {
                let body = *entity.body.get_or_insert_with(|| self.world.body());
                self.world.push_to(body, brush, groups)
            }
            _ => self.world.push(brush, groups),
        };
        entity.brushes.push(LevelBrush { id, textures });
    }
}
