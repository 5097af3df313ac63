//! A frame as SVG: the same moment from the side, and from the side and above, at one scale.

use std::fmt::Write;

use boxwood::draw::{self, Lines};
use boxwood::model::Part;
use boxwood::{Aabb, Hit, Pose};
use nalgebra::{Point3, Vector3};
use shared::drawing::camera::Camera;
use shared::drawing::xml_text::escaped;

use crate::caption;
use crate::fight::blow::Blow;
use crate::fight::blow::deepest;
use crate::fight::play::{Frame, SPARK_FRAMES};
use crate::fight::story::{seconds, who};

pub const PANEL: f32 = 560.0;
const HEIGHT: f32 = 700.0;
/// Upper and lower limit of the figures [pixels]; captions and names are above, scale and legend
/// below.
const FIGURES: [f32; 2] = [112.0, 606.0];
const MARGIN: f32 = 30.0;
const SHADES: usize = 6;
/// Length of a normal across the line of sight [pixels].
const NORMAL: f32 = 48.0;

/// Creates a camera of a panel that looks along `toward` and sees the whole box.
fn camera(toward: Vector3<f32>, bounds: &Aabb, panel: usize) -> Camera {
    let [top, bottom] = FIGURES;
    let left = PANEL * panel as f32 + MARGIN;
    let panel = [left, top, PANEL - 2.0 * MARGIN, bottom - top];
    Camera::new([toward, Vector3::y()], bounds, panel)
}

pub fn draw(frame: &Frame<'_>) -> String {
    let bounds = bounds(frame);
    let side = (Vector3::new(1.0, 0.0, 0.0), "from the side: red's right, blue's left");
    let above = (Vector3::new(0.8, -0.5, 0.35), "from the same side, behind red and above");
    let mut out = header(frame);
    let mut cameras = [0, 1].map(|panel| camera([side.0, above.0][panel], &bounds, panel));
    // One scale, so that lengths of both can be compared.
    let scale = cameras[0].scale.min(cameras[1].scale);
    cameras.iter_mut().for_each(|camera| camera.scale = scale);
    for (panel, (camera, view)) in cameras.into_iter().zip([side.1, above.1]).enumerate() {
        skin(frame, &camera, &mut out);
        boxes(frame, &camera, &mut out);
        points(frame, &camera, &mut out);
        caption::panel(frame, &camera, (panel, view), &mut out);
    }
    out.push_str("</svg>\n");
    out
}

fn bounds(frame: &Frame<'_>) -> Aabb {
    let one = |key| frame.now.character_aabb(key).unwrap_or_default();
    one(frame.keys[0]).merged(&one(frame.keys[1]))
}

fn header(frame: &Frame<'_>) -> String {
    let width = 2.0 * PANEL;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"15\">\n<style>"
    );
    for shade in 0..SHADES {
        // A stroke of the same colour closes the seams between triangles.
        let light = 205 + 45 * shade / (SHADES - 1);
        for (class, tint) in [("a", [0, 10, 22]), ("b", [20, 8, 0])] {
            let [r, g, b] = tint.map(|less| light - less);
            let _ = write!(
                out,
                ".{class}{shade}{{fill:#{r:02x}{g:02x}{b:02x};stroke:#{r:02x}{g:02x}{b:02x};\
                 stroke-width:.5}}"
            );
        }
    }
    out.push_str(
        ".apart{fill:none;stroke:#2a62c9;stroke-width:.8;opacity:.65}\
         .touch{fill:none;stroke:#d22020;stroke-width:1.3}\
         .node{fill:none;stroke:#8c0f0f;stroke-width:2}\
         .spark{fill:#ffd21f;stroke:#5c4300;stroke-width:1}\
         .normal{fill:none;stroke:#1a7a1a;stroke-width:3}</style>\n",
    );
    let _ = writeln!(out, "<rect width=\"{width}\" height=\"{HEIGHT}\" fill=\"white\"/>");
    let _ = writeln!(out, "<text x=\"16\" y=\"26\">{}</text>", escaped(&title(frame)));
    let measured = deepest(frame.hits).is_none_or(|hit| hit.measured);
    let of_boxes =
        if measured { "the parts of the deepest hit" } else { "the boxes of the deepest hit" };
    let legend = [
        ("apart", "parts apart"),
        ("touch", "parts that touch"),
        ("node", of_boxes),
        ("spark", "contact points, the deepest largest"),
        ("normal", "its normal"),
    ];
    for (index, (class, meaning)) in legend.into_iter().enumerate() {
        let x = [16.0, 136.0, 286.0, 520.0, 810.0][index];
        let (y, middle) = (HEIGHT - 26.0, HEIGHT - 19.0);
        // Each is drawn as in the figure.
        let sign = match class {
            "spark" => {
                format!("circle class=\"{class}\" cx=\"{}\" cy=\"{middle}\" r=\"4\"", x + 7.0)
            }
            "normal" => format!("path class=\"{class}\" d=\"M{x} {middle}h14\""),
            _ => format!("rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"14\" height=\"14\""),
        };
        let _ =
            writeln!(out, "<{sign}/><text x=\"{}\" y=\"{}\">{meaning}</text>", x + 20.0, y + 13.0);
    }
    out
}

fn title(frame: &Frame<'_>) -> String {
    let when = format!("frame {}, {:.3} s", frame.number, seconds(frame.number));
    let Some(hit) = deepest(frame.hits) else { return format!("{when}: nothing touches") };
    let who = who(frame.cast, frame.blow.and_then(Blow::attacker), hit);
    let others = match frame.hits.len() {
        1 => String::new(),
        all => format!(", the deepest of {all} hits"),
    };
    format!("{when}: {who}, {:.3} m deep{others}", hit.depth)
}

struct Face {
    depth: f32,
    class: String,
    path: String,
}

/// Appends both skins, the far triangles first.
fn skin(frame: &Frame<'_>, camera: &Camera, out: &mut String) {
    let mut faces = Vec::new();
    for_each_part(frame, |side, part, pose| {
        let Some(mesh) = part.tree().and_then(|tree| tree.geometry().mesh()) else { return };
        for index in 0..mesh.triangles().len() {
            let corners = mesh.corners(index).map(|corner| pose * corner);
            faces.extend(face(side, corners, camera));
        }
    });
    faces.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    for face in faces {
        let _ = writeln!(out, "<path class=\"{}\" d=\"{}\"/>", face.class, face.path);
    }
}

/// Returns the triangle if it faces the camera and is large enough to be visible.
fn face(side: usize, corners: [Point3<f32>; 3], camera: &Camera) -> Option<Face> {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let facing = -normal.dot(&camera.toward);
    if facing * camera.scale * camera.scale < 0.3 {
        return None;
    }
    let middle = (corners[0].coords + corners[1].coords + corners[2].coords) / 3.0;
    let bright = facing / normal.norm();
    let shade = ((bright * SHADES as f32) as usize).min(SHADES - 1);
    let [a, b, c] = corners.map(|corner| camera.project(corner));
    let path = format!("M{:.1} {:.1}L{:.1} {:.1} {:.1} {:.1}Z", a[0], a[1], b[0], b[1], c[0], c[1]);
    let class = format!("{}{shade}", ["a", "b"][side]);
    Some(Face { depth: middle.dot(&camera.toward), class, path })
}

/// Appends one box a part, and the two of the deepest hit.
fn boxes(frame: &Frame<'_>, camera: &Camera, out: &mut String) {
    let parts = Lines::none().apart("apart").touching("touch");
    out.push_str(&wireframes(frame, frame.hits, &parts, camera));
    let nodes = Lines::none().hits("node");
    let hits = deepest(frame.hits).map_or(&[][..], std::slice::from_ref);
    out.push_str(&wireframes(frame, hits, &nodes, camera));
}

/// Returns a path for every box; its class is the colour of its lines.
fn wireframes(frame: &Frame<'_>, hits: &[Hit], lines: &Lines<&str>, camera: &Camera) -> String {
    let (mut edges, mut out) = (Vec::new(), String::new());
    draw::for_each_line(&frame.now, hits, lines, |from, to, class| edges.push((from, to, class)));
    for of_box in edges.chunks(12) {
        let _ = write!(out, "<path class=\"{}\" d=\"", of_box[0].2);
        for &(from, to, _) in of_box {
            let (from, to) = (camera.project(from.into()), camera.project(to.into()));
            let _ = write!(out, "M{:.1} {:.1}L{:.1} {:.1}", from[0], from[1], to[0], to[1]);
        }
        out.push_str("\"/>\n");
    }
    out
}

/// Appends every contact point, the deepest as a star; and the effects of the last frames, fading.
fn points(frame: &Frame<'_>, camera: &Camera, out: &mut String) {
    for spark in frame.sparks.iter().filter(|spark| spark.age > 0) {
        let [x, y] = camera.project(spark.point);
        let fading = 1.0 - spark.age as f32 / SPARK_FRAMES as f32;
        let radius = 4.0 + spark.age as f32;
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"none\" stroke=\"#e0a800\" \
             stroke-width=\"1.5\" opacity=\"{:.2}\"/>",
            0.6 * fading
        );
    }
    for hit in frame.hits {
        let [x, y] = camera.project(hit.point);
        let _ = writeln!(out, "<circle class=\"spark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\"/>");
    }
    if let Some(hit) = deepest(frame.hits) {
        star(camera.project(hit.point), out);
        let end = hit.point + hit.normal * (NORMAL / camera.scale);
        let [from, to] = [hit.point, end].map(|at| camera.project(at));
        let _ = writeln!(
            out,
            "<path class=\"normal\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
            from[0], from[1], to[0], to[1]
        );
    }
}

fn star([x, y]: [f32; 2], out: &mut String) {
    out.push_str("<path class=\"spark\" d=\"");
    for corner in 0..16 {
        let radius = if corner % 2 == 0 { 13.0 } else { 5.5 };
        let angle = corner as f32 * std::f32::consts::TAU / 16.0;
        let command = if corner == 0 { 'M' } else { 'L' };
        let (dx, dy) = (radius * angle.cos(), radius * angle.sin());
        let _ = write!(out, "{command}{:.1} {:.1}", x + dx, y + dy);
    }
    out.push_str("Z\"/>\n");
}

fn for_each_part(frame: &Frame<'_>, mut each: impl FnMut(usize, &Part<f32>, &Pose)) {
    for (side, character) in frame.keys.into_iter().enumerate() {
        let model = &frame.cast[side].loaded.model;
        let poses = frame.scene.poses(character).unwrap_or_default();
        model.parts().iter().zip(poses).for_each(|(part, pose)| each(side, part, pose));
    }
}
