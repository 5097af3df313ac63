//! Two disjoint parts at three accuracies: reported with a slack, or not reported.

use std::sync::Arc;

use boxwood::nalgebra::{Isometry3, Translation3, Vector3};
use boxwood::{
    Aabb, Accuracy, Buffers, Build, Detail, Error, Hits, Model, NodeId, NodeRef, PairQuery,
    QueryScratch, Scene, Spawn,
};

use crate::canvas::{Camera, Canvas, Page, mm, upright_camera};
use crate::fighter;

const PANEL: f32 = 330.0;
/// Position of the head's origin relative to the hand's [m].
const APART: [f32; 3] = [0.105, 0.02, 0.0];

/// Builds parts of the fighter without convex hulls, which would separate hand and head at any
/// depth.
fn by_boxes_alone(names: [&str; 2]) -> Result<Arc<Model>, Error> {
    let (whole, mut parts) = (fighter::fighter().model, Model::builder());
    for name in names {
        let part = &whole.parts()[whole.part(name)?.index()];
        let tree = part.tree().ok_or(Error::Empty { field: "part" })?;
        parts = parts.part(name, None, tree.geometry().clone()).bind(*part.bind());
    }
    parts.build(&Build::default().hull_levels(0))
}

pub fn page() -> Result<Page, Error> {
    let model = by_boxes_alone(["left_hand", "head"])?;
    let (hand, head) = (model.part("left_hand")?, model.part("head")?);
    let parts = model.parts();
    let [from, to] = [hand, head].map(|part| parts[part.index()].bind().translation.vector);
    let beside = Isometry3::from(Translation3::from(from + Vector3::from(APART) - to));
    let mut scene = Scene::new();
    let red = scene.insert(&model, Spawn::default())?;
    let blue = scene.insert(&model, Spawn::at(beside))?;
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let query = || PairQuery::between(red, blue).parts(&[hand], &[head]);
    let exact = now.distance(&query(), &mut QueryScratch::new())?;
    let exact = exact.ok_or(Error::Empty { field: "distance" })?;
    let root = |character, part| now.node_obb(NodeRef { character, part, node: NodeId::ROOT });
    let corners = [root(red, hand)?.corners(), root(blue, head)?.corners()].concat();
    let bounds = Aabb::from_points(corners);
    let mut canvas = Canvas::new(3 * PANEL as u32, 390);
    let mut numbers = vec![format!("the geometry is {} apart", mm(exact.distance))];
    for (panel, depth) in [0, 2, 6].into_iter().enumerate() {
        let x = panel as f32 * PANEL;
        let view = view(&bounds, [x + 20.0, 76.0, PANEL - 40.0, 275.0]);
        for (key, part) in [(red, hand), (blue, head)] {
            let tree = scene.part(key, part)?.tree();
            if let Some(mesh) = tree.and_then(|tree| tree.geometry().mesh()) {
                canvas.skin(&view, mesh, scene.pose(key, part)?);
            }
        }
        let query = query().detail(Detail::Boxes).accuracy(Accuracy::Depth(depth));
        now.contacts(&query, &mut hits)?;
        let tightest = hits.iter().min_by(|a, b| a.slack.total_cmp(&b.slack));
        let told = match tightest {
            Some(hit) => format!("reported, slack {}", mm(hit.slack)),
            None => "not reported".to_owned(),
        };
        for (key, part) in [(red, hand), (blue, head)] {
            let tree = scene.part(key, part)?.tree().ok_or(Error::Empty { field: "part" })?;
            for node in tree.cut(depth) {
                let node = NodeRef { character: key, part, node };
                let met = hits.iter().any(|hit| hit.a == node || hit.b == node);
                canvas.obb(&view, &now.node_obb(node)?, if met { "red" } else { "thin" });
            }
        }
        let ends = [exact.on_a, exact.on_b].map(|point| view.project(point));
        canvas.line(ends[0], ends[1], "black");
        ends.into_iter().for_each(|end| canvas.disc(end, 3.0, "#000"));
        canvas.text([x + 20.0, 24.0], "bold", &format!("Depth({depth})"));
        canvas.text([x + 20.0, 44.0], "small", &told);
        canvas.text([x + 20.0, 62.0], "small", &format!("exact distance {}", mm(exact.distance)));
        if panel == 0 {
            canvas.scale_bar(&view, [x + 20.0, 376.0], 0.1);
            let legend = "red: boxes that overlap; blue: boxes that overlap none; black: the distance of the parts";
            canvas.text([x + 200.0, 381.0], "small", legend);
        }
        numbers.push(format!("Depth({depth}): {told}"));
    }
    Ok(Page { name: "slack", numbers, picture: canvas.finish() })
}

/// Camera in front of the figure.
fn view(bounds: &Aabb, room: [f32; 4]) -> Camera {
    upright_camera(Vector3::new(0.0, 0.0, -1.0), bounds, room)
}
