"""Robots in Pinocchio and coal: models, configurations, verdicts."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

import boxwood

Floats = NDArray[np.float64]


def unpacked(urdf: Path, package: Path, name: str, folder: Path) -> Path:
    """Copies the URDF file to a folder, with paths in place of its `package://` names."""
    place = folder / "example-robot-data/robots"
    place.mkdir(parents=True, exist_ok=True)
    if not (place / name).exists():
        (place / name).symlink_to(package, target_is_directory=True)
    copied = folder / urdf.name
    copied.write_text(urdf.read_text().replace("package:///", "package://"))
    return copied


class Peer:
    """Robot of Pinocchio with the pairs of links that a robot of boxwood tests."""

    def __init__(self, urdf: Path, packages: Path, robot: boxwood.Robot) -> None:
        self.model = pin.buildModelFromUrdf(str(urdf))
        self.geometry = pin.buildGeomFromUrdf(
            self.model, str(urdf), pin.GeometryType.COLLISION, package_dirs=str(packages)
        )
        self.robot = robot
        objects = list(self.geometry.geometryObjects)
        links = [self.model.frames[own.parentFrame].name for own in objects]
        self.of_link = {part: [i for i, link in enumerate(links) if link == part] for part in robot.parts}
        for a, b in robot.tested_pairs:
            for i in self.of_link[robot.parts[a]]:
                for j in self.of_link[robot.parts[b]]:
                    self.geometry.addCollisionPair(pin.CollisionPair(min(i, j), max(i, j)))
        root = xml.parse(urdf).getroot()
        self.mimic = {
            joint.get("name"): (
                rule.get("joint"),
                float(rule.get("multiplier", "1")),
                float(rule.get("offset", "0")),
            )
            for joint in root.iter("joint")
            if (rule := joint.find("mimic")) is not None
        }

    def configurations(self, q: Floats) -> Floats:
        """Returns Pinocchio's configurations: joints by name, with mimics, continuous joints as
        cosine and sine."""
        column = {name: q[:, i] for i, name in enumerate(self.robot.actuators)}
        out = np.zeros((len(q), self.model.nq))
        for joint in range(1, self.model.njoints):
            name, at = self.model.names[joint], self.model.joints[joint].idx_q
            source, factor, offset = self.mimic.get(name, (name, 1.0, 0.0))
            value = factor * column[source] + offset
            if self.model.joints[joint].nq == 2:
                out[:, at], out[:, at + 1] = np.cos(value), np.sin(value)
            else:
                out[:, at] = value
        return out

    def collides(self, q: Floats, threads: int = 1) -> NDArray[np.bool_]:
        """Returns the verdicts of its fastest call: a pool of broad-phase managers."""
        kind = pin.BroadPhaseManagerPool_DynamicAABBTreeCollisionManager
        pool = kind(self.model, self.geometry, threads)
        columns = np.asfortranarray(self.configurations(q).T)
        hit = pin.computeCollisionsInParallel(threads, pool, columns, True, False)
        return np.asarray(hit, dtype=bool)

    def touching(self, row: Floats) -> set[tuple[str, str]]:
        """Returns the pairs of links that touch in one configuration."""
        data, at = self.model.createData(), self.geometry.createData()
        pin.computeCollisions(
            self.model, data, self.geometry, at, self.configurations(row[None])[0], False
        )
        found = set()
        for index, pair in enumerate(self.geometry.collisionPairs):
            if at.collisionResults[index].isCollision():
                objects = [self.geometry.geometryObjects[i] for i in (pair.first, pair.second)]
                a, b = sorted(self.model.frames[own.parentFrame].name for own in objects)
                found.add((a, b))
        return found

    def poses(self, row: Floats) -> dict[str, Any]:
        """Returns the pose of every link."""
        data = self.model.createData()
        pin.framesForwardKinematics(self.model, data, self.configurations(row[None])[0])
        return {frame.name: data.oMf[i] for i, frame in enumerate(self.model.frames)}

    def triangles(self, row: Floats, link: str) -> Floats:
        """Returns vertices of a link's triangles in the world, [F, 3, 3]; boxes as triangles."""
        data, at = self.model.createData(), self.geometry.createData()
        q = self.configurations(row[None])[0]
        pin.updateGeometryPlacements(self.model, data, self.geometry, at, q)
        out = []
        for index in self.of_link[link]:
            own = self.geometry.geometryObjects[index]
            corners, faces = mesh_of(own.geometry)
            place = at.oMg[index]
            out.append((corners @ place.rotation.T + place.translation)[faces])
        return np.concatenate(out)


def mesh_of(shape: Any) -> tuple[Floats, NDArray[np.int64]]:
    """Returns the vertices and faces of a mesh or a box of coal."""
    if isinstance(shape, coal.Box):
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * shape.halfSide
        quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
        halves = [t for a, b, c, d in quads for t in ([a, b, c], [a, c, d])]
        return corners, np.array(halves)
    corners = np.array([shape.vertex(i) for i in range(shape.num_vertices)])
    faces = np.array([[shape.tri_indices(i)[k] for k in range(3)] for i in range(shape.num_tris)])
    return corners, faces


def winding(points: Floats, triangles: Floats) -> Floats:
    """Returns winding numbers of a closed surface around points: 0 outside. They are sums of the
    solid angles of its triangles (Van Oosterom and Strackee, 1983)."""
    a, b, c = (triangles[None, :, k] - points[:, None] for k in range(3))
    x, y, z = (np.linalg.norm(v, axis=-1) for v in (a, b, c))
    volume = np.einsum("ijk,ijk->ij", a, np.cross(b, c))
    dots = [np.einsum("ijk,ijk->ij", p, q) for p, q in ((a, b), (b, c), (c, a))]
    angle = 2 * np.arctan2(volume, x * y * z + dots[0] * z + dots[1] * x + dots[2] * y)
    return np.asarray(np.abs(angle.sum(axis=1)) / (4 * np.pi))
