"""Tests of whole edges: against dense samples of `collides`, at the reported configurations, with
swapped ends, and as paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boxwood import Body, BoxwoodError, Edges, PathEdge, Robot, World

Floats = NDArray[np.float64]
SAMPLES = 1001


def small_world(cube: Body) -> World:
    """Returns a cube and a thin plate in reach of the arm."""
    plate = Body.boxes([0, 0, 0], [0.3, 0.3, 0.002])
    return World([(cube.scaled(0.2), [0.9, 0, 0.9, 0, 0, 0, 1]), (plate, [-0.8, 0, 1.3, 0, 0, 0, 1])])


def between(q0: Floats, q1: Floats, samples: int = SAMPLES) -> Floats:
    """Returns configurations along edges, [edges * samples, dof]."""
    share = np.linspace(0, 1, samples)[None, :, None]
    q = (1 - share) * q0[:, None] + share * q1[:, None]
    return np.clip(q, np.minimum(q0, q1)[:, None], np.maximum(q0, q1)[:, None]).reshape(-1, q0.shape[1])


def check_rows(
    robot: Robot, ends: tuple[Floats, Floats], found: Edges, world: World, margin: float = 0.0
) -> None:
    """Checks every row at the configuration that it reports."""
    q0, q1 = ends
    rows = np.flatnonzero(~found.free)
    assert (found.free.astype(int) + found.collides + found.undecided == 1).all()
    share, q = found.fraction[rows, None], found.q[rows]
    assert ((share >= 0) & (share <= 1)).all()
    assert np.allclose(q, (1 - share) * q0[rows] + share * q1[rows], atol=1e-12)
    hit = found.collides[rows]
    assert robot.collides(q, world=world, margin=margin)[hit].all()
    touching = robot.pairs(q[hit], world=world, margin=margin)
    listed = set(zip(touching.row.tolist(), touching.a.tolist(), touching.b.tolist()))
    named = zip(range(int(hit.sum())), found.a[rows][hit].tolist(), found.b[rows][hit].tolist())
    assert all(name in listed for name in named)
    assert (found.slack[rows][hit] == 0).all() and (found.slack[rows][~hit] > 0).all()
    # The two of an undecided row are as near as stated.
    open_rows = rows[~hit]
    reach = margin + 1e-9 + float(found.slack[open_rows].max(initial=0.0))
    near = robot.pairs(found.q[open_rows], world=world, margin=reach)
    close = set(zip(near.row.tolist(), near.a.tolist(), near.b.tolist()))
    two = zip(range(len(open_rows)), found.a[open_rows].tolist(), found.b[open_rows].tolist())
    assert all(name in close for name in two)
    # Rows without a configuration say so.
    free = found.free
    assert np.isnan(found.fraction[free]).all() and np.isnan(found.q[free]).all()
    assert (found.a[free] == -1).all() and (found.b[free] == -1).all()
    assert (found.clear_until[free] == 1).all() and (found.clearance[free] >= margin).all()
    assert np.isnan(found.clearance[~free]).all() and np.isnan(found.slack[free]).all()


def check_against_samples(
    robot: Robot, q: Floats, world: World, margin: float = 0.0
) -> NDArray[np.bool_]:
    """Checks edges against samples of each, and returns which of them the samples show to collide."""
    q0, q1 = q[:-1], q[1:]
    options: dict[str, Any] = {"world": world, "margin": margin}
    found = robot.check_edges(q0, q1, **options)
    hits = robot.collides(between(q0, q1), **options).reshape(len(q0), SAMPLES)
    seen: NDArray[np.bool_] = np.asarray(hits.any(axis=1))
    assert not (seen & found.free).any()
    check_rows(robot, (q0, q1), found, world, margin)
    # The clearance is no more than the distance of any sample.
    free = np.flatnonzero(found.free)[:20]
    gaps = robot.distance(between(q0[free], q1[free], 101), world=world).reshape(len(free), 101)
    assert (found.clearance[free] <= gaps.min(axis=1) + 1e-9).all()
    # Swapped ends give a verdict of the same kind.
    back = robot.check_edges(q1, q0, **options)
    assert np.array_equal(back.free, found.free) and np.array_equal(back.collides, found.collides)
    check_rows(robot, (q1, q0), back, world, margin)
    # No sample collides before the share up to which an edge is proved free.
    first = robot.check_edges(q0, q1, first=True, **options)
    check_rows(robot, (q0, q1), first, world, margin)
    assert np.array_equal(first.free, found.free)
    earliest = np.linspace(0, 1, SAMPLES)[np.argmax(hits, axis=1)]
    assert (first.clear_until[seen] <= earliest[seen] + 1e-12).all() and first.collides[seen].all()
    assert (first.clear_until[~first.free] <= first.fraction[~first.free]).all()
    assert (found.clear_until[~found.free] == 0).all()
    # The first collision is between the two: no large share.
    assert np.median((first.fraction - first.clear_until)[first.collides]) < 0.01
    return seen


def test_edges_are_those_of_dense_samples(arm: Robot, cube: Body) -> None:
    q, world = arm.sample(301, seed=51), small_world(cube)
    seen = check_against_samples(arm, q, world)
    found = arm.check_edges(q[:-1], q[1:], world=world)
    assert 60 < seen.sum() < 290 and found.free.sum() > 20
    # Collisions with the robot itself, and with each item.
    assert {part for part in found.b[found.collides].tolist() if part >= 5} == {5, 6}
    assert (found.b[found.collides] < 5).any()
    # The ends alone do not show all.
    ends = arm.collides(q, world=world)
    assert (found.collides & ~ends[:-1] & ~ends[1:]).sum() > 20


def test_margins_widen_every_edge(arm: Robot, cube: Body) -> None:
    q, world = arm.sample(121, seed=52), small_world(cube)
    check_against_samples(arm, q, world, margin=0.05)
    plain, wide = [arm.check_edges(q[:-1], q[1:], world=world, margin=margin) for margin in [0.0, 0.05]]
    assert not (wide.free & ~plain.free).any() and wide.free.sum() < plain.free.sum()
    # Margins of pairs count for the robot's own pairs.
    careful = arm.with_margins(0.05)
    own = careful.check_edges(q[:-1], q[1:])
    assert np.array_equal(own.free, arm.check_edges(q[:-1], q[1:], margin=0.05).free)
    assert not np.array_equal(own.free, arm.check_edges(q[:-1], q[1:]).free)
    assert careful.collides(own.q[own.collides]).all()


def test_the_robot_alone_and_the_world_alone(arm: Robot, cube: Body) -> None:
    q, world = arm.sample(201, seed=53), small_world(cube)
    both = arm.check_edges(q[:-1], q[1:], world=world)
    alone = arm.check_edges(q[:-1], q[1:])
    around = arm.check_edges(q[:-1], q[1:], world=world, self_collision=False)
    assert np.array_equal(both.free, alone.free & around.free)
    assert (alone.b < 5).all() and (around.b[around.collides] >= 5).all()
    assert np.array_equal(alone.free, arm.check_edges(q[:-1], q[1:], world=World([])).free)
    nothing = arm.check_edges(q[:-1], q[1:], self_collision=False)
    assert nothing.free.all() and np.isinf(nothing.clearance).all()


def test_sampled_edges_miss_what_whole_edges_show(arm: Robot, cube: Body) -> None:
    world = World([(cube.scaled(0.01), [1.2, 0, 0.9, 0, 0, 0, 1])])
    q = arm.sample(1001, seed=54)
    q = q[~arm.collides(q, world=world)]
    whole = arm.check_edges(q[:-1], q[1:], world=world)
    sampled = ~np.isnan(arm.edges(q[:-1], q[1:], 0.2, world=world))
    assert not (sampled & whole.free).any()
    missed = whole.collides & ~sampled
    assert missed.sum() > 5 and arm.collides(whole.q[missed], world=world).all()
    # Motion shows the same collisions.
    motion = arm.motion(q[:-1], q[1:], world=world)
    assert not (whole.collides & ~motion.hit).any()


def test_grazing_edges_are_undecided_at_a_coarse_tolerance(arm: Robot, cube: Body) -> None:
    q, world = arm.sample(3000, seed=0), small_world(cube)
    ends = q[:-1], q[1:]
    coarse = arm.check_edges(*ends, world=world, tolerance=0.05)
    check_rows(arm, ends, coarse, world)
    open_rows = coarse.undecided
    assert open_rows.sum() > 5 and (coarse.slack[open_rows] <= 0.05).all()
    assert (coarse.clear_until[open_rows] == 0).all()
    # They come as near as stated, and a finer tolerance decides them.
    gaps = arm.distance(coarse.q[open_rows], world=world)
    assert ((gaps > 0) & (gaps <= coarse.slack[open_rows] + 1e-9)).all()
    fine = arm.check_edges(*ends, world=world, tolerance=1e-5)
    assert fine.undecided.sum() == 0 and fine.free[open_rows].any() and fine.collides[open_rows].any()
    assert not (coarse.free & fine.collides).any() and not (coarse.collides & fine.free).any()


def test_continuous_joints_take_the_given_way() -> None:
    turning = b"""<robot name="r"><link name="base"/><link name="rod"><collision>
    <origin xyz="0.5 0 0"/><geometry><box size="1 0.02 0.02"/></geometry></collision></link>
    <joint name="spin" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 0 1"/>
    </joint></robot>"""
    robot = Robot.urdf(turning)
    world = World([(Body.boxes([0, 0, 0], [0.02] * 3), [0.8, 0, 0, 0, 0, 0, 1])])
    found = robot.check_edges([[3.0], [3.0]], [[-3.0], [2 * np.pi - 3.0]], world=world)
    assert found.collides.tolist() == [True, False] and found.free.tolist() == [False, True]


def test_any_number_of_threads_gives_the_same_bits(arm: Robot, cube: Body) -> None:
    q, world = arm.sample(1001, seed=55), small_world(cube)

    def bits(threads: int, first: bool) -> list[bytes]:
        found = arm.check_edges(q[:-1], q[1:], world=world, first=first, threads=threads)
        return [column.tobytes() for column in found]

    for first in [False, True]:
        expected = bits(1, first)
        assert all(bits(threads, first) == expected for threads in [0, 2, 7])
    # A batch is its rows.
    found = arm.check_edges(q[:50], q[50:100], world=world)
    rows = [arm.check_edges(q[row], q[50 + row], world=world) for row in range(50)]
    for name in ["free", "fraction", "q", "a", "b"]:
        one_by_one = np.concatenate([getattr(row, name) for row in rows])
        assert one_by_one.tobytes() == getattr(found, name).tobytes(), name


def test_one_end_serves_all_rows(arm: Robot) -> None:
    q = arm.sample(20, seed=56)
    fan = arm.check_edges(q[0], q)
    assert len(fan) == 20 and fan.q.shape == (20, 3)
    assert np.array_equal(fan.free, arm.check_edges(np.tile(q[0], (20, 1)), q).free)
    none = arm.check_edges(np.zeros((0, 3)), np.zeros((0, 3)))
    assert len(none) == 0 and none.q.shape == (0, 3)


def path_as_edges(found: Edges) -> int:
    """Returns the index of the first edge that is not free, or the number of edges."""
    return int(np.argmin(found.free)) if not found.free.all() else len(found)


def test_paths_are_their_edges(arm: Robot, cube: Body) -> None:
    world, indices = small_world(cube), set()
    for seed in range(60):
        q = arm.sample(1, seed) + np.cumsum(0.1 * (arm.sample(8, seed + 100) * [1, 1, 0]), axis=0)
        q = np.clip(q, *arm.limits.T)
        edges = arm.check_edges(q[:-1], q[1:], world=world)
        path = arm.check_path(q, world=world)
        assert isinstance(path, PathEdge)
        index = path_as_edges(edges)
        assert (path.index, path.free) == (index, index == 7)
        indices.add(index)
        if path.free:
            assert path.clearance == edges.clearance.min() and (path.a, path.b) == (-1, -1)
            assert np.isnan(path.q).all() and np.isnan(path.fraction) and not path.collides
        else:
            assert path.collides == edges.collides[index] and path.fraction == edges.fraction[index]
            assert path.q.tobytes() == edges.q[index].tobytes() and path.slack == edges.slack[index]
            assert (path.a, path.b) == (edges.a[index], edges.b[index]) and np.isnan(path.clearance)
    assert len(indices) > 3 and 7 in indices
    # A single configuration is an edge of no length.
    one = arm.check_path([0, 0, 0.02])
    assert (one.free, one.index) == (True, 1) and one.clearance >= 0
    assert not arm.check_path([[0, 3, 0.02]]).free


def test_what_is_wrong_is_refused(arm: Robot) -> None:
    zero = np.zeros((2, 3))
    for end in [0, 1]:
        broken = [zero.copy(), zero.copy()]
        broken[end][1, 1] = 9.0
        with pytest.raises(BoxwoodError, match="^row 1: actuator 'elbow'") as limits:
            arm.check_edges(*broken)
        assert (limits.value.row, limits.value.part) == (1, "elbow")
        broken[end][1, 1] = np.nan
        with pytest.raises(BoxwoodError, match="row 1: .*not finite") as number:
            arm.check_edges(*broken)
        assert (number.value.row, number.value.index) == (1, 1)
    with pytest.raises(BoxwoodError, match="^row 2: actuator 'shoulder'") as path:
        arm.check_path([[0, 0, 0], [0, 3, 0], [5, 0, 0]])
    assert (path.value.row, path.value.part) == (2, "shoulder")
    with pytest.raises(BoxwoodError, match="q1: 3 rows, 2 or 1 expected"):
        arm.check_edges(zero, np.zeros((3, 3)))
    with pytest.raises(BoxwoodError, match=r"q: shape \[2, 2\]"):
        arm.check_path(zero[:, :2])
    with pytest.raises(BoxwoodError, match="path"):
        arm.check_path(zero[:0])
    for tolerance in [0.0, -1.0, np.nan, np.inf]:
        with pytest.raises(BoxwoodError, match="tolerance: .* is not a positive length"):
            arm.check_edges(zero, zero, tolerance=tolerance)
        with pytest.raises(BoxwoodError, match="tolerance: .* is not a positive length"):
            arm.check_path(zero, tolerance=tolerance)
    for margin in [-1.0, np.nan, np.inf]:
        with pytest.raises(BoxwoodError, match="margin"):
            arm.check_edges(zero, zero, margin=margin)
        with pytest.raises(BoxwoodError, match="margin"):
            arm.check_path(zero, margin=margin)


def test_a_real_arm_is_checked_whole(panda: Robot, cube: Body) -> None:
    small, large = cube.scaled(0.05), cube.scaled(0.2)
    world = World([(large, [0.5, 0, 0.5, 0, 0, 0, 1]), (small, [0, 0.6, 0.4, 0, 0, 0, 1])])
    q = panda.sample(151, seed=57)
    seen = check_against_samples(panda, q, world)
    assert 50 < seen.sum() < 150
    # Short edges, most of them free.
    step = np.clip(q + 0.2 * (panda.sample(151, seed=58) - q), *panda.limits.T)
    short = np.empty((302, panda.dof))
    short[::2], short[1::2] = q, step
    check_against_samples(panda, short[:121], world)
