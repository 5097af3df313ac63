"""Tests of the collision matrix: witnesses touch, what never touches does so in no sample, and the
SRDF file is read back."""

from __future__ import annotations

import itertools
import pickle
import threading
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import ARM

from boxwood import BoxwoodError, CollisionMatrix, Robot


def with_all_tested(robot: Robot, matrix: CollisionMatrix) -> Robot:
    """Returns a copy of a robot that tests all pairs of a matrix."""
    return robot.with_tested([(pair.a, pair.b) for pair in matrix.pairs])


def check_matrix(robot: Robot, matrix: CollisionMatrix, rows: int) -> None:
    """Checks the verdicts of a matrix against samples and witnesses."""
    open_robot = with_all_tested(robot, matrix)
    names = {name: index for index, name in enumerate(robot.parts)}
    q = open_robot.sample(rows, seed=77)
    at_limits = np.random.default_rng(3).random(q.shape)
    low, high = np.clip(robot.limits, -np.pi, np.pi).T
    extreme = np.where(at_limits < 0.25, low, np.where(at_limits > 0.75, high, q))
    q = np.concatenate([q, extreme])
    found = open_robot.pairs(q)
    touching = {(a, b): 0 for a, b in zip(found.a.tolist(), found.b.tolist())}
    for a, b in zip(found.a.tolist(), found.b.tolist()):
        touching[a, b] += 1
    never = matrix.never()
    for pair in matrix.pairs:
        key = (names[pair.a], names[pair.b])
        assert key[0] < key[1] and ((pair.a, pair.b) in never) == (pair.verdict == "never")
        assert (pair.witness is not None) == (pair.verdict == "sometimes")
        assert np.isfinite(pair.least_gap) == (pair.verdict == "undecided")
        if pair.witness is not None:
            at = open_robot.pairs(pair.witness)
            assert key in set(zip(at.a.tolist(), at.b.tolist())), pair
        if pair.verdict == "never":
            assert key not in touching and pair.touching == 0, pair
        if pair.verdict == "always":
            assert touching[key] == len(q) and pair.touching == matrix.samples, pair


def test_pairs_of_the_arm_are_decided(arm: Robot) -> None:
    matrix = arm.matrix()
    assert len(matrix) == len(matrix.pairs) == 10 and matrix.samples == 10_000 and matrix.margin == 0
    verdicts = {(pair.a, pair.b): pair.verdict for pair in matrix.pairs}
    assert list(verdicts) == list(itertools.combinations(arm.parts, 2))
    # The fingers are at least 0.06 apart, and begin 0.05 beyond their link.
    assert matrix.never() == [("lower", "left"), ("lower", "right"), ("left", "right")]
    assert verdicts["base", "left"] == "sometimes"
    assert repr(matrix) == "CollisionMatrix of 10 pairs, 3 of them never touch"
    check_matrix(arm, matrix, 20_000)
    # The samples are those of `sample`, so that they can be counted again.
    again = with_all_tested(arm, matrix).pairs(arm.sample(10_000, seed=1))
    for pair in matrix.pairs:
        a, b = arm.parts.index(pair.a), arm.parts.index(pair.b)
        assert pair.touching == ((again.a == a) & (again.b == b)).sum(), pair


def test_pairs_that_never_touch_are_ignored(arm: Robot) -> None:
    matrix = arm.matrix(samples=1000, seed=5)
    lean = arm.with_ignored(matrix.never())
    assert len(lean.tested_pairs) == len(arm.tested_pairs) - 1
    q = arm.sample(20_000, seed=61)
    assert np.array_equal(lean.collides(q), arm.collides(q))
    text = matrix.srdf('the "arm" & <more>')
    root = ElementTree.fromstring(text)
    assert root.get("name") == 'the "arm" & <more>'
    disabled = [(pair.get("link1"), pair.get("link2"), pair.get("reason")) for pair in root]
    assert disabled == [(a, b, "Never") for a, b in matrix.never()] and len(disabled) == 3
    assert Robot.urdf(ARM, srdf=text).fingerprint == lean.fingerprint


def test_links_that_always_touch_are_proved() -> None:
    fixed = ARM.replace('name="grip" type="prismatic"', 'name="grip" type="fixed"').replace(
        'name="other" type="prismatic"', 'name="other" type="fixed"'
    )
    fixed = fixed.replace('<mimic joint="grip"/>', "").replace('size="0.04 0.04 0.2"', 'size="0.2 0.04 0.2"')
    robot = Robot.urdf(fixed)
    matrix = robot.matrix(samples=500)
    verdicts = {(pair.a, pair.b): pair.verdict for pair in matrix.pairs}
    assert verdicts["left", "right"] == "always"
    check_matrix(robot, matrix, 2000)
    assert 'link1="left" link2="right" reason="Always"' in matrix.srdf("arm")


def test_margins_make_pairs_touch(arm: Robot) -> None:
    wide = arm.matrix(samples=1000, margin=0.07)
    fingers = next(pair for pair in wide.pairs if (pair.a, pair.b) == ("left", "right"))
    assert fingers.verdict == "sometimes" and fingers.witness is not None and wide.margin == 0.07
    assert with_all_tested(arm, wide).collides(fingers.witness, margin=0.07).all()
    # Margins of the robot have no effect.
    assert arm.with_margins(0.07).matrix(samples=1000).never() == arm.matrix(samples=1000).never()
    assert wide.never() == []
    # Without samples and splits, some pairs stay open: what is not known is stated.
    unknown = arm.matrix(samples=0, splits=0)
    verdicts = [pair.verdict for pair in unknown.pairs]
    assert unknown.samples == 0 and "undecided" in verdicts
    assert all(np.isfinite(pair.least_gap) for pair in unknown.pairs if pair.verdict == "undecided")


def test_wrong_settings_are_refused(arm: Robot) -> None:
    for margin in [-1.0, np.nan, np.inf]:
        with pytest.raises(BoxwoodError, match="margin"):
            arm.matrix(margin=margin)
        with pytest.raises(BoxwoodError, match="resolution"):
            arm.matrix(resolution=margin)
    for name in ["samples", "seed", "splits"]:
        with pytest.raises(BoxwoodError, match=f"{name}: -1, "):
            arm.matrix(**{name: -1})
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(arm.matrix(samples=10))


def test_another_thread_goes_on_meanwhile(arm: Robot) -> None:
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    started = time.perf_counter()
    arm.matrix(samples=200_000)
    ended = time.perf_counter()
    done.set()
    ticker.join()
    during = [tick for tick in ticks if started < tick < ended]
    # With the interpreter's lock there would be no tick, or one at either end.
    assert len(during) > 10, f"{len(during)} ticks in {ended - started:.3f} s"


def test_a_real_arm_has_a_matrix(data: Path, panda: Robot) -> None:
    started = time.perf_counter()
    matrix = panda.matrix(samples=2000)
    print(f"{matrix} after {time.perf_counter() - started:.1f} s")
    assert len(matrix) == 55 and len(matrix.never()) > 15
    assert not any(pair.verdict == "undecided" for pair in matrix.pairs)
    check_matrix(panda, matrix, 3000)
    # The SRDF file disables pairs that touch; neighbours are not tested without it either.
    folder = data / "robots" / "panda"
    bare = Robot.urdf(folder / "urdf/panda.urdf")
    tested = {(bare.parts[a], bare.parts[b]) for a, b in bare.tested_pairs}
    ignored = panda.ignored_although_touching(matrix)
    assert [(pair.a, pair.b) for pair in ignored if (pair.a, pair.b) in tested] == [
        ("panda_link5", "panda_link7"),
        ("panda_link5", "panda_hand"),
        ("panda_leftfinger", "panda_rightfinger"),
    ]
    for pair in ignored:
        assert pair.witness is not None
        assert panda.with_tested([(pair.a, pair.b)]).collides(pair.witness).all()
