//! What was readable in a file but can not be kept as it is.

use std::fmt;

/// Something in a file that the model stands in for, or leaves out. The rest of the file is used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The matrix of a joint shears; the nearest rotation and scale are used instead.
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
    /// A clip changes the scale of a joint: its children move, its part keeps its size at rest.
    AnimatedScale {
        /// The joint.
        joint: String,
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
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Shear { joint } => write!(f, "joint '{joint}': the shear is dropped"),
            Warning::NonUniformScale { joint } => {
                write!(f, "joint '{joint}': the scale is not uniform; what turns below stays rigid")
            }
            Warning::AnimatedScale { joint, clip } => {
                write!(f, "joint '{joint}': its part keeps its size, clip '{clip}' scales it")
            }
            Warning::WeightSum { mesh, vertices } => {
                write!(f, "mesh '{mesh}': the weights of {vertices} vertices do not sum to 1")
            }
            Warning::NoWeight { mesh, vertices } => {
                write!(f, "mesh '{mesh}': {vertices} vertices have no weight")
            }
            Warning::NoSkinning { mesh } => {
                write!(f, "mesh '{mesh}': a skin but no weights; it moves with its node")
            }
            Warning::NotTriangles { mesh } => {
                write!(f, "mesh '{mesh}': points and lines are left out")
            }
            Warning::MorphTargets { mesh } => {
                write!(f, "mesh '{mesh}': morph targets are left out")
            }
            Warning::StrayTrack { clip, node } => {
                write!(f, "clip '{clip}': node {node} is not in the scene; its track is left out")
            }
            Warning::RepeatedTrack { clip, joint } => {
                write!(f, "clip '{clip}': two tracks for one property of joint '{joint}'")
            }
            Warning::Capped { mesh, edges } => {
                write!(f, "mesh '{mesh}': not closed, {edges} open edges; the holes are capped")
            }
            Warning::NoCollision { link } => {
                write!(f, "link '{link}': it has looks, but nothing to collide with")
            }
            Warning::FixedJoint { joint } => {
                write!(f, "joint '{joint}': the way it moves is not read; it is fixed at zero")
            }
            Warning::StrayPair { a, b } => {
                write!(f, "disabled pair '{a}', '{b}': the robot has no such link")
            }
            Warning::ExtraRows { rows } => {
                write!(f, "{rows} more rows of motion than declared are left out")
            }
        }
    }
}
