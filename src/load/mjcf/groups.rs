//! MuJoCo's contact filter: two bit masks of 32 bits per shape.
//!
//! Source: the MuJoCo documentation, computation chapter, collision detection: a pair is tested if
//! and only if `contype` of one and `conaffinity` of the other have a common bit, in either order.

use super::attributes::Attributes;
use crate::model::CollisionGroups;

/// The two masks of a shape, or of all shapes of a body together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContactBits {
    contype: u32,
    conaffinity: u32,
}

impl ContactBits {
    /// MuJoCo's default masks.
    pub const DEFAULT: ContactBits = ContactBits { contype: 1, conaffinity: 1 };
    pub const NONE: ContactBits = ContactBits { contype: 0, conaffinity: 0 };

    /// Reads the masks of a shape, its own or a default's.
    pub fn read(attributes: Attributes<'_, '_>) -> Result<Self, String> {
        let ContactBits { contype, conaffinity } = ContactBits::DEFAULT;
        Ok(ContactBits {
            contype: attributes.bits("contype")?.unwrap_or(contype),
            conaffinity: attributes.bits("conaffinity")?.unwrap_or(conaffinity),
        })
    }

    /// The union of two: it collides with everything that either collides with.
    pub fn union(self, other: ContactBits) -> ContactBits {
        ContactBits {
            contype: self.contype | other.contype,
            conaffinity: self.conaffinity | other.conaffinity,
        }
    }

    /// Collision groups equivalent to the masks. Our rule requires both directions, MuJoCo's
    /// either: each group contains both masks, and the filter contains them in the other order, so
    /// that both directions are the same test.
    pub fn groups(self) -> CollisionGroups {
        let [contype, conaffinity] = [self.contype, self.conaffinity].map(u64::from);
        CollisionGroups {
            memberships: contype | conaffinity << 32,
            filter: conaffinity | contype << 32,
        }
    }
}
