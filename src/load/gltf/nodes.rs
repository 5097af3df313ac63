//! The node tree as a skeleton: every node of the scene is a joint, parents first.

use ::gltf::scene::Transform as NodeTransform;
use ::gltf::{Document, Node};
use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector3};

use super::decompose::{Decomposed, decompose};
use super::names::UniqueNames;
use crate::load::{
    Warning,
    warning::{SeverityList, Warnings},
};
use crate::motion::{Joint, Skeleton, Transform};

/// Largest difference of scale factors of a joint that counts as uniform, as a share of the
/// largest.
const MAX_SCALE_DIFFERENCE: f64 = 1e-3;

/// Largest number of nodes in a scene: the table of ignored pairs is quadratic.
const MAX_NODES: usize = 1 << 13;

/// The nodes of the scene.
pub(super) struct SceneNodes {
    pub skeleton: Skeleton<f64>,
    /// The joint of each node of the document, if the scene has it.
    pub joint_of: Vec<Option<usize>>,
    /// The node of each joint; `None` for the upper joint of a sheared matrix.
    pub node_of: Vec<Option<usize>>,
    /// A flag of each joint: `true` if its node, or one above it, is hidden.
    pub hidden: Vec<bool>,
}

impl SceneNodes {
    /// Reads the nodes of the default scene; without one, of every scene; all nodes if these have
    /// none.
    ///
    /// Meshes of nodes that `KHR_node_visibility` hides are left out, each with a warning.
    pub fn read(document: &Document, warnings: &mut Warnings) -> Result<Self, String> {
        let nodes: Vec<Node<'_>> = document.nodes().collect();
        let mut joint_of = vec![None; nodes.len()];
        let (mut joints, mut node_of) = (Vec::new(), Vec::new());
        let mut names = UniqueNames::default();
        let mut waiting: Vec<(usize, Option<usize>)> =
            roots(document, &nodes).into_iter().rev().map(|node| (node, None)).collect();
        let mut hidden: Vec<bool> = Vec::new();
        while let Some((index, parent)) = waiting.pop() {
            let node = &nodes[index];
            let name = names.unique(node_name(node));
            if joint_of[index].is_some() {
                return Err(format!("node '{name}' has two parents or is its own ancestor"));
            }
            let out = parent.is_some_and(|parent| hidden[parent]) || is_hidden(node);
            if out && node.mesh().is_some() {
                let element = "meshes hidden by KHR_node_visibility".to_owned();
                warnings.add(Warning::Skipped { file: name.clone(), element, count: 1 });
            }
            let (above, rest) = rest(node, &name)?;
            let above = above.map(|rest| {
                warnings.add(Warning::Shear { joint: name.clone() });
                node_of.push(None);
                hidden.push(out);
                joints.push(Joint { name: names.unique(format!("{name} (shear)")), parent, rest });
                joints.len() - 1
            });
            let joint = joints.len();
            if joint >= MAX_NODES {
                return Err(format!("more than {MAX_NODES} nodes in the scene"));
            }
            joint_of[index] = Some(joint);
            node_of.push(Some(index));
            hidden.push(out);
            joints.push(Joint { name, parent: above.or(parent), rest });
            let children: Vec<_> =
                node.children().map(|child| (child.index(), Some(joint))).collect();
            waiting.extend(children.into_iter().rev());
        }
        warn_of_scales(&joints, &node_of, warnings);
        let skeleton = Skeleton::new(joints).map_err(|error| format!("nodes: {error}"))?;
        Ok(SceneNodes { skeleton, joint_of, node_of, hidden })
    }

    /// The name of a joint.
    pub fn name(&self, joint: usize) -> &str {
        &self.skeleton.joints()[joint].name
    }
}

/// Returns `true` if `KHR_node_visibility` hides the node itself.
fn is_hidden(node: &Node<'_>) -> bool {
    let visible = node.extension_value("KHR_node_visibility").and_then(|own| own.get("visible"));
    visible.and_then(|visible| visible.as_bool()) == Some(false)
}

/// The name of the node, or of its mesh if it has none.
fn node_name(node: &Node<'_>) -> String {
    let names = [node.name(), node.mesh().and_then(|mesh| mesh.name())];
    let own = names.into_iter().flatten().find(|name| !name.trim().is_empty());
    own.map_or_else(|| format!("node {}", node.index()), str::to_owned)
}

fn roots(document: &Document, nodes: &[Node<'_>]) -> Vec<usize> {
    let mut found: Vec<usize> = match document.default_scene() {
        Some(scene) => scene.nodes().map(|node| node.index()).collect(),
        None => document.scenes().flat_map(|scene| scene.nodes()).map(|n| n.index()).collect(),
    };
    if found.is_empty() {
        let mut is_child = vec![false; nodes.len()];
        for child in nodes.iter().flat_map(|node| node.children()) {
            is_child[child.index()] = true;
        }
        found = (0..nodes.len()).filter(|&node| !is_child[node]).collect();
    }
    let mut visited = vec![false; nodes.len()];
    found.retain(|&node| !std::mem::replace(&mut visited[node], true));
    found
}

/// The rest transform of a node, its rotation normalised, below a second one if it shears.
fn rest(node: &Node<'_>, name: &str) -> Result<Decomposed, String> {
    match node.transform() {
        NodeTransform::Matrix { matrix } => {
            let matrix = Matrix4::from_fn(|row, column| f64::from(matrix[column][row]));
            decompose(&matrix)
                .ok_or_else(|| format!("node '{name}': the matrix is singular or not finite"))
        }
        NodeTransform::Decomposed { translation, rotation, scale } => {
            let [x, y, z, w] = rotation.map(f64::from);
            let rotation = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-6)
                .ok_or_else(|| format!("node '{name}': the rotation has no length"))?;
            let translation = Vector3::from(translation.map(f64::from));
            Ok((None, Transform { translation, rotation, scale: scale.map(f64::from).into() }))
        }
    }
}

/// Warns of scales that are not uniform, for joints with children only: the part of a leaf is
/// scaled at rest.
fn warn_of_scales(joints: &[Joint<f64>], node_of: &[Option<usize>], warnings: &mut Warnings) {
    let mut has_child = vec![false; joints.len()];
    for parent in joints.iter().filter_map(|joint| joint.parent) {
        has_child[parent] = true;
    }
    let mut worst = SeverityList::new();
    for (index, joint) in joints.iter().enumerate() {
        if has_child[index] && node_of[index].is_some() && !is_uniform(&joint.rest.scale) {
            let scale = joint.rest.scale.abs();
            worst.add(1.0 - scale.min() / scale.max(), joint.name.clone());
        }
    }
    if let Some((apart, joints)) = worst.sorted() {
        warnings.add(Warning::NonUniformScale { joints, percent: 100 - apart.min(100) });
    }
}

/// Returns `true` if a scale is uniform, mirrored or not.
pub(super) fn is_uniform(scale: &Vector3<f64>) -> bool {
    let scale = scale.abs();
    scale.max() - scale.min() <= MAX_SCALE_DIFFERENCE * scale.amax()
}
