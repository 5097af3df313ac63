//! Collision groups: bit masks that select which parts are tested against which.

use crate::num::Fingerprint;

/// The groups that a part belongs to, and the groups that it is tested against: a bit each.
///
/// Two parts are tested if and only if each belongs to a group in the other's filter. A part
/// without bits touches nothing.
///
/// ```
/// use boxwood::CollisionGroups;
///
/// const HIT: u64 = 1;
/// const HURT: u64 = 2;
/// let fist = CollisionGroups { memberships: HIT, filter: HURT };
/// let head = CollisionGroups { memberships: HURT, filter: HIT };
/// assert!(fist.interacts_with(head) && head.interacts_with(fist));
/// assert!(!fist.interacts_with(fist));
/// assert!(fist.interacts_with(CollisionGroups::ALL));
/// assert!(!fist.interacts_with(CollisionGroups::NONE));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CollisionGroups {
    /// The groups that the part belongs to.
    pub memberships: u64,
    /// The groups whose members the part is tested against.
    pub filter: u64,
}

impl CollisionGroups {
    /// Every group, tested against every group: the default of parts.
    pub const ALL: CollisionGroups = CollisionGroups { memberships: u64::MAX, filter: u64::MAX };
    /// The empty set of groups, tested against none.
    pub const NONE: CollisionGroups = CollisionGroups { memberships: 0, filter: 0 };

    /// Returns `true` if the two are tested against each other; symmetric.
    pub fn interacts_with(self, other: CollisionGroups) -> bool {
        self.memberships & other.filter != 0 && other.memberships & self.filter != 0
    }

    /// Returns the groups of several parts together: what does not interact with them interacts
    /// with none of the parts.
    pub(crate) fn joint(groups: &[CollisionGroups]) -> Self {
        groups.iter().fold(CollisionGroups::NONE, |joint, one| CollisionGroups {
            memberships: joint.memberships | one.memberships,
            filter: joint.filter | one.filter,
        })
    }

    /// Adds the groups to a model's hash; default groups add nothing, so models without groups keep
    /// their hash.
    pub(super) fn add_to(self, hash: &mut Fingerprint, part: usize) {
        if self != CollisionGroups::ALL {
            [part as u64, self.memberships, self.filter]
                .into_iter()
                .for_each(|word| hash.add(word));
        }
    }
}

impl Default for CollisionGroups {
    fn default() -> Self {
        CollisionGroups::ALL
    }
}
