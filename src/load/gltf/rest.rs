//! Triangles of a whole glTF file at rest, in the frame of its scene: geometry of a robot's link.

use nalgebra::Point3;

use super::buffers::GltfBuffers;
use super::geometry::JointMesh;
use super::nodes::SceneNodes;
use super::{document, geometry};
use crate::load::options::Options;
use crate::load::source::FileSource;
use crate::load::warning::{Warning, Warnings};

/// Reads the triangles with the transforms of their nodes applied, skins in their rest pose.
///
/// Up remains Y, as in the format: viewers of robots do not rotate it either. Clips are not read,
/// and scales are exact at rest, so no warning of scales is needed.
pub(in crate::load) fn rest_triangles(
    source: &FileSource<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<[Point3<f64>; 3]>, String> {
    let (document, blob) = document::parse(&source.bytes()?)?;
    let explained = |trouble| document::with_cause(trouble, &document);
    let buffers = GltfBuffers::read(&document, blob, source.folder).map_err(explained)?;
    let mut found = Warnings::default();
    let nodes = SceneNodes::read(&document, &mut found)?;
    let options = Options::default();
    let read = geometry::read::<f64>(&document, &buffers, &nodes, (&options, &mut found));
    let mut triangles = Vec::new();
    for (joint, pose) in
        read.map_err(explained)?.joints.into_iter().zip(nodes.skeleton.rest_poses())
    {
        let Some(JointMesh { mesh, .. }) = joint.into_mesh().map_err(|error| error.to_string())?
        else {
            continue;
        };
        let corner = |&index: &u32| pose * mesh.vertices()[index as usize];
        triangles.extend(mesh.triangles().iter().map(|[a, b, c]| [a, b, c].map(corner)));
    }
    let of_motion = |warning: &Warning| {
        matches!(warning, Warning::Shear { .. } | Warning::NonUniformScale { .. })
    };
    let new = found.into_list().into_iter().filter(|warning| !of_motion(warning));
    for warning in new {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    match triangles.is_empty() {
        true => Err("it has no triangles".to_owned()),
        false => Ok(triangles),
    }
}
