"""Facts about a robot, and the differences between two readers of the same file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pair = tuple[str, str]

# A round shape beside a mesh is tessellated from outside: at most 2 % wider, in three directions.
TESSELLATED_LENGTH, TESSELLATED_VOLUME = 0.02, 0.07
# Readers store lengths in single precision, or print matrices of eight digits.
ROUNDING = 2e-6


@dataclass
class Link:
    """Facts about a link, from one reader."""

    poses: Floats  # [rows, 4, 4], link to world
    bounds: Optional[Floats] = None  # [2, 3], in the frame of the link; None without geometry
    volume: Optional[float] = None  # None if the reader does not know it
    has_round: bool = False
    is_convex: bool = True  # false if its surface is made of triangles


@dataclass
class Facts:
    """Facts about a robot, from one reader."""

    links: dict[str, Link]
    pairs: set[Pair]
    # Links whose shapes have different masks: the union of the masks decides in boxwood.
    mixed: set[str] = field(default_factory=set)


class Touches(NamedTuple):
    """Pairs of links that touch in one row, from one reader."""

    deep: set[Pair]  # overlap by more than the accuracy of the reader
    near: set[Pair]  # graze: may count as touching or not


class Difference(NamedTuple):
    """One disagreement, with both values."""

    link: str
    what: str
    boxwood: str
    other: str

    def __str__(self) -> str:
        return f"{self.link}: {self.what}: boxwood has {self.boxwood}, the other has {self.other}"


def pair(a: str, b: str) -> Pair:
    """Returns a pair of links in the order of their names."""
    return (a, b) if a < b else (b, a)


def differences(mine: Facts, theirs: Facts) -> list[Difference]:
    """Returns all disagreements about links, poses, geometry and tested pairs."""
    found = []
    for name in sorted(mine.links.keys() | theirs.links.keys()):
        own, other = mine.links.get(name), theirs.links.get(name)
        if own is None:
            found.append(Difference(name, "link", "none", "one"))
        elif other is None:
            # boxwood adds links without geometry between the joints of one body.
            if own.bounds is not None:
                found.append(Difference(name, "link", "one with geometry", "none"))
        else:
            found += pose_differences(name, own, other) + shape_differences(name, own, other)
    return found + pair_differences(mine, theirs)


def pose_differences(name: str, own: Link, other: Link) -> list[Difference]:
    """Compares poses, within rounding of the distance from the origin."""
    size = 1.0 + float(np.abs(other.poses).max())
    off = np.abs(own.poses - other.poses).max(axis=(1, 2))
    if not (worst := float(off.max())) > ROUNDING * size:
        return []
    row = int(off.argmax())
    at = f"pose of row {row}, off by {worst:.3g}"
    return [Difference(name, at, brief(own.poses[row, :3]), brief(other.poses[row, :3]))]


def shape_differences(name: str, own: Link, other: Link) -> list[Difference]:
    """Compares bounds and volume of the geometry in the frame of the link."""
    if own.bounds is None or other.bounds is None:
        if own.bounds is other.bounds:
            return []
        here, there = ("none" if link.bounds is None else brief(link.bounds) for link in (own, other))
        return [Difference(name, "geometry", here, there)]
    found = []
    size = float(np.linalg.norm(other.bounds[1] - other.bounds[0]))
    rounding = ROUNDING * (size + float(np.abs(other.bounds).max()))
    may_be_wider = other.has_round and not other.is_convex
    beyond = (own.bounds - other.bounds) * np.array([[-1.0], [1.0]])
    most = rounding + (TESSELLATED_LENGTH * size if may_be_wider else 0.0)
    if beyond.min() < -rounding or beyond.max() > most:
        found.append(Difference(name, "bounds", brief(own.bounds), brief(other.bounds)))
    if other.volume is not None and own.volume is not None:
        more = own.volume - other.volume
        # Float32 corners of a thin solid: the error grows with its surface.
        rounding = 1e-4 * abs(other.volume) + 20 * ROUNDING * size**3
        most = rounding + (TESSELLATED_VOLUME * other.volume if may_be_wider else 0.0)
        if not -rounding <= more <= most:
            found.append(Difference(name, "volume", f"{own.volume:.6g}", f"{other.volume:.6g}"))
    return found


def pair_differences(mine: Facts, theirs: Facts) -> list[Difference]:
    """Compares tested pairs; more are allowed only where a link has shapes of different masks."""
    found = []
    for a, b in sorted(mine.pairs ^ theirs.pairs):
        tested = (a, b) in mine.pairs
        if tested and theirs.mixed & {a, b}:
            continue
        words = ["not tested", "tested"]
        found.append(Difference(f"{a} - {b}", "pair", words[tested], words[not tested]))
    return found


def touch_differences(mine: list[set[Pair]], theirs: list[Touches]) -> list[Difference]:
    """Compares the touching pairs of every row; those that graze in the other reader may differ."""
    found = []
    for row, (own, other) in enumerate(zip(mine, theirs)):
        words = [(one, "touch", "none") for one in sorted(own - other.deep - other.near)]
        words += [(one, "none", "touch") for one in sorted(other.deep - own)]
        found += [Difference(" - ".join(one), f"contact of row {row}", here, there) for one, here, there in words]
    return found


def brief(values: Floats) -> str:
    """Formats the numbers of an array."""
    return np.array2string(values, precision=6, suppress_small=True, max_line_width=10_000).replace("\n", "")


def matrices(positions: Floats, quaternions: Floats) -> Floats:
    """4x4 matrices of positions [..., 3] and quaternions x, y, z, w [..., 4]."""
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    out = np.zeros((*positions.shape[:-1], 4, 4))
    out[..., 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], -1)
    out[..., 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], -1)
    out[..., 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], -1)
    out[..., :3, 3], out[..., 3, 3] = positions, 1.0
    return out
