//! Queries of two shapes: overlap, closest points, distance, contact, ray cast, sweep.
//!
//! Trees and scenes use the same kernels for their primitives. Use this room directly where a scene
//! would be too much: the shapes have the queries as methods, and either shape may come first.
//!
//! | method | result | trait |
//! |---|---|---|
//! | `a.intersects(&b)` | `bool` | [`IntersectsQuery`] |
//! | `a.closest_points(&b)`, `a.distance(&b)` | [`ClosestPoints`], a length | [`ClosestPointsQuery`] |
//! | `a.contact(&b)` | [`Contact`], `None` if disjoint | [`ContactQuery`] |
//! | `a.separating_axis(&b)` | [`SeparatingAxis`], `None` if they touch | [`SeparatingAxisQuery`] |
//! | [`ray.cast(&b)`](crate::shape::Ray::cast) | [`RayHit`], `None` if missed | [`RayCastQuery`] |
//! | `a.sweep(displacement, &b)` | [`CastHit`], `None` if they never touch | [`Sweep`] |
//!
//! Only sweeps and generic code import a trait. A plane's `distance` takes a point; more of planes:
//! [`plane`]. Many pairs of oriented boxes at once: [`Batch`]. A shape of any convex kind:
//! [`ConvexShape`]. Contact points of boxes: [`contact`].
//!
//! ```
//! use boxwood::nalgebra::Point3;
//! use boxwood::shape::{Aabb, Capsule, Ray, Segment, Sphere};
//!
//! let crate_ = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
//! let ball = Sphere::new(Point3::new(0.0, 3.0, 0.0), 1.5)?;
//! let spine = Segment::new(Point3::new(0.0, 1.5, -1.0), Point3::new(0.0, 1.5, 1.0))?;
//! let body = Capsule::new(spine, 0.75)?;
//! assert_eq!(crate_.distance(&ball), 0.5);
//! assert!(body.intersects(&crate_) && crate_.intersects(&body));
//! assert_eq!(body.contact(&crate_).map(|touch| touch.depth), Some(0.25));
//! let up = Ray::through(Point3::origin(), Point3::new(0.0, 9.0, 0.0))?.expect("two points");
//! assert_eq!(up.cast(&ball).map(|hit| hit.distance), Some(1.5));
//! # Ok::<(), boxwood::Error>(())
//! ```
//!
//! # How the room is built
//! Two engines answer most pairs.
//! - *Cores.* A ball, capsule, segment, triangle or box is a core (point, segment, triangle, box)
//!   grown by a radius. `rounded` reduces a query to the closest points of two cores (trait
//!   `CorePair`), and in an overlap to their least translation (trait `Penetration`). Closed forms
//!   decide, and exact signs of determinants where rounding could change the verdict.
//! - *Support mappings.* Cylinders, ellipsoids, hulls, polygons, frusta and k-DOPs have a farthest
//!   point along every direction (trait `Support`). `convex` runs GJK between certain bounds, and
//!   EPA for contacts.
//!
//! Read `queries` and `results` first, for what is returned; then `rounded/cores`,
//! `rounded/rounded_shape` and `rounded/queries`; then `convex/support`, `convex/gjk` and
//! `convex/penetration`. The rest are special cases: boxes (`boxes`, `obb_distance`), exact
//! triangles (`rounded/triangle_exact`, `rounded/signs`), frusta and polygons (`faceted`), planes
//! (`plane`), separating axes (`axis`), rays (`cast`), motion (`sweep`, `rounded/passage`).
//!
//! # Methods
//! A cell is a code of three: the capital is `intersects`, the small letter `closest_points` and
//! `distance`, the digit `contact`; 0 means no such query. Two k-DOPs of one kind have the second
//! code, of two kinds the first. A plane is its solid side. Numbers in brackets are sections of
//! Ericson, Real-Time Collision Detection (2005).
//!
//! | kind      | sph | cap | seg | tri | aabb | obb | pol | pla | fru | cyl | ell | hul | kdo |
//! |---|---|---|---|---|---|---|---|---|---|---|---|---|---|
//! | sphere    | Ca1 |
//! | capsule   | Cb1 | Ce1 |
//! | segment   | Cb0 | Ce0 | De0 |
//! | triangle  | Cc1 | Cf1 | Ef0 | Fh0 |
//! | aabb      | Cd1 | Cg1 | Sg0 | Ti0 | Vj2  |
//! | obb       | Cd1 | Cg1 | Sg0 | Ti0 | Bk2  | Bk2 |
//! | polygon   | Cc4 | Cf4 | Qf0 | Gm0 | Gm4  | Gm4 | Gm0 |
//! | plane     | Pl3 | Pl3 | Pl3 | Pl3 | Pl3  | Pl3 | Pl3 | 000 |
//! | frustum   | Nm4 | Nm4 | Nm0 | Xm4 | Xm4  | Xm4 | Gm4 | Pl3 | Gm4 |
//! | cylinder  | Gm4 | Gm4 | Gm0 | Gm4 | Gm4  | Gm4 | Gm4 | Pl3 | Gm4 | Gm4 |
//! | ellipsoid | Gm4 | Gm4 | Gm0 | Gm4 | Gm4  | Gm4 | Gm4 | Pl3 | Gm4 | Gm4 | Gm4 |
//! | hull      | Gm4 | Gm4 | Gm0 | Gm4 | Gm4  | Gm4 | Gm4 | Pl3 | Gm4 | Gm4 | Gm4 | Gm4 |
//! | kdop      | Gm4 | Gm4 | Gm0 | Gm4 | Gm4  | Gm4 | Gm4 | Pl3 | Gm4 | Gm4 | Gm4 | Gm4 | Gm4 K00 |
//!
//! | code | method |
//! |---|---|
//! | C | distance of the cores against the radii |
//! | D | one determinant or the closest points, else exact arithmetic |
//! | E | signs of 5 determinants, else exact arithmetic |
//! | F | signs of 15 determinants, else exact arithmetic |
//! | S | 6 axes (5.3.3), else exact arithmetic |
//! | T | 13 axes and clipping, else exact arithmetic |
//! | V | 6 comparisons |
//! | B | 15 axes with slack |
//! | P | height of the lowest point |
//! | Q | distance against rounding |
//! | N | a point of the core inside, else the shape against 12 triangles of the faces |
//! | X | 43 axes (triangle) or 45 (box), padded for rounding (5.2.1) |
//! | G | GJK with both bounds (9.5) |
//! | K | all intervals |
//! | a | difference of the centres |
//! | b | projection on the line, clamped (5.1.2) |
//! | c | foot in the plane if inside, else the nearest edge (5.1.5) |
//! | d | centre clamped to the box, along its axes (5.1.3, 5.1.4) |
//! | e | parameters on both lines, clamped in turn (5.1.9) |
//! | f | piercing point, else edges and feet of the ends (5.1.10) |
//! | g | zero of the slope of the squared distance, along the axes of the box |
//! | h | 6 piercing points if they overlap, else 9 pairs of edges and 6 corners |
//! | i | 3 edges, the nearest corner, or a diagonal through the plane, along the axes of the box |
//! | j | closest coordinates, axis by axis |
//! | k | the corner that faces the other box and its edges, in turn; else all 12 and 12 edges |
//! | l | the lowest point and its foot |
//! | m | GJK (9.5) |
//! | 1 | along the offset of the cores, else their least translation |
//! | 2 | least overlap of the axes: 3 of aligned boxes, else 15 |
//! | 3 | the lowest point |
//! | 4 | along the offset of the cores, else EPA (van den Bergen, 2001) |
//!
//! Separating axes: every pair of the table that has closest points, k-DOPs if finite. Two boxes
//! take one of the axes of their test, others the direction of the closest points.
//!
//! An [`Aabb`](crate::shape::Aabb) of any dimension has `intersects`,
//! [`intersection`](crate::shape::Aabb::intersection) and `contact` with its own kind.
//!
//! | ray against | cast |
//! |---|---|
//! | sphere | quadratic about the nearest point of the line |
//! | ellipsoid | quadratic, in coordinates scaled by the radii |
//! | capsule | the wall between the ends, else the ball at one (5.3.7) |
//! | segment | capsule of radius zero |
//! | cylinder | GJK of a point that moves along the ray |
//! | hull | GJK of a point that moves along the ray |
//! | triangle | signs of three edges |
//! | aabb | three pairs of planes (5.3.3) |
//! | obb | three pairs of planes, along the axes |
//! | kdop | its pairs of planes; k-DOPs in space only |
//! | frustum | six pairs of planes along its faces, and its aligned box |
//! | plane | height over slope; the solid side |
//!
//! # Separating axes
//! The gap of a [`SeparatingAxis`] is certain: rounded down, from the reaches of both shapes along
//! the direction as stored. So an axis is a proof that the shapes are disjoint. That there is one
//! is not promised where the gap is within rounding: of the direction, which is rounded to the
//! scalar (up to some `2^-22` of the sizes in single precision), or of the arithmetic (some `2^-44`
//! of the sizes, with cylinders, ellipsoids, hulls, polygons, frusta and k-DOPs of sizes and
//! coordinates). Then the answer is `None`, as for shapes that touch. Two boxes of which one is
//! oriented have none if `intersects` is `true` by its slack. As a proof, an axis may separate
//! shapes that `intersects` counts as touching by its rounding; so may a kept axis.
//!
//! # What is certain
//! Touching counts. `distance` is zero exactly where `intersects` is `true`, and `contact` is
//! `None` exactly where it is `false`. Swapped arguments give the reversed answer, bit for bit: the
//! order of the arithmetic depends on the kinds, and for equal kinds on the bits, not on which
//! shape is `self`.
//!
//! Everything is computed in double precision. Among segments, triangles and boxes, and with balls
//! and capsules of radius zero, `intersects` is exact for the stored numbers, with one exception:
//! two boxes of which one is oriented have the slack of [`tolerance`](crate::num::tolerance). They
//! are never missed, and may be reported when nearly touching. With a radius, or against the solid
//! side of a plane, pairs within some `1e-15` of their sizes and coordinates from touching may get
//! either verdict. An oriented box is right-angled only up to the rounding of its scalar, and
//! distances to it share that error. Squares of sizes below `1e-70` of a unit underflow: avoid such
//! shapes.
//!
//! Cylinders, ellipsoids and hulls (of points, [`ConvexHull`](crate::shape::ConvexHull)) are
//! disjoint if a direction separates them beyond rounding, and touch otherwise. Pairs within
//! `2^-42` of their sizes and coordinates from touching may get either verdict. Closest points lie
//! in their bodies up to `2^-40` of the sizes, however different these are. The depth of a contact
//! always suffices to separate the two along the normal. That no direction needs less is measured,
//! not proven: of 151,000 overlapping pairs of all kinds, none was deeper than the minimum of a
//! dense search by more than `1e-8` of the sizes. The same bounds hold for a [`ConvexShape`] of any
//! kind.
//!
//! A frustum is the hull of its eight corners, which rounding may have moved out of the planes of
//! its faces. Against boxes and triangles it never misses a common point. With flat faces, only
//! what is within some `1e-14` of all coordinates from touching may be reported in excess. Faces
//! that are not flat, by rounding or because any eight points were given, have more normals than
//! are tested: shapes about as far away as the corners are out of one plane may be reported, and
//! farther ones if the frustum is thin. Against balls, capsules and segments each face is two
//! triangles, tested exactly as triangles are. Closest points and contacts are those of the hull of
//! the corners, with the bounds of hulls above, and the verdict of these tests. Against all other
//! shapes the frustum is that hull.
//!
//! A polygon is the hull of the feet of its corners in its plane. Against balls, capsules and
//! segments it touches what is within some `1e-14` of the sizes; against all other shapes it is
//! that hull, with the bounds of hulls above. A polygon is flat, as triangles are: two flat shapes
//! have no contact.
//!
//! A k-DOP in space ([`Dop14`](crate::shape::Dop14), [`Dop18`](crate::shape::Dop18),
//! [`SpaceDop8`](crate::shape::SpaceDop8)) is the set between its stored planes: no point of the
//! shape it was made of is missed, by a plane's solid side included. It is grown by `2^-44` of its
//! largest bound, so pairs within `2^-41` of their sizes and coordinates from touching may get
//! either verdict, and contacts are that much deeper. Infinite intervals are clipped at 256 times
//! the largest coordinate of both shapes, which then are the sizes. Two k-DOPs of one kind compare
//! their intervals only: a no is certain, a yes is not.

mod axis;
pub(crate) mod boxes;
mod cast;
pub mod contact;
pub(crate) mod convex;
pub(crate) mod faceted;
mod obb_distance;
pub mod plane;
pub(crate) mod queries;
mod results;
pub(crate) mod rounded;
pub(crate) mod sweep;

pub use self::boxes::batch::Batch;
pub use self::queries::traits::{
    ClosestPointsQuery, ContactQuery, IntersectsQuery, SeparatingAxisQuery,
};
pub use cast::RayCastQuery;
pub use convex::ConvexShape;
pub(crate) use results::rounded_vector;
pub use results::{CastHit, ClosestPoints, Contact, RayHit, SeparatingAxis};
pub use sweep::Sweep;
#[cfg(feature = "levels")]
pub(crate) use sweep::{distance_to_outline, nearest_on_outline, sweep_to_outline};

collect_tests!(convex, obb_distance, rounded);
