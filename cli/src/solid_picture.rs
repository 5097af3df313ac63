//! Solids as SVG: shaded, the nearer ones before the others, for light and dark pages.

use std::collections::BTreeSet;
use std::fmt::Write;

use boxwood::brush::Brush;
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{Aabb, Obb, UpAxis};

use crate::drawing::camera::Camera;
use crate::drawing::hidden_faces::{self, Corner, Face};
use crate::drawing::xml_text::escaped;

/// Size of the picture, and space around the solids [pixels].
const SIZE: [f32; 2] = [960.0, 720.0];
const MARGIN: f32 = 40.0;
/// Height of the line of text [pixels].
const TITLE: f32 = 44.0;
/// Direction to the eye for each axis that is up, from the front and above.
const EYE_Y_UP: [f32; 3] = [0.6, 0.4, 1.0];
const EYE_Z_UP: [f32; 3] = [1.0, -0.75, 0.55];
/// Direction of the light in the picture: to the left, up, and towards the eye.
const LIGHT: [f64; 3] = [-0.35, 0.75, 0.56];
/// Steps between the darkest and the lightest colour of a label, and the share of the darkest.
const SHADES: usize = 16;
const DARKEST: f64 = 0.55;
/// Colours of labels in turn: of middle lightness, for light and dark pages.
const COLORS: [[u8; 3]; 9] = [
    [0x5b, 0x8f, 0xc7],
    [0xf2, 0x9a, 0x45],
    [0x6b, 0xb3, 0x5f],
    [0xe3, 0x6a, 0x6a],
    [0x79, 0xc2, 0xbc],
    [0xe8, 0xc6, 0x4f],
    [0xb4, 0x84, 0xb5],
    [0xa8, 0x84, 0x6d],
    [0xf0, 0x9c, 0xb0],
];

/// View of a picture, and its text.
pub struct Scenery {
    pub up: UpAxis,
    /// Direction to the eye; by default from the front, the left of the model, and above.
    pub eye: Option<[f64; 3]>,
    /// `true` for solids that stand on the page, with a shadow below them.
    pub has_shadow: bool,
    pub title: String,
}

/// A convex solid in the world.
pub struct Solid {
    /// Number of its colour.
    pub label: usize,
    faces: Vec<SolidFace>,
}

/// A face of a solid.
struct SolidFace {
    /// Corners in order around the face.
    corners: Vec<Point3<f64>>,
    /// Outward normal, of length one.
    normal: Vector3<f64>,
}

impl Solid {
    /// Creates a box.
    pub fn of_box(label: usize, of: &Obb) -> Solid {
        let corners = of.corners().map(|corner| corner.cast::<f64>());
        let axes = of.axes().cast::<f64>();
        let face = |side: usize| {
            let (axis, end) = (side / 2, side % 2);
            let normal = axes.column(axis) * if end == 1 { 1.0 } else { -1.0 };
            // Bit `i` of a corner's index is the end of axis `i`.
            let [across, along] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
            let around = [0, across, across | along, along].map(|bits| bits | end << axis);
            SolidFace { corners: around.map(|index| corners[index]).to_vec(), normal }
        };
        Solid { label, faces: (0..6).map(face).collect() }
    }

    /// Creates a brush.
    pub fn of_brush(label: usize, brush: &Brush) -> Solid {
        let faces = brush
            .faces()
            .map(|face| SolidFace { corners: face.corners().collect(), normal: face.normal() });
        Solid { label, faces: faces.collect() }
    }

    /// Returns the faces that look towards the eye.
    fn seen(&self, camera: &Camera) -> impl Iterator<Item = Face> {
        let toward = camera.toward.cast::<f64>();
        let seen = self.faces.iter().filter(move |face| face.normal.dot(&toward) < -1e-6);
        let corner = |&at: &Point3<f64>| Corner { at, is_edge: true };
        seen.map(move |face| Face {
            corners: face.corners.iter().map(corner).collect(),
            normal: face.normal,
            label: self.label,
        })
    }
}

/// Draws the solids.
pub fn draw(solids: &[Solid], scenery: &Scenery) -> String {
    let up: Vector3<f32> = scenery.up.vector().into_inner();
    let eye = eye(scenery, &up);
    let corners = || {
        let faces = solids.iter().flat_map(|solid| &solid.faces);
        faces.flat_map(|face| face.corners.iter().map(|corner| corner.cast::<f32>()))
    };
    let floor = corners().map(|corner| corner.coords.dot(&up)).fold(f32::INFINITY, f32::min);
    let bounds = Aabb::from_points(corners());
    let [width, height] = SIZE;
    let panel = [MARGIN, TITLE + MARGIN / 2.0, width - 2.0 * MARGIN, height - TITLE - 1.5 * MARGIN];
    let camera = Camera::new([-eye, up], &bounds, panel);
    let faces = solids.iter().flat_map(|solid| solid.seen(&camera));
    let faces = hidden_faces::sorted(faces.collect());

    let mut drawn = String::new();
    if scenery.has_shadow {
        shadow(solids, (&up, floor), &camera, &mut drawn);
    }
    let mut used = BTreeSet::new();
    for face in &faces {
        used.insert(draw_face(face, &camera, &mut drawn));
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"16\" stroke-linejoin=\"round\">\n\
         <style>{}</style>\n<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n\
         <text class=\"text\" x=\"20\" y=\"30\">{}</text>\n{drawn}</svg>\n",
        style(&used),
        escaped(&scenery.title)
    )
}

/// Returns the direction to the eye; one along the axis that is up is turned a little, as a picture
/// needs to know what is above.
fn eye(scenery: &Scenery, up: &Vector3<f32>) -> Vector3<f32> {
    let default = match scenery.up {
        UpAxis::Y => EYE_Y_UP,
        _ => EYE_Z_UP,
    };
    let eye = scenery.eye.map_or(default, |eye| eye.map(|x| x as f32));
    let eye = Vector3::from(eye).normalize();
    match eye.cross(up).norm() > 1e-3 {
        true => eye,
        false => (eye + Vector3::from(default) * 1e-2).normalize(),
    }
}

/// Appends a face with its edges; returns its colour and shade.
fn draw_face(face: &Face, camera: &Camera, out: &mut String) -> (usize, usize) {
    let [left, up, near] = LIGHT;
    let [across, above, toward] = [camera.right, camera.up, camera.toward].map(|axis| axis.cast());
    let light = across * left + above * up - toward * near;
    let bright = face.normal.dot(&light).clamp(0.0, 1.0);
    let shade = ((bright * SHADES as f64) as usize).min(SHADES - 1);
    let color = face.label % COLORS.len();
    let points: Vec<[f32; 2]> =
        face.corners.iter().map(|corner| camera.project(corner.at.cast())).collect();
    let _ = write!(out, "<path class=\"c{color}s{shade}\" d=\"");
    for (index, [x, y]) in points.iter().enumerate() {
        let _ = write!(out, "{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
    }
    out.push_str("Z\"/>");
    let mut edges = String::new();
    for (index, _) in face.corners.iter().enumerate().filter(|(_, corner)| corner.is_edge) {
        let ([x, y], [to_x, to_y]) = (points[index], points[(index + 1) % points.len()]);
        let _ = write!(edges, "M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}");
    }
    match edges.is_empty() {
        true => out.push('\n'),
        false => {
            let _ = writeln!(out, "<path class=\"edge\" d=\"{edges}\"/>");
        }
    }
    (color, shade)
}

/// Appends the shadow of all solids on the floor, below them.
fn shadow(solids: &[Solid], (up, floor): (&Vector3<f32>, f32), camera: &Camera, out: &mut String) {
    let on_floor = |corner: &Point3<f64>| {
        let corner = corner.cast::<f32>();
        camera.project(corner + up * (floor - corner.coords.dot(up)))
    };
    out.push_str("<path class=\"shadow\" d=\"");
    for face in solids.iter().flat_map(|solid| &solid.faces) {
        let mut points: Vec<[f32; 2]> = face.corners.iter().map(on_floor).collect();
        let turn = |[a, b, c]: [[f32; 2]; 3]| {
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        let fans = points[1..].windows(2).map(|pair| turn([points[0], pair[0], pair[1]]));
        let area: f32 = fans.sum();
        if area.abs() < 0.5 {
            continue;
        }
        // Wound the same way around, all faces together are filled once.
        if area < 0.0 {
            points.reverse();
        }
        let words: Vec<String> = points.iter().map(|[x, y]| format!("{x:.0} {y:.0}")).collect();
        let _ = write!(out, "M{}Z", words.join("L"));
    }
    out.push_str("\"/>\n");
}

/// Returns the rules of style, with those colours and shades that the picture has.
fn style(used: &BTreeSet<(usize, usize)>) -> String {
    let mut style = String::from(
        ".page{fill:#fff}.text{fill:#20262e}.shadow{fill:#000;fill-opacity:.1}\
         .edge{fill:none;stroke:#10151c;stroke-opacity:.7;stroke-width:.8;stroke-linecap:round}",
    );
    for &(color, shade) in used {
        let share = DARKEST + (1.0 - DARKEST) * shade as f64 / (SHADES - 1) as f64;
        let [r, g, b] = COLORS[color].map(|part| (f64::from(part) * share) as u8);
        // A line of the same colour closes the seams between the pieces of a face.
        let _ = write!(
            style,
            ".c{color}s{shade}{{fill:#{r:02x}{g:02x}{b:02x};stroke:#{r:02x}{g:02x}{b:02x};\
             stroke-width:.6}}"
        );
    }
    style.push_str(
        "@media (prefers-color-scheme:dark){.page{fill:#161b22}.text{fill:#e6edf3}\
         .shadow{fill:#000;fill-opacity:.45}}",
    );
    style
}
