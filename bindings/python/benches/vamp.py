"""Checks per second of the Panda, beside the spheres of VAMP, in one run and on one list of rows.

    python benches/vamp.py --data FOLDER [--rows 204800] [--rounds 3]

FOLDER is the data folder, which has robots/panda. Fetches VAMP's source and the headers of Eigen, and
compiles vamp.cpp with g++ and VAMP's own flags for this machine. VAMP tests 59 spheres that stand for
the links, boxwood their meshes, with the SRDF; the fingers are open. The column of differences has
the rows that collide by the meshes but not by the spheres, and the other way round. Figures are the
best of the rounds, on one thread: boxwood by `Robot.collides`, VAMP by one row a call, as its own
planners ask for a single configuration; of the rows that VAMP calls free also eight in one call.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import boxwood

VAMP, EIGEN = "vamp-planner==0.6.4", "cmeel-eigen==3.4.1"
FLAGS = [
    "-std=c++17",
    "-O3",
    "-march=native",
    "-mavx2",
    "-fno-math-errno",
    "-fno-signed-zeros",
    "-fno-trapping-math",
    "-fno-rounding-math",
    "-ffp-contract=fast",
    "-fassociative-math",
    "-Wno-ignored-attributes",
]
# VAMP's header of point clouds, which are not used here, sorts with a library that is not packaged.
SORT = """#pragma once
#include <algorithm>
template <class I, class C> void pdqsort(I a, I b, C c) { std::sort(a, b, c); }
template <class I, class C> void pdqsort_branchless(I a, I b, C c) { std::sort(a, b, c); }
"""
# A table, a box on it, a wall, a post and a shelf: centre and half extents [m].
BOXES = [
    [[0.6, 0.0, 0.2], [0.3, 0.6, 0.02]],
    [[0.5, 0.25, 0.3], [0.08, 0.08, 0.08]],
    [[-0.6, 0.0, 0.6], [0.02, 0.8, 0.6]],
    [[0.3, -0.7, 0.5], [0.05, 0.05, 0.5]],
    [[0.2, 0.6, 0.9], [0.4, 0.12, 0.02]],
]
JOINTS, FINGER = 7, 0.04


def main() -> None:
    """Prints a table in Markdown."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--rows", type=int, default=204_800)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    package = given.data / "robots/panda"
    robot = boxwood.Robot.urdf(package / "urdf/panda.urdf", srdf=package / "srdf/panda.srdf")
    q = robot.sample(given.rows, seed=1).astype(np.float32).astype(np.float64)
    q[:, JOINTS:] = FINGER
    columns = ["world", "collide", "boxwood, ns a row", "VAMP, one row a call", "free rows: boxwood"]
    columns += ["VAMP, eight rows a call", "only meshes", "only spheres"]
    print(f"| {' | '.join(columns)} |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as place:
        program = compiled(Path(place))
        for name, boxes in (("nothing", []), ("five boxes", BOXES)):
            world = boxwood.World([boxwood.Body.boxes(center, half) for center, half in boxes]) if boxes else None
            theirs, verdicts = vamp(program, Path(place), (q, boxes), given.rounds)
            free = q[~verdicts]
            mine = [best(robot, rows, world, given.rounds) for rows in (q, free)]
            collides = robot.collides(q, world=world, threads=1)
            only = int((collides & ~verdicts).sum()), int((verdicts & ~collides).sum())
            print(
                f"| {name} | {collides.mean():.1%} | {mine[0]:.0f} | {theirs[0]:.0f} | {mine[1]:.0f} | {theirs[1]:.0f} "
                f"| {only[0]:,} | {only[1]:,} |"
            )
    print(f"\n{len(q):,} rows; boxwood {boxwood.__version__}, {VAMP}")


def compiled(place: Path) -> Path:
    """Returns the program of vamp.cpp, compiled with the sources of VAMP."""
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(place)]
    subprocess.run([*fetch, VAMP], check=True)
    subprocess.run([*fetch, "--only-binary", ":all:", EIGEN], check=True)
    with tarfile.open(next(place.glob("vamp*.tar.gz"))) as packed:
        packed.extractall(place)
    zipfile.ZipFile(next(place.glob("*eigen*.whl"))).extractall(place)
    (place / "pdqsort.h").write_text(SORT)
    sources = next(place.glob("vamp*/src/impl"))
    includes = [place, sources, place / "cmeel.prefix/include/eigen3"]
    program = place / "vamp"
    code = Path(__file__).with_name("vamp.cpp")
    flags = [*FLAGS, *(f"-I{folder}" for folder in includes)]
    subprocess.run([os.environ.get("CXX", "g++"), *flags, str(code), "-o", str(program)], check=True)
    return program


def vamp(
    program: Path, place: Path, problem: tuple[NDArray[np.float64], list[list[list[float]]]], rounds: int
) -> tuple[list[float], NDArray[np.bool_]]:
    """Returns VAMP's nanoseconds a row, by one row a call and by eight, and its verdicts."""
    q, boxes = problem
    files = [place / name for name in ("rows", "boxes", "verdicts")]
    q[:, :JOINTS].astype("<f4").tofile(files[0])
    np.asarray(boxes, "<f4").tofile(files[1])
    times = []
    for _ in range(rounds):
        printed = subprocess.run([program, *files], check=True, capture_output=True, text=True).stdout
        times.append([float(number) for number in printed.split()])
    return np.min(times, axis=0).tolist(), np.fromfile(files[2], np.uint8).astype(bool)


def best(robot: boxwood.Robot, q: NDArray[np.float64], world: boxwood.World | None, rounds: int) -> float:
    """Returns the nanoseconds a row of the fastest of many rounds of some rows each, as VAMP's."""
    size, least = 4096, float("inf")
    robot.collides(q[:20_000], world=world, threads=1)
    for _ in range(rounds):
        for start in range(0, len(q) - size + 1, size):
            rows = q[start : start + size]
            begin = time.perf_counter()
            robot.collides(rows, world=world, threads=1)
            least = min(least, time.perf_counter() - begin)
    return least / size * 1e9


if __name__ == "__main__":
    main()
