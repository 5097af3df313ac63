"""Tests of worlds: a robot among static bodies, against the same queries body by body."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boxwood import Accuracy, Body, BoxwoodError, Pair, Robot, World

HERE = [0, 0, 0, 0, 0, 0, 1]


def shelf() -> World:
    """Returns a floor of boxes, a slanted box, a tetrahedron, a thin sheet that is no solid."""
    floor = Body.boxes([[0, 0, -0.55], [2, 0, -0.55]], [1, 1, 0.5])
    slanted = Body.boxes([0.8, 0, 0.8], [0.3, 0.2, 0.1], [0, np.sin(0.3), 0, np.cos(0.3)])
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    tetrahedron = Body.mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    sheet = Body.mesh([[0, -1, 0], [0, 1, 0], [0, 1, 2], [0, -1, 2]], [[0, 1, 2], [0, 2, 3]], solid=False)
    turned = [-0.9, 0, 0.5, 0, 0, 1, 0]
    return World([floor, slanted, (tetrahedron, turned), (sheet, [-1.6, 0, 0, 0, 0, 0, 1])])


def items(world: World) -> list[tuple[Body, NDArray[np.float64]]]:
    """Returns the bodies and poses of a world, from its pickled form."""
    state: Any = world.__reduce__()
    return list(state[1][0])


def test_a_world_is_its_items(arm: Robot) -> None:
    world, q = shelf(), arm.sample(1500, seed=21)
    links = arm.poses(q)
    each = [Pair(arm.body, body) for body, _ in items(world)]
    at = [pose for _, pose in items(world)]
    touching = np.stack([pair.touching(links, pose) for pair, pose in zip(each, at)], axis=1)
    apart = np.stack([pair.distance(links, pose) for pair, pose in zip(each, at)], axis=1)
    assert (touching.any(axis=0) & ~touching.all(axis=0)).all()
    alone = arm.collides(q, world=world, self_collision=False)
    assert np.array_equal(alone, touching.any(axis=1))
    assert np.array_equal(arm.collides(q, world=world), alone | arm.collides(q))
    pairs = arm.pairs(q, world=world, self_collision=False)
    found = np.zeros_like(touching)
    found[pairs.row, pairs.b - len(arm.parts)] = True
    assert np.array_equal(found, touching)
    distance = arm.distance(q, world=world, self_collision=False)
    assert np.array_equal(distance, apart.min(axis=1))
    both = arm.closest(q, world=world)
    assert np.array_equal(both.distance, np.minimum(distance, arm.distance(q)))
    own = both.b < len(arm.parts)
    assert own.any() and not own.all()
    gaps = np.linalg.norm(both.on_a - both.on_b, axis=1)
    apart_rows = both.distance > 0
    assert np.allclose(gaps[apart_rows], both.distance[apart_rows], atol=1e-9)


def test_pairs_come_in_order_and_once(arm: Robot) -> None:
    world, q = shelf(), arm.sample(500, seed=22)
    pairs = arm.pairs(q, world=world)
    rows = list(zip(pairs.row.tolist(), pairs.a.tolist(), pairs.b.tolist()))
    assert rows == sorted(set(rows))
    own = arm.pairs(q)
    inside = pairs.b < len(arm.parts)
    assert all(np.array_equal(mine[inside], theirs) for mine, theirs in zip(pairs, own))


def test_margins_reach_into_the_world(arm: Robot) -> None:
    world, q = shelf(), arm.sample(1000, seed=23)
    distance = arm.distance(q, world=world, self_collision=False)
    for margin in [0.01, 0.2]:
        near = arm.collides(q, world=world, margin=margin, self_collision=False)
        sure = np.abs(distance - margin) > 1e-9
        assert np.array_equal(near[sure], (distance <= margin)[sure])


def test_worlds_never_miss_at_any_accuracy(arm: Robot) -> None:
    world, q = shelf(), arm.sample(1000, seed=24)
    exact = arm.collides(q, world=world)
    for accuracy in [Accuracy.depth(0), Accuracy.depth(2), Accuracy.within(0.1), Accuracy.budget(5)]:
        assert not (exact & ~arm.collides(q, world=world, accuracy=accuracy)).any()


def test_edges_meet_the_world(arm: Robot, cube: Body) -> None:
    # A cube of size 1 is beside the upright arm, which falls onto it.
    world = World([(cube, [1.5, 0, 0.5, 0, 0, 0, 1])])
    first = arm.edges([0, 0, 0], [2.0, 0, 0], 0.001, world=world)[0]
    assert np.isnan(arm.edges([0, 0, 0], [2.0, 0, 0], 0.001, world=World([]))[0]) or first < 1
    q = np.array([[first * 2.0, 0, 0], [first * 2.0 - 0.002, 0, 0]])
    assert arm.collides(q, world=world).tolist() == [True, False]


def test_many_items(arm: Robot, cube: Body) -> None:
    # A hundred cubes far away change only the time.
    far = [(cube, [5.0 + i, 5, 5, 0, 0, 0, 1]) for i in range(100)]
    q = arm.sample(200, seed=25)
    assert np.array_equal(arm.collides(q, world=World(far)), arm.collides(q))
    assert len(World(far)) == 100 and World(far).poses.shape == (100, 7)


def test_a_character_stands_in_a_world(arm: Robot, data: Path) -> None:
    man = Body.gltf(next((data / "characters/cesium-man").glob("*.glb")))
    world = World([(man, [0.5, 0, 0, np.sqrt(0.5), 0, 0, np.sqrt(0.5)])])  # Z up
    pairs = arm.pairs(arm.sample(100, seed=1), world=world, self_collision=False)
    # Every pair names the part of the character that is touched.
    assert len(pairs) == len(pairs.row) > 0 and (pairs.b >= len(arm.parts)).all()
    assert world.parts == [(0, name) for name in man.parts]
    links = arm.poses(arm.sample(100, seed=1))
    for row, a, b in zip(pairs.row[:20], pairs.a, pairs.b):
        contacts = Pair(arm.body, man).contacts(links[row][None], world.poses)
        touched = set(zip(contacts.a.tolist(), contacts.b.tolist()))
        assert (a, b - len(arm.parts)) in touched


def test_parts_of_worlds_are_counted_over_all_items(arm: Robot, cube: Body) -> None:
    fork = arm.body
    world = World([(fork, [50, 0, 0, 0, 0, 0, 1]), cube, (fork, [-50, 0, 0, 0, 0, 0, 1]), (cube, [0, 0, 80, 0, 0, 0, 1])])
    parts = [(0, name) for name in fork.parts] + [(1, "mesh")] + [(2, name) for name in fork.parts] + [(3, "mesh")]
    assert [(item, name) for item, name in world.parts] == [
        (item, name if item % 2 == 0 else cube.parts[0]) for item, name in parts
    ]
    q = arm.sample(200, seed=27)
    pairs = arm.pairs(q, world=world, self_collision=False)
    assert len(pairs) > 0 and set(pairs.b.tolist()) == {len(arm.parts) + len(fork.parts)}
    near = arm.closest(q, world=world, self_collision=False)
    assert set(near.b.tolist()) == {len(arm.parts) + len(fork.parts)}
    edges = arm.motion(q[:-1], q[1:], world=world, self_collision=False)
    assert set(edges.b[edges.hit].tolist()) == {len(arm.parts) + len(fork.parts)}
    assert [len(pairs), len(near), len(edges)] == [len(pairs.row), 200, 199]


def test_empty_worlds_touch_nothing(arm: Robot) -> None:
    q = arm.sample(50, seed=26)
    assert np.array_equal(arm.collides(q, world=World([])), arm.collides(q))
    assert np.isinf(arm.distance(q, world=World([]), self_collision=False)).all()
    with pytest.raises(BoxwoodError, match="row 0"):
        arm.collides([9, 9, 9], world=World([]))


def test_scaled_bodies_are_as_large_as_they_say() -> None:
    """Checks that a body scaled from millimetres has the distance of one made in metres."""
    metres = Body.boxes([0, 0, 0], [0.3, 0.2, 0.1])
    other = Body.boxes([0, 0, 0.5], [0.1, 0.1, 0.1])
    scaled = Body.boxes([0, 0, 0], [300, 200, 100]).scaled(0.001)
    assert np.allclose(Pair(scaled, other).distance(HERE, HERE), Pair(metres, other).distance(HERE, HERE))
    assert np.array_equal(metres.scaled(2.0).scaled(0.5).bind_poses, metres.bind_poses)
    assert metres.scaled(2.0).scaled(0.5).fingerprint == metres.fingerprint
    with pytest.raises(BoxwoodError, match="factor is not above zero"):
        metres.scaled(0.0)


def same_bits(robot: Robot, one: World, other: World, q: NDArray[np.float64]) -> None:
    """Checks that all queries have equal bits in two worlds."""

    def bits(world: World) -> list[bytes]:
        columns: list[NDArray[Any]] = [robot.collides(q, world=world), robot.distance(q, world=world)]
        columns += [*robot.pairs(q, world=world), *robot.closest(q, world=world)]
        columns += [*robot.distances(q[:50], 0.2, world=world), robot.edges(q[:-1], q[1:], 0.3, world=world)]
        columns += [*robot.motion(q[:20], q[20:40], world=world), *robot.check_edges(q[:-1], q[1:], world=world)]
        return [column.tobytes() for column in columns]

    assert bits(one) == bits(other)


def random_poses(count: int, seed: int) -> NDArray[np.float64]:
    """Returns poses around the arm."""
    draw = np.random.default_rng(seed)
    poses = np.concatenate([draw.uniform(-2.5, 2.5, (count, 3)), draw.normal(size=(count, 4))], axis=1)
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    return poses


def test_moved_worlds_are_those_built_anew(arm: Robot) -> None:
    world, q = shelf(), arm.sample(200, seed=71)
    world = World([*[(body, pose) for body, pose in items(world)], (arm.body, [0.9, 0.9, 0, 0, 0, 1, 0])])
    bodies = [body for body, _ in items(world)]
    before = [arm.collides(q, world=world), world.poses.copy()]
    others = []
    for seed in range(4):
        poses = random_poses(5, seed)
        moved, fresh = world.with_poses(poses), World(zip(bodies, poses))
        assert moved.poses.tobytes() == poses.tobytes() and moved.parts == world.parts
        assert moved == fresh and hash(moved) == hash(fresh) and moved != world
        assert pickle.loads(pickle.dumps(moved)) == moved and len(moved) == 5
        same_bits(arm, moved, fresh, q)
        others.append((moved, arm.distance(q, world=moved, self_collision=False)))
    assert len({distances.tobytes() for _, distances in others}) == 4
    # Worlds in turns, which share scratch memory, keep their poses.
    for _ in range(2):
        for moved, distances in others:
            again = arm.distance(q, world=moved, self_collision=False, threads=3)
            assert np.array_equal(again, distances)
    assert np.array_equal(arm.collides(q, world=world), before[0])
    assert np.array_equal(world.poses, before[1])


def test_one_item_moves(arm: Robot, cube: Body) -> None:
    q = arm.sample(500, seed=72)
    world = World([cube, (cube, [0.9, 0, 0.9, 0, 0, 0, 1]), (cube.scaled(0.3), [-1, 0, 1, 0, 0, 0, 1])])
    for item in range(3):
        pose = random_poses(3, 80 + item)[item]
        poses = world.poses
        poses[item] = pose
        moved = world.moved(item, pose)
        assert moved == world.with_poses(poses) and moved.poses.tobytes() == poses.tobytes()
        same_bits(arm, moved, World(zip([cube, cube, cube.scaled(0.3)], poses)), q)
        # And back.
        assert moved.moved(item, world.poses[item]) == world
    # Large batches are prepared for each world.
    many = np.tile(q, (120, 1))
    assert np.array_equal(arm.collides(many, world=moved), np.tile(arm.collides(q, world=moved), 120))
    assert np.array_equal(arm.collides(many, world=world), np.tile(arm.collides(q, world=world), 120))


def test_moved_worlds_are_shared_by_threads(arm: Robot, cube: Body) -> None:
    world, q = World([cube, (cube, [0.9, 0, 0.9, 0, 0, 0, 1])]), arm.sample(300, seed=73)
    places = [random_poses(2, seed) for seed in range(8)]
    expected = [arm.pairs(q, world=World(zip([cube, cube], poses))) for poses in places]
    wrong: list[int] = []

    def ask(number: int) -> None:
        for turn in range(20):
            at = (number + turn) % len(places)
            found = arm.pairs(q, world=world.with_poses(places[at]), threads=2)
            if any(a.tobytes() != b.tobytes() for a, b in zip(found, expected[at])):
                wrong.append(at)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_wrong_poses_of_items_are_refused(cube: Body) -> None:
    world = World([cube, cube])
    with pytest.raises(BoxwoodError, match=r"poses: shape \[1, 7\], \[2, 7\] expected"):
        world.with_poses(np.zeros((1, 7)))
    with pytest.raises(BoxwoodError, match=r"poses: shape \[14\], \[2, 7\] expected"):
        world.with_poses(np.zeros(14))
    refused: list[tuple[list[float], str]] = [([0, 0, 0, 0, 0, 0, 2], "length 2, not 1")]
    refused += [([np.nan, 0, 0, 0, 0, 0, 1], "not finite")]
    for wrong, message in refused:
        with pytest.raises(BoxwoodError, match=f"^item 1: .*{message}") as caught:
            world.with_poses(np.array([HERE, wrong]))
        assert caught.value.index == 1
        with pytest.raises(BoxwoodError, match=f"^item 0: .*{message}"):
            world.moved(0, wrong)
    with pytest.raises(BoxwoodError, match="item: 2, less than 2 expected") as beyond:
        world.moved(2, HERE)
    assert beyond.value.index == 2
    with pytest.raises(BoxwoodError, match="item: -1, "):
        world.moved(-1, HERE)
    with pytest.raises(BoxwoodError, match="item 0 has several poses"):
        world.moved(0, [HERE, HERE])
    assert World([]).with_poses(np.zeros((0, 7))) == World([])
