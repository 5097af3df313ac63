//! 2D collision: oriented boxes, convex polygons, circles and axis-aligned boxes, at rest and
//! swept.
//!
//! Read [`Shape`] first, the trait of all four shapes: overlap, distance and contact of any two.
//! [`Sweep`](crate::pair::Sweep) has their time of impact. [`Obb2`] and [`ConvexPolygon`] are the
//! types of this module; a circle is a [`Sphere`](crate::shape::Sphere) of two dimensions, an
//! axis-aligned box an [`Aabb`](crate::shape::Aabb) of two. Methods have the names of the 3D
//! shapes: `contains`, `closest_point`, `support`, `aabb`, `volume` (here the area), `transformed`.
//! Counter-clockwise is positive, with x to the right and y up.
//!
//! | pair | overlap, contact | sweep |
//! |---|---|---|
//! | [`Obb2`] and [`Obb2`] | 4 axes: two directions of each | the intervals of these |
//! | [`ConvexPolygon`] and [`ConvexPolygon`] | the normals of all edges | the intervals of these |
//! | [`Obb2`] and [`ConvexPolygon`] | two directions and the normals of the edges: 5 axes with a triangle | the intervals of these |
//! | axis-aligned box and axis-aligned box | 4 comparisons ([`Aabb::intersects`](crate::shape::Aabb::intersects)) | the intervals of the axes |
//! | axis-aligned box and another | as an [`Obb2`] | as an [`Obb2`] |
//! | circle and circle | the distance of the centres | the chord |
//! | circle and another | the nearest point of the outline | the edges moved outward, and circles at the corners |
//!
//! `distance` is measured from a corner to the edge whose direction separates the two the most, or
//! to an end of it; for boxes, from a corner to the other box. Circles and axis-aligned boxes have
//! it from [`Shape`]: `Shape::distance(&a, &b)`.
//!
//! ```
//! use boxwood::nalgebra::{Point2, Vector2};
//! use boxwood::pair::Sweep;
//! use boxwood::planar::Obb2;
//! use boxwood::shape::Sphere;
//!
//! let (axis, half) = (Vector2::new(0.6, 0.8), Vector2::new(5.0, 1.0));
//! let plank = Obb2::<f64>::new(Point2::new(0.0, 0.0), axis, half)?;
//! let ball = Sphere::new(Point2::new(-4.0, 3.0), 4.5)?;
//! let contact = plank.contact(&ball).expect("they touch");
//! assert!((contact.normal - Vector2::new(-0.8, 0.6)).norm() < 1e-15);
//! assert!((contact.depth - 0.5).abs() < 1e-12);
//! assert!(ball.sweep(Vector2::new(-9.0, 0.0), &plank).expect("a hit").started_inside);
//! # Ok::<(), boxwood::Error>(())
//! ```

mod circle_or_aabb;
mod contact;
mod core;
mod distance;
mod edge;
mod moving_circle;
mod obb;
mod outline;
mod outline_pair;
mod polygon;
mod shape;
mod sweep;
mod transformed;
mod vector;

pub use obb::Obb2;
pub use polygon::ConvexPolygon;
pub use shape::Shape;

collect_tests!(contact);
