//! The closest parts: distance of characters, parts near a point.
//!
//! `NearPartPairs` enumerates pairs of parts with the distance of their AABBs, a lower bound;
//! `PartsNearPoint` does that for the parts near a point. Both use the trees over the characters,
//! then boxes 16 at a time. The closest is found in ascending order of the bounds, by `best_of_all`
//! of the room `narrow_phase`; all in reach of a point are evaluated and sorted. `ClosestParts`
//! receives the answers of a point.
//!
//! Read `narrow_phase/best_first` first, then `distance`.

pub(super) mod closest;
pub(super) mod distance;
