"""Named tuples of arrays, in which answers of several columns come."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Pairs(NamedTuple):
    """Pairs that touch, in order of row, a, b: a pair is an entry of each array, [K]."""

    row: NDArray[np.int64]
    """The row of the batch."""
    a: NDArray[np.int64]
    """The part, an index of `Robot.parts`."""
    b: NDArray[np.int64]
    """The other part; len(parts) + i is item i of the world."""


class Closest(NamedTuple):
    """Closest points, a row of the batch each."""

    distance: NDArray[np.float64]
    """[N], metres or the file's unit: zero where two touch, inf if all are further apart."""
    a: NDArray[np.int64]
    """[N], the part; -1 if all are further apart."""
    b: NDArray[np.int64]
    """[N], the other part, of a Pair that of its second body; len(parts) + i is item i of the world."""
    on_a: NDArray[np.float64]
    """[N, 3], the point on the first, in the world; nan if all are further apart."""
    on_b: NDArray[np.float64]
    """[N, 3], the point on the second."""


class Contacts(NamedTuple):
    """Contacts of parts, in order of row, a, b: a contact is an entry of each array."""

    row: NDArray[np.int64]
    """[K], the row of the batch."""
    a: NDArray[np.int64]
    """[K], the part of the first body."""
    b: NDArray[np.int64]
    """[K], the part of the second body."""
    point: NDArray[np.float64]
    """[K, 3], in or near the overlap, in the world."""
    normal: NDArray[np.float64]
    """[K, 3], unit, from the first to the second: of boxes, not of the bodies."""
    depth: NDArray[np.float64]
    """[K], how deep these boxes overlap along the normal; never negative."""
    slack: NDArray[np.float64]
    """[K], the parts are no further apart than this; zero where triangles decided."""


class Separations(NamedTuple):
    """Short ways to move the second body until the two are apart, a row of the batch each."""

    depth: NDArray[np.float64]
    """[N], how far; zero where they do not touch."""
    normal: NDArray[np.float64]
    """[N, 3], the unit direction; nan where they do not touch."""
    a: NDArray[np.int64]
    """[N], the part of the first body that parts last; -1 where they do not touch."""
    b: NDArray[np.int64]
    """[N], the part of the second body that parts last."""
    on_a: NDArray[np.float64]
    """[N, 3], where on the first they part last, in the world."""
    on_b: NDArray[np.float64]
    """[N, 3], the point of the second that parts last, before it is moved."""
