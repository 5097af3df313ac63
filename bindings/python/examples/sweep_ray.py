"""Counts the random configurations of a robot that collide, on all machines of a Ray cluster.

    pip install boxwood ray tqdm
    python sweep_ray.py --robot panda.urdf --srdf panda.srdf --rows 10_000_000 --checkpoint done.jsonl

The work is divided into chunks. The seed and a chunk's number determine its configurations, so none
are sent; the robot is pickled once a worker, so workers need no files. Every finished chunk is a line
of the checkpoint file, written before the next is assigned: the same command continues after a
crash. A worker that dies is replaced, and its chunk is counted again; every chunk counts once.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Iterator, Optional

import ray
from tqdm import tqdm

import boxwood


@dataclass(frozen=True)
class Done:
    """A finished chunk."""

    chunk: int
    rows: int
    hits: int


class Worker:
    """A process with one robot, which tests on one thread."""

    def __init__(self, robot: boxwood.Robot) -> None:
        self.robot = robot

    def process(self) -> int:
        """Id of the process, to watch or end it."""
        return os.getpid()

    def count(self, chunk: int, rows: int, seed: int) -> Done:
        """Number of configurations of a chunk that collide."""
        q = self.robot.sample(rows, seed)
        return Done(chunk, rows, int(self.robot.collides(q, threads=1).sum()))


class Checkpoint:
    """Finished chunks, a line of JSON each, after a line that identifies the sweep."""

    def __init__(self, path: Optional[Path], sweep: dict[str, Any]) -> None:
        self.done: dict[int, Done] = {}
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
        """Counts a chunk, unless it was counted before."""
        is_new = done.chunk not in self.done
        self.done.setdefault(done.chunk, done)
        return is_new

    def finish(self, done: Done) -> bool:
        """Counts a chunk and writes its line, unless it was counted before."""
        is_new = self.add(done)
        if is_new:
            self.write(asdict(done))
        return is_new


def chunks(rows: int, size: int, seed: int) -> Iterator[tuple[int, int, int]]:
    """Number, rows and seed of every chunk."""
    for chunk, first in enumerate(range(0, rows, size)):
        # SplitMix64 steps by an odd number, so chunks far apart in its sequence do not overlap.
        yield chunk, min(size, rows - first), (seed + chunk * 0xD1342543DE82EF95) % 2**64


def sweep(robot: boxwood.Robot, given: argparse.Namespace) -> Checkpoint:
    """Assigns chunks until all are finished."""
    about = {"rows": given.rows, "chunk": given.chunk, "seed": given.seed, "robot": robot.fingerprint}
    checkpoint = Checkpoint(given.checkpoint, about)
    left = [job for job in chunks(given.rows, given.chunk, given.seed) if job[0] not in checkpoint.done]
    handle = ray.put(robot)
    actor: Any = ray.remote(num_cpus=1)(Worker)
    workers = [actor.remote(handle) for _ in range(given.workers)]
    for number, process in enumerate(ray.get([worker.process.remote() for worker in workers])):
        print(f"worker {number} is process {process}", file=sys.stderr, flush=True)
    left.reverse()
    running: dict[Any, tuple[Any, tuple[int, int, int]]] = {}

    def hand_out(worker: Any) -> None:
        if left:
            job = left.pop()
            running[worker.count.remote(*job)] = (worker, job)

    for worker in workers:
        hand_out(worker)
    finished = sum(done.rows for done in checkpoint.done.values())
    quiet = not sys.stderr.isatty() and not given.bar
    with tqdm(total=given.rows, initial=finished, unit="row", unit_scale=True, disable=quiet) as bar:
        while running:
            (ready,), _ = ray.wait(list(running))
            worker, job = running.pop(ready)
            try:
                done = ray.get(ready)
            except ray.exceptions.RayActorError as error:
                # A new worker instead of `max_restarts`, which loses a robot in the object store.
                print(f"chunk {job[0]}: {type(error).__name__}; tried again", file=sys.stderr, flush=True)
                left.append(job)
                worker = actor.remote(handle)
            else:
                if checkpoint.finish(done):
                    bar.update(done.rows)
            hand_out(worker)
    return checkpoint


def main() -> None:
    """Reads the command line, sweeps, prints the count."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    options.add_argument("--robot", type=Path, required=True, help="a .urdf, an MJCF .xml, or a baked robot")
    options.add_argument("--srdf", type=Path, help="pairs of links that are not tested")
    options.add_argument("--rows", type=int, default=10_000_000, help="configurations in all")
    options.add_argument("--chunk", type=int, default=100_000, help="configurations a chunk")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="a CPU each")
    options.add_argument("--checkpoint", type=Path, help="file of finished chunks, to go on from")
    options.add_argument("--address", help="of a running cluster; without, one is started here")
    options.add_argument("--bar", action="store_true", help="a progress bar even where nobody looks")
    given = options.parse_args()
    if given.rows < 1 or given.chunk < 1 or given.workers < 1:
        options.error("rows, chunk and workers are at least 1")
    kind = given.robot.suffix
    if kind == ".urdf":
        robot = boxwood.Robot.urdf(given.robot, srdf=given.srdf)
    else:
        robot = boxwood.Robot.mjcf(given.robot) if kind == ".xml" else boxwood.Robot.baked(given.robot)
    here = {} if given.address else {"num_cpus": given.workers, "include_dashboard": False}
    ray.init(address=given.address, log_to_driver=False, logging_level=logging.ERROR, **here)
    checkpoint = sweep(robot, given)
    hits = sum(done.hits for done in checkpoint.done.values())
    rows = sum(done.rows for done in checkpoint.done.values())
    print(f"{hits} of {rows} configurations collide ({100 * hits / rows:.4f} %)")


if __name__ == "__main__":
    main()
