//! What a query leaves out, before anything is looked into.

use std::fmt;

use super::query::Who;
use super::{Character, Query, Site, Snapshot};
use crate::model::{Groups, PartId};
use crate::num::Scalar;

/// A question of the caller's about two parts.
#[derive(Clone, Copy)]
pub(super) struct Predicate<'a>(pub &'a (dyn Fn(Site, Site) -> bool + Sync));

impl fmt::Debug for Predicate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predicate")
    }
}

/// Which parts of two characters, or of one, are tested against each other.
pub(super) struct Sieve<'a, T: Scalar> {
    snapshot: Snapshot<'a, T>,
    query: &'a Query,
    places: [u32; 2],
    characters: [&'a Character<T>; 2],
    /// Whether nothing was said that could leave out a part.
    open: bool,
}

impl<'a, T: Scalar> Sieve<'a, T> {
    pub fn new(
        snapshot: Snapshot<'a, T>,
        query: &'a Query,
        places: [u32; 2],
        characters: [&'a Character<T>; 2],
    ) -> Self {
        let open = query.parts.is_none()
            && query.groups.is_none()
            && snapshot.predicate.is_none()
            && characters.iter().all(|character| character.grouped == 0);
        Sieve { snapshot, query, places, characters, open }
    }

    /// Whether the query is about neither of the characters.
    pub fn is_shut(&self) -> bool {
        let excluded = &self.query.excluded;
        !excluded.is_empty()
            && self.places.iter().any(|&place| excluded.holds(self.snapshot.key(place)))
    }

    /// Whether the query is about these parts of the two. Asked of parts whose world boxes overlap.
    #[inline]
    pub fn lets(&self, a: PartId, b: PartId) -> bool {
        self.open || self.lets_parts(a, b)
    }

    fn lets_parts(&self, a: PartId, b: PartId) -> bool {
        let [of_a, of_b] = self.characters;
        let groups = [of_a.groups[a.index()], of_b.groups[b.index()]];
        let chosen = self.query.parts.as_ref();
        chosen.is_none_or(|[of_a, of_b]| of_a.contains(a) && of_b.contains(b))
            && groups[0].meets(groups[1])
            && self.query.groups.is_none_or(|asked| self.asks_for(asked, groups))
            && self.snapshot.predicate.is_none_or(|keeps| self.ask(keeps, a, b))
    }

    /// Where neither comes first by the query, either may be the first.
    fn asks_for(&self, [first, second]: [u64; 2], [a, b]: [Groups; 2]) -> bool {
        let either_way = matches!(self.query.who, Who::All | Who::Within(_));
        let is = |a: Groups, b: Groups| a.member & first != 0 && b.member & second != 0;
        is(a, b) || either_way && is(b, a)
    }

    /// The lesser first, however the query was put: so the answer is the same from both sides.
    fn ask(&self, Predicate(keeps): Predicate<'_>, a: PartId, b: PartId) -> bool {
        let [at_a, at_b] = self.places;
        let ends = [(at_a, a), (at_b, b)];
        let [(p, a), (q, b)] = if ends[1] < ends[0] { [ends[1], ends[0]] } else { ends };
        let site = |place, part: PartId| self.snapshot.site([place, part.index() as u32, 0]);
        keeps(site(p, a), site(q, b))
    }
}
