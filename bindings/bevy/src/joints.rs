//! Search for the entity that moves a part: by the node in the file, otherwise by name and path.

use std::collections::HashSet;

use bevy_ecs::prelude::{Children, Entity, Has, Name, Query};
use boxwood::Model;

use crate::{Character, JointNode};

/// Components that the search needs of the entities below a character.
pub(crate) type JointQuery<'w, 's> = Query<
    'w,
    's,
    (Option<&'static Name>, Option<&'static JointNode>, Option<&'static Children>, Has<Character>),
>;

/// An entity below a character, or the character itself.
struct Below<'a> {
    entity: Entity,
    /// Index of its parent in the list.
    parent: usize,
    name: &'a str,
    node: Option<usize>,
}

/// Returns the entity of each part of the model, where there is one.
pub(crate) fn find(
    root: Entity,
    model: &Model,
    nodes: &[Option<usize>],
    entities: &JointQuery<'_, '_>,
) -> Vec<Option<Entity>> {
    let below = below(root, entities);
    let of_file = below.iter().any(|one| one.node.is_some());
    match of_file && nodes.len() == model.len() {
        true => by_node(model, nodes, &below),
        false => by_name(model, nodes, &below),
    }
}

/// All entities of the character, parents before children, children in their order, without those
/// of characters below it.
fn below<'a>(root: Entity, entities: &'a JointQuery<'_, '_>) -> Vec<Below<'a>> {
    let (mut found, mut waiting) = (Vec::new(), vec![(root, 0)]);
    while let Some((entity, parent)) = waiting.pop() {
        let Ok((name, node, children, is_character)) = entities.get(entity) else { continue };
        if is_character && entity != root {
            continue;
        }
        let place = found.len();
        let name = name.map_or("", Name::as_str);
        found.push(Below { entity, parent, name, node: node.map(|node| node.0) });
        let children = children.into_iter().flat_map(|children| children.iter());
        let at = waiting.len();
        waiting.extend(children.map(|&child| (child, place)));
        waiting[at..].reverse();
    }
    found
}

/// Finds joints by the node of the file. If entities of other files have the same number, the one
/// with the part's name wins, otherwise the first.
fn by_node(model: &Model, nodes: &[Option<usize>], below: &[Below<'_>]) -> Vec<Option<Entity>> {
    let parts = model.parts().iter().zip(nodes);
    let entity = |(part, node): (&boxwood::model::Part<f32>, &Option<usize>)| {
        let candidates = || below.iter().filter(|one| one.node.is_some() && one.node == *node);
        let named = candidates().find(|one| is_named(one.name, part.name(), *node));
        named.or_else(|| candidates().next()).map(|one| one.entity)
    };
    parts.map(entity).collect()
}

/// Finds joints by name: below the entity of the part's parent, otherwise anywhere. Among several
/// with the name, the first that is not another part's wins: parts and entities are in the order of
/// the file.
fn by_name(model: &Model, nodes: &[Option<usize>], below: &[Below<'_>]) -> Vec<Option<Entity>> {
    let mut places: Vec<Option<usize>> = Vec::with_capacity(model.len());
    let mut taken = HashSet::new();
    for (index, part) in model.parts().iter().enumerate() {
        let node = nodes.get(index).copied().flatten();
        let free = |&place: &usize| {
            !taken.contains(&place) && is_named(below[place].name, part.name(), node)
        };
        let above = part.parent().and_then(|parent| places[parent.index()]);
        let child = above.and_then(|above| {
            (above + 1..below.len()).find(|place| below[*place].parent == above && free(place))
        });
        let place = child.or_else(|| (0..below.len()).find(free));
        taken.extend(place);
        places.push(place);
    }
    places.into_iter().map(|place| place.map(|place| below[place].entity)).collect()
}

/// Returns `true` if an entity of that name may be the part. Names of parts are unique: repeated
/// ones have a number at the end, as `hand (2)`; Bevy's loader names nodes without a name.
fn is_named(entity: &str, part: &str, node: Option<usize>) -> bool {
    let numbered = |rest: &str| {
        rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')')).is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
        })
    };
    let nameless = |node: usize| entity.strip_prefix("GltfNode") == Some(&node.to_string());
    entity == part
        || !entity.is_empty() && part.strip_prefix(entity).is_some_and(numbered)
        || node.is_some_and(nameless)
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn names_are_the_part_s_its_repeated_form_or_the_loader_s() {
        assert!(is_named("hand", "hand", None));
        assert!(is_named("hand", "hand (2)", None));
        assert!(is_named("hand (2)", "hand (2)", None));
        assert!(is_named("GltfNode7", "hand", Some(7)));
        for (entity, part) in
            [("", "hand"), ("hand", "hand (l)"), ("hand", "hands"), ("han", "hand")]
        {
            assert!(!is_named(entity, part, Some(7)), "{entity} is not {part}");
        }
        assert!(!is_named("GltfNode7", "hand", Some(70)) && !is_named("GltfNode7", "hand", None));
        assert!(!is_named("hand", "hand ()", None) && !is_named("", " (2)", None));
    }
}
