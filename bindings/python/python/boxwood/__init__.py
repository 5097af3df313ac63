"""Collision checks of robots and characters, in batches.

    import boxwood

    robot = boxwood.Robot.urdf("panda.urdf", srdf="panda.srdf")
    q = robot.sample(100_000, seed=1)       # [N, dof] float64
    hit = robot.collides(q)                 # [N] bool

Queries never miss a contact, run on all cores without the interpreter's lock, and return the same
bits for any number of threads and any layout of their arrays. Lengths are metres or the file's
unit, angles radians, poses 7 numbers: position x, y, z, then the rotation as a quaternion x, y, z,
w. Refused input raises BoxwoodError, a ValueError that names the row, the part, the file.
"""

from ._boxwood import (
    Accuracy,
    Body,
    BoxwoodError,
    CollisionMatrix,
    Pair,
    Robot,
    World,
    __version__,
)
from ._results import (
    Closest,
    Contacts,
    Distances,
    EdgeImpacts,
    Edges,
    Impacts,
    MatrixPair,
    Pairs,
    PathEdge,
    Separations,
)

__all__ = [
    "Accuracy",
    "Body",
    "BoxwoodError",
    "Closest",
    "CollisionMatrix",
    "Contacts",
    "Distances",
    "EdgeImpacts",
    "Edges",
    "Impacts",
    "MatrixPair",
    "Pair",
    "Pairs",
    "PathEdge",
    "Robot",
    "Separations",
    "World",
    "__version__",
]
