"""Types of the compiled half; help(boxwood.Robot) has the same words."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Literal, Optional, Union, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import TypeAlias

from ._results import Closest, Contacts, Pairs, Separations

__all__ = ["Accuracy", "Body", "BoxwoodError", "Pair", "Robot", "World", "__version__"]

__version__: str

_FileOrBytes: TypeAlias = Union[str, PathLike[str], bytes]
_Bools: TypeAlias = NDArray[np.bool_]
_Floats: TypeAlias = NDArray[np.float64]
_Ints: TypeAlias = NDArray[np.int64]

class BoxwoodError(ValueError):
    """A value, a file or a question that was refused; nothing was computed.

    The message says why; the attributes are None where they do not apply."""

    row: Optional[int]
    """The row of the batch, counted from 0."""
    index: Optional[int]
    """The element of a row or of a list, counted from 0."""
    part: Optional[str]
    """The part, link or actuator."""
    file: Optional[str]
    """The file."""

@final
class Accuracy:
    """How accurate an answer is. Whatever is chosen, no contact is missed; it bounds how far apart
    the geometry of a reported pair can be. `Accuracy.exact()` is the default everywhere."""

    @staticmethod
    def exact() -> Accuracy:
        """Triangle against triangle; solids own their inside."""
    @staticmethod
    def depth(depth: int) -> Accuracy:
        """The boxes at that depth of each tree, 0 to 255; 0 is one box a part."""
    @staticmethod
    def within(length: float) -> Accuracy:
        """No reported pair is further apart than this length, in metres or the file's unit."""
    @staticmethod
    def budget(tests: int) -> Accuracy:
        """At most that many box tests a row; what is left open counts as touching."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Robot:
    """A robot from a URDF or an MJCF file. A configuration is a row of joint values, one for each
    of `actuators`, radians or metres; a batch is [N, dof] float64 in any layout, or [dof] for one.
    Immutable; share it between threads, pickle it for other processes."""

    @staticmethod
    def urdf(
        file: _FileOrBytes,
        *,
        srdf: Optional[_FileOrBytes] = None,
        packages: Optional[Mapping[str, Union[str, PathLike[str]]]] = None,
        folder: Union[str, PathLike[str], None] = None,
        solid: bool = True,
        ignore_neighbours: Optional[int] = None,
        link_shapes: Literal["collision", "visual", "collision_or_visual"] = "collision",
        allow_empty: bool = False,
    ) -> Robot:
        """Loads a URDF file with its meshes (STL, OBJ, DAE, glTF), a path or the bytes of the file.

        srdf: an SRDF file, path or bytes, whose disabled pairs are not tested.
        packages: folders of packages by name; other names are looked up beside and above the file.
        folder: where meshes of bytes are looked up.
        solid: whether meshes own their inside.
        ignore_neighbours: links within that many joints that move are not tested, 1 if None, nor
        are links that fixed joints join.
        link_shapes: which elements of a link are its geometry.
        allow_empty: whether a robot of which no link can collide is loaded, for its kinematics
        alone."""
    @staticmethod
    def mjcf(
        file: _FileOrBytes,
        *,
        groups: bool = True,
        ignore_neighbours: Optional[int] = None,
        allow_empty: bool = False,
        convex_meshes: bool = True,
        link_shapes: Literal["collision", "visual", "collision_or_visual"] = "collision",
    ) -> Robot:
        """Loads an MJCF file, MuJoCo's, a path or the bytes of the file. groups: whether `contype`
        and `conaffinity` decide who is tested. convex_meshes: whether meshes become their convex
        hulls, as in MuJoCo. link_shapes: with "visual", shapes that collide with nothing are the
        geometry. ignore_neighbours: as for `urdf`, but None leaves it to the file: 1, or 0 if its
        flag `filterparent` is disabled. allow_empty: as for `urdf`."""
    @staticmethod
    def baked(file: _FileOrBytes) -> Robot:
        """A robot from what `bake` wrote, a path or bytes: milliseconds, needs no other file."""
    def bake(self) -> bytes:
        """The robot as bytes, trees included; `pickle` uses them."""
    @property
    def dof(self) -> int:
        """The number of joint values of a configuration."""
    @property
    def actuators(self) -> list[str]:
        """The names of the joint values, in the order of a configuration. Joints that mimic others
        have none of their own."""
    @property
    def limits(self) -> _Floats:
        """The least and greatest joint values, [dof, 2], radians or metres; infinite without
        limits."""
    @property
    def rest(self) -> _Floats:
        """Zero for every joint, or the limit nearest to it: [dof]."""
    @property
    def parts(self) -> list[str]:
        """The names of the parts, which are the links."""
    @property
    def part_bounds(self) -> _Floats:
        """The box around the geometry of every part in the part's own frame, [parts, 2, 3]: the
        least and the greatest coordinates (metres), nan for a part without geometry."""
    @property
    def part_volumes(self) -> _Floats:
        """The volume of every part (cubic metres), [parts]: the sum over its solids, so that an
        overlap of two counts twice; zero for surfaces and for a part without geometry."""
    @property
    def tested_pairs(self) -> _Ints:
        """The pairs of parts that are tested against each other, [K, 2], the lesser first."""
    @property
    def warnings(self) -> list[str]:
        """What the file has and the robot approximates or leaves out."""
    @property
    def fingerprint(self) -> int:
        """A number that tells robots' geometry and rules apart, the same on every machine."""
    @property
    def body(self) -> Body:
        """The parts as a body, for `Pair` and `World`; its places are those of `poses`."""
    def with_margins(
        self, margin: float = 0.0, pairs: Optional[Mapping[tuple[str, str], float]] = None
    ) -> Robot:
        """A copy whose parts count as touching where they are no further apart than `margin`
        (metres), or than that of their pair: {("hand", "link5"): 0.02}. Questions may ask for
        more."""
    def with_ignored(self, pairs: Sequence[tuple[str, str]]) -> Robot:
        """A copy that does not test these pairs of parts, by name: [("hand", "link5")]. The trees
        are shared."""
    def with_tested(self, pairs: Sequence[tuple[str, str]]) -> Robot:
        """A copy that tests these pairs of parts although they are ignored, by name."""
    def scaled(self, factor: float) -> Robot:
        """A copy with all lengths times `factor`, margins too; trees are scaled, not built. Joint
        values mean what they did: for the same value a slide goes that many times as far."""
    def collides(
        self,
        q: ArrayLike,
        *,
        world: Optional[World] = None,
        accuracy: Optional[Accuracy] = None,
        margin: float = 0.0,
        self_collision: bool = True,
        threads: int = 0,
    ) -> _Bools:
        """Which configurations collide, with themselves or with the world: [N] bool.

        q: [N, dof] or [dof].
        margin: parts no further apart (metres) collide, too.
        self_collision: whether the robot's parts are asked about each other.
        threads: 0 for all cores, 1 for none besides this."""
    def pairs(
        self,
        q: ArrayLike,
        *,
        world: Optional[World] = None,
        accuracy: Optional[Accuracy] = None,
        margin: float = 0.0,
        self_collision: bool = True,
        threads: int = 0,
    ) -> Pairs:
        """Which parts touch, in order of row, a, b. a and b are indices of `parts`; len(parts) + i
        is item i of the world. Options as `collides`."""
    def distance(
        self,
        q: ArrayLike,
        *,
        max_distance: float = ...,
        world: Optional[World] = None,
        accuracy: Optional[Accuracy] = None,
        self_collision: bool = True,
        threads: int = 0,
    ) -> _Floats:
        """How far the nearest two parts are apart, or a part and the world: [N], metres, zero where
        two touch, inf beyond `max_distance` (the smaller, the faster). No margin counts."""
    def closest(
        self,
        q: ArrayLike,
        *,
        max_distance: float = ...,
        world: Optional[World] = None,
        accuracy: Optional[Accuracy] = None,
        self_collision: bool = True,
        threads: int = 0,
    ) -> Closest:
        """The closest points, a row each; a and b as those of `pairs`, -1 and nan beyond
        `max_distance`. Points are in the world."""
    def poses(self, q: ArrayLike, *, threads: int = 1) -> _Floats:
        """Forward kinematics: the pose of every part, [N, parts, 7], part to world: position x, y,
        z in metres, then the rotation as a quaternion x, y, z, w."""
    def sample(self, n: int, seed: int = 0) -> _Floats:
        """Random configurations within the limits (between -pi and pi where there are none),
        [n, dof], evenly spread; the same for a seed on every machine."""
    def edges(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        step: ArrayLike,
        *,
        world: Optional[World] = None,
        accuracy: Optional[Accuracy] = None,
        margin: float = 0.0,
        self_collision: bool = True,
        threads: int = 0,
    ) -> _Floats:
        """Where straight edges from q0 to q1 first collide: [N], the fraction of the way of the
        first colliding configuration tried, nan if none is.

        Tried are both ends and as many evenly spaced between that no joint moves by more than
        `step` (radians or metres, a number or [dof]); what lies between two of these is not looked
        at. Options as `collides`."""

@final
class Body:
    """Rigid parts with their trees of boxes: a character from a glTF file, a mesh, boxes, the parts
    of a robot. Immutable; share it between threads, pickle it for other processes."""

    @staticmethod
    def gltf(file: _FileOrBytes, *, solid: bool = True) -> Body:
        """A character from a glTF 2.0 file, a path or the bytes of a .glb: a part for every joint,
        in the file's units (metres, Y up). solid: whether meshes own their inside."""
    @staticmethod
    def obj(file: _FileOrBytes, *, solid: bool = True) -> Body:
        """A mesh from an OBJ file, a path or its bytes: one part."""
    @staticmethod
    def stl(file: _FileOrBytes, *, solid: bool = True) -> Body:
        """A mesh from an STL file, a path or its bytes: one part."""
    @staticmethod
    def mesh(vertices: ArrayLike, faces: ArrayLike, *, solid: bool = True) -> Body:
        """A mesh of vertices [V, 3] and faces [F, 3] (indices of vertices): one part. solid: it
        owns its inside; holes are capped and named in `warnings`, triangles that face inward are
        turned."""
    @staticmethod
    def boxes(
        centers: ArrayLike, half_extents: ArrayLike, rotations: Optional[ArrayLike] = None
    ) -> Body:
        """Solid boxes as one part: centers [K, 3] and half_extents [K, 3] (or one [3] for all),
        turned by quaternions x, y, z, w [K, 4] (or one [4]; by default not turned)."""
    @staticmethod
    def baked(file: _FileOrBytes) -> Body:
        """A body from what `bake` wrote, a path or bytes: milliseconds, needs no other file."""
    def scaled(self, factor: float) -> Body:
        """A copy with all lengths times `factor`, clips too; trees are scaled, not built: 0.001
        makes metres of millimetres."""
    def bake(self) -> bytes:
        """The body as bytes, trees included; `pickle` uses them."""
    @staticmethod
    def _again(bytes: bytes, warnings: Sequence[str]) -> Body: ...
    @property
    def parts(self) -> list[str]:
        """The names of the parts."""
    @property
    def bind_poses(self) -> _Floats:
        """The poses of the parts in the model, [parts, 7], as the file has them."""
    @property
    def clips(self) -> dict[str, float]:
        """The clips of the file: name to duration in seconds."""
    @property
    def warnings(self) -> list[str]:
        """What the file has and the body approximates or leaves out."""
    @property
    def fingerprint(self) -> int:
        """A number that tells bodies apart, the same on every machine."""
    def poses(
        self, clip: str, times: ArrayLike, *, looped: bool = False, threads: int = 1
    ) -> _Floats:
        """The poses of the parts at times [N] (seconds) of a clip: [N, parts, 7], part to model.
        looped: whether times go round, else they stop at the ends."""

@final
class World:
    """Bodies that stand still around a robot: `World([body, (body, pose), ...])`, each where its
    pose puts it (7 numbers: position x, y, z, then the quaternion x, y, z, w), by default at the
    origin. Immutable; share it between threads, pickle it for other processes."""

    def __new__(cls, items: Iterable[Union[Body, tuple[Body, Optional[ArrayLike]]]]) -> World: ...
    def __len__(self) -> int: ...
    @property
    def poses(self) -> _Floats:
        """Where the items stand: [items, 7]."""

@final
class Pair:
    """Two bodies, for batches of places. `at_a` and `at_b` say where each is: None (as the file has
    it), [7] or [N, 7] (the model as a whole: position x, y, z, quaternion x, y, z, w) or
    [N, parts, 7] (every part: of `Body.poses`, `Robot.poses`). A batch of one stands for all
    rows."""

    def __new__(cls, a: Body, b: Body) -> Pair: ...
    def touching(
        self,
        at_a: Optional[ArrayLike] = None,
        at_b: Optional[ArrayLike] = None,
        *,
        accuracy: Optional[Accuracy] = None,
        margin: float = 0.0,
        threads: int = 0,
    ) -> _Bools:
        """Whether they touch, or are no further apart than `margin`: [N] bool."""
    def distance(
        self,
        at_a: Optional[ArrayLike] = None,
        at_b: Optional[ArrayLike] = None,
        *,
        max_distance: float = ...,
        accuracy: Optional[Accuracy] = None,
        threads: int = 0,
    ) -> _Floats:
        """How far they are apart: [N], zero where they touch, inf beyond `max_distance`."""
    def closest(
        self,
        at_a: Optional[ArrayLike] = None,
        at_b: Optional[ArrayLike] = None,
        *,
        max_distance: float = ...,
        accuracy: Optional[Accuracy] = None,
        threads: int = 0,
    ) -> Closest:
        """The closest points, a row each; a and b are parts, -1 and nan beyond `max_distance`."""
    def contacts(
        self,
        at_a: Optional[ArrayLike] = None,
        at_b: Optional[ArrayLike] = None,
        *,
        accuracy: Optional[Accuracy] = None,
        threads: int = 0,
    ) -> Contacts:
        """The contacts of parts, in order of row and parts. Point, normal (from a to b) and depth
        are those of boxes, not of the bodies: for a way out ask for `separation`."""
    def separation(
        self,
        at_a: Optional[ArrayLike] = None,
        at_b: Optional[ArrayLike] = None,
        *,
        along: Optional[ArrayLike] = None,
        across: Optional[ArrayLike] = None,
        threads: int = 0,
    ) -> Separations:
        """A short way to move b until the two are apart, a row each: depth 0, normal nan and parts
        -1 where they do not touch. Moved by more than `normal * depth`, b is surely apart from a.

        along: that direction, [3] or [N, 3], any length.
        across: any direction at right angles to that one (the ground, if it is up).
        By default any direction."""
