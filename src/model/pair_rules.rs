//! The pairs of parts of one character that are never tested, those that are tested whatever their
//! groups, and the margins.

use super::pair_table::{PairTable, visit_neighbourhood};
use super::{Part, PartId};
use crate::error::Error;
use crate::num::{Fingerprint, Scalar};
use crate::tree::{ObbTree, check_margin};

/// Symmetric tables of ignored pairs, of pairs that are tested whatever their groups, and of
/// margins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PairRules {
    parts: usize,
    ignored: PairTable,
    /// Pairs that are tested although the groups of their parts do not interact, unless they are
    /// ignored; `None` without any.
    ungrouped: Option<PairTable>,
    /// A margin per pair, row by row; empty if all are 0. World units.
    margins: Vec<f64>,
    /// The largest margin.
    max_margin: f64,
}

/// A query's margin between parts of one character, and whether the model's own counts where it is
/// larger. World units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MarginRequest {
    pub margin: f64,
    pub use_model_margins: bool,
}

impl PairRules {
    /// Ignores each part with itself and with those within `hops` steps from part to parent or
    /// child. Parts without geometry do not count as steps: a slot between hand and sword does not
    /// separate the two.
    pub fn new<T: Scalar>(parts: &[Part<T>], hops: usize) -> Self {
        let count = parts.len();
        let (neighbours, mut visited) = (neighbours(parts), vec![usize::MAX; count]);
        let mut ignored = PairTable::new(count);
        for start in 0..count {
            visit_neighbourhood(&neighbours, start, hops, &mut visited, |other| {
                ignored.insert(start, other);
            });
        }
        PairRules { parts: count, ignored, ungrouped: None, margins: Vec::new(), max_margin: 0.0 }
    }

    /// Restores the tables from their [words](PairRules::words); `None` unless they are valid: of
    /// the right size, symmetric, each part ignored with itself, no other bits set, no negative
    /// margin.
    #[cfg(feature = "bake")]
    pub fn from_words(parts: usize, words: Vec<u64>) -> Option<Self> {
        let bits = parts.checked_mul(parts)?;
        let table = bits.div_ceil(64);
        let (ignored, rest) = words.split_at_checked(table)?;
        // A table has fewer words than there are margins, unless there is one part alone.
        let (margins, ungrouped) =
            if rest.len() < bits { (&[][..], rest) } else { rest.split_at(bits) };
        let margins: Vec<f64> = margins.iter().map(|&word| f64::from_bits(word)).collect();
        let ignored = PairTable::from_words(parts, ignored.to_vec())?;
        let ungrouped = match ungrouped.len() {
            0 => None,
            _ => Some(PairTable::from_words(parts, ungrouped.to_vec())?),
        };
        let mut rules = PairRules { parts, ignored, ungrouped, margins, max_margin: 0.0 };
        rules.update_max_margin();
        let is_margin = |(at, &margin): (usize, &f64)| {
            let mirrored = rules.margins[at % parts * parts + at / parts];
            margin >= 0.0 && margin.is_finite() && mirrored.to_bits() == margin.to_bits()
        };
        rules.margins.iter().enumerate().all(is_margin).then_some(rules)
    }

    /// Returns the tables with more parts behind these: no two of them are tested against each
    /// other, and their margins are those of the part `holder`.
    #[cfg(feature = "urdf")]
    pub fn with_attached(&self, more: usize, holder: PartId) -> Self {
        let (old, parts) = (self.parts, self.parts + more);
        let row = |part: usize| if part < old { part } else { holder.index() };
        let pairs = || (0..parts).flat_map(|a| (0..parts).map(move |b| (a, b)));
        let mut ignored = PairTable::new(parts);
        for (a, b) in pairs() {
            let [is_own, is_more] = [a.max(b) < old, a.min(b) >= old];
            if is_more || is_own && self.ignored.contains(a, b) {
                ignored.insert(a, b);
            }
        }
        let ungrouped = self.ungrouped.as_ref().map(|own| {
            let mut table = PairTable::new(parts);
            let own_pairs = pairs().filter(|&(a, b)| a.max(b) < old && own.contains(a, b));
            own_pairs.for_each(|(a, b)| table.insert(a, b));
            table
        });
        let margin = |(a, b)| self.margins[row(a) * old + row(b)];
        let margins = if self.has_margins() { pairs().map(margin).collect() } else { Vec::new() };
        PairRules { parts, ignored, ungrouped, margins, max_margin: self.max_margin }
    }

    pub fn ignore(&mut self, a: PartId, b: PartId) {
        self.ignored.insert(a.index(), b.index());
    }

    pub fn ignores(&self, a: PartId, b: PartId) -> bool {
        self.ignored.contains(a.index(), b.index())
    }

    /// Tests two of the parts that are ignored, or whose groups do not interact.
    pub fn test<T: Scalar>(&mut self, parts: &[Part<T>], a: PartId, b: PartId) {
        self.ignored.remove(a.index(), b.index());
        let groups = |part: PartId| parts[part.index()].groups;
        if !groups(a).interacts_with(groups(b)) {
            let table = self.ungrouped.get_or_insert_with(|| PairTable::new(self.parts));
            table.insert(a.index(), b.index());
        }
    }

    /// Returns `true` if two parts are tested whatever their groups, unless they are ignored.
    #[inline]
    pub fn is_ungrouped(&self, a: PartId, b: PartId) -> bool {
        self.ungrouped.as_ref().is_some_and(|table| table.contains(a.index(), b.index()))
    }

    /// Returns `true` if some two parts are tested whatever their groups.
    pub fn has_ungrouped(&self) -> bool {
        self.ungrouped.is_some()
    }

    /// The table of ignored pairs.
    #[cfg(feature = "urdf")]
    pub fn ignored_mut(&mut self) -> &mut PairTable {
        &mut self.ignored
    }

    /// Sets the margin of every pair. Call [`PairRules::update_max_margin`] afterwards.
    pub fn set_margin(&mut self, margin: f64) {
        self.margins.clear();
        if margin > 0.0 {
            self.margins.resize(self.parts * self.parts, margin);
        }
    }

    /// Sets the margin of one pair, in either order. Call [`PairRules::update_max_margin`]
    /// afterwards.
    pub fn set_pair_margin(&mut self, (a, b): (PartId, PartId), margin: f64) {
        self.margins.resize(self.parts * self.parts, 0.0);
        for (a, b) in [(a, b), (b, a)] {
            self.margins[a.index() * self.parts + b.index()] = margin;
        }
    }

    /// Multiplies all margins by a factor, rounded.
    pub fn scaled(mut self, factor: f64) -> Self {
        self.margins.iter_mut().for_each(|margin| *margin *= factor);
        self.update_max_margin();
        self
    }

    /// Computes the largest margin; required after margins have been set.
    pub fn update_max_margin(&mut self) {
        self.max_margin = self.margins.iter().fold(0.0, |most, &d| if d > most { d } else { most });
        if self.max_margin == 0.0 {
            self.margins.clear();
        }
    }

    /// Returns `true` if any pair has a margin.
    #[inline]
    pub fn has_margins(&self) -> bool {
        !self.margins.is_empty()
    }

    /// The margin of two parts: the larger of the requested one and their own.
    #[inline]
    pub fn margin(&self, (a, b): (PartId, PartId), asked: MarginRequest) -> f64 {
        if !asked.use_model_margins || self.margins.is_empty() {
            return asked.margin;
        }
        let own = self.margins.get(a.index() * self.parts + b.index());
        own.map_or(asked.margin, |&own| if own > asked.margin { own } else { asked.margin })
    }

    /// The largest margin of two parts for a request.
    #[inline]
    pub fn max_margin_for(&self, asked: MarginRequest) -> f64 {
        if asked.use_model_margins && self.max_margin > asked.margin {
            self.max_margin
        } else {
            asked.margin
        }
    }

    /// The largest margin of two parts.
    pub fn max_margin(&self) -> f64 {
        self.max_margin
    }

    /// The tables as numbers: the words of the ignored pairs, then the bits of the margins, then
    /// the words of the pairs whose groups do not count; the latter two if there are any.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let ungrouped = self.ungrouped.iter().flat_map(PairTable::words);
        let margins = self.margins.iter().map(|margin| margin.to_bits());
        self.ignored.words().iter().copied().chain(margins).chain(ungrouped.copied())
    }
}

/// Returns, for each part, the nearest parts with geometry up and down the hierarchy.
fn neighbours<T: Scalar>(parts: &[Part<T>]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); parts.len()];
    for (index, part) in parts.iter().enumerate() {
        let mut above = part.parent;
        while let Some(parent) = above {
            if parts[parent.index()].tree.is_some() || parts[parent.index()].parent.is_none() {
                neighbours[index].push(parent.index());
                neighbours[parent.index()].push(index);
                break;
            }
            above = parts[parent.index()].parent;
        }
    }
    neighbours
}

/// Replaces all margins: first that of every pair, then those of some.
pub(super) fn set_margins(
    rules: &mut PairRules,
    margin: f64,
    of_pairs: impl Iterator<Item = Result<((PartId, PartId), f64), Error>>,
) -> Result<(), Error> {
    check_margin(margin, 0)?;
    rules.set_margin(margin);
    for (index, pair) in of_pairs.enumerate() {
        let (pair, margin) = pair?;
        check_margin(margin, index + 1)?;
        rules.set_pair_margin(pair, margin);
    }
    rules.update_max_margin();
    Ok(())
}

/// Returns the fingerprint of parts and rules.
pub(super) fn fingerprint<T: Scalar>(parts: &[Part<T>], rules: &PairRules) -> u64 {
    let mut hash = Fingerprint::default();
    for part in parts {
        hash.add_text(&part.name);
        hash.add(part.parent.map_or(u64::MAX, |p| p.index() as u64));
        hash.add(part.tree().map_or(0, ObbTree::fingerprint));
    }
    rules.words().for_each(|word| hash.add(word));
    parts.iter().enumerate().for_each(|(index, part)| part.groups.add_to(&mut hash, index));
    hash.value()
}
