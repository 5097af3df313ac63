"""Queries of a robot on all machines of a Ray cluster: random configurations, edges, matrices.

    pip install boxwood ray tqdm
    python sweep_ray.py --robot panda.urdf --srdf panda.srdf --rows 10_000_000 --edges 1_000_000 \\
        --margins 0 0.01 --checkpoint done.jsonl

Counts the random configurations that collide, the edges between them that are free, and the pairs of
links that never touch, at each margin. The work is divided into tasks: chunks of rows, chunks of
edges, and a matrix for each margin. The seed and the number of a chunk determine its configurations,
so none are sent; the robot is pickled once a worker, so workers need no files. Every finished task is
a line of the checkpoint file, written before the next is assigned: the same command continues after a
crash. A worker that dies is replaced, and its task is repeated; every task counts once.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional

import ray
from tqdm import tqdm

import boxwood


class Task(NamedTuple):
    """Part of the work: a chunk of rows, a chunk of edges, or the matrix of a margin."""

    kind: str  # rows, edges, matrix
    number: int
    size: int = 1
    seed: int = 0
    margin: float = 0.0


@dataclass(frozen=True)
class Done:
    """Answers of a finished task, counted."""

    kind: str
    number: int
    counts: dict[str, int]


class Worker:
    """A process with one robot, which computes on one thread."""

    def __init__(self, robot: boxwood.Robot) -> None:
        self.robot = robot

    def process(self) -> int:
        """Id of the process, to watch or end it."""
        return os.getpid()

    def answer(self, task: Task) -> Done:
        """Computes a task."""
        return Done(task.kind, task.number, getattr(self, task.kind)(task))

    def rows(self, task: Task) -> dict[str, int]:
        """Counts the configurations that collide."""
        q = self.robot.sample(task.size, task.seed)
        return {"rows": task.size, "collide": int(self.robot.collides(q, threads=1).sum())}

    def edges(self, task: Task) -> dict[str, int]:
        """Counts verdicts on the edges between consecutive configurations."""
        q = self.robot.sample(task.size + 1, task.seed)
        edges = self.robot.check_edges(q[:-1], q[1:], threads=1)
        free, collide, undecided = edges.free.sum(), edges.collides.sum(), edges.undecided.sum()
        return {"edges": task.size, "free": int(free), "collide": int(collide), "undecided": int(undecided)}

    def matrix(self, task: Task) -> dict[str, int]:
        """Counts verdicts on the pairs of links: never, always, sometimes, undecided."""
        matrix = self.robot.matrix(margin=task.margin)
        return {"pairs": len(matrix), **Counter(pair.verdict for pair in matrix.pairs)}


class Checkpoint:
    """Finished tasks, a line of JSON each, after a line that identifies the sweep."""

    def __init__(self, path: Optional[Path], sweep: dict[str, Any]) -> None:
        self.done: dict[tuple[str, int], Done] = {}
        self.file = None
        if path is None:
            return
        # The last line of a killed run may be incomplete; it is written again.
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        if lines and json.loads(lines[0]) != sweep:
            raise SystemExit(f"{path} is of another sweep: {lines[0].decode()}")
        for line in lines[1:]:
            self.add(Done(**json.loads(line)))
        self.file = open(path, "r+b" if lines else "wb")
        self.file.truncate(sum(len(line) + 1 for line in lines))
        self.file.seek(0, os.SEEK_END)
        if not lines:
            self.write(sweep)

    def write(self, entry: dict[str, Any]) -> None:
        """Writes a line that survives the end of this process."""
        if self.file is not None:
            self.file.write(json.dumps(entry).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())

    def add(self, done: Done) -> bool:
        """Counts a task, unless it was counted before."""
        is_new = (done.kind, done.number) not in self.done
        self.done.setdefault((done.kind, done.number), done)
        return is_new

    def finish(self, done: Done) -> bool:
        """Counts a task and writes its line, unless it was counted before."""
        is_new = self.add(done)
        if is_new:
            self.write(asdict(done))
        return is_new


def tasks(given: argparse.Namespace) -> Iterator[Task]:
    """Returns all tasks, those that take longest first."""
    for number, margin in enumerate(given.margins):
        yield Task("matrix", number, margin=margin)
    for kind, count in [("edges", given.edges), ("rows", given.rows)]:
        for number, first in enumerate(range(0, count, given.chunk)):
            # SplitMix64 steps by an odd number, so chunks far apart in its sequence do not overlap.
            seed = (given.seed + number * 0xD1342543DE82EF95) % 2**64
            yield Task(kind, number, min(given.chunk, count - first), seed)


def sweep(robot: boxwood.Robot, given: argparse.Namespace) -> Checkpoint:
    """Assigns tasks until all are finished."""
    about = {name: getattr(given, name) for name in ("rows", "edges", "margins", "chunk", "seed")}
    about["robot"] = robot.fingerprint
    checkpoint = Checkpoint(given.checkpoint, about)
    everything = list(tasks(given))
    left = [task for task in everything if (task.kind, task.number) not in checkpoint.done]
    handle = ray.put(robot)
    actor: Any = ray.remote(num_cpus=1)(Worker)
    workers = [actor.remote(handle) for _ in range(given.workers)]
    for number, process in enumerate(ray.get([worker.process.remote() for worker in workers])):
        print(f"worker {number} is process {process}", file=sys.stderr, flush=True)
    left.reverse()
    running: dict[Any, tuple[Any, Task]] = {}

    def hand_out(worker: Any) -> None:
        if left:
            task = left.pop()
            running[worker.answer.remote(task)] = (worker, task)

    for worker in workers:
        hand_out(worker)
    quiet = not sys.stderr.isatty() and not given.bar
    with tqdm(total=len(everything), initial=len(checkpoint.done), unit="task", disable=quiet) as bar:
        while running:
            (ready,), _ = ray.wait(list(running))
            worker, task = running.pop(ready)
            try:
                done = ray.get(ready)
            except ray.exceptions.RayActorError as error:
                # A new worker instead of `max_restarts`, which loses a robot in the object store.
                name = f"{task.kind} {task.number}"
                print(f"{name}: {type(error).__name__}; tried again", file=sys.stderr, flush=True)
                left.append(task)
                worker = actor.remote(handle)
            else:
                bar.update(checkpoint.finish(done))
            hand_out(worker)
    return checkpoint


def main() -> None:
    """Reads the command line, sweeps, prints the count."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    options.add_argument("--robot", type=Path, required=True, help="a .urdf, an MJCF .xml, or a baked robot")
    options.add_argument("--srdf", type=Path, help="pairs of links that are not tested")
    options.add_argument("--rows", type=int, default=0, help="configurations in all")
    options.add_argument("--edges", type=int, default=0, help="edges in all")
    options.add_argument("--margins", type=float, nargs="*", default=[], help="a matrix each [m]")
    options.add_argument("--chunk", type=int, default=100_000, help="configurations or edges of a task")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="a CPU each")
    options.add_argument("--checkpoint", type=Path, help="file of finished tasks, to go on from")
    options.add_argument("--address", help="of a running cluster; without, one is started here")
    options.add_argument("--bar", action="store_true", help="a progress bar even where nobody looks")
    given = options.parse_args()
    if min(given.rows, given.edges) < 0 or given.chunk < 1 or given.workers < 1:
        options.error("rows and edges are at least 0, chunk and workers at least 1")
    if not (given.rows or given.edges or given.margins):
        options.error("nothing to do: give --rows, --edges or --margins")
    kind = given.robot.suffix
    if kind == ".urdf":
        robot = boxwood.Robot.urdf(given.robot, srdf=given.srdf)
    else:
        robot = boxwood.Robot.mjcf(given.robot) if kind == ".xml" else boxwood.Robot.baked(given.robot)
    here = {} if given.address else {"num_cpus": given.workers, "include_dashboard": False}
    ray.init(address=given.address, log_to_driver=False, logging_level=logging.ERROR, **here)
    checkpoint = sweep(robot, given)
    for line in report(checkpoint, given.margins):
        print(line)


def report(checkpoint: Checkpoint, margins: list[float]) -> Iterator[str]:
    """Returns a line about each kind of query, of all tasks together; one for each matrix."""
    totals: dict[str, Counter[str]] = {}
    for done in checkpoint.done.values():
        name = f"margin {margins[done.number]}" if done.kind == "matrix" else done.kind
        totals.setdefault(name, Counter()).update(done.counts)
    for name, counts in sorted(totals.items()):
        yield f"{name}: " + ", ".join(f"{count} {what}" for what, count in counts.items())


if __name__ == "__main__":
    main()
