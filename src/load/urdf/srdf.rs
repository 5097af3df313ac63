//! SRDF: the pairs of links that are never tested, and those that are tested nevertheless.
//!
//! Source: the SRDF page of the ROS wiki, and MoveIt's allowed collision matrix for the order: the
//! links whose collisions are disabled by default, then enabled pairs, then disabled pairs,
//! wherever they are in the file.

use std::collections::HashMap;

use roxmltree::Node;

use super::encoding::xml_text;
use super::xacro;
use super::xml::{self, children, required};
use crate::load::Warning;
use crate::load::pieces::Pieces;
use crate::load::source::FileSource;
use crate::load::vocabulary::{SRDF, survey_xml};
use crate::model::PairTable;
use crate::motion::Mechanism;

/// The links of a robot by name, and the table of untested pairs.
struct SrdfReader<'m> {
    links: HashMap<&'m str, usize>,
    pieces: &'m Pieces,
}

/// Applies an SRDF file to the table of untested pairs; warns of links that the robot does not
/// have, and of enabled pairs that never move against each other.
pub(super) fn apply(
    source: &FileSource<'_>,
    robot: &Mechanism,
    pieces: &Pieces,
    untested: &mut PairTable,
    warnings: &mut Vec<Warning>,
) -> Result<(), String> {
    let text = xml_text(source.bytes()?.into_owned())?;
    let document = xml::parse(&text)?;
    xacro::check_expanded(&document)?;
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        return Err(xml::at(root, "not an SRDF file: the root is not <robot>"));
    }
    let links = robot.links().iter().enumerate().map(|(index, link)| (link.name.as_str(), index));
    let reader = SrdfReader { links: links.collect(), pieces };
    for element in children(root, "disable_default_collisions") {
        reader.disable_default(element, untested, warnings)?;
    }
    for element in children(root, "enable_collisions") {
        let Some([a, b]) = reader.pair(element, warnings)? else { continue };
        match reader.pieces.are_rigid(a, b) {
            true => warnings.push(Warning::RigidPair { a: name(robot, a), b: name(robot, b) }),
            false => untested.remove(a, b),
        }
    }
    for element in children(root, "disable_collisions") {
        if let Some([a, b]) = reader.pair(element, warnings)? {
            untested.insert(a, b);
        }
    }
    warnings.extend(survey_xml(root, &SRDF).warnings(None));
    Ok(())
}

fn name(robot: &Mechanism, link: usize) -> String {
    robot.links()[link].name.clone()
}

impl SrdfReader<'_> {
    /// Disables all pairs with a link.
    fn disable_default(
        &self,
        element: Node<'_, '_>,
        untested: &mut PairTable,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), String> {
        let name = required(element, "link")?;
        match self.links.get(name) {
            Some(&link) => (0..self.links.len()).for_each(|other| untested.insert(link, other)),
            None => warnings.push(Warning::StrayLink { link: name.to_owned() }),
        }
        Ok(())
    }

    /// The indices of the two links of an element; `None`, with a warning, if one is unknown.
    fn pair(
        &self,
        element: Node<'_, '_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<[usize; 2]>, String> {
        let [a, b] = [required(element, "link1")?, required(element, "link2")?];
        let found = [a, b].map(|name| self.links.get(name).copied());
        if let [Some(a), Some(b)] = found {
            return Ok(Some([a, b]));
        }
        warnings.push(Warning::StrayPair { a: a.to_owned(), b: b.to_owned() });
        Ok(None)
    }
}
