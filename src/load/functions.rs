//! Loading with default options: a function for each format.

#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap"))]
use std::path::Path;

#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes"))]
use super::Loaded;
#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap"))]
use super::Loader;
#[cfg(feature = "mocap")]
use super::Recording;
#[cfg(feature = "urdf")]
use super::Robot;
#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap"))]
use crate::error::Error;

/// Loads a character from a glTF 2.0 file: `.glb`, or `.gltf` with its buffers beside or inside it.
///
/// Every node of the default scene becomes a joint, depth first; if no scene has nodes, every node
/// of the file. A point of a skinned mesh belongs to the joint with the largest weight there (the
/// first joint of equal weights), placed by that joint's own inverse bind matrix, and triangles are
/// cut where the joint changes, see [`Straddling`](crate::load::Straddling); a mesh without skin
/// belongs to its node. Parts are solid, see [`Loader::solid`]. Geometry is in the joint's rigid
/// frame, with the scale it has at rest; for clips that change the scale, see
/// [`Loader::cover_stretched`]. A matrix that shears becomes two joints. Lengths are the file's
/// units (metres by the specification), Y up, right-handed. Images are never opened. Copies of a
/// mesh at one node (`EXT_mesh_gpu_instancing`) belong to that node; meshes hidden by
/// `KHR_node_visibility` are left out, with a warning. Meshes have the shape of the default weights
/// of their morph targets. Parts within two joints of each other are not tested against each other:
/// a skin touches itself there.
///
/// # Errors
/// [`Error::File`] naming the file and the element: missing, cut short, not glTF, values that are
/// not finite, indices past the end, or a required extension that changes geometry and is not read.
/// A file may ask for 8,192 nodes, 2^22 triangles and 2^25 numbers in all, however small it is.
///
/// ```
/// let fighter = boxwood::load::gltf("examples/fighter/fighter.glb")?;
/// let (hand, jab) = (fighter.model.part("left_hand")?, fighter.clips.get("jab")?);
/// let mut joints = boxwood::motion::Joints::new();
/// let poses = jab.sample(0.5 * jab.duration(), &mut joints)?; // one a part
/// println!("the hand is at {}", poses[hand.index()].translation);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[cfg(feature = "gltf")]
pub fn gltf(path: impl AsRef<Path>) -> Result<Loaded<f32>, Error> {
    Loader::new().gltf(path)
}

/// Loads the triangles of a Wavefront OBJ file as a character of one part, named after the file.
///
/// All objects and groups are one mesh, material files are not opened. Polygons may be concave: all
/// their sides are kept, so that a closed mesh remains closed. Corners at one position are one
/// vertex. Points, lines, curves and unknown lines are left out, and
/// [`Warning::Skipped`](crate::load::Warning::Skipped) counts them. Text is UTF-8 with or without a
/// byte order mark, or Latin-1. The part is solid, see [`Loader::solid`]: a mesh that is not closed
/// is capped, with [`Warning::Capped`](crate::load::Warning::Capped); triangles that face inward
/// are reversed.
///
/// # Errors
/// [`Error::File`] naming the file, the line and the reason: missing, no triangles, not numbers,
/// not finite, indices past the end.
///
/// ```
/// // From memory; `boxwood::load::obj("tetrahedron.obj")?` reads a file.
/// let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
/// let loaded = boxwood::Loader::new().name("tetrahedron").obj_bytes(text.as_bytes())?;
/// assert_eq!(loaded.model.part("tetrahedron")?.index(), 0);
/// assert!(loaded.warnings.is_empty()); // it is closed
/// # Ok::<(), boxwood::Error>(())
/// ```
#[cfg(feature = "meshes")]
pub fn obj(path: impl AsRef<Path>) -> Result<Loaded<f32>, Error> {
    Loader::new().obj(path)
}

/// Loads the triangles of an STL file, binary or text, as a character of one part, named after the
/// file.
///
/// All solids of the file are one mesh; the part is solid like that of [`obj`]. Text may have any
/// number of keywords on a line.
///
/// # Errors
/// [`Error::File`] naming the file, the line of a text, and the reason: missing, no triangles, cut
/// short, not numbers, not finite.
///
/// ```
/// // From memory; `boxwood::load::stl("sheet.stl")?` reads a file.
/// let text = "solid sheet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
///     vertex 0 1 0\nendloop\nendfacet\nendsolid sheet\n";
/// let loaded = boxwood::Loader::new().solid(false).stl_bytes(text.as_bytes())?;
/// let tree = loaded.model.parts()[0].tree().expect("a triangle");
/// assert_eq!(tree.geometry().len(), 1);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[cfg(feature = "meshes")]
pub fn stl(path: impl AsRef<Path>) -> Result<Loaded<f32>, Error> {
    Loader::new().stl(path)
}

/// Loads a robot from a URDF file: one part per link, metres, Z up.
///
/// Meshes are read from STL, OBJ and DAE (COLLADA) files, found by a
/// [`Resolver`](crate::load::Resolver), with any scale; the winding of mirrored ones is reversed.
/// With the feature `gltf` also from `.glb` and `.gltf` files: all their triangles at rest, in the
/// frame of their scene. Boxes, cylinders, spheres and capsules are kept as primitives
/// ([`Geometry::Convex`](crate::tree::Geometry::Convex)); in a link with a mesh they are hulls of
/// triangles that contain the true shape and exceed it by at most 0.5 % (cylinders) or 2 % of the
/// radius. A link may have several shapes. Joints are fixed, revolute, continuous or prismatic,
/// with limits, and may mimic others; those of any other type are fixed, with a warning. An end of
/// the limits of 1e15 or more, or infinite, is no limit. A revolute or prismatic joint without
/// `<limit>`, which URDF requires and other readers reject, has no limits, and
/// [`Warning::NoLimits`](crate::load::Warning::NoLimits) names it. Links joined by fixed joints are
/// one rigid piece; links of one piece, and of parent and child piece, are not tested against each
/// other: see [`Loader::ignore_neighbours`] and [`Loader::srdf`]. A link without `<collision>` is a
/// part without geometry; if it has a `<visual>`,
/// [`Warning::NoCollision`](crate::load::Warning::NoCollision) names it, and
/// [`Loader::link_shapes`] can use that instead.
///
/// # Errors
/// [`Error::File`] naming the file and the element: missing files, XML that cannot be read or in
/// an encoding other than UTF-8, UTF-16, ISO-8859-1 and windows-1252, links without or with two
/// parents or in a cycle, unknown names, values that are not numbers or not finite, xacro that was
/// not expanded, and robots of which no link can collide unless [allowed](Loader::allow_empty).
///
/// ```
/// // From memory; `boxwood::load::urdf("arm.urdf")?` reads a file and its meshes.
/// let text = r#"<robot name="arm"><link name="base"/>
///     <link name="arm"><collision><geometry><box size="1 1 5"/></geometry></collision></link>
///     <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/>
///     <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint></robot>"#;
/// let robot = boxwood::Loader::new().urdf_bytes(text.as_bytes())?;
/// let mut poses = Vec::new();
/// robot.mechanism.poses(&[0.5_f32], &mut poses)?;
/// assert_eq!((robot.model.len(), poses.len()), (2, 2)); // a part and a pose for each link
/// # Ok::<(), boxwood::Error>(())
/// ```
#[cfg(feature = "urdf")]
pub fn urdf(path: impl AsRef<Path>) -> Result<Robot<f32>, Error> {
    Loader::new().urdf(path)
}

/// Loads a robot from an MJCF file, like MuJoCo: one part per body, and an empty part for each of a
/// body's joints but the last.
///
/// | element | read as |
/// |---|---|
/// | `include`; several `worldbody`, `default`, `compiler`, `asset`, `contact` | merged in order; files found in folders like MuJoCo's, or by a [`Resolver`](crate::load::Resolver) |
/// | `default` with its classes, `childclass`, `class` | attribute by attribute; numbers that a size leaves out, too |
/// | `frame`, `replicate`, `attach` with `model` assets | expanded, with names, exclusions and couplings |
/// | `pos`, `quat`, `axisangle`, `euler`, `xyaxes`, `zaxis`, `fromto` | an element's own orientation replaces its default's |
/// | `geom`: box, sphere, capsule, cylinder, ellipsoid | primitives ([`Geometry::Convex`](crate::tree::Geometry::Convex)), also fitted to a mesh |
/// | `geom`: mesh, from STL, OBJ, MSH or inline, with `scale`, `refpos`, `refquat` | its whole convex hull (`maxhullvert` or not), or its triangles by [`Loader::convex_meshes`] |
/// | `geom` with `contype` and `conaffinity` zero | left out, see [`Loader::link_shapes`]; its mesh is not opened |
/// | `contype`, `conaffinity` of others | the groups of parts, see [`Loader::groups`] |
/// | `geom`: plane, hfield; `skin`, `flex`, `composite`, `flexcomp`, `pair` | left out, with a warning |
/// | `joint`: hinge, slide, with `range`, `limited`, `ref` | an actuator, whose value is MuJoCo's `qpos` |
/// | `joint`: ball | fixed, with a warning |
/// | `freejoint` of the only outermost body | that body is the root, and its pose the caller's: [`Scene::set_root`](crate::Scene::set_root) |
/// | other free joints, mocap bodies with geometry | fixed at their pose in the file, with a warning |
/// | `equality`: joint | the joint follows, if it is linear; else a warning |
/// | `equality`: connect, weld, tendon, flex | not solved, with a warning; a weld to a mocap body is silent |
/// | `exclude`, `flag filterparent` | pairs that are not tested; those of parents that are |
/// | `flag contact`, `flag constraint`, disabled | ignored: pairs are tested, with a warning |
///
/// A body without a joint is one rigid piece with its parent. Bodies of one piece are not tested
/// against each other, and neither are those of parent and child piece, unless the parent is fixed
/// to the world: see [`Loader::ignore_neighbours`]. Lengths are the file's; Z is usually up.
///
/// # Errors
/// [`Error::File`] naming the file, the line and the element: missing files, XML that cannot be
/// read, unknown words, classes, meshes and names, values that are not numbers or not finite,
/// global coordinates, builtin meshes and signed distance fields, a convex hull of more than 16,384
/// corners, more than 10,000 links, and robots of which no link can collide unless
/// [allowed](Loader::allow_empty).
///
/// ```
/// // From memory; `boxwood::load::mjcf("arm.xml")?` reads a file.
/// let text = r#"<mujoco><worldbody><body name="arm"><joint name="shoulder" type="hinge"/>
///     <geom type="box" size="0.05 0.05 0.25"/></body></worldbody></mujoco>"#;
/// let robot = boxwood::Loader::new().mjcf_bytes(text.as_bytes())?;
/// assert_eq!(robot.mechanism.actuator("shoulder")?, 0);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[cfg(feature = "mjcf")]
pub fn mjcf(path: impl AsRef<Path>) -> Result<Robot<f32>, Error> {
    Loader::new().mjcf(path)
}

/// Loads a recorded motion from a BVH file: a joint for every `ROOT` and `JOINT`, and one clip,
/// named after the file.
///
/// Channels rotate and translate in the order that each joint lists. Positions replace the offset
/// of a joint, also of a root. Channels that scale are left out, with
/// [`Warning::Skipped`](crate::load::Warning::Skipped) if a scale is not 1. Rows after the last
/// declared frame are left out, with [`Warning::ExtraRows`](crate::load::Warning::ExtraRows). Text
/// is UTF-8, else Latin-1. Lengths are the file's, whose unit is not stated: see [`Loader::scale`],
/// and [`Loader::CMU`] for CMU's files.
///
/// # Errors
/// [`Error::File`] naming the file, the line and the word or the joint: missing, cut short, not
/// numbers, unknown channels.
///
/// ```
/// // From memory; `boxwood::load::bvh("walk.bvh")?` reads a file.
/// let text = "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n\
///     End Site\n{\nOFFSET 0 100 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n0 80 0\n";
/// let walk = boxwood::Loader::new().scale(0.01).name("walk").bvh_bytes(text.as_bytes())?;
/// let mut joints = boxwood::motion::Joints::new();
/// let poses = walk.clips.get("walk")?.sample(0.5, &mut joints)?;
/// assert!((poses[0].translation.y - 0.8_f32).abs() < 1e-6); // centimetres made metres
/// # Ok::<(), boxwood::Error>(())
/// ```
#[cfg(feature = "mocap")]
pub fn bvh(path: impl AsRef<Path>) -> Result<Recording<f32>, Error> {
    Loader::new().bvh(path)
}

/// Loads a recorded motion from an AMC file and the ASF file of its skeleton: a joint at the
/// beginning of each bone, `root` first, and one clip, named after the AMC file.
///
/// At rest all joints have the axes of the skeleton's global frame. Lengths are those of the files:
/// see [`Loader::scale`], and [`Loader::CMU`] for CMU's.
///
/// # Errors
/// [`Error::File`] naming the file, the line and the bone: missing, cut short, not numbers, a bone
/// that is missing, twice, or not in the hierarchy.
///
/// ```no_run
/// use boxwood::{Loader, load};
///
/// let walk = load::amc("07.asf", "07_01.amc")?; // lengths as they are in the files
/// let metres = Loader::new().scale(Loader::CMU).amc("07.asf", "07_01.amc")?;
/// # Ok::<(), boxwood::Error>(())
/// ```
#[cfg(feature = "mocap")]
pub fn amc(asf: impl AsRef<Path>, amc: impl AsRef<Path>) -> Result<Recording<f32>, Error> {
    Loader::new().amc(asf, amc)
}

/// Loads a character from a file written by [`Loaded::bake`], with equal parts, node ids, query
/// results and fingerprint.
///
/// The file is not trusted: counts, indices, names, order and numbers are checked, and every box is
/// computed again from the geometry in it, so contacts are never lost. One value is used as
/// written, guarded by a checksum against damage alone: [`Node::bound`](crate::tree::Node::bound),
/// on which the promise of [`Accuracy::Within`](crate::Accuracy::Within) rests. For files of an
/// untrusted writer, build the trees again.
///
/// # Errors
/// [`Error::File`] naming the file and the reason: among them another format or answer version,
/// with both numbers and how to bake the file again (`docs/guarantees.md`, Versions).
///
/// ```no_run
/// let fighter = boxwood::load::gltf("fighter.glb")?;
/// std::fs::write("fighter.box", fighter.bake()?)?;
/// let again = boxwood::load::baked("fighter.box")?; // in milliseconds
/// assert_eq!(again.model.fingerprint(), fighter.model.fingerprint());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "bake")]
pub fn baked(path: impl AsRef<Path>) -> Result<Loaded<f32>, Error> {
    Loader::new().baked(path)
}

/// Loads a robot from a file written by [`Robot::bake`], with equal parts, node ids, query results
/// and fingerprint, and an equal mechanism, bit for bit.
///
/// Like for [`baked`](baked()), only [`Node::bound`](crate::tree::Node::bound) is trusted. A baked
/// character is rejected here, and a baked robot by [`baked`](baked()).
///
/// # Errors
/// [`Error::File`] naming the file and the reason.
///
/// ```no_run
/// let panda = boxwood::load::urdf("panda.urdf")?;
/// std::fs::write("panda.box", panda.bake()?)?;
/// let again = boxwood::load::baked_robot("panda.box")?; // needs no mesh, takes milliseconds
/// assert_eq!(again.mechanism, panda.mechanism);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(all(feature = "bake", feature = "urdf"))]
pub fn baked_robot(path: impl AsRef<Path>) -> Result<Robot<f32>, Error> {
    Loader::new().baked_robot(path)
}

/// Returns `true` if the bytes begin like a file of [`Robot::bake`], which
/// [`Loader::baked_robot_bytes`] reads, and not like one of [`Loaded::bake`]: for programs that
/// open both. It may be damaged nevertheless.
///
/// ```
/// let text = r#"<robot name="box"><link name="base"><collision><geometry>
///     <box size="1 1 1"/></geometry></collision></link></robot>"#;
/// let bytes = boxwood::Loader::new().urdf_bytes(text.as_bytes())?.bake()?;
/// assert!(boxwood::load::is_baked_robot(&bytes) && !boxwood::load::is_baked_robot(b"boxwood"));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[cfg(all(feature = "bake", feature = "urdf"))]
pub fn is_baked_robot(bytes: &[u8]) -> bool {
    super::baked::begins_like_robot(bytes)
}
