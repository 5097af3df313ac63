//! What was readable in a file but can not be kept as it is.

#[cfg(feature = "gltf")]
use std::collections::HashSet;
use std::fmt;

/// Something in a file that the model stands in for, or leaves out. The rest of the file is used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bake", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Warning {
    /// The matrix of a joint shears. Another joint above it, of that name with ` (shear)` after it, makes up the matrix; what
    /// turns below shears in the file and stays rigid here.
    Shear {
        /// The joint.
        joint: String,
    },
    /// The scale of a joint with children is not uniform: what turns below it shears in the file
    /// and stays rigid here.
    NonUniformScale {
        /// The joint.
        joint: String,
    },
    /// A clip changes the scale of a joint: its children move. What becomes of the parts is said by [`Warning::Stretched`].
    AnimatedScale {
        /// The joint.
        joint: String,
        /// The first clip that does.
        clip: String,
    },
    /// A clip changes the shape of a part: by its own scale or by one above it. The part is a box that holds it in every clip,
    /// unless [told otherwise](crate::load::Options::cover_stretched).
    Stretched {
        /// The part.
        part: String,
        /// The first clip that does.
        clip: String,
    },
    /// Some vertices have weights that do not sum to one; they are used as shares of their sum.
    WeightSum {
        /// The mesh.
        mesh: String,
        /// How many vertices.
        vertices: usize,
    },
    /// Some vertices of a skinned mesh have no weight at all; they go to the first joint of the
    /// skin.
    NoWeight {
        /// The mesh.
        mesh: String,
        /// How many vertices.
        vertices: usize,
    },
    /// A mesh has a skin but no weights; it moves with its node.
    NoSkinning {
        /// The mesh.
        mesh: String,
    },
    /// Points or lines are left out.
    NotTriangles {
        /// The mesh.
        mesh: String,
    },
    /// Morph targets are left out; the mesh keeps its base shape.
    MorphTargets {
        /// The mesh.
        mesh: String,
    },
    /// A clip moves something outside the scene; that track is left out.
    StrayTrack {
        /// The clip.
        clip: String,
        /// The index of the node in the file.
        node: usize,
    },
    /// A clip has two tracks for one property of a joint; the later one is used.
    RepeatedTrack {
        /// The clip.
        clip: String,
        /// The joint.
        joint: String,
    },
    /// A mesh is not closed; every hole is capped by a fan, and the part is solid.
    Capped {
        /// The mesh, or its file.
        mesh: String,
        /// How many edges are open.
        edges: usize,
    },
    /// A link has looks but nothing to collide with, and looks were not asked for: its part is empty.
    NoCollision {
        /// The link.
        link: String,
    },
    /// A joint of a robot moves in a way that is not read (planar, floating, spherical); it is fixed at zero.
    FixedJoint {
        /// The joint.
        joint: String,
    },
    /// A disabled pair names a link the robot does not have; the pair is left out.
    StrayPair {
        /// The first link.
        a: String,
        /// The second link.
        b: String,
    },
    /// There are more rows of motion than the file declares; the rest is left out.
    ExtraRows {
        /// How many more.
        rows: usize,
    },
    /// A plane or a field of heights, which has no end, is left out.
    Endless {
        /// Its name, or what it is.
        shape: String,
    },
}

/// Warnings as they come up, each once, however many primitives or nodes repeat it.
#[cfg(feature = "gltf")]
#[derive(Default)]
pub(super) struct Warnings {
    found: Vec<Warning>,
    said: HashSet<Warning>,
}

#[cfg(feature = "gltf")]
impl Warnings {
    pub fn add(&mut self, warning: Warning) {
        if self.said.insert(warning.clone()) {
            self.found.push(warning);
        }
    }

    pub fn into_list(self) -> Vec<Warning> {
        self.found
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_place(f)?;
        f.write_str(" ")?;
        self.write_trouble(f)
    }
}

impl Warning {
    /// What it is about.
    fn write_place(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Shear { joint }
            | Warning::NonUniformScale { joint }
            | Warning::AnimatedScale { joint, .. }
            | Warning::FixedJoint { joint } => write!(f, "joint '{joint}':"),
            Warning::Stretched { part, .. } => write!(f, "part '{part}':"),
            Warning::WeightSum { mesh, .. }
            | Warning::NoWeight { mesh, .. }
            | Warning::NoSkinning { mesh }
            | Warning::NotTriangles { mesh }
            | Warning::MorphTargets { mesh }
            | Warning::Capped { mesh, .. } => write!(f, "mesh '{mesh}':"),
            Warning::StrayTrack { clip, .. } | Warning::RepeatedTrack { clip, .. } => {
                write!(f, "clip '{clip}':")
            }
            Warning::NoCollision { link } => write!(f, "link '{link}':"),
            Warning::StrayPair { a, b } => write!(f, "disabled pair '{a}', '{b}':"),
            Warning::ExtraRows { rows } => write!(f, "{rows} more rows of motion than declared"),
            Warning::Endless { shape } => write!(f, "shape '{shape}':"),
        }
    }

    /// What is wrong there, and what becomes of it.
    fn write_trouble(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Shear { .. } => f.write_str("the matrix shears; what turns below stays rigid"),
            Warning::NonUniformScale { .. } => {
                f.write_str("the scale is not uniform; what turns below stays rigid")
            }
            Warning::AnimatedScale { clip, .. } => write!(f, "clip '{clip}' scales it"),
            Warning::Stretched { clip, .. } => {
                write!(f, "clip '{clip}' changes its shape, which no rigid part can follow")
            }
            Warning::WeightSum { vertices, .. } => {
                write!(f, "the weights of {vertices} vertices do not sum to 1")
            }
            Warning::NoWeight { vertices, .. } => write!(f, "{vertices} vertices have no weight"),
            Warning::NoSkinning { .. } => {
                f.write_str("a skin but no weights; it moves with its node")
            }
            Warning::NotTriangles { .. } => f.write_str("points and lines are left out"),
            Warning::MorphTargets { .. } => f.write_str("morph targets are left out"),
            Warning::StrayTrack { node, .. } => {
                write!(f, "node {node} is not in the scene; its track is left out")
            }
            Warning::RepeatedTrack { joint, .. } => {
                write!(f, "two tracks for one property of joint '{joint}'")
            }
            Warning::Capped { edges, .. } => {
                write!(f, "not closed, {edges} open edges; the holes are capped")
            }
            Warning::NoCollision { .. } => f.write_str("it has looks, but nothing to collide with"),
            Warning::FixedJoint { .. } => {
                f.write_str("the way it moves is not read; it is fixed at zero")
            }
            Warning::StrayPair { .. } => f.write_str("the robot has no such link"),
            Warning::ExtraRows { .. } => f.write_str("are left out"),
            Warning::Endless { .. } => f.write_str("it has no end and is left out"),
        }
    }
}
