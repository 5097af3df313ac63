//! Skins: for each of their joints, the transform from the mesh to the joint's rigid frame.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ::gltf::{Node, Skin as FileSkin};
use nalgebra::{Affine3, Matrix3, Matrix4, Point3};

use super::accessor::numbers;
use super::buffers::GltfBuffers;
use super::nodes::SceneNodes;
use crate::shape::Pose;

/// The transform from a mesh to a joint's rigid frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Binding {
    /// The joint.
    pub joint: usize,
    /// Mesh to joint before any scale: the inverse bind matrix.
    unscaled: Affine3<f64>,
    /// The scale of the joint at rest.
    scale: Matrix3<f64>,
    /// `true` if both together reverse handedness.
    mirrors: bool,
}

impl Binding {
    pub fn new(joint: usize, inverse_bind: Matrix4<f64>, scale: Matrix3<f64>) -> Self {
        let unscaled = affine(inverse_bind);
        let mirrors = unscaled.matrix().determinant() * scale.determinant() < 0.0;
        Binding { joint, unscaled, scale, mirrors }
    }

    /// Transforms a triangle of the mesh into the joint's own axes, without any scale.
    pub fn unscaled(&self, triangle: [Point3<f64>; 3]) -> [Point3<f64>; 3] {
        triangle.map(|vertex| self.unscaled * vertex)
    }

    /// Returns the position of a vertex of the mesh in the joint's rigid frame, at rest.
    pub fn at_rest(&self, vertex: Point3<f64>) -> Point3<f64> {
        self.scale * (self.unscaled * vertex)
    }

    /// Applies the rest scale to such a triangle; mirrored ones are reversed, so that outside
    /// remains outside. Source: glTF 2.0 specification, section 3.7.4.
    pub fn at_rest_triangle(&self, unscaled: [Point3<f64>; 3]) -> [Point3<f64>; 3] {
        let [a, b, c] = unscaled.map(|vertex| self.scale * vertex);
        if self.mirrors { [a, c, b] } else { [a, b, c] }
    }
}

/// The joints of a skin, ascending, so that the first of equal weights is the lowest joint.
#[derive(Debug)]
pub(super) struct BoundSkin {
    pub bindings: Vec<Binding>,
    /// The index of the binding of each joint of the skin in the file.
    pub index_of: Vec<usize>,
}

impl BoundSkin {
    fn new(in_file: &[Binding]) -> Self {
        let mut order: Vec<usize> = (0..in_file.len()).collect();
        order.sort_by_key(|&index| in_file[index].joint);
        let mut index_of = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&index, rank)| index_of[index] = rank);
        BoundSkin { bindings: order.iter().map(|&index| in_file[index]).collect(), index_of }
    }
}

/// Returns the rest scale of every joint, with all scales above it, in its rigid frame: with R the
/// rotation of its pose and L that of its matrix with every scale, the matrix `transpose(R) L`.
pub(super) fn rest_scales(nodes: &SceneNodes) -> Vec<Matrix3<f64>> {
    let poses = nodes.skeleton.rest_poses();
    let scale = |(pose, linear): (&Pose<f64>, Matrix3<f64>)| {
        rigid_linear(pose.rotation.to_rotation_matrix().matrix(), &linear)
    };
    poses.iter().zip(nodes.skeleton.rest_linear()).map(scale).collect()
}

/// The linear part of a joint's matrix in its rigid frame: `transpose(R) L`.
pub(super) fn rigid_linear(rotation: &Matrix3<f64>, linear: &Matrix3<f64>) -> Matrix3<f64> {
    rotation.transpose() * linear
}

/// Reads the skins of those nodes of the scene that have a mesh, by index.
pub(super) fn read_all(
    buffers: &GltfBuffers,
    nodes: &SceneNodes,
    scales: &[Matrix3<f64>],
    file_nodes: &[Node<'_>],
) -> Result<HashMap<usize, BoundSkin>, String> {
    let mut found = HashMap::new();
    let in_scene = nodes.node_of.iter().flatten().map(|&node| &file_nodes[node]);
    for skin in in_scene.filter(|node| node.mesh().is_some()).filter_map(|node| node.skin()) {
        if let Entry::Vacant(entry) = found.entry(skin.index()) {
            entry.insert(read(buffers, nodes, scales, &skin)?);
        }
    }
    Ok(found)
}

/// Reads a skin: one binding per joint.
fn read(
    buffers: &GltfBuffers,
    nodes: &SceneNodes,
    scales: &[Matrix3<f64>],
    skin: &FileSkin<'_>,
) -> Result<BoundSkin, String> {
    let at = |trouble: String| format!("skin {}: {trouble}", skin.index());
    let inverse_binds = match skin.inverse_bind_matrices() {
        Some(accessor) => {
            let matrices = numbers::<16>(buffers, &accessor).map_err(at)?;
            matrices.iter().map(|matrix| Matrix4::from_column_slice(matrix)).collect()
        }
        None => vec![Matrix4::identity(); skin.joints().len()],
    };
    let (found, wanted) = (inverse_binds.len(), skin.joints().len());
    if found < wanted {
        return Err(at(format!("{found} inverse bind matrices for {wanted} joints")));
    }
    if wanted == 0 {
        return Err(at("no joints".to_owned()));
    }
    let binding = |(node, matrix): (Node<'_>, Matrix4<f64>)| {
        let joint = nodes.joint_of[node.index()]
            .ok_or_else(|| at(format!("its node {} is not in the scene", node.index())))?;
        Ok(Binding::new(joint, matrix, scales[joint]))
    };
    let bindings: Vec<Binding> =
        skin.joints().zip(inverse_binds).map(binding).collect::<Result<_, String>>()?;
    Ok(BoundSkin::new(&bindings))
}

/// Converts a matrix to an affine transform. Its last row is (0, 0, 0, 1) by the specification, and
/// is not read.
fn affine(mut matrix: Matrix4<f64>) -> Affine3<f64> {
    matrix.set_row(3, &nalgebra::RowVector4::new(0.0, 0.0, 0.0, 1.0));
    Affine3::from_matrix_unchecked(matrix)
}
