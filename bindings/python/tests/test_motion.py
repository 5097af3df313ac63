"""Tests of motion between two poses: closed forms, and dense sampling in NumPy that shares no code
with the library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_pair import along, ball, turned

from boxwood import Body, BoxwoodError, Pair, Robot, World

Floats = NDArray[np.float64]
HERE = [0, 0, 0, 0, 0, 0, 1]
TOLERANCE = 1e-4


def about_z(angle: Any) -> Floats:
    """Returns poses rotated about z."""
    angle = np.atleast_1d(np.asarray(angle, float))
    at = np.zeros((len(angle), 7))
    at[:, 5], at[:, 6] = np.sin(angle / 2), np.cos(angle / 2)
    return at


def between(start: Floats, end: Floats, times: Floats) -> Floats:
    """Returns the poses [N, T, 7] at times: positions linear, rotations along the shorter arc."""
    offset = start[:, None, :3] + times[:, None] * (end - start)[:, None, :3]
    dot = np.sum(start[:, 3:] * end[:, 3:], axis=1)
    end_turn = end[:, 3:] * np.where(dot < 0, -1.0, 1.0)[:, None]
    arc = np.arccos(np.clip(np.abs(dot), 0, 1))[:, None, None]
    of_start, of_end = np.sin((1 - times)[:, None] * arc), np.sin(times[:, None] * arc)
    turn = of_start * start[:, None, 3:] + of_end * end_turn[:, None, :]
    still = np.broadcast_to(start[:, None, 3:], turn.shape)
    turn = np.where(arc < 1e-12, still, turn)
    return np.concatenate([offset, turn / np.linalg.norm(turn, axis=-1, keepdims=True)], axis=-1)


def axes(turn: Floats) -> Floats:
    """Returns the rotation matrices [..., 3, 3] of quaternions x, y, z, w."""
    x, y, z, w = np.moveaxis(turn, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def box_gap(half: list[Floats], a: Floats, b: Floats) -> Floats:
    """Returns the largest gap of two boxes along 15 separating axes: positive exactly where they
    are disjoint, and never above their distance."""
    turn_a, turn_b = axes(a[..., 3:]), axes(b[..., 3:])
    faces = [turn_a[..., :, i] for i in range(3)] + [turn_b[..., :, i] for i in range(3)]
    edges = [np.cross(faces[i], faces[3 + j]) for i in range(3) for j in range(3)]
    gaps = []
    for axis in faces + edges:
        length = np.linalg.norm(axis, axis=-1)
        axis = axis / np.maximum(length, 1e-300)[..., None]
        centers = np.abs(np.sum(axis * (b - a)[..., :3], axis=-1))
        reach = sum(
            np.sum(np.abs(np.einsum("...i,...ij->...j", axis, turn)) * h, axis=-1)
            for turn, h in zip([turn_a, turn_b], half)
        )
        gaps.append(np.where(length < 1e-9, -np.inf, centers - reach))
    largest: Floats = np.max(gaps, axis=0)
    return largest


def motions(seed: int, count: int) -> list[Floats]:
    """Returns start and end poses of a sword that turns by up to 3 radians and of a limb
    that moves a little: most pass close by."""
    chance = np.random.default_rng(seed)
    start_a, start_b = turned(seed, count, 0.3), turned(seed + 1, count, 0.3)
    start_b[:, :3] += chance.normal(size=(count, 3)) * 0.35
    ends = []
    for start, angle, way in [(start_a, 3.0, 0.3), (start_b, 0.5, 0.2)]:
        axis = chance.normal(size=(count, 3))
        axis /= np.linalg.norm(axis, axis=1, keepdims=True)
        half = chance.uniform(0, angle, (count, 1)) / 2
        spin = np.concatenate([axis * np.sin(half), np.cos(half)], axis=1)
        (x, y), w = (spin[:, :3], start[:, 3:6]), spin[:, 3:]
        vector = w * y + start[:, 6:] * x + np.cross(x, y)
        scalar = w[:, 0] * start[:, 6] - np.sum(x * y, axis=1)
        offset = start[:, :3] + chance.uniform(-way, way, (count, 3))
        ends.append(np.concatenate([offset, vector, scalar[:, None]], axis=1))
    # The sign of a quaternion means nothing.
    ends[0][::2, 3:] *= -1
    return [start_a, ends[0], start_b, ends[1]]


def test_dense_samples_find_nothing_else() -> None:
    half = [np.array([0.02, 0.05, 0.9]), np.array([0.1, 0.12, 0.3])]
    bodies = [Body.boxes([0, 0, 0], h) for h in half]
    pair, rows, samples = Pair(*bodies), 600, 1025
    ends = motions(31, rows)
    found = pair.motion(*ends, tolerance=TOLERANCE)
    times = np.linspace(0, 1, samples)
    gap = box_gap(half, between(ends[0], ends[1], times), between(ends[2], ends[3], times))
    hit, first = (gap <= 0).any(axis=1), np.argmax(gap <= 0, axis=1)
    assert 120 < hit.sum() < 450
    # What samples see is hit, and nothing touches before the proved time.
    assert not (hit & ~found.hit).any()
    early = (times[None, :] < found.clear_until[:, None] - 1e-9) & (gap <= -1e-9)
    assert not early.any()
    # Both ends alone do not show all.
    unseen = found.hit & ~(gap[:, [0, -1]] <= 0).any(axis=1)
    assert unseen.sum() > 40
    # At the reported time the two are as near as stated; the points are theirs.
    rows_hit = np.flatnonzero(found.hit)
    assert found.met.all() and (found.slack[rows_hit] <= TOLERANCE).all()
    at = [
        np.array([between(start[i : i + 1], end[i : i + 1], found.time[i : i + 1])[0, 0] for i in rows_hit])
        for start, end in [(ends[0], ends[1]), (ends[2], ends[3])]
    ]
    assert (box_gap(half, *at) <= found.slack[rows_hit] + 1e-9).all()
    for pose, h, point in zip(at, half, [found.on_a, found.on_b]):
        turn = axes(pose[:, 3:])
        local = np.einsum("nij,ni->nj", turn, point[rows_hit] - pose[:, :3])
        assert (np.abs(local) <= h + 1e-6).all()
    # No impact is a near miss of more than the tolerance and half the way between two samples (a
    # tip moves by 3 radians at 0.9 metres), and none is late.
    assert (gap[rows_hit].min(axis=1) <= TOLERANCE + 0.003).all()
    seen = hit & found.hit
    assert (found.clear_until[seen] <= times[first[seen]] + 1e-9).all()
    assert (found.clear_until[rows_hit] <= found.time[rows_hit]).all()
    assert np.array_equal(found.touching_at_start[seen], (gap[seen, 0] <= 0))
    assert np.array_equal(found.touching_at_end[seen], (gap[seen, -1] <= 0))
    none = ~found.hit
    assert (found.clear_until[none] == 1).all() and np.isnan(found.time[none]).all()
    assert (found.a[none] == -1).all() and np.isnan(found.normal[none]).all()


def test_a_ball_flies_through_a_plate() -> None:
    plate = Body.boxes([0, 0, 0], [1, 1, 0.05])
    corners, faces = ball(0.2, 8)
    pair = Pair(Body.mesh(corners, faces), plate)
    # The lowest vertex of the ball is a pole: it is at z - 0.2.
    start, height = along(2, [2, 2, 2]), np.array([2.0, 1.5, 0.86])
    end = along(2, 2 - 2 * height)
    start[:, 0] = end[:, 0] = [0, 0.5, 0]
    found = pair.motion(start, end, tolerance=1e-6)
    expected = (2 - 0.25) / (2 * height)
    assert found.hit.tolist() == [True, True, False]
    assert np.allclose(found.time[:2], expected[:2], atol=1e-4)
    assert (found.clear_until[:2] <= expected[:2]).all()
    assert np.allclose(found.normal[:2], [0, 0, -1], atol=1e-3)
    assert np.allclose(found.on_b[:2], [[0, 0, 0.05], [0.5, 0, 0.05]], atol=1e-3)
    assert found.touching_at_start.tolist() == found.touching_at_end.tolist() == [False] * 3
    assert not pair.touching(start).any() and not pair.touching(end).any()
    # The third stops 0.03 above the plate.
    assert pair.motion(start[2:], end[2:], margin=0.04).hit.tolist() == [True]
    assert pair.motion(start[2:], end[2:], margin=0.02).hit.tolist() == [False]


def post_time(turn: float, angle: float, half: float) -> float:
    """Returns the share of a turn of a rod of half thickness 0.01 about z at which its side meets
    the first corner of a post at distance 0.8."""
    center = 0.8 * np.array([np.cos(angle), np.sin(angle)])
    corners = center + half * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    reach = np.linalg.norm(corners, axis=1)
    at = np.unwrap(np.arctan2(corners[:, 1], corners[:, 0]) % (2 * np.pi)) - np.arcsin(0.01 / reach)
    return float(at.min() / turn)


def test_a_rod_turns_past_a_post() -> None:
    rod, post = Body.boxes([0, 0, 0], [1, 0.01, 0.01]), Body.boxes([0, 0, 0], [0.02, 0.02, 0.3])
    pair = Pair(rod, post)
    turns, angles = np.array([2.0, 1.0, 3.0, 0.5]), np.array([1.0, 0.7, 2.5, 0.9])
    at = np.array([[0.8 * np.cos(a), 0.8 * np.sin(a), 0, 0, 0, 0, 1] for a in angles])
    found = pair.motion(HERE, about_z(turns), at, tolerance=1e-6)
    expected = [post_time(t, a, 0.02) for t, a in zip(turns, angles)]
    assert found.hit.tolist() == [True, True, True, False] and expected[3] > 1
    assert np.allclose(found.time[:3], expected[:3], atol=2e-5)
    assert (found.clear_until[:3] <= np.array(expected[:3]) + 1e-9).all()
    # The rod strikes with its side.
    turn = found.time[:3] * turns[:3]
    assert np.allclose(found.normal[:3, :2], np.stack([-np.sin(turn), np.cos(turn)], 1), atol=1e-3)


def test_both_move_and_swapped_bodies_swap_the_answer(cube: Body) -> None:
    rod = Body.boxes([0, 0, 0], [0.6, 0.05, 0.05])
    ends = motions(33, 100)
    one = Pair(rod, cube).motion(*ends)
    other = Pair(cube, rod).motion(ends[2], ends[3], ends[0], ends[1])
    assert 10 < one.hit.sum() < 100
    for name in ["hit", "clear_until", "time", "slack", "touching_at_start", "touching_at_end"]:
        assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True), name
    assert np.array_equal(one.on_a, other.on_b, equal_nan=True)
    assert np.array_equal(one.normal, -other.normal, equal_nan=True)


def test_bodies_that_stand_still_touch_or_do_not(cube: Body) -> None:
    pair, at = Pair(cube, cube), along(0, [0, 0.9, 1.5, 3])
    found = pair.motion(None, None, at)
    assert np.array_equal(found.hit, pair.touching(None, at))
    assert found.time[:2].tolist() == [0, 0] and found.touching_at_start[:2].all()
    # A batch of one is used for all rows.
    flight = pair.motion(along(0, -3), along(0, 6), at)
    assert flight.hit.all() and np.allclose(flight.time, (at[:, 0] + 2) / 9, atol=1e-3)


def test_a_larger_margin_hits_earlier(cube: Body) -> None:
    pair = Pair(cube, cube)
    times = [float(pair.motion(along(0, -3), HERE, HERE, margin=m).time[0]) for m in [0, 0.3, 0.6]]
    assert np.allclose(times, [2 / 3, 1.7 / 3, 1.4 / 3], atol=1e-3)


def test_characters_move_by_their_joints(fighter: Body) -> None:
    duel = Pair(fighter, fighter)
    kick = fighter.poses("kick", np.linspace(0, fighter.clips["kick"], 13))
    ahead = [0, 0, 0.8, 0, 1, 0, 0]
    found = duel.motion(kick[:-1], kick[1:], ahead, tolerance=0.001)
    at_ends = duel.touching(kick, ahead)
    # Each tick sees what its ends see, and the parts have names.
    assert not ((at_ends[:-1] | at_ends[1:]) & ~found.hit).any()
    assert found.hit.any() and not found.hit.all()
    assert {fighter.parts[a] for a in found.a[found.hit]} <= set(fighter.parts)
    loose = duel.motion(kick[:-1], kick[1:], ahead, path="parts")
    assert not np.array_equal(loose.time, found.time, equal_nan=True)


def test_any_number_of_threads_gives_the_same_bits(arm: Robot) -> None:
    rod, limb = Body.boxes([0, 0, 0], [0.02, 0.05, 0.9]), Body.boxes([0, 0, 0], [0.1, 0.1, 0.3])
    ends, q = motions(35, 500), arm.sample(301, seed=5)
    world = World([(limb, [0.9, 0, 0.9, 0, 0, 0, 1])])

    def bits(threads: int) -> list[bytes]:
        columns: list[NDArray[Any]] = [*Pair(rod, limb).motion(*ends, threads=threads)]
        columns += arm.motion(q[:-1], q[1:], world=world, threads=threads)
        return [column.tobytes() for column in columns]

    expected = bits(1)
    assert all(bits(threads) == expected for threads in [0, 2, 7])


SWINGER = b"""<robot name="r"><link name="base"/><link name="rod"><collision><geometry>
<box size="2 0.02 0.02"/></geometry></collision></link>
<joint name="spin" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 0 1"/>
</joint></robot>"""


def test_a_robot_turns_its_rod_by_more_than_half_a_turn() -> None:
    robot, post = Robot.urdf(SWINGER), Body.boxes([0, 0, 0], [0.02, 0.02, 0.3])
    # The rod reaches as far to the other side: the post is met after at most half a turn.
    turns, angle = np.array([6.0, 2.9, 40.0, 1.5]), 2.8
    world = World([(post, [0.8 * np.cos(angle), 0.8 * np.sin(angle), 0, 0, 0, 0, 1])])
    q1 = turns[:, None]
    found = robot.motion([0.0], q1, world=world, tolerance=1e-6)
    expected = [post_time(turn, angle, 0.02) for turn in turns]
    assert found.hit.tolist() == [True, True, True, False]
    assert np.allclose(found.time[:3] * turns[:3], np.array(expected[:3]) * turns[:3], atol=1e-4)
    assert found.a[:3].tolist() == [1] * 3 and found.b[:3].tolist() == [2] * 3
    assert found.clear_until[3] == 1 and found.a[3] == -1
    with pytest.raises(BoxwoodError, match="millions of turns"):
        robot.motion([0.0], [1e8], world=world)


def test_edges_between_steps_are_seen(arm: Robot, cube: Body) -> None:
    world = World([(cube.scaled(0.1), [0.9, 0, 0.9, 0, 0, 0, 1])])
    q = arm.sample(401, seed=41)
    found = arm.motion(q[:-1], q[1:], world=world, tolerance=1e-4)
    fine = arm.edges(q[:-1], q[1:], 0.005, world=world)
    seen = ~np.isnan(fine)
    assert not (seen & ~found.hit).any() and 50 < seen.sum() < 400
    assert (found.clear_until[seen] <= fine[seen] + 1e-9).all()
    # At the reported time the two are within the slack: by forward kinematics and distances.
    rows = np.flatnonzero(found.hit)
    at = np.clip(q[rows] + found.time[rows, None] * (q[rows + 1] - q[rows]), *arm.limits.T)
    assert (arm.distance(at, world=world) <= found.slack[rows] + 1e-6).all()
    own = found.b[rows] < len(arm.parts)
    assert own.any() and not own.all()
    alone = arm.motion(q[:-1], q[1:], self_collision=False, world=world)
    assert (alone.b[alone.hit] == len(arm.parts)).all() and alone.hit.sum() < found.hit.sum()
    by_itself = arm.motion(q[:-1], q[1:])
    assert np.array_equal(by_itself.hit | alone.hit, found.hit)
    # The coarsest steps miss some.
    coarse = ~np.isnan(arm.edges(q[:-1], q[1:], 10.0, world=world))
    assert coarse.sum() < found.hit.sum()


def test_no_rows_are_no_answers(arm: Robot, cube: Body) -> None:
    none = np.zeros((0, 7))
    found = Pair(cube, cube).motion(none, none)
    assert found.hit.shape == found.time.shape == (0,) and found.on_a.shape == (0, 3)
    assert arm.motion(np.zeros((0, 3)), np.zeros((0, 3))).normal.shape == (0, 3)


def test_what_is_wrong_is_refused(arm: Robot, cube: Body) -> None:
    pair, at = Pair(cube, cube), along(0, [0, 1])
    for name in ["from_a", "to_a", "from_b", "to_b"]:
        narrow: dict[str, Any] = {name: at[:, :6]}
        with pytest.raises(BoxwoodError, match=rf"{name}: shape \[2, 6\]"):
            pair.motion(**narrow)
    with pytest.raises(BoxwoodError, match="to_b: 3 rows, 2 or 1 expected"):
        pair.motion(at, None, None, along(0, [0, 1, 2]))
    for tolerance in [0.0, -1.0, np.nan, np.inf]:
        with pytest.raises(BoxwoodError, match="tolerance: .* is not a positive length"):
            pair.motion(at, tolerance=tolerance)
        with pytest.raises(BoxwoodError, match="tolerance: .* is not a positive length"):
            arm.motion([0, 0, 0], [0, 0, 0], tolerance=tolerance)
    with pytest.raises(BoxwoodError, match="path: unknown value 'straight'"):
        pair.motion(at, path="straight")  # type: ignore[arg-type]
    broken = at.copy()
    broken[1, 2] = np.nan
    with pytest.raises(BoxwoodError, match="to_a") as caught:
        pair.motion(at, broken)
    assert (caught.value.row, caught.value.part) == (1, "to_a")
    with pytest.raises(BoxwoodError, match="margin"):
        pair.motion(at, margin=-1.0)
    with pytest.raises(BoxwoodError) as limits:
        arm.motion([[0, 0, 0]] * 2, [[0, 0, 0], [0, 9, 0]])
    assert (limits.value.row, limits.value.part) == (1, "elbow")
    with pytest.raises(BoxwoodError, match="q1: 3 rows, 2 or 1 expected"):
        arm.motion(np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(BoxwoodError, match="with_margins"):
        arm.with_margins(0.01).motion([0, 0, 0], [0, 0, 0])


def test_a_real_arm_finds_what_fine_steps_find(panda: Robot, cube: Body) -> None:
    world = World([(cube.scaled(0.2), [0.5, 0, 0.5, 0, 0, 0, 1])])
    q = panda.sample(1200, seed=3)
    q = q[~panda.collides(q, world=world)]
    found = panda.motion(q[:-1], q[1:], world=world)
    fine = panda.edges(q[:-1], q[1:], 0.01, world=world)
    seen = ~np.isnan(fine)
    assert 100 < seen.sum() < len(seen) and not (seen & ~found.hit).any()
    assert (found.clear_until[seen] <= fine[seen] + 1e-9).all() and found.met.all()
    rows = np.flatnonzero(found.hit)
    at = np.clip(q[rows] + found.time[rows, None] * (q[rows + 1] - q[rows]), *panda.limits.T)
    assert (panda.distance(at, world=world) <= found.slack[rows] + 1e-6).all()
