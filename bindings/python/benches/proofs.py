"""Proofs about robots: matrices of pairs that never touch, and edges that only graze.

    python benches/proofs.py matrix ROBOT.urdf [ROBOT.urdf ...] [--splits 200000]
    python benches/proofs.py edges ROBOT.urdf [--srdf FILE] [--edges 2000] [--seed 1]

matrix: a row for each robot: verdicts of `Robot.matrix`, and processor time.
edges: between a random edge that is free and one that collides, bisection by samples every 0.01 rad
finds one that collides by little; its ends are free. Samples every 1e-4 rad are the oracle. Counted
are its collisions that coarser samples, and `Robot.check_edges`, do not report. Both print tables in Markdown.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import boxwood

Floats = NDArray[np.float64]
# Largest step of a joint between two samples [rad]: of the oracle, of the bisection, of the counts.
ORACLE, BISECTION, COARSE = 1e-4, 1e-2, (0.1, 0.02, 0.005)
# How often the distance between a free edge and one that collides is halved.
HALVINGS = 10


def matrices(files: list[Path], splits: int) -> None:
    """Prints the verdicts on all pairs of links of robots."""
    print("| robot | joint values | pairs | never | always | sometimes | undecided | seconds of processor |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for file in files:
        robot = boxwood.Robot.urdf(file)
        start = time.process_time()
        matrix = robot.matrix(splits=splits)
        seconds = time.process_time() - start
        verdicts = Counter(pair.verdict for pair in matrix.pairs)
        cells = " | ".join(str(verdicts[verdict]) for verdict in ("never", "always", "sometimes", "undecided"))
        print(f"| {file.stem} | {robot.dof} | {len(matrix)} | {cells} | {seconds:.1f} |", flush=True)


def grazing(robot: boxwood.Robot, count: int, seed: int) -> tuple[Floats, Floats]:
    """Returns both ends of edges that collide by little, according to samples; the ends are free."""
    found: list[Floats] = []
    while sum(map(len, found)) < count:
        q = robot.sample(6 * count, seed)
        seed += 1
        rows = q[~robot.collides(q)]
        # [edges, 2 ends, dof]; one of two edges collides, the other is free.
        one, other = rows[: len(rows) // 4 * 4].reshape(2, -1, 2, robot.dof)
        hits = samples_hit(robot, one)
        differ = hits != samples_hit(robot, other)
        one, other, hits = (part[differ][:count] for part in (one, other, hits))
        hit, free = np.where(hits[:, None, None], (one, other), (other, one))
        for _ in range(HALVINGS):
            middle = (free + hit) / 2
            collides = samples_hit(robot, middle)[:, None, None]
            free, hit = np.where(collides, free, middle), np.where(collides, middle, hit)
        found.append(hit[~(robot.collides(hit[:, 0]) | robot.collides(hit[:, 1]))])
    ends = np.concatenate(found)[:count]
    return ends[:, 0], ends[:, 1]


def samples_hit(robot: boxwood.Robot, ends: Floats) -> NDArray[np.bool_]:
    """Returns true for edges of which a sample collides."""
    return np.asarray(~np.isnan(robot.edges(ends[:, 0], ends[:, 1], BISECTION)))


def edges(robot: boxwood.Robot, count: int, seed: int) -> None:
    """Prints how many collisions of grazing edges are not reported."""
    q0, q1 = grazing(robot, count, seed)
    oracle = ~np.isnan(robot.edges(q0, q1, ORACLE))
    print(f"{len(q0)} edges, on average {np.abs(q1 - q0).max(axis=1).mean():.1f} rad; {oracle.sum()} collide\n")
    print("| | collisions not reported | seconds of processor |")
    print("|---|---:|---:|")
    for step in COARSE:
        start = time.process_time()
        free = np.isnan(robot.edges(q0, q1, step, threads=1))
        seconds = time.process_time() - start
        print(f"| samples every {step} rad | {(free & oracle).sum()} | {seconds:.2f} |", flush=True)
    start = time.process_time()
    proved = robot.check_edges(q0, q1, threads=1)
    seconds = time.process_time() - start
    print(f"| `check_edges` | {(proved.free & oracle).sum()} | {seconds:.2f} |")
    verdicts = proved.collides.sum(), proved.free.sum(), proved.undecided.sum()
    print("\n`check_edges`: {} collide, {} free, {} undecided".format(*verdicts))


def main() -> None:
    """Prints one of the two tables."""
    options = argparse.ArgumentParser(description=__doc__)
    kinds = options.add_subparsers(dest="kind", required=True)
    of_matrix = kinds.add_parser("matrix")
    of_matrix.add_argument("robots", type=Path, nargs="+")
    of_matrix.add_argument("--splits", type=int, default=200_000, help="of the joint values, for a pair at most")
    of_edges = kinds.add_parser("edges")
    of_edges.add_argument("robot", type=Path)
    of_edges.add_argument("--srdf", type=Path)
    of_edges.add_argument("--edges", type=int, default=2000)
    of_edges.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    if given.kind == "matrix":
        matrices(given.robots, given.splits)
    else:
        edges(boxwood.Robot.urdf(given.robot, srdf=given.srdf), given.edges, given.seed)


if __name__ == "__main__":
    main()
