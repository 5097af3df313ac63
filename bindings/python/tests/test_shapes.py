"""Tests of bodies made of shapes, ground and levels: closed forms, coal, and meshes of the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_pair import along, ball, matrix, turned

import boxwood
from boxwood import Body, BoxwoodError, Pair, World

ROOM = b"""{ "classname" "worldspawn" {
( 0 0 -16 ) ( 0 1 -16 ) ( 0 0 -15 ) s 0 0 0 1 1
( 64 0 -16 ) ( 64 0 -15 ) ( 64 1 -16 ) s 0 0 0 1 1
( 0 0 -16 ) ( 0 0 -15 ) ( 1 0 -16 ) s 0 0 0 1 1
( 0 64 -16 ) ( 1 64 -16 ) ( 0 64 -15 ) s 0 0 0 1 1
( 0 0 -16 ) ( 1 0 -16 ) ( 0 1 -16 ) s 0 0 0 1 1
( 0 0 0 ) ( 0 1 0 ) ( 1 0 0 ) s 0 0 0 1 1 } }
"""


def test_spheres_have_the_distance_of_their_centres() -> None:
    pair = Pair(Body.spheres([[0, 0, 0], [0, 0, 8]], [1, 2]), Body.spheres([0, 0, 0], 0.5))
    by = [1.4999, 1.5, 1.5001, 4]
    assert pair.touching(None, along(0, by)).tolist() == [True, True, False, False]
    assert np.allclose(pair.distance(None, along(0, by)), [0, 0, 0.0001, 2.5], atol=1e-9)
    assert np.allclose(pair.distance(None, along(2, [8 - 2.75])), [0.25])
    # One radius or one centre for all.
    assert len(Body.spheres([[0, 0, 0], [1, 0, 0]], 0.1).parts) == 1
    both = Body.spheres([0, 0, 0], [0.1, 0.2])
    assert np.allclose(Pair(both, Body.spheres([1, 0, 0], 0)).distance(), [0.8])


def test_half_spaces_end_at_their_plane() -> None:
    ball = Body.spheres([0, 0, 0], 0.5)
    floor = Body.half_spaces([0, 0, 1])
    heights = [-100, 0, 0.5, 0.5001, 3]
    assert Pair(floor, ball).touching(None, along(2, heights)).tolist() == [True, True, True, False, False]
    # Normals of any length; a plane that no axis is square to.
    tilted = Body.half_spaces([3, 0, 4], 10)  # x * 0.6 + z * 0.8 <= 2
    assert np.allclose(Pair(tilted, ball).distance(None, along(2, [7.5, 2.5])), [3.5, 0])
    # Normals whose squares underflow or overflow.
    for size in [1e-200, 1e200]:
        far = Body.half_spaces([3 * size, 0, 4 * size], 10 * size)
        assert np.allclose(Pair(far, ball).distance(None, along(2, [7.5])), [3.5])
    # It ends where it says.
    near = Body.half_spaces([[0, 0, 1], [0, 0, -1]], [-1, -1], reach=10)
    assert Pair(near, ball).touching(None, along(2, [0, 1, -1, 10.4, 10.6])).tolist() == [
        False, True, True, True, False,
    ]  # fmt: skip


def test_a_height_field_is_its_triangles() -> None:
    chance = np.random.default_rng(7)
    heights = chance.uniform(0, 1, (6, 5))
    ground = Body.height_field(heights, [0.5, 0.25], base=-1)
    surface = Body.height_field(heights, [0.5, 0.25])
    corners = [[0.5 * column, 0.25 * row, heights[row, column]] for row in range(6) for column in range(5)]
    faces = []
    for row in range(5):
        for column in range(4):
            at = 5 * row + column
            faces += [[at, at + 1, at + 6], [at, at + 6, at + 5]]
    mesh = Body.mesh(corners, faces, solid=False)
    small, poses = Body.spheres([0, 0, 0], 0.05), turned(3, 400, 1)
    poses[:, :3] += [1, 0.6, 0.5]
    gaps = Pair(surface, small).distance(None, poses)
    assert np.array_equal(gaps, Pair(mesh, small).distance(None, poses)) and (gaps > 0).any()
    # With a base, what is below the ground and above the base touches it.
    places = along(0, [1, 1, 1])
    places[:, 1], places[:, 2] = 0.6, [-0.5, -1.5, 3]
    assert Pair(ground, small).touching(None, places).tolist() == [True, False, False]
    assert Pair(surface, small).touching(None, places).tolist() == [False, False, False]
    up = Body.height_field(heights, 0.5, up="y")
    places = along(1, [1.06, -2])
    places[:, 0], places[:, 2] = 1, 1
    assert (Pair(up, small).distance(None, places) > 0).all()


def test_a_level_is_a_body_of_its_brushes(data: Path) -> None:
    floor, *moving = Body.map(ROOM)
    assert floor.parts == ["brush 0"] and moving == [] and floor.warnings == []
    ball = Body.spheres([0, 0, 0], 1)
    at = along(2, [0.5, 1.001])
    at[:, :2] = 32
    assert Pair(floor, ball).touching(None, at).tolist() == [True, False]
    lifted = Body.map(ROOM, scale=1 / 32, up="y")[0]
    at = along(1, [0.9, 1.1])
    at[:, [0, 2]] = 1
    assert Pair(lifted, ball).touching(None, at).tolist() == [True, False]
    # A whole level, with its doors as bodies of their own, around a robot.
    bodies = Body.map(next((data / "levels").rglob("*e1m1*.map")), scale=1 / 32)
    assert len(bodies) > 10 and len(bodies[0].parts) > 1000
    arm = boxwood.Robot.urdf((Path(__file__).parent.parent / "examples/arm.urdf").read_bytes())
    assert arm.collides(arm.sample(3, seed=1), world=World(bodies)).shape == (3,)


def test_shapes_against_coal() -> None:
    coal = pytest.importorskip("coal", reason="coal is not installed: shapes are not compared")
    # Coal's capsules and cylinders are along z, about their middle.
    shapes: list[tuple[Body, Any]] = [
        (Body.spheres([0, 0, 0], 0.4), coal.Sphere(0.4)),
        (Body.capsules([0, 0, -0.5], [0, 0, 0.5], 0.2), coal.Capsule(0.2, 1.0)),
        (Body.cylinders([0, 0, -0.5], [0, 0, 0.5], 0.3), coal.Cylinder(0.3, 1.0)),
        (Body.boxes([0, 0, 0], [0.2, 0.3, 0.4]), coal.Box(0.4, 0.6, 0.8)),
        (Body.half_spaces([0, 0.6, 0.8], -0.3), coal.Halfspace(np.array([0, 0.6, 0.8]), -0.3)),
    ]
    still, poses, compared = coal.Transform3s.Identity(), turned(11, 300, 0.9), 0
    for index, (mine, theirs) in enumerate(shapes):
        for other, of_coal in shapes[: min(index + 1, 4)]:
            gaps = Pair(mine, other).distance(None, poses)
            touching = Pair(mine, other).touching(None, poses)
            for row, pose in enumerate(poses):
                place = coal.Transform3s(matrix(pose[3:]), pose[:3])
                gap = coal.distance(
                    theirs, still, of_coal, place, coal.DistanceRequest(), coal.DistanceResult()
                )
                assert abs(max(gap, 0) - gaps[row]) < 1e-5, (index, row, gap, gaps[row])
                if abs(gap) > 1e-5:
                    assert touching[row] == (gap < 0), (index, row)
                    compared += 1
    assert compared > 4000


def test_round_shapes_contain_their_meshes() -> None:
    # A mesh inscribed in a ball is no nearer to anything than the ball.
    small = Body.boxes([0, 0, 0], [0.1, 0.1, 0.1])
    poses = turned(5, 300, 1.2)
    round_gaps = Pair(Body.spheres([0, 0, 0], 0.5), small).distance(None, poses)
    mesh_gaps = Pair(Body.mesh(*ball(0.5, 24)), small).distance(None, poses)
    assert (round_gaps <= mesh_gaps + 1e-9).all() and (mesh_gaps - round_gaps < 0.01).all()


@pytest.mark.parametrize(
    "wrong, words",
    [
        (lambda: Body.spheres([0, 0], 1), "centers: shape [2], [N, 3] or [3] expected"),
        (lambda: Body.spheres([0, 0, 0], [[1]]), "radii: shape [1, 1], [N] or a number expected"),
        (lambda: Body.spheres([[0, 0, 0]] * 3, [1, 2]), "radii: 2 rows, 3 or 1 expected"),
        (lambda: Body.spheres([[0, 0, 0]] * 2, [1, -2]), "row 1: radius is negative"),
        (lambda: Body.capsules([0, 0, np.nan], [0, 0, 1], 1), "row 0: "),
        (lambda: Body.cylinders([1, 2, 3], [1, 2, 3], 1), "row 0: start and end are one point"),
        (lambda: Body.half_spaces([0, 0, 0]), "row 0: the normal has no direction"),
        (lambda: Body.half_spaces([0, 0, 1], reach=0), "reach: 0, a length above 0 expected"),
        (lambda: Body.half_spaces([0, 0, 1], reach=np.inf), "reach: inf, a length above 0 expected"),
        (lambda: Body.spheres([0, 0, 0], []), "radii: 0 rows, 1 expected"),
        (lambda: Body.half_spaces([0, 0, 1], -2000), "row 0: half-space in the box is empty"),
        (lambda: Body.height_field([1, 2, 3], 1), "heights: shape [3], [rows, columns] expected"),
        (lambda: Body.height_field([[1, 2], [3, 4]], [1, 1, 1]), "spacing: shape [3], [2] or a number expected"),
        (lambda: Body.height_field([[1, 2], [3, 4]], 1, base=1.5), "height above the base"),
        (lambda: Body.height_field([[1, 2], [3, 4]], 1, up="up"), "up: 'up', 'x', 'y' or 'z' expected"),  # type: ignore[arg-type]
        (lambda: Body.map(b"{ nonsense"), "bytes in memory"),
        (lambda: Body.map(ROOM, scale=0), "scale"),
    ],
)
def test_wrong_shapes_are_refused_by_name(wrong: Callable[[], object], words: str) -> None:
    with pytest.raises(BoxwoodError, match=".*") as refusal:
        wrong()
    assert words in str(refusal.value)
