//! The filter of part pairs, applied before any geometry is tested.

use std::fmt;

use super::excluded::ExcludedCharacters;
use super::ignored::IgnoredBetween;
use super::part_set::PartSet;
use crate::model::{CollisionGroups, PartId};
use crate::narrow_phase::Candidate;
use crate::num::Scalar;
use crate::scene::state::character::Character;
use crate::scene::{NodeRef, Snapshot};

/// The caller's predicate of two parts.
#[derive(Clone, Copy)]
pub(in crate::scene) struct PairPredicate<'a>(pub &'a (dyn Fn(NodeRef, NodeRef) -> bool + Sync));

impl fmt::Debug for PairPredicate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predicate")
    }
}

/// The caller's predicate of one part.
#[derive(Clone, Copy)]
pub(in crate::scene) struct PartPredicate<'a>(pub &'a (dyn Fn(NodeRef) -> bool + Sync));

impl fmt::Debug for PartPredicate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predicate")
    }
}

/// The query's conditions on a pair of parts.
#[derive(Clone, Copy)]
pub(in crate::scene) struct FilterRule<'a> {
    pub parts: Option<&'a [PartSet; 2]>,
    /// The first part must be a member of the first set, the second part of the second.
    pub memberships: Option<[u64; 2]>,
    pub predicate: Option<PairPredicate<'a>>,
    pub excluded: &'a ExcludedCharacters,
    /// `true` if the query does not say which character is first, so that both orders count.
    pub is_unordered: bool,
}

impl FilterRule<'_> {
    /// Returns a mask of the parts `64 * word..` of the first character that some pair may contain.
    #[inline]
    fn first_mask(&self, word: usize) -> u64 {
        let Some([one, other]) = self.parts else { return u64::MAX };
        one.mask(word) | if self.is_unordered { other.mask(word) } else { 0 }
    }

    /// Returns a mask of the parts `64 * word..` of the second character that may pair with that
    /// part of the first.
    #[inline]
    fn second_mask(&self, first: PartId, word: usize) -> u64 {
        let Some([one, other]) = self.parts else { return u64::MAX };
        let with = |yes: bool, set: &PartSet| if yes { set.mask(word) } else { 0 };
        with(one.contains(first), other) | with(self.is_unordered && other.contains(first), one)
    }

    fn accepts(&self, [a, b]: [PartId; 2], [of_a, of_b]: [CollisionGroups; 2]) -> bool {
        let parts = |a: PartId, b: PartId| {
            self.parts.is_none_or(|[first, second]| first.contains(a) && second.contains(b))
        };
        let memberships = |a, b| self.memberships.is_none_or(|of| are_members(of, [a, b]));
        (parts(a, b) || self.is_unordered && parts(b, a))
            && (memberships(of_a, of_b) || self.is_unordered && memberships(of_b, of_a))
    }
}

/// Returns `true` if `a` has a membership in the first set, and `b` in the second.
pub(in crate::scene) fn are_members([of_a, of_b]: [u64; 2], [a, b]: [CollisionGroups; 2]) -> bool {
    a.memberships & of_a != 0 && b.memberships & of_b != 0
}

/// The filter of the part pairs of two characters, or of one.
pub(in crate::scene) struct PairFilter<'a, T: Scalar> {
    pub snapshot: Snapshot<'a, T>,
    rule: FilterRule<'a>,
    /// Indices of the two characters, or twice that of one.
    pub indices: [u32; 2],
    pub characters: [&'a Character<T>; 2],
    /// The pairs of theirs that the scene ignores.
    ignored: IgnoredBetween<'a>,
    /// `true` if no condition can reject a part pair.
    accepts_all: bool,
    /// `true` if only the chosen parts and the predicate can reject a part pair, and the masks are
    /// those of the chosen parts.
    masks_decide: bool,
}

impl<'a, T: Scalar> PairFilter<'a, T> {
    pub fn new(
        snapshot: Snapshot<'a, T>,
        rule: FilterRule<'a>,
        indices: [u32; 2],
        characters: [&'a Character<T>; 2],
    ) -> Self {
        let ignored = match snapshot.scene.ignored.is_empty() {
            true => IgnoredBetween::default(),
            false => {
                let slot = |index: u32| snapshot.buffers.entries[index as usize].slot;
                snapshot.scene.ignored.pairs_of(slot(indices[0]), slot(indices[1]))
            }
        };
        let groups_accept_all = rule.memberships.is_none()
            && ignored.is_empty()
            && characters.iter().all(|character| character.grouped == 0);
        let accepts_all = rule.parts.is_none() && rule.predicate.is_none() && groups_accept_all;
        let in_order = characters.iter().all(|character| character.model.order().is_empty());
        let masks_decide = groups_accept_all && in_order;
        PairFilter { snapshot, rule, indices, characters, ignored, accepts_all, masks_decide }
    }

    /// Returns `true` if the query excludes one of the characters, the scene ignores the two, or
    /// their groups rule out every pair of parts.
    pub fn rejects_all(&self) -> bool {
        self.excludes_character()
            || self.ignored.is_all()
            || !self.accepts_all && !self.groups_may_interact()
    }

    /// Returns `true` if the query excludes one of the characters.
    pub fn excludes_character(&self) -> bool {
        let excluded = self.rule.excluded;
        let excludes = |index: u32| excluded.contains(self.snapshot.key_at(index));
        !excluded.is_empty() && self.indices.iter().any(|&place| excludes(place))
    }

    /// Returns the two parts as a candidate, if the filter accepts them.
    #[inline]
    pub fn candidate(&self, a: PartId, b: PartId) -> Option<Candidate> {
        let [place_a, place_b] = self.indices;
        self.accepts(a, b).then_some(Candidate { a: (place_a, a), b: (place_b, b) })
    }

    /// Returns `true` if the pair is accepted.
    #[inline]
    pub fn accepts(&self, a: PartId, b: PartId) -> bool {
        self.accepts_all || self.accepts_parts(a, b) && self.predicate_accepts(a, b)
    }

    /// Returns `true` if the pair is accepted, up to the predicate.
    #[inline]
    pub fn may_accept(&self, a: PartId, b: PartId) -> bool {
        self.accepts_all || self.accepts_parts(a, b)
    }

    /// Like [`may_accept`](Self::may_accept), for a pair of parts in
    /// [`first_mask`](Self::first_mask) and [`second_mask`](Self::second_mask).
    #[inline(always)]
    pub fn may_accept_masked(&self, a: PartId, b: PartId) -> bool {
        self.masks_decide || self.may_accept(a, b)
    }

    /// Returns a mask of the boxes `64 * word..` of the first character whose parts some pair may
    /// contain. Conservative where boxes are not in the order of parts.
    #[inline]
    pub fn first_mask(&self, word: usize) -> u64 {
        match self.characters[0].model.order() {
            [] => self.rule.first_mask(word),
            _ => u64::MAX,
        }
    }

    /// Returns `false` if the chosen parts leave out every pair with the part of that box of the
    /// first character.
    #[inline]
    pub fn may_contain_first(&self, slot: usize) -> bool {
        self.accepts_all || self.first_mask(slot / 64) >> (slot % 64) & 1 == 1
    }

    /// Returns a mask of the boxes `64 * word..` of the second character whose parts may pair with
    /// that part of the first.
    #[inline]
    pub fn second_mask(&self, first: PartId, word: usize) -> u64 {
        match self.characters[1].model.order() {
            [] => self.rule.second_mask(first, word),
            _ => u64::MAX,
        }
    }

    /// Returns `true` unless the groups of all parts of both, taken together, rule out every pair.
    fn groups_may_interact(&self) -> bool {
        let [a, b] = self.characters.map(|character| character.joint_groups);
        let are = |a, b| self.rule.memberships.is_none_or(|of| are_members(of, [a, b]));
        (a.interacts_with(b) || self.is_of_one() && self.characters[0].model.has_ungrouped_pairs())
            && (are(a, b) || self.rule.is_unordered && are(b, a))
    }

    /// Returns `true` for the pairs within one character.
    fn is_of_one(&self) -> bool {
        self.indices[0] == self.indices[1]
    }

    fn accepts_parts(&self, a: PartId, b: PartId) -> bool {
        let [of_a, of_b] = self.characters;
        let groups = [of_a.groups()[a.index()], of_b.groups()[b.index()]];
        self.rule.accepts([a, b], groups)
            && (groups[0].interacts_with(groups[1])
                || self.is_of_one() && of_a.model.is_ungrouped(a, b))
            && (self.ignored.is_empty() || !self.ignored.contains(a, b))
    }

    pub fn has_predicate(&self) -> bool {
        self.rule.predicate.is_some()
    }

    /// Returns `true` if there is no predicate, or it accepts the two parts.
    #[inline]
    pub fn predicate_accepts(&self, a: PartId, b: PartId) -> bool {
        self.rule.predicate.is_none_or(|predicate| self.call_predicate(predicate, a, b))
    }

    /// Calls the predicate with the lesser part first, whatever the order of the query, so that
    /// both orders give the same answer.
    fn call_predicate(
        &self,
        PairPredicate(keeps): PairPredicate<'_>,
        a: PartId,
        b: PartId,
    ) -> bool {
        let [at_a, at_b] = self.indices;
        let ends = [(at_a, a), (at_b, b)];
        let [(p, a), (q, b)] = if ends[1] < ends[0] { [ends[1], ends[0]] } else { ends };
        let node = |place, part: PartId| self.snapshot.node_ref([place, part.index() as u32, 0]);
        keeps(node(p, a), node(q, b))
    }
}
