//! The peer of `levels`: parry3d's casts, and rapier3d's queries and character controller, in f32
//! with their defaults. Their interfaces change between versions, so all calls are in this file; it
//! is not in `support/peer`, so no other bench builds rapier.

use boxwood::brush::Brush;
use boxwood::nalgebra::{Point3, Vector3};
use parry3d::math::{Pose, Vector};
use parry3d::query::{self, ShapeCastOptions};
use parry3d::shape::{Cylinder, SharedShape};
use rapier3d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d::dynamics::{IslandManager, RigidBodySet};
use rapier3d::geometry::{BroadPhaseBvh, ColliderBuilder, ColliderSet, NarrowPhase};
use rapier3d::pipeline::{CollisionPipeline, QueryFilter, QueryPipeline};

fn vector(v: Vector3<f64>) -> Vector {
    Vector::new(v.x as f32, v.y as f32, v.z as f32)
}

fn single(v: Vector3<f32>) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn at(p: Point3<f32>) -> Pose {
    Pose::from_translation(single(p.coords))
}

/// A brush as users of parry build it: a cuboid if it is a box along the axes, otherwise the convex
/// hull of its corners, about its own centre.
pub struct Solid {
    shape: SharedShape,
    pose: Pose,
}

impl Solid {
    /// Returns `None` if parry builds no hull.
    pub fn new(brush: &Brush) -> Option<Solid> {
        let bounds = brush.aabb();
        let center = boxwood::nalgebra::center(&bounds.min, &bounds.max);
        let upright = brush.planes().iter().all(|plane| plane.normal().amax() == 1.0);
        let shape = if upright {
            let half = vector((bounds.max - bounds.min) * 0.5);
            SharedShape::cuboid(half.x, half.y, half.z)
        } else {
            let corners = brush.corners();
            let corners: Vec<Vector> = corners.iter().map(|&c| vector(c - center)).collect();
            SharedShape::convex_hull(&corners)?
        };
        Some(Solid { shape, pose: Pose::from_translation(vector(center.coords)) })
    }

    /// Time of impact of an upright cylinder (y up), as a fraction of its displacement.
    pub fn cast(&self, mover: &Cylinder, start: Point3<f32>, way: Vector3<f32>) -> Option<f32> {
        let still = Vector::ZERO;
        let (from, way) = (at(start), single(way));
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let (pose, shape) = (&self.pose, &*self.shape.0);
        let hit = query::cast_shapes(&from, way, mover, pose, still, shape, options);
        Some(hit.ok()??.time_of_impact)
    }
}

/// Brushes as fixed colliders of rapier.
pub struct World {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
}

/// Optimization steps of the tree of boxes before it is used.
const STEPS: usize = 8;

impl World {
    pub fn new<'b>(brushes: impl IntoIterator<Item = &'b Brush>) -> World {
        let mut world = World {
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
        };
        for solid in brushes.into_iter().filter_map(Solid::new) {
            let collider = ColliderBuilder::new(solid.shape).position(solid.pose);
            world.colliders.insert(collider);
        }
        let (mut pipeline, mut islands) = (CollisionPipeline::new(), IslandManager::new());
        for _ in 0..STEPS {
            pipeline.step(
                0.0,
                &mut islands,
                &mut world.broad,
                &mut world.narrow,
                &mut world.bodies,
                &mut world.colliders,
                &(),
                &(),
            );
        }
        world
    }

    pub fn len(&self) -> usize {
        self.colliders.len()
    }

    pub fn queries(&self) -> QueryPipeline<'_> {
        let dispatcher = self.narrow.query_dispatcher();
        let filter = QueryFilter::default();
        self.broad.as_query_pipeline(dispatcher, &self.bodies, &self.colliders, filter)
    }
}

/// Time of impact with the first of all colliders.
pub fn cast(
    queries: &QueryPipeline<'_>,
    mover: &Cylinder,
    start: Point3<f32>,
    way: Vector3<f32>,
) -> Option<f32> {
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let (_, hit) = queries.cast_shape(&at(start), single(way), mover, options)?;
    Some(hit.time_of_impact)
}

/// parry's cylinder, y up.
pub fn cylinder([radius, half_height]: [f32; 2]) -> Cylinder {
    Cylinder::new(half_height, radius)
}

/// Rapier's controller with its defaults. Where steps are walked up, its autostep has that height,
/// and treads of a third of the radius: the default, half the diagonal of its base, is wider than a
/// tread of 0.3.
pub struct Controller {
    settings: KinematicCharacterController,
    mover: Cylinder,
    /// Length of a tick [s].
    pub tick: f32,
}

impl Controller {
    pub fn new(size: [f32; 2], step: f32) -> Controller {
        let autostep = (step > 0.0).then_some(CharacterAutostep {
            max_height: CharacterLength::Absolute(step),
            min_width: CharacterLength::Absolute(size[0] / 3.0),
            include_dynamic_bodies: false,
        });
        let settings = KinematicCharacterController { autostep, ..Default::default() };
        Controller { settings, mover: cylinder(size), tick: 1.0 / 60.0 }
    }

    /// Moves; returns `true` if the walker is on the ground.
    pub fn walk(
        &self,
        queries: &QueryPipeline<'_>,
        place: &mut Point3<f32>,
        wish: Vector3<f32>,
    ) -> bool {
        let wish = single(wish);
        let (from, mover) = (at(*place), &self.mover);
        let moved = self.settings.move_shape(self.tick, queries, mover, &from, wish, |_| {});
        let by = moved.translation;
        *place += Vector3::new(by.x, by.y, by.z);
        moved.grounded
    }
}
