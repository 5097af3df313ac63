//! Second reader of glTF, by the `gltf` crate and plain 4x4 matrices, independent of boxwood.

use std::collections::HashMap;
use std::path::Path;

use gltf::{Document, Gltf, Node};
use nalgebra::{Matrix4, Point3};

/// Vertex of the character.
pub struct Vertex {
    /// Position by all its joints.
    pub skinned: Point3<f64>,
    /// Position by the dominating joint alone.
    pub dominated: Point3<f64>,
    /// Node of that joint; `None` for a mesh without skin.
    #[allow(dead_code)] // Some tests treat all meshes equally.
    pub joint: Option<usize>,
    /// Node of that joint, or of the mesh without skin.
    pub node: usize,
}

/// Character, at rest unless posed.
pub struct Character {
    pub document: Document,
    pub blob: Vec<u8>,
    pub vertices: Vec<Vertex>,
    /// Triples of indices into the vertices.
    pub triangles: Vec<[usize; 3]>,
    /// Triangles placed by joints, one for every triangle and every dominating joint of its
    /// corners.
    pub shares: Vec<(usize, [Point3<f64>; 3])>,
}

impl Character {
    /// Reads a GLB with one buffer.
    pub fn read(path: &Path) -> Self {
        Character::posed(path, |_, _| HashMap::new())
    }

    /// Like [`Self::read`], with other node-to-parent matrices for some nodes.
    pub fn posed(path: &Path, locals: impl Fn(&Document, &[u8]) -> Locals) -> Self {
        let Gltf { document, blob } = Gltf::open(path).expect("a good file");
        let blob = blob.expect("a binary chunk");
        let mut character = Character {
            document: document.clone(),
            blob,
            vertices: Vec::new(),
            triangles: Vec::new(),
            shares: Vec::new(),
        };
        let mut globals = vec![Matrix4::identity(); document.nodes().len()];
        let locals = locals(&document, &character.blob);
        let nodes = placed_nodes(&document, &locals);
        for (node, global) in &nodes {
            globals[node.index()] = *global;
        }
        for (node, _) in nodes.iter().filter(|(node, _)| node.mesh().is_some()) {
            character.add(node, &globals);
        }
        character
    }

    fn add(&mut self, node: &Node<'_>, globals: &[Matrix4<f64>]) {
        let blob = self.blob.clone();
        let data = |_: gltf::Buffer<'_>| Some(blob.as_slice());
        let skin: Option<Vec<(usize, Matrix4<f64>)>> = node.skin().map(|skin| {
            let reader = skin.reader(data);
            let inverse: Vec<_> = match reader.read_inverse_bind_matrices() {
                Some(inverse) => inverse.map(matrix).collect(),
                None => vec![Matrix4::identity(); skin.joints().count()],
            };
            let joints = skin.joints().map(|joint| joint.index());
            joints.zip(inverse).map(|(j, m)| (j, globals[j] * m)).collect()
        });
        for primitive in node.mesh().expect("a mesh").primitives() {
            let reader = primitive.reader(data);
            let base = self.vertices.len();
            let positions: Vec<Point3<f64>> = reader
                .read_positions()
                .expect("positions")
                .map(|p| Point3::from(p.map(f64::from)))
                .collect();
            let weighted: Option<Vec<Vec<(usize, f64)>>> = skin.as_ref().map(|_| {
                let joints = reader.read_joints(0).expect("joints").into_u16();
                let weights = reader.read_weights(0).expect("weights").into_f32();
                joints.zip(weights).map(|(j, w)| weights_of(j, w)).collect()
            });
            let place = |vertex: usize, joint: usize| match &skin {
                Some(skin) => skin[joint].1.transform_point(&positions[vertex]),
                None => globals[node.index()].transform_point(&positions[vertex]),
            };
            let owner = |vertex: usize| weighted.as_ref().map_or(0, |w| dominating(&w[vertex]));
            let node_of = |joint: usize| skin.as_ref().map_or(node.index(), |skin| skin[joint].0);
            for v in 0..positions.len() {
                let dominated = place(v, owner(v));
                let skinned = match &weighted {
                    Some(weights) => {
                        let total: f64 = weights[v].iter().map(|(_, w)| w).sum();
                        let parts =
                            weights[v].iter().map(|&(j, w)| place(v, j).coords * (w / total));
                        Point3::from(parts.sum::<nalgebra::Vector3<f64>>())
                    }
                    None => dominated,
                };
                let joint = skin.as_ref().map(|skin| skin[owner(v)].0);
                let node = joint.unwrap_or(node.index());
                self.vertices.push(Vertex { skinned, dominated, joint, node });
            }
            let indices: Vec<usize> = match reader.read_indices() {
                Some(indices) => indices.into_u32().map(|i| i as usize).collect(),
                None => (0..positions.len()).collect(),
            };
            for triangle in indices.chunks_exact(3) {
                self.triangles.push([0, 1, 2].map(|i| base + triangle[i]));
                let mut owners = triangle.iter().map(|&v| owner(v)).collect::<Vec<_>>();
                owners.sort_unstable();
                owners.dedup();
                for joint in owners {
                    let corners = [0, 1, 2].map(|i| place(triangle[i], joint));
                    self.shares.push((node_of(joint), corners));
                }
            }
        }
    }

    /// Returns the least and greatest coordinates after skinning.
    pub fn bounds(&self) -> [Point3<f64>; 2] {
        let used = self.triangles.iter().flatten().map(|&v| self.vertices[v].skinned);
        let start = [f64::INFINITY, f64::NEG_INFINITY].map(|x| Point3::new(x, x, x));
        used.fold(start, |[min, max], p| [min.inf(&p), max.sup(&p)])
    }

    /// Returns the area of the skin in this pose.
    pub fn area(&self) -> f64 {
        let corners = self.triangles.iter().map(|of| of.map(|v| self.vertices[v].skinned));
        corners.map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
    }

    /// Returns the length of the diagonal of the bounds.
    pub fn size(&self) -> f64 {
        let [min, max] = self.bounds();
        (max - min).norm()
    }
}

fn weights_of(joints: [u16; 4], weights: [f32; 4]) -> Vec<(usize, f64)> {
    let pairs = joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
    pairs.map(|(joint, weight)| (usize::from(joint), f64::from(weight))).collect()
}

fn dominating(weights: &[(usize, f64)]) -> usize {
    let most = weights.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
    let tied = weights.iter().filter(|(_, weight)| *weight == most);
    tied.map(|(joint, _)| *joint).min().expect("a weight")
}

fn matrix(columns: [[f32; 4]; 4]) -> Matrix4<f64> {
    Matrix4::from_fn(|row, column| f64::from(columns[column][row]))
}

/// Node-to-parent matrices, by the index of the node, where they differ from rest.
pub type Locals = HashMap<usize, Matrix4<f64>>;

/// Returns the nodes of the scene, depth first, with their matrices to the world.
pub fn scene_nodes(document: &Document) -> Vec<(Node<'_>, Matrix4<f64>)> {
    placed_nodes(document, &HashMap::new())
}

fn placed_nodes<'d>(document: &'d Document, locals: &Locals) -> Vec<(Node<'d>, Matrix4<f64>)> {
    let mut found = Vec::new();
    let mut waiting: Vec<_> = document.default_scene().expect("a scene").nodes().collect();
    waiting.reverse();
    let mut waiting: Vec<_> = waiting.into_iter().map(|node| (node, Matrix4::identity())).collect();
    while let Some((node, above)) = waiting.pop() {
        let rest = || matrix(node.transform().matrix());
        let global = above * locals.get(&node.index()).copied().unwrap_or_else(rest);
        let mut children: Vec<_> = node.children().map(|child| (child, global)).collect();
        children.reverse();
        waiting.extend(children);
        found.push((node, global));
    }
    found
}
