"""Checks per second of the Panda, beside Pinocchio's calls, in one run and on one list of rows.

    python benches/against_pin.py --data FOLDER [--rows 100000] [--rounds 5] [--threads 1 2]

FOLDER is the data folder, which has robots/panda. Each figure is the best of the rounds, taken in
turn, so that a busy machine slows all equally; compare the ratios. Processor time, summed over
threads, hardly depends on other programs; clock time is what a user waits.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

import numpy as np
import pinocchio as pin

import boxwood

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from pinocchio_side import Floats, Peer, unpacked  # noqa: E402


def main() -> None:
    """Prints a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    given = options.parse_args()
    package = given.data / "robots/panda"
    urdf, srdf = package / "urdf/panda.urdf", package / "srdf/panda.srdf"
    with tempfile.TemporaryDirectory() as folder:
        robot = boxwood.Robot.urdf(urdf, srdf=srdf)
        peer = Peer(unpacked(urdf, package, "panda_description", Path(folder)), Path(folder), robot)
        q = robot.sample(given.rows, seed=1)
        columns = np.asfortranarray(peer.configurations(q).T)
        single = q[: given.rows // 10]
        rates = measure(robot, peer, (q, columns, single), given.rounds, given.threads)
    print(f"{given.rows} rows, best of {given.rounds} rounds, boxwood {boxwood.__version__}, pin {pin.__version__}")
    print(f"{'rows a second of':<54}{'the clock':>14}{'the processor':>16}")
    for name, (clock, processor) in rates.items():
        print(f"{name:<54}{clock:>14,.0f}{processor:>16,.0f}")
    for threads in given.threads:
        mine, theirs = rates[f"boxwood, {threads} threads"], rates[f"pin, broad-phase pool, {threads} threads"]
        ratio = [a / b for a, b in zip(mine, theirs)]
        print(f"{threads} threads: {ratio[0]:.2f} (clock), {ratio[1]:.2f} (processor) times the broad-phase pool")
    single_row, loop = rates["boxwood, one row a call"], rates["pin, computeCollisions in a loop"]
    print(f"one row a call: {single_row[1] / loop[1]:.1f} times computeCollisions in a loop (processor)")


def measure(
    robot: boxwood.Robot,
    peer: Peer,
    batches: tuple[Floats, Floats, Floats],
    rounds: int,
    threads: list[int],
) -> dict[str, tuple[float, float]]:
    """Best rates of each call: rows per second of clock time, and of processor time."""
    q, columns, single = batches
    model, data, at = peer.model, peer.model.createData(), peer.geometry.createData()
    pool_of = pin.BroadPhaseManagerPool_DynamicAABBTreeCollisionManager
    few = np.ascontiguousarray(columns.T[:3000])

    def loop() -> int:
        return sum(pin.computeCollisions(model, data, peer.geometry, at, row, True) for row in few)

    def each() -> int:
        ask = robot.collides
        return sum(int(ask(row, threads=1)[0]) for row in single)

    ways: dict[str, tuple[Callable[[], object], int]] = {}
    for count in threads:
        pool = pool_of(model, peer.geometry, count)

        def theirs(pool: object = pool, count: int = count) -> object:
            return pin.computeCollisionsInParallel(count, pool, columns, True, False)

        def mine(count: int = count) -> object:
            return robot.collides(q, threads=count)

        ways[f"boxwood, {count} threads"] = (mine, len(q))
        ways[f"pin, broad-phase pool, {count} threads"] = (theirs, len(q))
    ways["boxwood, one row a call"] = (each, len(single))
    ways["pin, computeCollisions in a loop"] = (loop, len(few))
    best: dict[str, tuple[float, float]] = {}
    for _ in range(rounds):
        for name, (ask, rows) in ways.items():
            clock, processor = time.perf_counter(), time.process_time()
            ask()
            rate = rows / (time.perf_counter() - clock), rows / (time.process_time() - processor)
            old = best.get(name, (0.0, 0.0))
            best[name] = max(rate[0], old[0]), max(rate[1], old[1])
    return best


if __name__ == "__main__":
    main()
