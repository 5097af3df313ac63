//! The geometry of a part, from the shapes of its body.

use nalgebra::{Point3, Vector3};

use crate::error::Error;
use crate::load::Warning;
use crate::load::meshes::Soup;
use crate::load::urdf::collision::{joined, oriented};
use crate::load::urdf::round;
use crate::load::urdf::round_shape::RoundShape;
use crate::num::Scalar;
use crate::pair::ConvexShape;
use crate::shape::{ConvexHull, Mesh, Obb, Pose};
use crate::tree::Geometry;

/// A shape in the frame of its body.
pub(super) enum MjcfShape {
    /// A box, by its pose and half its sides.
    Box(Pose<f64>, Vector3<f64>),
    Round(RoundShape),
    /// The convex hull of its corners.
    Hull(Vec<Point3<f64>>),
    /// The triangles of a mesh.
    Triangles {
        soup: Soup,
        mesh: String,
    },
}

/// The most corners of all hulls of a robot: finding the faces takes the square of each count.
const MOST_CORNERS: usize = 1 << 18;
/// The most triangles of a robot.
const MOST_TRIANGLES: usize = 8_000_000;

/// Builds the geometry of parts, within the limits of a robot.
pub(super) struct GeometryBuilder {
    /// `true` if triangles own their inside.
    pub solid: bool,
    corners: usize,
    triangles: usize,
}

impl GeometryBuilder {
    pub fn new(solid: bool) -> Self {
        GeometryBuilder { solid, corners: 0, triangles: 0 }
    }

    /// The geometry of a body: boxes if all shapes are boxes; the shapes as they are if none is
    /// given by triangles; else a mesh, with triangles around what is round.
    pub fn build<T: Scalar>(
        &mut self,
        shapes: Vec<MjcfShape>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Geometry<T>, String> {
        if shapes.is_empty() {
            return Ok(Geometry::None);
        }
        self.count(&shapes)?;
        let boxed = |shape: &MjcfShape| match shape {
            MjcfShape::Box(pose, half) => Some(oriented::<T>(pose, half)),
            _ => None,
        };
        let boxes: Option<Result<Vec<Obb<T>>, String>> = shapes.iter().map(boxed).collect();
        if let Some(boxes) = boxes {
            return boxes.map(Geometry::Boxes);
        }
        let convex: Option<Result<Vec<_>, _>> = shapes.iter().map(MjcfShape::convex).collect();
        if let Some(convex) = convex {
            return convex.map(Geometry::Convex);
        }
        let mesh = |shape| self.mesh(shape, warnings);
        let mesh = joined(shapes.into_iter().map(mesh).collect::<Result<_, _>>()?)?;
        Ok(if self.solid { Geometry::Solid(mesh) } else { Geometry::Surface(mesh) })
    }

    fn count(&mut self, shapes: &[MjcfShape]) -> Result<(), String> {
        for shape in shapes {
            match shape {
                MjcfShape::Hull(corners) => self.corners += corners.len(),
                MjcfShape::Triangles { soup, .. } => self.triangles += soup.0.len(),
                MjcfShape::Box(..) | MjcfShape::Round(_) => {}
            }
        }
        if self.corners > MOST_CORNERS {
            return Err(format!("more than {MOST_CORNERS} corners of convex hulls with this one"));
        }
        if self.triangles > MOST_TRIANGLES {
            return Err(format!("more than {MOST_TRIANGLES} triangles with this one"));
        }
        Ok(())
    }

    fn mesh<T: Scalar>(
        &self,
        shape: MjcfShape,
        warnings: &mut Vec<Warning>,
    ) -> Result<Mesh<T>, String> {
        let (soup, name) = match shape {
            MjcfShape::Box(pose, half) => {
                (round::placed(round::cuboid(half), &pose), "box".to_owned())
            }
            MjcfShape::Round(shape) => (shape.soup(), shape.name().to_owned()),
            MjcfShape::Hull(corners) => (hull_soup(&corners)?, "hull".to_owned()),
            MjcfShape::Triangles { soup, mesh } => (soup, mesh),
        };
        let said = |error: Error| format!("'{name}': {error}");
        if !self.solid {
            return soup.mesh().map_err(said);
        }
        let (mesh, open) = soup.solid().map_err(said)?;
        if let Some(edges) = open {
            let warning = Warning::Capped { mesh: name, edges };
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        Ok(mesh)
    }
}

/// The triangles of a convex hull.
fn hull_soup(corners: &[Point3<f64>]) -> Result<Soup, String> {
    let hull = ConvexHull::new(corners).map_err(|error| error.to_string())?;
    let corner = |index: u32| hull.corners()[index as usize];
    Ok(Soup(hull.triangles().iter().map(|face| face.map(corner)).collect()))
}

impl MjcfShape {
    /// The shape as it is; `None` if it is given by triangles.
    fn convex<T: Scalar>(&self) -> Option<Result<ConvexShape<T>, String>> {
        Some(match self {
            MjcfShape::Box(pose, half) => oriented::<T>(pose, half).map(Into::into),
            MjcfShape::Round(shape) => shape.convex(),
            MjcfShape::Hull(corners) => {
                let corners: Vec<Point3<T>> =
                    corners.iter().map(|corner| corner.map(T::nearest)).collect();
                ConvexHull::new(&corners).map(Into::into).map_err(|error| error.to_string())
            }
            MjcfShape::Triangles { .. } => return None,
        })
    }
}
