"""Robots as read by yourdfpy (kinematics and elements) and trimesh (meshes)."""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import trimesh
import yourdfpy

from . import solids
from .compare import Facts, Floats, Link, Pair, pair

if TYPE_CHECKING:
    import boxwood


def parsed(file: Path) -> Any:
    """Returns the robot without its meshes."""
    logging.getLogger("yourdfpy").setLevel(logging.ERROR)
    return yourdfpy.URDF.load(
        str(file),
        build_scene_graph=True,
        build_collision_scene_graph=False,
        load_meshes=False,
        load_collision_meshes=False,
    )


def facts(
    urdf: Any, file: Path, robot: boxwood.Robot, q: Floats, elements: str = "collisions"
) -> Facts:
    """Returns the facts of yourdfpy and trimesh about the robot at rows of the joint values of
    boxwood; the shapes are those of `collisions` or `visuals`."""
    names = [link.name for link in urdf.robot.links]
    poses = {name: np.empty((len(q), 4, 4)) for name in names}
    for row, values in enumerate(q):
        urdf.update_cfg(dict(zip(robot.actuators, values)))
        for name in names:
            poses[name][row] = urdf.get_transform(name)
    links = {
        link.name: shaped(getattr(link, elements), file, poses[link.name]) for link in urdf.robot.links
    }
    return Facts(links, tested(urdf.robot, links))


def shaped(elements: Any, file: Path, poses: Floats) -> Link:
    """Returns a link with some collision or visual elements."""
    all_bounds: list[Floats] = []
    volume: Optional[float] = 0.0
    has_round = has_mesh = False
    for element in elements:
        shape, origin = element.geometry, element.origin
        place = np.eye(4) if origin is None else origin
        if shape.mesh is not None:
            bounds, own = mesh(file, shape.mesh, place)
            if bounds is None:
                continue
            has_mesh = True
            volume = None if volume is None or own is None else volume + own
            all_bounds.append(bounds)
            continue
        has_round |= shape.box is None
        half, own = primitive(shape, place[:3, :3])
        volume = None if volume is None else volume + own
        all_bounds.append(np.stack([place[:3, 3] - half, place[:3, 3] + half]))
    if not all_bounds:
        return Link(poses)
    return Link(poses, solids.merged(all_bounds), volume, has_round, not has_mesh)


def primitive(shape: Any, rotation: Floats) -> tuple[Floats, float]:
    """Returns the half size of the box around a primitive, and its volume."""
    if shape.box is not None:
        return solids.box(np.asarray(shape.box.size) / 2, rotation)
    if shape.cylinder is not None:
        return solids.cylinder(shape.cylinder.radius, shape.cylinder.length / 2, rotation)
    return solids.ellipsoid(np.full(3, shape.sphere.radius), rotation)


def mesh(file: Path, element: Any, place: Floats) -> tuple[Optional[Floats], Optional[float]]:
    """Returns bounds and volume of a mesh; no volume if it is open, nothing if it is empty."""
    path = found(file, element.filename)
    corners, volume = triangles(path)
    if not len(corners):
        return None, None
    scale = np.ones(3) if element.scale is None else np.ones(3) * element.scale
    bounds = solids.around((corners * scale) @ place[:3, :3].T + place[:3, 3])
    return bounds, None if volume is None else volume * float(abs(np.prod(scale)))


def found(file: Path, name: str) -> Path:
    """Returns the file of a mesh: packages are beside the robot's file or above it."""
    tail = name.split("://", 1)[1].lstrip("/") if "://" in name else name
    if name.startswith("file://"):
        return Path("/" + tail)
    # A package may have another name, or lack the folders above it.
    words = tail.split("/")
    for dropped in range(len(words)):
        for folder in file.resolve().parents:
            candidate = folder.joinpath(*words[dropped:])
            if candidate.is_file():
                return candidate
    raise FileNotFoundError(f"{file}: the mesh {name}")


@lru_cache(maxsize=256)
def triangles(path: Path) -> tuple[Floats, Optional[float]]:
    """Returns the vertices of the triangles of a file, and the volume if they are closed."""
    loaded = trimesh.load(path, force="mesh", process=False)
    assert isinstance(loaded, trimesh.Trimesh), path
    corners = np.asarray(loaded.vertices)[np.unique(loaded.faces)] if len(loaded.faces) else np.empty((0, 3))
    loaded.merge_vertices(merge_tex=True, merge_norm=True, digits_vertex=12)
    closed = len(loaded.faces) > 0 and loaded.is_watertight and loaded.is_winding_consistent
    return corners, abs(float(loaded.volume)) if closed else None


def tested(robot: Any, links: dict[str, Link]) -> set[Pair]:
    """Returns pairs of links with geometry that can move against each other and are not adjacent.

    Links connected by fixed joints are one piece. Pieces are adjacent if only pieces without
    geometry are between them in the tree."""
    joint_of = {joint.child: joint for joint in robot.joints}
    piece: dict[str, str] = {}
    for link in links:
        top = link
        while top in joint_of and joint_of[top].type == "fixed":
            top = joint_of[top].parent
        piece[link] = top
    has_geometry = {piece[name] for name, link in links.items() if link.bounds is not None}
    above: dict[str, Optional[str]] = {}
    for top in set(piece.values()):
        at: Optional[str] = top
        while at is not None:
            at = piece[joint_of[at].parent] if at in joint_of else None
            if at in has_geometry:
                break
        above[top] = at
    names = sorted(name for name, link in links.items() if link.bounds is not None)
    found = set()
    for index, a in enumerate(names):
        for b in names[index + 1 :]:
            p, q = piece[a], piece[b]
            if p != q and above[p] != q and above[q] != p:
                found.add(pair(a, b))
    return found
