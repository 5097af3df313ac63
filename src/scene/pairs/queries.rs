//! The pair queries of a snapshot: which parts touch, and their contacts.

use super::hit::Hit;
use super::hits::{Hits, QueryScratch};
use super::search::PairSearch;
use crate::error::Error;
use crate::narrow_phase::Goal;
use crate::num::{Scalar, precompiled};
use crate::scene::filter::answer_options::Detail;
use crate::scene::filter::pair_query::{PairQuery, QueryScope};
use crate::scene::{Report, Snapshot};

precompiled! {
    fn intersects<'a, T>(
        now: Snapshot<'a, T>,
        query: &'a PairQuery<'a>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        now.any_touching(query, scratch)
    }

    /// Finds the pairs that touch, with or without their contacts.
    fn find_pairs<'a, T>(
        now: Snapshot<'a, T>,
        query: &'a PairQuery<'a>,
        contacts: bool,
        hits: &'a mut Hits<T>,
    ) -> Result<Report<T>, Error> {
        now.find_touching(query, hits, contacts)
    }
}

impl<T: Scalar> Snapshot<'_, T> {
    /// Returns `true` if any two parts that the query is about touch, or are within its
    /// [margin](PairQuery::margin). May stop at the first pair; computes no point.
    ///
    /// States no slack, as the deciding pair may depend on threads. The slack of
    /// [`Snapshot::pairs`] for the same query holds for any of them.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part,
    /// [`Error::NotFinite`] and [`Error::Negative`] for a tolerance or a margin.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// let mut scratch = boxwood::QueryScratch::new();
    /// assert!(now.intersects(&PairQuery::between(red, blue), &mut scratch)?);
    /// assert!(!now.intersects(&PairQuery::all().excluding(&[red]), &mut scratch)?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn intersects(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        intersects(*self, query, scratch)
    }

    /// Finds the pairs that touch, parts or boxes by [`PairQuery::detail`], and writes them to
    /// [`Hits::pairs`]. Computes no point.
    ///
    /// # Errors
    /// The errors of [`Snapshot::intersects`]; then there are no answers.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// let mut hits = boxwood::Hits::new();
    /// now.pairs(&PairQuery::all(), &mut hits)?;
    /// for (a, b) in hits.pairs() {
    ///     assert_eq!((a.character, b.character), (red, blue));
    /// }
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn pairs(&self, query: &PairQuery<'_>, hits: &mut Hits<T>) -> Result<Report<T>, Error> {
        find_pairs(*self, query, false, hits)
    }

    /// Finds the contacts of the pairs that touch, and writes them to `hits`: one for each pair of
    /// parts, measured exactly between the two bodies, unless the query asks for boxes by its
    /// [detail](PairQuery::detail). [`Hit`] defines point, normal and depth.
    ///
    /// The pairs are those of [`Snapshot::pairs`]. Self-collision within a character gives the part
    /// of lower number first.
    ///
    /// # Errors
    /// The errors of [`Snapshot::intersects`]; [`Error::BadQuery`] for a margin with contacts of
    /// boxes or a budget; [`Error::NotUnit`], [`Error::NotFinite`], [`Error::ForeignKey`] and
    /// [`Error::IndexOutOfRange`] for a hint. Then there are no answers.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// // Two unit cubes, 0.9 apart along x: they share a slab 0.1 thick.
    /// let mut hits = boxwood::Hits::new();
    /// let report = now.contacts(&PairQuery::between(red, blue), &mut hits)?;
    /// let hit = &hits[0];
    /// assert_eq!(hit.normal, Vector3::x()); // from red to blue
    /// assert!((hit.depth - 0.1).abs() < 1e-6);
    /// assert!((hit.point.x - 0.45).abs() < 1e-6);
    /// assert!(hit.measured && hit.slack == 0.0); // the bodies share a point
    /// assert!(report.slack < 1e-2); // what the accuracy alone proves
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn contacts(&self, query: &PairQuery<'_>, hits: &mut Hits<T>) -> Result<Report<T>, Error> {
        find_pairs(*self, query, true, hits)
    }

    /// Runs the query, sorts the results and writes them to `hits`.
    fn find_touching(
        &self,
        query: &PairQuery<'_>,
        hits: &mut Hits<T>,
        contacts: bool,
    ) -> Result<Report<T>, Error> {
        hits.clear();
        let Hits { hits, pairs, scratch } = hits;
        let (slack, met) = self.find(query, scratch, goal(query.options.detail, contacts))?;
        let work = &mut scratch.narrow;
        work.found.sort();
        let found = work.found.iter();
        match contacts {
            false => pairs.extend(found.map(|found| {
                let (a, b) = self.node_refs(found.key);
                if self.is_swapped(query, found.key) { (b, a) } else { (a, b) }
            })),
            true => hits.extend(found.map(|found| {
                let (a, b) = self.node_refs(found.key);
                let contact = work.contacts()[found.contact as usize];
                let hit = Hit::new([a, b], contact, work.is_measured(found.contact));
                if self.is_swapped(query, found.key) { hit.reversed() } else { hit }
            })),
        }
        Ok(Report { slack, met, counts: work.tree.counts })
    }

    /// Returns `true` if the answer about these parts names the second first.
    #[inline]
    pub(in crate::scene) fn is_swapped(
        &self,
        query: &PairQuery<'_>,
        [a, i, _, b, j, _]: [u32; 6],
    ) -> bool {
        let groups = |place, part: u32| self.character(place).1.groups()[part as usize];
        query.attacker_first && query.is_swapped([groups(a, i), groups(b, j)])
    }

    fn any_touching(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        self.find(query, scratch, Goal::Any)?;
        Ok(!scratch.narrow.found.is_empty())
    }

    /// Fills `found`; returns the slack of all, and `true` if the accuracy was met.
    fn find(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
        goal: Goal,
    ) -> Result<(T, bool), Error> {
        scratch.clear(self.buffers.simd);
        query.options.overlap_accuracy().check()?;
        query.check_margin(goal.has_box_contacts(query.options.overlap_accuracy()))?;
        query.check(self.scene)?;
        let mut hints = std::mem::take(&mut scratch.hints);
        let sorted = self.sort_hints(query.hints, &mut hints);
        let found = sorted.and_then(|()| {
            let mut search = PairSearch::new(*self, query, &hints, goal, scratch);
            self.run(query.scope, &mut search)?;
            Ok((search.narrow.slack, search.narrow.is_complete))
        });
        scratch.hints = hints;
        found
    }

    fn run(&self, who: QueryScope, search: &mut PairSearch<'_, '_, T>) -> Result<(), Error> {
        match who {
            _ if search.query.includes_held && who != QueryScope::All => self.run_held(search)?,
            QueryScope::All => {
                if search.search_all() {
                    return Ok(());
                }
            }
            QueryScope::Between(a, b) => {
                let (a, b) = (self.find_character(a)?.0, self.find_character(b)?.0);
                let _ = search.search_if_near(a, b);
            }
            QueryScope::Of(a) => {
                let _ = search.search_against_all(self.find_character(a)?.0);
            }
            QueryScope::Within(a) => {
                let _ = search.search_self(self.find_character(a)?.0);
            }
        }
        search.narrow.finish();
        Ok(())
    }
}

fn goal(detail: Detail, contacts: bool) -> Goal {
    match (detail, contacts) {
        (Detail::Bodies | Detail::DeepestBoxes, false) => Goal::Parts,
        (Detail::Boxes, false) => Goal::Nodes,
        (Detail::Bodies, true) => Goal::BodyContacts,
        (Detail::DeepestBoxes, true) => Goal::DeepestContacts,
        (Detail::Boxes, true) => Goal::Contacts,
    }
}
