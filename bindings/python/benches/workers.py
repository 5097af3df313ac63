"""Cost of rows, edges and matrices with more workers of Ray on one machine.

    pip install boxwood ray tqdm
    python benches/workers.py --robot panda.urdf --srdf panda.srdf [--workers 1 2 4] [--rounds 3]

Prints what is copied to a worker, the time of a task without work, and a table: processor time of all
workers together and elapsed time of the same tasks, divided among 1, 2 and 4 workers. Tasks and
workers are those of `examples/sweep_ray.py`. Each figure is the least of the rounds. The processes of
Ray itself are not counted.
"""

from __future__ import annotations

import argparse
import logging
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray

import boxwood

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
import sweep_ray  # noqa: E402

# Tasks of each kind; their number is a multiple of every number of workers.
TASKS = {
    "rows": [sweep_ray.Task("rows", number, 100_000, number) for number in range(8)],
    "edges": [sweep_ray.Task("edges", number, 2500, number) for number in range(8)],
    "matrix": [sweep_ray.Task("matrix", number) for number in range(4)],
}
LARGEST = {"rows": "800,000 rows", "edges": "20,000 edges", "matrix": "4 matrices"}
EMPTY = sweep_ray.Task("rows", 0, 1)


class Timed(sweep_ray.Worker):
    """Worker that measures its processor time."""

    def timed(self, task: sweep_ray.Task) -> float:
        """Computes a task; returns its processor time [s]."""
        start = time.process_time()
        self.answer(task)
        return time.process_time() - start


def least(call: Callable[[], object], count: int, clock: Callable[[], float]) -> float:
    """Returns the least time of calls [s]."""
    times = []
    for _ in range(count):
        start = clock()
        call()
        times.append(clock() - start)
    return min(times)


def divided(workers: list[Any], tasks: list[sweep_ray.Task]) -> tuple[float, float]:
    """Computes tasks, as many on each worker. Returns the processor time of all workers, and the
    elapsed time [s]."""
    start = time.perf_counter()
    seconds = ray.get([workers[at % len(workers)].timed.remote(task) for at, task in enumerate(tasks)])
    return sum(seconds), time.perf_counter() - start


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
    load = least(lambda: boxwood.Robot.urdf(given.robot, srdf=given.srdf), 5, time.process_time)
    print(f"robot: {len(pickled):,} bytes, restored in {1e3 * restored:.1f} ms; its files are loaded in {1e3 * load:.0f} ms")
    most = max(given.workers)
    ray.init(num_cpus=most, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    handle, actor = ray.put(robot), ray.remote(num_cpus=1)(Timed)
    pool: list[Any] = []

    def start_worker() -> None:
        pool.append(actor.remote(handle))
        ray.get(pool[-1].process.remote())

    print(f"a worker starts in {least(start_worker, most, time.perf_counter):.2f} s")
    times = [least(lambda: ray.get(pool[0].answer.remote(EMPTY)), 500, clock) for clock in (time.perf_counter, time.process_time)]
    print(f"a task of one row: {1e3 * times[0]:.2f} ms elapsed, {1e3 * times[1]:.2f} ms of the processor in the program\n")
    print("| | " + " | ".join(f"{count} worker{'s' * (count > 1)}" for count in given.workers) + " |")
    print("|---|" + "---:|" * len(given.workers))
    for kind, tasks in TASKS.items():
        found = [[divided(pool[:count], tasks) for _ in range(given.rounds)] for count in given.workers]
        cells = [f"{min(cpu for cpu, _ in own):.2f} s, {min(wall for _, wall in own):.2f} s" for own in found]
        print(f"| {LARGEST[kind]} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
