//! SRDF: the pairs of links that are never tested.

use super::xml::{self, children, required};
use crate::load::Warning;
use crate::load::source::FileSource;
use crate::load::vocabulary::{SRDF, survey_xml};
use crate::motion::Mechanism;

/// Reads the disabled pairs; warns of pairs with links that the robot does not have.
pub(super) fn read(
    source: &FileSource<'_>,
    robot: &Mechanism,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<[String; 2]>, String> {
    let text = source.text()?;
    let document = xml::parse(&text)?;
    let known: std::collections::HashSet<&str> =
        robot.links().iter().map(|link| link.name.as_str()).collect();
    let mut pairs = Vec::new();
    for disabled in children(document.root_element(), "disable_collisions") {
        let [a, b] = [required(disabled, "link1")?, required(disabled, "link2")?];
        if known.contains(a) && known.contains(b) {
            pairs.push([a.to_owned(), b.to_owned()]);
        } else {
            warnings.push(Warning::StrayPair { a: a.to_owned(), b: b.to_owned() });
        }
    }
    warnings.extend(survey_xml(document.root_element(), &SRDF).warnings(None));
    Ok(pairs)
}
