//! Collision detection for articulated characters, with box trees: **which parts touch, and where,
//! at the accuracy that you choose.**
//!
//! A character is a skeleton of parts. Every part has a tree of boxes, built once; only poses
//! change per frame. A [`Scene`] contains the characters, a [`Snapshot`] is one moment of it, and a
//! [`PairQuery`] finds which parts touch.
//!
//! ```
//! use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Vector3};
//! use boxwood::{Buffers, Build, Geometry, Hits, Model, Obb, PairQuery, Scene, Spawn};
//!
//! let fist = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::new(0.05, 0.05, 0.1))?;
//! let model = Model::builder()
//!     .part("fist", None, Geometry::Boxes(vec![fist]))
//!     .build(&Build::default())?;
//! let mut scene = Scene::new();
//! let red = scene.insert(&model, Spawn::default())?;
//! let at = Isometry3::translation(0.0, 0.0, 0.18);
//! let blue = scene.insert(&model, Spawn::at(at))?;
//!
//! let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
//! let now = scene.snapshot(&mut buffers);
//! now.contacts(&PairQuery::between(red, blue), &mut hits)?;
//! assert_eq!(hits[0].normal, Vector3::z());
//! assert!((hits[0].depth - 0.02).abs() < 1e-6);
//! # Ok::<(), boxwood::Error>(())
//! ```
//!
//! # Conventions
//! Right-handed. Lengths are in the caller's unit; tolerances are relative to the sizes of the
//! tested shapes (see [`num::tolerance`]). Poses map part to world; [`shape::pose`] converts from
//! matrices and other libraries' types. Touching counts. Normals are unit and point from first to
//! second; depth is positive when overlapping. Planes are `n.x = offset`, their solid side
//! `n.x <= offset`.
//!
//! # Which type for which query
//! | you have | you use |
//! |---|---|
//! | many pairs of boxes | [`Batch::intersects`](pair::Batch::intersects) |
//! | any two shapes | `a.intersects(&b)`, `a.distance(&b)`, `a.closest_points(&b)`, `a.contact(&b)`, `a.separating_axis(&b)`: see the table of [`mod@pair`] |
//! | a ray, a plane | [`Ray::cast`](shape::Ray::cast), [`pair::plane`] |
//! | points | [`Sphere::from_points`](shape::Sphere::from_points), [`Capsule::from_points`](shape::Capsule::from_points), [`Obb::fit`](shape::Obb::fit), [`Aabb::from_points`](shape::Aabb::from_points) |
//! | two boxes or balls of which one moves | [`Sweep`](pair::Sweep) |
//! | a point, a ball, a capsule or a box that moves through one part | [`Sweep`](pair::Sweep), [`ObbTree::shape_cast`](tree::ObbTree::shape_cast), then [`mod@response`] |
//! | boxes, convex polygons and circles of the plane | [`planar::Shape`], [`Sweep`](pair::Sweep) |
//! | two bodies without a scene | [`tree::TreePair`] |
//! | one character or robot, poses only | [`Model::self_intersects`](model::Model::self_intersects), [`self_pairs`](model::Model::self_pairs), [`self_distance`](model::Model::self_distance), [`self_distances`](model::Model::self_distances) |
//! | values of a robot's joints | [`Mechanism::poses`](motion::Mechanism::poses) |
//! | the motion of another skeleton with the same names | [`Retarget`](motion::Retarget) |
//! | another size of a character; a held character; pairs that are never tested | [`Model::scaled`](model::Model::scaled); [`Scene::attach`](scene::Scene::attach); [`Scene::set_ignored`](scene::Scene::set_ignored) |
//! | characters | [`Snapshot::intersects`](scene::Snapshot::intersects) (yes or no), [`pairs`](scene::Snapshot::pairs) (who), [`contacts`](scene::Snapshot::contacts) (where) |
//! | the distance and direction until two bodies are disjoint | [`Snapshot::separation`](scene::Snapshot::separation), [`TreePair::separation`](tree::TreePair::separation) |
//! | a posed body moved along a line | [`Snapshot::cast`](scene::Snapshot::cast), [`TreePair::passage`](tree::TreePair::passage) |
//! | two parts that move and turn within a tick, the first contact | [`SceneMotion::first_impact`](scene::SceneMotion::first_impact), [`impacts`](scene::SceneMotion::impacts) |
//! | the same over several ticks: waypoints of a robot, a replay | [`SceneTrajectory`](scene::SceneTrajectory) |
//! | contacts that begin and end, attacks that hit once | [`ContactEvents`], [`Attack`] |
//! | where all were some ticks ago | [`History`](scene::History) |
//! | a thrown ball, a swept capsule, a moving box against characters | [`Snapshot::shape_cast`](scene::Snapshot::shape_cast) |
//! | where the surfaces of two parts cross, for a spark | [`Snapshot::intersection_curve`](scene::Snapshot::intersection_curve) |
//! | overlaps of axis-aligned boxes only | [`Snapshot::broad_phase_pairs`](scene::Snapshot::broad_phase_pairs), [`part_aabb_pairs`](scene::Snapshot::part_aabb_pairs) |
//! | the distance of characters | [`Snapshot::distance`](scene::Snapshot::distance) |
//! | a point and parts near it, one or all; characters near it | [`Snapshot::closest_part`](scene::Snapshot::closest_part), [`closest_parts`](scene::Snapshot::closest_parts), [`closest_characters`](scene::Snapshot::closest_characters) |
//! | characters and rays | [`Snapshot::ray_cast`](scene::Snapshot::ray_cast), [`ray_cast_all`](scene::Snapshot::ray_cast_all), [`ray_cast_batch`](scene::Snapshot::ray_cast_batch) |
//! | a level of convex brushes, a cylinder that walks in it | [`mod@brush`] |
//! | terrain, unbounded floors, a static world | [`HeightField`](shape::HeightField), [`ConvexHull::half_space`](shape::ConvexHull::half_space), [`Spawn::at_rest`](scene::Spawn::at_rest) |
//! | a velocity and walls in its way | [`mod@response`] |
//! | characters and a region | [`Snapshot::overlaps`](scene::Snapshot::overlaps), [`overlaps_any`](scene::Snapshot::overlaps_any), [`overlaps_batch`](scene::Snapshot::overlaps_batch) |
//!
//! [`Accuracy`] sets how accurate an answer is: a depth, a length, exact, or a number of tests.
//! [`mod@accuracy`] measures what each costs and gains on your characters.
//!
//! # Numbers
//! Everything is generic over [`num::Scalar`]; the names at the root are for `f32`, those in
//! [`mod@f64`] for `f64`. Verdicts are computed in double precision for both, by fixed expressions
//! of `+ - * / sqrt` and comparisons. [`nalgebra`] is part of the interface and re-exported.
//!
//! A name at the root can be written with its scalar or without: `Model` is `Model<f32>`. Code that
//! is generic over the scalar uses the types of the modules, such as
//! [`model::Model<T>`](model::Model); a name at the root with another scalar is an error that says
//! so. Lengths, distances, tolerances and factors that are not stored in a shape are
//! `impl Into<f64>`: `f32`, `f64` and whole numbers.
//!
//! ```
//! let same: fn(boxwood::Scene) -> boxwood::Scene<f32> = |scene| scene;
//! let twin: fn(boxwood::f64::Scene) -> boxwood::scene::Scene<f64> = |scene| scene;
//! # let _ = (same, twin);
//! ```
//!
//! ```compile_fail,E0277
//! let scene: boxwood::Scene<f64> = Default::default(); // boxwood::f64::Scene
//! ```
//!
//! # Errors
//! Invalid values return an [`Error`] that names them, and nothing has changed then. Indexing a
//! tree with a node, or a model with a part, that it does not have panics, like indexing a slice.
#![cfg_attr(docsrs, feature(doc_cfg))]

/// Re-exports the unit tests of child modules: in a module `tests`, by their modules' names.
///
/// Unit tests are functions without arguments, public in a module `tests` beside the private code
/// that they test. `tests/units` lists and runs them: an own test build of the crate would compile
/// everything a second time.
macro_rules! collect_tests {
    ($($(#[$gate:meta])* $child:ident),+ $(,)?) => {
        #[cfg(feature = "internals")]
        #[doc(hidden)]
        pub mod tests {
            $($(#[$gate])* pub use super::$child::tests as $child;)+
        }
    };
}

#[cfg(feature = "accuracy")]
pub mod accuracy;
mod broad_phase;
#[cfg(feature = "levels")]
pub mod brush;
mod doc_fixtures;
#[cfg(feature = "draw")]
pub mod draw;
pub mod error;
mod fit;
mod hull;
pub mod load;
pub mod model;
pub mod motion;
mod narrow_phase;
pub mod num;
pub mod pair;
#[cfg(feature = "planar")]
pub mod planar;
#[cfg(feature = "levels")]
pub mod response;
pub mod robot;
mod sat;
pub mod scene;
pub mod shape;
pub mod tree;

pub use error::Error;
pub use model::{CollisionGroups, PartId, SelfQuery};
pub use nalgebra;
pub use num::SimdLevel;
pub use pair::Batch;
pub use scene::{
    Attack, CharacterKey, ContactChange, ContactEvent, ContactEvents, Detail, HitMode, IgnoredSide,
    MotionPath, NodeRef, NormalHint, OncePer, PairQuery, PartOrder, QueryFilter,
};
pub use shape::UpAxis;
pub use tree::{Accuracy, Build, Counts, NodeId};

collect_tests!(
    accuracy,
    broad_phase,
    brush,
    draw,
    fit,
    hull,
    load,
    model,
    motion,
    narrow_phase,
    num,
    pair,
    planar,
    sat,
    scene,
    shape,
    tree,
);

/// Names of the generic types for one scalar.
///
/// The parameter of an alias is `$scalar` whether it is written or left out, because `$number` has
/// one implementation. An alias `Model<T = f32>` of `model::Model<T>` alone would leave the scalar
/// of `Model::builder()` to inference, which chooses `f64` for literals: defaults of parameters
/// count in types only, not in expressions.
macro_rules! names_for {
    ($scalar:ident, $number:ident) => {
        type Number<T> = <() as $crate::names::$number<T>>::Scalar;

        /// [`shape::Aabb`](crate::shape::Aabb) in space.
        pub type Aabb<T = $scalar> = crate::shape::Aabb<Number<T>, 3>;
        /// [`shape::Aabb`](crate::shape::Aabb) in the plane.
        pub type Aabb2<T = $scalar> = crate::shape::Aabb<Number<T>, 2>;
        /// See [`planar::Obb2`](crate::planar::Obb2).
        #[cfg(feature = "planar")]
        pub type Obb2<T = $scalar> = crate::planar::Obb2<Number<T>>;
        /// See [`planar::ConvexPolygon`](crate::planar::ConvexPolygon).
        #[cfg(feature = "planar")]
        pub type Polygon2<T = $scalar> = crate::planar::ConvexPolygon<Number<T>>;
        /// See [`shape::Obb`](crate::shape::Obb).
        pub type Obb<T = $scalar> = crate::shape::Obb<Number<T>>;
        /// [`shape::Sphere`](crate::shape::Sphere) in space.
        pub type Sphere<T = $scalar> = crate::shape::Sphere<Number<T>, 3>;
        /// [`shape::Sphere`](crate::shape::Sphere) in the plane: a disc.
        pub type Sphere2<T = $scalar> = crate::shape::Sphere<Number<T>, 2>;
        /// See [`shape::Capsule`](crate::shape::Capsule).
        pub type Capsule<T = $scalar> = crate::shape::Capsule<Number<T>>;
        /// See [`shape::Cylinder`](crate::shape::Cylinder).
        pub type Cylinder<T = $scalar> = crate::shape::Cylinder<Number<T>>;
        /// See [`pair::ConvexShape`](crate::pair::ConvexShape).
        pub type ConvexShape<T = $scalar> = crate::pair::ConvexShape<Number<T>>;
        /// See [`shape::ConvexHull`](crate::shape::ConvexHull).
        pub type ConvexHull<T = $scalar> = crate::shape::ConvexHull<Number<T>>;
        /// See [`shape::UprightCylinder`](crate::shape::UprightCylinder).
        pub type UprightCylinder<T = $scalar> = crate::shape::UprightCylinder<Number<T>>;
        /// See [`shape::Ellipsoid`](crate::shape::Ellipsoid).
        pub type Ellipsoid<T = $scalar> = crate::shape::Ellipsoid<Number<T>>;
        /// See [`shape::Frustum`](crate::shape::Frustum).
        pub type Frustum<T = $scalar> = crate::shape::Frustum<Number<T>>;
        /// See [`shape::Segment`](crate::shape::Segment).
        pub type Segment<T = $scalar> = crate::shape::Segment<Number<T>>;
        /// See [`shape::Ray`](crate::shape::Ray).
        pub type Ray<T = $scalar> = crate::shape::Ray<Number<T>>;
        /// See [`shape::Plane`](crate::shape::Plane).
        pub type Plane<T = $scalar> = crate::shape::Plane<Number<T>>;
        /// See [`shape::Triangle`](crate::shape::Triangle).
        pub type Triangle<T = $scalar> = crate::shape::Triangle<Number<T>>;
        /// See [`shape::Polygon3`](crate::shape::Polygon3).
        pub type Polygon3<T = $scalar> = crate::shape::Polygon3<Number<T>>;
        /// See [`shape::Dop8`](crate::shape::Dop8).
        pub type Dop8<T = $scalar> = crate::shape::Dop8<Number<T>>;
        /// See [`shape::SpaceDop8`](crate::shape::SpaceDop8).
        pub type SpaceDop8<T = $scalar> = crate::shape::SpaceDop8<Number<T>>;
        /// See [`shape::Dop14`](crate::shape::Dop14).
        pub type Dop14<T = $scalar> = crate::shape::Dop14<Number<T>>;
        /// See [`shape::Dop18`](crate::shape::Dop18).
        pub type Dop18<T = $scalar> = crate::shape::Dop18<Number<T>>;
        /// See [`shape::HeightField`](crate::shape::HeightField).
        pub type HeightField<T = $scalar> = crate::shape::HeightField<Number<T>>;
        /// See [`shape::Mesh`](crate::shape::Mesh).
        pub type Mesh<T = $scalar> = crate::shape::Mesh<Number<T>>;
        /// See [`shape::Pose`](crate::shape::Pose).
        pub type Pose<T = $scalar> = crate::shape::Pose<Number<T>>;
        /// See [`pair::Contact`](crate::pair::Contact).
        pub type Contact<T = $scalar> = crate::pair::Contact<Number<T>, 3>;
        /// See [`pair::CastHit`](crate::pair::CastHit).
        pub type CastHit<T = $scalar> = crate::pair::CastHit<Number<T>, 3>;
        /// See [`scene::RayCast`](crate::scene::RayCast).
        pub type RayCast<T = $scalar> = crate::scene::RayCast<Number<T>>;
        /// See [`scene::PartPassage`](crate::scene::PartPassage).
        pub type PartPassage<T = $scalar> = crate::scene::PartPassage<Number<T>>;
        /// See [`pair::RayHit`](crate::pair::RayHit); in a scene `R` is [`NodeRef`].
        pub type RayHit<T = $scalar, R = ()> = crate::pair::RayHit<Number<T>, R>;
        /// See [`scene::ShapeHit`](crate::scene::ShapeHit).
        pub type ShapeHit<T = $scalar> = crate::scene::ShapeHit<Number<T>>;
        /// See [`scene::RayHits`](crate::scene::RayHits).
        pub type RayHits<T = $scalar> = crate::scene::RayHits<Number<T>>;
        /// See [`scene::QueryShape`](crate::scene::QueryShape).
        pub type QueryShape<T = $scalar> = crate::scene::QueryShape<Number<T>>;
        /// See [`scene::Overlaps`](crate::scene::Overlaps).
        pub type Overlaps<T = $scalar> = crate::scene::Overlaps<Number<T>>;
        /// See [`scene::ClosestPart`](crate::scene::ClosestPart).
        pub type ClosestPart<T = $scalar> = crate::scene::ClosestPart<Number<T>>;
        /// See [`scene::ClosestParts`](crate::scene::ClosestParts).
        pub type ClosestParts<T = $scalar> = crate::scene::ClosestParts<Number<T>>;
        /// See [`scene::QueryScratch`](crate::scene::QueryScratch).
        pub type QueryScratch<T = $scalar> = crate::scene::QueryScratch<Number<T>>;
        /// See [`model::CollisionBatch`](crate::model::CollisionBatch).
        pub type CollisionBatch<T = $scalar> = crate::model::CollisionBatch<Number<T>>;
        /// See [`model::CollisionBatchScratch`](crate::model::CollisionBatchScratch).
        pub type CollisionBatchScratch<T = $scalar> =
            crate::model::CollisionBatchScratch<Number<T>>;
        /// See [`model::SelfQueryScratch`](crate::model::SelfQueryScratch).
        pub type SelfQueryScratch<T = $scalar> = crate::model::SelfQueryScratch<Number<T>>;
        /// See [`model::PartDistance`](crate::model::PartDistance).
        pub type PartDistance<T = $scalar> = crate::model::PartDistance<Number<T>>;
        /// See [`pair::ClosestPoints`](crate::pair::ClosestPoints); between parts of a scene `A` is
        /// [`NodeRef`].
        pub type ClosestPoints<T = $scalar, A = (), B = A> =
            crate::pair::ClosestPoints<Number<T>, A, B>;
        /// See [`pair::SeparatingAxis`](crate::pair::SeparatingAxis).
        pub type SeparatingAxis<T = $scalar> = crate::pair::SeparatingAxis<Number<T>>;
        /// See [`tree::Push`](crate::tree::Push).
        pub type Push<T = $scalar> = crate::tree::Push<Number<T>>;
        /// [`tree::Separation`](crate::tree::Separation) of characters.
        pub type Separation<T = $scalar> =
            crate::tree::Separation<Number<T>, crate::scene::NodeRef>;
        /// See [`tree::IntersectionCurve`](crate::tree::IntersectionCurve).
        pub type IntersectionCurve<T = $scalar> = crate::tree::IntersectionCurve<Number<T>>;
        /// See [`tree::Geometry`](crate::tree::Geometry).
        pub type Geometry<T = $scalar> = crate::tree::Geometry<Number<T>>;
        /// See [`tree::ObbTree`](crate::tree::ObbTree).
        pub type ObbTree<T = $scalar> = crate::tree::ObbTree<Number<T>>;
        /// See [`model::Model`](crate::model::Model).
        pub type Model<T = $scalar> = crate::model::Model<Number<T>>;
        /// See [`scene::Scene`](crate::scene::Scene).
        pub type Scene<T = $scalar> = crate::scene::Scene<Number<T>>;
        /// See [`scene::Spawn`](crate::scene::Spawn).
        pub type Spawn<T = $scalar> = crate::scene::Spawn<Number<T>>;
        /// See [`scene::Attachment`](crate::scene::Attachment).
        pub type Attachment<T = $scalar> = crate::scene::Attachment<Number<T>>;
        /// See [`scene::Buffers`](crate::scene::Buffers).
        pub type Buffers<T = $scalar> = crate::scene::Buffers<Number<T>>;
        /// See [`scene::Snapshot`](crate::scene::Snapshot).
        pub type Snapshot<'a, T = $scalar> = crate::scene::Snapshot<'a, Number<T>>;
        /// See [`scene::OwnedSnapshot`](crate::scene::OwnedSnapshot).
        pub type OwnedSnapshot<T = $scalar> = crate::scene::OwnedSnapshot<Number<T>>;
        /// See [`scene::SceneMotion`](crate::scene::SceneMotion).
        pub type SceneMotion<'a, T = $scalar> = crate::scene::SceneMotion<'a, Number<T>>;
        /// See [`scene::SceneTrajectory`](crate::scene::SceneTrajectory).
        pub type SceneTrajectory<'a, T = $scalar> = crate::scene::SceneTrajectory<'a, Number<T>>;
        /// See [`scene::MotionBuffers`](crate::scene::MotionBuffers).
        pub type MotionBuffers<T = $scalar> = crate::scene::MotionBuffers<Number<T>>;
        /// See [`scene::History`](crate::scene::History).
        pub type History<T = $scalar> = crate::scene::History<Number<T>>;
        /// See [`scene::PastScene`](crate::scene::PastScene).
        pub type PastScene<T = $scalar> = crate::scene::PastScene<Number<T>>;
        /// See [`scene::Impact`](crate::scene::Impact).
        pub type Impact<T = $scalar> = crate::scene::Impact<Number<T>>;
        /// See [`scene::TickImpact`](crate::scene::TickImpact).
        pub type TickImpact<T = $scalar> = crate::scene::TickImpact<Number<T>>;
        /// See [`scene::Hits`](crate::scene::Hits).
        pub type Hits<T = $scalar> = crate::scene::Hits<Number<T>>;
        /// See [`scene::Hit`](crate::scene::Hit).
        pub type Hit<T = $scalar> = crate::scene::Hit<Number<T>>;
        /// See [`scene::Report`](crate::scene::Report).
        pub type Report<T = $scalar> = crate::scene::Report<Number<T>>;
        /// See [`load::Loader`](crate::load::Loader).
        pub type Loader<'w, T = $scalar> = crate::load::Loader<'w, Number<T>>;
        /// See [`load::Loaded`](crate::load::Loaded).
        pub type Loaded<T = $scalar> = crate::load::Loaded<Number<T>>;
    };
}

/// The traits that make the root names those of one scalar, with and without a parameter.
mod names {
    /// Maps the parameter of a name at the root to its scalar, `f32`.
    #[diagnostic::on_unimplemented(
        message = "the names at the root of `boxwood` are for `f32`, not for `{T}`",
        label = "not `f32`",
        note = "names for `f64` are in `boxwood::f64`; generic types are in the modules: \
                `boxwood::model::Model<T>`, `boxwood::scene::Scene<T>`, `boxwood::shape::Obb<T>`"
    )]
    pub trait Single<T> {
        /// The scalar.
        type Scalar: crate::num::Scalar;
    }

    impl Single<f32> for () {
        type Scalar = f32;
    }

    /// Maps the parameter of a name in [`mod@crate::f64`] to its scalar, `f64`.
    #[diagnostic::on_unimplemented(
        message = "the names in `boxwood::f64` are for `f64`, not for `{T}`",
        label = "not `f64`",
        note = "names for `f32` are at the root of `boxwood`; generic types are in the modules: \
                `boxwood::model::Model<T>`, `boxwood::scene::Scene<T>`, `boxwood::shape::Obb<T>`"
    )]
    pub trait Double<T> {
        /// The scalar.
        type Scalar: crate::num::Scalar;
    }

    impl Double<f64> for () {
        type Scalar = f64;
    }
}

names_for!(f32, Single);

/// Names for double precision.
///
/// Poses, geometry and answers are `f64`; types without numbers are those of the root.
pub mod f64 {
    pub use crate::{
        Accuracy, Attack, Batch, Build, CharacterKey, CollisionGroups, ContactChange, ContactEvent,
        ContactEvents, Counts, Detail, Error, HitMode, IgnoredSide, MotionPath, NodeId, NodeRef,
        NormalHint, OncePer, PairQuery, PartId, PartOrder, QueryFilter, SelfQuery, SimdLevel,
        UpAxis,
    };

    names_for!(f64, Double);
}

/// Compiles and runs the programs of the README and of the documents.
#[cfg(all(
    doctest,
    feature = "accuracy",
    feature = "draw",
    feature = "gltf",
    feature = "levels",
    feature = "planar"
))]
mod documents {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/accuracy.md")]
    struct Accuracy;
    #[doc = include_str!("../docs/bevy.md")]
    struct Bevy;
    #[doc = include_str!("../docs/coming-from.md")]
    struct ComingFrom;
    #[doc = include_str!("../docs/concepts.md")]
    struct Concepts;
    #[doc = include_str!("../docs/guarantees.md")]
    struct Guarantees;
    #[doc = include_str!("../docs/instances.md")]
    struct Instances;
    #[doc = include_str!("../docs/levels.md")]
    struct Levels;
    #[doc = include_str!("../docs/more-than-one-machine.md")]
    struct MoreThanOneMachine;
    #[doc = include_str!("../docs/motion.md")]
    struct Motion;
    #[doc = include_str!("../docs/performance.md")]
    struct Performance;
    #[doc = include_str!("../docs/pushing-apart.md")]
    struct PushingApart;
    #[doc = include_str!("../docs/python.md")]
    struct Python;
    #[doc = include_str!("../docs/recipes.md")]
    struct Recipes;
    #[doc = include_str!("../docs/static-worlds.md")]
    struct StaticWorlds;
    #[doc = include_str!("../docs/testing.md")]
    struct Testing;
    #[doc = include_str!("../docs/web.md")]
    struct Web;
}
