//! The pairs of links that a file tests or excludes by name, and those that are never tested.
//!
//! Source: the MuJoCo documentation, computation chapter, collision detection: a `<pair>` of geoms
//! is tested whatever their masks, and even if their bodies are excluded or neighbours.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::bodies::{MjcfReader, WORLD_LINK};
use super::paired_geoms::GEOMS;
use super::references::{ResolvedElement, resolve};
use crate::load::Warning;
use crate::load::pieces::{PieceLink, Pieces, WorldPiece};
use crate::model::PairTable;

/// The pairs of links that a file tests whatever their masks, and those that it excludes.
pub(super) struct LinkPairs {
    pub tested: Vec<[usize; 2]>,
    pub excluded: Vec<[usize; 2]>,
}

impl LinkPairs {
    /// Reads the pairs of a file; `reads_pairs`: `<pair>`s too.
    ///
    /// A part contains all shapes of a body, so that a `<pair>` of two geoms counts for all geoms
    /// of their bodies, with a warning if there are more.
    pub fn read(
        reader: &MjcfReader<'_, '_>,
        reads_pairs: bool,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, String> {
        let mut excluded = excluded(reader, warnings)?;
        let paired = if reads_pairs { paired(reader, warnings)? } else { PairsByLinks::new() };
        for (&[a, b], named) in &paired {
            let all = [a, b].map(|link| reader.bodies[link].shapes.len());
            if named.len() < all[0] * all[1] {
                let [a, b] = [a, b].map(|link| reader.links[link].name.clone());
                warnings.push(Warning::WidePair { a, b });
            }
        }
        excluded.retain(|&[a, b]| !paired.contains_key(&[a.min(b), a.max(b)]));
        Ok(LinkPairs { tested: paired.into_keys().collect(), excluded })
    }
}

/// The geoms that `<pair>`s name, for each two links, the lesser first.
type PairsByLinks<'t> = BTreeMap<[usize; 2], HashSet<[&'t str; 2]>>;

/// Returns the `<pair>`s whose geoms have shapes in two links.
fn paired<'t>(
    reader: &MjcfReader<'_, 't>,
    warnings: &mut Vec<Warning>,
) -> Result<PairsByLinks<'t>, String> {
    let links = &reader.paired.links;
    // Geoms by index, so that one without a shape is found too.
    let names: Vec<&String> = links.keys().collect();
    let indices: HashMap<&str, usize> =
        names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let find = |name: &str| indices.get(name).copied();
    let (found, lost) = resolve(&reader.expansion, "contact", "pair", GEOMS, &find)?;
    for element in lost {
        let [a, b] = [element.required(GEOMS[0])?, element.required(GEOMS[1])?];
        warnings.push(Warning::StrayPair { a: a.into(), b: b.into() });
    }
    let mut pairs = PairsByLinks::new();
    for ResolvedElement { element, targets, .. } in found {
        let words = [element.required(GEOMS[0])?, element.required(GEOMS[1])?];
        let link = |target: Option<usize>| target.and_then(|at| links[names[at]]);
        let [Some(a), Some(b)] = targets.map(link) else { continue };
        if a == b {
            let [a, b] = words.map(str::to_owned);
            warnings.push(Warning::RigidPair { a, b });
        } else {
            let (links, words) =
                if a < b { ([a, b], words) } else { ([b, a], [words[1], words[0]]) };
            pairs.entry(links).or_default().insert(words);
        }
    }
    Ok(pairs)
}

/// The pairs of links that are never tested against each other.
pub(super) fn untested(reader: &MjcfReader<'_, '_>, hops: usize) -> PairTable {
    let links = reader.links.iter().zip(&reader.bodies).map(|(link, body)| PieceLink {
        parent: link.parent,
        rigid: body.rigid,
        has_geometry: !body.shapes.is_empty(),
    });
    let mut table = Pieces::new(&links.collect::<Vec<_>>(), WorldPiece::Tested).untested(hops);
    // Links that only a caller moves are not tested against each other, or against fixed links.
    let mut still: Vec<bool> = Vec::new();
    for (link, body) in reader.links.iter().zip(&reader.bodies) {
        let above = link.parent.is_none_or(|parent| still[parent]);
        still.push(body.mocap || (above && body.rigid));
    }
    if reader.bodies.iter().any(|body| body.mocap) {
        let still: Vec<usize> = (0..still.len()).filter(|&link| still[link]).collect();
        for (index, &a) in still.iter().enumerate() {
            still[..index].iter().for_each(|&b| table.insert(a, b));
        }
    }
    table
}

/// The pairs of links that the file excludes.
fn excluded(
    reader: &MjcfReader<'_, '_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<[usize; 2]>, String> {
    // The world is a body without a link unless it has shapes.
    let none = reader.links.len();
    let find = |name: &str| reader.find(name).or((name == WORLD_LINK).then_some(none));
    let attributes = ["body1", "body2"];
    let (found, lost) = resolve(&reader.expansion, "contact", "exclude", attributes, &find)?;
    for element in lost {
        let [a, b] = [element.required("body1")?, element.required("body2")?];
        warnings.push(Warning::StrayPair { a: a.into(), b: b.into() });
    }
    for pair in &found {
        attributes.iter().try_for_each(|name| pair.element.required(name).map(|_| ()))?;
    }
    let pair = |ResolvedElement { targets, .. }: ResolvedElement<'_, 2>| match targets {
        [Some(a), Some(b)] if a != none && b != none => Some([a, b]),
        _ => None,
    };
    Ok(found.into_iter().filter_map(pair).collect())
}
