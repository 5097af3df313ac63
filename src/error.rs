//! The crate's one error type: which input was invalid, and which element of it.

use std::path::PathBuf;

/// The reason why a value, a file or a query was rejected. The object to be changed is unchanged.
///
/// ```
/// use boxwood::nalgebra::Point3;
/// use boxwood::{Error, Sphere};
///
/// let error = Sphere::new(Point3::origin(), -1.0).unwrap_err();
/// assert_eq!(error, Error::Negative { field: "radius", index: 0 });
/// assert_eq!(error.to_string(), "radius is negative");
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is NaN or infinite.
    #[error("{} is not finite", named(field, *index))]
    NotFinite {
        /// The name of the quantity.
        field: &'static str,
        /// The element's index, counted from 0.
        index: usize,
    },
    /// A number is so large that products of it would overflow.
    #[error("{} is larger than {limit:e}", named(field, *index))]
    OutOfRange {
        /// The name of the quantity.
        field: &'static str,
        /// The element's index, counted from 0.
        index: usize,
        /// The largest magnitude accepted.
        limit: f64,
    },
    /// A quaternion or an axis is not of length one.
    #[error("{} has length {length}, not 1", named(field, *index))]
    NotUnit {
        /// The name of the quantity.
        field: &'static str,
        /// The element's index, counted from 0.
        index: usize,
        /// The length found.
        length: f64,
    },
    /// Axes are not at right angles, or form a left-handed frame.
    #[error("{}: the axes are not a right-handed set at right angles", named(field, *index))]
    NotOrthonormal {
        /// The name of the quantity.
        field: &'static str,
        /// The element's index, counted from 0.
        index: usize,
    },
    /// A matrix is not affine: its last row is not 0, 0, 0, 1.
    #[error("{field}: the last row of the matrix is not 0, 0, 0, 1")]
    NotAffine {
        /// The name of the matrix.
        field: &'static str,
    },
    /// A size is negative.
    #[error("{} is negative", named(field, *index))]
    Negative {
        /// The name of the quantity.
        field: &'static str,
        /// The element's index, counted from 0.
        index: usize,
    },
    /// A factor is zero or negative.
    #[error("{} is not above zero", named(field, *index))]
    NotPositive {
        /// The name of the quantity.
        field: &'static str,
        /// The element's index, counted from 0.
        index: usize,
    },
    /// The corners of a polygon are not convex, or wind around it more than once.
    #[error("{}: the corners do not form a convex polygon, wound once", named("corner", *index))]
    NotConvex {
        /// The first corner that breaks convexity, counted from 0.
        index: usize,
    },
    /// The corners of a polygon are not in one plane.
    #[error(
        "{} is {away} away from the plane of the polygon, more than the limit of {limit}",
        named("corner", *index)
    )]
    NotFlat {
        /// The corner farthest out of the plane, counted from 0.
        index: usize,
        /// The distance of that corner from the plane. Units.
        away: f64,
        /// The largest distance accepted. Units.
        limit: f64,
    },
    /// A list, a mesh or a model is empty.
    #[error("{field} is empty")]
    Empty {
        /// The name of the empty input.
        field: &'static str,
    },
    /// A mesh given as a solid does not enclose a volume: it has holes, or triangles of
    /// inconsistent winding.
    #[error("the mesh is not closed: {count} open edges, the first between corners {edges:?}")]
    Open {
        /// The first few open edges; vertices with equal coordinates count as the first of them.
        edges: Vec<[u32; 2]>,
        /// The number of open edges.
        count: usize,
    },
    /// An index points past the end of the list it refers to.
    #[error("{}", past_the_end(field, *index, *target, *len))]
    IndexOutOfRange {
        /// The name of the list that contains the index.
        field: &'static str,
        /// The position of the index in that list, counted from 0.
        index: usize,
        /// The invalid index.
        target: usize,
        /// The length of the list it refers to.
        len: usize,
    },
    /// An element precedes one that it must follow: a joint before its parent, a key before an
    /// earlier one.
    #[error("{} is out of order", named(field, *index))]
    OutOfOrder {
        /// The name of the list.
        field: &'static str,
        /// The element's index, counted from 0.
        index: usize,
    },
    /// A list has the wrong length.
    #[error("{found} {field} given, {expected} expected")]
    WrongCount {
        /// The name of the counted elements.
        field: &'static str,
        /// The required number.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// An unknown name: no element of that kind has it.
    #[error("no {kind} is called '{name}'{}", only(known))]
    UnknownName {
        /// The kind of element: part, clip, parent...
        kind: &'static str,
        /// The name that was looked up.
        name: String,
        /// The names of the elements, in their order.
        known: Vec<String>,
    },
    /// Two elements of one kind have the same name.
    #[error("two {kind}s are called '{name}'")]
    DuplicateName {
        /// The kind of element: part, clip...
        kind: &'static str,
        /// The name given twice.
        name: String,
    },
    /// A brush has a face without an end.
    #[error("the brush is unbounded: the face of plane {plane} extends to infinity")]
    UnboundedBrush {
        /// The index of the plane, counted from 0.
        plane: usize,
    },
    /// A brush is empty, or too thin a solid.
    #[error("the brush is empty or too thin, at plane {plane}")]
    EmptyBrush {
        /// The index of a plane that leaves no solid, counted from 0.
        plane: usize,
    },
    /// A cylinder does not fit at the requested position.
    #[error("the cylinder does not fit: it overlaps brush {brush}")]
    NoRoom {
        /// The id of a brush in the way.
        brush: u32,
    },
    /// The key is stale: its character was removed.
    #[error("the key is stale: its character was removed")]
    StaleKey,
    /// The key belongs to another scene.
    #[error("the key belongs to another scene")]
    ForeignKey,
    /// A state of a trajectory is not a clone of the scene of its first state.
    #[error("state {index} is of another scene than state 0")]
    ForeignState {
        /// The state's index, counted from 0.
        index: usize,
    },
    /// A held character has no root of its own: it moves with its holder.
    #[error("the character is attached to another and moves with it")]
    Held,
    /// A character would hold itself, directly or through others.
    #[error("the character would be attached to itself")]
    HoldsItself,
    /// Two characters of one scene have the same order.
    #[error("another character of the scene already has order {order}")]
    DuplicateOrder {
        /// The order given twice.
        order: u64,
    },
    /// A value is outside the limits of a mechanism's actuator.
    #[error("actuator '{actuator}': the value {value} is outside the limits {least} to {most}")]
    BeyondLimits {
        /// The actuator.
        actuator: String,
        /// The value given: radians or lengths.
        value: f64,
        /// The least value allowed.
        least: f64,
        /// The greatest value allowed.
        most: f64,
    },
    /// The options of a query are invalid, or contradict each other.
    #[error("{reason}")]
    BadQuery {
        /// The reason.
        reason: &'static str,
    },
    /// A history does not have a tick.
    #[error("tick {tick} is not in the history, which has {}", ticks(*first, *last))]
    NotInHistory {
        /// The tick.
        tick: u64,
        /// The first tick that it has; after `last` if it has none.
        first: u64,
        /// The last tick that it has.
        last: u64,
    },
    /// A part of a model is invalid.
    #[error("part '{part}': {source}")]
    Part {
        /// The name of the part.
        part: String,
        /// The error of that part.
        source: Box<Error>,
    },
    /// A row of values is invalid: a configuration of a batch or a path, an end of an edge.
    #[error("row {row}: {source}")]
    Row {
        /// The row's index, counted from 0; of an edge, 0 is its start and 1 its end.
        row: usize,
        /// The error of that row.
        source: Box<Error>,
    },
    /// A file could not be loaded.
    #[error("{}: {trouble}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason, and the position in the file.
        trouble: String,
    },
    /// The caller's progress function stopped the work.
    #[error("stopped by the caller")]
    Cancelled,
}

/// Returns a range of ticks in words.
fn ticks(first: u64, last: u64) -> String {
    if first > last { "none".to_owned() } else { format!("{first} to {last}") }
}

/// Quantities that an object has only one of: messages omit their index.
const SINGLE_QUANTITIES: [&str; 41] = [
    "angle",
    "axes",
    "base",
    "bind pose",
    "bound",
    "center",
    "clip of keys",
    "direction",
    "displacement",
    "eye",
    "factor",
    "friction",
    "half extents",
    "inverse of matrix",
    "largest distance",
    "margin",
    "maximum",
    "minimum",
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
    "reach of planes",
    "restitution",
    "sample time",
    "scale",
    "skin",
    "spacing of columns",
    "spacing of rows",
    "step",
    "target",
    "thickness",
    "thickness of bones",
    "tolerance",
    "velocity",
];

/// Elements that callers address by index: messages state that index.
const INDEXED_ELEMENTS: [&str; 3] = ["body", "node", "part"];

/// Names an element in a message: `radius`, `vertex number 2 (from 0)`.
fn named(field: &str, index: usize) -> String {
    match index {
        0 if SINGLE_QUANTITIES.contains(&field) => field.to_owned(),
        _ => format!("{field} number {index} (from 0)"),
    }
}

/// Describes an index past the end of a list.
fn past_the_end(field: &str, index: usize, target: usize, len: usize) -> String {
    match index {
        0 if INDEXED_ELEMENTS.contains(&field) => {
            format!("there is no {field} {target}: the count is {len}")
        }
        _ => format!("{} refers to {target}, but there are only {len}", named(field, index)),
    }
}

/// Number of names in the message about an unknown one.
const LISTED_NAMES: usize = 16;

/// Text such as `, only 'idle', 'walk'` for the names that exist; at most [`LISTED_NAMES`].
fn only(known: &[String]) -> String {
    let listed = known.iter().take(LISTED_NAMES).map(|name| format!("'{name}'"));
    let listed: Vec<String> = listed.collect();
    match known.len() {
        0 => String::new(),
        1..=LISTED_NAMES => format!(", only {}", listed.join(", ")),
        all => format!(", only {} and {} more", listed.join(", "), all - LISTED_NAMES),
    }
}

impl Error {
    /// Returns the error for a name that no element of that kind has.
    pub(crate) fn unknown_name<'k>(
        kind: &'static str,
        name: &str,
        known: impl Iterator<Item = &'k str>,
    ) -> Self {
        let known = known.map(str::to_owned).collect();
        Error::UnknownName { kind, name: name.to_owned(), known }
    }

    /// Wraps the error in [`Error::Part`], naming the part.
    pub(crate) fn in_part(self, part: &str) -> Self {
        Error::Part { part: part.to_owned(), source: Box::new(self) }
    }

    /// Wraps the error in [`Error::Row`], naming the row.
    pub(crate) fn in_row(self, row: usize) -> Self {
        Error::Row { row, source: Box::new(self) }
    }
}
