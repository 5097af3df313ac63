"""Tests of places by row, the base of the robot and the items of its world, and of held bodies:
against worlds that are placed once for each row, coal, and the robot and the body apart."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boxwood import Accuracy, Body, BoxwoodError, Pair, Robot, World

Floats = NDArray[np.float64]


def multiplied(a: Floats, b: Floats) -> Floats:
    """Returns products of poses, [..., 7] each: the second in the frame of the first."""
    x, y, z, w = np.moveaxis(a[..., 3:], -1, 0)
    turn = np.stack([x, y, z], -1)
    v, s = b[..., 3:6], b[..., 6:]
    vector = w[..., None] * v + s * turn + np.cross(turn, v)
    scalar = w[..., None] * s - (turn * v).sum(-1, keepdims=True)
    return np.concatenate([a[..., :3] + rotated(a, b[..., :3]), vector, scalar], -1)


def rotated(a: Floats, points: Floats) -> Floats:
    """Returns vectors turned by the rotations of poses."""
    turn, w = a[..., 3:6], a[..., 6:]
    once = 2 * np.cross(turn, points)
    return points + w * once + np.cross(turn, once)


def inverse(a: Floats) -> Floats:
    """Returns the inverses of poses."""
    back = np.concatenate([a[..., 3:6] * -1, a[..., 6:]], -1)
    still = np.concatenate([np.zeros_like(a[..., :3]), back], -1)
    return np.concatenate([-rotated(still, a[..., :3]), back], -1)


def random_poses(count: int, seed: int, reach: float) -> Floats:
    """Returns random poses within a cube."""
    random = np.random.default_rng(seed)
    turns = random.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    return np.concatenate([random.uniform(-reach, reach, (count, 3)), turns], 1)


def two_boxes() -> World:
    """Returns a world of a slab and a stick."""
    slab, stick = Body.boxes([0, 0, 0], [0.8, 0.5, 0.1]), Body.boxes([0, 0, 0], [0.05, 0.05, 1.0])
    return World([(slab, [0.9, 0, 0.4, 0, 0, 0, 1]), (stick, [-0.8, 0.2, 0.5, 0, 0, 0, 1])])


def test_each_row_has_its_own_world_and_base(arm: Robot) -> None:
    world, rows = two_boxes(), 150
    q, base = arm.sample(rows, seed=41), random_poses(rows, 42, 0.7)
    items = random_poses(2 * rows, 43, 1.2).reshape(rows, 2, 7)
    places: dict[str, Any] = {"world": world, "base": base, "world_poses": items}
    # In the frame of the base, the items move the other way.
    seen = multiplied(inverse(base)[:, None], items)
    worlds = [world.with_poses(row) for row in seen]
    hit = arm.collides(q, **places)
    assert np.array_equal(hit, [arm.collides(q[i], world=worlds[i])[0] for i in range(rows)])
    alone = arm.collides(q, self_collision=False, **places)
    assert 0.1 < alone.mean() < 0.9 and hit.sum() > alone.sum()
    pairs = arm.pairs(q, **places)
    each = [arm.pairs(q[i], world=worlds[i]) for i in range(rows)]
    assert np.array_equal(pairs.row, np.repeat(np.arange(rows), [len(own.a) for own in each]))
    assert np.array_equal(pairs.b, np.concatenate([own.b for own in each]))
    near, own = arm.closest(q, **places), [arm.closest(q[i], world=worlds[i]) for i in range(rows)]
    expected = np.concatenate([row.distance for row in own])
    assert np.allclose(near.distance, expected, atol=1e-12)
    assert np.allclose(arm.distance(q, **places), expected, atol=1e-12)
    points = np.stack([np.concatenate([row.on_a for row in own]), np.concatenate([row.on_b for row in own])])
    same = np.array([near.a[i] == own[i].a[0] and near.b[i] == own[i].b[0] for i in range(rows)])
    apart = same & (near.distance > 0.01)
    assert apart.sum() > 30
    gaps = np.linalg.norm(near.on_b - near.on_a, axis=1)
    assert np.allclose(gaps[apart], near.distance[apart], atol=1e-9)
    # Of parallel faces any points are closest: those of one side and the other may differ.
    placed = base[:, :3] + rotated(base, points[0])
    assert np.mean(np.linalg.norm(placed - near.on_a, axis=1)[apart] < 1e-6) > 0.9
    found = arm.distances(q, 0.3, **places)
    for i in range(0, rows, 10):
        mine, single = found.row == i, arm.distances(q[i], 0.3, world=worlds[i])
        assert np.array_equal(found.b[mine], single.b)
        assert np.allclose(found.distance[mine], single.distance, atol=1e-9)
        sharp = single.distance > 1e-6
        assert np.allclose(found.gradient[mine][sharp], single.gradient[sharp], atol=1e-5)
        turned = rotated(base[i], single.normal)
        assert np.allclose(found.normal[mine][sharp], turned[sharp], atol=1e-6)


def test_one_of_each_serves_all_rows(arm: Robot) -> None:
    world, q = two_boxes(), arm.sample(40, seed=44)
    base, items = random_poses(40, 45, 0.5), random_poses(80, 46, 1.0).reshape(40, 2, 7)
    ask = arm.collides
    assert np.array_equal(ask(q, world=world, base=base[0]), ask(q, world=world, base=np.tile(base[0], (40, 1))))
    moved = ask(q, world=world.with_poses(items[3]), self_collision=False)
    assert np.array_equal(ask(q, world=world, world_poses=items[3], self_collision=False), moved)
    one = ask(q[0], world=world, base=base, world_poses=items)
    assert np.array_equal(one, ask(np.tile(q[0], (40, 1)), world=world, base=base, world_poses=items))
    assert len(arm.distance(q[0], world=world, base=base)) == 40
    # The world itself stays where it is.
    before = ask(q, world=world)
    ask(q, world=world, world_poses=items)
    assert np.array_equal(ask(q, world=world), before)


def test_a_base_changes_nothing_about_the_robot_alone(arm: Robot) -> None:
    q, base = arm.sample(500, seed=47), random_poses(500, 48, 3.0)
    assert np.array_equal(arm.collides(q, base=base), arm.collides(q))
    assert np.array_equal(arm.distance(q, base=base), arm.distance(q))
    near, placed = arm.closest(q), arm.closest(q, base=base)
    assert np.allclose(placed.on_a, base[:, :3] + rotated(base, near.on_a), atol=1e-12)


def test_many_rows_as_few(arm: Robot) -> None:
    world, rows = two_boxes(), 60_000
    q, base = arm.sample(rows, seed=49), random_poses(rows, 50, 0.7)
    for _ in range(2):
        many = arm.collides(q, world=world, base=base, accuracy=Accuracy.exact())
        few = arm.collides(q[:700], world=world, base=base[:700])
        assert np.array_equal(many[:700], few)


def test_large_batches_at_a_base_are_their_rows(arm: Robot) -> None:
    """Compares calls that have a batch, after 6,000 rows of one question, with calls of few rows,
    which have none: a base for each row, one for all, and one configuration at many bases."""
    crowded = World([(Body.boxes([0, 0, 0], [0.1, 0.1, 0.1]), [0.5 + 0.1 * i, 0, 0.4, 0, 0, 0, 1]) for i in range(80)])
    rows = 7000
    q, base = arm.sample(rows, seed=61), random_poses(rows, 62, 0.9)
    # As far from unit length as poses may be.
    base[::2, 3:] *= 1.0009
    base[1::2, 3:] *= 0.9991
    for world, margin in [(two_boxes(), 0.0), (two_boxes(), 0.02), (crowded, 0.0)]:
        few = pickle.loads(pickle.dumps(arm))  # has no batch that was prepared before
        for values, places in [(q, base), (q, base[:1]), (q[:1], base)]:
            many: dict[str, Any] = {"world": world, "margin": margin, "base": places}
            hits, pairs = arm.collides(values, **many), arm.pairs(values, **many, threads=2)
            assert len(hits) == rows
            some = np.arange(0, rows, 23)
            at: dict[str, Any] = {**many, "base": places[some] if len(places) > 1 else places}
            own = values[some] if len(values) > 1 else values
            assert np.array_equal(hits[some], few.collides(own, **at))
            assert np.array_equal(np.unique(pairs.row), np.flatnonzero(hits))
            each = few.pairs(own, **at)
            mine = np.isin(pairs.row, some)
            assert np.array_equal(pairs.row[mine], some[each.row])
            assert np.array_equal(pairs.a[mine], each.a) and np.array_equal(pairs.b[mine], each.b)
            assert hits.any()
        # A refused row is named.
        with pytest.raises(BoxwoodError, match="^row 6500: actuator 'elbow'"):
            arm.collides(np.concatenate([q[:6500], q[:500] + [[0, 9, 0]]]), **{**many, "base": base})


def test_coal_about_robots_at_a_base(arm: Robot) -> None:
    coal = pytest.importorskip("coal", reason="coal is not installed: bases are not compared with it")
    rows, half = 150, np.array([0.3, 0.2, 0.4])
    q, base = arm.sample(rows, seed=51), random_poses(rows, 52, 0.6)
    box = random_poses(rows, 53, 0.8)
    world = World([Body.boxes([0, 0, 0], half)])
    near = arm.closest(q, world=world, base=base, world_poses=box[:, None], self_collision=False)
    bounds, links = arm.part_bounds, multiplied(base[:, None], arm.poses(q))
    shape, apart = coal.Box(*(2 * half)), 0
    # Every part of this arm is one box along the axes of its link.
    solid = np.nonzero(np.isfinite(bounds).all(axis=(1, 2)))[0]
    for i in range(rows):
        gaps = {}
        for part in solid:
            low, high = bounds[part]
            at = np.concatenate([(low + high) / 2, [0, 0, 0, 1]])
            request, result = coal.DistanceRequest(), coal.DistanceResult()
            link = transform(coal, multiplied(links[i, part], at))
            gap = coal.distance(coal.Box(*(high - low)), link, shape, transform(coal, box[i]), request, result)
            gaps[int(part)] = max(float(gap), 0.0)
        assert abs(near.distance[i] - min(gaps.values())) < 1e-5
        assert abs(near.distance[i] - gaps[int(near.a[i])]) < 1e-5
        apart += min(gaps.values()) > 0
    assert 0.2 * rows < apart < 0.95 * rows


def transform(coal: Any, pose: Floats) -> Any:
    """Returns a pose of coal."""
    x, y, z, w = pose[3:]
    columns = [rotated(pose, axis) for axis in np.eye(3)]
    return coal.Transform3s(np.stack(columns, axis=1), pose[:3])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"base": np.zeros(6)}, r"base: shape \[6\], \[N, 7\] or \[7\] expected"),
        ({"base": np.zeros(7)}, r"base: row 0"),
        ({"base": [[0, 0, 0, 0, 0, 0, 1]] * 2}, r"base: 2 rows, 3 or 1 expected"),
        ({"base": [[0, 0, 0, 0, 0, 0, 1], [0, np.nan, 0, 0, 0, 0, 1]]}, r"base: row 1"),
        ({"world_poses": np.zeros((3, 2, 7))}, r"world_poses: row 0, item 0"),
        ({"world_poses": np.zeros((3, 7))}, r"world_poses: shape \[3, 7\], \[N, 2, 7\] or \[2, 7\]"),
        ({"world_poses": np.zeros(7), "world": None}, r"world_poses: there is no world"),
    ],
)
def test_refusals(arm: Robot, options: dict[str, Any], words: str) -> None:
    q = arm.sample(3, seed=54)
    with pytest.raises(BoxwoodError, match=words):
        arm.collides(q, **{"world": two_boxes(), **options})


def test_edges_at_a_base(arm: Robot) -> None:
    world, bases = two_boxes(), random_poses(40, 9, 0.4)
    q0, q1 = arm.sample(40, seed=4), arm.sample(40, seed=5)
    found = arm.check_edges(q0, q1, world=world, base=bases)
    for row, base in enumerate(bases):
        # The same robot at the origin, among items that are moved the other way.
        moved = world.with_poses([multiplied(inverse(base), pose) for pose in world.poses])
        other = arm.check_edges(q0[row], q1[row], world=moved)
        assert (found.free[row], found.collides[row]) == (other.free[0], other.collides[0]), row
        assert found.free[row] == arm.check_path([q0[row], q1[row]], world=world, base=base).free
        if found.collides[row]:
            touching = arm.collides(found.q[row], world=world, base=base)
            near = arm.collides(found.q[row], world=world, base=base, margin=1e-9)
            assert touching[0] or near[0]
        else:
            between = q0[row] + np.linspace(0, 1, 200)[:, None] * (q1[row] - q0[row])
            assert not arm.collides(between, world=world, base=base).any()
    assert 5 < found.free.sum() < 35
    # One base for all rows, one edge for all bases, threads.
    one = arm.check_edges(q0, q1, world=world, base=bases[0])
    each = arm.check_edges(q0, q1, world=world, base=np.tile(bases[0], (40, 1)), threads=2)
    assert np.array_equal(one.free, each.free) and np.array_equal(one.a, each.a)
    edge = arm.check_edges(q0[3], q1[3], world=world, base=bases)
    assert len(edge.free) == 40 and edge.free[3] == found.free[3]
    # A base changes nothing about the robot alone.
    alone = arm.check_edges(q0, q1, base=bases)
    assert np.array_equal(alone.free, arm.check_edges(q0, q1).free)
    with pytest.raises(BoxwoodError, match="base: shape"):
        arm.check_edges(q0, q1, base=[1, 2])
    with pytest.raises(BoxwoodError, match="base: 7 rows, 40 or 1 expected"):
        arm.check_edges(q0, q1, base=bases[:7])
    with pytest.raises(BoxwoodError, match="base: 40 poses, one expected"):
        arm.check_path(q0, base=bases)


def test_samples_and_motions_of_edges_at_a_base(arm: Robot) -> None:
    world, bases = two_boxes(), random_poses(40, 63, 0.4)
    q0, q1 = arm.sample(40, seed=64), arm.sample(40, seed=65)
    sampled = arm.edges(q0, q1, 0.05, world=world, base=bases)
    impact = arm.motion(q0, q1, world=world, base=bases)
    for row, base in enumerate(bases):
        # The same robot at the origin, among items that are moved the other way.
        moved = world.with_poses([multiplied(inverse(base), pose) for pose in world.poses])
        assert np.array_equal(arm.edges(q0[row], q1[row], 0.05, world=moved)[0], sampled[row], equal_nan=True)
        other = arm.motion(q0[row], q1[row], world=moved)
        assert impact.hit[row] == other.hit[0]
        assert abs(impact.clear_until[row] - other.clear_until[0]) < 1e-3
        if impact.hit[row] and other.a[0] == impact.a[row] and other.b[0] == impact.b[row]:
            assert abs(impact.time[row] - other.time[0]) < 1e-3
            gap = np.linalg.norm(impact.on_a[row] - impact.on_b[row])
            assert gap <= impact.slack[row] + 1e-9
            # Points are in the world: that of the robot is on its part there.
            values = q0[row] + impact.time[row] * (q1[row] - q0[row])
            link = multiplied(base, arm.poses(values)[0, impact.a[row]])
            low, high = arm.part_bounds[impact.a[row]]
            local = rotated(inverse(link), impact.on_a[row]) + inverse(link)[:3]
            assert (local > low - 1e-3).all() and (local < high + 1e-3).all()
    assert 5 < impact.hit.sum() < 38 and 5 < np.isnan(sampled).sum() < 38
    # Edges that no impact is on have no sample that collides.
    assert not (np.isfinite(sampled) & ~impact.hit).any()
    # One base for all rows, one edge for all bases, threads, the robot alone.
    same = arm.edges(q0, q1, 0.05, world=world, base=np.tile(bases[0], (40, 1)), threads=2)
    assert np.array_equal(arm.edges(q0, q1, 0.05, world=world, base=bases[0]), same, equal_nan=True)
    one = arm.motion(q0[3], q1[3], world=world, base=bases, threads=2)
    assert len(one.hit) == 40 and one.time[3].tobytes() == impact.time[3].tobytes()
    alone = arm.motion(q0, q1, base=bases)
    assert np.array_equal(alone.hit, arm.motion(q0, q1).hit)
    refused: list[tuple[Any, str]] = [([1, 2], "base: shape"), (bases[:7], "base: 7 rows, 40 or 1 expected")]
    for wrong, words in refused:
        with pytest.raises(BoxwoodError, match=words):
            arm.edges(q0, q1, 0.05, base=wrong)
        with pytest.raises(BoxwoodError, match=words):
            arm.motion(q0, q1, base=wrong)


def test_a_held_body_is_a_part(arm: Robot) -> None:
    hand = arm.parts[-1]
    stick, pose = Body.boxes([0, 0, 0], [0.02, 0.02, 0.6]), random_poses(1, 55, 0.3)[0]
    holding = arm.with_attached("stick", stick, hand, pose, touch_links=[arm.parts[-2]])
    assert holding.parts == [*arm.parts, "stick"] and holding.actuators == arm.actuators
    q = arm.sample(800, seed=56)
    links = holding.poses(q)
    assert np.array_equal(links[:, :-1], arm.poses(q))
    assert np.allclose(links[:, -1], multiplied(links[:, -2], pose), atol=1e-12)
    tested = {tuple(pair) for pair in holding.tested_pairs.tolist()} - {tuple(p) for p in arm.tested_pairs.tolist()}
    last = len(arm.parts)
    assert tested == {(part, last) for part in range(last - 2)}
    # The stick against each other link by itself.
    with_stick = np.zeros(len(q), dtype=bool)
    pairs = holding.pairs(q)
    for part, _ in tested:
        alone = holding.with_ignored(
            [(holding.parts[a], holding.parts[b]) for a, b in holding.tested_pairs.tolist() if (a, b) != (part, last)]
        )
        touching = alone.collides(q)
        with_stick |= touching
        rows = pairs.row[(pairs.a == part) & (pairs.b == last)]
        assert np.array_equal(np.nonzero(touching)[0], rows)
    assert with_stick.any() and not with_stick.all()
    assert np.array_equal(holding.collides(q), arm.collides(q) | with_stick)
    # Against the parts by poses alone, without the robot's rules.
    body = Pair(arm.body, stick)
    near = body.touching(links[:, :-1], links[:, -1])
    assert (near | ~with_stick).all()
    again = pickle.loads(pickle.dumps(holding))
    assert again == holding and np.array_equal(again.collides(q), holding.collides(q))
    world = two_boxes()
    free = holding.check_edges(q[:-1], q[1:], world=world).free
    assert free.any() and not free.all()
    assert not (holding.collides(q, world=world)[:-1] & free).any()


def test_refusals_of_held_bodies(arm: Robot) -> None:
    stick = Body.boxes([0, 0, 0], [0.02, 0.02, 0.6])
    with pytest.raises(BoxwoodError, match="foot"):
        arm.with_attached("stick", stick, "foot")
    with pytest.raises(BoxwoodError, match="thumb"):
        arm.with_attached("stick", stick, arm.parts[-1], touch_links=["thumb"])
    with pytest.raises(BoxwoodError, match=arm.parts[0]):
        arm.with_attached(arm.parts[0], stick, arm.parts[-1])
    with pytest.raises(BoxwoodError, match="pose: 2 poses, one expected"):
        arm.with_attached("stick", stick, arm.parts[-1], np.tile([0, 0, 0, 0, 0, 0, 1.0], (2, 1)))


def test_a_panda_carries_a_box(panda: Robot, data: Path) -> None:
    box = Body.boxes([0, 0, 0.25], [0.1, 0.1, 0.1])
    fingers = ["panda_leftfinger", "panda_rightfinger"]
    holding = panda.with_attached("box", box, "panda_hand", touch_links=fingers)
    q = panda.sample(3000, seed=57)
    alone, both = panda.collides(q), holding.collides(q)
    assert (both | ~alone).all() and (both & ~alone).any()
    found = holding.pairs(q[both & ~alone])
    assert set(found.b.tolist()) == {len(panda.parts)}
