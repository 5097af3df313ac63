"""Robots as boxwood reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import boxwood

from .compare import Facts, Floats, Link, Pair, matrices, pair


def load(file: Path, **options: Any) -> boxwood.Robot:
    """Loads a robot by the kind of its file."""
    if file.suffix == ".urdf":
        return boxwood.Robot.urdf(file, **options)
    return boxwood.Robot.mjcf(file, **options)


def facts(robot: boxwood.Robot, q: Floats) -> Facts:
    """Returns boxwood's facts about the robot at rows of joint values."""
    rows = robot.poses(q)
    poses = matrices(rows[..., :3], rows[..., 3:])
    bounds, volumes = robot.part_bounds, robot.part_volumes
    links = {}
    for index, name in enumerate(robot.parts):
        has_geometry = bool(np.isfinite(bounds[index]).all())
        own = bounds[index] if has_geometry else None
        links[name] = Link(poses[:, index], own, float(volumes[index]))
    pairs = {pair(robot.parts[a], robot.parts[b]) for a, b in robot.tested_pairs}
    return Facts(links, pairs)


def touching(robot: boxwood.Robot, q: Floats) -> list[set[Pair]]:
    """Returns the pairs of links that touch, a set for each row of joint values."""
    found: list[set[Pair]] = [set() for _ in q]
    pairs = robot.pairs(q)
    for row, a, b in zip(pairs.row.tolist(), pairs.a.tolist(), pairs.b.tolist()):
        found[row].add(pair(robot.parts[a], robot.parts[b]))
    return found
