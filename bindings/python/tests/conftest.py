"""Shared fixtures of the tests: a small arm in memory, real robots from the data folder.

The tests run against the installed wheel, from any folder but this package's own. Real data is in
the folder that the environment variable BOXWOOD_DATA names; without it, tests that need it are
skipped with a message.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import boxwood

# A box on a turntable, an upper arm that swings down into the base, a gripper of two fingers.
EXAMPLES = Path(__file__).parent.parent / "examples"
ARM = (EXAMPLES / "arm.urdf").read_text()
SRDF = (EXAMPLES / "arm.srdf").read_text()


@pytest.fixture(scope="session")
def arm() -> boxwood.Robot:
    """A robot of five boxes and three joint values."""
    return boxwood.Robot.urdf(ARM.encode())


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real robots and characters."""
    folder = os.environ.get("BOXWOOD_DATA")
    if not folder:
        pytest.skip("BOXWOOD_DATA is not set: real robots and characters are not tested")
    assert Path(folder, "robots").is_dir(), f"BOXWOOD_DATA is {folder}, which has no folder 'robots'"
    return Path(folder)


@pytest.fixture(scope="session")
def panda(data: Path) -> boxwood.Robot:
    """Franka's arm with its meshes."""
    folder = data / "robots" / "panda"
    return boxwood.Robot.urdf(folder / "urdf/panda.urdf", srdf=folder / "srdf/panda.srdf")


@pytest.fixture(scope="session")
def fighter() -> boxwood.Body:
    """The fighter of the examples."""
    return boxwood.Body.gltf(EXAMPLES.parent.parent.parent / "examples/fighter/fighter.glb")


@pytest.fixture(scope="session")
def cube() -> boxwood.Body:
    """A solid cube of size 1 about the origin."""
    return boxwood.Body.boxes([0, 0, 0], [0.5, 0.5, 0.5])
