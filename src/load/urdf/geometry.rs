//! Geometry of a robot's parts, from the shapes of its links or bodies.

use nalgebra::{Point3, Vector3};

use super::round_shape::RoundShape;
use super::tessellation;
use crate::error::Error;
use crate::load::Warning;
use crate::load::meshes::Soup;
use crate::num::Scalar;
use crate::pair::ConvexShape;
use crate::shape::{ConvexHull, Mesh, Obb, Pose};
use crate::tree::Geometry;

/// A shape in the frame of its link or body.
pub(in crate::load) enum RobotShape {
    /// A box, by its pose and half its sides.
    Box(Pose<f64>, Vector3<f64>),
    Round(RoundShape),
    /// The convex hull of its corners.
    #[cfg_attr(not(feature = "mjcf"), allow(dead_code))]
    Hull(Vec<Point3<f64>>),
    /// The triangles of a mesh, and its name.
    Triangles {
        soup: Soup,
        name: String,
    },
}

/// Largest number of corners of all hulls of a robot: finding the faces takes the square of each
/// count.
const MAX_CORNERS: usize = 1 << 18;
/// Largest number of triangles of a robot: a short file that names one mesh many times must not
/// exhaust the memory.
const MAX_TRIANGLES: usize = 8_000_000;

/// Builds the geometry of parts, within the limits of a robot.
pub(in crate::load) struct GeometryBuilder {
    /// `true` if triangles own their inside.
    solid: bool,
    corners: usize,
    triangles: usize,
}

impl GeometryBuilder {
    pub fn new(solid: bool) -> Self {
        GeometryBuilder { solid, corners: 0, triangles: 0 }
    }

    /// Counts a shape that was read; an error if the robot exceeds a limit with it.
    pub fn count(&mut self, shape: &RobotShape) -> Result<(), String> {
        match shape {
            RobotShape::Hull(corners) => {
                self.corners += corners.len();
                check_limit(self.corners, MAX_CORNERS, "corners of convex hulls")
            }
            RobotShape::Triangles { soup, .. } => self.count_triangles(soup),
            // Becomes triangles only beside a mesh, and is counted then.
            RobotShape::Box(..) | RobotShape::Round(_) => Ok(()),
        }
    }

    fn count_triangles(&mut self, soup: &Soup) -> Result<(), String> {
        self.triangles += soup.0.len();
        check_limit(self.triangles, MAX_TRIANGLES, "triangles")
    }

    /// Builds the geometry of a part from its shapes, already counted: boxes if all shapes are
    /// boxes; primitives if no shape has triangles; else a mesh, with triangles around round
    /// shapes.
    pub fn build<T: Scalar>(
        &mut self,
        shapes: Vec<RobotShape>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Geometry<T>, String> {
        if shapes.is_empty() {
            return Ok(Geometry::None);
        }
        let boxed = |shape: &RobotShape| match shape {
            RobotShape::Box(pose, half) => Some(oriented::<T>(pose, half)),
            _ => None,
        };
        let boxes: Option<Result<Vec<Obb<T>>, String>> = shapes.iter().map(boxed).collect();
        if let Some(boxes) = boxes {
            return boxes.map(Geometry::Boxes);
        }
        let convex: Option<Result<Vec<_>, _>> = shapes.iter().map(RobotShape::convex).collect();
        if let Some(convex) = convex {
            return convex.map(Geometry::Convex);
        }
        let mesh = |shape| self.mesh(shape, warnings);
        let mesh = merged_mesh(shapes.into_iter().map(mesh).collect::<Result<_, _>>()?)?;
        Ok(if self.solid { Geometry::Solid(mesh) } else { Geometry::Surface(mesh) })
    }

    fn mesh<T: Scalar>(
        &mut self,
        shape: RobotShape,
        warnings: &mut Vec<Warning>,
    ) -> Result<Mesh<T>, String> {
        let (soup, name) = match shape {
            RobotShape::Box(pose, half) => (
                tessellation::transformed_by_pose(tessellation::cuboid(half), &pose),
                "box".to_owned(),
            ),
            RobotShape::Round(shape) => {
                let soup = shape.soup();
                self.count_triangles(&soup)?;
                (soup, shape.name().to_owned())
            }
            RobotShape::Hull(corners) => (hull_soup(&corners)?, "hull".to_owned()),
            RobotShape::Triangles { soup, name } => (soup, name),
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

fn check_limit(count: usize, most: usize, kind: &str) -> Result<(), String> {
    match count <= most {
        true => Ok(()),
        false => Err(format!("more than {most} {kind}")),
    }
}

/// Returns the triangles of a convex hull.
fn hull_soup(corners: &[Point3<f64>]) -> Result<Soup, String> {
    let hull = ConvexHull::new(corners).map_err(|error| error.to_string())?;
    let corner = |index: u32| hull.corners()[index as usize];
    Ok(Soup(hull.triangles().iter().map(|face| face.map(corner)).collect()))
}

impl RobotShape {
    /// Returns the shape as a primitive; `None` if it has triangles.
    fn convex<T: Scalar>(&self) -> Option<Result<ConvexShape<T>, String>> {
        Some(match self {
            RobotShape::Box(pose, half) => oriented::<T>(pose, half).map(Into::into),
            RobotShape::Round(shape) => shape.convex(),
            RobotShape::Hull(corners) => {
                let corners: Vec<Point3<T>> =
                    corners.iter().map(|corner| corner.map(T::nearest)).collect();
                ConvexHull::new(&corners).map(Into::into).map_err(|error| error.to_string())
            }
            RobotShape::Triangles { .. } => return None,
        })
    }
}

fn oriented<T: Scalar>(pose: &Pose<f64>, half: &Vector3<f64>) -> Result<Obb<T>, String> {
    let axes = pose.rotation.to_rotation_matrix().into_inner().map(T::nearest);
    let center = Point3::from(pose.translation.vector.map(T::nearest));
    Obb::new(center, axes, half.map(T::at_least)).map_err(|error| error.to_string())
}

/// Merges meshes; closed meshes remain closed.
fn merged_mesh<T: Scalar>(meshes: Vec<Mesh<T>>) -> Result<Mesh<T>, String> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for mesh in &meshes {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(mesh.vertices());
        triangles.extend(mesh.triangles().iter().map(|corners| corners.map(|v| v + first)));
    }
    Mesh::new(vertices, triangles).map_err(|error| error.to_string())
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn shapes_are_counted_up_to_the_limit_of_a_robot() {
        let hull = |corners: usize| RobotShape::Hull(vec![Point3::origin(); corners]);
        let mut builder = GeometryBuilder::new(true);
        assert_eq!(builder.count(&hull(MAX_CORNERS - 1)), Ok(()));
        assert_eq!(builder.count(&RobotShape::Box(Pose::identity(), Vector3::x())), Ok(()));
        assert_eq!(builder.count(&hull(1)), Ok(()));
        let refused = Err("more than 262144 corners of convex hulls".to_owned());
        assert_eq!(builder.count(&hull(1)), refused);
        let soup = Soup(vec![[Point3::origin(); 3]; 2]);
        let mut builder = GeometryBuilder { triangles: MAX_TRIANGLES - 3, ..builder };
        let mesh = RobotShape::Triangles { soup, name: "m".to_owned() };
        assert_eq!(builder.count(&mesh), Ok(()));
        let refused = Err("more than 8000000 triangles".to_owned());
        assert_eq!(builder.count(&mesh), refused);
    }
}
