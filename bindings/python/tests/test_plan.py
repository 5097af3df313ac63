"""Tests of the example with OMPL: it finds a path, which fine samples find free, and draws it.
Without OMPL it says so."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import EXAMPLES

import boxwood

PLAN = EXAMPLES / "plan_panda.py"
needs_ompl = pytest.mark.skipif(
    find_spec("ompl") is None, reason="OMPL is not installed: examples/plan_panda.py is not run"
)


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs the example in a folder."""
    command = [sys.executable, str(PLAN), *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def check_plan(folder: Path, *options: str) -> list[list[float]]:
    """Runs the example, checks what it prints and draws, and returns the path."""
    done = run(folder, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = re.search(r"checks: (\d+) states and (\d+) edges", done.stdout)
    assert counts and int(counts[1]) > 0 and int(counts[2]) > 0, done.stdout
    free = re.search(r"of (\d+) edges (\d+) are free; (\d+) collide between samples", done.stdout)
    assert free and free[1] == counts[2] and 0 < int(free[2]) < int(free[1]), done.stdout
    size = re.search(r"the path has (\d+) configurations and is free, (\d+\.\d+) m", done.stdout)
    assert size and float(size[2]) >= 0.01, done.stdout
    path = [[float(value) for value in line.split()] for line in re.findall(r"^  (.*)$", done.stdout, re.M)]
    assert len(path) == int(size[1]) > 2
    picture = ElementTree.fromstring((folder / "plan.svg").read_text())
    kinds = [shape.tag.split("}")[1] for shape in picture]
    # Three boxes, seven times all links, and the way of the last link.
    assert kinds.count("polygon") > 30 and kinds.count("polyline") == 1
    print(done.stdout)
    return path


@needs_ompl
def test_the_arm_is_planned_around_boxes(tmp_path: Path, arm: boxwood.Robot) -> None:
    path = np.array(check_plan(tmp_path))
    assert path.shape[1] == arm.dof and np.allclose(path[[0, -1]], [[-1.25, -0.3, 0.02], [1.2, 0.3, 0.02]])
    # Printed with three digits: nearer than the margin of a centimetre, but not touching.
    beam = boxwood.Body.boxes([0, 0, 1.75], [0.15, 0.3, 0.25])
    share = np.linspace(0, 1, 2000)[:, None, None]
    dense = ((1 - share) * path[:-1] + share * path[1:]).reshape(-1, 3)
    assert not arm.collides(dense, world=boxwood.World([beam])).any()
    # The straight way is blocked.
    assert not arm.check_edges(path[0], path[-1], world=boxwood.World([beam])).free[0]


@needs_ompl
def test_the_panda_is_planned_around_boxes(tmp_path: Path, data: Path) -> None:
    folder = data / "robots/panda"
    options = [str(folder / "urdf/panda.urdf"), "--srdf", str(folder / "srdf/panda.srdf")]
    assert len(check_plan(tmp_path, *options)[0]) == 7


@needs_ompl
def test_other_robots_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.urdf"
    file.write_text((EXAMPLES / "arm.urdf").read_text().replace("shoulder", "hip"))
    done = run(tmp_path, str(file))
    assert done.returncode == 1 and "neither those of the Panda" in done.stderr and done.stdout == ""


def test_without_ompl_it_says_so(tmp_path: Path) -> None:
    program = "import runpy, sys; sys.modules['ompl'] = None; runpy.run_path(sys.argv[1], run_name='__main__')"
    command = [sys.executable, "-c", program, str(PLAN)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stdout == "" and list(tmp_path.iterdir()) == []
    assert done.stderr.strip() == "plan_panda.py plans with OMPL, which is not installed: pip install ompl"
