//! Levels of convex brushes: worlds to cast in, and cylinders that walk through them.
//!
//! A [`Brush`] is a convex solid bounded by planes. A [`BrushWorld`] has the brushes of a level in
//! a tree of boxes, and bodies of brushes that move. A [`Walker`] moves an upright cylinder through
//! it. Read [`Brush`] first, then [`BrushWorld`], then [`Walker`].
//!
//! | you have | you call |
//! |---|---|
//! | planes, points or a box | [`Brush::from_planes`], [`from_points`](Brush::from_points), [`from_aabb`](Brush::from_aabb) |
//! | two brushes | [`Brush::union`], [`subtract`](Brush::subtract), [`intersection`](Brush::intersection) |
//! | a level | [`BrushWorld::builder`], or `load::map` for files |
//! | a shape that moves straight ahead | [`BrushWorld::cast_cylinder`], [`cast_box`](BrushWorld::cast_box), [`cast_ball`](BrushWorld::cast_ball), [`cast_capsule`](BrushWorld::cast_capsule), [`ray_cast`](BrushWorld::ray_cast) |
//! | the same, and all that it passes through | [`BrushWorld::cast_cylinder_all`], [`cast_box_all`](BrushWorld::cast_box_all), [`cast_ball_all`](BrushWorld::cast_ball_all), [`cast_capsule_all`](BrushWorld::cast_capsule_all), [`ray_cast_all`](BrushWorld::ray_cast_all) |
//! | a cylinder that moves among other characters | [`BrushWorld::cast_cylinder_among`], [`cast_cylinder_among_all`](BrushWorld::cast_cylinder_among_all) |
//! | a position | [`BrushWorld::overlaps_cylinder`], [`contents`](BrushWorld::contents), [`closest_point`](BrushWorld::closest_point) |
//! | a place to begin at | [`Walker::stand_at_feet`], [`stand`](Walker::stand) |
//! | a character that walks | [`Walker::walk`], [`slide`](Walker::slide), [`resize`](Walker::resize), [`push`](Walker::push), [`push_out`](Walker::push_out) |
//! | many walkers that block each other | [`WalkerCrowd`], [`Walker::walk_among`] |
//! | triggers that a walker passes through within a tick | [`Walker::passages`], [`Walker::path`] |
//! | characters of a scene that touch the level | [`BrushWorld::model`] |
//! | doors, lifts, rotating platforms | [`BrushWorldBuilder::body`], [`BrushWorld::set_pose`], [`Walker::push`] |
//!
//! A world stores its brushes in double precision and answers in either scalar. Sources:
//! CN105488851 (2016) for cylinders against brushes; Quake for brushes and for sliding along them.

mod body;
mod body_poses;
mod boolean;
#[allow(clippy::module_inception)]
mod brush;
mod builder;
mod casts;
mod crowd;
mod crowd_grid;
mod cylinder_casts;
pub(crate) mod expanded;
mod hit_order;
mod models;
mod passages;
mod placed_cylinder;
pub(crate) mod polytope;
mod push;
mod slide;
pub(crate) mod sweep;
mod tree;
mod walk_path;
mod walker;
mod walker_state;
mod world;

collect_tests!(crowd_grid);

pub use body::BodyId;
pub use brush::{Brush, BrushEdge, BrushFace};
pub use builder::BrushWorldBuilder;
pub use crowd::{CrowdWalker, WalkerCrowd};
pub use cylinder_casts::{CastTarget, CylinderAt, RayPassage};
pub use expanded::Expansion;
pub use passages::WalkLeg;
pub use push::PushOutcome;
pub use walker::{BlockingBrush, Squeeze, WalkReport, WalkScratch, Walker};
pub use walker_state::{WalkerParts, WalkerState};
pub use world::{BrushFilter, BrushId, BrushWorld};
