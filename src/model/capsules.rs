//! Models whose parts are one capsule each.

use std::sync::Arc;

use super::{Model, Part, builder};
use crate::error::Error;
use crate::fit::{Ball, CapsuleEffort, fit_capsule};
use crate::num::linear::{Vec3, length};
use crate::num::{Scalar, tolerance};
use crate::pair::ConvexShape;
use crate::shape::{Capsule, Mesh, Obb, wide_point};
use crate::tree::{Build, Geometry, ObbTree};

impl<T: Scalar> Model<T> {
    /// Returns the model with one capsule for each part, around all of its geometry: cheap
    /// hitboxes. Every touch of the geometry is a touch of the capsule, so nothing is missed; extra
    /// reports are of the space between the two.
    ///
    /// Ids, names, parents, bind poses, the callers' numbers, groups, ignored pairs and margins are
    /// unchanged, so poses, clips and robots of the model still fit; parts without geometry remain
    /// empty. The [fingerprint](Model::fingerprint) differs.
    ///
    /// A capsule is fitted like [`Capsule::from_points`]: to the corners of triangles, boxes and
    /// convex hulls, and to balls and capsules by their ends and radius. A cylinder and an
    /// ellipsoid count as the corners of the box around them, which makes the capsule larger than
    /// necessary. A part that is a single ball or capsule is kept.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a radius that is too large, in [`Error::Part`] naming the part.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Build, Geometry, Model, Obb};
    ///
    /// let bone = Obb::from_pose(&Isometry3::identity(), Vector3::new(0.1, 0.5, 0.1))?;
    /// let arm = Model::builder()
    ///     .part("shoulder", None, Geometry::None)
    ///     .part("arm", Some("shoulder"), Geometry::Boxes(vec![bone]))
    ///     .build(&Build::default())?;
    /// let hitboxes = arm.capsules()?;
    /// assert!(hitboxes.parts()[0].tree().is_none());
    /// let arm = hitboxes.parts()[1].tree().expect("geometry");
    /// assert!(matches!(arm.geometry(), Geometry::Convex(shapes) if shapes.len() == 1));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn capsules(&self) -> Result<Arc<Self>, Error> {
        let part = |part: &Part<T>| capsule_part(part).map_err(|error| error.in_part(&part.name));
        let parts = self.parts.iter().map(part).collect::<Result<_, _>>()?;
        Ok(builder::finish_model(parts, self.rules.clone()))
    }
}

fn capsule_part<T: Scalar>(part: &Part<T>) -> Result<Part<T>, Error> {
    let tree = match &part.tree {
        None => None,
        Some(tree) => {
            let (geometry, effort) = (tree.geometry(), CapsuleEffort::Thorough);
            let capsule = capsule_around(geometry, || geometry_balls(geometry), effort)?;
            let shapes = vec![ConvexShape::Capsule(capsule)];
            Some(ObbTree::build(Geometry::Convex(shapes), &Build::default())?)
        }
    };
    Ok(Part { tree, ..part.clone() })
}

/// Returns a capsule around all of a geometry that is not empty: itself, if it is a single capsule
/// or ball, else one that is fitted to balls whose convex hull contains it.
pub(super) fn capsule_around<T: Scalar>(
    geometry: &Geometry<T>,
    balls: impl FnOnce() -> Vec<Ball>,
    effort: CapsuleEffort,
) -> Result<Capsule<T>, Error> {
    match geometry {
        Geometry::Convex(shapes) => match &shapes[..] {
            [ConvexShape::Capsule(capsule)] => Ok(*capsule),
            [ConvexShape::Sphere(ball)] => Ok(Capsule::from(*ball)),
            _ => fit_capsule(balls(), effort),
        },
        _ => fit_capsule(balls(), effort),
    }
}

/// Returns balls whose convex hull contains a geometry.
pub(super) fn geometry_balls<T: Scalar>(geometry: &Geometry<T>) -> Vec<Ball> {
    let mut balls = Vec::new();
    match geometry {
        Geometry::None => {}
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => add_mesh_corners(mesh, &mut balls),
        Geometry::Boxes(boxes) => boxes.iter().for_each(|block| add_box_corners(block, &mut balls)),
        Geometry::Convex(shapes) => {
            shapes.iter().for_each(|shape| add_hull_balls(shape, &mut balls));
        }
    }
    balls
}

/// Adds the corners of the triangles; skips vertices that no triangle uses.
fn add_mesh_corners<T: Scalar>(mesh: &Mesh<T>, balls: &mut Vec<Ball>) {
    let mut used = vec![false; mesh.vertices().len()];
    for corner in mesh.triangles().iter().flatten() {
        used[*corner as usize] = true;
    }
    let vertices = std::iter::zip(mesh.vertices(), used).filter(|(_, used)| *used);
    balls.extend(vertices.map(|(&vertex, _)| Ball::point(wide_point(vertex))));
}

/// Adds the corners of a box, as balls with the radius of their rounding error.
fn add_box_corners<T: Scalar>(block: &Obb<T>, balls: &mut Vec<Ball>) {
    let wide = block.wide();
    let radius = tolerance::FIT_PAD * (length(wide.center) + length(wide.half_extents));
    balls.extend(wide.corners().map(|center| Ball { center, radius }));
}

/// Adds balls whose convex hull contains a convex primitive.
fn add_hull_balls<T: Scalar>(shape: &ConvexShape<T>, balls: &mut Vec<Ball>) {
    let ball = |center: Vec3, radius: T| Ball { center, radius: radius.wide() };
    match shape {
        ConvexShape::Sphere(sphere) => {
            balls.push(ball(wide_point(sphere.center()), sphere.radius()));
        }
        ConvexShape::Capsule(capsule) => {
            balls.extend(capsule.segment().wide().map(|end| ball(end, capsule.radius())));
        }
        ConvexShape::Box(block) => add_box_corners(block, balls),
        ConvexShape::Hull(hull) => {
            balls.extend(hull.corners().iter().map(|&corner| Ball::point(wide_point(corner))));
        }
        ConvexShape::Triangle(triangle) => {
            balls.extend(triangle.corners().map(|corner| Ball::point(wide_point(corner))));
        }
        ConvexShape::Cylinder(_) | ConvexShape::Ellipsoid(_) => {
            add_box_corners(&shape.fitted(), balls);
        }
    }
}
