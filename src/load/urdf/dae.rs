//! Triangles of a COLLADA file.
//!
//! Lengths are converted to metres; the up axis is not rotated, as in the viewers of robots: their
//! files are in the frame of the link whatever `<up_axis>` states. Parsed here: `mesh-loader`, the
//! one maintained crate, has single precision and no strips, skins or holes.
//! Source: Khronos, COLLADA 1.4.1 specification, chapters 5 (`<triangles>`, `<polylist>`,
//! `<polygons>`, `<skin>`) and 4 (`<node>`).

use std::collections::HashMap;
use std::rc::Rc;

use nalgebra::{ComplexField, Matrix4, Point3, Rotation3, Unit, Vector3};
use roxmltree::{Node, NodeId};

use super::dae_faces::{Stride, outlines, text};
use super::xml::{self, at, child, children, required};
use crate::load::meshes::{CROSSING_POLYGONS, SkippedElements, triangulate_rings};
use crate::load::vocabulary::{DAE, Survey, survey_xml};

type Corners3 = [Point3<f64>; 3];
/// Positions, shared by all faces that refer to them.
type Positions = Rc<Vec<Point3<f64>>>;
type Ids<'a, 'i> = HashMap<&'a str, Node<'a, 'i>>;

/// Largest number of nodes and instances: one that contains itself has no end.
const MAX_NODES: usize = 100_000;
const MAX_TRIANGLES: usize = 8_000_000;

/// Largest number of controllers between a node and a geometry: a skin of a morph.
const MAX_CONTROLLERS: usize = 8;

/// Reads the triangles of all scenes, or of all geometries if there is no scene, and counts what is
/// left out and what the file contains.
pub(super) fn triangles(
    bytes: Vec<u8>,
    skipped: &mut SkippedElements,
) -> Result<(Vec<Corners3>, Survey), String> {
    let text = super::encoding::xml_text(bytes)?;
    let document = xml::parse(&text)?;
    let root = document.root_element();
    let survey = survey_xml(root, &DAE);
    let ids = root.descendants().filter_map(|node| Some((node.attribute("id")?, node)));
    let unit = child(root, "asset").and_then(|asset| child(asset, "unit"));
    let metre = unit.map_or(Ok(None), |unit| xml::number(unit, "meter"))?.unwrap_or(1.0);
    let scale = Matrix4::new_scaling(metre);
    let mut scene = DaeScene::new(ids.collect(), scale, skipped);
    let shown = children(root, "scene").flat_map(|scene| children(scene, "instance_visual_scene"));
    let shown: Vec<_> = shown.collect();
    for &shown in &shown {
        scene.add(scene.target(shown, "url")?)?;
    }
    if shown.is_empty() {
        let library = children(root, "library_geometries");
        for geometry in library.flat_map(|library| children(library, "geometry")) {
            scene.geometry(geometry, &scale)?;
        }
    }
    if scene.triangles.is_empty() {
        Err("it has no triangles".to_owned())
    } else {
        Ok((scene.triangles, survey))
    }
}

struct DaeScene<'a, 'i, 's> {
    ids: Ids<'a, 'i>,
    /// The map from the file's unit to metres.
    scale: Matrix4<f64>,
    triangles: Vec<Corners3>,
    skipped: &'s mut SkippedElements,
    /// Positions by source: parsed once, as files refer to them many times.
    positions_by_source: HashMap<NodeId, Positions>,
    geometries: HashMap<NodeId, Rc<Vec<Corners3>>>,
    /// Number of nodes and instances found.
    nodes: usize,
}

/// A node or an instance to be read, and the frame around it.
struct OpenNode<'a, 'i> {
    node: Node<'a, 'i>,
    frame: Matrix4<f64>,
}

impl<'a, 'i, 's> DaeScene<'a, 'i, 's> {
    fn new(ids: Ids<'a, 'i>, scale: Matrix4<f64>, skipped: &'s mut SkippedElements) -> Self {
        let (positions_by_source, geometries) = (HashMap::new(), HashMap::new());
        DaeScene {
            ids,
            scale,
            triangles: Vec::new(),
            skipped,
            positions_by_source,
            geometries,
            nodes: 0,
        }
    }

    fn target(&self, node: Node<'a, 'i>, attribute: &str) -> Result<Node<'a, 'i>, String> {
        let name = required(node, attribute)?.trim();
        let Some(id) = name.strip_prefix('#') else {
            return Err(at(node, format!("'{name}' is in another file, which is not read")));
        };
        let found = self.ids.get(id).copied();
        found.ok_or_else(|| at(node, format!("no element has the id '{id}'")))
    }

    /// Adds a scene with all its descendants, in the order of the file; transforms apply in the
    /// order in which they are written.
    fn add(&mut self, scene: Node<'a, 'i>) -> Result<(), String> {
        let mut waiting = vec![OpenNode { node: scene, frame: self.scale }];
        while let Some(OpenNode { node, mut frame }) = waiting.pop() {
            match node.tag_name().name() {
                "instance_geometry" => self.geometry(self.target(node, "url")?, &frame)?,
                "instance_controller" => self.controller(node)?,
                _ => {
                    let first = waiting.len();
                    for element in node.children().filter(Node::is_element) {
                        let node = match element.tag_name().name() {
                            "node" | "instance_geometry" | "instance_controller" => element,
                            "instance_node" => self.target(element, "url")?,
                            "skew" => {
                                self.skipped.add("transforms that shear (<skew>)");
                                continue;
                            }
                            _ => {
                                frame *= transform(element)?;
                                continue;
                            }
                        };
                        self.nodes += 1;
                        if self.nodes > MAX_NODES {
                            return Err(at(
                                element,
                                format!("more than {MAX_NODES} nodes, or one that contains itself"),
                            ));
                        }
                        waiting.push(OpenNode { node, frame });
                    }
                    waiting[first..].reverse();
                }
            }
        }
        Ok(())
    }

    /// Adds the geometry of a skin or a morph in its bind shape: the joints of a skin place it in
    /// the scene, whatever node instances it.
    fn controller(&mut self, instance: Node<'a, 'i>) -> Result<(), String> {
        let (mut found, mut bind) = (self.target(instance, "url")?, self.scale);
        for _ in 0..MAX_CONTROLLERS {
            let skin = child(found, "skin");
            let Some(kind) = skin.or_else(|| child(found, "morph")) else {
                self.skipped.add("motions of skins and morphs (<instance_controller>)");
                return self.geometry(found, &bind);
            };
            if let Some(shape) = child(kind, "bind_shape_matrix") {
                bind *= matrix(shape)?;
            }
            found = self.target(kind, "source")?;
        }
        Err(at(instance, "its controllers form a cycle"))
    }

    fn geometry(&mut self, geometry: Node<'a, 'i>, pose: &Matrix4<f64>) -> Result<(), String> {
        let own = match self.geometries.get(&geometry.id()) {
            Some(known) => Rc::clone(known),
            None => Rc::new(self.faces(geometry)?),
        };
        if self.triangles.len() + own.len() > MAX_TRIANGLES {
            return Err(at(geometry, format!("more than {MAX_TRIANGLES} triangles")));
        }
        let mirrors = pose.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        self.triangles.extend(own.iter().map(|corners| {
            let [a, b, c] = corners.map(|corner| pose.transform_point(&corner));
            if mirrors { [a, c, b] } else { [a, b, c] }
        }));
        self.geometries.insert(geometry.id(), own);
        Ok(())
    }

    /// The triangles of a geometry in its own frame.
    fn faces(&mut self, geometry: Node<'a, 'i>) -> Result<Vec<Corners3>, String> {
        let mut triangles = Vec::new();
        for mesh in geometry.children().filter(Node::is_element) {
            let kind = mesh.tag_name().name();
            match kind {
                "mesh" => {}
                "convex_mesh" if !mesh.has_attribute("convex_hull_of") => {}
                "convex_mesh" | "spline" | "brep" => {
                    self.skipped.add(&format!("geometries of another kind (<{kind}>)"));
                    continue;
                }
                _ => continue,
            }
            for faces in mesh.children() {
                match faces.tag_name().name() {
                    "triangles" | "tristrips" | "trifans" | "polylist" | "polygons" => {
                        self.add_faces(faces, &mut triangles)?;
                    }
                    kind @ ("lines" | "linestrips") => {
                        self.skipped.add(&format!("lines (<{kind}>)"))
                    }
                    _ => {}
                }
            }
        }
        Ok(triangles)
    }

    /// Adds the triangles of one element.
    fn add_faces(
        &mut self,
        faces: Node<'a, 'i>,
        triangles: &mut Vec<Corners3>,
    ) -> Result<(), String> {
        let Some((corners, stride)) = self.corners(faces)? else {
            self.skipped.add("faces without positions");
            return Ok(());
        };
        let outlines = outlines(faces, stride, self.skipped)?;
        let (mut position_indices, mut ends) = (Vec::new(), Vec::new());
        for face in outlines.faces() {
            position_indices.clear();
            ends.clear();
            for ring in face {
                for &index in ring {
                    let corner = corners.get(index).copied();
                    let past = || at(faces, format!("index {index} is past the end"));
                    position_indices.push(corner.ok_or_else(past)?);
                }
                ends.push(position_indices.len());
            }
            if ends.first().is_none_or(|&outline| outline < 3) {
                self.skipped.add("faces of fewer than three corners");
                continue;
            }
            if let ([a, b, c], [_]) = (&position_indices[..], &ends[..]) {
                triangles.push([*a, *b, *c]);
                continue;
            }
            let found = triangulate_rings(&position_indices, &ends);
            if !found.simple {
                self.skipped.add(CROSSING_POLYGONS);
            }
            triangles
                .extend(found.triangles.iter().map(|corners| corners.map(|i| position_indices[i])));
        }
        Ok(())
    }

    /// The positions of faces, and the layout of their indices.
    fn corners(&mut self, faces: Node<'a, 'i>) -> Result<Option<(Positions, Stride)>, String> {
        let offset = |input: Node<'_, '_>| -> Result<usize, String> {
            let offset = input.attribute("offset").unwrap_or("0");
            let offset: Option<usize> = offset.trim().parse().ok();
            offset
                .filter(|&offset| offset < 64)
                .ok_or_else(|| at(input, "the offset is not a number below 64"))
        };
        let (mut corners, mut position_offset, mut width) = (None, 0, 1);
        for input in children(faces, "input") {
            width = width.max(offset(input)? + 1);
            if required(input, "semantic")? == "VERTEX" {
                position_offset = offset(input)?;
                corners = self.positions(self.target(input, "source")?)?;
            }
        }
        Ok(corners.map(|corners| (corners, Stride { position_offset, width })))
    }

    fn positions(&mut self, vertices: Node<'a, 'i>) -> Result<Option<Positions>, String> {
        let position = |input: &Node<'_, '_>| input.attribute("semantic") == Some("POSITION");
        let Some(input) = children(vertices, "input").find(position) else { return Ok(None) };
        let source = self.target(input, "source")?;
        if let Some(known) = self.positions_by_source.get(&source.id()) {
            return Ok(Some(Rc::clone(known)));
        }
        let positions = Rc::new(read_positions(source)?);
        self.positions_by_source.insert(source.id(), Rc::clone(&positions));
        Ok(Some(positions))
    }
}

fn read_positions(source: Node<'_, '_>) -> Result<Vec<Point3<f64>>, String> {
    let array = child(source, "float_array");
    let array = array.ok_or_else(|| at(source, "<float_array> is missing"))?;
    let accessor = child(source, "technique_common").and_then(|node| child(node, "accessor"));
    let count = |name: &str, default: usize| -> Result<usize, String> {
        let Some(accessor) = accessor else { return Ok(default) };
        let Some(word) = accessor.attribute(name) else { return Ok(default) };
        word.trim().parse().map_err(|_| at(accessor, format!("'{name}' is not a count")))
    };
    let (stride, offset) = (count("stride", 3)?, count("offset", 0)?);
    if stride < 3 {
        return Err(at(source, "a position has fewer than three numbers"));
    }
    let numbers =
        xml::list(&text(array)).ok_or_else(|| at(array, "the text is not a list of numbers"))?;
    let numbers = numbers.get(offset..).unwrap_or_default().chunks_exact(stride);
    let numbers = numbers.take(count("count", usize::MAX)?);
    Ok(numbers.map(|xyz| Point3::new(xyz[0], xyz[1], xyz[2])).collect())
}

/// The matrix of a transform element; the identity for other elements.
fn transform(element: Node<'_, '_>) -> Result<Matrix4<f64>, String> {
    let numbers = || numbers(element);
    let wrong = |found: usize| Err(wrong_count(element, found));
    Ok(match element.tag_name().name() {
        "matrix" => matrix(element)?,
        "lookat" => match numbers()?[..] {
            [a, b, c, d, e, f, x, y, z] => {
                let eye = Point3::new(a, b, c);
                let turned =
                    Matrix4::look_at_rh(&eye, &Point3::new(d, e, f), &Vector3::new(x, y, z));
                turned
                    .try_inverse()
                    .ok_or_else(|| at(element, "the view direction is parallel to the up axis"))?
            }
            ref all => return wrong(all.len()),
        },
        "translate" => match numbers()?[..] {
            [x, y, z] => Matrix4::new_translation(&Vector3::new(x, y, z)),
            ref all => return wrong(all.len()),
        },
        "scale" => match numbers()?[..] {
            [x, y, z] => Matrix4::new_nonuniform_scaling(&Vector3::new(x, y, z)),
            ref all => return wrong(all.len()),
        },
        "rotate" => match numbers()?[..] {
            [x, y, z, degrees] => rotation_matrix(Vector3::new(x, y, z), degrees.to_radians()),
            ref all => return wrong(all.len()),
        },
        _ => Matrix4::identity(),
    })
}

fn numbers(element: Node<'_, '_>) -> Result<Vec<f64>, String> {
    xml::list(&text(element)).ok_or_else(|| at(element, "the text is not a list of numbers"))
}

fn wrong_count(element: Node<'_, '_>, found: usize) -> String {
    at(element, format!("the element has {found} numbers, which is too few or too many"))
}

fn matrix(element: Node<'_, '_>) -> Result<Matrix4<f64>, String> {
    let all = numbers(element)?;
    match all.len() {
        16 => Ok(Matrix4::from_row_slice(&all)),
        found => Err(wrong_count(element, found)),
    }
}

fn rotation_matrix(axis: Vector3<f64>, angle: f64) -> Matrix4<f64> {
    let Some(axis) = Unit::try_new(axis, 1e-9) else { return Matrix4::identity() };
    let (sine, cosine) = ComplexField::sin_cos(angle);
    let cross = axis.cross_matrix();
    let turned = nalgebra::Matrix3::identity() + cross * sine + cross * cross * (1.0 - cosine);
    Rotation3::from_matrix_unchecked(turned).to_homogeneous()
}
