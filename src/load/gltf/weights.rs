//! The skinning weights of a primitive's vertices.

use ::gltf::mesh::{Primitive, Semantic};

use super::accessor::numbers;
use super::buffers::GltfBuffers;
use super::skins::BoundSkin;
use crate::load::SkinAssignment;

/// Deviation of a sum of weights from 1 that causes a warning.
const MAX_SUM_ERROR: f64 = 1e-3;

/// The weights of every vertex of a primitive.
#[derive(Debug, Default)]
pub(super) struct VertexWeights {
    /// The joints of each vertex, at least one, with shares of the sum of its weights.
    pub vertices: Vec<Vec<Influence>>,
    /// The number of vertices with weights that do not sum to one.
    pub off_sum: usize,
    /// The number of vertices without weight.
    pub no_weight: usize,
}

/// One joint's weight on a vertex: an index into the skin's bindings, and the weight. Those of a
/// vertex ascend by index.
pub(super) type Influence = (usize, f64);

/// Reads the weights; `None` for a primitive without weights.
pub(super) fn read(
    buffers: &GltfBuffers,
    primitive: &Primitive<'_>,
    vertices: usize,
    skin: &BoundSkin,
) -> Result<Option<VertexWeights>, String> {
    let Some(mut vertices) = influences(buffers, primitive, vertices, skin)? else {
        return Ok(None);
    };
    let (mut off_sum, mut no_weight) = (0, 0);
    for influences in &mut vertices {
        influences.sort_unstable_by_key(|(index, _)| *index);
        let sum: f64 = influences.iter().map(|(_, weight)| weight).sum();
        if influences.is_empty() {
            influences.push((0, 1.0));
            no_weight += 1;
            continue;
        }
        off_sum += usize::from((sum - 1.0).abs() > MAX_SUM_ERROR);
        influences.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
    Ok(Some(VertexWeights { vertices, off_sum, no_weight }))
}

impl VertexWeights {
    /// The bindings that a triangle is assigned to, ascending.
    pub fn owners(&self, triangle: [usize; 3], assign: SkinAssignment) -> Vec<usize> {
        let mut owners = Vec::new();
        for influences in triangle.map(|v| &self.vertices[v]) {
            owners.extend(largest(influences));
            if let SkinAssignment::Above(least) = assign {
                let above = influences.iter().filter(|(_, share)| *share > least);
                owners.extend(above.map(|&(index, _)| index));
            }
        }
        owners.sort_unstable();
        owners.dedup();
        owners
    }
}

/// Returns the joints of every vertex with a weight above 0, each joint once.
fn influences(
    buffers: &GltfBuffers,
    primitive: &Primitive<'_>,
    vertices: usize,
    skin: &BoundSkin,
) -> Result<Option<Vec<Vec<Influence>>>, String> {
    let joints = skin.index_of.len();
    let mut found = vec![Vec::<Influence>::new(); vertices];
    for set in 0.. {
        let named = |semantic| primitive.get(&semantic);
        let (Some(j), Some(w)) = (named(Semantic::Joints(set)), named(Semantic::Weights(set)))
        else {
            return Ok((set > 0).then_some(found));
        };
        let indices = numbers::<4>(buffers, &j).map_err(|e| format!("JOINTS_{set}: {e}"))?;
        let weights = numbers::<4>(buffers, &w).map_err(|e| format!("WEIGHTS_{set}: {e}"))?;
        if indices.len() != vertices || weights.len() != vertices {
            let (i, w) = (indices.len(), weights.len());
            return Err(format!("set {set}: {i} joints and {w} weights for {vertices} vertices"));
        }
        for (v, (indices, weights)) in indices.iter().zip(&weights).enumerate() {
            for (&index, &weight) in indices.iter().zip(weights).filter(|(_, w)| **w > 0.0) {
                if index < 0.0 || index >= joints as f64 {
                    return Err(format!(
                        "vertex {v} refers to joint {index}, but the skin has {joints}"
                    ));
                }
                add(&mut found[v], skin.index_of[index as usize], weight);
            }
        }
    }
    Ok(None)
}

/// Adds a weight to the list; a joint may occur twice for a vertex.
fn add(influences: &mut Vec<Influence>, index: usize, weight: f64) {
    match influences.iter_mut().find(|(known, _)| *known == index) {
        Some((_, sum)) => *sum += weight,
        None => influences.push((index, weight)),
    }
}

/// Returns the binding of the largest weight, the first of equals.
pub(super) fn largest(influences: &[Influence]) -> Option<usize> {
    let mut best: Option<Influence> = None;
    for &(index, weight) in influences {
        if best.is_none_or(|(known, most)| weight > most || (weight == most && index < known)) {
            best = Some((index, weight));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn the_largest_sum_wins_and_ties_go_to_the_first_joint() {
        let best = |listed: &[Influence]| {
            let mut influences = Vec::new();
            listed.iter().for_each(|&(index, weight)| add(&mut influences, index, weight));
            largest(&influences)
        };
        assert_eq!(best(&[(0, 0.2), (2, 0.7), (1, 0.1)]), Some(2));
        assert_eq!(best(&[(1, 0.5), (0, 0.5)]), Some(0));
        assert_eq!(best(&[(2, 0.4), (0, 0.3), (0, 0.3)]), Some(0));
        assert_eq!(best(&[]), None);
    }
}
