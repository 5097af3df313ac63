//! Contents of a character or a robot as named items with fields of text, for comparisons. Numbers
//! are written so that different ones have different texts.

use std::borrow::Cow;
use std::fmt::{self, Debug, Write};

use boxwood::load::{Loaded, Robot};
use boxwood::model::Part;
use boxwood::motion::{Actuator, Clip, Joint, JointKind, Link, Mimic};
use boxwood::num::Scalar;
use boxwood::shape::Pose;
use boxwood::{CollisionGroups, Geometry, Model, NodeId, PartId};

use crate::file_facts::fingerprint;

/// A named item of a file: a part, a joint, a clip.
pub struct Item {
    pub kind: &'static str,
    pub name: String,
    /// Names of fields with their values.
    pub fields: Vec<Field>,
}

/// Name and value of a field.
pub type Field = (Cow<'static, str>, String);

/// Returns a field with a fixed name.
pub fn field(name: &'static str, value: impl Into<String>) -> Field {
    (Cow::Borrowed(name), value.into())
}

/// Returns the items of a robot: parts, links with their joints, actuators, pairs.
pub fn of_robot(robot: &Robot<f32>) -> Vec<Item> {
    let (links, actuators) = (robot.mechanism.links(), robot.mechanism.actuators());
    let parent = |link: &Link| link.parent.map(|parent| links[parent].name.as_str());
    let link = |link: &Link| {
        let mut fields =
            vec![field("parent", or_dash(parent(link))), field("origin", pose(&link.origin))];
        let mut moved = |kind: &str, axis: &[f64], mimic: &Mimic| {
            let Mimic { actuator, multiplier, offset } = mimic;
            fields.push(field("joint", kind.to_owned()));
            fields.push(field("axis", numbers(axis)));
            fields.push(field("actuator", actuators[*actuator].name.clone()));
            fields.push(field("rule", format!("{multiplier} * value + {offset}")));
        };
        match &link.joint {
            JointKind::Revolute { axis, mimic } => moved("revolute", axis.as_slice(), mimic),
            JointKind::Prismatic { axis, mimic } => moved("prismatic", axis.as_slice(), mimic),
            _ => fields.push(field("joint", "fixed".to_owned())),
        }
        Item { kind: "link", name: link.name.clone(), fields }
    };
    let actuator = |actuator: &Actuator| {
        let limits = actuator.limits.map(|[least, most]| format!("{least} to {most}"));
        let fields = vec![field("limits", limits.unwrap_or_else(|| "none".to_owned()))];
        Item { kind: "actuator", name: actuator.name.clone(), fields }
    };
    let mut items = of_model("robot", &robot.model);
    items.extend(links.iter().map(link));
    items.extend(actuators.iter().map(actuator));
    items.extend(pairs(&robot.model));
    items
}

/// Returns the items of a character: parts, joints, clips, pairs.
pub fn of_character(loaded: &Loaded<f32>) -> Vec<Item> {
    let joints = loaded.skeleton.joints();
    let joint = |joint: &Joint<f32>| {
        let parent = joint.parent.map(|parent| joints[parent].name.as_str());
        let rest = &joint.rest;
        let fields = vec![
            field("parent", or_dash(parent)),
            field("translation", numbers(rest.translation.as_slice())),
            field("rotation", numbers(rest.rotation.coords.as_slice())),
            field("scale", numbers(rest.scale.as_slice())),
        ];
        Item { kind: "joint", name: joint.name.clone(), fields }
    };
    let clip = |clip: &Clip<f32>| {
        let keys: usize = clip.tracks().iter().map(|track| track.keys().len()).sum();
        let fields = vec![
            field("duration", clip.duration().to_string()),
            field("tracks", clip.tracks().len().to_string()),
            field("keys", keys.to_string()),
            field("digest", digest(&clip.tracks())),
        ];
        Item { kind: "clip", name: clip.name().to_owned(), fields }
    };
    let mut items = of_model("character", &loaded.model);
    items.extend(joints.iter().map(joint));
    items.extend(loaded.clips.iter().map(clip));
    items.extend(pairs(&loaded.model));
    items
}

/// Returns the file as an item, and its parts.
fn of_model(kind: &str, model: &Model) -> Vec<Item> {
    let fields = vec![
        field("kind", kind.to_owned()),
        field("parts", model.len().to_string()),
        field("fingerprint", fingerprint(model)),
    ];
    let file = Item { kind: "file", name: String::new(), fields };
    let parts = model.parts().iter().map(|part| of_part(model, part));
    [file].into_iter().chain(parts).collect()
}

fn of_part(model: &Model, part: &Part<f32>) -> Item {
    let parent = part.parent().map(|parent| model.parts()[parent.index()].name());
    let mut fields = vec![field("parent", or_dash(parent)), field("bind pose", pose(part.bind()))];
    let CollisionGroups { memberships, filter } = part.groups();
    if part.groups() != CollisionGroups::ALL {
        fields.push(field("groups", format!("{memberships:x} against {filter:x}")));
    }
    if part.user() != 0 {
        fields.push(field("user", part.user().to_string()));
    }
    let geometry = match part.tree().map(|tree| tree.geometry()) {
        None | Some(Geometry::None) => "none",
        Some(Geometry::Surface(_)) => "surface",
        Some(Geometry::Solid(_)) => "solid",
        Some(Geometry::Boxes(_)) => "boxes",
        Some(Geometry::Convex(_)) => "convex shapes",
        Some(_) => "other",
    };
    fields.push(field("geometry", geometry.to_owned()));
    if let Some(tree) = part.tree() {
        let root = tree.node(NodeId::ROOT).oriented();
        fields.push(field("primitives", tree.geometry().len().to_string()));
        fields.push(field("nodes", tree.len().to_string()));
        fields.push(field("depth", tree.depth().to_string()));
        fields.push(field("root box center", numbers(root.center().coords.as_slice())));
        fields.push(field("root box half extents", numbers(root.half_extents().as_slice())));
        fields.push(field("root box axes", numbers(root.axes().as_slice())));
        fields.push(field("tree fingerprint", format!("{:016x}", tree.fingerprint())));
    }
    Item { kind: "part", name: part.name().to_owned(), fields }
}

/// Returns the pairs of parts with geometry that have a rule: not tested, tested although their
/// groups do not interact, or with a margin.
fn pairs(model: &Model) -> Vec<Item> {
    let parts = model.parts().iter().filter(|part| part.tree().is_some());
    let parts: Vec<PartId> = parts.map(|part| part.id()).collect();
    let name = |part: PartId| model.parts()[part.index()].name();
    let mut items = Vec::new();
    for (index, &a) in parts.iter().enumerate() {
        for &b in &parts[index + 1..] {
            let (ignored, margin) = (model.ignores(a, b), model.margin(a, b));
            let [groups_a, groups_b] = [a, b].map(|part| model.parts()[part.index()].groups());
            let tested = model.tests(a, b);
            let is_named = tested && !groups_a.interacts_with(groups_b);
            if !ignored && !is_named && margin == 0.0 {
                continue;
            }
            let tested = if tested { "yes" } else { "no" };
            let fields = vec![field("tested", tested), field("margin", margin.to_string())];
            items.push(Item { kind: "pair", name: format!("{} - {}", name(a), name(b)), fields });
        }
    }
    items
}

fn or_dash(name: Option<&str>) -> String {
    name.unwrap_or("-").to_owned()
}

/// Returns numbers with as many digits as tell them apart.
pub fn numbers(numbers: &[impl fmt::Display]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn pose<T: Scalar + fmt::Display>(pose: &Pose<T>) -> String {
    let (position, rotation) = (&pose.translation.vector, &pose.rotation.coords);
    format!("{}, rotation {}", numbers(position.as_slice()), numbers(rotation.as_slice()))
}

/// Hash of text, as it is written: FNV-1a of 64 bits.
struct TextHash(u64);

impl Write for TextHash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

/// Returns a hash of all numbers of a value, as 16 hexadecimal digits.
pub fn digest(of: &impl Debug) -> String {
    let mut hash = TextHash(0xcbf2_9ce4_8422_2325);
    // Writing to the hash does not fail.
    let _ = write!(hash, "{of:?}");
    format!("{:016x}", hash.0)
}
