//! The queries of a motion: first impact, yes or no, all impacts.

use super::impact::Impact;
use super::scene_motion::SceneMotion;
use super::search::{Goal, MotionSearch};
use crate::error::Error;
use crate::num::{Scalar, precompiled};
use crate::scene::{PairQuery, QueryScratch};

precompiled! {
    fn first_impact<'a, T>(
        motion: SceneMotion<'a, T>,
        query: &'a PairQuery<'a>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<Option<Impact<T>>, Error> {
        let search = MotionSearch::new(motion, query, Goal::First)?;
        search.run(scratch)?;
        Ok(search.first(&scratch.motion))
    }

    fn intersects<'a, T>(
        motion: SceneMotion<'a, T>,
        query: &'a PairQuery<'a>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        MotionSearch::new(motion, query, Goal::Any)?.run(scratch)?;
        Ok(scratch.motion.has_found())
    }

    fn find_impacts<'a, T>(
        motion: SceneMotion<'a, T>,
        query: &'a PairQuery<'a>,
        scratch: &'a mut QueryScratch<T>,
        impacts: &'a mut Vec<Impact<T>>,
    ) -> Result<(), Error> {
        let search = MotionSearch::new(motion, query, Goal::All)?;
        search.run(scratch)?;
        search.all(&scratch.motion, impacts);
        Ok(())
    }
}

impl<T: Scalar> SceneMotion<'_, T> {
    /// Finds the first impact of all pairs of parts that the query is about; `None` if all of them
    /// are apart during the whole tick, further apart than the [margin](PairQuery::margin).
    ///
    /// The first is the one with the least [`clear_until`](Impact::clear_until), of equal ones the
    /// first by order of the characters and parts counts. The query needs
    /// [`Accuracy::Within`](crate::Accuracy::Within): how far apart two parts may be at
    /// [`Impact::time`]. Detail and hints have no effect, nor do the margins of models: only that
    /// of the query counts.
    ///
    /// # Errors
    /// [`Error::BadQuery`] for another accuracy, or a tolerance of 0; the errors of
    /// [`Snapshot::intersects`](crate::scene::Snapshot::intersects).
    pub fn first_impact(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<Impact<T>>, Error> {
        first_impact(*self, query, scratch)
    }

    /// Returns `true` if any two parts that the query is about have an [impact](Impact) during the
    /// tick. Cheaper than the first impact.
    ///
    /// # Errors
    /// The errors of [`SceneMotion::first_impact`].
    pub fn intersects(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        intersects(*self, query, scratch)
    }

    /// Writes the first impact of every pair of parts that has one, sorted by
    /// [`clear_until`](Impact::clear_until), then by order of the characters and parts.
    ///
    /// # Errors
    /// The errors of [`SceneMotion::first_impact`]; then there are no impacts.
    pub fn impacts(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
        impacts: &mut Vec<Impact<T>>,
    ) -> Result<(), Error> {
        impacts.clear();
        find_impacts(*self, query, scratch, impacts)
    }
}
