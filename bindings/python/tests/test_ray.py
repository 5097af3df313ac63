"""Tests with Ray: actors and map_batches compute the bits of one process; a sweep of rows, edges and
matrices loses and repeats no task when a worker, or the sweep itself, is killed. A minute at most
each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Iterator

import pytest
from conftest import ARM

import boxwood

if find_spec("ray") is None or find_spec("tqdm") is None:
    pytest.skip("Ray or tqdm is not installed: more than one machine is not tested", allow_module_level=True)

SWEEP = Path(__file__).parent.parent / "examples/sweep_ray.py"
# Timeout [s]; a busy machine may need more.
LIMIT = float(os.environ.get("BOXWOOD_RAY_SECONDS", "60"))
ROWS, EDGES, CHUNK, SEED = 2_000_000, 50_000, 10_000, 7
# The fingers of the arm are 0.06 apart or more.
MARGINS = [0.0, 0.07]
TASKS = ROWS // CHUNK + EDGES // CHUNK + len(MARGINS)


@pytest.fixture()
def processes() -> Iterator[list[subprocess.Popen[str]]]:
    """Started processes, which are ended with all their children."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def start(arguments: list[str], started: list[subprocess.Popen[str]]) -> subprocess.Popen[str]:
    """Starts a process in a group of its own."""
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    started.append(process)
    return process


def sweep(folder: Path, started: list[subprocess.Popen[str]]) -> subprocess.Popen[str]:
    """Starts the example on the arm with two workers."""
    (folder / "arm.urdf").write_text(ARM)
    options = ["--robot", str(folder / "arm.urdf"), "--checkpoint", str(folder / "done.jsonl")]
    options += ["--rows", str(ROWS), "--chunk", str(CHUNK), "--seed", str(SEED), "--workers", "2"]
    options += ["--edges", str(EDGES), "--margins", *map(str, MARGINS)]
    return start([str(SWEEP), *options], started)


def entries(folder: Path) -> list[dict[str, Any]]:
    """Returns the completely written tasks in the checkpoint file."""
    file = folder / "done.jsonl"
    lines = file.read_text().split("\n")[:-1] if file.exists() else []
    return [json.loads(line) for line in lines[1:]]


def wait_for(count: int, folder: Path, until: float) -> None:
    """Waits until `count` tasks are finished."""
    while len(entries(folder)) < count:
        assert time.monotonic() < until, f"only {len(entries(folder))} tasks in time"
        time.sleep(0.01)


def expected(arm: boxwood.Robot) -> dict[tuple[str, int], dict[str, int]]:
    """Returns the answers of every task, by one process without Ray and without the example."""
    found: dict[tuple[str, int], dict[str, int]] = {}
    for number in range(ROWS // CHUNK):
        seed = (SEED + number * 0xD1342543DE82EF95) % 2**64
        hit = arm.collides(arm.sample(CHUNK, seed))
        found["rows", number] = {"rows": CHUNK, "collide": int(hit.sum())}
        if number < EDGES // CHUNK:
            q = arm.sample(CHUNK + 1, seed)
            edges = arm.check_edges(q[:-1], q[1:])
            counts = [edges.free.sum(), edges.collides.sum(), edges.undecided.sum()]
            found["edges", number] = dict(zip(["edges", "free", "collide", "undecided"], [CHUNK, *map(int, counts)]))
    for number, margin in enumerate(MARGINS):
        matrix = arm.matrix(margin=margin)
        found["matrix", number] = {"pairs": len(matrix)}
        for pair in matrix.pairs:
            found["matrix", number][pair.verdict] = found["matrix", number].get(pair.verdict, 0) + 1
    return found


def check(folder: Path, arm: boxwood.Robot, printed: str) -> None:
    """Checks that every task is there once, with the answers of one process."""
    found = entries(folder)
    answers = expected(arm)
    assert sorted((entry["kind"], entry["number"]) for entry in found) == sorted(answers)
    assert {(entry["kind"], entry["number"]): entry["counts"] for entry in found} == answers
    assert answers["matrix", 0] != answers["matrix", 1] and answers["edges", 0]["free"] not in (0, CHUNK)
    # Ray itself prints that a worker died.
    lines = printed.strip().splitlines()
    for kind, whole in [("rows", ROWS), ("edges", EDGES)]:
        names = list(answers[kind, 0])[1:]
        sums = [f"{sum(counts[name] for (k, _), counts in answers.items() if k == kind)} {name}" for name in names]
        assert f"{kind}: {whole} {kind}, {', '.join(sums)}" in lines, printed
    for number, margin in enumerate(MARGINS):
        line = ", ".join(f"{count} {name}" for name, count in answers["matrix", number].items())
        assert f"margin {margin}: {line}" in lines, printed


def test_a_killed_worker_loses_and_doubles_nothing(
    arm: boxwood.Robot, tmp_path: Path, processes: list[subprocess.Popen[str]]
) -> None:
    until = time.monotonic() + LIMIT
    process = sweep(tmp_path, processes)
    assert process.stderr is not None
    workers: list[int] = []
    while len(workers) < 2:
        line = process.stderr.readline()
        assert line, "it ended before it began"
        if line.startswith("worker "):
            workers.append(int(line.split()[-1]))
    wait_for(5, tmp_path, until)
    os.kill(workers[0], signal.SIGKILL)
    before = len(entries(tmp_path))
    out, err = process.communicate(timeout=max(1.0, until - time.monotonic()))
    assert process.returncode == 0, err
    assert before < TASKS, "all was done before the worker died"
    assert "tried again" in err, err
    print(f"a worker died after {before} of {TASKS} tasks; {out.strip().splitlines()[-1]}")
    check(tmp_path, arm, out)


def test_a_killed_sweep_goes_on_where_it_stopped(
    arm: boxwood.Robot, tmp_path: Path, processes: list[subprocess.Popen[str]]
) -> None:
    until = time.monotonic() + LIMIT
    first = sweep(tmp_path, processes)
    wait_for(20, tmp_path, until)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    done = entries(tmp_path)
    assert 20 <= len(done) < TASKS
    # Simulates a power failure in the middle of a line.
    with open(tmp_path / "done.jsonl", "a") as file:
        file.write('{"kind": "rows", "nu')
    second = sweep(tmp_path, processes)
    out, err = second.communicate(timeout=max(1.0, until - time.monotonic()) + LIMIT)
    assert second.returncode == 0, err
    assert entries(tmp_path)[: len(done)] == done
    check(tmp_path, arm, out)


BATCHES = """
import sys
import numpy as np
import ray
from conftest import ARM
import boxwood

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
arm = boxwood.Robot.urdf(ARM.encode())
q = arm.sample(20_000, seed=3)
expected = arm.collides(q)

@ray.remote
class Asker:
    def __init__(self, robot):
        self.robot = robot
    def ask(self, q):
        assert not q.flags.writeable
        return self.robot.collides(q, threads=1)

askers = [Asker.options(num_cpus=0.5).remote(arm) for _ in range(2)]
parts = [askers[i % 2].ask.remote(part) for i, part in enumerate(np.array_split(q, 10))]
assert np.concatenate(ray.get(parts)).tobytes() == expected.tobytes()

@ray.remote(num_cpus=0.5)
def refused(robot):
    return robot.collides([0, 9, 0])

try:
    ray.get(refused.remote(arm))
except boxwood.BoxwoodError as error:
    # Ray wraps it in a class of its own; what it was is the cause.
    assert error.cause.part == "elbow" and "row 0" in str(error)
else:
    sys.exit("not refused")

for asker in askers:
    ray.kill(asker)
if "data" in sys.argv:
    # Ray keeps no order of rows: both sides are sorted.
    rows = ray.data.from_numpy(q).map_batches(
        lambda batch: {"i": batch["data"], "hit": arm.collides(batch["data"], threads=1)},
        batch_format="numpy", batch_size=1000,
    )
    got = rows.take_all()
    q_again = np.stack([row["i"] for row in got])
    hit = np.array([row["hit"] for row in got])
    order, mine = np.lexsort(q_again.T), np.lexsort(q.T)
    assert q_again[order].tobytes() == q[mine].tobytes()
    assert hit[order].tobytes() == expected[mine].tobytes()
print("the same bits")
"""


def test_other_processes_give_the_same_bits(processes: list[subprocess.Popen[str]]) -> None:
    has_data = find_spec("pandas") is not None and find_spec("pyarrow") is not None
    if not has_data:
        print("SKIPPED: pandas or pyarrow is not installed: map_batches is not tested", file=sys.stderr)
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    process: Any = subprocess.Popen(
        [sys.executable, "-c", BATCHES, *(["data"] if has_data else [])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "RAY_USAGE_STATS_ENABLED": "0"},
        start_new_session=True,
    )
    processes.append(process)
    out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err
    assert out.strip().endswith("the same bits")
