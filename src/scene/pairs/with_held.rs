//! Queries about characters together with those attached to them.

use std::ops::ControlFlow;

use super::hits::CharacterSets;
use super::search::PairSearch;
use crate::error::Error;
use crate::num::Scalar;
use crate::scene::filter::pair_query::{PairQuery, QueryScope};
use crate::scene::{CharacterKey, Snapshot};

impl PairQuery<'_> {
    /// Includes the characters [attached](crate::scene::Scene::attach) to the named ones, directly
    /// or through others: a robot with the object in its gripper, as one.
    ///
    /// [One character](PairQuery::of) with its attachments is tested against all others,
    /// [two](PairQuery::between) with the attachments of each against each other, and
    /// [one](PairQuery::within) with its attachments against itself, except for touch parts.
    /// Answers name each character by its own key, those of the first character's side first;
    /// within one side, the lesser by order. If one of two named characters is attached to the
    /// other, its own attachments belong to it alone. Queries about [all](PairQuery::all) include
    /// every character anyway.
    ///
    /// [Selected parts](PairQuery::parts) are those of one model, so the combination is
    /// [`Error::BadQuery`].
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let robot = scene.insert(&model, Spawn::default())?;
    /// # let held = scene.insert(&model, Spawn::default())?;
    /// # let wall = scene.insert(&model, Spawn::at(Isometry3::translation(0.0, 0.0, 2.5)))?;
    /// let offset = Isometry3::translation(0.0, 0.0, 2.0);
    /// scene.attach(held, robot, model.part("cube")?, &offset, &[])?;
    /// let mut buffers = Buffers::new();
    /// let now = scene.snapshot(&mut buffers);
    /// let mut scratch = boxwood::QueryScratch::new();
    /// assert!(!now.intersects(&PairQuery::of(robot), &mut scratch)?); // the wall is too far away
    /// assert!(now.intersects(&PairQuery::of(robot).with_held(), &mut scratch)?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn with_held(mut self) -> Self {
        self.includes_held = true;
        self
    }
}

impl<T: Scalar> Snapshot<'_, T> {
    /// Finds the indices of the characters that a query names, and of those attached to them if the
    /// query includes these.
    pub(in crate::scene) fn find_character_sets(
        &self,
        query: &PairQuery<'_>,
        sets: &mut CharacterSets,
    ) -> Result<(), Error> {
        let [first, second] = sets;
        first.clear();
        second.clear();
        match query.scope {
            QueryScope::All => {}
            QueryScope::Of(a) | QueryScope::Within(a) => {
                self.add_with_held(a, query.includes_held, first)?
            }
            QueryScope::Between(a, b) => {
                self.add_with_held(a, query.includes_held, first)?;
                self.add_with_held(b, query.includes_held, second)?;
                // If one is attached to the other, it and its attachments belong to its own side
                // alone.
                let (of_a, of_b) = (self.find_character(a)?.0, self.find_character(b)?.0);
                match first.contains(&of_b) {
                    true => first.retain(|index| !second.contains(index)),
                    false if second.contains(&of_a) => {
                        second.retain(|index| !first.contains(index));
                    }
                    false => {}
                }
            }
        }
        Ok(())
    }

    fn add_with_held(
        &self,
        key: CharacterKey,
        held: bool,
        set: &mut Vec<u32>,
    ) -> Result<(), Error> {
        set.push(self.find_character(key)?.0);
        let mut next = 0;
        while held && let Some(&character_index) = set.get(next) {
            next += 1;
            let slot = self.buffers.entries[character_index as usize].slot;
            let index = &self.buffers.indices;
            set.extend(self.scene.attachments.held_by(slot).map(|held| index[held]));
        }
        set.sort_unstable();
        Ok(())
    }

    /// Runs a query about characters with their attachments.
    pub(in crate::scene) fn run_held(
        &self,
        search: &mut PairSearch<'_, '_, T>,
    ) -> Result<(), Error> {
        let mut sets = std::mem::take(search.character_sets());
        let found = self.find_character_sets(search.query, &mut sets);
        let [first, second] = &sets;
        let _ = match (found.is_ok(), search.query.scope) {
            (false, _) | (true, QueryScope::All) => ControlFlow::Continue(()),
            (true, QueryScope::Of(_)) => {
                first.iter().try_for_each(|&a| search.search_against(a, first))
            }
            (true, QueryScope::Between(..)) => {
                for_each_pair(first, second, |a, b| search.search_if_near(a, b))
            }
            (true, QueryScope::Within(_)) => first.iter().enumerate().try_for_each(|(at, &a)| {
                search.search_self(a)?;
                first[at + 1..].iter().try_for_each(|&b| search.search_if_near(a, b))
            }),
        };
        *search.character_sets() = sets;
        found
    }
}

fn for_each_pair(
    first: &[u32],
    second: &[u32],
    mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    first.iter().try_for_each(|&a| second.iter().try_for_each(|&b| visit(a, b)))
}
