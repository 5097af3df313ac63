//! MJCF bodies as links, their joints as actuators.

use std::collections::HashSet;

use nalgebra::{Isometry3, Vector3};
use roxmltree::Node;

use super::attributes::{MAIN, MjcfAttributes};
use super::groups::ContactBits;
use super::shapes::{self, MjcfShape};
use crate::load::Warning;
use crate::load::urdf::xml::{at, child};
use crate::motion::{Actuator, JointKind, Link, Mimic};
use crate::shape::Pose;

/// The rigid piece of the world.
const WORLD: usize = usize::MAX;

/// The collision data of a body, and its place in the kinematic tree.
pub(super) struct MjcfBody {
    pub shapes: Vec<MjcfShape>,
    /// The contact bits of its shapes together.
    pub bits: ContactBits,
    /// The rigid piece it belongs to, by the first link of that: a body without a joint is one
    /// piece with its parent.
    piece: usize,
    /// The parent of that piece.
    above: usize,
    /// Whether the body is fixed to the world.
    fixed: bool,
}

impl MjcfBody {
    /// Whether two bodies never move against each other or, unless the parent is the world, are
    /// parent and child. MuJoCo filters pairs like this, except for a fixed base: there its
    /// children are tested against it.
    pub fn adjoins(&self, other: &MjcfBody, neighbours: usize) -> bool {
        let is_child = |a: &MjcfBody, b: &MjcfBody| a.above == b.piece && b.piece != WORLD;
        self.piece == other.piece
            || (self.fixed && other.fixed)
            || (neighbours > 0 && (is_child(self, other) || is_child(other, self)))
    }
}

/// Reads the elements in their order; one body per link.
pub(super) struct MjcfReader<'a, 'i> {
    attributes: MjcfAttributes<'a, 'i>,
    pub links: Vec<Link>,
    pub actuators: Vec<Actuator>,
    pub bodies: Vec<MjcfBody>,
    /// The names of links and of joints, checked here: a later error would not know the line.
    names: [HashSet<String>; 2],
}

/// A joint: its name, its anchor in its body, and its kind.
struct MovingJoint {
    name: String,
    anchor: Vector3<f64>,
    joint: JointKind,
}

/// A body still to be read: its parent link, and its default class.
type Waiting<'a, 'i> = (Node<'a, 'i>, Option<usize>, &'a str);

impl<'a, 'i> MjcfReader<'a, 'i> {
    pub fn read(root: Node<'a, 'i>, warnings: &mut Vec<Warning>) -> Result<Self, String> {
        let mut reader = MjcfReader {
            attributes: MjcfAttributes::read(root),
            links: Vec::new(),
            actuators: Vec::new(),
            bodies: Vec::new(),
            names: Default::default(),
        };
        let world = child(root, "worldbody").ok_or_else(|| at(root, "<worldbody> is missing"))?;
        let mut waiting: Vec<Waiting<'a, 'i>> = Vec::new();
        let (of_world, bits) = reader.shapes((world, "world"), MAIN, warnings)?;
        let parent = (!of_world.is_empty()).then_some(0);
        if !of_world.is_empty() {
            reader.link("world".to_owned(), None, (Pose::identity(), JointKind::Fixed));
            reader.names[0].insert("world".to_owned());
            (reader.bodies[0].shapes, reader.bodies[0].bits) = (of_world, bits);
        }
        reader.push_children(world, parent, MAIN, &mut waiting)?;
        while let Some((node, parent, class)) = waiting.pop() {
            let own = reader.body(node, parent, class, warnings)?;
            reader.push_children(node, Some(own), class, &mut waiting)?;
        }
        Ok(reader)
    }

    /// Pushes the child bodies on the stack, the first on top.
    fn push_children(
        &self,
        node: Node<'a, 'i>,
        parent: Option<usize>,
        class: &'a str,
        waiting: &mut Vec<Waiting<'a, 'i>>,
    ) -> Result<(), String> {
        for inner in node.children().filter(Node::is_element).rev() {
            match inner.tag_name().name() {
                "body" => {
                    let class = inner.attribute("childclass").unwrap_or(class);
                    waiting.push((inner, parent, class));
                }
                // These elements would contain bodies of their own.
                "include" | "frame" | "replicate" | "attach" | "composite" | "flexcomp" => {
                    return Err(at(inner, "it is not read"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds a link for the body, after one for each of its joints but the last; returns its index.
    fn body(
        &mut self,
        node: Node<'a, 'i>,
        parent: Option<usize>,
        class: &'a str,
        warnings: &mut Vec<Warning>,
    ) -> Result<usize, String> {
        let count = self.links.len();
        let name = node.attribute("name").map_or_else(|| format!("body {count}"), str::to_owned);
        let (shapes, bits) = self.shapes((node, &name), class, warnings)?;
        let joints = node
            .children()
            .filter(|inner| inner.has_tag_name("joint") || inner.has_tag_name("freejoint"));
        let (mut moves, mut jointed) = (Vec::new(), false);
        for joint in joints {
            moves.extend(self.joint(joint, class, warnings)?);
            jointed = true;
        }
        let place = shapes::place(&self.attributes, node, class)?;
        let own = self.chain(&name, parent, place, moves);
        for link in &self.links[count..] {
            if !self.names[0].insert(link.name.clone()) {
                return Err(at(node, format!("two links are called '{}'", link.name)));
            }
        }
        let above = parent.map_or(WORLD, |parent| self.bodies[parent].piece);
        let fixed = !jointed && parent.is_none_or(|parent| self.bodies[parent].fixed);
        let piece = if jointed || above == WORLD { own } else { above };
        self.bodies[own] = MjcfBody { shapes, bits, piece, above, fixed };
        Ok(own)
    }

    /// Adds a link for every joint, each about its anchor in the frame of the body; the last, which
    /// has its frame, is the body's.
    fn chain(
        &mut self,
        name: &str,
        mut parent: Option<usize>,
        mut place: Pose<f64>,
        moves: Vec<MovingJoint>,
    ) -> usize {
        let last = moves.len().saturating_sub(1);
        for (index, MovingJoint { name: own, anchor, joint }) in moves.into_iter().enumerate() {
            let origin = place * Isometry3::from(anchor);
            if index == last && anchor == Vector3::zeros() {
                return self.link(name.to_owned(), parent, (origin, joint));
            }
            parent = Some(self.link(format!("{name} ({own})"), parent, (origin, joint)));
            place = Isometry3::from(-anchor);
        }
        self.link(name.to_owned(), parent, (place, JointKind::Fixed))
    }

    fn link(
        &mut self,
        name: String,
        parent: Option<usize>,
        (origin, joint): (Pose<f64>, JointKind),
    ) -> usize {
        let above = parent.map_or(WORLD, |parent| self.bodies[parent].piece);
        self.links.push(Link { name, parent, origin, joint });
        let (shapes, bits, fixed) = (Vec::new(), ContactBits::NONE, parent.is_none());
        self.bodies.push(MjcfBody { shapes, bits, piece: above, above, fixed });
        self.links.len() - 1
    }

    /// Reads a joint; `None` for a kind that is not supported.
    fn joint(
        &mut self,
        node: Node<'a, 'i>,
        class: &'a str,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<MovingJoint>, String> {
        let count = self.actuators.len();
        let name = node.attribute("name").map_or_else(|| format!("joint {count}"), str::to_owned);
        let kind = self.attributes.text(node, class, "type").unwrap_or("hinge");
        let kind = if node.has_tag_name("freejoint") { "free" } else { kind };
        let unit = match kind {
            "hinge" => self.attributes.angle,
            "slide" => 1.0,
            "free" | "ball" => {
                warnings.push(Warning::FixedJoint { joint: name });
                return Ok(None);
            }
            other => return Err(at(node, format!("no joint is of type '{other}'"))),
        };
        let axis = self.attributes.three(node, class, "axis")?.unwrap_or(Vector3::z());
        let axis = axis.try_normalize(1e-12).ok_or_else(|| at(node, "the axis has no length"))?;
        let anchor = self.attributes.three(node, class, "pos")?.unwrap_or_default();
        let limited = self.attributes.text(node, class, "limited") != Some("false");
        let limits =
            match self.attributes.numbers(node, class, "range")?.filter(|_| limited).as_deref() {
                None => None,
                Some(&[least, most]) if least > most => {
                    return Err(at(
                        node,
                        format!("the range from {least} to {most} is out of order"),
                    ));
                }
                Some(&[least, most]) => Some([least * unit, most * unit]),
                Some(_) => return Err(at(node, "a range is two numbers")),
            };
        if !self.names[1].insert(name.clone()) {
            return Err(at(node, format!("two joints are called '{name}'")));
        }
        let mimic = Mimic::direct(count);
        self.actuators.push(Actuator { name: name.clone(), limits });
        let joint = match kind {
            "slide" => JointKind::Prismatic { axis, mimic },
            _ => JointKind::Revolute { axis, mimic },
        };
        Ok(Some(MovingJoint { name, anchor, joint }))
    }

    /// Reads the collision shapes of a body, in its frame, and their common contact bits.
    fn shapes(
        &mut self,
        (node, name): (Node<'a, 'i>, &str),
        class: &'a str,
        warnings: &mut Vec<Warning>,
    ) -> Result<(Vec<MjcfShape>, ContactBits), String> {
        let (mut found, mut bits, mut mixed) = (Vec::new(), None, false);
        for geom in node.children().filter(|inner| inner.has_tag_name("geom")) {
            if let Some((shape, own)) = shapes::read(&self.attributes, geom, class, warnings)? {
                mixed |= bits.is_some_and(|bits| bits != own);
                bits = Some(bits.map_or(own, |bits: ContactBits| bits.union(own)));
                found.push(shape);
            }
        }
        if mixed {
            warnings.push(Warning::MixedGroups { body: name.to_owned() });
        }
        Ok((found, bits.unwrap_or(ContactBits::NONE)))
    }
}
