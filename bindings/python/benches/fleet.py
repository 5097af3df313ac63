"""Checks per second of the robots of the fleet, beside Pinocchio (URDF) and MuJoCo (MJCF), in one run.

    python benches/fleet.py FOLDER [--rows 2000] [--rounds 5] [--seconds 4] [--only WORDS]

FOLDER is where the wheels of the fleet are, or are fetched to. Prints a table in Markdown. Both
sides get the same random configurations and test the same pairs of links, kinematics included, on
one thread: boxwood by `Robot.collides`, after 8,000 rows, so that it has prepared a batch;
Pinocchio by a pool of broad-phase managers that stops at the first collision; MuJoCo by
`mj_kinematics` and `mj_collision`, which computes all contacts. Each figure is the best of the rounds, by processor
time, taken in turn. Files of one name are one robot: the first is taken. The last column counts
rows of which the two say different things: where one link is wholly inside another, where MuJoCo
has hulls of meshes, or where links only graze.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

import boxwood

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracles import boxwood_side, fleet  # noqa: E402

Verdicts = NDArray[np.bool_]
# Rows before the measurement: from then on boxwood has prepared a batch for the question.
WARM = 8000
# URDF files that are measured with an SRDF of their wheel too.
SRDF = {"panda.urdf": "panda.srdf", "talos_full_v2.urdf": "talos.srdf"}


class Rates(NamedTuple):
    """Rates of a robot, in rows a second, and what the two sides say."""

    name: str
    peer: str
    links: int
    pairs: int
    colliding: float
    mine: float
    theirs: float
    differing: int


def main() -> None:
    """Prints the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--rows", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=4.0, help="least time of a robot and side")
    options.add_argument("--only", default="")
    given = options.parse_args()
    print("| robot | links | pairs | collide | boxwood, rows/s | peer | rows/s | ratio | differ |")
    print("|---|---|---|---|---|---|---|---|---|")
    ratios: dict[str, list[float]] = {}
    for name, file, srdf in robots(given.folder.resolve(), given.only):
        found = measured((name, file, srdf), given.rows, given.rounds, given.seconds)
        if isinstance(found, str):
            print(f"{name}: left out: {found}", file=sys.stderr)
            continue
        ratio = found.mine / found.theirs
        ratios.setdefault(found.peer, []).append(ratio)
        print(
            f"| {found.name} | {found.links} | {found.pairs} | {found.colliding:.0%} | {found.mine:,.0f} "
            f"| {found.peer} | {found.theirs:,.0f} | {ratio:.1f} | {found.differing} |",
            flush=True,
        )
    for peer, own in ratios.items():
        print(f"\n{peer}: {len(own)} robots, least {min(own):.1f}, median {np.median(own):.1f}, largest {max(own):.0f}")


def robots(folder: Path, only: str) -> Iterator[tuple[str, Path, Optional[Path]]]:
    """Returns a name, the file and the SRDF of each robot, the first of each file name."""
    seen: set[str] = set()
    for name in fleet.WHEELS:
        wheel = fleet.fetched(folder, name)
        for file in fleet.robot_files(wheel):
            if only not in str(file):
                continue
            if file.name not in seen:
                seen.add(file.name)
                yield f"{name}/{file.stem}", file, None
            for srdf in wheel.rglob(SRDF[file.name]) if file.name in SRDF else ():
                yield f"{name}/{file.stem} with SRDF", file, srdf


def measured(
    robot_file: tuple[str, Path, Optional[Path]], rows: int, rounds: int, seconds: float
) -> Rates | str:
    """Measures a robot beside its peer; returns a reason if it can not be."""
    name, file, srdf = robot_file
    try:
        options = {} if srdf is None else {"srdf": srdf}
        robot = boxwood_side.load(file, **options)
    except boxwood.BoxwoodError as error:
        return fleet.first_line(error)[:120]
    if robot.dof == 0 or not len(robot.tested_pairs):
        return "no joint, or no pair of links is tested"
    q = robot.sample(rows, seed=1)
    is_urdf = file.suffix == ".urdf"
    with tempfile.TemporaryDirectory() as place:
        try:
            ask = pinocchio(file, robot, q, Path(place)) if is_urdf else mujoco(file, robot, q)
        except Exception as error:
            return f"{type(error).__name__}: {fleet.first_line(error)[:120]}"
        rate: list[float] = [0.0, 0.0]
        sides: list[Callable[[bool], Verdicts]] = [lambda _: robot.collides(q, threads=1), ask]
        for _ in range(-(-WARM // rows)):
            robot.collides(q, threads=1)
        verdicts = [side(True).copy() for side in sides]
        for _ in range(rounds):
            for side, check in enumerate(sides):
                start, count = time.process_time(), 0
                while count == 0 or time.process_time() - start < seconds / rounds:
                    check(False)
                    count += 1
                rate[side] = max(rate[side], count * rows / (time.process_time() - start))
    peer = "Pinocchio" if is_urdf else "MuJoCo"
    size = len(robot.parts), len(robot.tested_pairs), float(verdicts[0].mean())
    differing = int((verdicts[0] != verdicts[1]).sum())
    return Rates(name, peer, size[0], size[1], size[2], rate[0], rate[1], differing)


def pinocchio(file: Path, robot: boxwood.Robot, q: NDArray[np.float64], place: Path) -> Callable[[bool], Verdicts]:
    """Returns a check of all rows by Pinocchio's broad-phase pool."""
    import pinocchio as pin
    from pinocchio_side import Peer

    # Names of packages stand for folders above the file.
    text = file.read_text().replace("package:///", "package://")
    (copied := place / file.name).write_text(text)
    for above in file.resolve().parents:
        if not (place / above.name).exists() and f"package://{above.name}/" in text:
            (place / above.name).symlink_to(above, target_is_directory=True)
    if "package://" not in text:
        copied = file
    peer = Peer(copied, place, robot)
    columns = np.asfortranarray(peer.configurations(q).T)
    kind = pin.BroadPhaseManagerPool_DynamicAABBTreeCollisionManager
    pool = kind(peer.model, peer.geometry, 1)
    return lambda _: np.asarray(pin.computeCollisionsInParallel(1, pool, columns, True, False), dtype=bool)


def mujoco(file: Path, robot: boxwood.Robot, q: NDArray[np.float64]) -> Callable[[bool], Verdicts]:
    """Returns a check of all rows by MuJoCo; its verdicts count only with the argument true, which
    takes longer."""
    from mujoco import MjData, mj_collision, mj_kinematics, mjtDisableBit
    from oracles import mujoco_side

    model = mujoco_side.compiled(file)
    # Some files disable contacts in the simulation; boxwood tests the pairs, with a warning.
    model.opt.disableflags &= ~int(mjtDisableBit.mjDSBL_CONTACT | mjtDisableBit.mjDSBL_CONSTRAINT)
    # Shapes that boxwood omits, and margins, which are no collision.
    for geom in range(model.ngeom):
        if int(model.geom_type[geom]) in mujoco_side.UNBOUNDED:
            model.geom_contype[geom] = model.geom_conaffinity[geom] = 0
    model.geom_margin[:] = model.pair_margin[:] = 0.0
    data, rows = MjData(model), mujoco_side.configurations(model, robot, q)
    verdicts = np.zeros(len(q), dtype=bool)
    names = mujoco_side.link_names(model, robot.parts)
    tested = {frozenset(robot.parts[part] for part in pair) for pair in robot.tested_pairs.tolist()}

    def is_tested(contact: Any) -> bool:
        # A part has all shapes of a body; MuJoCo tests single shapes of it.
        return frozenset(names[int(model.geom_bodyid[geom])] for geom in contact.geom) in tested

    def check(judges: bool) -> Verdicts:
        for at, row in enumerate(rows):
            data.qpos[:] = row
            mj_kinematics(model, data)
            mj_collision(model, data)
            verdicts[at] = any(map(is_tested, data.contact)) if judges else data.ncon > 0
        return verdicts

    return check


if __name__ == "__main__":
    main()
