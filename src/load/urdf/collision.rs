//! Collision geometry of a URDF link.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use nalgebra::{Matrix3, Point3, Vector3};
use roxmltree::Node;

use super::geometry::{GeometryBuilder, RobotShape};
use super::round_shape::{RoundKind, RoundShape};
use super::xml::{at, children, number, numbers, only_child, origin, required};
use super::{LinkShapes, Resolver, dae, tessellation};
use crate::load::Warning;
use crate::load::meshes::{MeshFormat, SkippedElements, Soup};
use crate::load::options::Options;
#[cfg(feature = "gltf")]
use crate::load::source::FileSource;
use crate::num::Scalar;
use crate::tree::Geometry;

/// Reads the geometry of links; each mesh file only once.
pub(super) struct LinkShapeReader<'o> {
    folder: Option<&'o Path>,
    options: &'o Options,
    meshes: HashMap<PathBuf, Rc<Soup>>,
    geometries: GeometryBuilder,
}

impl<'o> LinkShapeReader<'o> {
    pub fn new(folder: Option<&'o Path>, options: &'o Options) -> Self {
        let geometries = GeometryBuilder::new(options.solid);
        LinkShapeReader { folder, options, meshes: HashMap::new(), geometries }
    }

    /// Builds the geometry of a link.
    pub fn link_geometry<T: Scalar>(
        &mut self,
        link: Node<'_, '_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Geometry<T>, String> {
        let mut shapes = Vec::new();
        for element in self.elements(link, warnings) {
            shapes.push(self.shape(element, warnings)?);
        }
        self.geometries.build(shapes, warnings)
    }

    fn elements<'a, 'i>(
        &self,
        link: Node<'a, 'i>,
        warnings: &mut Vec<Warning>,
    ) -> Vec<Node<'a, 'i>> {
        let collisions: Vec<_> = children(link, "collision").collect();
        let visuals: Vec<_> = children(link, "visual").collect();
        match self.options.link_shapes {
            LinkShapes::Visual => visuals,
            LinkShapes::CollisionOrVisual if collisions.is_empty() => visuals,
            _ => {
                if collisions.is_empty() && !visuals.is_empty() {
                    let link = link.attribute("name").unwrap_or_default().to_owned();
                    warnings.push(Warning::NoCollision { link });
                }
                collisions
            }
        }
    }

    /// Reads the shape of a `<collision>` or `<visual>`, and counts it.
    fn shape(
        &mut self,
        element: Node<'_, '_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<RobotShape, String> {
        let pose = origin(element)?;
        let geometry = only_child(element, "geometry")?;
        let geometry = geometry.ok_or_else(|| at(element, "<geometry> is missing"))?;
        let mut shapes = geometry.children().filter(Node::is_element);
        let shape = shapes.next().ok_or_else(|| at(geometry, "it is empty"))?;
        if let Some(second) = shapes.next() {
            let first = shape.tag_name().name();
            return Err(at(
                second,
                format!("<geometry> has more than one shape; the first is <{first}>"),
            ));
        }
        let size = |name: &str| match number(shape, name)? {
            Some(size) if size < 0.0 => Err(at(shape, format!("'{name}' is negative"))),
            Some(size) => Ok(size),
            None => Err(at(shape, format!("'{name}' is missing"))),
        };
        let soup = match shape.tag_name().name() {
            "box" => {
                let sides = numbers(shape, "size")?.map(Vector3::from);
                let sides = sides.filter(|sides| sides.min() >= 0.0);
                let sides = sides.ok_or_else(|| at(shape, "the size is missing or negative"))?;
                return Ok(RobotShape::Box(pose, sides / 2.0));
            }
            "cylinder" => {
                let kind = RoundKind::Cylinder { radius: size("radius")?, length: size("length")? };
                return Ok(RobotShape::Round(RoundShape { kind, pose }));
            }
            "sphere" => {
                let kind = RoundKind::Ellipsoid(Vector3::repeat(size("radius")?));
                return Ok(RobotShape::Round(RoundShape { kind, pose }));
            }
            "capsule" => {
                let kind = RoundKind::Capsule { radius: size("radius")?, length: size("length")? };
                return Ok(RobotShape::Round(RoundShape { kind, pose }));
            }
            "mesh" => self.file(shape, warnings)?,
            other => return Err(at(shape, format!("unknown shape '{other}'"))),
        };
        let name = shape.attribute("filename").unwrap_or(shape.tag_name().name()).to_owned();
        let mesh =
            RobotShape::Triangles { soup: tessellation::transformed_by_pose(soup, &pose), name };
        self.geometries.count(&mesh).map_err(|trouble| at(shape, trouble))?;
        Ok(mesh)
    }

    /// Loads the triangles of a `<mesh>`, scaled.
    fn file(&mut self, mesh: Node<'_, '_>, warnings: &mut Vec<Warning>) -> Result<Soup, String> {
        let name = required(mesh, "filename")?;
        let said = |trouble: String| at(mesh, format!("'{name}': {trouble}"));
        let path = self.options.resolver.find(name, self.folder).map_err(said)?;
        let soup = match self.meshes.get(&path) {
            Some(known) => Rc::clone(known),
            None => {
                let soup =
                    Rc::new(triangles(&path, &self.options.resolver, warnings).map_err(said)?);
                self.meshes.insert(path, Rc::clone(&soup));
                soup
            }
        };
        let scale = Vector3::from(numbers(mesh, "scale")?.unwrap_or([1.0; 3]));
        if scale.iter().any(|&factor| factor == 0.0) {
            return Err(at(mesh, "the scale is zero"));
        }
        Ok(tessellation::transformed(&soup, &Matrix3::from_diagonal(&scale), &Vector3::zeros()))
    }
}

/// Reads the triangles of a mesh file by its extension, and warns of elements that are left out.
fn triangles(
    path: &Path,
    resolver: &Resolver,
    warnings: &mut Vec<Warning>,
) -> Result<Soup, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut skipped = SkippedElements::default();
    let soup = match ending.to_ascii_lowercase().as_str() {
        "dae" => dae::triangles(resolver.read(path)?, &mut skipped).map(|(triangles, survey)| {
            warnings.extend(survey.warnings(Some(&name)));
            Soup(triangles)
        }),
        "glb" | "gltf" => gltf(path, resolver, warnings).map(Soup),
        _ => {
            let format = MeshFormat::from_path(path);
            let format = format
                .ok_or_else(|| format!("mesh files of type '.{ending}' are not supported"))?;
            format.triangles(&resolver.read(path)?, &mut skipped)
        }
    }?;
    warnings.extend(skipped.warnings(&name));
    Ok(soup)
}

#[cfg(feature = "gltf")]
fn gltf(
    path: &Path,
    resolver: &Resolver,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<[Point3<f64>; 3]>, String> {
    let source = match resolver.bytes(path) {
        Some(bytes) => FileSource::memory(bytes, None, None),
        None => FileSource::file(path),
    };
    crate::load::gltf::rest_triangles(&source, warnings)
}

#[cfg(not(feature = "gltf"))]
fn gltf(_: &Path, _: &Resolver, _: &mut Vec<Warning>) -> Result<Vec<[Point3<f64>; 3]>, String> {
    Err("glTF meshes need the feature 'gltf' of the crate boxwood".to_owned())
}
