"""Cost of rows, edges and matrices with more worker processes on one machine.

    python benches/workers.py --robot panda.urdf --srdf panda.srdf [--workers 1 2 4] [--rounds 3]

Prints what is copied to a worker, the time of a task without work, and a table: processor time of all
workers together, and elapsed time, of the same tasks divided among 1, 2 and 4 workers. A worker has
one robot and computes on one thread. Each figure is the least of the rounds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Optional

import boxwood

# Kind, size and seed of a task; the numbers of tasks are multiples of every number of workers.
Task = tuple[str, int, int]
TASKS: dict[str, list[Task]] = {
    "800,000 rows": [("rows", 100_000, seed) for seed in range(8)],
    "20,000 edges": [("edges", 2500, seed) for seed in range(8)],
    "4 matrices": [("matrix", 10_000, seed) for seed in range(4)],
}
EMPTY: Task = ("rows", 1, 0)
ROBOT: Optional[boxwood.Robot] = None


def start(pickled: bytes) -> None:
    """Restores the robot of a worker."""
    global ROBOT
    ROBOT = pickle.loads(pickled)


def timed(task: Task) -> float:
    """Computes a task; returns its processor time [s]."""
    assert ROBOT is not None
    kind, size, seed = task
    begin = time.process_time()
    if kind == "matrix":
        ROBOT.matrix(samples=size, seed=seed)
    elif kind == "edges":
        q = ROBOT.sample(size + 1, seed)
        ROBOT.check_edges(q[:-1], q[1:], threads=1)
    else:
        ROBOT.collides(ROBOT.sample(size, seed), threads=1)
    return time.process_time() - begin


def least(call: Callable[[], object], count: int, clock: Callable[[], float]) -> float:
    """Returns the least time of calls [ms]."""
    times = []
    for _ in range(count):
        begin = clock()
        call()
        times.append(clock() - begin)
    return 1e3 * min(times)


def divided(pool: Any, tasks: list[Task]) -> tuple[float, float]:
    """Computes tasks; returns the processor time of all workers, and the elapsed time [s]."""
    begin = time.perf_counter()
    seconds = pool.map(timed, tasks, chunksize=1)
    return sum(seconds), time.perf_counter() - begin


def main() -> None:
    """Prints the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--robot", type=Path, required=True)
    options.add_argument("--srdf", type=Path)
    options.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    robot = boxwood.Robot.urdf(given.robot, srdf=given.srdf)
    pickled = pickle.dumps(robot)
    restored = least(lambda: pickle.loads(pickled), 30, time.process_time)
    loaded = least(lambda: boxwood.Robot.urdf(given.robot, srdf=given.srdf), 5, time.process_time)
    print(f"robot: {len(pickled):,} bytes, restored in {restored:.1f} ms, loaded from files in {loaded:.0f} ms")
    cells: dict[str, list[str]] = {kind: [] for kind in TASKS}
    for count in given.workers:
        # Forked workers would have the robot of this process.
        with multiprocessing.get_context("spawn").Pool(count, start, (pickled,)) as pool:
            pool.map(timed, [EMPTY] * count)
            if not cells["4 matrices"]:
                wall = least(lambda: pool.apply(timed, (EMPTY,)), 500, time.perf_counter)
                print(f"a task of one row: {wall:.2f} ms elapsed\n")
            for kind, tasks in TASKS.items():
                rounds = [divided(pool, tasks) for _ in range(given.rounds)]
                seconds, elapsed = (min(times) for times in zip(*rounds))
                cells[kind].append(f"{seconds:.2f} s, {elapsed:.2f} s")
                print(f"{count} workers, {kind}: {cells[kind][-1]}", flush=True)
    print("\n| | " + " | ".join(f"{count} worker{'s' * (count > 1)}" for count in given.workers) + " |")
    print("|---|" + "---:|" * len(given.workers))
    for kind, own in cells.items():
        print(f"| {kind} | " + " | ".join(own) + " |")


if __name__ == "__main__":
    main()
