"""Tests of threads: the same bits for any number, no lock of the interpreter, Ctrl-C interrupts."""

from __future__ import annotations

import copy
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Optional

import numpy as np
import pytest
from numpy.typing import NDArray

import boxwood
from boxwood import Accuracy, Body, BoxwoodError, Pair, Robot, World


@pytest.mark.parametrize("rows", [1, 31, 63, 64, 65, 1000, 40_000])
def test_any_number_of_threads_gives_the_same_bits(arm: Robot, cube: Body, rows: int) -> None:
    q = arm.sample(rows, seed=9)
    world = World([(cube, [0.9, 0, 0.9, 0, 0, 0, 1])])
    few = q[:2000]

    def bits(threads: int) -> list[bytes]:
        columns: list[NDArray[Any]] = [arm.collides(q, world=world, threads=threads)]
        columns += arm.pairs(q, world=world, threads=threads)
        columns += arm.closest(few, world=world, threads=threads)
        columns += [arm.poses(few, threads=threads)]
        columns += [arm.edges(few[:-1], few[1:], 0.1, threads=threads)]
        return [column.tobytes() for column in columns]

    expected = bits(1)
    assert all(bits(threads) == expected for threads in [0, 2, 3, 16, 10**9])


def test_a_batch_is_its_rows(arm: Robot) -> None:
    q = arm.sample(300, seed=10)
    assert arm.collides(q).tolist() == [bool(arm.collides(row)[0]) for row in q]
    assert arm.distance(q).tolist() == [float(arm.distance(row)[0]) for row in q]


@pytest.mark.parametrize("margin", [0.0, 0.03])
@pytest.mark.parametrize("accuracy", [None, Accuracy.depth(1), Accuracy.within(0.05), Accuracy.budget(40)])
def test_large_batches_are_their_rows(
    arm: Robot, cube: Body, margin: float, accuracy: Optional[Accuracy]
) -> None:
    """Compares calls that have a batch, after 6,000 rows of one question, with calls of few rows, which
    have none."""
    q = arm.sample(5000, seed=14)
    near = World([(cube, [0.9, 0, 0.9, 0, 0, 0, 1]), (arm.body, [0.5, 0.8, 0, 0, 0, 1, 0])])
    crowded = World([(cube, [1.3 + 0.7 * i, 0, 0.4, 0, 0, 0, 1]) for i in range(100)])
    for world in [None, near, crowded]:
        few = copy.deepcopy(arm)  # has no batch that was prepared before
        rows = [few.collides(part, world=world, margin=margin, accuracy=accuracy) for part in np.array_split(q, 50)]
        each = few.pairs(q[:500], world=world, margin=margin, accuracy=accuracy)
        many = arm.collides(np.tile(q, (10, 1)), world=world, margin=margin, accuracy=accuracy)
        assert np.array_equal(many, np.tile(np.concatenate(rows), 10)) and many.any() and not many.all()
        for threads in [0, 1, 3]:
            hits = arm.collides(q, world=world, margin=margin, accuracy=accuracy, threads=threads)
            assert np.array_equal(hits, np.concatenate(rows))
            pairs = arm.pairs(q, world=world, margin=margin, accuracy=accuracy, threads=threads)
            assert np.array_equal(np.unique(pairs.row), np.flatnonzero(hits))
            for array, expected in zip([pairs.row, pairs.a, pairs.b], [each.row, each.a, each.b]):
                assert np.array_equal(array[pairs.row < 500], expected)
    # A refused row is named as in a small batch, also by the last question above.
    q[4321, 1] = 3.5
    q[4400, 0] = np.nan
    for threads in [1, 2]:
        with pytest.raises(BoxwoodError, match="^row 4321: actuator 'elbow'") as caught:
            arm.collides(q, world=crowded, margin=margin, accuracy=accuracy, threads=threads)
        assert (caught.value.row, caught.value.part) == (4321, "elbow")
        with pytest.raises(BoxwoodError, match="^row 4321: actuator 'elbow'") as caught:
            arm.pairs(q, world=crowded, margin=margin, accuracy=accuracy, threads=threads)
        assert (caught.value.row, caught.value.part) == (4321, "elbow")
    with pytest.raises(BoxwoodError, match="margin"):
        arm.collides(arm.sample(3000), margin=-1.0)


def test_another_thread_goes_on_while_a_batch_runs(arm: Robot) -> None:
    q = arm.sample(300_000, seed=11)
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    started = time.perf_counter()
    arm.distance(q, threads=1)
    ended = time.perf_counter()
    done.set()
    ticker.join()
    during = [tick for tick in ticks if started < tick < ended]
    # With the interpreter's lock there would be no tick, or one at either end.
    assert len(during) > 10, f"{len(during)} ticks in {ended - started:.3f} s"


def test_threads_of_python_share_one_robot(arm: Robot, cube: Body) -> None:
    q = arm.sample(2000, seed=12)
    world = World([cube])
    expected = arm.pairs(q, world=world)
    wrong: list[int] = []

    def ask(number: int) -> None:
        for _ in range(5):
            got = arm.pairs(q, world=world, threads=1 + number % 2)
            if any(a.tobytes() != b.tobytes() for a, b in zip(got, expected)):
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_array_that_changes_meanwhile_does_no_harm(arm: Robot) -> None:
    q = arm.sample(100_000, seed=13)
    expected = arm.collides(q)
    stop = threading.Event()
    mine = q.copy()

    def change() -> None:
        time.sleep(0.002)
        while not stop.is_set():
            mine[:] = np.nan
            mine[:] = q

    # The copy is made before the lock is released: it is consistent, or refused for its values.
    changer = threading.Thread(target=change)
    changer.start()
    try:
        for _ in range(3):
            try:
                assert np.array_equal(arm.collides(mine), expected)
            except boxwood.BoxwoodError as error:
                assert "not finite" in str(error)
    finally:
        stop.set()
        changer.join()


def test_bodies_are_asked_by_many_threads(cube: Body) -> None:
    at = np.zeros((3000, 7))
    at[:, 0], at[:, 6] = np.linspace(0, 2, len(at)), 1
    pair = Pair(cube, cube)
    one, many = pair.separation(None, at, threads=1), pair.separation(None, at, threads=5)
    assert [a.tobytes() for a in one] == [b.tobytes() for b in many]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_stops_a_long_batch() -> None:
    program = """
import signal, sys
from conftest import ARM
import boxwood
# A parent that ignores it, such as a job in the background, would hand that on.
signal.signal(signal.SIGINT, signal.default_int_handler)
arm = boxwood.Robot.urdf(ARM.encode())
q = arm.sample(3_000_000)
print("ready", flush=True)
try:
    while True:
        arm.distance(q, threads=1)
except KeyboardInterrupt:
    sys.exit(3)
"""
    folder = os.path.dirname(__file__)
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": folder},
    )
    assert child.stdout is not None and child.stdout.readline() == b"ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    try:
        assert child.wait(timeout=20) == 3
    finally:
        child.kill()
