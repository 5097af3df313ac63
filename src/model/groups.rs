//! Which parts are tested against which, told by bits.

use crate::num::Fingerprint;

/// The groups a part is a member of, and those it is tested against: a bit each.
///
/// Two parts are tested iff each is a member of a group that the other's mask names. A part without bits touches nothing.
///
/// ```
/// use boxwood::Groups;
///
/// const HIT: u64 = 1;
/// const HURT: u64 = 2;
/// let (fist, head) = (Groups { member: HIT, mask: HURT }, Groups { member: HURT, mask: HIT });
/// assert!(fist.meets(head) && head.meets(fist));
/// assert!(!fist.meets(fist) && fist.meets(Groups::ALL) && !fist.meets(Groups::NONE));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Groups {
    /// The groups it is in.
    pub member: u64,
    /// The groups whose members it is tested against.
    pub mask: u64,
}

impl Groups {
    /// In every group, against every group: what parts have unless told otherwise.
    pub const ALL: Groups = Groups { member: u64::MAX, mask: u64::MAX };
    /// In no group, against none.
    pub const NONE: Groups = Groups { member: 0, mask: 0 };

    /// Whether the two are tested against each other; the same from both sides.
    pub fn meets(self, other: Groups) -> bool {
        self.member & other.mask != 0 && other.member & self.mask != 0
    }

    /// Models that say nothing of groups have the hash they would have without.
    pub(super) fn add_to(self, hash: &mut Fingerprint, part: usize) {
        if self != Groups::ALL {
            [part as u64, self.member, self.mask].into_iter().for_each(|word| hash.add(word));
        }
    }
}

impl Default for Groups {
    fn default() -> Self {
        Groups::ALL
    }
}
