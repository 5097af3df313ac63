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
//! | one character or robot, poses only | [`Model::self_intersects`](model::Model::self_intersects), [`self_pairs`](model::Model::self_pairs), [`self_distance`](model::Model::self_distance) |
//! | values of a robot's joints | [`Mechanism::poses`](motion::Mechanism::poses) |
//! | the motion of another skeleton with the same names | [`Retarget`](motion::Retarget) |
//! | another size of a character; a held character; pairs that are never tested | [`Model::scaled`](model::Model::scaled); [`Scene::attach`](scene::Scene::attach); [`Scene::set_ignored`](scene::Scene::set_ignored) |
//! | characters | [`Snapshot::intersects`](scene::Snapshot::intersects) (yes or no), [`pairs`](scene::Snapshot::pairs) (who), [`contacts`](scene::Snapshot::contacts) (where) |
//! | the distance and direction until two bodies are disjoint | [`Snapshot::separation`](scene::Snapshot::separation), [`TreePair::separation`](tree::TreePair::separation) |
//! | a posed body moved along a line | [`Snapshot::cast`](scene::Snapshot::cast), [`TreePair::passage`](tree::TreePair::passage) |
//! | a thrown ball, a swept capsule, a moving box against characters | [`Snapshot::shape_cast`](scene::Snapshot::shape_cast) |
//! | where the surfaces of two parts cross, for a spark | [`Snapshot::intersection_curve`](scene::Snapshot::intersection_curve) |
//! | overlaps of axis-aligned boxes only | [`Snapshot::broad_phase_pairs`](scene::Snapshot::broad_phase_pairs), [`part_aabb_pairs`](scene::Snapshot::part_aabb_pairs) |
//! | the distance of characters | [`Snapshot::distance`](scene::Snapshot::distance) |
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
//! # Errors
//! Invalid values return an [`Error`] that names them, and nothing has changed then. Indexing a
//! tree with a node that it does not have panics, like indexing a slice.
#![cfg_attr(docsrs, feature(doc_cfg))]

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
    CharacterKey, Detail, HitMode, IgnoredSide, NodeRef, NormalHint, PairQuery, QueryFilter,
};
pub use shape::UpAxis;
pub use tree::{Accuracy, Build, Counts, NodeId};

/// Names of the generic types for one scalar.
macro_rules! names_for {
    ($scalar:ty) => {
        /// [`shape::Aabb`](crate::shape::Aabb) in space.
        pub type Aabb = crate::shape::Aabb<$scalar, 3>;
        /// [`shape::Aabb`](crate::shape::Aabb) in the plane.
        pub type Aabb2 = crate::shape::Aabb<$scalar, 2>;
        /// See [`planar::Obb2`](crate::planar::Obb2).
        #[cfg(feature = "planar")]
        pub type Obb2 = crate::planar::Obb2<$scalar>;
        /// See [`planar::ConvexPolygon`](crate::planar::ConvexPolygon).
        #[cfg(feature = "planar")]
        pub type Polygon2 = crate::planar::ConvexPolygon<$scalar>;
        /// See [`shape::Obb`](crate::shape::Obb).
        pub type Obb = crate::shape::Obb<$scalar>;
        /// [`shape::Sphere`](crate::shape::Sphere) in space.
        pub type Sphere = crate::shape::Sphere<$scalar, 3>;
        /// [`shape::Sphere`](crate::shape::Sphere) in the plane: a disc.
        pub type Sphere2 = crate::shape::Sphere<$scalar, 2>;
        /// See [`shape::Capsule`](crate::shape::Capsule).
        pub type Capsule = crate::shape::Capsule<$scalar>;
        /// See [`shape::Cylinder`](crate::shape::Cylinder).
        pub type Cylinder = crate::shape::Cylinder<$scalar>;
        /// See [`pair::ConvexShape`](crate::pair::ConvexShape).
        pub type ConvexShape = crate::pair::ConvexShape<$scalar>;
        /// See [`shape::ConvexHull`](crate::shape::ConvexHull).
        pub type ConvexHull = crate::shape::ConvexHull<$scalar>;
        /// See [`shape::UprightCylinder`](crate::shape::UprightCylinder).
        pub type UprightCylinder = crate::shape::UprightCylinder<$scalar>;
        /// See [`shape::Ellipsoid`](crate::shape::Ellipsoid).
        pub type Ellipsoid = crate::shape::Ellipsoid<$scalar>;
        /// See [`shape::Frustum`](crate::shape::Frustum).
        pub type Frustum = crate::shape::Frustum<$scalar>;
        /// See [`shape::Segment`](crate::shape::Segment).
        pub type Segment = crate::shape::Segment<$scalar>;
        /// See [`shape::Ray`](crate::shape::Ray).
        pub type Ray = crate::shape::Ray<$scalar>;
        /// See [`shape::Plane`](crate::shape::Plane).
        pub type Plane = crate::shape::Plane<$scalar>;
        /// See [`shape::Triangle`](crate::shape::Triangle).
        pub type Triangle = crate::shape::Triangle<$scalar>;
        /// See [`shape::Polygon3`](crate::shape::Polygon3).
        pub type Polygon3 = crate::shape::Polygon3<$scalar>;
        /// See [`shape::Dop8`](crate::shape::Dop8).
        pub type Dop8 = crate::shape::Dop8<$scalar>;
        /// See [`shape::SpaceDop8`](crate::shape::SpaceDop8).
        pub type SpaceDop8 = crate::shape::SpaceDop8<$scalar>;
        /// See [`shape::Dop14`](crate::shape::Dop14).
        pub type Dop14 = crate::shape::Dop14<$scalar>;
        /// See [`shape::Dop18`](crate::shape::Dop18).
        pub type Dop18 = crate::shape::Dop18<$scalar>;
        /// See [`shape::HeightField`](crate::shape::HeightField).
        pub type HeightField = crate::shape::HeightField<$scalar>;
        /// See [`shape::Mesh`](crate::shape::Mesh).
        pub type Mesh = crate::shape::Mesh<$scalar>;
        /// See [`shape::Pose`](crate::shape::Pose).
        pub type Pose = crate::shape::Pose<$scalar>;
        /// See [`pair::Contact`](crate::pair::Contact).
        pub type Contact = crate::pair::Contact<$scalar, 3>;
        /// See [`pair::CastHit`](crate::pair::CastHit).
        pub type CastHit = crate::pair::CastHit<$scalar, 3>;
        /// See [`scene::RayCast`](crate::scene::RayCast).
        pub type RayCast = crate::scene::RayCast<$scalar>;
        /// See [`scene::PartPassage`](crate::scene::PartPassage).
        pub type PartPassage = crate::scene::PartPassage<$scalar>;
        /// See [`pair::RayHit`](crate::pair::RayHit); in a scene `R` is [`NodeRef`].
        pub type RayHit<R = ()> = crate::pair::RayHit<$scalar, R>;
        /// See [`scene::ShapeHit`](crate::scene::ShapeHit).
        pub type ShapeHit = crate::scene::ShapeHit<$scalar>;
        /// See [`scene::RayHits`](crate::scene::RayHits).
        pub type RayHits = crate::scene::RayHits<$scalar>;
        /// See [`scene::QueryShape`](crate::scene::QueryShape).
        pub type QueryShape = crate::scene::QueryShape<$scalar>;
        /// See [`scene::Overlaps`](crate::scene::Overlaps).
        pub type Overlaps = crate::scene::Overlaps<$scalar>;
        /// See [`scene::ClosestPart`](crate::scene::ClosestPart).
        pub type ClosestPart = crate::scene::ClosestPart<$scalar>;
        /// See [`scene::ClosestParts`](crate::scene::ClosestParts).
        pub type ClosestParts = crate::scene::ClosestParts<$scalar>;
        /// See [`scene::QueryScratch`](crate::scene::QueryScratch).
        pub type QueryScratch = crate::scene::QueryScratch<$scalar>;
        /// See [`model::SelfQueryScratch`](crate::model::SelfQueryScratch).
        pub type SelfQueryScratch = crate::model::SelfQueryScratch<$scalar>;
        /// See [`pair::ClosestPoints`](crate::pair::ClosestPoints); between parts of a scene `A` is
        /// [`NodeRef`].
        pub type ClosestPoints<A = (), B = A> = crate::pair::ClosestPoints<$scalar, A, B>;
        /// See [`pair::SeparatingAxis`](crate::pair::SeparatingAxis).
        pub type SeparatingAxis = crate::pair::SeparatingAxis<$scalar>;
        /// See [`tree::Push`](crate::tree::Push).
        pub type Push = crate::tree::Push<$scalar>;
        /// [`tree::Separation`](crate::tree::Separation) of characters.
        pub type Separation = crate::tree::Separation<$scalar, crate::scene::NodeRef>;
        /// See [`tree::IntersectionCurve`](crate::tree::IntersectionCurve).
        pub type IntersectionCurve = crate::tree::IntersectionCurve<$scalar>;
        /// See [`tree::Geometry`](crate::tree::Geometry).
        pub type Geometry = crate::tree::Geometry<$scalar>;
        /// See [`tree::ObbTree`](crate::tree::ObbTree).
        pub type ObbTree = crate::tree::ObbTree<$scalar>;
        /// See [`model::Model`](crate::model::Model).
        pub type Model = crate::model::Model<$scalar>;
        /// See [`scene::Scene`](crate::scene::Scene).
        pub type Scene = crate::scene::Scene<$scalar>;
        /// See [`scene::Spawn`](crate::scene::Spawn).
        pub type Spawn = crate::scene::Spawn<$scalar>;
        /// See [`scene::Attachment`](crate::scene::Attachment).
        pub type Attachment = crate::scene::Attachment<$scalar>;
        /// See [`scene::Buffers`](crate::scene::Buffers).
        pub type Buffers = crate::scene::Buffers<$scalar>;
        /// See [`scene::Snapshot`](crate::scene::Snapshot).
        pub type Snapshot<'a> = crate::scene::Snapshot<'a, $scalar>;
        /// See [`scene::OwnedSnapshot`](crate::scene::OwnedSnapshot).
        pub type OwnedSnapshot = crate::scene::OwnedSnapshot<$scalar>;
        /// See [`scene::Hits`](crate::scene::Hits).
        pub type Hits = crate::scene::Hits<$scalar>;
        /// See [`scene::Hit`](crate::scene::Hit).
        pub type Hit = crate::scene::Hit<$scalar>;
        /// See [`scene::Report`](crate::scene::Report).
        pub type Report = crate::scene::Report<$scalar>;
        /// See [`load::Loader`](crate::load::Loader).
        pub type Loader<'w> = crate::load::Loader<'w, $scalar>;
        /// See [`load::Loaded`](crate::load::Loaded).
        pub type Loaded = crate::load::Loaded<$scalar>;
    };
}

names_for!(f32);

/// Names for double precision.
///
/// Poses, geometry and answers are `f64`; types without numbers are those of the root.
pub mod f64 {
    pub use crate::{
        Accuracy, Batch, Build, CharacterKey, CollisionGroups, Counts, Detail, Error, HitMode,
        IgnoredSide, NodeId, NodeRef, NormalHint, PairQuery, PartId, QueryFilter, SelfQuery,
        SimdLevel, UpAxis,
    };

    names_for!(f64);
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
