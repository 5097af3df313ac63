//! Three characters: near pairs of characters, near pairs of parts, and touching pairs.

use std::collections::BTreeSet;

use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Aabb, Buffers, CharacterKey, Error, Hits, PairQuery, PartId, Scene, Spawn};

use crate::canvas::{Canvas, Page, upright_camera};
use crate::fighter;

/// Positions: X and Z [m], and rotation about Y [rad].
const PLACES: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [0.5, -0.01, 0.35], [1.3, 0.0, 0.0]];

pub fn page() -> Result<Page, Error> {
    let model = fighter::fighter().model;
    let mut scene = Scene::new();
    for [x, z, turn] in PLACES {
        let at = Isometry3::new(Vector3::new(x, 0.0, z), Vector3::new(0.0, turn, 0.0));
        scene.insert(&model, Spawn::at(at))?;
    }
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let keys: Vec<CharacterKey> = now.characters().collect();
    let near: Vec<_> = now.broad_phase_pairs().collect();
    let mut candidates = Vec::new();
    for &(a, b) in &near {
        candidates.extend(now.part_aabb_pairs(a, b)?.map(|(p, q)| [(a, p), (b, q)]));
    }
    now.pairs(&PairQuery::all(), &mut hits)?;
    let touching: BTreeSet<(CharacterKey, PartId)> = hits
        .pairs()
        .iter()
        .flat_map(|(a, b)| [(a.character, a.part), (b.character, b.part)])
        .collect();
    let close: BTreeSet<(CharacterKey, PartId)> = candidates.iter().flatten().copied().collect();

    let with_tree = model.parts().iter().filter(|part| part.tree().is_some()).count();
    let numbers = vec![
        format!("3 pairs of characters; AABBs that overlap: {}", near.len()),
        format!(
            "{} pairs of parts of these two; AABBs that overlap: {}",
            with_tree * with_tree * near.len(),
            candidates.len()
        ),
        format!("pairs of parts that touch at the leaves: {}", hits.pairs().len()),
    ];
    let mut bounds = Aabb::empty();
    for &key in &keys {
        bounds = bounds.merged(&now.character_aabb(key)?);
    }
    let mut canvas = Canvas::new(900, 620);
    let view = upright_camera(Vector3::new(0.0, 0.0, -1.0), &bounds, [20.0, 90.0, 860.0, 490.0]);
    for &key in &keys {
        for (index, part) in model.parts().iter().enumerate() {
            if let Some(mesh) = part.tree().and_then(|tree| tree.geometry().mesh()) {
                canvas.shadow(&view, mesh, scene.pose(key, PartId::new(index))?);
            }
        }
    }
    for &key in &keys {
        canvas.aabb(&view, &now.character_aabb(key)?, "grey");
        for index in 0..model.len() {
            let part = PartId::new(index);
            let class = match (touching.contains(&(key, part)), close.contains(&(key, part))) {
                (true, _) => "red",
                (false, true) => "orange",
                (false, false) => "thin",
            };
            canvas.aabb(&view, &now.part_aabb(key, part)?, class);
        }
    }
    for (line, text) in numbers.iter().enumerate() {
        canvas.text([20.0, 24.0 + 20.0 * line as f32], "small", text);
    }
    let legend = [
        ("grey", "AABB of a character"),
        ("thin", "AABB of a part"),
        ("orange", "overlaps another's"),
        ("red", "touches"),
    ];
    for (index, (class, meaning)) in legend.into_iter().enumerate() {
        let x = 20.0 + 190.0 * index as f32;
        canvas.line([x, 600.0], [x + 24.0, 600.0], class);
        canvas.text([x + 30.0, 605.0], "small", meaning);
    }
    canvas.scale_bar(&view, [745.0, 600.0], 0.2);
    Ok(Page { name: "broad_phase", numbers, picture: canvas.finish() })
}
