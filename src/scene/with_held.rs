//! Characters with what they hold, asked about as one.

use std::ops::ControlFlow;

use super::hits::CharacterSets;
use super::pair_search::PairSearch;
use super::query::{PairQuery, Who};
use super::{CharacterKey, Snapshot};
use crate::error::Error;
use crate::num::Scalar;

impl PairQuery<'_> {
    /// What the named characters [hold](super::Scene::attach) belongs to them, and what those hold:
    /// a robot with the object in its gripper, asked about as one.
    ///
    /// [One character](PairQuery::of) and all it holds are tested against all others,
    /// [two](PairQuery::between) with what each holds against each other, and
    /// [one](PairQuery::within) with what it holds against itself, but for the parts that touch
    /// what they hold. In answers each is named by its own key, those of the first character and
    /// what it holds first; within one, the lesser by order. Of two of which one holds the other,
    /// what that one holds belongs to it alone. Questions about [all](PairQuery::all) ask about
    /// each anyway.
    ///
    /// Does not go with [chosen parts](PairQuery::parts), which are those of one model:
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
    /// Finds the characters that a query names, and those they hold if it asks for these.
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
                // Of two of which one holds the other: this one's belong to it alone.
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

    /// Runs a query about characters with what they hold.
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
