"""Tables of arrays, for answers with several columns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Iterator, Literal, Optional

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class _Table:
    """Columns of equal length. `len` is the number of rows, and iteration yields the columns, so that
    a table unpacks into them."""

    def __len__(self) -> int:
        first: NDArray[Any] = next(iter(self))
        return len(first)

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Pairs(_Table):
    """Touching pairs, in order of row, a, b: `len` is their number, K. `row, a, b = robot.pairs(q)`
    unpacks the columns."""

    row: NDArray[np.int64]
    """The row of the batch."""
    a: NDArray[np.int64]
    """Part, an index of `Robot.parts`."""
    b: NDArray[np.int64]
    """Other part; len(parts) + i is entry i of `World.parts`."""


@dataclass(frozen=True, eq=False)
class Closest(_Table):
    """Closest points, a row of the batch each."""

    distance: NDArray[np.float64]
    """[N], metres or the file's unit: zero where two touch, inf if all are further apart."""
    a: NDArray[np.int64]
    """[N], the part; -1 if all are further apart."""
    b: NDArray[np.int64]
    """[N], the other part, for a Pair of its second body; len(parts) + i is entry i of
    `World.parts`."""
    on_a: NDArray[np.float64]
    """[N, 3], the point on the first, in the world; nan if all are further apart."""
    on_b: NDArray[np.float64]
    """[N, 3], the point on the second."""


@dataclass(frozen=True, eq=False)
class Distances(_Table):
    """Signed distances of pairs of parts: a pair is an entry of each array, K in all; in order of
    row, then the robot's own pairs before those with the world, then a, b."""

    row: NDArray[np.int64]
    """[K], the row of the batch."""
    a: NDArray[np.int64]
    """[K], part, an index of `Robot.parts`."""
    b: NDArray[np.int64]
    """[K], other part; len(parts) + i is entry i of `World.parts`."""
    distance: NDArray[np.float64]
    """[K], metres; where the two share a point, minus the length of a short way that separates
    them."""
    normal: NDArray[np.float64]
    """[K, 3], unit direction from the first to the second; nan where rounding leaves none."""
    on_a: NDArray[np.float64]
    """[K, 3], the closest point of the first, in the world; of parts that share a point the one
    that separates last."""
    on_b: NDArray[np.float64]
    """[K, 3], that of the second."""
    gradient: NDArray[np.float64]
    """[K, dof], derivative of the distance by each joint value; an estimate where parts overlap;
    zero where there is no normal."""


@dataclass(frozen=True, eq=False)
class Contacts(_Table):
    """Contacts of parts, in order of row, a, b: a contact is an entry of each array."""

    row: NDArray[np.int64]
    """[K], the row of the batch."""
    a: NDArray[np.int64]
    """[K], the part of the first body."""
    b: NDArray[np.int64]
    """[K], the part of the second body."""
    point: NDArray[np.float64]
    """[K, 3], position of the contact, in the world."""
    normal: NDArray[np.float64]
    """[K, 3], unit normal from the first to the second: of the two parts."""
    depth: NDArray[np.float64]
    """[K], translation of the second part along the normal that separates the two; minus their
    distance where they are disjoint, and reported because the accuracy is coarse."""
    slack: NDArray[np.float64]
    """[K], upper bound on the distance of the parts; zero where triangles decided."""
    measured: NDArray[np.bool_]
    """[K], True if point, normal and depth are those of the two parts; False if a budget was spent
    before, and they are those of two boxes."""


@dataclass(frozen=True, eq=False)
class Separations(_Table):
    """Short translations of the second body that separate the two, a row of the batch each."""

    depth: NDArray[np.float64]
    """[N], length; zero where they do not touch."""
    normal: NDArray[np.float64]
    """[N, 3], the unit direction; nan where they do not touch."""
    a: NDArray[np.int64]
    """[N], the part of the first body that separates last; -1 where they do not touch."""
    b: NDArray[np.int64]
    """[N], the part of the second body that separates last."""
    on_a: NDArray[np.float64]
    """[N, 3], the last contact point on the first, in the world."""
    on_b: NDArray[np.float64]
    """[N, 3], the last contact point on the second, before it is moved."""


@dataclass(frozen=True, eq=False)
class Impacts(_Table):
    """First impacts of two moving bodies, a row of the batch each. Times are shares of the motion,
    0 to 1."""

    hit: NDArray[np.bool_]
    """[N], False where the two are proved apart during the whole motion, further than the margin."""
    clear_until: NDArray[np.float64]
    """[N], time before which the two share no point, or are further apart than the margin; 1 where
    there is no impact."""
    time: NDArray[np.float64]
    """[N], time at which the two touch or nearly touch; nan where there is no impact."""
    slack: NDArray[np.float64]
    """[N], upper bound on their distance at `time`, beyond the margin; zero if they share a point;
    nan where there is no impact."""
    met: NDArray[np.bool_]
    """[N], False if the slack is above the tolerance, because the parts are too fast for it."""
    a: NDArray[np.int64]
    """[N], the part of the first body; -1 where there is no impact."""
    b: NDArray[np.int64]
    """[N], the part of the second body."""
    on_a: NDArray[np.float64]
    """[N, 3], the point of the first nearest to the second at `time`, in the world; nan where there
    is no impact."""
    on_b: NDArray[np.float64]
    """[N, 3], the point of the second nearest to the first at `time`."""
    normal: NDArray[np.float64]
    """[N, 3], unit normal from the first to the second; nan where there is no impact, and where
    the two touch from the start: nothing approaches then."""
    touching_at_start: NDArray[np.bool_]
    """[N], True if the two parts touch at the start already."""
    touching_at_end: NDArray[np.bool_]
    """[N], True if the two parts touch at the end."""


@dataclass(frozen=True, eq=False)
class EdgeImpacts(_Table):
    """First impacts of a robot on edges, a row of the batch each. Times are shares of the edge, 0
    to 1."""

    hit: NDArray[np.bool_]
    """[N], False where all parts are proved apart on the whole edge, further than the margin."""
    clear_until: NDArray[np.float64]
    """[N], share of the edge before which no tested parts touch, or are within the margin; 1 where
    there is no impact."""
    time: NDArray[np.float64]
    """[N], share at which two parts touch or nearly touch; nan where there is no impact."""
    slack: NDArray[np.float64]
    """[N], upper bound on their distance at `time`, beyond the margin; zero if they share a point;
    nan where there is no impact."""
    met: NDArray[np.bool_]
    """[N], False if the slack is above the tolerance, because the parts are too fast for it."""
    a: NDArray[np.int64]
    """[N], the part; -1 where there is no impact."""
    b: NDArray[np.int64]
    """[N], the other part; len(parts) + i is entry i of `World.parts`."""
    on_a: NDArray[np.float64]
    """[N, 3], the point of the first nearest to the second at `time`; nan where there is no
    impact."""
    on_b: NDArray[np.float64]
    """[N, 3], the point of the second nearest to the first at `time`."""
    normal: NDArray[np.float64]
    """[N, 3], unit normal from the first to the second; nan where there is no impact, and where
    the two touch from the start: nothing approaches then."""


@dataclass(frozen=True, eq=False)
class Edges(_Table):
    """Verdicts on whole edges, a row of the batch each. Shares of an edge are 0 at its start and 1
    at its end."""

    free: NDArray[np.bool_]
    """[N], True for a proof that no tested parts touch on the whole edge, nor are within their
    margin."""
    collides: NDArray[np.bool_]
    """[N], True where two parts touch, or are within their margin, at `q`."""
    fraction: NDArray[np.float64]
    """[N], share of the edge at which they do, or come that near; nan where it is free."""
    clear_until: NDArray[np.float64]
    """[N], share of the edge before which it is proved free: 1 where it is free. Where it collides,
    0 unless `first` is set; then the first collision is between this and `fraction`, and until
    `fraction` all parts are apart or within the tolerance. 0 where it is undecided."""
    clearance: NDArray[np.float64]
    """[N], lower bound on the distance (metres) of any two tested parts on the whole edge: the
    margin where some came so near that only that was proved, inf if no parts are tested; nan where
    it is not free."""
    slack: NDArray[np.float64]
    """[N], upper bound on the distance of the two beyond their margin, at the fraction: 0 where
    they touch, at most the tolerance where it is undecided (unless that is finer than 2^-30 of the
    edge), nan where it is free."""
    a: NDArray[np.int64]
    """[N], the part; -1 where it is free."""
    b: NDArray[np.int64]
    """[N], the other part; len(parts) + i is entry i of `World.parts`."""
    q: NDArray[np.float64]
    """[N, dof], the configuration at the fraction, nan where it is free."""

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """[N], True where neither was shown: two parts come within the tolerance."""
        return ~(self.free | self.collides)


@dataclass(frozen=True, eq=False)
class PathEdge:
    """Verdict on a path: its first edge that is not free."""

    free: bool
    """True for a proof that all edges are free."""
    index: int
    """Index of the first edge that is not free, which begins at the row of that index; the number
    of edges if all are free."""
    collides: bool
    """True if two parts touch on that edge, or are within their margin, at `q`; if neither `free`
    nor `collides` is, two parts come within the tolerance."""
    fraction: float
    """Share of that edge; nan if all are free."""
    clearance: float
    """Lower bound on the distance (metres) of any two tested parts on the whole path; nan unless
    all edges are free."""
    slack: float
    """Upper bound on the distance of the two beyond their margin, at the fraction; 0 if they touch,
    nan if all edges are free."""
    a: int
    """The part; -1 if all edges are free."""
    b: int
    """The other part; len(parts) + i is entry i of `World.parts`."""
    q: NDArray[np.float64]
    """[dof], the configuration at the fraction; nan if all edges are free."""


@dataclass(frozen=True, eq=False)
class MatrixPair:
    """Verdict on two parts over all joint values within the limits."""

    a: str
    """Name of the part that is first in `Robot.parts`."""
    b: str
    """Name of the other part."""
    verdict: Literal["never", "always", "sometimes", "undecided"]
    """never: proved to touch in no configuration. always: proved to touch in every one. sometimes:
    they touch at `witness`. undecided: no proof, and no configuration at which they touch."""
    touching: int
    """Number of the random configurations at which the two touch."""
    witness: Optional[NDArray[np.float64]]
    """[dof], a configuration at which they touch; None unless they do sometimes."""
    least_gap: float
    """Least distance (metres) of the two where the proof stopped; nan unless undecided."""
