//! Many pairs of oriented boxes together.

use super::glance::{BATCH, Glances, Quick};
use super::obb_obb::touch_closely;
use crate::num::{Scalar, SimdLevel};
use crate::shape::Obb;

/// Tests many pairs of boxes at once. Keep it: it holds room for the pairs under way.
///
/// ```
/// use boxwood::nalgebra::{Matrix3, Point3, Vector3};
/// use boxwood::{Obb, pair::Batch};
///
/// let at = |x| Obb::new(Point3::new(x, 0.0, 0.0), Matrix3::identity(), Vector3::repeat(0.5_f32));
/// let (a, b, c) = (at(0.0)?, at(1.0)?, at(2.5)?);
/// let mut answers = Vec::new();
/// Batch::default().intersects([(&a, &b), (&b, &c)], &mut answers);
/// assert_eq!(answers, [true, false]);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Batch {
    glances: Glances,
    level: SimdLevel,
}

impl Batch {
    /// A batch that uses that instruction set: the same answers, at another speed.
    pub fn with_simd_level(level: SimdLevel) -> Self {
        Batch { level, ..Batch::default() }
    }

    /// Whether the two boxes of each pair share a point; touching counts. What [`Obb::intersects`]
    /// says, pair by pair, in `answers`, whose old contents are dropped.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Batch, Obb};
    ///
    /// let at = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
    /// let (player, crates) = (at(0.0)?, [at(0.9)?, at(1.0)?, at(1.1)?]);
    /// let mut answers = Vec::new();
    /// Batch::default().intersects(crates.iter().map(|one| (&player, one)), &mut answers);
    /// assert_eq!(answers, [true, true, false]); // touching counts
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn intersects<'a, T: Scalar>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'a Obb<T>, &'a Obb<T>)>,
        answers: &mut Vec<bool>,
    ) {
        answers.clear();
        self.glances.clear();
        let mut waiting = [None; BATCH];
        for (a, b) in pairs {
            waiting[self.glances.len()] = Some((a, b));
            self.glances.push(&quick(a), &quick(b));
            if self.glances.is_full() {
                self.look(&waiting, answers);
            }
        }
        self.look(&waiting, answers);
    }

    fn look<T: Scalar>(
        &mut self,
        waiting: &[Option<(&Obb<T>, &Obb<T>)>; BATCH],
        answers: &mut Vec<bool>,
    ) {
        let count = self.glances.len();
        let seen = self.glances.look::<T>(self.level);
        answers.extend(waiting[..count].iter().enumerate().map(|(i, pair)| {
            let is = |bits: u64| bits >> i & 1 == 1;
            is(seen.touching) || !is(seen.apart) && pair.is_some_and(|(a, b)| touch_closely(a, b))
        }));
    }
}

fn quick<T: Scalar>(solid: &Obb<T>) -> Quick {
    let wide = solid.wide();
    // Centres are stored, not computed, so that how far out they are rounds nothing.
    Quick::new(wide.center, &wide.axes, wide.half_extents, [0.0; 2])
}
