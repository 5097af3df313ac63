//! Warnings: features of a file that a model approximates or omits.

#[cfg(feature = "gltf")]
use std::collections::HashSet;

/// A feature of a file that the model approximates or omits. The rest of the file is used.
///
/// ```
/// # #[cfg(feature = "meshes")] {
/// let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"; // a lone triangle: open
/// let loaded = boxwood::Loader::new().obj_bytes(text.as_bytes())?;
/// for warning in &loaded.warnings {
///     eprintln!("{warning}");
/// }
/// assert_eq!(loaded.warnings.len(), 1);
/// # }
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bake", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
// Baked files store the index of the variant: new ones go to the end (`load/baked/header.rs`).
pub enum Warning {
    /// The matrix of a joint shears. A second joint above it, of that name with ` (shear)`
    /// appended, completes the matrix; geometry that rotates below shears in the file and is rigid
    /// here.
    Shear {
        /// The joint.
        joint: String,
    },
    /// The scales of joints with children are not uniform: geometry that rotates below them shears
    /// in the file and is rigid here. One warning for all of them.
    NonUniformScale {
        /// The joints, the one with the most different factors first.
        joints: Vec<String>,
        /// The least factor of the first one as a share of its largest, in percent.
        percent: u32,
    },
    /// Clips change the scale of joints: their children move. [`Warning::Stretched`] reports the
    /// parts. One warning for all of them.
    AnimatedScale {
        /// The joints, each with the first clip that scales it; the one that is scaled most first.
        joints: Vec<(String, String)>,
        /// The largest change of the first one's scale, as a share of its rest scale, in percent.
        percent: u32,
    },
    /// Clips change the shape of parts, by their own scale or by one above them. Each becomes a box
    /// that contains it in every clip, except with
    /// [`Loader::cover_stretched(false)`](crate::load::Loader::cover_stretched). One warning for
    /// all of them.
    Stretched {
        /// The parts, each with the first clip that stretches it; the most stretched part first.
        parts: Vec<(String, String)>,
        /// The displacement of a corner of the first one relative to its joint, as a share of the
        /// part's size, in percent.
        percent: u32,
    },
    /// Parts are outside the skin at rest by more than 2 % of the character's size, the diagonal of
    /// its bounds: they touch there what the character does not. One warning for all of them.
    /// [`parts_outside_skin`](crate::model::parts_outside_skin) measures it.
    OutsideSkin {
        /// The parts, the one farthest outside first.
        parts: Vec<String>,
        /// The distance of the first one, as a share of the size, in percent.
        percent: u32,
    },
    /// The weights of some vertices do not sum to one; they are divided by their sum.
    WeightSum {
        /// The mesh.
        mesh: String,
        /// The number of vertices.
        vertices: usize,
    },
    /// Some vertices of a skinned mesh have no weight; they are assigned to the first joint of the
    /// skin.
    NoWeight {
        /// The mesh.
        mesh: String,
        /// The number of vertices.
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
    /// Morph targets do not move the mesh; it keeps the shape of their default weights.
    MorphTargets {
        /// The mesh.
        mesh: String,
    },
    /// A clip moves a node outside the scene; that track is left out.
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
        /// The number of open edges.
        edges: usize,
    },
    /// A link has `<visual>` but no `<collision>` elements, and visual ones were not requested: its
    /// part is empty.
    NoCollision {
        /// The link.
        link: String,
    },
    /// A joint of a robot is of a kind that is not supported (planar, floating, spherical); it is
    /// fixed at zero.
    FixedJoint {
        /// The joint.
        joint: String,
    },
    /// A disabled, enabled, excluded or explicit pair names a link, or a geom, that the robot does
    /// not have; the pair is left out.
    StrayPair {
        /// The first link or geom.
        a: String,
        /// The second link or geom.
        b: String,
    },
    /// An SRDF file disables the collisions of a link that the robot does not have; the element is
    /// left out.
    StrayLink {
        /// The link.
        link: String,
    },
    /// An SRDF file enables a pair of links that fixed joints join, or an explicit pair names two
    /// geoms of one body. They never move against each other, so the pair is not tested.
    RigidPair {
        /// The first link or geom.
        a: String,
        /// The second link or geom.
        b: String,
    },
    /// A file has more rows of motion than it declares; the rest is left out.
    ExtraRows {
        /// The number of surplus rows.
        rows: usize,
    },
    /// A plane is left out, as it is unbounded: [`Loader::planes`](super::Loader::planes) includes
    /// it up to a length.
    Endless {
        /// The name of the shape, or its type.
        shape: String,
    },
    /// An element that affects contacts is not read: a height field, a skin, a soft body.
    Unread {
        /// The kind of element.
        element: String,
        /// The name of the element, or the names that it refers to.
        name: String,
    },
    /// Elements of a mesh, a skeleton or a scene are left out: lines and points, curves, hidden
    /// nodes, scales of a recorded motion.
    Skipped {
        /// The file, mesh or clip that contains them.
        file: String,
        /// The kind of element.
        element: String,
        /// The number of such elements.
        count: usize,
    },
    /// The shapes of a body differ in `contype` or `conaffinity`. A part has one pair of masks: it
    /// is tested wherever one of its shapes would be.
    MixedGroups {
        /// The body.
        body: String,
    },
    /// An element, attribute or property that the format's reader does not know is left out, with
    /// all that it contains. [`elements`](crate::load::elements()) lists what a file
    /// contains.
    Unknown {
        /// The format, and the name of the file if it is one that the loaded file refers to.
        file: String,
        /// The element or object that contains it: `<link>`, `meshes[]`.
        parent: String,
        /// The unknown name: `<drum>` for an element, `colour` for an attribute or a property.
        name: String,
        /// The number of occurrences in the file.
        count: usize,
    },
    /// A body that only a caller of MuJoCo moves (`mocap`) is fixed at its pose in the file.
    MocapBody {
        /// The body.
        body: String,
    },
    /// An equality constraint of a joint is not a linear rule of one other joint, is a second one
    /// of that joint, or is a rule of the joint itself; the joint keeps its own value.
    Uncoupled {
        /// The joint.
        joint: String,
    },
    /// A revolute or prismatic joint of a URDF file has no `<limit>`, which URDF requires of both
    /// kinds. It is loaded without limits: every value is allowed, like for a continuous joint. A
    /// joint that mimics another needs none and is not reported.
    NoLimits {
        /// The joint.
        joint: String,
    },
    /// A flag of an MJCF file is disabled without which MuJoCo's simulation makes no contacts.
    /// Pairs are tested as if it were enabled: the flag is a switch of the simulation, not of the
    /// geometry.
    ContactsDisabled {
        /// The flag: `contact`, or `constraint`, which includes contacts.
        flag: String,
    },
    /// An explicit pair of geoms (`<pair>`) belongs to two bodies that have more shapes. A part
    /// contains all shapes of a body: all of them are tested against each other.
    WidePair {
        /// The link of the first body.
        a: String,
        /// The link of the second body.
        b: String,
    },
}

/// Names with a measure of severity.
#[cfg(feature = "gltf")]
pub(super) struct SeverityList<N>(Vec<(f64, N)>);

#[cfg(feature = "gltf")]
impl<N> SeverityList<N> {
    pub fn new() -> Self {
        SeverityList(Vec::new())
    }

    pub fn add(&mut self, measure: f64, name: N) {
        self.0.push((measure, name));
    }

    /// Returns the largest measure in percent, and all names by descending severity, ties in order;
    /// `None` if empty.
    pub fn sorted(mut self) -> Option<(u32, Vec<N>)> {
        self.0.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let percent = (100.0 * self.0.first()?.0).round() as u32;
        Some((percent, self.0.into_iter().map(|(_, name)| name).collect()))
    }
}

/// A list of distinct warnings, however many primitives or nodes repeat one.
#[cfg(feature = "gltf")]
#[derive(Default)]
pub(super) struct Warnings {
    found: Vec<Warning>,
    known: HashSet<Warning>,
}

#[cfg(feature = "gltf")]
impl Warnings {
    pub fn add(&mut self, warning: Warning) {
        if self.known.insert(warning.clone()) {
            self.found.push(warning);
        }
    }

    pub fn into_list(self) -> Vec<Warning> {
        self.found
    }
}
