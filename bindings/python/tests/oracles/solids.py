"""Bounds and volumes of the shapes of robots, by formulas and by hulls of Qhull."""

from __future__ import annotations

import numpy as np

from .compare import Floats

_UNIT = np.eye(3)


def ellipsoid(radii: Floats, rotation: Floats) -> tuple[Floats, float]:
    """Returns the half size of its box, and its volume."""
    return np.linalg.norm(rotation * radii, axis=1), float(4 / 3 * np.pi * np.prod(radii))


def cylinder(radius: float, half: float, rotation: Floats) -> tuple[Floats, float]:
    """Returns the half size of its box, and its volume; its axis is z."""
    axis = rotation[:, 2]
    disc = radius * np.sqrt(np.maximum(0.0, 1.0 - axis * axis))
    return disc + half * np.abs(axis), float(2 * half * np.pi * radius**2)


def capsule(radius: float, half: float, rotation: Floats) -> tuple[Floats, float]:
    """Returns the half size of its box, and its volume; `half` is half the length of the z axis."""
    extent = radius + half * np.abs(rotation[:, 2])
    return extent, float(np.pi * radius**2 * (2 * half + 4 / 3 * radius))


def box(half: Floats, rotation: Floats) -> tuple[Floats, float]:
    """Returns the half size of its box along other axes, and its volume."""
    return np.abs(rotation) @ half, float(8 * np.prod(half))


def around(points: Floats) -> Floats:
    """Returns the bounds of points, [2, 3]."""
    return np.stack([points.min(axis=0), points.max(axis=0)])


def merged(all_bounds: list[Floats]) -> Floats:
    """Returns the union of bounds, [2, 3]."""
    return around(np.concatenate(all_bounds))
