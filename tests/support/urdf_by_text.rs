//! Second reader of URDF, which only splits the text, with poses by products of 4x4 matrices.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use nalgebra::{Matrix4, Point3, Vector3};

pub type Triangle = [Point3<f64>; 3];

#[derive(Debug, Clone)]
pub struct Collision {
    pub origin: Matrix4<f64>,
    /// File and scale, if it is a mesh.
    pub mesh: Option<(String, Vector3<f64>)>,
}

#[derive(Debug, Clone)]
pub struct Joint {
    pub name: String,
    pub kind: String,
    pub parent: String,
    pub child: String,
    pub origin: Matrix4<f64>,
    pub axis: Vector3<f64>,
    pub mimic: Option<(String, f64, f64)>,
}

#[derive(Debug, Default)]
pub struct Robot {
    pub links: Vec<String>,
    pub collisions: HashMap<String, Vec<Collision>>,
    pub joints: Vec<Joint>,
}

/// Tag: `true` if it closes an element, `true` if it opens one, its name, its attributes.
struct Tag {
    closes: bool,
    opens: bool,
    name: String,
    attributes: HashMap<String, String>,
}

fn tags(text: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        if rest.starts_with("<!--") {
            rest = &rest[rest.find("-->").expect("a comment's end")..];
            continue;
        }
        let end = rest.find('>').expect("a tag's end");
        let inside = &rest[1..end];
        rest = &rest[end..];
        let closes = inside.starts_with('/');
        let opens = !closes && !inside.ends_with('/') && !inside.starts_with('?');
        let name = inside.trim_matches('/').split_whitespace().next().unwrap_or_default();
        let mut attributes = HashMap::new();
        let pieces: Vec<&str> = inside.split('"').collect();
        for pair in pieces.chunks_exact(2) {
            let key = pair[0].trim().trim_end_matches('=').trim();
            let key = key.split_whitespace().last().unwrap_or_default();
            attributes.insert(key.to_owned(), pair[1].to_owned());
        }
        tags.push(Tag { closes, opens, name: name.to_owned(), attributes });
    }
    tags
}

fn three(tag: &Tag, name: &str, missing: f64) -> Vector3<f64> {
    let Some(text) = tag.attributes.get(name) else { return Vector3::repeat(missing) };
    let numbers: Vec<f64> = text.split_whitespace().map(|w| w.parse().expect("a number")).collect();
    Vector3::new(numbers[0], numbers[1], numbers[2])
}

/// Computes a rotation by Rodrigues' formula.
pub fn turned(axis: Vector3<f64>, angle: f64) -> Matrix4<f64> {
    let k = axis.cross_matrix();
    let m = nalgebra::Matrix3::identity() + k * angle.sin() + k * k * (1.0 - angle.cos());
    m.to_homogeneous()
}

fn origin(tag: &Tag) -> Matrix4<f64> {
    let (xyz, rpy) = (three(tag, "xyz", 0.0), three(tag, "rpy", 0.0));
    let turn =
        turned(Vector3::z(), rpy.z) * turned(Vector3::y(), rpy.y) * turned(Vector3::x(), rpy.x);
    Matrix4::new_translation(&xyz) * turn
}

pub fn read(path: &Path) -> Robot {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut robot = Robot::default();
    let mut open: Vec<String> = Vec::new();
    let mut link = String::new();
    for tag in tags(&text) {
        if tag.closes {
            assert_eq!(open.pop().as_ref(), Some(&tag.name));
            continue;
        }
        let attribute = |name: &str| tag.attributes.get(name).cloned().unwrap_or_default();
        let below: Vec<&str> = open.iter().skip(1).map(String::as_str).collect();
        match (&below[..], tag.name.as_str()) {
            ([], "link") => {
                link = attribute("name");
                robot.links.push(link.clone());
            }
            (["link"], "collision") => {
                let collision = Collision { origin: Matrix4::identity(), mesh: None };
                robot.collisions.entry(link.clone()).or_default().push(collision);
            }
            (["link", "collision"], "origin") => last(&mut robot, &link).origin = origin(&tag),
            (["link", "collision", "geometry"], "mesh") => {
                let scale = three(&tag, "scale", 1.0);
                last(&mut robot, &link).mesh = Some((attribute("filename"), scale));
            }
            ([], "joint") => robot.joints.push(Joint {
                name: attribute("name"),
                kind: attribute("type"),
                parent: String::new(),
                child: String::new(),
                origin: Matrix4::identity(),
                axis: Vector3::x(),
                mimic: None,
            }),
            (["joint"], "parent") => joint(&mut robot).parent = attribute("link"),
            (["joint"], "child") => joint(&mut robot).child = attribute("link"),
            (["joint"], "origin") => joint(&mut robot).origin = origin(&tag),
            (["joint"], "axis") => joint(&mut robot).axis = three(&tag, "xyz", 0.0).normalize(),
            (["joint"], "mimic") => {
                let number = |name: &str, missing: f64| attribute(name).parse().unwrap_or(missing);
                let mimic = (attribute("joint"), number("multiplier", 1.0), number("offset", 0.0));
                joint(&mut robot).mimic = Some(mimic);
            }
            _ => {}
        }
        if tag.opens {
            open.push(tag.name);
        }
    }
    robot
}

fn last<'r>(robot: &'r mut Robot, link: &str) -> &'r mut Collision {
    let all = robot.collisions.get_mut(link).expect("a collision");
    all.last_mut().expect("a collision")
}

fn joint(robot: &mut Robot) -> &mut Joint {
    robot.joints.last_mut().expect("a joint")
}

impl Robot {
    /// Computes link-to-model matrices by name, from the values of joints by name.
    pub fn poses(&self, values: &HashMap<String, f64>) -> HashMap<String, Matrix4<f64>> {
        let above: HashMap<&str, &Joint> =
            self.joints.iter().map(|joint| (joint.child.as_str(), joint)).collect();
        let pose = |link: &String| {
            let (mut at, mut matrix) = (link.as_str(), Matrix4::identity());
            while let Some(joint) = above.get(at) {
                matrix = joint.origin * self.moved(joint, values) * matrix;
                at = &joint.parent;
            }
            (link.clone(), matrix)
        };
        self.links.iter().map(pose).collect()
    }

    fn value(&self, joint: &Joint, values: &HashMap<String, f64>) -> f64 {
        match &joint.mimic {
            None => values[&joint.name],
            Some((other, ratio, offset)) => {
                let other = self.joints.iter().find(|joint| joint.name == *other);
                ratio * self.value(other.expect("a joint"), values) + offset
            }
        }
    }

    fn moved(&self, joint: &Joint, values: &HashMap<String, f64>) -> Matrix4<f64> {
        match joint.kind.as_str() {
            "fixed" => Matrix4::identity(),
            "prismatic" => Matrix4::new_translation(&(joint.axis * self.value(joint, values))),
            _ => turned(joint.axis, self.value(joint, values)),
        }
    }

    /// Returns the triangles of a link's meshes in its frame, if it has only meshes; in the single
    /// precision of the files.
    pub fn triangles(&self, link: &str, root: &Path) -> Option<Vec<Triangle>> {
        let mut triangles = Vec::new();
        for collision in self.collisions.get(link)? {
            let (file, scale) = collision.mesh.as_ref()?;
            for corners in stl(&find(file, root)) {
                triangles.push(corners.map(|corner| {
                    let scaled = Point3::from(corner.coords.component_mul(scale));
                    collision.origin.transform_point(&scaled)
                }));
            }
        }
        Some(triangles)
    }
}

/// Finds a file: the data folders have the contents below `..._description/` or `..._data/`.
fn find(name: &str, root: &Path) -> PathBuf {
    let inside = ["panda_description/", "talos_data/"];
    let tail = inside.iter().find_map(|folder| Some(name.split_once(folder)?.1));
    root.join(tail.expect("a name inside the package"))
}

fn stl(path: &Path) -> Vec<Triangle> {
    let bytes = std::fs::read(path).expect("a mesh");
    let number = |at: usize| {
        f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
    };
    let corner = |at: usize| Point3::new(number(at), number(at + 4), number(at + 8));
    let starts = (84..bytes.len()).step_by(50);
    starts.map(|at| [corner(at + 12), corner(at + 24), corner(at + 36)]).collect()
}
