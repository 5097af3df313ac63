//! Two characters before and after a push, as SVG, from where they overlap least after it.

use std::collections::HashSet;
use std::fmt::Write;

use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{CharacterKey, Error, Model, NodeRef, Pose, Separation, Snapshot};

/// Size of one of the two panels [pixels].
const PANEL: [f32; 2] = [480.0, 560.0];
/// Upper and lower limit of the figures [pixels].
const FIGURES: [f32; 2] = [70.0, 500.0];
const MARGIN: f32 = 24.0;
/// Side of the cells in which overlaps of the figures are counted [m].
const CELL: f32 = 0.02;
/// Heights of the candidates of the camera above the ground, and steps around [degrees].
const HEIGHTS: [f32; 6] = [-20.0, 0.0, 20.0, 40.0, 60.0, 80.0];
const AROUND: usize = 72;

/// The frame of the longest push.
#[derive(Default)]
pub struct Picture {
    frame: usize,
    poses: [Vec<Pose>; 2],
    way: Option<Separation>,
}

/// An orthographic camera for which the push leads to the right.
struct View {
    right: Vector3<f32>,
    up: Vector3<f32>,
    toward: Vector3<f32>,
    /// Scale [pixels/m].
    scale: f32,
    /// Coordinates in the centre of a panel, to the right and up.
    middle: [f32; 2],
}

impl View {
    /// Creates a camera at an angle around the vertical axis and an angle above the ground
    /// [radians].
    fn at(around: f32, above: f32) -> Self {
        let right = Vector3::new(around.cos(), 0.0, around.sin());
        let level = Vector3::y().cross(&right);
        let toward = level * above.cos() - Vector3::y() * above.sin();
        let up = right.cross(&toward);
        View { right, up, toward, scale: 1.0, middle: [0.0; 2] }
    }

    fn plane(&self, point: Point3<f32>) -> [f32; 2] {
        [point.coords.dot(&self.right), point.coords.dot(&self.up)]
    }

    /// Returns a displacement in the picture [pixels].
    fn step(&self, way: Vector3<f32>) -> [f32; 2] {
        [way.dot(&self.right) * self.scale, -way.dot(&self.up) * self.scale]
    }

    /// Projects a point to the first panel.
    fn project(&self, point: Point3<f32>) -> [f32; 2] {
        let [across, up] = self.plane(point);
        let (x, y) = (PANEL[0] / 2.0, (FIGURES[0] + FIGURES[1]) / 2.0);
        [x + (across - self.middle[0]) * self.scale, y - (up - self.middle[1]) * self.scale]
    }
}

impl Picture {
    pub fn is_longer(&self, way: &Separation) -> bool {
        self.way.is_none_or(|last| way.depth > last.depth)
    }

    pub fn take(
        &mut self,
        now: &Snapshot<'_>,
        keys: [CharacterKey; 2],
        frame: usize,
        way: Separation,
    ) -> Result<(), Error> {
        for (poses, key) in self.poses.iter_mut().zip(keys) {
            *poses = now.scene().poses(key)?.to_vec();
        }
        (self.frame, self.way) = (frame, Some(way));
        Ok(())
    }

    /// Draws both panels; empty if nothing touched.
    pub fn draw(&self, model: &Model) -> String {
        let [width, height] = [2.0 * PANEL[0], PANEL[1]];
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"15\">\n\
             <style>.a{{fill:#c8553d;opacity:.25}}.b{{fill:#3d72a8;opacity:.25}}\
             .last{{opacity:.75}}.way,.bar{{fill:none;stroke:black;stroke-width:2.5}}\
             .point{{fill:#ffd21f;stroke:black}}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        if let Some(way) = &self.way {
            let view = self.view(model, way);
            let part = |node: NodeRef| Some(node.part.index());
            out.push_str("<defs>\n");
            for (side, last) in [(0, part(way.a)), (1, part(way.b))] {
                for (class, only) in [("", None), (" last", last)] {
                    let name = ["a", "b"][side];
                    let id = format!("{name}{}", class.trim());
                    let _ = write!(out, "<path id=\"{id}\" class=\"{name}{class}\" d=\"");
                    self.skin(model, side, only, &view, &mut out);
                    out.push_str("\"/>\n");
                }
            }
            out.push_str("</defs>\n");
            let moved = view.step(way.normal.into_inner() * way.depth);
            for (panel, [dx, dy]) in [[0.0; 2], moved].into_iter().enumerate() {
                let left = panel as f32 * PANEL[0];
                for (id, x, y) in [
                    ("a", left, 0.0),
                    ("b", left + dx, dy),
                    ("alast", left, 0.0),
                    ("blast", left + dx, dy),
                ] {
                    let _ = writeln!(out, "<use href=\"#{id}\" x=\"{x:.1}\" y=\"{y:.1}\"/>");
                }
            }
            self.words(model, way, &view, &mut out);
        }
        out.push_str("</svg>\n");
        out
    }

    /// Appends the arrow of the push, the points that separate last, and their labels.
    fn words(&self, model: &Model, way: &Separation, view: &View, out: &mut String) {
        let step = way.normal.into_inner() * way.depth;
        let [from, to] = [way.on_b, way.on_b + step].map(|point| view.project(point));
        let ([x, y], [tip, end]) = (from, to);
        let [dx, dy] = [tip - x, end - y].map(|d| d / (tip - x).hypot(end - y).max(1e-6));
        let _ = writeln!(
            out,
            "<path class=\"way\" d=\"M{x:.1} {y:.1}L{tip:.1} {end:.1}M{:.1} {:.1}L{tip:.1} {end:.1} \
             {:.1} {:.1}\"/>",
            tip - 9.0 * dx + 5.0 * dy,
            end - 9.0 * dy - 5.0 * dx,
            tip - 9.0 * dx - 5.0 * dy,
            end - 9.0 * dy + 5.0 * dx,
        );
        for (panel, point) in [(0, way.on_b), (1, way.on_a)] {
            let [x, y] = view.project(point);
            let x = x + PANEL[0] * panel as f32;
            let _ =
                writeln!(out, "<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>");
        }
        let name = |part: boxwood::PartId| model.parts()[part.index()].name();
        let [a, b] = [name(way.a.part), name(way.b.part)];
        let said = [
            format!("frame {}: red and blue touch; arrow: the push", self.frame),
            format!("blue moved by {:.3} m along the ground: apart", way.depth),
        ];
        let below = [
            "0.2 m, in both; no perspective".to_owned(),
            format!("dark: the last to separate, {a} and {b}; dot: where"),
        ];
        let bar = 0.2 * view.scale;
        let (left, bottom) = (MARGIN, PANEL[1] - 27.0);
        let _ = writeln!(out, "<path class=\"bar\" d=\"M{left} {bottom}h{bar:.1}\"/>");
        for panel in 0..2 {
            let x = PANEL[0] * panel as f32 + MARGIN;
            let beside = if panel == 0 { bar + 8.0 } else { 0.0 };
            for (text, x, y) in
                [(&said[panel], x, 34.0), (&below[panel], x + beside, PANEL[1] - 22.0)]
            {
                let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y}\">{text}</text>");
            }
        }
    }

    /// Returns the number of cells that both figures cover after the push.
    fn overlap(&self, corners: &[Vec<Point3<f32>>; 2], view: &View, step: Vector3<f32>) -> usize {
        let covered = |side: usize| -> HashSet<[i32; 2]> {
            let moved = corners[side].iter().map(|corner| corner + step * side as f32);
            moved.map(|corner| view.plane(corner).map(|x| (x / CELL).floor() as i32)).collect()
        };
        covered(0).intersection(&covered(1)).count()
    }

    /// Creates the camera from which the two overlap least after the push, among those to which the
    /// push is at most 60 degrees from the right. It sees both before and after.
    fn view(&self, model: &Model, way: &Separation) -> View {
        let step = way.normal.into_inner() * way.depth;
        let corners = [0, 1].map(|side| self.triangles(model, side, None).flatten().collect());
        let turns = (0..AROUND).map(|k| std::f32::consts::TAU * k as f32 / AROUND as f32);
        let views = turns.flat_map(|turn| HEIGHTS.map(|above| View::at(turn, above.to_radians())));
        let views = views.filter(|view| view.right.dot(&way.normal) > 0.5);
        let best = views.min_by_key(|view| self.overlap(&corners, view, step));
        let mut view = best.unwrap_or(View::at(0.0, 0.0));
        let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for side in 0..2 {
            for corner in self.triangles(model, side, None).flatten() {
                let [across, up] = view.plane(corner);
                let [dx, dy] = [step.dot(&view.right), step.dot(&view.up)].map(|d| d * side as f32);
                for (i, x) in [(0, across), (0, across + dx), (1, up), (1, up + dy)] {
                    (least[i], most[i]) = (least[i].min(x), most[i].max(x));
                }
            }
        }
        let room = [PANEL[0] - 2.0 * MARGIN, FIGURES[1] - FIGURES[0]];
        let scale = [0, 1].map(|i| room[i] / (most[i] - least[i]).max(1e-6));
        (view.scale, view.middle) =
            (scale[0].min(scale[1]), [0, 1].map(|i| (least[i] + most[i]) / 2.0));
        view
    }

    /// Returns the world triangles of a character, or of one of its parts.
    fn triangles<'m>(
        &'m self,
        model: &'m Model,
        side: usize,
        only: Option<usize>,
    ) -> impl Iterator<Item = [Point3<f32>; 3]> + 'm {
        let parts = model.parts().iter().zip(&self.poses[side]).enumerate();
        let parts = parts.filter(move |(index, _)| only.is_none_or(|only| only == *index));
        parts.flat_map(|(_, (part, pose))| {
            let mesh = part.tree().and_then(|tree| tree.geometry().mesh());
            mesh.into_iter().flat_map(move |mesh| {
                (0..mesh.triangles().len())
                    .map(move |i| mesh.corners(i).map(|corner| pose * corner))
            })
        })
    }

    /// Appends the triangles that face the viewer.
    fn skin(&self, model: &Model, side: usize, only: Option<usize>, view: &View, out: &mut String) {
        for corners in self.triangles(model, side, only) {
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            if -normal.dot(&view.toward) * view.scale * view.scale > 0.3 {
                let [a, b, c] = corners.map(|corner| view.project(corner));
                let _ = write!(
                    out,
                    "M{:.1} {:.1}L{:.1} {:.1} {:.1} {:.1}Z",
                    a[0], a[1], b[0], b[1], c[0], c[1]
                );
            }
        }
    }
}
