"""The fleet: robot files in Python wheels, each compared with an independent reader.

    python -m oracles.fleet FOLDER [--document FILE [--write]] [--jobs N] [--only WORDS] [--tool BOXWOOD]

Compares poses, bounds, volumes and tested pairs; of MJCF files also the pairs that touch in random
rows, planes included. Fetches the wheels of `WHEELS` into FOLDER, once; prints a line for every file
and the totals. --document: the tables behind `FLEET_MARK` in that file must equal those of this run;
--write writes them. --only: files whose paths contain the words. --tool: the command-line tool,
which restores robots in single precision. Ends with 1 if a file differs, is not restored from its
bytes, or is refused without being in `REFUSED`, or if the document is not up to date; with 3 if
wheels can not be fetched.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer, get_ident
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

if TYPE_CHECKING:
    from .compare import Difference

# Wheels that contain robots; their files are only read, none of their code runs.
WHEELS = {
    "airo-models": "0.0.12",
    "dexmate-urdf": "0.8.4",
    "differentiable-robot-model": "0.2.3",
    "dm-control": "1.0.50",
    "example-robot-data": "6.0.0",
    "gymnasium": "1.4.0",
    "gymnasium-robotics": "1.4.2",
    "icub-models": "3.2.0",
    "robosuite": "1.5.2",
}
# Accepted refusals: part of the message, and the reason in the table.
REFUSED = {
    "xacro": "not plain URDF: xacro elements are not expanded",
    "no joint is called": "the file is wrong: a joint mimics one that is not there",
    "there are no links": "the file is empty: no robot is in it",
}
ROWS, SEED = 4, 53
# Rows of which the touching pairs are compared.
TOUCH_ROWS = 100
# Timeout of a file [s], and number of printed lines about it.
LIMIT, SHOWN = 600, 12
MARK = "outcome "
FLEET_MARK = "<!-- Written by `.ci/python fleet write`. -->"
# Part of the refusal of a robot without collision geometry.
NOTHING = "no link has geometry that can collide"


class Unreachable(Exception):
    """Error for a wheel that can not be fetched."""


def fetched(folder: Path, name: str) -> Path:
    """Returns the files of a wheel; fetches and unpacks them if they are missing."""
    place = folder / f"{name}-{WHEELS[name]}"
    if (place / ".complete").exists():
        return place
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--dest", str(folder), f"{name}=={WHEELS[name]}"]
    run = subprocess.run(command, capture_output=True, text=True)
    wheels = list(folder.glob(f"{name.replace('-', '_')}-{WHEELS[name]}-*.whl"))
    if run.returncode != 0 or not wheels:
        raise Unreachable(f"{name} {WHEELS[name]}: {run.stderr.strip()[-300:]}")
    with zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extractall(place)
    wheels[0].unlink()
    (place / ".complete").touch()
    return place


def robot_files(place: Path) -> Iterator[Path]:
    """Returns the URDF and MJCF files in a folder."""
    for file in sorted(place.rglob("*")):
        if file.suffix.lower() == ".urdf":
            yield file
        elif file.suffix.lower() in (".xml", ".mjcf") and file.is_file():
            if re.search(rb"<mujoco\b", file.read_bytes()):
                yield file


class Outcome(NamedTuple):
    """Result of the comparison of a file."""

    state: str  # equal, differs, refused, not compared, no robot
    words: list[str]
    links: int = 0
    values: int = 0
    restored: Optional[bool] = None
    warnings: int = 0
    single: Optional[str] = None  # error of single precision; empty if it restores
    touching: int = 0  # number of touching pairs that both readers found


def compared(file: Path) -> Outcome:
    """Loads a file twice and compares: with MuJoCo, or with yourdfpy and trimesh."""
    # Imported here: fetching and printing need neither package.
    import boxwood

    from . import boxwood_side, compare

    is_urdf = file.suffix.lower() == ".urdf"
    model = None
    if not is_urdf:
        from . import mujoco_side

        try:
            model = mujoco_side.compiled(file)
        except ValueError as error:
            return Outcome("no robot", [f"MuJoCo refuses it: {first_line(error)}"])
        if model.njnt == 0:
            return Outcome("no robot", ["no joint"])
    elements, note = "collisions", ""
    try:
        robot = boxwood_side.load(file)
    except boxwood.BoxwoodError as error:
        if NOTHING not in str(error):
            return Outcome("refused", [first_line(error)])
        try:
            robot, elements, note = without_collision_geometry(file)
        except boxwood.BoxwoodError as second:
            return Outcome("refused", [first_line(second)])
    q = robot.sample(ROWS, seed=SEED)
    restored = restores(robot)
    size = (len(robot.parts), robot.dof, restored, len(robot.warnings))
    mine = boxwood_side.facts(robot, q)
    try:
        if is_urdf:
            from . import urdf_side

            theirs = urdf_side.facts(urdf_side.parsed(file), file, robot, q, elements)
        else:
            theirs = mujoco_side.facts(model, robot, q)
        found = compare.differences(mine, theirs)
        touching = 0
        if not is_urdf:
            touching, differing = touch_differences(file, model, robot)
            found += differing
    except Exception as error:
        return Outcome("not compared", [f"{type(error).__name__}: {first_line(error)}"], *size)
    words = [str(difference) for difference in found]
    state = "differs" if words else "equal"
    if not words and note:
        words = [f"no collision geometry: {note}"]
    return Outcome(state, words, *size, touching=touching)


def touch_differences(file: Path, model: Any, robot: Any) -> tuple[int, list[Difference]]:
    """Compares touching pairs with MuJoCo's contacts, in which planes are half-spaces. Returns the
    number of those that both have, and the differences. Changes the model."""
    from . import boxwood_side, compare, mujoco_side

    if mujoco_side.has_planes(model):
        robot = boxwood_side.load(file, planes=mujoco_side.PLANES, allow_empty=True)
    q = robot.sample(TOUCH_ROWS, seed=SEED)
    mine, theirs = boxwood_side.touching(robot, q), mujoco_side.touching(model, robot, q)
    shared = sum(len(own & other.deep) for own, other in zip(mine, theirs))
    return shared, compare.touch_differences(mine, theirs)


def without_collision_geometry(file: Path) -> tuple[Any, str, str]:
    """Loads a robot without collision geometry by its visual shapes, or without shapes. Returns the
    robot, the elements that are its shapes, and a text about them."""
    import boxwood

    from . import boxwood_side

    if file.suffix == ".urdf":
        try:
            return boxwood_side.load(file, link_shapes="visual"), "visuals", "visual shapes"
        except boxwood.BoxwoodError as error:
            if NOTHING not in str(error):
                raise
    return boxwood_side.load(file, allow_empty=True), "collisions", "kinematics alone"


def restores(robot: Any) -> bool:
    """Returns true if the robot comes back from its bytes as it was, in double precision."""
    import boxwood

    try:
        return bool(boxwood.Robot.baked(robot.bake()).fingerprint == robot.fingerprint)
    except boxwood.BoxwoodError:
        return False


def single_precision(tool: str, file: Path, folder: Path) -> str:
    """Returns the error of the tool, which computes in single precision, if it does not restore a
    file that it baked; otherwise an empty text."""
    baked = folder / f"single-{get_ident()}.baked"
    bake = [tool, "bake", str(file), "-o", str(baked)]
    for options in ([], ["--visual"], ["--allow-empty"]):
        run = subprocess.run([*bake, *options], capture_output=True, text=True, timeout=LIMIT)
        if run.returncode == 0:
            run = subprocess.run([tool, "inspect", str(baked)], capture_output=True, text=True, timeout=LIMIT)
            break
    baked.unlink(missing_ok=True)
    return run.stderr.strip()[-300:] if run.returncode else ""


def first_line(error: Exception) -> str:
    """Returns the beginning of a message."""
    return re.sub(r"\s+", " ", str(error)).strip()[:400]


def compared_apart(files: list[Path], folder: Path, report: Callable[[Path, Outcome], None]) -> None:
    """Compares files in a separate process, and starts another one after a crash or a timeout."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    while files:
        command = [sys.executable, "-m", "oracles.fleet", "--compare", *map(str, files)]
        # MuJoCo writes its log to the working directory.
        worker = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder, env=environment
        )
        assert worker.stdout is not None
        done = 0
        while done < len(files):
            timer = Timer(LIMIT, worker.kill)
            timer.start()
            line = worker.stdout.readline()
            timer.cancel()
            if not line:
                break
            if line.startswith(MARK):
                report(files[done], Outcome(*json.loads(line[len(MARK) :])))
                done += 1
        ended = worker.wait()
        if done < len(files):
            report(files[done], Outcome("not compared", [f"the process ended with {ended}, or after {LIMIT} s"]))
            done += 1
        files = files[done:]


def reason(words: list[str]) -> Optional[str]:
    """Returns the accepted reason of a refusal."""
    return next((why for part, why in REFUSED.items() if part in words[0]), None)


def total_lines(outcomes: dict[str, Outcome]) -> list[str]:
    """Returns the totals as rows of a table; those of single precision only if the tool ran."""
    lines = ["| | URDF | MJCF |", "|---|---|---|"]
    kinds = [{n: o for n, o in outcomes.items() if n.endswith(".urdf") == urdf} for urdf in (True, False)]
    robots = [{n: o for n, o in kind.items() if o.state != "no robot"} for kind in kinds]

    def row(title: str, *counts: object) -> None:
        lines.append(f"| {title} | " + " | ".join(map(str, counts)) + " |")

    loaded = [[o for o in kind.values() if o.state != "refused"] for kind in robots]
    row("robot files", *map(len, robots))
    row("loaded", *map(len, loaded))
    row("restored from bytes, equal", *(sum(o.restored is True for o in kind) for kind in loaded))
    if any(o.single is not None for o in outcomes.values()):
        row("the same in single precision", *(sum(o.single == "" for o in kind) for kind in loaded))
    row("compared", *(sum(o.state in ("equal", "differs") for o in kind) for kind in loaded))
    row("equal", *(sum(o.state == "equal" for o in kind) for kind in loaded))
    row("refused", *(sum(o.state == "refused" for o in kind.values()) for kind in robots))
    row("no robot (no joint, or MuJoCo refuses it)", *(len(a) - len(b) for a, b in zip(kinds, robots)))
    return lines


def table(outcomes: dict[str, Outcome]) -> str:
    """Returns the tables of docs/robot-files.md."""
    # The table must be equal with and without the command-line tool.
    lines = total_lines({name: outcome._replace(single=None) for name, outcome in outcomes.items()})
    lines += ["", "| wheel | version | URDF loaded | MJCF loaded |", "|---|---|---|---|"]
    for name, version in WHEELS.items():
        cells = []
        for urdf in (True, False):
            own = [
                o
                for n, o in outcomes.items()
                if n.startswith(f"{name}-{version}/") and n.endswith(".urdf") == urdf and o.state != "no robot"
            ]
            cells.append(f"{sum(o.state != 'refused' for o in own)} of {len(own)}" if own else "")
        lines.append(f"| `{name}` | {version} | {cells[0]} | {cells[1]} |")
    lines += ["", "| file | links | values | |", "|---|---|---|---|"]
    for name, outcome in sorted(outcomes.items()):
        if outcome.state == "no robot":
            continue
        words = outcome.state
        if outcome.words:
            accepted = reason(outcome.words) if outcome.state == "refused" else None
            words += f": {accepted or outcome.words[0]}"
        size = f"{outcome.links} | {outcome.values}" if outcome.links else "|"
        lines.append(f"| {name} | {size} | {words.replace('|', '/')} |")
    return "\n".join(lines) + "\n"


def hold_document(document: Path, tables: str, write: bool) -> bool:
    """Returns true if the document ends with the tables; writes them if `write` is set."""
    text = document.read_text()
    head = text.split(FLEET_MARK)[0]
    new = f"{head}{FLEET_MARK}\n\n{tables}"
    if write:
        document.write_text(new)
    elif new != text:
        print(f"{document.name}: its tables are not those of this run; `.ci/python fleet write` writes them")
    return write or new == text


def is_fault(outcome: Outcome) -> bool:
    """Returns true if the outcome is a fault of boxwood."""
    if outcome.state == "refused":
        return reason(outcome.words) is None
    return outcome.state == "differs" or outcome.restored is False or bool(outcome.single)


def told(name: str, outcome: Outcome) -> list[str]:
    """Returns the lines about a file."""
    words = list(outcome.words)
    shown = words[:SHOWN] + ([f"and {len(words) - SHOWN} more"] if len(words) > SHOWN else [])
    if outcome.restored is False:
        shown.append("not restored from its bytes, or not as it was")
    if outcome.single:
        shown.append(f"single precision: {outcome.single}")
    touching = f", {outcome.touching} touching pairs" if outcome.touching else ""
    return [f"{outcome.state:12} {name}{touching}"] + [f"{'':12} {word}" for word in shown]


def main() -> int:
    """Compares all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--compare", type=Path, nargs="+", default=[])
    parser.add_argument("--document", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="")
    parser.add_argument("--tool")
    asked = parser.parse_args()
    for file in asked.compare:
        print(MARK + json.dumps(compared(file)), flush=True)
    if asked.compare:
        return 0
    if asked.folder is None:
        parser.error("FOLDER is missing")
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        places = [fetched(folder, name) for name in WHEELS]
    except Unreachable as error:
        print(f"SKIPPED: the fleet: no package index to fetch a wheel from: {error}")
        return 3
    files = [file for place in places for file in robot_files(place) if asked.only in str(file)]
    outcomes: dict[str, Outcome] = {}

    def report(file: Path, outcome: Outcome) -> None:
        name = file.relative_to(folder).as_posix()
        words = [word.replace(f"{folder}/", "") for word in outcome.words]
        if asked.tool and outcome.restored is not None:
            outcome = outcome._replace(single=single_precision(asked.tool, file, folder))
        outcomes[name] = outcome._replace(words=words)
        print("\n".join(told(name, outcomes[name])), flush=True)

    with ThreadPoolExecutor(asked.jobs) as pool:
        chunks = [files[start :: asked.jobs] for start in range(asked.jobs)]
        list(pool.map(lambda chunk: compared_apart(chunk, folder, report), chunks))
    faults = sum(map(is_fault, outcomes.values()))
    print("\n".join(total_lines(outcomes)))
    compared_rows = [o for o in outcomes.values() if o.touching]
    print(f"\n{sum(o.touching for o in compared_rows)} touching pairs in {len(compared_rows)} files, with both readers")
    stale = asked.document is not None and not hold_document(asked.document, table(outcomes), asked.write)
    return 1 if faults or stale else 0


if __name__ == "__main__":
    sys.exit(main())
