"""Plans a motion around obstacles with OMPL, every edge of which is proved free of collisions.

    pip install boxwood ompl
    python plan_panda.py panda.urdf --srdf panda.srdf
    python plan_panda.py                                  # the small arm of this folder

OMPL calls two functions of this file: states are tested by `Robot.collides`, motions by
`Robot.check_edges`, so that nothing is missed between two states. The whole path is checked again by
`Robot.check_path`. The picture (SVG) has the robot at several configurations of the path, the way of
its last link and the obstacles.

The Panda's URDF file and meshes are in the package `example-robot-data`, for instance.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

import boxwood

try:
    from ompl import base, geometric, util
except ImportError:
    sys.exit("plan_panda.py plans with OMPL, which is not installed: pip install ompl")

Floats = NDArray[np.float64]
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Scene:
    """A task for a robot: the values of its planned joints at both ends, and boxes around it."""

    start: dict[str, float]
    goal: dict[str, float]
    centers: list[list[float]]
    half_extents: list[list[float]]
    tip: str
    """Link whose way is drawn."""
    view: tuple[float, float]
    """Direction from which the picture is seen: turn about z and height [degrees]."""

    def world(self) -> boxwood.World:
        """The boxes, each a body of its own, so that answers name it."""
        boxes = zip(self.centers, self.half_extents)
        return boxwood.World([boxwood.Body.boxes(center, half) for center, half in boxes])


# The arm has to fold to pass below the beam.
ARM = Scene(
    start={"shoulder": -1.25, "elbow": -0.3, "grip": 0.02},
    goal={"shoulder": 1.2, "elbow": 0.3, "grip": 0.02},
    centers=[[0, 0, 1.75], [1.3, 0, 0.25], [-1.35, 0, 1.25]],
    half_extents=[[0.15, 0.3, 0.25], [0.3, 0.3, 0.25], [0.4, 0.3, 0.05]],
    tip="lower",
    view=(-90.0, 0.0),
)

# From one side of a post to the other; there is a shelf above the post.
PANDA = Scene(
    start=dict(zip([f"panda_joint{i}" for i in range(1, 8)], [-0.8, 0.75, 0.0, -1.75, 0.0, 2.5, 0.8])),
    goal=dict(zip([f"panda_joint{i}" for i in range(1, 8)], [0.8, 0.75, 0.0, -1.75, 0.0, 2.5, 0.8])),
    centers=[[0.3, 0.0, -0.04], [0.5, 0.0, 0.35], [0.55, 0.0, 0.8]],
    half_extents=[[0.8, 0.7, 0.02], [0.05, 0.05, 0.35], [0.25, 0.6, 0.02]],
    tip="panda_hand",
    view=(-35.0, 25.0),
)


@dataclass
class Checks:
    """The two checks that a planner needs, with their number and time."""

    robot: boxwood.Robot
    world: boxwood.World
    margin: float
    planned: list[int]
    """Indices of the planned joints; the others stay at rest."""
    states: int = 0
    edges: list[tuple[Floats, Floats]] = field(default_factory=list)
    seconds: float = 0.0

    def row(self, state: Any) -> Floats:
        """Configuration of a state of OMPL."""
        q = self.robot.rest.copy()
        q[self.planned] = state[0 : len(self.planned)]
        return q

    def is_valid(self, state: Any) -> bool:
        """Tests one configuration."""
        started = time.perf_counter()
        hit = self.robot.collides(self.row(state), world=self.world, margin=self.margin, threads=1)
        self.states += 1
        self.seconds += time.perf_counter() - started
        return not hit[0]

    def is_free(self, one: Any, other: Any) -> bool:
        """Tests everything between two configurations."""
        started = time.perf_counter()
        ends = self.row(one), self.row(other)
        found = self.robot.check_edges(*ends, world=self.world, margin=self.margin, threads=1)
        self.edges.append(ends)
        self.seconds += time.perf_counter() - started
        return bool(found.free[0])


class CertifiedEdges(base.MotionValidator):  # type: ignore[misc]
    """Motion validator of OMPL that proves whole edges."""

    def __init__(self, information: Any, checks: Checks) -> None:
        super().__init__(information)
        self.checks = checks

    def checkMotion(self, one: Any, other: Any) -> bool:
        """Called by OMPL."""
        return self.checks.is_free(one, other)


def plan(checks: Checks, ends: list[Floats], seconds: float) -> Optional[Floats]:
    """Returns the configurations of a path between two, [rows, dof]; None if none was found."""
    joints = checks.planned
    space = base.RealVectorStateSpace(len(joints))
    bounds = base.RealVectorBounds(len(joints))
    for index, (low, high) in enumerate(np.clip(checks.robot.limits[joints], -np.pi, np.pi)):
        bounds.setLow(index, float(low))
        bounds.setHigh(index, float(high))
    space.setBounds(bounds)
    setup = geometric.SimpleSetup(space)
    information = setup.getSpaceInformation()
    setup.setStateValidityChecker(checks.is_valid)
    information.setMotionValidator(CertifiedEdges(information, checks))
    states = [space.allocState(), space.allocState()]
    for state, q in zip(states, ends):
        for index, joint in enumerate(joints):
            state[index] = float(q[joint])
    setup.setStartAndGoalStates(*states)
    setup.setPlanner(geometric.RRTConnect(information))
    path = None
    if setup.solve(seconds) and setup.haveExactSolutionPath():
        setup.simplifySolution()
        path = np.stack([checks.row(state) for state in setup.getSolutionPath().getStates()])
    # The space holds the validator, and the validator the space: neither would be freed.
    default = geometric.SimpleSetup(space).getSpaceInformation().getMotionValidator()
    information.setMotionValidator(default)
    return path


def along(path: Floats, step: float) -> Floats:
    """Returns configurations along a path, in which no joint moves by more than `step`."""
    rows = [path[:1]]
    for start, end in zip(path[:-1], path[1:]):
        count = max(1, int(np.ceil(np.abs(end - start).max() / step)))
        rows.append(start + (end - start) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(rows)


def corners(low: Floats, high: Floats) -> Floats:
    """Returns the corners of a box, [8, 3]."""
    pick = np.array([[(i >> axis) & 1 for axis in range(3)] for i in range(8)])
    return np.where(pick == 1, high, low)


def placed(points: Floats, pose: Floats) -> Floats:
    """Returns points at a pose: position x, y, z, then the quaternion x, y, z, w."""
    axis, w = pose[3:6], pose[6]
    turned = 2 * np.cross(axis, points)
    moved: Floats = points + w * turned + np.cross(axis, turned) + pose[:3]
    return moved


class Picture:
    """A drawing of boxes as SVG, seen from a direction without perspective."""

    def __init__(self, view: tuple[float, float]) -> None:
        turn, height = np.radians(view)
        self.toward = np.array([np.cos(turn) * np.cos(height), np.sin(turn) * np.cos(height), np.sin(height)])
        self.right = np.array([-np.sin(turn), np.cos(turn), 0.0])
        self.up = np.cross(self.toward, self.right)
        # Depth, points on the sheet, attributes.
        self.shapes: list[tuple[float, Floats, str]] = []

    def flat(self, points: Floats) -> Floats:
        """Points on the sheet, y down."""
        return np.stack([points @ self.right, -(points @ self.up)], axis=-1)

    def box(self, points: Floats, style: str) -> None:
        """Draws the outline of a box given by its corners. One below the origin is the ground."""
        is_ground = float(points[:, 2].max()) <= 0
        depth = -np.inf if is_ground else float((points @ self.toward).mean())
        self.shapes.append((depth, outline(self.flat(points)), style))

    def line(self, points: Floats, style: str) -> None:
        """Draws a line over everything else."""
        self.shapes.append((np.inf, self.flat(points), f'fill="none" {style}'))

    def svg(self, title: str) -> str:
        """Text of the file: what is further away is drawn first."""
        every = np.concatenate([points for _, points, _ in self.shapes])
        low, high = every.min(axis=0), every.max(axis=0)
        scale = 800 / float((high - low).max())
        width, height = (high - low) * scale + 40
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">']
        lines += [f"<title>{title}</title>", '<rect width="100%" height="100%" fill="white"/>']
        for depth, points, style in sorted(self.shapes, key=lambda shape: shape[0]):
            at = " ".join(f"{x:.1f},{y:.1f}" for x, y in (points - low) * scale + 20)
            lines.append(f'<{"polyline" if depth == np.inf else "polygon"} points="{at}" {style}/>')
        return "\n".join([*lines, "</svg>", ""])


def outline(points: Floats) -> Floats:
    """Returns the corners of the convex hull of points of the plane (Andrew's monotone chain)."""

    def half(ordered: list[Floats]) -> list[Floats]:
        hull: list[Floats] = []
        for point in ordered:
            while len(hull) > 1 and turn(hull[-2], hull[-1], point) <= 0:
                hull.pop()
            hull.append(point)
        return hull[:-1]

    def turn(a: Floats, b: Floats, c: Floats) -> float:
        return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    ordered = sorted(points, key=lambda point: (point[0], point[1]))
    return np.array(half(ordered) + half(ordered[::-1]))


def draw(robot: boxwood.Robot, scene: Scene, path: Floats, count: int = 7) -> str:
    """Returns a picture of a path as SVG."""
    picture = Picture(scene.view)
    for center, half in zip(np.array(scene.centers), np.array(scene.half_extents)):
        picture.box(corners(center - half, center + half), 'fill="#999" fill-opacity="0.6" stroke="#555"')
    dense = along(path, 0.02)
    shown = dense[np.linspace(0, len(dense) - 1, count).round().astype(int)]
    every = robot.poses(shown)
    for share, poses in zip(np.linspace(0, 1, count), every):
        color = f"rgb({40 + 190 * share:.0f},90,{230 - 190 * share:.0f})"
        style = f'fill="{color}" fill-opacity="0.35" stroke="{color}" stroke-width="0.7"'
        for part, (low, high) in enumerate(robot.part_bounds):
            pose, is_drawn = poses[part], share > 0 and np.array_equal(poses[part], every[0, part])
            if not is_drawn and not np.isnan(low).any():
                picture.box(placed(corners(low, high), pose), style)
    tip = robot.parts.index(scene.tip)
    # The tip of the last link is the far end of its box, on its z axis.
    end = np.array([0.0, 0.0, robot.part_bounds[tip, 1, 2]])
    way = np.stack([placed(end, poses[tip]) for poses in robot.poses(dense)])
    picture.line(way, 'stroke="black" stroke-width="2.5"')
    return picture.svg(f"Way of {scene.tip} around {len(scene.centers)} boxes")


def main() -> None:
    """Reads the command line, plans, checks and draws the path."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    options.add_argument("robot", type=Path, nargs="?", help="URDF file of the Panda; without it, the small arm")
    options.add_argument("--srdf", type=Path, help="pairs of links that are not tested")
    options.add_argument("--margin", type=float, default=0.01, help="distance to keep [metres]")
    options.add_argument("--seconds", type=float, default=30.0, help="time limit of the planner")
    options.add_argument("--seed", type=int, default=1, help="of the planner's random numbers, 1 or more")
    options.add_argument("--picture", type=Path, default=Path("plan.svg"))
    given = options.parse_args()
    robot = boxwood.Robot.urdf(given.robot or HERE / "arm.urdf", srdf=given.srdf)
    scenes = [scene for scene in (ARM, PANDA) if set(scene.start) <= set(robot.actuators)]
    if not scenes:
        sys.exit(f"{given.robot}: the joints are neither those of the Panda nor those of the small arm")
    scene = scenes[0]
    checks = Checks(robot, scene.world(), given.margin, [robot.actuators.index(name) for name in scene.start])
    ends = [checks.row(list(values.values())) for values in (scene.start, scene.goal)]
    blocked = robot.pairs(ends, world=checks.world, margin=given.margin)
    if len(blocked):
        sys.exit(f"the ends are no further than {given.margin} from a collision: {blocked}")

    util.RNG.setSeed(given.seed)
    util.setLogLevel(util.LogLevel.LOG_WARN)
    started = time.perf_counter()
    path = plan(checks, ends, given.seconds)
    took = time.perf_counter() - started
    counts = f"{checks.states} states and {len(checks.edges)} edges"
    print(f"{took:.2f} s, of these {checks.seconds:.2f} s for checks: {counts}")
    if path is None:
        sys.exit(f"no path was found in {given.seconds} s")

    q0, q1 = [np.stack([ends[side] for ends in checks.edges]) for side in (0, 1)]
    edges = robot.check_edges(q0, q1, world=checks.world, margin=given.margin)
    stepped = robot.edges(q0, q1, 0.1, world=checks.world, margin=given.margin)
    missed = int((edges.collides & np.isnan(stepped)).sum())
    print(f"of {len(edges)} edges {edges.free.sum()} are free; {missed} collide between samples at 0.1 rad")

    found = robot.check_path(path, world=checks.world, margin=given.margin)
    if not found.free:
        sys.exit(f"edge {found.index} of the path is not free: {found}")
    print(f"the path has {len(path)} configurations and is free, {found.clearance:.3f} m from everything at least:")
    for row in path:
        print("  " + " ".join(f"{value:7.3f}" for value in row[checks.planned]))
    given.picture.write_text(draw(robot, scene, path))
    print(f"drawn to {given.picture}")


if __name__ == "__main__":
    main()
