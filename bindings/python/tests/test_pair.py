"""Tests of pairs: answers computed by hand, and those of coal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxwood import Accuracy, Body, Pair

FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)


def along(axis: int, by: Any) -> np.ndarray[Any, Any]:
    """Returns poses translated along an axis, not rotated."""
    by = np.atleast_1d(np.asarray(by, float))
    at = np.zeros((len(by), 7))
    at[:, axis], at[:, 6] = by, 1
    return at


def turned(seed: int, count: int, reach: float) -> np.ndarray[Any, Any]:
    """Returns random poses within a cube."""
    chance = np.random.default_rng(seed)
    turns = chance.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    return np.concatenate([chance.uniform(-reach, reach, (count, 3)), turns], axis=1)


def ball(radius: float, rings: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Returns a closed mesh of a ball: two poles, and circles between them."""
    n = 2 * rings
    up = np.pi * np.arange(1, rings)[:, None] / rings
    turn = np.pi * np.arange(n)[None, :] / rings
    flat = np.sin(up) * np.cos(turn), np.sin(up) * np.sin(turn), np.cos(up) + 0 * turn
    corners = np.concatenate([np.stack(flat, -1).reshape(-1, 3), [[0, 0, 1], [0, 0, -1]]])
    top, bottom = len(corners) - 2, len(corners) - 1
    faces = []
    for j in range(n):
        k = (j + 1) % n
        faces += [[top, j, k], [bottom, bottom - 1 - n + k, bottom - 1 - n + j]]
        for i in range(0, (rings - 2) * n, n):
            faces += [[i + j, i + n + j, i + k], [i + k, i + n + j, i + n + k]]
    return radius * corners, np.array(faces)


def test_cubes_touch_up_to_their_size(cube: Body) -> None:
    pair = Pair(cube, cube)
    by = [0, 0.5, 1, 1.0001, 2]
    assert pair.touching(None, along(0, by)).tolist() == [True, True, True, False, False]
    assert np.allclose(pair.distance(None, along(0, by)), [0, 0, 0, 0.0001, 1], atol=1e-9)
    assert pair.touching(None, along(0, [1.2]), margin=0.21).tolist() == [True]
    near = pair.closest(along(1, 5), along(1, [7]))
    assert np.allclose([near.on_a[0, 1], near.on_b[0, 1]], [5.5, 6.5])


def test_contacts_are_arrays(cube: Body) -> None:
    contacts = Pair(cube, cube).contacts(None, along(0, [0.9, 3, -0.9]))
    assert contacts.row.tolist() == [0, 2] and contacts.a.tolist() == [0, 0]
    assert contacts.normal.tolist() == [[1, 0, 0], [-1, 0, 0]]
    assert np.allclose(contacts.depth, 0.1) and np.allclose(contacts.point[0], [0.45, 0, 0])
    assert contacts.measured.tolist() == [True, True]


def test_separations_say_which_way_out(cube: Body) -> None:
    pair = Pair(cube, cube)
    out = pair.separation(None, along(0, [0.7, 3]))
    assert np.allclose(out.depth, [0.3, 0]) and np.allclose(out.normal[0], [1, 0, 0])
    assert np.isnan(out.normal[1]).all() and out.a.tolist() == [0, -1]
    up = pair.separation(None, along(0, [0.7]), along=[0, 0, 2])
    assert np.allclose(up.depth, 1) and up.normal[0].tolist() == [0, 0, 1]
    ground = pair.separation(None, along(2, [0.9]), across=[0, 0, 1])
    assert np.allclose(ground.depth, 1) and abs(ground.normal[0, 2]) < 1e-9
    each = pair.separation(None, along(0, [0.7]), along=[[0, 1, 0], [-1, 0, 0]])
    assert np.allclose(each.depth, [1, 1.7])


def test_separated_bodies_are_apart(cube: Body) -> None:
    pair = Pair(Body.mesh(CORNERS, FACES), Body.mesh(*ball(0.4, 8)))
    at = turned(3, 400, 0.6)
    out = pair.separation(None, at)
    hit = pair.touching(None, at)
    assert np.array_equal(out.depth > 0, hit & (out.depth > 0)) and hit.any() and not hit.all()
    at[hit, :3] += out.normal[hit] * (out.depth[hit, None] * (1 + 1e-9) + 1e-9)
    assert not pair.touching(None, at).any()


def test_solids_own_their_inside() -> None:
    corners, faces = ball(1.0, 8)
    small = Body.boxes([0, 0, 0], [0.1, 0.1, 0.1])
    assert Pair(Body.mesh(corners, faces), small).touching().tolist() == [True]
    assert Pair(Body.mesh(corners, faces, solid=False), small).touching().tolist() == [False]
    inward = Body.mesh(corners, faces[:, ::-1])
    assert inward.warnings == [] and Pair(inward, small).touching().tolist() == [True]
    holed = Body.mesh(corners, faces[1:])
    assert "open edges" in holed.warnings[0] and Pair(holed, small).touching().tolist() == [True]


def test_batches_of_one_stand_for_all(cube: Body) -> None:
    pair, at = Pair(cube, cube), along(0, np.linspace(0, 2, 50))
    assert np.array_equal(pair.touching(at, None), pair.touching(None, at))
    assert np.array_equal(pair.touching(at, along(0, 0)), pair.touching(at[:, :], along(0, 0)[0]))
    assert pair.touching(at, at).all() and pair.touching().shape == (1,)


def test_swapped_bodies_swap_the_answer() -> None:
    a, b = Body.mesh(CORNERS, FACES), Body.mesh(*ball(0.4, 6))
    at = turned(4, 300, 1.0)
    one, other = Pair(a, b).closest(None, at), Pair(b, a).closest(at, None)
    assert np.array_equal(one.distance, other.distance)
    assert np.array_equal(one.on_a, other.on_b) and np.array_equal(one.on_b, other.on_a)


def test_against_coal() -> None:
    coal = pytest.importorskip("coal", reason="coal is not installed: pairs are not compared")
    bodies, theirs = [], []
    for corners, faces in [(CORNERS, FACES), ball(0.4, 8)]:
        bodies.append(Body.mesh(corners, faces))
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(faces), len(corners))
        for face in faces:
            model.addTriangle(*corners[face])
        model.endModel()
        theirs.append(model)
    at = turned(5, 3000, 1.2)
    hit = Pair(*bodies).touching(None, at)
    distance = Pair(*bodies).distance(None, at)
    still = coal.Transform3s.Identity()
    inside = 0
    for row, pose in enumerate(at):
        place = coal.Transform3s(matrix(pose[3:]), pose[:3])
        gap = coal.distance(
            theirs[0], still, theirs[1], place, coal.DistanceRequest(), coal.DistanceResult()
        )
        if gap <= 1e-9:
            assert hit[row] or distance[row] < 1e-6, row  # no miss
        elif hit[row]:
            # Coal's meshes are hollow, so one must be wholly inside the other.
            inside += 1
            reach = np.linalg.norm(CORNERS - pose[:3], axis=1)
            assert contains(pose[:3]) or (reach < 0.4).all(), row
        else:
            assert abs(distance[row] - gap) < 1e-6, row
    assert 0 < hit.sum() < len(at) and inside < 100


def matrix(turn: Any) -> np.ndarray[Any, Any]:
    """Returns the rotation matrix of a quaternion x, y, z, w."""
    x, y, z, w = turn
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])


def contains(point: Any) -> bool:
    """Returns true if the tetrahedron on the axes contains a point."""
    return bool((np.asarray(point) >= 0).all() and np.sum(point) <= 1)


def test_characters_pose_by_their_clips(data: Path) -> None:
    fox = Body.gltf(next((data / "characters/fox").glob("*.glb")))
    assert fox.clips["Run"] > 0 and len(fox.parts) > 10
    poses = fox.poses("Run", np.linspace(0, 1, 20), looped=True)
    assert poses.shape == (20, len(fox.parts), 7)
    assert np.array_equal(poses, fox.poses("Run", np.linspace(0, 1, 20), looped=True, threads=3))
    floor = Body.boxes([0, -0.5, 0], [1000, 0.5, 1000])
    distance = Pair(fox, floor).distance(poses, None)
    assert (distance < 20).all()  # centimetres: the fox runs on the floor
    with pytest.raises(ValueError, match="no clip is called 'Fly'"):
        fox.poses("Fly", [0.0])
    with pytest.raises(ValueError, match="row 1: sample time is not finite"):
        fox.poses("Run", [0.0, np.nan])


def test_accuracy_bounds_the_error(cube: Body) -> None:
    pair = Pair(Body.mesh(*ball(0.5, 10)), Body.mesh(*ball(0.5, 10)))
    at = turned(6, 1000, 1.0)
    distance, hit = pair.distance(None, at), pair.touching(None, at)
    for length in [0.3, 0.05]:
        coarse = pair.touching(None, at, accuracy=Accuracy.within(length))
        assert not (hit & ~coarse).any() and (distance[coarse] <= length + 1e-9).all()
