"""Comparison with Pinocchio and coal: boxwood finds all their collisions, and others only where one
link is wholly inside another, which their hollow meshes do not detect."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import boxwood

pytest.importorskip("pinocchio", reason="pin is not installed: robots are not compared")
pytest.importorskip("coal", reason="coal is not installed: robots are not compared")

from pinocchio_side import Floats, Peer, unpacked, winding  # noqa: E402

ROWS = 100_000


def peer(data: Path, folder: Path, robot: str, solid: bool) -> Peer:
    """Returns a robot of the data folder in both libraries."""
    package = data / "robots" / robot
    if robot == "panda":
        urdf, name, srdf = package / "urdf/panda.urdf", "panda_description", package / "srdf/panda.srdf"
    else:
        urdf, name, srdf = package / "robots/talos_reduced.urdf", "talos_data", package / "srdf/talos.srdf"
    mine = boxwood.Robot.urdf(urdf, srdf=srdf, solid=solid)
    return Peer(unpacked(urdf, package, name, folder), folder, mine)


def test_forward_kinematics_agree(data: Path, tmp_path: Path) -> None:
    for robot in ("panda", "talos"):
        both = peer(data, tmp_path, robot, True)
        q = both.robot.sample(20, seed=40)
        for row, poses in zip(q, both.robot.poses(q)):
            theirs = both.poses(row)
            for part, pose in zip(both.robot.parts, poses):
                assert np.allclose(pose[:3], theirs[part].translation, atol=1e-12)
                x, y, z, w = pose[3:]
                column = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)]
                assert np.allclose(column, theirs[part].rotation[:, 0], atol=1e-12)


def deeper(both: Peer, row: Floats) -> tuple[str, str]:
    """Returns a pair of links of which one is wholly inside the other, which hollow meshes miss."""
    pairs = both.robot.pairs(row)
    mine = {(both.robot.parts[a], both.robot.parts[b]) for a, b in zip(pairs.a, pairs.b)}
    more = {pair for pair in mine if tuple(sorted(pair)) not in both.touching(row)}
    assert more, "the batch and the row disagree"
    for pair in more:
        # By coal no surfaces intersect, so all vertices are inside if one is; all are tested.
        a, b = (both.triangles(row, link) for link in pair)
        shares = [winding(a.reshape(-1, 3), b), winding(b.reshape(-1, 3), a)]
        assert any((share > 0.5).all() for share in shares), (pair, [s.min() for s in shares])
    return sorted(more)[0]


def test_the_panda_never_misses(data: Path, tmp_path: Path) -> None:
    both = peer(data, tmp_path, "panda", True)
    q = both.robot.sample(ROWS, seed=41)
    mine, theirs = both.robot.collides(q), both.collides(q, threads=2)
    assert not (theirs & ~mine).any(), "missed: rows " + str(np.flatnonzero(theirs & ~mine)[:5])
    more = np.flatnonzero(mine & ~theirs)
    inside = [deeper(both, q[row]) for row in more]
    print(f"panda: {theirs.sum()} of {ROWS} collide, and {len(more)} with a link inside: {set(inside)}")
    assert theirs.sum() > 1000 and len(more) < theirs.sum() / 100


def test_hollow_meshes_give_the_same_verdicts(data: Path, tmp_path: Path) -> None:
    both = peer(data, tmp_path, "panda", False)
    q = both.robot.sample(ROWS // 2, seed=42)
    mine, theirs = both.robot.collides(q), both.collides(q, threads=2)
    assert np.array_equal(mine, theirs), np.flatnonzero(mine != theirs)[:5]


def test_pairs_are_the_same(data: Path, tmp_path: Path) -> None:
    both = peer(data, tmp_path, "panda", False)
    q = both.robot.sample(20_000, seed=43)
    pairs = both.robot.pairs(q)
    names = both.robot.parts
    for row in np.unique(pairs.row)[:300]:
        here = pairs.row == row
        mine = {(names[a], names[b]) for a, b in zip(pairs.a[here], pairs.b[here])}
        assert {tuple(sorted(pair)) for pair in mine} == both.touching(q[row])


def test_distances_are_the_same(data: Path, tmp_path: Path) -> None:
    import coal
    import pinocchio as pin

    both = peer(data, tmp_path, "panda", False)
    q = both.robot.sample(200, seed=44)
    mine = both.robot.distance(q)
    model_data, at = both.model.createData(), both.geometry.createData()
    for row, distance in zip(both.configurations(q), mine):
        pin.updateGeometryPlacements(both.model, model_data, both.geometry, at, row)
        least = pin.computeDistances(both.geometry, at)
        gap = max(at.distanceResults[least].min_distance, 0.0)
        assert abs(gap - distance) < 1e-6
    assert (mine > 0).any() and coal is not None


def test_talos_never_misses(data: Path, tmp_path: Path) -> None:
    both = peer(data, tmp_path, "talos", True)
    # Small motions about a pose, because random poses always collide.
    chance = np.random.default_rng(45)
    width = both.robot.limits[:, 1] - both.robot.limits[:, 0]
    q = both.robot.rest + 0.08 * width * chance.normal(size=(2000, both.robot.dof))
    q = np.clip(q, *both.robot.limits.T)
    mine, theirs = both.robot.pairs(q), [both.touching(row) for row in q[:400]]
    names = both.robot.parts
    missed, more = 0, 0
    for row, touching in enumerate(theirs):
        here = mine.row == row
        own = {tuple(sorted((names[a], names[b]))) for a, b in zip(mine.a[here], mine.b[here])}
        missed += len(touching - own)
        more += len(own - touching)
    print(f"talos: {sum(map(len, theirs))} pairs in 400 rows, {more} more (insides; hulls of cylinders)")
    assert missed == 0
