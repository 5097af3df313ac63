//! Elements of an MJCF model that affect contacts or poses and are not read.

use super::bodies::MjcfReader;
use super::defaults::MAIN_CLASS;
use super::element::Element;
use super::model::MjcfModel;
use super::paired_geoms::GEOMS;
use crate::load::Warning;

/// Elements that are not read, and the attributes with the names of their targets. Pairs are read
/// unless the caller leaves out the masks of shapes.
const UNREAD_ELEMENTS: [(&str, &str, &[&str]); 8] = [
    ("asset", "skin", &[]),
    ("deformable", "skin", &[]),
    ("deformable", "flex", &[]),
    ("contact", "pair", &GEOMS),
    ("equality", "connect", &["body1", "body2"]),
    ("equality", "weld", &["body1", "body2"]),
    ("equality", "tendon", &["tendon1", "tendon2"]),
    ("equality", "flex", &["flex"]),
];

/// Warns of elements that affect contacts or poses and are not read.
pub(super) fn warn_of_unread(
    reader: &MjcfReader<'_, '_>,
    reads_pairs: bool,
    warnings: &mut Vec<Warning>,
) -> Result<(), String> {
    let is_mocap = |name: &str| reader.find(name).is_some_and(|link| reader.bodies[link].mocap);
    for model in reader.expansion.models {
        for (list, tag, references) in UNREAD_ELEMENTS {
            if tag == "pair" && reads_pairs {
                continue;
            }
            for element in model.root.listed(list, tag) {
                let words: Vec<&str> =
                    references.iter().filter_map(|name| element.attribute(name)).collect();
                // MuJoCo's caller drags a body by a weld to a mocap body: no pose depends on it
                // here.
                let drags = tag == "weld" && words.iter().any(|name| is_mocap(name));
                if drags || (list == "equality" && !is_active(model, element)?) {
                    continue;
                }
                let name = element.attribute("name").map(str::to_owned);
                let name = name.or_else(|| (!words.is_empty()).then(|| words.join(", ")));
                let name = name.unwrap_or_else(|| tag.to_owned());
                warnings.push(Warning::Unread { element: tag.to_owned(), name });
            }
        }
    }
    Ok(())
}

/// Returns `true` unless an equality constraint is switched off.
fn is_active<'t>(model: &MjcfModel<'t>, element: Element<'t>) -> Result<bool, String> {
    let attributes = model.classes.attributes(element, MAIN_CLASS, "equality")?;
    Ok(attributes.keyword("active", &["true", "false"])? != Some("false"))
}
