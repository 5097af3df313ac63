//! The triangles of a COLLADA file.
//!
//! Lengths are converted to metres; the up axis is not rotated, as in the viewers of robots.
//! Source: Khronos, COLLADA 1.4.1 specification, chapters 5 (`<triangles>`, `<polylist>`,
//! `<polygons>`) and 4 (`<node>`).

use std::collections::HashMap;
use std::rc::Rc;

use nalgebra::{ComplexField, Matrix4, Point3, Rotation3, Unit, Vector3};
use roxmltree::{Node, NodeId};

use super::xml::{self, at, child, children, required};

type Corners3 = [Point3<f64>; 3];
/// Positions, shared by all faces that refer to them.
type Positions = Rc<Vec<Point3<f64>>>;
type Ids<'a, 'i> = HashMap<&'a str, Node<'a, 'i>>;

/// The deepest nesting of nodes and of their instances.
const DEEPEST: usize = 64;
const MOST_NODES: usize = 100_000;
const MOST_TRIANGLES: usize = 8_000_000;

pub(super) fn triangles(bytes: Vec<u8>) -> Result<Vec<Corners3>, String> {
    let text = super::encoding::xml_text(bytes)?;
    let document = xml::parse(&text)?;
    let root = document.root_element();
    let ids = root.descendants().filter_map(|node| Some((node.attribute("id")?, node)));
    let mut scene = DaeScene::new(ids.collect());
    let unit = child(root, "asset").and_then(|asset| child(asset, "unit"));
    let metre = unit.map_or(Ok(None), |unit| xml::number(unit, "meter"))?.unwrap_or(1.0);
    let scale = Matrix4::new_scaling(metre);
    let shown = child(root, "scene").and_then(|shown| child(shown, "instance_visual_scene"));
    match shown {
        Some(shown) => scene.node(scene.target(shown, "url")?, &scale, DEEPEST)?,
        None => {
            let library = children(root, "library_geometries");
            for geometry in library.flat_map(|library| children(library, "geometry")) {
                scene.geometry(geometry, &scale)?;
            }
        }
    }
    if scene.triangles.is_empty() {
        Err("it has no triangles".to_owned())
    } else {
        Ok(scene.triangles)
    }
}

struct DaeScene<'a, 'i> {
    ids: Ids<'a, 'i>,
    triangles: Vec<Corners3>,
    /// Positions parsed before: files refer to them many times.
    places: HashMap<NodeId, Positions>,
    geometries: HashMap<NodeId, Rc<Vec<Corners3>>>,
    /// The number of nodes visited.
    nodes: usize,
}

impl<'a, 'i> DaeScene<'a, 'i> {
    fn new(ids: Ids<'a, 'i>) -> Self {
        let (places, geometries) = (HashMap::new(), HashMap::new());
        DaeScene { ids, triangles: Vec::new(), places, geometries, nodes: 0 }
    }

    fn target(&self, node: Node<'a, 'i>, attribute: &str) -> Result<Node<'a, 'i>, String> {
        let name = required(node, attribute)?;
        let found = name.strip_prefix('#').and_then(|id| self.ids.get(id));
        found.copied().ok_or_else(|| at(node, format!("nothing is called '{name}'")))
    }

    /// Adds a node or a scene with all its descendants; transforms apply in the order they are
    /// written.
    fn node(
        &mut self,
        node: Node<'a, 'i>,
        above: &Matrix4<f64>,
        depth: usize,
    ) -> Result<(), String> {
        self.nodes += 1;
        if depth == 0 || self.nodes > MOST_NODES {
            return Err(at(node, "nodes are nested too deep, or in themselves"));
        }
        let mut own = *above;
        for element in node.children().filter(Node::is_element) {
            match element.tag_name().name() {
                "node" => self.node(element, &own, depth - 1)?,
                "instance_node" => self.node(self.target(element, "url")?, &own, depth - 1)?,
                "instance_geometry" => self.geometry(self.target(element, "url")?, &own)?,
                _ => own *= transform(element)?,
            }
        }
        Ok(())
    }

    fn geometry(&mut self, geometry: Node<'a, 'i>, pose: &Matrix4<f64>) -> Result<(), String> {
        let own = match self.geometries.get(&geometry.id()) {
            Some(known) => Rc::clone(known),
            None => Rc::new(self.faces(geometry)?),
        };
        if self.triangles.len() + own.len() > MOST_TRIANGLES {
            return Err(at(geometry, format!("more than {MOST_TRIANGLES} triangles")));
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
        let meshes = children(geometry, "mesh");
        for faces in meshes.flat_map(|mesh| mesh.children()) {
            if !matches!(faces.tag_name().name(), "triangles" | "polylist" | "polygons") {
                continue;
            }
            let Some((corners, stride)) = self.corners(faces)? else { continue };
            for face in outlines(faces, stride)? {
                let corner = |&index: &usize| {
                    let corner = corners.get(index).copied();
                    corner.ok_or_else(|| at(faces, format!("index {index} is past the end")))
                };
                let face: Vec<_> = face.iter().map(corner).collect::<Result<_, _>>()?;
                let fan = face.windows(2).skip(1);
                triangles.extend(fan.map(|pair| [face[0], pair[0], pair[1]]));
            }
        }
        Ok(triangles)
    }

    /// The positions of faces, and the layout of their indices.
    fn corners(&mut self, faces: Node<'a, 'i>) -> Result<Option<(Positions, Stride)>, String> {
        let offset = |input: Node<'_, '_>| -> Result<usize, String> {
            let offset = input.attribute("offset").unwrap_or("0");
            let offset: Option<usize> = offset.trim().parse().ok();
            offset.filter(|&offset| offset < 64).ok_or_else(|| at(input, "the offset is no number"))
        };
        let (mut corners, mut place, mut width) = (None, 0, 1);
        for input in children(faces, "input") {
            width = width.max(offset(input)? + 1);
            if required(input, "semantic")? == "VERTEX" {
                place = offset(input)?;
                corners = self.positions(self.target(input, "source")?)?;
            }
        }
        Ok(corners.map(|corners| (corners, Stride { place, width })))
    }

    fn positions(&mut self, vertices: Node<'a, 'i>) -> Result<Option<Positions>, String> {
        let position = |input: &Node<'_, '_>| input.attribute("semantic") == Some("POSITION");
        let Some(input) = children(vertices, "input").find(position) else { return Ok(None) };
        let source = self.target(input, "source")?;
        if let Some(known) = self.places.get(&source.id()) {
            return Ok(Some(Rc::clone(known)));
        }
        let places = Rc::new(places(source)?);
        self.places.insert(source.id(), Rc::clone(&places));
        Ok(Some(places))
    }
}

fn places(source: Node<'_, '_>) -> Result<Vec<Point3<f64>>, String> {
    let array = child(source, "float_array");
    let array = array.ok_or_else(|| at(source, "<float_array> is missing"))?;
    let accessor = child(source, "technique_common").and_then(|node| child(node, "accessor"));
    let stride = accessor.and_then(|accessor| accessor.attribute("stride"));
    let stride = stride.map_or(Some(3), |stride| stride.trim().parse().ok());
    let stride = stride.filter(|&stride| stride >= 3);
    let stride = stride.ok_or_else(|| at(source, "a place is fewer than three numbers"))?;
    let numbers = xml::list(array.text().unwrap_or_default());
    let numbers = numbers.ok_or_else(|| at(array, "not all are numbers"))?;
    Ok(numbers.chunks_exact(stride).map(|xyz| Point3::new(xyz[0], xyz[1], xyz[2])).collect())
}

/// The layout of one corner's indices.
#[derive(Clone, Copy)]
struct Stride {
    place: usize,
    width: usize,
}

/// The position indices around every face.
fn outlines(faces: Node<'_, '_>, stride: Stride) -> Result<Vec<Vec<usize>>, String> {
    let listed = |node: Node<'_, '_>| -> Result<Vec<usize>, String> {
        let words = node.text().unwrap_or_default().split_ascii_whitespace();
        let numbers = words.map(str::parse).collect::<Result<_, _>>();
        numbers.map_err(|_| at(node, "not all are indices"))
    };
    let places = |numbers: &[usize]| -> Vec<usize> {
        numbers.chunks_exact(stride.width).map(|corner| corner[stride.place]).collect()
    };
    let mut outlines = Vec::new();
    let counts = child(faces, "vcount").map(listed).transpose()?;
    for list in children(faces, "p") {
        let corners = places(&listed(list)?);
        match (faces.tag_name().name(), &counts) {
            ("polygons", _) => outlines.push(corners),
            ("polylist", Some(counts)) => {
                let mut rest = &corners[..];
                for &count in counts {
                    let split = rest.split_at_checked(count);
                    let (face, others) = split.ok_or_else(|| at(list, "it ends too early"))?;
                    outlines.push(face.to_vec());
                    rest = others;
                }
            }
            _ => outlines.extend(corners.chunks_exact(3).map(<[usize]>::to_vec)),
        }
    }
    Ok(outlines)
}

/// The matrix of a transform element; the identity for other elements.
fn transform(element: Node<'_, '_>) -> Result<Matrix4<f64>, String> {
    let numbers = || {
        let numbers = xml::list(element.text().unwrap_or_default());
        numbers.ok_or_else(|| at(element, "not all are numbers"))
    };
    let wrong = |found: usize| Err(at(element, format!("{found} numbers are too few or too many")));
    Ok(match element.tag_name().name() {
        "matrix" => match numbers()? {
            all if all.len() == 16 => Matrix4::from_row_slice(&all),
            all => return wrong(all.len()),
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
            [x, y, z, degrees] => about(Vector3::new(x, y, z), degrees.to_radians()),
            ref all => return wrong(all.len()),
        },
        _ => Matrix4::identity(),
    })
}

fn about(axis: Vector3<f64>, angle: f64) -> Matrix4<f64> {
    let Some(axis) = Unit::try_new(axis, 1e-9) else { return Matrix4::identity() };
    let (sine, cosine) = ComplexField::sin_cos(angle);
    let cross = axis.cross_matrix();
    let turned = nalgebra::Matrix3::identity() + cross * sine + cross * cross * (1.0 - cosine);
    Rotation3::from_matrix_unchecked(turned).to_homogeneous()
}
