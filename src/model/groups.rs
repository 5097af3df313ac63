//! Which parts are tested against which, told by bits.

use crate::num::Fingerprint;

/// The groups a part is a memberships of, and those it is tested against: a bit each.
///
/// Two parts are tested iff each is a memberships of a group that the other's filter names. A part without bits touches nothing.
///
/// ```
/// use boxwood::CollisionGroups;
///
/// const HIT: u64 = 1;
/// const HURT: u64 = 2;
/// let (fist, head) = (CollisionGroups { memberships: HIT, filter: HURT }, CollisionGroups { memberships: HURT, filter: HIT });
/// assert!(fist.interacts_with(head) && head.interacts_with(fist));
/// assert!(!fist.interacts_with(fist) && fist.interacts_with(CollisionGroups::ALL) && !fist.interacts_with(CollisionGroups::NONE));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CollisionGroups {
    /// The groups it is in.
    pub memberships: u64,
    /// The groups whose members it is tested against.
    pub filter: u64,
}

impl CollisionGroups {
    /// In every group, against every group: what parts have unless told otherwise.
    pub const ALL: CollisionGroups = CollisionGroups { memberships: u64::MAX, filter: u64::MAX };
    /// In no group, against none.
    pub const NONE: CollisionGroups = CollisionGroups { memberships: 0, filter: 0 };

    /// Whether the two are tested against each other; the same from both sides.
    pub fn interacts_with(self, other: CollisionGroups) -> bool {
        self.memberships & other.filter != 0 && other.memberships & self.filter != 0
    }

    /// Models that say nothing of groups have the hash they would have without.
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
