"""Accepted and refused arguments: every refusal is a BoxwoodError or a TypeError, which
`except Exception` catches, and its message names the fault."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest
from conftest import ARM

import boxwood
from boxwood import Body, BoxwoodError, Pair, Robot, World


def layouts(q: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Returns the same numbers in many forms."""
    wide = np.zeros((2 * len(q), 2 * q.shape[1] + 1))
    wide[::2, 1::2] = q
    bytes_off = np.frombuffer(b"x" + q.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    record = np.zeros(len(q), dtype=np.dtype([("pad", "u1"), ("q", "f8", q.shape[1])]))
    record["q"] = q
    read_only = q.copy()
    read_only.setflags(write=False)
    return {
        "fortran": np.asfortranarray(q),
        "strided": wide[::2, 1::2],
        "reversed": q[::-1][::-1],
        "backwards": np.ascontiguousarray(q[::-1, ::-1])[::-1, ::-1],
        "misaligned": bytes_off.reshape(q.shape),
        "record": record["q"],
        "big-endian": q.astype(">f8"),
        "read-only": read_only,
        "broadcast": np.broadcast_to(q, (1, *q.shape))[0],
        "lists": q.tolist(),
        "tuples": tuple(map(tuple, q.tolist())),
        "matrix": np.asmatrix(q),
        "masked": np.ma.masked_array(q),
    }


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_the_layout_does_not_matter(arm: Robot) -> None:
    q = arm.sample(500, seed=3)
    plain, near = arm.collides(q), arm.closest(q)
    assert 0 < plain.sum() < len(q)
    for name, form in layouts(q).items():
        assert np.array_equal(arm.collides(form), plain), name
        for mine, other in zip(near, arm.closest(form)):
            assert mine.tobytes() == other.tobytes(), name
        assert np.array_equal(arm.poses(form), arm.poses(q)), name


def test_smaller_numbers_become_doubles(arm: Robot) -> None:
    single = arm.sample(200, seed=4).astype(np.float32)
    double = np.clip(single.astype(np.float64), *arm.limits.T)
    assert np.array_equal(arm.collides(np.clip(single, *arm.limits.T)), arm.collides(double))
    whole = np.array([[0, 3, 0], [1, -2, 0]])
    for kind in ["i1", "i4", "i8", "u8"]:
        expected = arm.collides(np.abs(whole).astype("f8"))
        assert np.array_equal(arm.collides(np.abs(whole).astype(kind)), expected)
    assert arm.collides(whole).tolist() == arm.collides(whole.astype("f8")).tolist()


def test_no_rows_are_no_answers(arm: Robot) -> None:
    none = np.zeros((0, 3))
    assert arm.collides(none).shape == (0,) and arm.collides(none).dtype == bool
    assert arm.poses(none).shape == (0, 5, 7) and arm.sample(0).shape == (0, 3)
    assert [column.shape for column in arm.pairs(none)] == [(0,)] * 3
    assert arm.closest(none).on_a.shape == (0, 3) and arm.edges(none, none, 0.1).shape == (0,)


def test_a_robot_without_joints_has_rows_without_columns() -> None:
    still = Robot.urdf(b'<robot name="r"><link name="a"/></robot>', allow_empty=True)
    assert still.collides(np.zeros((3, 0))).tolist() == [False] * 3
    assert still.collides([]).tolist() == [False]
    assert still.distance(np.zeros((2, 0))).tolist() == [np.inf] * 2


SHAPES: list[Any] = [
    0.0,
    [],
    [0.0, 0.0],
    np.zeros((4, 2)),
    np.zeros((3, 4)),
    np.zeros((1, 2, 3)),
    np.zeros((3, 0)),
    [[0, 0, 0], [0, 0]],
]
KINDS: list[Any] = [
    None,
    "abc",
    ["a", "b", "c"],
    [None, 0, 0],
    np.zeros((2, 3), complex),
    np.zeros((2, 3), bool),
    np.zeros((2, 3), object),
    np.zeros((2, 3), "M8[s]"),
    object(),
    {1: 2},
    b"abc",
]


@pytest.mark.parametrize("q", SHAPES + KINDS, ids=lambda q: repr(q)[:40])
def test_wrong_shapes_and_kinds_are_refused(arm: Robot, q: Any) -> None:
    questions: list[Callable[[], Any]] = [
        lambda: arm.collides(q),
        lambda: arm.pairs(q),
        lambda: arm.distance(q),
        lambda: arm.poses(q),
        lambda: arm.edges(q, q, 0.1),
    ]
    for question in questions:
        with pytest.raises(BoxwoodError, match="q"):
            question()


@pytest.mark.parametrize("threads", [0, 1, 2, 7])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1e300])
def test_the_first_wrong_row_is_named(arm: Robot, wrong: float, threads: int) -> None:
    q = arm.sample(5000, seed=6)
    for row, column in [(4321, 0), (1234, 1), (1300, 2)]:
        q[row, column] = wrong
    for question in (arm.collides, arm.pairs, arm.distance, arm.poses):
        with pytest.raises(BoxwoodError, match="^row 1234: ") as caught:
            question(q, threads=threads)
        assert caught.value.row == 1234
    assert isinstance(caught.value, ValueError)


def test_values_beyond_limits_name_the_actuator(arm: Robot) -> None:
    with pytest.raises(BoxwoodError, match="row 1: actuator 'elbow': the value 3.5 is outside the limits") as caught:
        arm.collides([[0.0, 0, 0], [0, 3.5, 0]])
    assert (caught.value.row, caught.value.part, caught.value.file) == (1, "elbow", None)
    for value in [np.nan, np.inf]:
        with pytest.raises(BoxwoodError, match=f"row 0: part '{arm.actuators[2]}': actuator value number 2") as caught:
            arm.collides([0, 0, value])
        assert (caught.value.row, caught.value.index, caught.value.part) == (0, 2, arm.actuators[2])


def test_numbers_out_of_range_are_refused_by_name(arm: Robot, cube: Body) -> None:
    """Checks every kind of number that Python can pass and the compiled half cannot represent."""
    at, huge = [0.0, 0, 0], 10**400
    calls: list[tuple[str, Callable[[], Any]]] = [
        ("n", lambda: arm.sample(-1)),
        ("n", lambda: arm.sample(2**64)),
        ("seed", lambda: arm.sample(1, seed=-1)),
        ("seed", lambda: arm.sample(1, 2**64)),
        ("threads", lambda: arm.collides(at, threads=-1)),
        ("threads", lambda: arm.poses(at, threads=huge)),
        ("threads", lambda: boxwood.Pair(cube, cube).touching(threads=-2)),
        ("margin", lambda: arm.collides(at, margin=huge)),
        ("margin", lambda: arm.with_margins(0.0, {("left", "right"): huge})),
        ("max_distance", lambda: arm.distance(at, max_distance=huge)),
        ("tolerance", lambda: arm.motion(at, at, tolerance=huge)),
        ("factor", lambda: cube.scaled(-huge)),
        ("depth", lambda: boxwood.Accuracy.depth(256)),
        ("length", lambda: boxwood.Accuracy.within(huge)),
        ("tests", lambda: boxwood.Accuracy.budget(-1)),
        ("ignore_neighbours", lambda: Robot.urdf(ARM, ignore_neighbours=-1)),
    ]
    for name, call in calls:
        with pytest.raises(BoxwoodError, match=f"^{name}: .* expected") as caught:
            call()
        assert str(caught.value).endswith(" expected") and len(str(caught.value)) < 120
    with pytest.raises(TypeError, match="threads"):
        arm.collides(at, threads="all")  # type: ignore[arg-type]


@pytest.mark.parametrize("margin", [-0.1, np.nan, np.inf])
def test_wrong_margins_and_distances_are_refused(arm: Robot, margin: float) -> None:
    with pytest.raises(BoxwoodError, match="margin"):
        arm.collides([0, 0, 0], margin=margin)
    if margin != np.inf:
        with pytest.raises(BoxwoodError, match="distance"):
            arm.distance([0, 0, 0], max_distance=margin)
    with pytest.raises(BoxwoodError):
        arm.distance([0, 0, 0], accuracy=boxwood.Accuracy.budget(3))


def test_wrong_options_are_refused(arm: Robot) -> None:
    wrong: list[dict[str, Any]] = [
        {"threads": "two"},
        {"accuracy": "exact"},
        {"world": "none"},
        {"margin": "far"},
        {"speed": 3},
    ]
    for options in wrong:
        with pytest.raises(TypeError):
            arm.collides([0, 0, 0], **options)
    with pytest.raises(BoxwoodError, match="too many"):
        arm.sample(2**62)


def test_files_that_are_refused_are_named(tmp_path: Any) -> None:
    for load in (Robot.urdf, Robot.mjcf, Robot.baked, Body.gltf, Body.obj, Body.stl, Body.baked):
        with pytest.raises(BoxwoodError, match="gone.bin") as caught:
            load(tmp_path / "gone.bin")
        assert caught.value.file is not None and caught.value.file.endswith("gone.bin")
        for junk in [b"", b"\x00" * 100, b"<robot", b"glTF\x02\0\0\0", b"v 0 0 nan\nf 1 1 1\n"]:
            with pytest.raises(BoxwoodError) as caught:
                load(junk)
            assert caught.value.file == "bytes in memory"
        with pytest.raises(TypeError):
            load(7)  # type: ignore[arg-type]
    with pytest.raises(BoxwoodError, match="arm.srdf"):
        Robot.urdf(ARM.encode(), srdf=tmp_path / "arm.srdf")
    with pytest.raises(BoxwoodError, match="link_shapes"):
        Robot.urdf(ARM.encode(), link_shapes="all")  # type: ignore[arg-type]


def test_damaged_bytes_are_refused(arm: Robot, cube: Body) -> None:
    for load, bytes in [(Robot.baked, arm.bake()), (Body.baked, cube.bake())]:
        for end in range(0, len(bytes), 11):
            with pytest.raises(BoxwoodError):
                load(bytes[:end])
        for at in range(0, len(bytes), 7):
            with pytest.raises(BoxwoodError):
                load(bytes[:at] + bytes[at : at + 1].translate(None) + b"\xa5" + bytes[at + 1 :])
    with pytest.raises(BoxwoodError, match="not a baked robot"):
        Robot.baked(cube.bake())
    with pytest.raises(BoxwoodError, match="not a baked character"):
        Body.baked(arm.bake())


def test_wrong_meshes_and_boxes_are_refused() -> None:
    corners = np.eye(3)
    wrong: list[tuple[Any, Any]] = [
        (corners, [[0, 1, 3]]),
        (corners, [[0, 1, -1]]),
        (corners, [[0.0, 1.0, 2.0]]),
        (corners, [0, 1, 2]),
        (corners, np.zeros((0, 3), int)),
        (corners, []),
        (np.zeros((3, 2)), [[0, 1, 2]]),
        (corners * np.nan, [[0, 1, 2]]),
        (corners * 1e200, [[0, 1, 2]]),
        (np.zeros((0, 3)), [[0, 1, 2]]),
        ("corners", [[0, 1, 2]]),
        (corners, [[0, 1, 2**40]]),
        (corners, [[0, 1, None]]),
    ]
    for vertices, faces in wrong:
        with pytest.raises(BoxwoodError):
            Body.mesh(vertices, faces)
    with pytest.raises(BoxwoodError, match="negative") as caught:
        Body.boxes(np.zeros((3, 3)), [[1, 1, 1], [1, 1, 1], [1, -1, 1]])
    assert caught.value.row == 2
    unfit: list[Any] = [([0, 0], [1, 1, 1]), (np.zeros((2, 3)), np.ones((3, 3))), ([0, 0, 0], [1, 1, np.nan])]
    for boxes in unfit:
        with pytest.raises(BoxwoodError):
            Body.boxes(*boxes)
    with pytest.raises(BoxwoodError):
        Body.boxes([0, 0, 0], [1, 1, 1], [0, 0, 0, 2])


def test_wrong_worlds_and_places_are_refused(arm: Robot, cube: Body) -> None:
    for items in [[arm], [1], "ab", [(cube, [0] * 7)], [(cube, [0, 0, 0])], [(cube, [0.0] * 7, 1)]]:
        with pytest.raises((BoxwoodError, TypeError)):
            World(items)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        World(None)  # type: ignore[arg-type]
    with pytest.raises(BoxwoodError, match="item 1") as caught:
        World([cube, (cube, [0, 0, np.nan, 0, 0, 0, 1])])
    assert caught.value.index == 1
    pair = Pair(cube, cube)
    here = [0, 0, 0, 0, 0, 0, 1]
    for at in [[0, 0, 0], np.zeros((2, 3, 7)), [[0] * 7], [0, 0, np.inf, 0, 0, 0, 1], "here", 3]:
        with pytest.raises(BoxwoodError):
            pair.touching(at, here)  # type: ignore[arg-type]
    with pytest.raises(BoxwoodError, match="at_b: 3 rows, 2 or 1 expected"):
        pair.touching([here] * 2, [here] * 3)
    directions: list[Any] = [[0, 0, 0], [np.nan, 0, 1], [1, 0]]
    for along in directions:
        with pytest.raises(BoxwoodError):
            pair.separation(along=along)
    with pytest.raises(BoxwoodError, match="exclude each other"):
        pair.separation(along=[1, 0, 0], across=[0, 0, 1])
    with pytest.raises(TypeError):
        Pair(cube, arm)  # type: ignore[arg-type]
