//! MJCF bodies as links, their joints as actuators.

use std::collections::{HashMap, HashSet};

use nalgebra::{Isometry3, Vector3};

use super::attributes::truth;
use super::element::Element;
use super::groups::ContactBits;
use super::joints::{MjcfJoint, MjcfJointKind};
use super::orientation::own_pose;
use super::paired_geoms::PairedGeoms;
use super::scope::{Scope, ScopeExpansion, Scoped};
use super::shapes::ShapeReader;
use crate::load::Warning;
use crate::load::options::Options;
use crate::load::urdf::LinkShapes;
use crate::load::urdf::geometry::{GeometryBuilder, RobotShape};
use crate::motion::{JointKind, Link, Mimic};
use crate::shape::Pose;

/// Largest number of links: the table of ignored pairs is quadratic.
const MAX_LINKS: usize = 10_000;
/// Name of the link of all shapes outside bodies.
pub(super) const WORLD_LINK: &str = "world";

/// The collision data of a link.
pub(super) struct MjcfBody {
    pub shapes: Vec<RobotShape>,
    /// The contact bits of its shapes together.
    pub bits: ContactBits,
    /// `true` if the body never moves against its parent: it has no joint of its own.
    pub rigid: bool,
    /// `true` for a body that only the caller of MuJoCo moves.
    pub mocap: bool,
}

/// A joint with a value, and the link that it moves.
pub(super) struct JointOfLink {
    pub name: String,
    pub link: usize,
    pub joint: MjcfJoint,
}

/// Reads the bodies in their order: one link for each, and one for each of its joints but the last.
pub(super) struct MjcfReader<'m, 't> {
    pub expansion: ScopeExpansion<'m, 't>,
    shapes: ShapeReader<'m, 't>,
    wanted: LinkShapes,
    pub geometries: GeometryBuilder,
    pub links: Vec<Link>,
    pub bodies: Vec<MjcfBody>,
    /// The joints with a value, in their order.
    pub joints: Vec<JointOfLink>,
    /// The free joints: their names and links.
    pub free: Vec<(String, usize)>,
    /// Indices of links by name, so that errors can state the line.
    names: HashMap<String, usize>,
    joint_names: HashSet<String>,
    /// The geoms in `<pair>`s; none if masks are not read.
    pub paired: PairedGeoms<'t>,
}

/// The requested shapes of a body, in its frame.
struct BodyShapes {
    shapes: Vec<RobotShape>,
    /// The contact bits of all of them together.
    bits: ContactBits,
    /// The geoms that `<pair>`s name, each with a flag: it has a shape.
    paired: Vec<(String, bool)>,
}

/// A joint with its name.
type NamedJoint = (String, MjcfJoint);

/// A body still to be read, and its parent link.
type OpenBody<'t> = (Scoped<'t>, Option<usize>);

impl<'m, 't> MjcfReader<'m, 't> {
    pub fn new(shapes: ShapeReader<'m, 't>, options: &Options) -> Self {
        let paired = match options.groups {
            true => PairedGeoms::new(shapes.models),
            false => PairedGeoms::default(),
        };
        MjcfReader {
            expansion: ScopeExpansion::new(shapes.models),
            shapes,
            wanted: options.link_shapes,
            geometries: GeometryBuilder::new(options.solid),
            links: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            free: Vec::new(),
            names: HashMap::new(),
            joint_names: HashSet::new(),
            paired,
        }
    }

    /// Reads the world and all bodies in it.
    pub fn read(&mut self, warnings: &mut Vec<Warning>) -> Result<(), String> {
        let model = &self.shapes.models[0];
        let mut contents = Vec::new();
        for world in model.worlds() {
            let scope = self.expansion.outermost();
            contents.extend(self.expansion.contents((world, scope), warnings)?);
        }
        if model.worlds().next().is_none() {
            return Err(model.root.at("<worldbody> is missing"));
        }
        let is_joint = |&&(element, _): &&Scoped<'t>| element.tag().ends_with("joint");
        if let Some((joint, _)) = contents.iter().find(is_joint) {
            return Err(joint.at("the world cannot have joints"));
        }
        let BodyShapes { shapes, bits, paired } = self.shapes(&contents, WORLD_LINK, warnings)?;
        self.paired.add(paired, 0);
        let world = (!shapes.is_empty()).then_some(0);
        if world.is_some() {
            self.link(WORLD_LINK.to_owned(), None, (Pose::identity(), JointKind::Fixed));
            self.names.insert(WORLD_LINK.to_owned(), 0);
            self.bodies[0] = MjcfBody { shapes, bits, rigid: true, mocap: false };
        }
        let mut waiting: Vec<OpenBody<'t>> = Vec::new();
        push_bodies(&contents, world, &mut waiting);
        while let Some((body, parent)) = waiting.pop() {
            let (own, contents) = self.body(body, parent, warnings)?;
            push_bodies(&contents, Some(own), &mut waiting);
        }
        Ok(())
    }

    /// The index of the link of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// Adds a link for the body, after one for each of its joints but the last; returns its index,
    /// and the contents of the body.
    fn body(
        &mut self,
        (node, scope): Scoped<'t>,
        parent: Option<usize>,
        warnings: &mut Vec<Warning>,
    ) -> Result<(usize, Vec<Scoped<'t>>), String> {
        let count = self.links.len();
        let name = self.name((node, scope), || format!("body {count}"));
        let inside = self.expansion.inside((node, scope))?;
        let contents = self.expansion.contents((node, inside), warnings)?;
        let BodyShapes { shapes, bits, paired } = self.shapes(&contents, &name, warnings)?;
        let mocap = truth(node, "mocap")?.unwrap_or(false);
        let jointed = contents.iter().any(|(element, _)| element.tag().ends_with("joint"));
        self.check_place(node, (parent, mocap), &contents)?;
        let pose = own_pose(node, &self.shapes.models[scope.model].compiler)?;
        let joints = self.joints(&contents, warnings)?;
        let own = self.chain(&name, parent, scope.frame * pose, joints);
        if self.links.len() > MAX_LINKS {
            return Err(node.at(format!("more than {MAX_LINKS} links")));
        }
        for index in count..self.links.len() {
            let link = self.links[index].name.clone();
            if self.names.contains_key(&link) {
                return Err(node.at(format!("two links are called '{link}'")));
            }
            self.names.insert(link, index);
        }
        let has_bodies = contents.iter().any(|(element, _)| element.tag() == "body");
        if mocap && (!shapes.is_empty() || has_bodies) {
            warnings.push(Warning::MocapBody { body: name });
        }
        self.paired.add(paired, own);
        self.bodies[own] = MjcfBody { shapes, bits, rigid: !jointed && !mocap, mocap };
        Ok((own, contents))
    }

    /// Rejects joints where MuJoCo has none.
    fn check_place(
        &self,
        node: Element<'t>,
        (parent, mocap): (Option<usize>, bool),
        contents: &[Scoped<'t>],
    ) -> Result<(), String> {
        let deep = parent.is_some_and(|parent| self.links[parent].name != WORLD_LINK);
        if mocap && deep {
            return Err(node.at("a mocap body must be an outermost body"));
        }
        let joints: Vec<&Scoped<'t>> =
            contents.iter().filter(|(element, _)| element.tag().ends_with("joint")).collect();
        if mocap && !joints.is_empty() {
            return Err(node.at("a mocap body cannot have joints"));
        }
        for &&(joint, scope) in &joints {
            let is_free = joint.tag() == "freejoint" || {
                let classes = &self.shapes.models[scope.model].classes;
                let attributes = classes.attributes(joint, scope.class, "joint")?;
                attributes.text("type") == Some("free")
            };
            if is_free && deep {
                return Err(joint.at("a free joint is only allowed in an outermost body"));
            }
            if is_free && joints.len() > 1 {
                return Err(joint.at("a body with a free joint cannot have other joints"));
            }
        }
        Ok(())
    }

    /// The name of an element in its namespace.
    fn name(&self, (element, scope): Scoped<'t>, otherwise: impl Fn() -> String) -> String {
        let namespace = &self.expansion.namespaces[scope.names];
        element.attribute("name").map_or_else(otherwise, |name| namespace.full(name))
    }

    /// Adds a link for every joint, each about its anchor in the frame of the body; the last, in
    /// the body's frame, is the body's link.
    fn chain(
        &mut self,
        name: &str,
        mut parent: Option<usize>,
        mut pose: Pose<f64>,
        joints: Vec<NamedJoint>,
    ) -> usize {
        let last = joints.len().saturating_sub(1);
        for (index, (own, joint)) in joints.into_iter().enumerate() {
            let (anchor, link) = (joint.anchor, self.links.len());
            let origin = pose * Isometry3::from(anchor);
            let is_body = index == last && anchor == Vector3::zeros();
            let called = if is_body { name.to_owned() } else { format!("{name} ({own})") };
            let motion = joint.motion(Mimic::direct(self.joints.len()));
            self.joints.push(JointOfLink { name: own, link, joint });
            self.link(called, parent, (origin, motion.unwrap_or(JointKind::Fixed)));
            if is_body {
                return link;
            }
            parent = Some(link);
            pose = Isometry3::from(-anchor);
        }
        self.link(name.to_owned(), parent, (pose, JointKind::Fixed))
    }

    fn link(
        &mut self,
        name: String,
        parent: Option<usize>,
        (origin, joint): (Pose<f64>, JointKind),
    ) -> usize {
        self.links.push(Link { name, parent, origin, joint });
        let (shapes, bits) = (Vec::new(), ContactBits::NONE);
        self.bodies.push(MjcfBody { shapes, bits, rigid: true, mocap: false });
        self.links.len() - 1
    }

    /// Reads the joints of a body; those without a single value are left out.
    fn joints(
        &mut self,
        contents: &[Scoped<'t>],
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<NamedJoint>, String> {
        let mut found: Vec<NamedJoint> = Vec::new();
        for &(element, scope) in contents {
            let Scope { model, class, ref frame, .. } = scope;
            let model = &self.shapes.models[model];
            let joint = match element.tag() {
                "freejoint" => MjcfJoint::free(),
                "joint" => {
                    let attributes = model.classes.attributes(element, class, "joint")?;
                    MjcfJoint::read(attributes, &model.compiler, frame)?
                }
                _ => continue,
            };
            let count = self.joints.len() + found.len();
            let name = self.name((element, scope), || format!("joint {count}"));
            match joint.kind {
                MjcfJointKind::Free => self.free.push((name, self.links.len())),
                MjcfJointKind::Ball => warnings.push(Warning::FixedJoint { joint: name }),
                MjcfJointKind::Hinge | MjcfJointKind::Slide => {
                    if !self.joint_names.insert(name.clone()) {
                        return Err(element.at(format!("two joints are called '{name}'")));
                    }
                    found.push((name, joint));
                }
            }
        }
        Ok(found)
    }

    /// Reads the requested shapes of a body.
    fn shapes(
        &mut self,
        contents: &[Scoped<'t>],
        name: &str,
        warnings: &mut Vec<Warning>,
    ) -> Result<BodyShapes, String> {
        let (mut solid, mut seen) = (Vec::new(), Vec::new());
        for &geom in contents.iter().filter(|(element, _)| element.tag() == "geom") {
            let (attributes, bits) = self.shapes.attributes(geom)?;
            let paired = self.paired_name(geom);
            let is_seen = bits == ContactBits::NONE && paired.is_none();
            let list = if is_seen { &mut seen } else { &mut solid };
            list.push((geom, attributes, bits, paired));
        }
        let (geoms, others, are_visual) = match self.wanted {
            LinkShapes::Visual if !seen.is_empty() => (seen, solid, true),
            LinkShapes::CollisionOrVisual if solid.is_empty() => (seen, solid, true),
            _ => (solid, seen, false),
        };
        let (mut shapes, mut common, mut mixed) = (Vec::new(), None, false);
        let mut paired = Vec::new();
        for (geom, attributes, bits, named) in geoms {
            let shape = self.shapes.read(geom, attributes, warnings)?;
            paired.extend(named.map(|named| (named, shape.is_some())));
            if let Some(shape) = shape {
                self.geometries.count(&shape).map_err(|trouble| geom.0.at(trouble))?;
                mixed |= common.is_some_and(|common| common != bits);
                common = Some(common.map_or(bits, |common: ContactBits| common.union(bits)));
                shapes.push(shape);
            }
        }
        // Visual shapes stand for all geoms of the body.
        let others = others.into_iter().filter_map(|(.., named)| named);
        paired.extend(others.map(|named| (named, !shapes.is_empty())));
        if mixed {
            warnings.push(Warning::MixedGroups { body: name.to_owned() });
        }
        let bits = match common {
            None => ContactBits::NONE,
            // Visual shapes have no masks: if requested, they collide with everything.
            Some(_) if are_visual => ContactBits::DEFAULT,
            Some(common) => common,
        };
        Ok(BodyShapes { shapes, bits, paired })
    }

    /// Returns the full name of a geom that a `<pair>` names.
    fn paired_name(&self, (element, scope): Scoped<'t>) -> Option<String> {
        let name = element.attribute("name")?;
        let full = self.expansion.namespaces[scope.names].full(name);
        self.paired.contains(scope.model, name, &full).then_some(full)
    }
}

/// Pushes the child bodies on the stack, the first one on top.
fn push_bodies<'t>(
    contents: &[Scoped<'t>],
    parent: Option<usize>,
    waiting: &mut Vec<OpenBody<'t>>,
) {
    let bodies = contents.iter().rev().filter(|(element, _)| element.tag() == "body");
    waiting.extend(bodies.map(|&body| (body, parent)));
}
