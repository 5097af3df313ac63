//! Lines and faces as SVG: from above, and obliquely from the side.

use std::fmt::Write;

use boxwood::brush::BrushWorld;
use boxwood::nalgebra::Point3;
use shared::drawing::xml_text::escaped;

/// Projection of points of the level to the page.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Page coordinates of the level's x, y and z axes; y of the page is down.
    axes: [[f64; 2]; 3],
    from: [f64; 2],
    at: [f64; 2],
}

impl View {
    /// Axes of a view from above, y up on the page.
    pub const PLAN: [[f64; 2]; 3] = [[1.0, 0.0], [0.0, -1.0], [0.0, 0.0]];

    /// Axes of an oblique view: heights and widths in true length, depths shortened.
    pub const OBLIQUE: [[f64; 2]; 3] = [[1.0, 0.0], [0.45, -0.45], [0.0, -1.0]];

    /// Creates a view that fits the points into a rectangle `[x, y, width, height]` of the page.
    pub fn fit(
        axes: [[f64; 2]; 3],
        points: impl Iterator<Item = Point3<f64>>,
        [x, y, width, height]: [f64; 4],
    ) -> View {
        let plain = View { axes, from: [0.0; 2], at: [0.0; 2] };
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points {
            let page = plain.page(point);
            low = [low[0].min(page[0]), low[1].min(page[1])];
            high = [high[0].max(page[0]), high[1].max(page[1])];
        }
        let size = [high[0] - low[0], high[1] - low[1]].map(|x| x.max(1e-9));
        let scale = (width / size[0]).min(height / size[1]);
        let middle = [0.5 * (low[0] + high[0]) * scale, 0.5 * (low[1] + high[1]) * scale];
        let axes = axes.map(|axis| axis.map(|x| x * scale));
        View { axes, from: middle, at: [x + width / 2.0, y + height / 2.0] }
    }

    pub fn page(&self, point: Point3<f64>) -> [f64; 2] {
        let along = |k: usize| (0..3).map(|i| point[i] * self.axes[i][k]).sum::<f64>();
        [0, 1].map(|k| along(k) - self.from[k] + self.at[k])
    }
}

/// An SVG page under construction.
pub struct Page {
    out: String,
}

impl Page {
    pub fn new(width: u32, height: u32) -> Page {
        let out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"14\" stroke-linejoin=\"round\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        Page { out }
    }

    pub fn text(&mut self, [x, y]: [f64; 2], color: &str, text: &str) {
        let text = escaped(text);
        let _ =
            writeln!(self.out, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{color}\">{text}</text>");
    }

    /// Appends a line through points of the page; closed and filled if `fill` is a colour.
    pub fn path(&mut self, points: &[[f64; 2]], stroke: &str, width: f64, fill: Option<&str>) {
        let _ = write!(self.out, "<path d=\"M");
        for [x, y] in points {
            let _ = write!(self.out, "{x:.1} {y:.1} ");
        }
        let (end, fill) = (if fill.is_some() { "Z" } else { "" }, fill.unwrap_or("none"));
        let style = format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{width}\"");
        let _ = writeln!(self.out, "{end}\" {style}/>");
    }

    /// Appends faces that look up and are no higher than `top`, lowest first and lighter the
    /// higher.
    pub fn floors(&mut self, world: &BrushWorld, view: &View, top: f64) {
        let mut faces: Vec<(f64, Vec<Point3<f64>>)> = Vec::new();
        for brush in world.ids().filter_map(|id| world.brush(id)) {
            for face in brush.faces().filter(|face| face.normal().z > 0.05) {
                let corners: Vec<Point3<f64>> = face.corners().collect();
                let height = corners.iter().fold(f64::NEG_INFINITY, |most, c| most.max(c.z));
                if height <= top {
                    faces.push((height, corners));
                }
            }
        }
        faces.sort_by(|a, b| a.0.total_cmp(&b.0));
        let low = faces.first().map_or(0.0, |face| face.0);
        for (height, corners) in faces {
            let light = 150.0 + 95.0 * (height - low) / (top - low).max(1e-9);
            let color = format!("#{0:02x}{0:02x}{0:02x}", light.clamp(0.0, 255.0) as u8);
            let points: Vec<[f64; 2]> = corners.iter().map(|&c| view.page(c)).collect();
            self.path(&points, "#888", 0.5, Some(&color));
        }
    }

    /// Appends all edges of the brushes.
    pub fn edges(&mut self, world: &BrushWorld, view: &View) {
        for brush in world.ids().filter_map(|id| world.brush(id)) {
            for edge in brush.edges() {
                self.path(&edge.ends.map(|end| view.page(end)), "#789", 0.6, None);
            }
        }
    }

    /// Appends a path in space.
    pub fn trail(&mut self, points: &[Point3<f64>], view: &View, color: &str, width: f64) {
        let mut page: Vec<[f64; 2]> = Vec::new();
        for &point in points {
            let [x, y] = view.page(point);
            // Omits points that are indistinguishable on the page.
            if page.last().is_none_or(|last| (last[0] - x).abs() + (last[1] - y).abs() > 0.3) {
                page.push([x, y]);
            }
        }
        self.path(&page, color, width, None);
    }

    /// Appends a circle around a point, seen from above, with a radius in metres.
    pub fn disc(&mut self, center: Point3<f64>, radius: f64, view: &View, color: &str) {
        let [x, y] = view.page(center);
        let r = radius * view.axes[0][0];
        let style = format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"1\"");
        let _ = writeln!(self.out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" {style}/>");
    }

    pub fn finish(self) -> String {
        self.out + "</svg>\n"
    }
}
