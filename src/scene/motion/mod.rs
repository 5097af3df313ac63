//! Motion between two poses: which parts touch during a tick, and when first.
//!
//! A [`SceneMotion`] connects two states of a scene, before and after a tick. Every part moves from
//! one pose to the other along a [`MotionPath`]; both characters of a pair move at once. Queries
//! are [`PairQuery`](crate::PairQuery)s, and an [`Impact`] says when two parts first touch.
//!
//! # What to read first
//! 1. `path.rs`: how a part moves between two poses, its velocity, and a bound on the acceleration
//!    of its points.
//! 2. `part_poses.rs`: the path of a part, made when a test needs it, and its pose at a time of the
//!    tick.
//! 3. `scene_motion.rs` and `swept_boxes.rs`: the motion, and the boxes that contain each part
//!    during the tick.
//! 4. `queries.rs`, then `search.rs`: intervals of time, the earlier half first, down to the first
//!    impact. The test that decides one interval is in `tree/interval.rs`.
//! 5. `part_travel.rs` and `root_tests.rs`: candidates that the search need not test, many at a
//!    time.
//! 6. `contact_events.rs`, `attack.rs` and `history.rs`: what is kept from tick to tick.
//! 7. `trajectory.rs`: queries over several ticks.

mod attack;
mod character_paths;
mod contact_events;
mod first_impacts;
mod history;
mod impact;
mod part_poses;
mod part_travel;
mod path;
mod queries;
mod root_tests;
mod scene_motion;
mod scratch;
mod search;
mod swept_boxes;
mod trajectory;

pub use attack::{Attack, OncePer};
pub use contact_events::{ContactChange, ContactEvent, ContactEvents, PartOrder};
pub use history::{History, PastScene};
pub use impact::Impact;
pub(crate) use path::ChainBounds;
pub use path::MotionPath;
pub use scene_motion::{MotionBuffers, SceneMotion};
pub(in crate::scene) use scratch::MotionScratch;
pub use trajectory::{SceneTrajectory, TickImpact};

collect_tests!(path);
