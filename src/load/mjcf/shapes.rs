//! The shapes of bodies, read from `<geom>` elements.

use nalgebra::{Isometry3, Point3, Vector3};

use super::attributes::Attributes;
use super::files::MjcfFiles;
use super::groups::ContactBits;
use super::model::MjcfModel;
use super::orientation::{from_z, pose};
use super::scope::Scoped;
use crate::load::Warning;
use crate::load::urdf::geometry::RobotShape;
use crate::load::urdf::round_shape::{RoundKind, RoundShape};
use crate::load::urdf::tessellation;
use crate::shape::Pose;

/// Reads shapes.
pub(super) struct ShapeReader<'r, 't> {
    pub models: &'r [MjcfModel<'t>],
    pub files: &'r MjcfFiles<'r>,
    /// `true` if a mesh is replaced by its convex hull.
    pub convex_meshes: bool,
    /// Half the side of the cube that stands for the half-space below a plane; `None` to leave
    /// planes out.
    pub plane_reach: Option<f64>,
}

/// Kinds of shapes, with the count of numbers in their size.
const SHAPE_KINDS: [(&str, usize); 9] = [
    ("sphere", 1),
    ("capsule", 2),
    ("cylinder", 2),
    ("ellipsoid", 3),
    ("box", 3),
    ("mesh", 0),
    ("plane", 0),
    ("hfield", 0),
    ("sdf", 0),
];

impl<'t> ShapeReader<'_, 't> {
    /// The attributes of a shape, and its masks.
    pub fn attributes(
        &self,
        (geom, scope): Scoped<'t>,
    ) -> Result<(Attributes<'_, 't>, ContactBits), String> {
        let attributes = self.models[scope.model].classes.attributes(geom, scope.class, "geom")?;
        Ok((attributes, ContactBits::read(attributes)?))
    }

    /// Reads a shape in the frame of its body; `None`, with a warning, for one that is left out.
    pub fn read(
        &self,
        scoped: Scoped<'t>,
        attributes: Attributes<'_, 't>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<RobotShape>, String> {
        let (geom, scope) = scoped;
        let kind =
            attributes.keyword("type", &SHAPE_KINDS.map(|(kind, _)| kind))?.unwrap_or("sphere");
        let name = || geom.attribute("name").unwrap_or(kind).to_owned();
        match kind {
            "plane" if self.plane_reach.is_none() => {
                warnings.push(Warning::Endless { shape: name() });
                return Ok(None);
            }
            "hfield" => {
                warnings.push(Warning::Unread { element: "hfield".to_owned(), name: name() });
                return Ok(None);
            }
            "sdf" => return Err(geom.at("shapes of type 'sdf' are not supported")),
            _ => {}
        }
        let own = pose(attributes, &self.models[scope.model].compiler)?;
        if let ("plane", Some(reach)) = (kind, self.plane_reach) {
            return Ok(Some(below_plane(&(scope.frame * own), reach)));
        }
        match attributes.text("mesh") {
            Some(mesh) => self.mesh_shape(scoped, attributes, (kind, mesh), own),
            None if kind == "mesh" => Err(geom.at("'mesh' is missing")),
            None => {
                let (size, own) = primitive_size(attributes, kind, own)?;
                Ok(primitive(kind, size, scope.frame * own))
            }
        }
        .map(Some)
    }

    /// Reads a mesh, or a primitive that is fitted to it.
    fn mesh_shape(
        &self,
        (geom, scope): Scoped<'t>,
        attributes: Attributes<'_, 't>,
        (kind, name): (&str, &str),
        own: Pose<f64>,
    ) -> Result<RobotShape, String> {
        if attributes.text("fromto").is_some() {
            return Err(geom.at("both 'mesh' and 'fromto' are given"));
        }
        let model = &self.models[scope.model];
        let settings = (&model.compiler, &model.classes);
        let mesh = model.meshes.get((geom, name), settings, self.files)?;
        let said = |trouble: String| geom.at(format!("mesh '{name}': {trouble}"));
        let pose = scope.frame * own;
        if kind == "mesh" && self.convex_meshes {
            let corners = mesh.corners().map_err(said)?;
            return Ok(RobotShape::Hull(corners.iter().map(|corner| pose * corner).collect()));
        }
        if kind == "mesh" {
            let soup = tessellation::transformed_by_pose(mesh.triangles().map_err(said)?, &pose);
            return Ok(RobotShape::Triangles { soup, name: name.to_owned() });
        }
        let fitted = mesh.fit().map_err(said)?;
        let factor = attributes.numbers("fitscale")?.map_or(1.0, |[factor]| factor);
        let fitted_pose = pose * fitted.frame;
        if !model.compiler.fit_box {
            let size = size_by_inertia(kind, fitted.box_of_inertia) * factor;
            return Ok(primitive(kind, size, fitted_pose));
        }
        let [least, most] = fitted.bounds;
        let size = size_by_box(kind, (most - least) / 2.0) * factor;
        Ok(primitive(kind, size, fitted_pose * Isometry3::from((least + most) / 2.0)))
    }
}

/// Returns the half-space below the plane z = 0 of a pose, up to a reach: by its corners, so that
/// the plane is rounded to the stored type where it is, not as far away as the middle of a box is.
fn below_plane(pose: &Pose<f64>, reach: f64) -> RobotShape {
    let side = |bits: usize, bit: usize| if bits >> bit & 1 == 1 { reach } else { -reach };
    let depth = |bits: usize| if bits & 4 == 0 { 0.0 } else { -2.0 * reach };
    let corner = |bits: usize| pose * Point3::new(side(bits, 0), side(bits, 1), depth(bits));
    RobotShape::Hull((0..8).map(corner).collect())
}

/// Returns a primitive, from as many numbers of its size as it has.
fn primitive(kind: &str, size: Vector3<f64>, pose: Pose<f64>) -> RobotShape {
    let (radius, length) = (size.x, 2.0 * size.y.max(0.0));
    let kind = match kind {
        "capsule" => RoundKind::Capsule { radius, length },
        "cylinder" => RoundKind::Cylinder { radius, length },
        "ellipsoid" => RoundKind::Ellipsoid(size),
        "box" => return RobotShape::Box(pose, size),
        _ => RoundKind::Ellipsoid(Vector3::repeat(radius)),
    };
    RobotShape::Round(RoundShape { kind, pose })
}

/// The size of a primitive with the moments of a box, given by half its sides.
fn size_by_inertia(kind: &str, half: Vector3<f64>) -> Vector3<f64> {
    let across = (half.x + half.y) / 2.0;
    match kind {
        "sphere" => Vector3::repeat(half.sum() / 3.0),
        "capsule" => Vector3::new(across, (half.z - across / 2.0).max(0.0), 0.0),
        "cylinder" => Vector3::new(across, half.z, 0.0),
        _ => half,
    }
}

/// The size of the smallest primitive whose bounding box contains a box, given by half its sides.
fn size_by_box(kind: &str, half: Vector3<f64>) -> Vector3<f64> {
    let across = half.x.max(half.y);
    match kind {
        "sphere" => Vector3::repeat(half.max()),
        "capsule" => Vector3::new(across, (half.z - across).max(0.0), 0.0),
        "cylinder" => Vector3::new(across, half.z, 0.0),
        _ => half,
    }
}

/// The numbers of a primitive's size, padded with zeros, and its pose.
fn primitive_size(
    attributes: Attributes<'_, '_>,
    kind: &str,
    own: Pose<f64>,
) -> Result<(Vector3<f64>, Pose<f64>), String> {
    let geom = attributes.element;
    let wanted = SHAPE_KINDS.iter().find(|known| known.0 == kind).map_or(0, |known| known.1);
    let mut size = attributes.some_numbers::<3>("size")?;
    let pose = match end_points_pose(attributes)? {
        None => own,
        Some(_) if wanted == 1 => return Err(geom.at("a sphere cannot have 'fromto'")),
        Some(_) if own.translation.vector != Vector3::zeros() => {
            return Err(geom.at("both 'pos' and 'fromto' are given"));
        }
        Some((middle, half)) => {
            // The size of a box or an ellipsoid has the thickness twice.
            size.truncate(1);
            let thickness = size.first().copied();
            size.extend(thickness.filter(|_| wanted == 3));
            size.push(half);
            middle
        }
    };
    size.truncate(wanted);
    if size.len() < wanted || size.iter().any(|&size| size < 0.0) {
        return Err(geom.at(format!("the size needs {wanted} numbers, none of them negative")));
    }
    size.resize(3, 0.0);
    Ok((Vector3::from_column_slice(&size), pose))
}

/// The pose of a shape given by two end points, and half its length. Its z axis points from the
/// second end to the first, as in MuJoCo, which affects the sides of a box.
fn end_points_pose(attributes: Attributes<'_, '_>) -> Result<Option<(Pose<f64>, f64)>, String> {
    let Some(ends) = attributes.numbers("fromto")? else { return Ok(None) };
    let [a, b, c, d, e, f] = ends;
    let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
    let along = (from - to).try_normalize(1e-12);
    let along = along.ok_or_else(|| attributes.element.at("'fromto' has no length"))?;
    let middle = Isometry3::from_parts(((from + to) / 2.0).into(), from_z(along));
    Ok(Some((middle, (to - from).norm() / 2.0)))
}
