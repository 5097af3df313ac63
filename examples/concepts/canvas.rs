//! SVG: skins in grey, boxes as wireframes, text; orthographic.

use std::fmt::Write;

use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{Aabb, Mesh, Obb, Pose, draw};
pub use shared::drawing::camera::Camera;
use shared::drawing::xml_text::escaped;

/// Shades of grey of a skin.
const SHADES: usize = 6;

/// A picture, and its numbers as lines of text.
pub struct Page {
    pub name: &'static str,
    pub numbers: Vec<String>,
    pub picture: String,
}

/// Creates a camera that looks along `toward`, Y up, so that `bounds` fill the panel.
pub fn upright_camera(toward: Vector3<f32>, bounds: &Aabb, panel: [f32; 4]) -> Camera {
    Camera::new([toward, Vector3::y()], bounds, panel)
}

/// An SVG picture under construction.
pub struct Canvas {
    out: String,
}

impl Canvas {
    pub fn new(width: u32, height: u32) -> Self {
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"15\">\n<style>"
        );
        for shade in 0..SHADES {
            let light = 200 + 45 * shade / (SHADES - 1);
            let grey = format!("#{light:02x}{light:02x}{light:02x}");
            let _ = write!(out, ".s{shade}{{fill:{grey};stroke:{grey};stroke-width:.5}}");
        }
        out.push_str(
            ".shadow{fill:#ddd;stroke:#ddd;stroke-width:1}\
             .out{fill:#d22020;stroke:#d22020;stroke-width:.5}\
             .blue{fill:none;stroke:#2a62c9;stroke-width:1.2}\
             .thin{fill:none;stroke:#2a62c9;stroke-width:.5}\
             .red{fill:none;stroke:#d22020;stroke-width:1.6}\
             .orange{fill:none;stroke:#d97a00;stroke-width:1.2}\
             .black{fill:none;stroke:#000;stroke-width:1.6}\
             .grey{fill:none;stroke:#999;stroke-width:1}\
             .bold{font-weight:bold}.tiny{font-size:10px;fill:#555}\
             .small{font-size:13px}</style>\n",
        );
        let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>");
        Canvas { out }
    }

    /// Appends a line of text that begins at a point.
    pub fn text(&mut self, [x, y]: [f32; 2], class: &str, text: &str) {
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escaped(text)
        );
    }

    /// Appends the triangles of a mesh that face the camera, the far ones first.
    pub fn skin(&mut self, view: &Camera, mesh: &Mesh, pose: &Pose) {
        let mut faces: Vec<(f32, usize, [[f32; 2]; 3])> = Vec::new();
        for index in 0..mesh.triangles().len() {
            let corners = mesh.corners(index).map(|corner| pose * corner);
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            let facing = -normal.dot(&view.toward);
            if facing * view.scale * view.scale < 0.3 {
                continue;
            }
            let shade = ((facing / normal.norm() * SHADES as f32) as usize).min(SHADES - 1);
            let far = corners.iter().map(|corner| corner.coords.dot(&view.toward)).sum();
            faces.push((far, shade, corners.map(|corner| view.project(corner))));
        }
        faces.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, shade, [a, b, c]) in faces {
            let _ = writeln!(
                self.out,
                "<path class=\"s{shade}\" d=\"M{:.1} {:.1}L{:.1} {:.1} {:.1} {:.1}Z\"/>",
                a[0], a[1], b[0], b[1], c[0], c[1]
            );
        }
    }

    /// Appends the triangles of a mesh that face the camera, without shades, as one path of whole
    /// pixels.
    pub fn shadow(&mut self, view: &Camera, mesh: &Mesh, pose: &Pose) {
        let corners = |index| mesh.corners(index).map(|corner| pose * corner);
        self.outline(view, (0..mesh.triangles().len()).map(corners), "shadow");
    }

    /// Appends triangles that face the camera, as one path of whole pixels.
    pub fn outline(
        &mut self,
        view: &Camera,
        triangles: impl Iterator<Item = [Point3<f32>; 3]>,
        class: &str,
    ) {
        let mut path = String::new();
        for corners in triangles {
            let [a, b, c] = corners.map(|corner| view.project(corner).map(|x| x.round() as i32));
            let (ab, ac) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
            if ab[0] * ac[1] - ab[1] * ac[0] < 0 {
                let bc = [c[0] - b[0], c[1] - b[1]];
                let _ = write!(path, "M{} {}l{} {} {} {}z", a[0], a[1], ab[0], ab[1], bc[0], bc[1]);
            }
        }
        self.path(class, &path);
    }

    /// Appends the edges of an oriented box.
    pub fn obb(&mut self, view: &Camera, of: &Obb, class: &str) {
        let mut path = String::new();
        draw::obb(of, |from, to| edge(view, from, to, &mut path));
        self.path(class, &path);
    }

    /// Appends the edges of an aligned box.
    pub fn aabb(&mut self, view: &Camera, of: &Aabb, class: &str) {
        let mut path = String::new();
        draw::aabb(of, |from, to| edge(view, from, to, &mut path));
        self.path(class, &path);
    }

    pub fn line(&mut self, from: [f32; 2], to: [f32; 2], class: &str) {
        let path = format!("M{:.1} {:.1}L{:.1} {:.1}", from[0], from[1], to[0], to[1]);
        self.path(class, &path);
    }

    /// Appends a disc of a colour.
    pub fn disc(&mut self, [x, y]: [f32; 2], radius: f32, fill: &str) {
        let _ = writeln!(
            self.out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#555\"/>"
        );
    }

    /// Appends a scale bar with its length beside it.
    pub fn scale_bar(&mut self, view: &Camera, [x, y]: [f32; 2], metres: f32) {
        let end = x + metres * view.scale;
        self.line([x, y], [end, y], "grey");
        self.line([x, y - 4.0], [x, y + 4.0], "grey");
        self.line([end, y - 4.0], [end, y + 4.0], "grey");
        self.text([end + 6.0, y + 5.0], "small", &format!("{metres} m"));
    }

    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{path}\"/>");
    }
}

fn edge(view: &Camera, from: [f32; 3], to: [f32; 3], path: &mut String) {
    let (from, to) = (view.project(from.into()), view.project(to.into()));
    let _ = write!(path, "M{:.1} {:.1}L{:.1} {:.1}", from[0], from[1], to[0], to[1]);
}

/// Returns a length in millimetres, for captions.
pub fn mm(metres: f32) -> String {
    format!("{:.1} mm", metres * 1000.0)
}
