//! One part and the boxes that represent it at four depths.

use boxwood::nalgebra::Vector3;
use boxwood::{Error, NodeId, Pose};

use crate::canvas::{Canvas, Page, mm, upright_camera};
use crate::fighter;

const PART: &str = "left_foot";
const PANEL: f32 = 250.0;

pub fn page() -> Result<Page, Error> {
    let model = fighter::fighter().model;
    let part = &model.parts()[model.part(PART)?.index()];
    let tree = part.tree().ok_or(Error::Empty { field: "part" })?;
    let mesh = tree.geometry().mesh().ok_or(Error::Empty { field: "mesh" })?;
    let mut canvas = Canvas::new(4 * PANEL as u32, 300);
    let mut numbers = Vec::new();
    for (panel, depth) in [0, 1, 2, tree.depth()].into_iter().enumerate() {
        let cut = tree.cut(depth);
        let bound = cut.iter().map(|&node| tree.node(node).bound()).fold(0.0, f32::max);
        let x = panel as f32 * PANEL;
        let room = [x + 20.0, 60.0, PANEL - 40.0, 215.0];
        let view = upright_camera(
            Vector3::new(-1.0, -0.45, -0.6),
            tree.node(NodeId::ROOT).aligned(),
            room,
        );
        canvas.skin(&view, mesh, &Pose::identity());
        let class = if depth == tree.depth() { "thin" } else { "blue" };
        for node in &cut {
            canvas.obb(&view, tree.node(*node).oriented(), class);
        }
        let name = match depth == tree.depth() {
            true => "leaves".to_owned(),
            false => format!("depth {depth}"),
        };
        let boxes = if cut.len() == 1 { "box" } else { "boxes" };
        let told = format!("{} {boxes}, largest bound {}", cut.len(), mm(bound));
        canvas.text([x + 20.0, 24.0], "bold", &name);
        canvas.text([x + 20.0, 44.0], "small", &told);
        if panel == 0 {
            canvas.scale_bar(&view, [x + 20.0, 290.0], 0.1);
        }
        numbers.push(format!("{PART}, {name}: {told}"));
    }
    Ok(Page { name: "depth", numbers, picture: canvas.finish() })
}
