"""Programs in the README and in the two chapters of the guide: they run, block after block, in a
folder with the files they name. Blocks marked `ray` need Ray, those marked `compiled` are only
compiled."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import ARM, SRDF

PACKAGE = Path(__file__).parent.parent
ROOT = PACKAGE.parent.parent
PAGES = [PACKAGE / "README.md", ROOT / "docs/python.md", ROOT / "docs/more-than-one-machine.md"]
RAY = find_spec("ray") is not None
LIMIT = float(os.environ.get("BOXWOOD_RAY_SECONDS", "60"))


def blocks(page: Path) -> list[tuple[str, str]]:
    """Returns the mark and the text of every Python block."""
    found = re.findall(r"^```python *(.*?)\n(.*?)^```$", page.read_text(), re.M | re.S)
    assert found, f"{page} has no program"
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_programs_of_documents_run(page: Path, tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "arm.srdf").write_text(SRDF)
    shutil.copy(ROOT / "examples/fighter/fighter.glb", tmp_path)
    program = []
    for mark, text in blocks(page):
        assert mark in ("", "ray", "compiled"), mark
        compile(text, str(page), "exec")
        if mark == "" or (mark == "ray" and RAY):
            program.append(text)
    if not RAY and any(mark == "ray" for mark, _ in blocks(page)):
        print(f"SKIPPED: the blocks of {page.name} with Ray, which is not installed", file=sys.stderr)
    (tmp_path / "program.py").write_text("\n".join(program))
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    run = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment,
        timeout=2 * LIMIT,
    )
    assert run.returncode == 0, run.stdout + run.stderr
