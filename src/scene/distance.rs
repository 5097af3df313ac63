//! How far apart characters are, and where they are closest.

use nalgebra::Point3;

use super::part_set::PartSet;
use super::search::Candidate;
use super::{CharacterKey, Hits, Site, Snapshot};
use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::shape::Aabb;
use crate::tree::{Accuracy, Counts, Distance, Scratch, check_distance};

/// A question to a [`Snapshot`]: how far apart two characters are, or parts of them.
///
/// ```
/// # use boxwood::{Accuracy, Apart, CharacterKey, PartId};
/// # fn ask(red: CharacterKey, blue: CharacterKey, sword: PartId, waist: PartId) -> Apart {
/// Apart::between(red, blue).parts(&[sword], &[waist]).cutoff(0.5).accuracy(Accuracy::Within(0.01))
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Apart {
    who: [CharacterKey; 2],
    parts: Option<[PartSet; 2]>,
    cutoff: f64,
    accuracy: Accuracy,
}

impl Apart {
    /// Two characters; `a` comes first in the answer. A character and itself is as [`Apart::within`].
    pub fn between(a: CharacterKey, b: CharacterKey) -> Self {
        Apart { who: [a, b], parts: None, cutoff: f64::INFINITY, accuracy: Accuracy::Exact }
    }

    /// Two parts of one character, any but the pairs that its model ignores; the part of lower number comes first in the answer.
    pub fn within(character: CharacterKey) -> Self {
        Apart::between(character, character)
    }

    /// Only these parts of the first against those of the second; of one character, a part of the first list against one of the
    /// second.
    pub fn parts(mut self, of_a: &[PartId], of_b: &[PartId]) -> Self {
        self.parts = Some([PartSet::new(of_a), PartSet::new(of_b)]);
        self
    }

    /// No answer for what is further apart than this. World units; infinite without this. The smaller, the sooner it is found.
    pub fn cutoff(mut self, cutoff: f64) -> Self {
        self.cutoff = cutoff;
        self
    }

    /// Between primitives (as it is without this), or the boxes of a cut; a budget is refused.
    pub fn accuracy(mut self, accuracy: Accuracy) -> Self {
        self.accuracy = accuracy;
        self
    }

    fn chooses(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(PartId::new);
        self.parts.as_ref().is_none_or(|[of_a, of_b]| of_a.contains(a) && of_b.contains(b))
    }
}

/// How far apart two characters are, and where they are closest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clearance<T: Scalar> {
    /// The first: whose, which part, which node.
    pub a: Site,
    /// The second.
    pub b: Site,
    /// See [`Distance::distance`]. World units.
    pub distance: T,
    /// On the first, or on the box of its node; a common point where the distance is zero. World, rounded.
    pub on_a: Point3<T>,
    /// On the second.
    pub on_b: Point3<T>,
    /// The geometry is no further apart than `distance + slack`; see [`Distance::slack`]. World units.
    pub slack: T,
}

impl<T: Scalar> Clearance<T> {
    /// The same told from the other side.
    pub fn reversed(&self) -> Self {
        Clearance { a: self.b, b: self.a, on_a: self.on_b, on_b: self.on_a, ..*self }
    }

    fn new((a, b): (Site, Site), apart: &Distance<T>) -> Self {
        let Distance { distance, on_a, on_b, slack, .. } = *apart;
        Clearance { a, b, distance, on_a, on_b, slack }
    }
}

/// Two parts whose world boxes are that far apart. World units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    least: f64,
    candidate: Candidate,
}

impl<'a, T: Scalar> Snapshot<'a, T> {
    /// Where those that the question is about are closest; `None` if they are further apart than its cut-off, up to rounding, or there is
    /// nothing of one. Of pairs of parts equally far apart the one whose world boxes are nearer, then the first by order of the character and
    /// part; swapped characters give the [reversed](Clearance::reversed) answer, bit for bit.
    ///
    /// Parts switched off and without geometry do not count; being at rest, groups and [`Snapshot::keeping`] do not matter. `hits` is only written on, and holds
    /// no answers afterwards. Each two parts as [`TreePair::distance`](crate::tree::TreePair::distance) has it.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part; [`Error::BadQuery`] for a budget;
    /// [`Error::NotFinite`] and [`Error::Negative`] for a tolerance or the cut-off.
    pub fn distance(
        &self,
        apart: &Apart,
        hits: &mut Hits<T>,
    ) -> Result<Option<Clearance<T>>, Error> {
        hits.clear();
        check_distance(apart.accuracy, apart.cutoff)?;
        let [a, b] = apart.who;
        let places = [self.entry(a)?.0, self.entry(b)?.0];
        for (key, set) in apart.who.iter().zip(apart.parts.iter().flatten()) {
            set.check(self.scene.model(*key)?)?;
        }
        let mut ranked = std::mem::take(&mut hits.work.ranked);
        ranked.clear();
        self.rank(apart, places, &mut ranked);
        hits.work.tree.counts = Counts { parts: ranked.len() as u64, ..Counts::default() };
        ranked.sort_unstable_by(|one, other| {
            let order = |ranked: &Ranked| ranked.candidate.unordered();
            one.least.total_cmp(&other.least).then_with(|| order(one).cmp(&order(other)))
        });
        let found = self.closest(apart, &ranked, &mut hits.work.tree);
        hits.work.ranked = ranked;
        Ok(found)
    }

    fn rank(&self, apart: &Apart, [a, b]: [u32; 2], ranked: &mut Vec<Ranked>) {
        let (entries, within) = (&self.buffers.entries, a == b);
        if at_least(&entries[a as usize].bounds, &entries[b as usize].bounds) > apart.cutoff {
            return;
        }
        let ((entry_a, one), (entry_b, other)) = (self.character(a), self.character(b));
        let (of_a, of_b) = (self.buffers.parts(entry_a, one), self.buffers.parts(entry_b, other));
        for (i, x) in of_a.iter().enumerate().filter(|(_, part)| !part.bounds.is_empty()) {
            let from = if within { i + 1 } else { 0 };
            for (j, y) in of_b.iter().enumerate().skip(from) {
                let pair = [PartId::new(i), PartId::new(j)];
                let chosen = apart.chooses(i, j) || within && apart.chooses(j, i);
                if y.bounds.is_empty() || !chosen || within && one.model.ignores(pair[0], pair[1]) {
                    continue;
                }
                let least = at_least(&x.bounds, &y.bounds);
                if least <= apart.cutoff {
                    let candidate = Candidate { a: (a, pair[0]), b: (b, pair[1]) };
                    ranked.push(Ranked { least, candidate });
                }
            }
        }
    }

    fn closest(
        &self,
        apart: &Apart,
        ranked: &[Ranked],
        scratch: &mut Scratch,
    ) -> Option<Clearance<T>> {
        let mut best: Option<Clearance<T>> = None;
        for Ranked { least, candidate } in ranked {
            let cutoff = best.map_or(apart.cutoff, |best| best.distance.wide());
            if *least > cutoff || cutoff == 0.0 && best.is_some() {
                break;
            }
            let pair = self.tree_pair(candidate);
            if let Some(found) = pair.distance_checked(apart.accuracy, cutoff, scratch)
                && best.is_none_or(|best| found.distance < best.distance)
            {
                let key = candidate.key(found.a, found.b);
                best = Some(Clearance::new(self.sites(key), &found));
            }
        }
        best
    }
}

/// No two points of the boxes are closer, surely.
fn at_least<T: Scalar>(a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> f64 {
    let gap = |i: usize| {
        let (below, above) = (b.min[i].wide() - a.max[i].wide(), a.min[i].wide() - b.max[i].wide());
        let most = if below > above { below } else { above };
        if most > 0.0 { most } else { 0.0 }
    };
    let [x, y, z] = [0, 1, 2].map(gap);
    (x * x + y * y + z * z).sqrt() * (1.0 - 1.0 / (1u64 << 48) as f64)
}
