//! Contents of a level as named items with fields of text, for comparisons. Lengths are those of the
//! map.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use boxwood::brush::Brush;
use boxwood::load::{Level, LevelEntity};
use boxwood::nalgebra::Vector3;

use crate::file_items::{Field, Item, digest, field, numbers};

/// Returns the items of a level: entities, their solid brushes, volumes.
pub fn of_level(level: &Level) -> Vec<Item> {
    let mut items = vec![of_file(level)];
    items.extend(level.entities.iter().map(of_entity));
    for entity in &level.entities {
        for own in &entity.brushes {
            let Some(brush) = level.world.brush(own.id) else { continue };
            items.push(of_brush("brush", &entity_name(entity), brush, &own.textures));
        }
    }
    items.extend(level.volumes.iter().map(|volume| {
        let entity = level.entities.get(volume.entity).map(entity_name).unwrap_or_default();
        of_brush("volume", &entity, &volume.brush, std::slice::from_ref(&volume.texture))
    }));
    number_repeated(&mut items);
    items
}

/// Returns the level as an item. Its digest depends on the order of entities and brushes too, by
/// which ids are given.
fn of_file(level: &Level) -> Item {
    let [planes, arcs] = level.world.constraints();
    let brushes: Vec<_> = level.world.ids().filter_map(|id| level.world.brush(id)).collect();
    let planes_in_order: Vec<String> =
        brushes.iter().flat_map(|brush| plane_texts(brush)).collect();
    let in_order = (&level.entities, &level.volumes, planes_in_order);
    let fields = vec![
        field("kind", "level"),
        field("brushes", level.world.len().to_string()),
        field("planes", planes.to_string()),
        field("arcs", arcs.to_string()),
        field("entities", level.entities.len().to_string()),
        field("bodies", level.bodies().count().to_string()),
        field("volumes", level.volumes.len().to_string()),
        field("starts", level.spawns().count().to_string()),
        field("digest", digest(&in_order)),
    ];
    Item { kind: "file", name: String::new(), fields }
}

/// Returns an entity with its keys, of which the last with a name counts, as in
/// [`LevelEntity::get`].
fn of_entity(entity: &LevelEntity) -> Item {
    let keys: BTreeMap<&str, &str> =
        entity.properties.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let mut fields: Vec<Field> = Vec::new();
    for (key, value) in keys {
        fields.push((Cow::Owned(key.to_owned()), value.to_owned()));
    }
    fields.push(field("solid brushes", entity.brushes.len().to_string()));
    fields.push(field("may move", if entity.body.is_some() { "yes" } else { "no" }));
    Item { kind: "entity", name: entity_name(entity), fields }
}

/// Returns the name of an entity: its class, and the name that others call it by, otherwise its
/// origin. An index would change with each entity before it.
fn entity_name(entity: &LevelEntity) -> String {
    let class = &entity.class;
    match (entity.get("targetname"), entity.get("origin")) {
        (Some(name), _) => format!("{class} {name}"),
        (None, Some(origin)) => format!("{class} at {origin}"),
        (None, None) => class.clone(),
    }
}

/// Returns a brush, whose name is its entity and its extent.
fn of_brush(kind: &'static str, entity: &str, brush: &Brush, textures: &[Arc<str>]) -> Item {
    let corners = brush.corners();
    let fold = |start: f64, of: fn(&Vector3<f64>, &Vector3<f64>) -> Vector3<f64>| {
        corners.iter().fold(Vector3::repeat(start), |ends, corner| of(&ends, &corner.coords))
    };
    let ends = [fold(f64::INFINITY, Vector3::inf), fold(f64::NEG_INFINITY, Vector3::sup)];
    let [min, max] = ends.map(|end| numbers(end.map(thousandths).as_slice()));
    let names: BTreeSet<&str> = textures.iter().map(AsRef::as_ref).collect();
    // The order of a brush's planes has no meaning.
    let mut planes = plane_texts(brush);
    planes.sort_unstable();
    let fields = vec![
        field("planes", planes.len().to_string()),
        field("volume", brush.volume().to_string()),
        field("textures", names.into_iter().collect::<Vec<_>>().join(" ")),
        field("digest", digest(&(planes, sorted(textures)))),
    ];
    Item { kind, name: format!("{entity}, {min} to {max}"), fields }
}

/// Planes of a brush as texts, in its order.
fn plane_texts(brush: &Brush) -> Vec<String> {
    brush.planes().iter().map(|plane| format!("{plane:?}")).collect()
}

fn sorted(textures: &[Arc<str>]) -> Vec<&str> {
    let mut sorted: Vec<&str> = textures.iter().map(AsRef::as_ref).collect();
    sorted.sort_unstable();
    sorted
}

/// Rounds to thousandths, without the sign of zero.
fn thousandths(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0 + 0.0
}

/// Appends a number to the names of items that have one before them.
fn number_repeated(items: &mut [Item]) {
    let mut counts: BTreeMap<(&'static str, String), usize> = BTreeMap::new();
    for item in items {
        let count = counts.entry((item.kind, item.name.clone())).or_default();
        *count += 1;
        if *count > 1 {
            item.name = format!("{} ({count})", item.name);
        }
    }
}
