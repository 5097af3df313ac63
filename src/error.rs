//! The one error type: what was wrong with what the caller handed in, and where.

use std::path::PathBuf;

/// Why a value, a file or a question was refused. Whatever was being changed is as it was.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is NaN or infinite.
    #[error("{} is not finite", told(field, *index))]
    NotFinite {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
    },
    /// A number is so large that products of it would overflow.
    #[error("{} is larger than {limit:e}", told(field, *index))]
    OutOfRange {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
        /// The largest magnitude accepted.
        limit: f64,
    },
    /// A quaternion or an axis is not of length one.
    #[error("{} has length {length}, not 1", told(field, *index))]
    NotUnit {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
        /// The length found.
        length: f64,
    },
    /// Axes are not at right angles, or form a left-handed frame.
    #[error("{}: the axes are not a right-handed set at right angles", told(field, *index))]
    NotOrthonormal {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
    },
    /// A matrix does more than turn and move: its last row is not 0, 0, 0, 1.
    #[error("{field}: the last row of the matrix is not 0, 0, 0, 1")]
    NotAffine {
        /// What kind of thing it is.
        field: &'static str,
    },
    /// A size is negative.
    #[error("{} is negative", told(field, *index))]
    Negative {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
    },
    /// Corners do not go once round a convex polygon.
    #[error("{}: the corners do not go once round a convex polygon", told("corner", *index))]
    NotConvex {
        /// The first corner at which they do not, counted from 0.
        index: usize,
    },
    /// There is nothing in it.
    #[error("{field} is empty")]
    Empty {
        /// What is empty.
        field: &'static str,
    },
    /// A mesh given as a solid does not enclose anything: it has holes, or triangles that turn different ways.
    #[error("the mesh is not closed: {count} open edges, the first between corners {edges:?}")]
    Open {
        /// The first few open edges, by the first corner in each place.
        edges: Vec<[u32; 2]>,
        /// How many there are.
        count: usize,
    },
    /// An index points past the end of what it indexes.
    #[error("{}", past_the_end(field, *index, *target, *len))]
    IndexOutOfRange {
        /// What kind of thing holds the index.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
        /// What it points at.
        target: usize,
        /// How many there are.
        len: usize,
    },
    /// Something comes before what it should follow: a joint before its parent, a key before an
    /// earlier one.
    #[error("{} is out of order", told(field, *index))]
    OutOfOrder {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
    },
    /// A list has the wrong length.
    #[error("{found} {field} given, {expected} expected")]
    WrongCount {
        /// What is counted.
        field: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// No thing of that kind has that name.
    #[error("no {kind} is called '{name}'")]
    UnknownName {
        /// Part, clip, parent...
        kind: &'static str,
        /// The name asked for.
        name: String,
    },
    /// Two things of one kind have the same name.
    #[error("two {kind}s are called '{name}'")]
    DuplicateName {
        /// Part, clip...
        kind: &'static str,
        /// The name given twice.
        name: String,
    },
    /// The character was removed.
    #[error("the key is stale: its character was removed")]
    StaleKey,
    /// The key belongs to another scene.
    #[error("the key belongs to another scene")]
    ForeignKey,
    /// Two characters of one scene have the same order.
    #[error("order {order} is taken by another character of the scene")]
    DuplicateOrder {
        /// The order given twice.
        order: u64,
    },
    /// A actuator of a mechanism is asked for more than its limits allow.
    #[error("actuator '{actuator}' can not be at {value}: its limits are {least} and {most}")]
    BeyondLimits {
        /// The actuator.
        actuator: String,
        /// The value asked for: radians or lengths.
        value: f64,
        /// The least value allowed.
        least: f64,
        /// The greatest value allowed.
        most: f64,
    },
    /// The question can not be put so.
    #[error("{reason}")]
    BadQuery {
        /// Why not.
        reason: &'static str,
    },
    /// Something is wrong with one part of a model.
    #[error("part '{part}': {source}")]
    Part {
        /// The name of the part.
        part: String,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// Something is wrong with a file.
    #[error("{}: {trouble}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where in it.
        trouble: String,
    },
    /// The caller stopped it.
    #[error("stopped by the caller")]
    Cancelled,
}

/// What there is one of, so that its index says nothing.
const ALONE: [&str; 29] = [
    "angle",
    "axes",
    "bind pose",
    "bound",
    "center",
    "clip of keys",
    "direction",
    "eye",
    "half extents",
    "inverse of matrix",
    "largest distance",
    "least thickness of bones",
    "length",
    "matrix",
    "normal",
    "offset",
    "origin",
    "origin of link",
    "place",
    "radii",
    "radius",
    "sample time",
    "scale",
    "skin",
    "step",
    "target",
    "thickness",
    "thickness of bones",
    "tolerance",
];

/// What the caller asked for by its number.
const ASKED: [&str; 2] = ["node", "part"];

/// Which one is meant: `radius`, `vertex number 2 (from 0)`.
fn told(field: &str, index: usize) -> String {
    match index {
        0 if ALONE.contains(&field) => field.to_owned(),
        _ => format!("{field} number {index} (from 0)"),
    }
}

/// An index that points past the end.
fn past_the_end(field: &str, index: usize, target: usize, len: usize) -> String {
    match index {
        0 if ASKED.contains(&field) => format!("there is no {field} {target}, only {len} of them"),
        _ => format!("{} points at {target}, but there are only {len}", told(field, index)),
    }
}

impl Error {
    /// The same error, said of the part called `part`.
    pub(crate) fn in_part(self, part: &str) -> Self {
        Error::Part { part: part.to_owned(), source: Box::new(self) }
    }
}
