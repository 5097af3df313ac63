//! Hints of a query: directions to prefer for normals, so that they stay steady from tick to tick.

use nalgebra::Vector3;

use crate::model::PartId;
use crate::narrow_phase::Candidate;
use crate::num::linear::{Vec3, scale};
use crate::scene::CharacterKey;

/// A direction to prefer for the normal of two parts, most often that of the last tick:
/// [`Hit::hint`](crate::scene::Hit::hint).
///
/// Two bodies may separate along several directions nearly equally well, and the shortest may
/// change from one tick to the next. The hint wins while its depth is at most 1.25 times that of
/// the shortest found.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
/// use boxwood::{Hits, NormalHint};
///
/// let (mut hits, mut hints) = (Hits::new(), Vec::<NormalHint>::new());
/// // In every tick:
/// now.contacts(&PairQuery::all().hints(&hints), &mut hits)?;
/// hints.clear();
/// hints.extend(hits.iter().map(|hit| hit.hint()));
/// assert_eq!(hints[0].normal, nalgebra::Vector3::x());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalHint {
    /// The first part.
    pub a: (CharacterKey, PartId),
    /// The second part.
    pub b: (CharacterKey, PartId),
    /// Unit vector from the first to the second. [world frame]
    pub normal: Vector3<f64>,
}

impl NormalHint {
    /// Returns the hint with the two parts swapped.
    pub fn reversed(&self) -> Self {
        NormalHint { a: self.b, b: self.a, normal: -self.normal }
    }
}

/// A hint about two parts of a snapshot, the lesser first.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct PreferredNormal {
    pub parts: [(u32, PartId); 2],
    /// Index of the hint: of several about the same parts the first counts.
    pub index: u32,
    pub normal: Vec3,
}

impl PreferredNormal {
    /// Finds the direction to prefer for two parts in sorted hints.
    pub fn find(hints: &[PreferredNormal], candidate: &Candidate) -> Option<Vec3> {
        let parts = candidate.unordered();
        let at = hints.partition_point(|hint| hint.parts < parts);
        let hint = hints.get(at).filter(|hint| hint.parts == parts)?;
        let is_swapped = parts[0] != candidate.a;
        Some(if is_swapped { scale(hint.normal, -1.0) } else { hint.normal })
    }
}
