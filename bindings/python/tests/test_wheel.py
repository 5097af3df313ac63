"""Tests of the wheel: size, import time, types and docstrings."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import boxwood

HERE = Path(__file__).parent.parent


def test_it_imports_in_less_than_50_ms() -> None:
    # Processor time: other work of the machine does not count.
    program = "import time; t = time.process_time(); import boxwood; print(time.process_time() - t)"
    run = [sys.executable, "-c", program]
    times = [float(subprocess.check_output(run)) for _ in range(5)]
    print(f"imported in {1e3 * min(times):.1f} ms")
    assert min(times) < 0.05, times


def test_numpy_is_not_imported_before_it_is_needed() -> None:
    program = "import sys, boxwood; print('numpy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "False"


def test_it_is_smaller_than_3_mb() -> None:
    wheel = os.environ.get("BOXWOOD_WHEEL")
    if not wheel:
        pytest.skip("BOXWOOD_WHEEL does not name the wheel: its size is not tested")
    size = Path(wheel).stat().st_size
    print(f"{Path(wheel).name}: {size / 1e6:.2f} MB")
    assert size < 3e6


def test_the_types_are_strict() -> None:
    pytest.importorskip("mypy", reason="mypy is not installed: types are not checked")
    package = Path(boxwood.__file__).parent
    assert (package / "py.typed").exists()
    options = ["--strict", "--config-file", str(HERE / "pyproject.toml")]
    options += ["--cache-dir", os.devnull, "--no-error-summary"]
    sources = [str(HERE / folder) for folder in ("tests", "examples", "benches")]
    run = [sys.executable, "-m", "mypy", *options, *sources]
    environment = dict(os.environ)
    if package.parent.name != "site-packages":  # mypy finds it there by itself
        environment["MYPYPATH"] = str(package.parent)
    done = subprocess.run(run, capture_output=True, text=True, cwd=HERE, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_are_what_there_is() -> None:
    pytest.importorskip("mypy", reason="mypy is not installed: stubs are not compared")
    package = Path(boxwood.__file__).parent
    run = [sys.executable, "-m", "mypy.stubtest", "boxwood", "--ignore-disjoint-bases"]
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    done = subprocess.run(run, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_everything_public_is_documented() -> None:
    for name in boxwood.__all__:
        item = getattr(boxwood, name)
        if not inspect.isclass(item):
            continue
        assert item.__doc__, name
        for member, value in vars(item).items():
            if not member.startswith("_") and name not in ("Pairs", "Closest", "Contacts", "Separations"):
                if member not in ("row", "index", "part", "file"):
                    assert getattr(value, "__doc__", None), f"{name}.{member}"
