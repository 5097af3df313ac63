//! Layers of TrenchBroom: which entities a map omits from the game.
//!
//! A layer is a `func_group` with an id. Entities refer to theirs by `_tb_layer`, or to a group by
//! `_tb_group`, which is itself in a layer or another group.

use std::collections::HashMap;

use super::{LevelEntity, LevelWarning};

/// Returns for each entity the omitted layer that contains it, as an index of an entity; a layer
/// contains itself. Warns of references without a target.
pub(super) fn omitted_layers(
    entities: &[LevelEntity],
    warnings: &mut Vec<LevelWarning>,
) -> Vec<Option<usize>> {
    let mut known = HashMap::new();
    for (index, entity) in entities.iter().enumerate() {
        if entity.class == "func_group"
            && let Some(id) = entity.get("_tb_id")
        {
            known.entry(id).or_insert(index);
        }
    }
    let mut above = Vec::with_capacity(entities.len());
    for (entity, holder) in entities.iter().enumerate() {
        let id = holder.get("_tb_layer").or(holder.get("_tb_group"));
        let found = id.and_then(|id| known.get(id).copied());
        if let (Some(id), None) = (id, found) {
            warnings.push(LevelWarning::StrayLayer { entity, id: id.to_owned() });
        }
        above.push(found);
    }
    let out = |&index: &usize| {
        let entity: &LevelEntity = &entities[index];
        entity.class == "func_group" && entity.get("_tb_layer_omit_from_export") == Some("1")
    };
    omitted_ancestors(&above, out)
}

/// Returns the nearest ancestor of each entity, itself included, that is omitted; each path is
/// followed once.
fn omitted_ancestors(above: &[Option<usize>], out: impl Fn(&usize) -> bool) -> Vec<Option<usize>> {
    let mut answers: Vec<Option<Option<usize>>> = vec![None; above.len()];
    let mut way = Vec::new();
    for start in 0..above.len() {
        let mut next = Some(start);
        let answer = loop {
            let Some(at) = next else { break None };
            if let Some(known) = answers[at] {
                break known;
            }
            if out(&at) {
                answers[at] = Some(Some(at));
                break Some(at);
            }
            // A path that returns here is circular and has no result.
            answers[at] = Some(None);
            way.push(at);
            next = above[at];
        };
        for at in way.drain(..) {
            answers[at] = Some(answer);
        }
    }
    answers.into_iter().map(Option::flatten).collect()
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn ways_up() {
        // 0 is omitted; 2 is in 1, which is in 0; 3 and 4 are in each other; 5 is in 4; 6 is alone.
        let above = [None, Some(0), Some(1), Some(4), Some(3), Some(4), None];
        let found = omitted_ancestors(&above, |&index| index == 0);
        assert_eq!(found, [Some(0), Some(0), Some(0), None, None, None, None]);
    }
}
