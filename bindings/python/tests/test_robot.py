"""Tests of robots: loading, attributes, and queries on a small arm whose answers can be computed by
hand."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import ARM, SRDF

import boxwood
from boxwood import Accuracy, Body, BoxwoodError, Robot, World

UP = [0.0, 0.0, 0.02]
FOLDED = [0.0, 3.0, 0.02]

MJCF = b"""<mujoco><worldbody><body name="arm"><joint name="shoulder" type="hinge" range="-90 90"/>
<geom type="box" size="0.05 0.05 0.25"/></body></worldbody></mujoco>"""


def test_a_robot_says_what_it_is(arm: Robot) -> None:
    assert arm.dof == 3 and arm.actuators == ["shoulder", "elbow", "grip"]
    assert arm.parts == ["base", "upper", "lower", "left", "right"]
    assert arm.limits.tolist() == [[-3, 3], [-3, 3], [0, 0.04]]
    assert arm.rest.tolist() == [0, 0, 0] and arm.warnings == []
    # All pairs but neighbours; the fingers are joined to one link, so they are two joints apart.
    assert arm.tested_pairs.tolist() == [[0, 2], [0, 3], [0, 4], [1, 3], [1, 4], [3, 4]]
    assert repr(arm) == "Robot of 5 parts, 3 joint values"


def test_files_and_bytes_are_the_same_robot(arm: Robot, tmp_path: Path) -> None:
    file, srdf = tmp_path / "arm.urdf", tmp_path / "arm.srdf"
    file.write_text(ARM)
    srdf.write_text(SRDF)
    assert Robot.urdf(file).fingerprint == Robot.urdf(str(file)).fingerprint == arm.fingerprint
    robots = [Robot.urdf(ARM.encode(), srdf=SRDF.encode()), Robot.urdf(file, srdf=srdf)]
    # The text of a file is no path.
    robots += [Robot.urdf(ARM, srdf=SRDF), Robot.urdf("\ufeff \n" + ARM, srdf=srdf)]
    with pytest.raises(BoxwoodError, match="line 1: invalid XML"):
        Robot.urdf("<robot")
    with pytest.raises(BoxwoodError, match="(?i)no such file"):
        Robot.urdf("robot <of> brackets.urdf")
    for robot in robots:
        assert robot.fingerprint == robots[0].fingerprint != arm.fingerprint
        assert robot.tested_pairs.tolist() == [[0, 2], [0, 3], [0, 4], [1, 3], [1, 4]]
    (tmp_path / "arm.box").write_bytes(arm.bake())
    assert Robot.baked(tmp_path / "arm.box").fingerprint == arm.fingerprint


def test_mjcf_robots_load() -> None:
    robot = Robot.mjcf(MJCF)
    assert robot.actuators == ["shoulder"] and robot.parts[-1] == "arm"
    assert np.allclose(robot.limits, [[-np.pi / 2, np.pi / 2]])


def test_the_file_decides_about_parents_unless_the_caller_does() -> None:
    chain = b"<geom size='1'/><body name='b'><joint/><geom size='1'/></body>"
    world = b"<worldbody><body name='a'><joint/>" + chain + b"</body></worldbody></mujoco>"
    plain = b"<mujoco>" + world
    tested = b"<mujoco><option><flag filterparent='disable'/></option>" + world
    for file, hops, pairs in [
        (plain, None, []),
        (plain, 1, []),
        (plain, 0, [[0, 1]]),
        (tested, None, [[0, 1]]),
        (tested, 1, []),
        (tested, 0, [[0, 1]]),
    ]:
        robot = Robot.mjcf(file, ignore_neighbours=hops)
        assert robot.tested_pairs.tolist() == pairs, (file, hops)
    assert Robot.mjcf(tested).tested_pairs.tolist() == [[0, 1]]


def test_the_arm_collides_where_it_folds(arm: Robot) -> None:
    assert arm.collides([UP, FOLDED]).tolist() == [False, True]
    assert arm.collides(UP).tolist() == [False]  # a row is a batch of one
    row, a, b = arm.pairs([UP, FOLDED, UP, FOLDED])
    assert sorted(set(row.tolist())) == [1, 3]
    assert all(pair in arm.tested_pairs.tolist() for pair in np.stack([a, b], axis=1).tolist())
    assert arm.collides(FOLDED, self_collision=False).tolist() == [False]


def test_distances_are_those_of_the_boxes(arm: Robot) -> None:
    # Upright: the inner sides of the fingers are 0.06 apart, plus twice their joint value.
    assert np.allclose(arm.distance([[0.0, 0, 0], [0, 0, 0.04]]), [0.06, 0.14], atol=1e-9)
    near = arm.closest([[0, 0, 0.01], FOLDED], max_distance=0.5)
    assert [arm.parts[near.a[0]], arm.parts[near.b[0]]] == ["left", "right"]
    assert np.allclose(near.on_a[0] - near.on_b[0], [0.08, 0, 0], atol=1e-9)
    assert near.distance[1] == 0.0
    far = arm.closest([0, 0, 0.04], max_distance=0.1)
    assert far.distance[0] == np.inf and far.a[0] == far.b[0] == -1 and np.isnan(far.on_a).all()


def test_distances_of_all_pairs_have_their_gradients(arm: Robot, cube: Body) -> None:
    q = arm.sample(300, seed=41)
    world = World([(arm.body, [50, 0, 0, 0, 0, 0, 1]), (cube, [1.1, 0, 0.6, 0, 0, 0, 1])])
    near = arm.distances(q, 0.4, world=world)
    keys = list(zip(near.row.tolist(), (near.b >= 5).tolist(), near.a.tolist(), near.b.tolist()))
    assert keys == sorted(set(keys)) and len(near) == len(keys) > 300
    assert set(near.b.tolist()) == {2, 3, 4, 10}  # the cube is the sixth part of the world
    # The least of a row is the distance, and the touching pairs are those without one.
    nearest = arm.distance(q, max_distance=0.4, world=world)
    least = np.full(len(q), np.inf)
    np.minimum.at(least, near.row, np.maximum(near.distance, 0.0))
    assert np.allclose(least, nearest, atol=1e-12)
    touching = arm.pairs(q, world=world)
    listed = {(row, a, b) for row, a, b, gap in zip(near.row, near.a, near.b, near.distance) if gap <= 0}
    assert listed == set(zip(touching.row.tolist(), touching.a.tolist(), touching.b.tolist()))
    gaps = np.einsum("ij,ij->i", near.on_b - near.on_a, near.normal)
    assert np.allclose(gaps, near.distance, atol=1e-6)
    # Differences of both sides agree where there is a derivative.
    step, checked = 1e-6, 0
    limits = arm.limits
    inside = np.clip(q, limits[:, 0] + step, limits[:, 1] - step)
    base = arm.distances(inside, 9.0, world=world)
    for joint in range(arm.dof):
        sides = []
        for by in (-step, step):
            moved = inside.copy()
            moved[:, joint] += by
            sides.append(arm.distances(moved, 9.0, world=world))
        same = [np.array_equal(side.row, base.row) and np.array_equal(side.b, base.b) for side in sides]
        assert all(same)
        left, right = (base.distance - sides[0].distance) / step, (sides[1].distance - base.distance) / step
        smooth = np.abs(left - right) < 1e-4
        error = np.abs((left + right) / 2 - base.gradient[:, joint])
        apart = smooth & (base.distance > 0)
        assert error[apart].max() < 1e-4
        # More than two points may stop the way out of an overlap.
        assert (error[smooth & ~apart] < 1e-4).mean() > 0.95
        checked += int(smooth.sum())
    assert checked > 0.8 * arm.dof * len(base)
    with pytest.raises(BoxwoodError, match="max_distance: inf, a finite length"):
        arm.distances(q, np.inf, world=world)
    with pytest.raises(BoxwoodError, match="row 0: largest distance"):
        arm.distances(q, -1.0)
    assert len(arm.distances(np.zeros((0, 3)), 1.0)) == 0


def test_margins_count_for_all_or_for_a_pair(arm: Robot) -> None:
    assert arm.collides(UP, margin=0.09).tolist() == [False]
    assert arm.collides(UP, margin=0.11).tolist() == [True]  # the fingers are 0.1 apart
    careful = arm.with_margins(0.0, {("left", "right"): 0.11})
    assert careful.collides(UP).tolist() == [True] and arm.collides(UP).tolist() == [False]
    assert careful.pairs(UP).b.tolist() == [4]
    assert arm.with_margins(0.11, {("right", "left"): 0.0}).collides(UP).tolist() == [False]
    with pytest.raises(BoxwoodError, match="no part is called 'thumb'") as caught:
        arm.with_margins(0.0, {("left", "thumb"): 0.1})
    assert caught.value.part == "thumb"


def test_pairs_are_ignored_and_tested_by_name(arm: Robot) -> None:
    assert arm.collides(FOLDED).tolist() == [True]
    found = arm.pairs(FOLDED)
    touching = [(arm.parts[a], arm.parts[b]) for a, b in zip(found.a, found.b)]
    quiet = arm.with_ignored(touching)
    assert quiet.collides(FOLDED).tolist() == [False] and arm.collides(FOLDED).tolist() == [True]
    assert len(quiet.tested_pairs) == len(arm.tested_pairs) - len(touching)
    assert quiet.with_tested(touching).fingerprint == arm.fingerprint != quiet.fingerprint
    strict = arm.with_tested([("upper", "base")])  # parent and child
    assert [0, 1] in strict.tested_pairs.tolist()
    assert pickle.loads(pickle.dumps(quiet)).tested_pairs.tolist() == quiet.tested_pairs.tolist()
    for change in [arm.with_ignored, arm.with_tested]:
        with pytest.raises(BoxwoodError, match="no part is called 'thumb'") as caught:
            change([("left", "thumb")])
        assert caught.value.part == "thumb"
    with pytest.raises(BoxwoodError, match="itself"):
        arm.with_tested([("left", "left")])


def test_robots_that_can_not_collide_are_refused_unless_asked_for() -> None:
    link = '<link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual></link>'
    text = f'<robot name="r">{link}</robot>'.encode()
    with pytest.raises(BoxwoodError, match="no link has geometry that can collide") as caught:
        Robot.urdf(text)
    assert 'link_shapes="visual"' in str(caught.value) and "allow_empty=True" in str(caught.value)
    assert Robot.urdf(text, allow_empty=True).tested_pairs.shape == (0, 2)
    assert Robot.urdf(text, link_shapes="visual").parts == ["a"]
    empty = b"<mujoco><worldbody><body/></worldbody></mujoco>"
    with pytest.raises(BoxwoodError, match="no link has geometry that can collide"):
        Robot.mjcf(empty)
    assert Robot.mjcf(empty, allow_empty=True).dof == 0


def test_poses_are_those_of_the_links(arm: Robot) -> None:
    poses = arm.poses([[0.5, -0.25, 0.02], UP])
    assert poses.shape == (2, 5, 7)
    assert np.allclose(poses[0, 1], [0, 0, 0.3, 0, np.sin(0.25), 0, np.cos(0.25)])
    assert np.allclose(poses[1, 4], [-0.02, 0, 1.95, 0, 0, 0, 1])


def test_samples_are_within_limits_and_the_same_everywhere(arm: Robot) -> None:
    q = arm.sample(1000, seed=5)
    assert q.shape == (1000, 3) and np.array_equal(q, arm.sample(1000, 5))
    assert not np.array_equal(q, arm.sample(1000, 6))
    assert (q >= arm.limits[:, 0]).all() and (q <= arm.limits[:, 1]).all()
    # SplitMix64 of the seed 0, computed independently of the library.
    assert np.isclose(arm.sample(1)[0, 0], -3 + 6 * (0xE220A8397B1DCDAF >> 11) / 2**53)


def test_edges_say_where_they_first_collide(arm: Robot) -> None:
    first = arm.edges([UP, UP, FOLDED], [FOLDED, [1.0, 0, 0.02], UP], step=0.01)
    assert np.isnan(first[1]) and first[2] == 0.0 and 0 < first[0] < 1
    # All tested configurations, one by one.
    share = np.arange(301) / 300
    q = np.array(UP) + share[:, None] * (np.array(FOLDED) - UP)
    assert first[0] == share[np.argmax(arm.collides(np.clip(q, UP, FOLDED)))]
    assert arm.edges(UP, FOLDED, step=[0.5, 1.5, 0.1])[0] == 1.0  # 2 steps: 0, 1.5, 3
    one_to_many = arm.edges(UP, [FOLDED, UP], step=0.01)
    assert one_to_many[0] == first[0] and np.isnan(one_to_many[1])


@pytest.mark.parametrize("step", [0, -1, np.nan, np.inf, [0.1, 0.1], 1e-9])
def test_wrong_steps_are_refused(arm: Robot, step: object) -> None:
    with pytest.raises(BoxwoodError):
        arm.edges(UP, FOLDED, step=step)  # type: ignore[arg-type]


def test_accuracies_never_miss(arm: Robot) -> None:
    q = arm.sample(3000, seed=2)
    exact = arm.collides(q)
    assert 0 < exact.sum() < len(q)
    coarse = [Accuracy.depth(0), Accuracy.within(0.05), Accuracy.budget(0), Accuracy.budget(50)]
    for accuracy in coarse:
        assert not (exact & ~arm.collides(q, accuracy=accuracy)).any(), accuracy
    for accuracy in [Accuracy.within(0.0), Accuracy.budget(100_000)]:
        assert np.array_equal(exact, arm.collides(q, accuracy=accuracy)), accuracy


def test_accuracies_are_values() -> None:
    assert Accuracy.depth(3) == Accuracy.depth(3) != Accuracy.depth(4)
    assert len({Accuracy.exact(), Accuracy.exact(), Accuracy.within(0.1)}) == 2
    assert repr(Accuracy.within(0.01)) == "Accuracy.within(0.01)"
    for wrong in [-1.0, np.nan, np.inf]:
        with pytest.raises(BoxwoodError, match="tolerance"):
            Accuracy.within(wrong)


def test_real_robots_load_and_answer(data: Path) -> None:
    talos = data / "robots/talos"
    files = [*talos.glob("robots/*.urdf"), *(data / "robots/humanoid-cmu").glob("*.xml")]
    assert len(files) >= 2
    for file in files:
        robot = Robot.mjcf(file) if file.suffix == ".xml" else Robot.urdf(file)
        q = robot.sample(15, seed=1)
        hit, pairs = robot.collides(q), robot.pairs(q)
        assert np.array_equal(np.unique(pairs.row), np.flatnonzero(hit)), file
        assert np.array_equal(robot.distance(q) == 0, hit), file


def test_the_panda_is_known(panda: boxwood.Robot) -> None:
    assert panda.dof == 8 and panda.actuators[0] == "panda_joint1"
    assert not panda.collides(panda.rest).any()


SLIDER = """<mujoco><compiler angle="radian"/><worldbody>
<geom name="floor" type="plane" size="1 1 1" pos="0 0 .1"/>
<geom type="plane" size="1 1 1" pos="1 0 0" axisangle="0 1 0 -1.3"/>
<geom type="box" size=".2 .3 .1" pos="-.6 0 .8"/>
<body name="arm" pos="0 0 .5"><joint type="slide" axis="0 0 1" range="-1 1"/><joint axis="0 1 0" range="-2 2"/>
 <geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
 <body name="hand" pos=".5 0 0"><joint axis="1 1 0" range="-2 2"/><geom type="box" size=".1 .05 .2" pos="0 0 .2"/>
 </body></body></worldbody></mujoco>"""


def test_planes_against_mujoco() -> None:
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed: planes are not compared")
    assert any("unbounded" in warning for warning in Robot.mjcf(SLIDER).warnings)
    robot = Robot.mjcf(SLIDER, planes=100)
    assert robot.warnings == [] and robot.parts[0] == "world"
    q = robot.sample(4000, seed=3)
    mine = robot.collides(q)
    model = mujoco.MjModel.from_xml_string(SLIDER)
    data, theirs, gaps = mujoco.MjData(model), [], []
    for row in q:
        data.qpos[:] = row
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        gaps.append(min((contact.dist for contact in data.contact), default=1.0))
        theirs.append(gaps[-1] <= 0)
    clear = np.abs(gaps) > 1e-6
    assert np.array_equal(mine[clear], np.array(theirs)[clear])
    assert clear.mean() > 0.99 and 0.2 < mine.mean() < 0.9 and not Robot.mjcf(SLIDER).collides(q).all()
    with pytest.raises(BoxwoodError, match="reach of planes is not above zero"):
        Robot.mjcf(SLIDER, planes=0)
