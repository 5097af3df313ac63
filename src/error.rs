//! The one error type: what was wrong with what the caller handed in, and where.

use std::path::PathBuf;

/// Why a value, a file or a question was refused. Whatever was being changed is as it was.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is NaN or infinite.
    #[error("{field} {index} is not finite")]
    NotFinite {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
    },
    /// A number is so large that products of it would overflow.
    #[error("{field} {index} is larger than {limit:e}")]
    OutOfRange {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
        /// The largest magnitude accepted.
        limit: f64,
    },
    /// A quaternion or an axis is not of length one.
    #[error("{field} {index} has length {length}, not 1")]
    NotUnit {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
        /// The length found.
        length: f64,
    },
    /// Axes are not at right angles, or form a left-handed frame.
    #[error("{field} {index}: the axes are not a right-handed set at right angles")]
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
    #[error("{field} {index} is negative")]
    Negative {
        /// What kind of thing it is.
        field: &'static str,
        /// Which one, counted from 0.
        index: usize,
    },
    /// Corners do not go once round a convex polygon.
    #[error("corner {index}: the corners do not go once round a convex polygon")]
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
    #[error("{field} {index} points at {target}, but there are only {len}")]
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
    #[error("{field} {index} is out of order")]
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
    /// A drive of a mechanism is asked for more than its limits allow.
    #[error("drive '{drive}' can not be at {value}: its limits are {least} and {most}")]
    BeyondLimits {
        /// The drive.
        drive: String,
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
}

impl Error {
    /// The same error, said of the part called `part`.
    pub(crate) fn in_part(self, part: &str) -> Self {
        Error::Part { part: part.to_owned(), source: Box::new(self) }
    }
}
