"""Robots as MuJoCo compiles them.

Source of the rule for pairs: the documentation of MuJoCo, computation chapter, collision detection,
"Selection"."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np
from scipy.spatial import ConvexHull, QhullError

from . import solids
from .compare import Facts, Floats, Link, Pair, Touches, matrices, pair

if TYPE_CHECKING:
    import boxwood

# Converted to numbers: NumPy's integers are not equal to the enumerations.
_Geom, _Joint, _Equality = (
    {name: int(value) for name, value in kind.__members__.items()}
    for kind in (mujoco.mjtGeom, mujoco.mjtJoint, mujoco.mjtEq)
)
# Shapes that boxwood omits with a warning.
UNBOUNDED = {_Geom["mjGEOM_PLANE"], _Geom["mjGEOM_HFIELD"], _Geom["mjGEOM_SDF"]}
# Depth of a contact that counts as touching [m]; what is nearer to 0 may be decided either way.
GRAZE = 1e-6
# Length of the half-space below a plane [m], where planes are compared too.
PLANES = 1000.0


def compiled(file: Path) -> Any:
    """Compiles a file; raises MuJoCo's error if it refuses the file."""
    return mujoco.MjModel.from_xml_path(str(file))


def facts(model: Any, robot: boxwood.Robot, q: Floats) -> Facts:
    """Returns MuJoCo's facts about the robot at rows of the joint values of boxwood."""
    names = link_names(model, robot.parts)
    data = mujoco.MjData(model)
    places, turns = np.empty((len(q), model.nbody, 3)), np.empty((len(q), model.nbody, 4))
    for row, values in enumerate(configurations(model, robot, q)):
        data.qpos[:] = values
        mujoco.mj_kinematics(model, data)
        places[row], turns[row] = data.xpos, data.xquat[:, [1, 2, 3, 0]]
    poses = matrices(places, turns)
    solid = {body: colliding(model, body) for body in range(model.nbody)}
    links = {}
    for body, name in names.items():
        if body > 0 or solid[0]:
            links[name] = shaped(model, poses[:, body], solid[body])
    masks = {body: {mask(model, geom) for geom in geoms} for body, geoms in solid.items()}
    mixed = {names[body] for body, own in masks.items() if len(own) > 1}
    return Facts(links, tested(model, names, masks), mixed)


def link_names(model: Any, parts: list[str]) -> dict[int, str]:
    """Returns boxwood's names of the bodies. Bodies without a name are in the order of the file."""
    names, at = {0: "world"}, 0
    for body in range(1, model.nbody):
        name = model.body(body).name
        if not name:
            nameless = (i for i in range(at, len(parts)) if re.fullmatch(r"body \d+", parts[i]))
            index = next(nameless, None)
            name = f"nameless body {body}" if index is None else parts[index]
        at = parts.index(name) + 1 if name in parts else at
        names[body] = name
    return names


def configurations(model: Any, robot: boxwood.Robot, q: Floats) -> Floats:
    """Returns the positions of all joints: those with a value by name, coupled ones by their
    equation, free and ball joints as in the file."""
    column = {name: q[:, index] for index, name in enumerate(robot.actuators)}
    out = np.tile(model.qpos0, (len(q), 1))
    valued = [j for j in range(model.njnt) if model.jnt_type[j] in (_Joint["mjJNT_HINGE"], _Joint["mjJNT_SLIDE"])]
    for count, joint in enumerate(valued):
        name = model.joint(joint).name or f"joint {count}"
        if name in column:
            out[:, model.jnt_qposadr[joint]] = column[name]
    # A coupled joint may drive another: repeated for as many rounds as there are equations.
    coupled = [e for e in range(model.neq) if model.eq_type[e] == _Equality["mjEQ_JOINT"]]
    for _ in coupled:
        for equation in coupled:
            first, second = int(model.eq_obj1id[equation]), int(model.eq_obj2id[equation])
            at = model.jnt_qposadr[first]
            if (model.joint(first).name or "") in column or not model.eq_active0[equation]:
                continue
            lead = np.zeros(len(q))
            if second >= 0:
                source = model.jnt_qposadr[second]
                lead = out[:, source] - model.qpos0[source]
            out[:, at] = model.qpos0[at] + np.polyval(model.eq_data[equation, 4::-1], lead)
    return out


def colliding(model: Any, body: int) -> list[int]:
    """Returns the shapes of a body that collide and that have an inside."""
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    geoms = range(first, first + count) if count else ()
    paired = {*model.pair_geom1.tolist(), *model.pair_geom2.tolist()}
    collides = [g for g in geoms if mask(model, g) != (0, 0) or g in paired]
    return [g for g in collides if int(model.geom_type[g]) not in UNBOUNDED]


def mask(model: Any, geom: int) -> tuple[int, int]:
    """Returns the two contact masks of a shape."""
    return int(model.geom_contype[geom]), int(model.geom_conaffinity[geom])


def shaped(model: Any, poses: Floats, geoms: list[int]) -> Link:
    """Returns a link with some shapes."""
    if not geoms:
        return Link(poses)
    all_bounds, volume = [], 0.0
    for geom in geoms:
        bounds, own = solid(model, geom)
        all_bounds.append(bounds)
        volume += own
    return Link(poses, solids.merged(all_bounds), volume)


def solid(model: Any, geom: int) -> tuple[Floats, float]:
    """Returns the bounds, in the frame of the body, and the volume of a shape; meshes are their
    hulls."""
    kind, size = int(model.geom_type[geom]), np.array(model.geom_size[geom])
    w, x, y, z = model.geom_quat[geom]
    rotation = matrices(np.zeros(3), np.array([x, y, z, w]))[:3, :3]
    if kind == _Geom["mjGEOM_MESH"]:
        mesh = model.geom_dataid[geom]
        start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        points = np.asarray(model.mesh_vert[start : start + count], dtype=float)
        points = points @ rotation.T + model.geom_pos[geom]
        return solids.around(points), hull_volume(points)
    if kind == _Geom["mjGEOM_SPHERE"]:
        half, volume = solids.ellipsoid(size[[0, 0, 0]], rotation)
    elif kind == _Geom["mjGEOM_ELLIPSOID"]:
        half, volume = solids.ellipsoid(size, rotation)
    elif kind == _Geom["mjGEOM_CAPSULE"]:
        half, volume = solids.capsule(size[0], size[1], rotation)
    elif kind == _Geom["mjGEOM_CYLINDER"]:
        half, volume = solids.cylinder(size[0], size[1], rotation)
    else:
        assert kind == _Geom["mjGEOM_BOX"], f"shape of kind {kind}"
        half, volume = solids.box(size, rotation)
    centre = np.array(model.geom_pos[geom])
    return np.stack([centre - half, centre + half]), volume


def hull_volume(points: Floats) -> float:
    """Returns the volume of the hull; zero if it is flat."""
    try:
        return float(ConvexHull(points).volume)
    except QhullError:
        return 0.0


def tested(model: Any, names: dict[int, str], masks: dict[int, set[tuple[int, int]]]) -> set[Pair]:
    """Returns the pairs of bodies whose shapes MuJoCo tests: by masks, or as explicit pairs."""
    weld = model.body_weldid
    parent = [int(weld[model.body_parentid[weld[body]]]) for body in range(model.nbody)]
    # Bodies that no joint moves: fixed to the world, or moved by the caller (mocap).
    still = [model.body_dofnum[weld[body]] == 0 for body in range(model.nbody)]
    filters_parents = not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT
    excluded = {int(signature) for signature in model.exclude_signature}
    found = set()
    shaped_bodies = [body for body in range(model.nbody) if masks[body]]
    for index, a in enumerate(shaped_bodies):
        for b in shaped_bodies[index + 1 :]:
            if weld[a] == weld[b] or (still[a] and still[b]):
                continue
            related = weld[a] == parent[b] or weld[b] == parent[a]
            if filters_parents and related and weld[a] != 0 and weld[b] != 0:
                continue
            if (a << 16) + b in excluded or (b << 16) + a in excluded:
                continue
            if any(s[0] & t[1] or t[0] & s[1] for s in masks[a] for t in masks[b]):
                found.add(pair(names[a], names[b]))
    for geoms in zip(model.pair_geom1.tolist(), model.pair_geom2.tolist()):
        a, b = (int(model.geom_bodyid[geom]) for geom in geoms)
        if a != b and not UNBOUNDED & {int(model.geom_type[geom]) for geom in geoms}:
            found.add(pair(names[a], names[b]))
    return found


def has_planes(model: Any) -> bool:
    """Returns true if a plane of the file collides."""
    planes = np.flatnonzero(model.geom_type == _Geom["mjGEOM_PLANE"]).tolist()
    return any(mask(model, geom) != (0, 0) for geom in planes)


def touching(model: Any, robot: boxwood.Robot, q: Floats) -> list[Touches]:
    """Returns the pairs of bodies with contacts, for each row of joint values. Switches contacts on,
    height fields and signed distance fields off, and changes the margins."""
    model.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    omitted = np.isin(model.geom_type, [*(UNBOUNDED - {_Geom["mjGEOM_PLANE"]})])
    model.geom_contype[omitted] = model.geom_conaffinity[omitted] = 0
    model.geom_margin[:] = model.body_margin[:] = model.pair_margin[:] = GRAZE
    data, names = mujoco.MjData(model), link_names(model, robot.parts)
    found = []
    for values in configurations(model, robot, q):
        data.qpos[:] = values
        mujoco.mj_kinematics(model, data)
        touches = contacts(model, data, names)
        # MuJoCo misses boxes on the middle of a capsule whose ends are outside. The cylinder of a
        # capsule is a part of it, and takes another function.
        capsules = np.flatnonzero(model.geom_type == _Geom["mjGEOM_CAPSULE"])
        model.geom_type[capsules] = _Geom["mjGEOM_CYLINDER"]
        touches.deep.update(contacts(model, data, names).deep)
        model.geom_type[capsules] = _Geom["mjGEOM_CAPSULE"]
        found.append(touches)
    return found


def contacts(model: Any, data: Any, names: dict[int, str]) -> Touches:
    """Returns the pairs of bodies with contacts at the poses of the data."""
    mujoco.mj_collision(model, data)
    assert not data.warning[mujoco.mjtWarning.mjWARN_CONTACTFULL].number, "too many contacts"
    touches = Touches(set(), set())
    for contact in data.contact:
        a, b = (names[int(model.geom_bodyid[geom])] for geom in contact.geom)
        (touches.deep if contact.dist < -GRAZE else touches.near).add(pair(a, b))
    return touches


def found_by_collision(model: Any, names: dict[int, str]) -> set[Pair]:
    """Returns the pairs of bodies between which MuJoCo finds contacts with margins greater than the
    robot: those that it tests. Changes the margins."""
    data = mujoco.MjData(model)
    model.geom_margin[:] = model.body_margin[:] = 100.0
    model.pair_margin[:] = 100.0
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_collision(model, data)
    found = set()
    for contact in data.contact[: data.ncon]:
        geoms = (contact.geom1, contact.geom2)
        if not UNBOUNDED & {int(model.geom_type[geom]) for geom in geoms}:
            a, b = (names[int(model.geom_bodyid[geom])] for geom in geoms)
            found.add(pair(a, b))
    return found
