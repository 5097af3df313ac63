//! Queries about characters together with those attached to them.

use std::ops::ControlFlow;

use super::hits::CharacterSets;
use super::pair_search::PairSearch;
use super::query::{PairQuery, Who};
use super::{CharacterKey, Snapshot};
use crate::error::Error;
use crate::num::Scalar;

impl PairQuery<'_> {
    /// Includes the characters [attached](super::Scene::attach) to the named ones, directly or
    /// through others: a robot with the object in its gripper, as one.
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
        self.held = true;
        self
    }
}

impl<T: Scalar> Snapshot<'_, T> {
    /// Finds the indices of the characters that a query names, and of those attached to them if the
    /// query includes these.
    pub(super) fn find_sets(
        &self,
        query: &PairQuery<'_>,
        sets: &mut CharacterSets,
    ) -> Result<(), Error> {
        let [first, second] = sets;
        first.clear();
        second.clear();
        match query.who {
            Who::All => {}
            Who::Of(a) | Who::Within(a) => self.add_set(a, query.held, first)?,
            Who::Between(a, b) => {
                self.add_set(a, query.held, first)?;
                self.add_set(b, query.held, second)?;
                // If one is attached to the other, it and its attachments belong to its own side
                // alone.
                let (of_a, of_b) = (self.entry(a)?.0, self.entry(b)?.0);
                match first.contains(&of_b) {
                    true => first.retain(|place| !second.contains(place)),
                    false if second.contains(&of_a) => {
                        second.retain(|place| !first.contains(place));
                    }
                    false => {}
                }
            }
        }
        Ok(())
    }

    fn add_set(&self, key: CharacterKey, held: bool, set: &mut Vec<u32>) -> Result<(), Error> {
        set.push(self.entry(key)?.0);
        let mut next = 0;
        while held && let Some(&place) = set.get(next) {
            next += 1;
            let slot = self.buffers.entries[place as usize].slot;
            let index = &self.buffers.index;
            set.extend(self.scene.attachments.held_by(slot).map(|held| index[held]));
        }
        set.sort_unstable();
        Ok(())
    }

    /// Runs a query about characters with their attachments.
    pub(super) fn run_held(&self, search: &mut PairSearch<'_, '_, T>) -> Result<(), Error> {
        let mut sets = std::mem::take(search.sets());
        let found = self.find_sets(search.query, &mut sets);
        let [first, second] = &sets;
        let _ = match (found.is_ok(), search.query.who) {
            (false, _) | (true, Who::All) => ControlFlow::Continue(()),
            (true, Who::Of(_)) => first.iter().try_for_each(|&a| search.against_others(a, first)),
            (true, Who::Between(..)) => each_two(first, second, |a, b| search.near(a, b)),
            (true, Who::Within(_)) => first.iter().enumerate().try_for_each(|(at, &a)| {
                search.within(a)?;
                first[at + 1..].iter().try_for_each(|&b| search.near(a, b))
            }),
        };
        *search.sets() = sets;
        found
    }
}

fn each_two(
    first: &[u32],
    second: &[u32],
    mut two: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    first.iter().try_for_each(|&a| second.iter().try_for_each(|&b| two(a, b)))
}
