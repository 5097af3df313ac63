//! Pairs of shapes: do they touch, and where.
//!
//! Every shape has the methods `intersects`, `closest_points`, `distance` and `contact`, which take
//! another shape, in either order, as far as the table has the pair (a plane's `distance` takes a
//! point); a ray has [`cast`](crate::shape::Ray::cast). Traits of those questions
//! ([`IntersectsQuery`], [`ClosestPointsQuery`], [`ContactQuery`], [`RayCastQuery`]) are there for
//! code that is generic; nobody else need import them.
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
//! assert_eq!(up.cast(&ball).map(|hit| hit.time_of_impact), Some(1.5));
//! # Ok::<(), boxwood::Error>(())
//! ```
//!
//! Numbers in brackets are sections of Ericson, Real-Time Collision Detection (2005). A sphere is
//! all within its radius of a point, a capsule of a segment: their *middles*. A plane is its solid
//! side.
//!
//! | pair | intersects | closest_points, distance | contact |
//! |---|---|---|---|
//! | sphere, sphere | distance of the middles against the radii | difference | between the middles, else the least of their overlaps |
//! | sphere, capsule | distance of the middles against the radii | projection on the line, cut (5.1.2) | between the middles, else the least of their overlaps |
//! | sphere, segment | distance of the middles against the radii | projection on the line, cut (5.1.2) | - |
//! | sphere, triangle | distance of the middles against the radii | foot in the plane, or on the edges outside which it is (5.1.5) | between the middles, else the least of their overlaps |
//! | sphere, aabb | distance of the middles against the radii | cut to the sides (5.1.3) | between the middles, else the least of their overlaps |
//! | sphere, obb | distance of the middles against the radii | cut to the sides along the axes (5.1.4) | between the middles, else the least of their overlaps |
//! | capsule, capsule | distance of the middles against the radii | both lines, cut in turn (5.1.9) | between the middles, else the least of their overlaps |
//! | capsule, segment | distance of the middles against the radii | both lines, cut in turn (5.1.9) | - |
//! | capsule, triangle | distance of the middles against the radii | piercing, else edges and ends (5.1.10) | between the middles, else the least of their overlaps |
//! | capsule, aabb | distance of the middles against the radii | where the slope of the squared distance changes sign | between the middles, else the least of their overlaps |
//! | capsule, obb | distance of the middles against the radii | the same along the axes | between the middles, else the least of their overlaps |
//! | segment, segment | apart by one determinant or the closest points, else exactly | both lines, cut in turn (5.1.9) | - |
//! | segment, triangle | signs of 5 determinants, else exactly | piercing, else edges and ends (5.1.10) | - |
//! | segment, aabb | 6 axes (5.3.3), else exactly | where the slope of the squared distance changes sign | - |
//! | segment, obb | 6 axes (5.3.3), else exactly | the same along the axes | - |
//! | triangle, triangle | signs of 15 determinants, else exactly | 6 piercings if they meet, else 9 edge pairs and 6 corners | - |
//! | triangle, aabb | 13 axes and clipping, else exactly | 3 edges, the nearest corner, or a diagonal through the plane | - |
//! | triangle, obb | 13 axes and clipping, else exactly | the same along the axes | - |
//! | aabb, aabb | 6 comparisons | axis by axis | least overlap of the axes |
//! | aabb, obb | 15 axes with slack | the corner that faces the other and its edges, in turn; else 12 and 12 edges | least overlap of the 15 axes |
//! | obb, obb | 15 axes with slack | the corner that faces the other and its edges, in turn; else 12 and 12 edges | least overlap of the 15 axes |
//! | plane, sphere | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, capsule | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, segment | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, triangle | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, aabb | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, obb | height of the lowest point | the lowest point and its foot | the lowest point |
//! | polygon, sphere | distance of the middles against the radii | feet of the ends inside, else the edges | between the cores, else EPA (van den Bergen, 2001) |
//! | polygon, capsule | distance of the middles against the radii | piercing, else edges and feet of the ends (5.1.10) | between the cores, else EPA (van den Bergen, 2001) |
//! | polygon, segment | distance against rounding | piercing, else edges and feet of the ends (5.1.10) | - |
//! | frustum, sphere | its middle inside, else the ball against 12 triangles of the faces | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | frustum, capsule | an end of its middle inside, else the capsule against 12 triangles of the faces | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | frustum, segment | an end inside, else the segment against 12 triangles of the faces | GJK (9.5) | - |
//! | frustum, triangle | 43 axes with room for rounding (5.2.1) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | frustum, aabb | 45 axes with room for rounding (5.2.1) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | frustum, obb | 45 axes with room for rounding (5.2.1) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | cylinder, sphere | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | cylinder, capsule | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | cylinder, segment | GJK with both bounds (9.5) | GJK (9.5) | - |
//! | cylinder, triangle | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | cylinder, obb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | cylinder, cylinder | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | cylinder, ellipsoid | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | cylinder, hull | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | ellipsoid, sphere | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | ellipsoid, capsule | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | ellipsoid, segment | GJK with both bounds (9.5) | GJK (9.5) | - |
//! | ellipsoid, triangle | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | ellipsoid, obb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | ellipsoid, ellipsoid | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | ellipsoid, hull | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | hull, sphere | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | hull, capsule | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | hull, segment | GJK with both bounds (9.5) | GJK (9.5) | - |
//! | hull, triangle | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | hull, obb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | hull, hull | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | cylinder, aabb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | ellipsoid, aabb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | hull, aabb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | frustum, cylinder | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | frustum, ellipsoid | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | frustum, hull | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | frustum, frustum | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | polygon, triangle | GJK with both bounds (9.5) | GJK (9.5) | - |
//! | polygon, aabb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | polygon, obb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | polygon, polygon | GJK with both bounds (9.5) | GJK (9.5) | - |
//! | polygon, cylinder | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | polygon, ellipsoid | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | polygon, hull | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | polygon, frustum | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, sphere | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, capsule | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, segment | GJK with both bounds (9.5) | GJK (9.5) | - |
//! | kdop, triangle | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, aabb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, obb | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, cylinder | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, ellipsoid | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, hull | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, polygon | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, frustum | GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, kdop | of two kinds: GJK with both bounds (9.5) | GJK (9.5) | between the cores, else EPA (van den Bergen, 2001) |
//! | kdop, kdop | of one kind: the intervals | - | - |
//! | plane, cylinder | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, ellipsoid | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, hull | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, polygon | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, frustum | height of the lowest point | the lowest point and its foot | the lowest point |
//! | plane, kdop | height of the lowest point | the lowest point and its foot | the lowest point |
//!
//! | ray against | cast |
//! |---|---|
//! | sphere | quadratic about the nearest point of the line |
//! | ellipsoid | the same, measured in its radii |
//! | capsule | the wall between the ends, else the ball at one (5.3.7) |
//! | segment | as a capsule without a radius |
//! | cylinder | a point that goes along the ray, by GJK |
//! | hull | a point that goes along the ray, by GJK |
//! | triangle | signs of three edges |
//! | aabb | three pairs of planes (5.3.3) |
//! | obb | the same along the axes |
//! | kdop | the pairs of planes it has, in space |
//! | frustum | six pairs of planes along its faces, and the aligned box around it |
//! | plane | height over slope; the solid side |
//!
//! An [`Aabb`](crate::shape::Aabb) of any dimension meets its own kind: `intersects`,
//! [`intersection`](crate::shape::Aabb::intersection), `contact`. More of planes: [`plane`]. Many
//! pairs of oriented boxes at once: [`Batch`]. On the way, boxes and balls: [`Sweep`].
//!
//! # What is certain
//! Touching counts; `distance` is zero exactly where `intersects` says yes, and `contact` is `None`
//! exactly where it says no. Swapping the arguments gives the reversed answer, bit for bit: the
//! arithmetic runs in an order fixed by kind, and for equals by the bits, not by who is called
//! `self`.
//!
//! Everything is computed in double precision. Among segments, triangles and boxes, and with balls
//! and capsules of radius zero, `intersects` is exact on the numbers as stored; except that two
//! boxes of which one is oriented have the slack of [`tolerance`](crate::num::tolerance): they are
//! never missed, and may be called touching when they are not quite. Where a radius comes in, pairs
//! within some `1e-15` of their sizes and coordinates from touching may be told either way, and
//! against the solid side of a plane too. An oriented box is right-angled only up to the rounding
//! of its scalar, and distances to it share that error. Sizes below `1e-70` of a unit have squares
//! that vanish: do not go there.
//!
//! With cylinders, ellipsoids and hulls (of points, [`ConvexHull`](crate::shape::ConvexHull)) two
//! count as apart where a direction shows it beyond rounding, and as touching otherwise: those
//! within `2^-42` of their sizes and coordinates from touching may be told either way. Closest
//! points lie in their bodies up to `2^-40` of the sizes, however much these differ. The depth of a
//! contact is always enough to part the two along the normal; that no direction needs less is
//! measured, not proven: of 151,000 pairs of all kinds that overlap, none was deeper than the least
//! of a dense search by more than `1e-8` of the sizes. A [`ConvexShape`] is any of them, balls,
//! capsules, boxes and triangles.
//!
//! A frustum is all between its eight corners, which rounding may have moved out of the planes of
//! its faces. Against boxes and triangles nothing that shares a point with it is told apart, and
//! where its faces are flat only what is within some `1e-14` of all coordinates from touching may
//! be called touching. Faces that are not flat - by rounding of the corners, or because any eight
//! points were given - have more normals than are asked: beside them that may be called touching
//! which is about as far off as their corners are out of one plane, and more where the frustum is
//! thin. Against balls, capsules and segments each of its faces is two triangles, told as triangles
//! are. Closest points and contacts are those of the hull of its corners, with what is certain of
//! hulls above, and where one of these tests says touching, they touch. Against all others it is
//! that hull alone.
//!
//! A polygon is all between the feet of its corners in its plane. Against balls, capsules and
//! segments it touches what is within some `1e-14` of the sizes of it; against all others it is the
//! hull of those feet, with what is certain of hulls above. It is flat, as triangles are: of two
//! flat shapes there are no contacts.
//!
//! A k-DOP in space ([`Dop14`](crate::shape::Dop14), [`Dop18`](crate::shape::Dop18),
//! [`SpaceDop8`](crate::shape::SpaceDop8)) is all between its planes, as stored: nothing that
//! shares a point with what it was made around is told apart from it, a plane's solid side included.
//! It is grown by `2^-44` of its largest bound, so that those within `2^-41` of their sizes and
//! coordinates from touching may be told either way, and contacts are as much deeper. Intervals
//! without an end are cut at 256 times the farthest number of both, which are the sizes then. Two
//! of one kind are told by their intervals alone: a no is certain, a yes is not.

mod aabb_aabb;
mod aabb_obb;
pub(crate) mod apart;
mod batch;
pub(crate) mod block;
pub(crate) mod box_contact;
mod cast;
pub mod contact;
pub(crate) mod contact_batch;
pub(crate) mod convex;
pub(crate) mod crossing;
mod flat_block;
mod frustum;
mod half_space;
mod kdop;
mod methods;
pub(crate) mod near;
mod obb_distance;
mod obb_obb;
mod pairs;
mod part;
pub mod plane;
mod point;
mod polygon;
mod questions;
mod results;
mod round;
pub(crate) mod rounded_passage;
mod segment;
mod signs;
pub(crate) mod sweep;
mod triangle;
pub(crate) mod triangles;

pub use batch::Batch;
pub use cast::RayCastQuery;
pub use convex::ConvexShape;
pub use questions::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
pub(crate) use results::rounded;
pub use results::{CastHit, ClosestPoints, Contact};
pub use sweep::Sweep;
pub(crate) use sweep::{nearest_on_outline, sweep_to_outline};
