//! Mesh assets of an MJCF model, each read when the first shape needs it.
//!
//! Source: the MuJoCo documentation, XML reference, `asset/mesh`: vertices are moved by `-refpos`,
//! rotated back by `refquat`, then scaled.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use nalgebra::{Matrix3, Point3, Quaternion, UnitQuaternion, Vector3};

use super::attributes::{Attributes, any_numbers};
use super::compiler::Compiler;
use super::defaults::{DefaultClasses, MAIN_CLASS};
use super::element::Element;
use super::files::MjcfFiles;
use super::fit::{MeshFit, MeshInertia, fit};
use super::hull;
use super::msh::{self, MshMesh};
use crate::load::meshes::{MeshFormat, SkippedElements, Soup};
use crate::load::urdf::tessellation::transformed;
use crate::shape::ConvexHull;

/// The mesh assets of a model.
pub(super) struct MeshAssets<'t> {
    assets: HashMap<String, MeshAsset<'t>>,
}

/// A mesh asset, and the mesh once read.
struct MeshAsset<'t> {
    element: Element<'t>,
    loaded: OnceCell<Rc<LoadedMesh>>,
}

/// A mesh in the frame of the shapes that use it.
pub(super) struct LoadedMesh {
    /// The triangles; empty for a mesh that consists of vertices.
    pub soup: Soup,
    vertices: Vec<Point3<f64>>,
    inertia: MeshInertia,
    corners: OnceCell<Result<Vec<Point3<f64>>, String>>,
}

impl<'t> MeshAssets<'t> {
    /// Lists the meshes by name, without opening their files.
    pub fn list(root: Element<'t>) -> Result<Self, String> {
        let mut assets = HashMap::new();
        for element in root.listed("asset", "mesh") {
            let stem =
                |file: &str| Some(Path::new(file).file_stem()?.to_string_lossy().into_owned());
            let name = element.attribute("name").map(str::to_owned);
            let name = name.or_else(|| stem(element.attribute("file")?));
            let Some(name) = name else {
                return Err(element.at("it has neither a name nor a file"));
            };
            let asset = MeshAsset { element, loaded: OnceCell::new() };
            if assets.insert(name.clone(), asset).is_some() {
                return Err(element.at(format!("two meshes are called '{name}'")));
            }
        }
        Ok(MeshAssets { assets })
    }

    /// The mesh that a shape names.
    pub fn get(
        &self,
        (shape, name): (Element<'_>, &str),
        (compiler, classes): (&Compiler<'t>, &DefaultClasses<'t>),
        files: &MjcfFiles<'_>,
    ) -> Result<Rc<LoadedMesh>, String> {
        let Some(asset) = self.assets.get(name) else {
            return Err(shape.at(format!("no mesh is called '{name}'")));
        };
        if let Some(known) = asset.loaded.get() {
            return Ok(Rc::clone(known));
        }
        let attributes = classes.attributes(asset.element, MAIN_CLASS, "mesh")?;
        let loaded = Rc::new(load(attributes, compiler, files)?);
        Ok(Rc::clone(asset.loaded.get_or_init(|| loaded)))
    }
}

/// Reads a mesh and transforms it to the frame of its shapes.
fn load(
    attributes: Attributes<'_, '_>,
    compiler: &Compiler<'_>,
    files: &MjcfFiles<'_>,
) -> Result<LoadedMesh, String> {
    let element = attributes.element;
    let inertia = attributes.keyword("inertia", &["convex", "legacy", "exact", "shell"])?;
    let scale = attributes.three("scale")?.unwrap_or(Vector3::repeat(1.0));
    if scale.iter().any(|&factor| factor == 0.0) {
        return Err(element.at("the scale is zero"));
    }
    let origin = attributes.three("refpos")?.unwrap_or_default();
    let turn = match attributes.numbers("refquat")? {
        Some([w, x, y, z]) => UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-12)
            .ok_or_else(|| element.at("'refquat' has no length"))?,
        None => UnitQuaternion::identity(),
    };
    let MshMesh { vertices, soup } = match (element.attribute("file"), element.attribute("builtin"))
    {
        (Some(file), _) => read_mesh_file(element, file, compiler, files)?,
        (None, Some(builtin)) if builtin != "none" => {
            return Err(element.at(format!("builtin meshes ('{builtin}') are not supported")));
        }
        _ => read_inline(element)?,
    };
    let turned = turn.inverse().to_rotation_matrix().into_inner();
    let linear = Matrix3::from_diagonal(&scale) * turned;
    let shift = -(linear * origin);
    Ok(LoadedMesh {
        soup: transformed(&soup, &linear, &shift),
        vertices: vertices.iter().map(|vertex| linear * vertex + shift).collect(),
        inertia: match inertia {
            Some("convex") => MeshInertia::Convex,
            Some("exact") => MeshInertia::Exact,
            Some("shell") => MeshInertia::Shell,
            _ => MeshInertia::Legacy,
        },
        corners: OnceCell::new(),
    })
}

/// Reads the file of a mesh.
fn read_mesh_file(
    element: Element<'_>,
    file: &str,
    compiler: &Compiler<'_>,
    files: &MjcfFiles<'_>,
) -> Result<MshMesh, String> {
    let said = |trouble: String| element.at(format!("'{file}': {trouble}"));
    let [in_folder, beside] = compiler.mesh_paths(file);
    let candidates = [(element.main_folder(), &*in_folder), (element.folder(), &*beside)];
    let path = files.find(&in_folder.to_string_lossy(), candidates).map_err(said)?;
    let kind = element.attribute("content_type").map(|kind| kind.trim_start_matches("model/"));
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let kind = kind.unwrap_or(ending);
    if matches!(kind.to_ascii_lowercase().as_str(), "msh" | "vnd.mujoco.msh") {
        return files.read(&path).and_then(|bytes| msh::mesh(&bytes)).map_err(said);
    }
    let Some(format) = MeshFormat::from_extension(kind) else {
        return Err(said(format!("mesh files of type '.{kind}' are not supported")));
    };
    let mut skipped = SkippedElements::default();
    let soup = files.read(&path).and_then(|bytes| format.triangles(&bytes, &mut skipped));
    let soup = soup.map_err(said)?;
    files.add_skipped(skipped, file);
    Ok(MshMesh { vertices: distinct_corners(&soup), soup })
}

/// Reads the vertices and the faces written in the element.
fn read_inline(element: Element<'_>) -> Result<MshMesh, String> {
    let Some(numbers) = any_numbers(element, "vertex")? else {
        return Err(element.at("it has neither a file nor vertices"));
    };
    let (vertices, rest) = numbers.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(element.at("'vertex' needs three numbers for each vertex"));
    }
    let vertices: Vec<Point3<f64>> = vertices.iter().map(|&vertex| vertex.into()).collect();
    let text = element.attribute("face").unwrap_or_default();
    let indices = text.split_ascii_whitespace().map(str::parse::<u32>);
    let indices: Vec<u32> = indices
        .collect::<Result<_, _>>()
        .map_err(|_| element.at("'face' is not a list of vertex indices"))?;
    let (faces, rest) = indices.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(element.at("'face' needs three indices for each face"));
    }
    MshMesh::new(vertices, faces).map_err(|trouble| element.at(trouble))
}

/// Returns the distinct corners of triangles, in their order.
fn distinct_corners(soup: &Soup) -> Vec<Point3<f64>> {
    let mut known = std::collections::HashSet::new();
    // Makes -0 equal to 0.
    let key = |corner: &Point3<f64>| [0, 1, 2].map(|axis| (corner[axis] + 0.0).to_bits());
    soup.0.iter().flatten().filter(|corner| known.insert(key(corner))).copied().collect()
}

impl LoadedMesh {
    /// The corners of its convex hull.
    pub fn corners(&self) -> Result<&[Point3<f64>], String> {
        let corners = self.corners.get_or_init(|| hull::hull_corners(&self.vertices));
        corners.as_deref().map_err(Clone::clone)
    }

    /// The triangles; the faces of the hull if the mesh has none.
    pub fn triangles(&self) -> Result<Soup, String> {
        if self.soup.0.is_empty() { self.hull_triangles() } else { Ok(self.soup.clone()) }
    }

    fn hull_triangles(&self) -> Result<Soup, String> {
        let hull = ConvexHull::new(self.corners()?).map_err(|error| error.to_string())?;
        let corner = |index: u32| hull.corners()[index as usize];
        Ok(Soup(hull.triangles().iter().map(|face| face.map(corner)).collect()))
    }

    /// The frame and the sizes to which primitives are fitted.
    pub fn fit(&self) -> Result<MeshFit, String> {
        let soup = match self.inertia {
            MeshInertia::Convex => self.hull_triangles()?,
            _ => self.triangles()?,
        };
        fit(&soup.0, &self.vertices, self.inertia)
    }
}
