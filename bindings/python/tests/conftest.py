"""What the tests share: a small arm in memory, real robots from the data folder.

The tests run against the installed wheel, from any folder but this package's own. Real data is in
the folder that the environment variable BOXWOOD_DATA names; what needs it is skipped without, and
says so.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import boxwood

# A box on a turntable, an upper arm that swings down into the base, a gripper of two fingers.
ARM = """<robot name="arm">
<link name="base"><collision><origin xyz="0 0 0.1"/><geometry><box size="0.6 0.6 0.2"/></geometry>
</collision></link>
<link name="upper"><collision><origin xyz="0 0 0.4"/><geometry><box size="0.1 0.1 0.8"/></geometry>
</collision></link>
<link name="lower"><collision><origin xyz="0 0 0.4"/><geometry><box size="0.1 0.1 0.7"/></geometry>
</collision></link>
<link name="left"><collision><origin xyz="0.05 0 0.1"/><geometry><box size="0.04 0.04 0.2"/>
</geometry></collision></link>
<link name="right"><collision><origin xyz="-0.05 0 0.1"/><geometry><box size="0.04 0.04 0.2"/>
</geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
<origin xyz="0 0 0.3"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="0" velocity="0"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
<origin xyz="0 0 0.85"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="0" velocity="0"/></joint>
<joint name="grip" type="prismatic"><parent link="lower"/><child link="left"/>
<origin xyz="0 0 0.8"/><axis xyz="1 0 0"/><limit lower="0" upper="0.04" effort="0" velocity="0"/></joint>
<joint name="other" type="prismatic"><parent link="lower"/><child link="right"/>
<origin xyz="0 0 0.8"/><axis xyz="-1 0 0"/><limit lower="0" upper="0.04" effort="0" velocity="0"/>
<mimic joint="grip"/></joint></robot>"""

SRDF = """<robot name="arm"><disable_collisions link1="left" link2="right" reason="Never"/></robot>"""


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
def cube() -> boxwood.Body:
    """A solid cube of size 1 about the origin."""
    return boxwood.Body.boxes([0, 0, 0], [0.5, 0.5, 0.5])
