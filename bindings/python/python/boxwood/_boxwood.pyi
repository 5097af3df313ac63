"""Types of the compiled half; `help(boxwood.Robot)` has similar texts."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Literal, Optional, Union, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import TypeAlias

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
    "CollisionMatrix",
    "Pair",
    "Robot",
    "World",
    "__version__",
]

__version__: str

_FileOrBytes: TypeAlias = Union[str, PathLike[str], bytes]
_Bools: TypeAlias = NDArray[np.bool_]
_Floats: TypeAlias = NDArray[np.float64]
_Ints: TypeAlias = NDArray[np.int64]

class BoxwoodError(ValueError):
    """A refused value, file or query; nothing was computed.

    The message has the reason; the attributes are None where they do not apply."""

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
    """Accuracy of an answer. No accuracy misses a contact; it bounds the distance of the geometries
    of a reported pair. `Accuracy.exact()` is the default everywhere."""

    @staticmethod
    def exact() -> Accuracy:
        """Tests triangles against triangles; solids include their inside."""
    @staticmethod
    def depth(depth: int) -> Accuracy:
        """Tests the boxes at a depth of each tree, 0 to 255; 0 is one box a part."""
    @staticmethod
    def within(length: float) -> Accuracy:
        """Reports no pair further apart than this length, in metres or the file's unit."""
    @staticmethod
    def budget(tests: int) -> Accuracy:
        """Tests at most this many boxes a row; undecided pairs count as touching."""
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
        """Loads a URDF file with its meshes (STL, OBJ, DAE, glTF), a path, or the bytes or the text of the
        file.

        srdf: an SRDF file, path or bytes, whose disabled pairs are not tested.
        packages: folders of packages by name; other names are searched beside and above the file.
        folder: where meshes of bytes are searched.
        solid: meshes include their inside.
        ignore_neighbours: links within this many moving joints are not tested, 1 if None; links
        that fixed joints connect are not tested either.
        link_shapes: the elements of a link that are its geometry.
        allow_empty: also loads a robot of which no link can collide, for its kinematics alone."""
    @staticmethod
    def mjcf(
        file: _FileOrBytes,
        *,
        groups: bool = True,
        ignore_neighbours: Optional[int] = None,
        allow_empty: bool = False,
        convex_meshes: bool = True,
        link_shapes: Literal["collision", "visual", "collision_or_visual"] = "collision",
        planes: Optional[float] = None,
    ) -> Robot:
        """Loads an MJCF file of MuJoCo, a path, or the bytes or the text of the file. groups: `contype` and
        `conaffinity` decide which pairs are tested. convex_meshes: meshes become their convex
        hulls, as in MuJoCo. link_shapes: with "visual", shapes that collide with nothing are the
        geometry. ignore_neighbours: as for `urdf`, but None uses that of the file: 1, or 0 if its
        flag `filterparent` is disabled. allow_empty: as for `urdf`. planes: length up to which the
        half-space below a plane is a part of the world, a cube; None leaves planes out."""
    @staticmethod
    def baked(file: _FileOrBytes) -> Robot:
        """Loads a robot from the output of `bake`, a path or bytes: milliseconds, needs no other
        file."""
    def bake(self) -> bytes:
        """Returns the robot as bytes, trees included; `pickle` uses them."""
    @property
    def dof(self) -> int:
        """Number of joint values of a configuration."""
    @property
    def actuators(self) -> list[str]:
        """Names of the joint values, in the order of a configuration. Joints that mimic others have
        none of their own."""
    @property
    def limits(self) -> _Floats:
        """Least and greatest joint values, [dof, 2], radians or metres; infinite without limits."""
    @property
    def rest(self) -> _Floats:
        """Joint values at rest, [dof]: zero for every joint, or the limit nearest to it."""
    @property
    def parts(self) -> list[str]:
        """Names of the parts, which are the links."""
    @property
    def part_bounds(self) -> _Floats:
        """Box around the geometry of every part in the part's own frame, [parts, 2, 3]: the least
        and the greatest coordinates (metres), nan for a part without geometry."""
    @property
    def part_volumes(self) -> _Floats:
        """Volume of every part (cubic metres), [parts]: the sum over its solids, so that an overlap
        of two counts twice; zero for surfaces and for a part without geometry."""
    @property
    def tested_pairs(self) -> _Ints:
        """Pairs of parts that are tested against each other, [K, 2], the lower index first."""
    @property
    def warnings(self) -> list[str]:
        """Features of the file that the robot approximates or omits."""
    @property
    def fingerprint(self) -> int:
        """Number that identifies the robot's geometry and rules, the same on every machine."""
    @property
    def body(self) -> Body:
        """Parts as a body, for `Pair` and `World`; its poses are those of `poses`."""
    def with_margins(
        self, margin: float = 0.0, pairs: Optional[Mapping[tuple[str, str], float]] = None
    ) -> Robot:
        """Returns a copy whose parts count as touching if they are no further apart than `margin`
        (metres), or than the margin of their pair: {("hand", "link5"): 0.02}. Queries may set a
        larger margin."""
    def with_ignored(self, pairs: Sequence[tuple[str, str]]) -> Robot:
        """Returns a copy that does not test these pairs of parts, by name: [("hand", "link5")]. The
        trees are shared."""
    def with_tested(self, pairs: Sequence[tuple[str, str]]) -> Robot:
        """Returns a copy that tests these pairs of parts although they are ignored, or their masks
        have no common bit, by name."""
    def with_attached(
        self,
        name: str,
        body: Body,
        link: str,
        pose: Optional[ArrayLike] = None,
        *,
        touch_links: Sequence[str] = ...,
    ) -> Robot:
        """Returns a copy that holds a body: each of its parts becomes a part behind the robot's
        own, fixed to `link`, called `name` or, of several, `name/part`. The trees are copied. The new
        parts are tested against all parts but each other, `link` and `touch_links`, with the
        margins of `link`. To let go, use the robot without it.

        pose: pose of the body in the frame of the link, 7 numbers.
        touch_links: parts that the body may touch: the fingers that hold it."""
    def scaled(self, factor: float) -> Robot:
        """Returns a copy with all lengths times `factor`, margins too; trees are scaled, not built.
        Joint values keep their meaning: the same value moves a slide `factor` times as far."""
    def collides(
        self,
        q: ArrayLike,
        *,
        world: Optional[World] = None,
        accuracy: Optional[Accuracy] = None,
        margin: float = 0.0,
        self_collision: bool = True,
        base: Optional[ArrayLike] = None,
        world_poses: Optional[ArrayLike] = None,
        threads: int = 0,
    ) -> _Bools:
        """Returns true for the configurations that collide, with themselves or with the world: [N]
        bool.

        q: [N, dof] or [dof].
        margin: parts no further apart (metres) collide, too.
        self_collision: tests the robot's parts against each other.
        base: pose of the robot's base in the world, [N, 7] or [7].
        world_poses: poses of the world's items, [N, items, 7] or [items, 7], instead of its own.
        Where rows have places of their own, one configuration serves them all.
        threads: 0 for all cores, 1 for this one alone."""
    def pairs(
        self,
        q: ArrayLike,
        *,
        world: Optional[World] = None,
        accuracy: Optional[Accuracy] = None,
        margin: float = 0.0,
        self_collision: bool = True,
        base: Optional[ArrayLike] = None,
        world_poses: Optional[ArrayLike] = None,
        threads: int = 0,
    ) -> Pairs:
        """Returns the touching parts, in order of row, a, b. a and b are indices of `parts`;
        len(parts) + i is entry i of `World.parts`. Options as `collides`."""
    def distance(
        self,
        q: ArrayLike,
        *,
        max_distance: float = ...,
        world: Optional[World] = None,
        accuracy: Optional[Accuracy] = None,
        self_collision: bool = True,
        base: Optional[ArrayLike] = None,
        world_poses: Optional[ArrayLike] = None,
        threads: int = 0,
    ) -> _Floats:
        """Returns the distance of the nearest two parts, or of a part and the world: [N], metres,
        zero where two touch, inf beyond `max_distance` (the smaller, the faster). Margins have no
        effect."""
    def closest(
        self,
        q: ArrayLike,
        *,
        max_distance: float = ...,
        world: Optional[World] = None,
        accuracy: Optional[Accuracy] = None,
        self_collision: bool = True,
        base: Optional[ArrayLike] = None,
        world_poses: Optional[ArrayLike] = None,
        threads: int = 0,
    ) -> Closest:
        """Returns the closest points, a row each; a and b as those of `pairs`, -1 and nan beyond
        `max_distance`. Points are in the world."""
    def distances(
        self,
        q: ArrayLike,
        max_distance: float,
        *,
        world: Optional[World] = None,
        self_collision: bool = True,
        base: Optional[ArrayLike] = None,
        world_poses: Optional[ArrayLike] = None,
        threads: int = 0,
    ) -> Distances:
        """Returns the signed distances of all pairs of parts no further apart than `max_distance`,
        a pair each, in order of row, then the robot's own pairs, a, b. Where parts overlap it is
        minus the length of the shortest way out that was found. gradient is the derivative of the
        distance by the joint values. Exact at every accuracy. With a world `max_distance` has to be
        finite."""
    def poses(self, q: ArrayLike, *, threads: int = 1) -> _Floats:
        """Computes forward kinematics: the pose of every part, [N, parts, 7], part to world:
        position x, y, z in metres, then the rotation as a quaternion x, y, z, w."""
    def sample(self, n: int, seed: int = 0) -> _Floats:
        """Returns random configurations within the limits (between -pi and pi where there are
        none), [n, dof], uniformly distributed; the same for a seed on every machine."""
    def check_edges(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        *,
        world: Optional[World] = None,
        margin: float = 0.0,
        tolerance: float = 0.001,
        self_collision: bool = True,
        first: bool = False,
        threads: int = 0,
        base: Optional[ArrayLike] = None,
    ) -> Edges:
        """Checks straight edges from q0 to q1 as a whole, against the robot itself and the world.

        Where `free` is true, it is proved that no tested parts touch on the whole edge, nor come
        within `margin` (metres) or their margin of `with_margins`; where `collides` is true, they
        do at the configuration `q` of the row. Both are false where two parts come so near that
        neither was shown: within `tolerance` (metres, above 0) beyond their margin; planners count
        that as a collision. a and b as those of `pairs`.

        q0, q1: [N, dof] or [dof]; a batch of one is used for all rows.
        first: searches the first collision of each edge instead of any, which takes longer.
        base: poses of the base in the world, [N, 7] or [7], at which it stands on the whole
        edge."""
    def check_path(
        self,
        q: ArrayLike,
        *,
        world: Optional[World] = None,
        margin: float = 0.0,
        tolerance: float = 0.001,
        self_collision: bool = True,
        base: Optional[ArrayLike] = None,
    ) -> PathEdge:
        """Checks the edges of a path through the configurations q, in order, up to the first that
        is not free. Options as `check_edges`; one base for all."""
    def matrix(
        self,
        samples: int = 10_000,
        seed: int = 1,
        *,
        margin: float = 0.0,
        splits: int = 200_000,
        resolution: float = 1e-5,
    ) -> CollisionMatrix:
        """Decides for every pair of links whether they touch at any joint values within the limits
        (between -pi and pi where there are none): never, always (both proved), sometimes (with a
        configuration), or undecided. Pairs that the robot ignores are decided too. Takes seconds
        for an arm, on one thread; Ctrl-C has no effect before it is done.

        samples: random configurations, and as many with values at the limits; what touches in one
        needs no proof.
        margin: parts no further apart (metres) touch; those of `with_margins` have no effect.
        splits: how often the proof of a pair may split the joint values.
        resolution: approach (metres) below which the proof of a pair stops."""
    def ignored_although_touching(self, matrix: CollisionMatrix) -> list[MatrixPair]:
        """Returns the pairs that this robot, loaded with an SRDF file, ignores although they touch
        at a configuration of a matrix, as `CollisionMatrix.pairs`, each with its witness: faults of
        the file, and neighbours. Pairs that touch in every sample are left out. The matrix may be
        that of the robot without the file, whose own `tested_pairs` tell which are neighbours."""
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
        base: Optional[ArrayLike] = None,
    ) -> _Floats:
        """Returns where straight edges from q0 to q1 first collide: [N], the fraction of the edge
        at the first tested configuration that collides, nan if none does.

        Tested are both ends and as many evenly spaced configurations between them that no joint
        moves by more than `step` (radians or metres, a number or [dof]). Nothing between two of
        these is tested, so thin parts and short contacts are missed; `check_edges` misses none.
        base as that of `check_edges`, other options as `collides`."""
    def motion(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        *,
        world: Optional[World] = None,
        tolerance: float = 0.001,
        margin: float = 0.0,
        self_collision: bool = True,
        threads: int = 0,
        base: Optional[ArrayLike] = None,
    ) -> EdgeImpacts:
        """Returns the first impact of every straight edge from q0 to q1, with itself or the world,
        with the points that touch and their normal; `check_edges` decides faster which edges are
        free. Nothing is sampled: where hit is false, all parts are proved apart on the whole edge,
        further than `margin` (metres).

        clear_until and time are shares of the edge; at `time` the two are no further apart than
        `slack`, which is at most `tolerance` (metres, above 0) unless met is false. a and b as those
        of `pairs`. Margins of `with_margins` are refused. base as that of `check_edges`."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Body:
    """Rigid parts with their trees of boxes: a character from a glTF file, a mesh, shapes, ground,
    a level, the parts of a robot. Immutable; share it between threads, pickle it for other
    processes."""

    @staticmethod
    def gltf(file: _FileOrBytes, *, solid: bool = True) -> Body:
        """Loads a character from a glTF 2.0 file, a path or the bytes of a .glb: a part for every
        joint, in the file's units (metres, Y up). solid: meshes include their inside."""
    @staticmethod
    def obj(file: _FileOrBytes, *, solid: bool = True) -> Body:
        """Loads a mesh from an OBJ file, a path or its bytes: one part."""
    @staticmethod
    def stl(file: _FileOrBytes, *, solid: bool = True) -> Body:
        """Loads a mesh from an STL file, a path or its bytes: one part."""
    @staticmethod
    def mesh(vertices: ArrayLike, faces: ArrayLike, *, solid: bool = True) -> Body:
        """Builds a mesh of vertices [V, 3] and faces [F, 3] (indices of vertices): one part. solid:
        it includes its inside; holes are capped and named in `warnings`, triangles that face inward
        are reversed."""
    @staticmethod
    def boxes(
        centers: ArrayLike, half_extents: ArrayLike, rotations: Optional[ArrayLike] = None
    ) -> Body:
        """Builds solid boxes as one part: centers [K, 3] and half_extents [K, 3] (or one [3] for
        all), rotated by quaternions x, y, z, w [K, 4] (or one [4]; by default not rotated)."""
    @staticmethod
    def spheres(centers: ArrayLike, radii: ArrayLike) -> Body:
        """Builds balls as one part: centers [K, 3] (or one [3] for all) and radii [K] (or a
        number)."""
    @staticmethod
    def capsules(starts: ArrayLike, ends: ArrayLike, radii: ArrayLike) -> Body:
        """Builds capsules as one part, all points within radii [K] (or a number) of the segments
        from starts [K, 3] to ends [K, 3] (or one [3] for all)."""
    @staticmethod
    def cylinders(starts: ArrayLike, ends: ArrayLike, radii: ArrayLike) -> Body:
        """Builds solid cylinders as one part, of radii [K] (or a number) about the segments from
        starts [K, 3] to ends [K, 3] (or one [3] for all), where their flat faces are."""
    @staticmethod
    def half_spaces(
        normals: ArrayLike, offsets: Optional[ArrayLike] = None, *, reach: float = 1000.0
    ) -> Body:
        """Builds half-spaces as one part: all points p with normal . p <= offset, for normals
        [K, 3] of any length (or one [3] for all) and offsets [K] (or a number), by default 0. They
        end at `reach` from the origin along each axis: choose it beyond all that may touch them."""
    @staticmethod
    def height_field(
        heights: ArrayLike,
        spacing: ArrayLike,
        *,
        base: Optional[float] = None,
        up: Literal["x", "y", "z"] = "z",
    ) -> Body:
        """Builds the ground from heights [rows, columns] on a grid: one part. The first height is
        at the origin; with z up, columns follow each other along x and rows along y, with y up
        along z and x, with x up along y and z. spacing: distances between columns and between rows
        [2], or one number. base: height down to which it is solid; without, it is a surface, and
        what is below does not touch it."""
    @staticmethod
    def map(
        file: _FileOrBytes, *, scale: float = 1.0, up: Literal["x", "y", "z"] = "z"
    ) -> list[Body]:
        """Loads the brushes of a level from a .map file of Quake, Quake II or Half-Life, a path or
        its bytes: one body of all that never moves, then one for each entity that may move (doors,
        trains), in its place in the file, a solid part for each brush. scale: times all lengths,
        0.03125 for metres. up: axis that points up in the result. Liquids and triggers are left
        out; what else the bodies omit or approximate is in `warnings` of the first."""
    @staticmethod
    def baked(file: _FileOrBytes) -> Body:
        """Loads a body from the output of `bake`, a path or bytes: milliseconds, needs no other
        file."""
    def scaled(self, factor: float) -> Body:
        """Returns a copy with all lengths times `factor`, clips too; trees are scaled, not built:
        0.001 converts millimetres to metres."""
    def bake(self) -> bytes:
        """Returns the body as bytes, trees included; `pickle` uses them."""
    @staticmethod
    def _again(bytes: bytes, warnings: Sequence[str]) -> Body: ...
    @property
    def parts(self) -> list[str]:
        """Names of the parts."""
    @property
    def bind_poses(self) -> _Floats:
        """Poses of the parts in the model, [parts, 7], from the file."""
    @property
    def clips(self) -> dict[str, float]:
        """Clips of the file: name to duration in seconds."""
    @property
    def warnings(self) -> list[str]:
        """Features of the file that the body approximates or omits."""
    @property
    def fingerprint(self) -> int:
        """Number that identifies the body, the same on every machine."""
    def poses(
        self, clip: str, times: ArrayLike, *, looped: bool = False, threads: int = 1
    ) -> _Floats:
        """Returns the poses of the parts at times [N] (seconds) of a clip: [N, parts, 7], part to
        model. looped: times wrap around, otherwise they are clamped to the ends."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class World:
    """Static bodies around a robot: `World([body, (body, pose), ...])`, each at its pose (7
    numbers: position x, y, z, then the quaternion x, y, z, w), by default at the origin. Immutable;
    share it between threads, pickle it for other processes."""

    def __new__(cls, items: Iterable[Union[Body, tuple[Body, Optional[ArrayLike]]]]) -> World: ...
    def __len__(self) -> int: ...
    def with_poses(self, poses: ArrayLike) -> World:
        """Returns a copy with the items at other poses, [items, 7]. Bodies are shared, and no tree
        is built or moved: it takes microseconds."""
    def moved(self, item: int, pose: ArrayLike) -> World:
        """Returns a copy with one item at another pose; like `with_poses`."""
    @property
    def poses(self) -> _Floats:
        """Poses of the items: [items, 7]."""
    @property
    def parts(self) -> list[tuple[int, str]]:
        """Parts of all items, in the order of answers: index of the item and name of the part,
        each."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class CollisionMatrix:
    """Verdicts on all pairs of links of a robot, over all joint values within the limits (between
    -pi and pi where there are none): the result of `Robot.matrix`. `len` is the number of pairs.
    Immutable. It cannot be pickled; pickle `Robot.with_ignored(matrix.never())` or `srdf`."""

    @property
    def pairs(self) -> list[MatrixPair]:
        """Verdicts, one for each pair of parts with geometry, also those that the robot ignores, in
        the order of `Robot.parts`."""
    @property
    def samples(self) -> int:
        """Number of random configurations, of which `MatrixPair.touching` counts."""
    @property
    def margin(self) -> float:
        """Distance up to which parts count as touching (metres)."""
    def never(self) -> list[tuple[str, str]]:
        """Returns the names of the pairs that are proved never to touch, for `Robot.with_ignored`:
        queries for collisions with no larger margin than `margin` have equal answers without them,
        queries for distances have not."""
    def srdf(self, name: str) -> str:
        """Returns the text of an SRDF file that disables the pairs that are proved to touch never,
        or always. name: that of the robot in its URDF file."""
    def __len__(self) -> int: ...

@final
class Pair:
    """Two bodies, for batches of poses. `at_a` and `at_b` are the poses of each: None (as in the
    file), [7] or [N, 7] (the model as a whole: position x, y, z, quaternion x, y, z, w) or [N,
    parts, 7] (every part: of `Body.poses`, `Robot.poses`). A batch of one is used for all rows."""

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
        """Returns true where they touch, or are no further apart than `margin`: [N] bool."""
    def distance(
        self,
        at_a: Optional[ArrayLike] = None,
        at_b: Optional[ArrayLike] = None,
        *,
        max_distance: float = ...,
        accuracy: Optional[Accuracy] = None,
        threads: int = 0,
    ) -> _Floats:
        """Returns their distance: [N], zero where they touch, inf beyond `max_distance`."""
    def closest(
        self,
        at_a: Optional[ArrayLike] = None,
        at_b: Optional[ArrayLike] = None,
        *,
        max_distance: float = ...,
        accuracy: Optional[Accuracy] = None,
        threads: int = 0,
    ) -> Closest:
        """Returns the closest points, a row each; a and b are parts, -1 and nan beyond
        `max_distance`."""
    def contacts(
        self,
        at_a: Optional[ArrayLike] = None,
        at_b: Optional[ArrayLike] = None,
        *,
        accuracy: Optional[Accuracy] = None,
        threads: int = 0,
    ) -> Contacts:
        """Returns the contacts of parts, in order of row and parts. Point, normal (from a to b) and
        depth are those of the two parts, measured exactly. `separation` moves whole bodies apart."""
    def separation(
        self,
        at_a: Optional[ArrayLike] = None,
        at_b: Optional[ArrayLike] = None,
        *,
        along: Optional[ArrayLike] = None,
        across: Optional[ArrayLike] = None,
        threads: int = 0,
    ) -> Separations:
        """Returns a short translation of b that separates the two, a row each: depth 0, normal nan
        and parts -1 where they do not touch. Moved by more than `normal * depth`, b is certainly
        separate from a.

        along: this direction, [3] or [N, 3], any length.
        across: any direction perpendicular to this one (the ground, if it is up).
        By default any direction."""
    def motion(
        self,
        from_a: Optional[ArrayLike] = None,
        to_a: Optional[ArrayLike] = None,
        from_b: Optional[ArrayLike] = None,
        to_b: Optional[ArrayLike] = None,
        *,
        path: Literal["joints", "parts"] = "joints",
        tolerance: float = 0.001,
        margin: float = 0.0,
        threads: int = 0,
    ) -> Impacts:
        """Returns the first impact of every row while both bodies move, from the poses `from_a` and
        `from_b` to `to_a` and `to_b`. Nothing is sampled: where hit is false, the two are proved
        apart during the whole motion, further than `margin`.

        clear_until and time are shares of the motion, 0 to 1; at `time` the two are no further apart
        than `slack`, which is at most `tolerance` (above 0) unless met is false.
        Poses as everywhere in Pair; None for `to_a` or `to_b`: that body stands still.
        path: "joints", every part moves relative to its parent part, or "parts", relative to the
        world; offsets linearly, rotations along the shorter arc, at constant rates."""
