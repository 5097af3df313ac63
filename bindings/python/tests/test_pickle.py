"""Pickled robots, bodies, worlds and pairs: another process needs no file and computes the same
bits."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from conftest import ARM
from numpy.typing import NDArray

import boxwood
from boxwood import Accuracy, Body, Pair, Robot, World


def answers(robot: Robot, world: World, q: NDArray[np.float64]) -> list[bytes]:
    """Returns the bits of every query."""
    near = robot.closest(q, world=world)
    edges = robot.edges(q[:-1], q[1:], 0.2, world=world)
    whole = robot.check_edges(q[:-1], q[1:], world=world)
    columns = [robot.collides(q, world=world), *robot.pairs(q, world=world), *near, edges, *whole]
    return [column.tobytes() for column in columns]


def test_a_pickled_robot_is_the_same(arm: Robot, cube: Body) -> None:
    world = World([cube, (cube, [1, 0, 0.5, 0, 0, 0, 1])])
    careful = arm.with_margins(0.01, {("left", "right"): 0.0})
    q = arm.sample(300, seed=31)
    for robot in [arm, careful]:
        other, there = pickle.loads(pickle.dumps((robot, world)))
        assert (other.fingerprint, other.parts) == (robot.fingerprint, robot.parts)
        assert (other.actuators, other.warnings) == (robot.actuators, robot.warnings)
        assert other.limits.tobytes() == robot.limits.tobytes()
        assert answers(other, there, q) == answers(robot, world, q)
        assert other.bake() == robot.bake()
    assert copy.deepcopy(arm).fingerprint == copy.copy(arm).fingerprint == arm.fingerprint


def test_equal_objects_are_equal(arm: Robot, cube: Body) -> None:
    near, far = World([cube]), World([(cube, [1, 0, 0.5, 0, 0, 0, 1])])
    for thing in [arm, cube, near, far]:
        for other in [copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))]:
            assert other == thing and hash(other) == hash(thing) and other in {thing}
        assert thing != 1 and thing is not None
    assert arm != arm.with_margins(0.01)
    assert arm != arm.with_ignored([("left", "right")])
    assert arm != arm.scaled(2.0)
    assert arm.body == copy.copy(arm).body != arm.scaled(2.0).body
    assert cube != cube.scaled(2.0)
    assert near != far and near != World([]) and near != World([cube, cube])
    # The joints count, which the fingerprint of the geometry does not contain.
    stiff = Robot.urdf(re.sub('upper="[^"]*"', 'upper="0.001"', ARM, count=1))
    assert stiff.fingerprint == arm.fingerprint and stiff != arm


def test_pickled_bodies_and_values_are_the_same(cube: Body) -> None:
    open_mesh = Body.mesh(np.eye(3), [[0, 1, 2]])
    for body in [cube, open_mesh]:
        other = pickle.loads(pickle.dumps(body))
        assert (other.fingerprint, other.warnings) == (body.fingerprint, body.warnings)
    assert open_mesh.warnings != []
    pair = pickle.loads(pickle.dumps(Pair(cube, open_mesh)))
    assert pair.distance().tobytes() == Pair(cube, open_mesh).distance().tobytes()
    for accuracy in [Accuracy.exact(), Accuracy.depth(3), Accuracy.within(0.1), Accuracy.budget(2**32 - 1)]:
        assert pickle.loads(pickle.dumps(accuracy)) == accuracy
    answer = pickle.loads(pickle.dumps(pair.closest()))
    assert type(answer) is boxwood.Closest


def test_errors_travel_with_what_they_name(arm: Robot) -> None:
    with pytest.raises(boxwood.BoxwoodError) as caught:
        arm.collides([0, 5, 0])
    other = pickle.loads(pickle.dumps(caught.value))
    assert type(other) is boxwood.BoxwoodError and str(other) == str(caught.value)
    assert (other.row, other.part, other.file) == (0, "elbow", None)


def test_characters_keep_their_clips(data: Path) -> None:
    fox = Body.gltf(next((data / "characters/fox").glob("*.glb")))
    other = pickle.loads(pickle.dumps(fox))
    assert (other.clips, other.parts) == (fox.clips, fox.parts)
    times = np.linspace(0, 1, 5)
    assert other.poses("Run", times).tobytes() == fox.poses("Run", times).tobytes()


def test_other_processes_give_the_same_bits(arm: Robot, cube: Body) -> None:
    world, q = World([(cube, [0.9, 0, 0.9, 0, 0, 0, 1])]), arm.sample(400, seed=32)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        jobs = [pool.submit(answers, arm, world, q) for _ in range(2)]
        assert all(job.result(timeout=60) == answers(arm, world, q) for job in jobs)


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_forked_process_answers() -> None:
    # Threads end with each call, so none are missing after a fork.
    program = """
import os
from conftest import ARM
import boxwood
arm = boxwood.Robot.urdf(ARM.encode())
q = arm.sample(2000)
before = arm.collides(q, threads=4).tobytes()
if (child := os.fork()) == 0:
    os._exit(0 if arm.collides(q, threads=4).tobytes() == before else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    run = subprocess.run([sys.executable, "-c", program], timeout=60, cwd=Path(__file__).parent)
    assert run.returncode == 0


def test_the_panda_travels_without_its_meshes(panda: Robot) -> None:
    data = pickle.dumps(panda)
    other = pickle.loads(data)
    q = panda.sample(2000, seed=33)
    assert answers(other, World([]), q) == answers(panda, World([]), q)
    print(f"the panda as bytes: {len(data) / 1e6:.2f} MB")
