//! A tree, and the nodes of two cuts in it: by depth, and by tolerance.

use boxwood::nalgebra::{Point3, Rotation3, Vector3};
use boxwood::{Aabb, Accuracy, Build, Error, Geometry, NodeId, Obb, ObbTree};

use crate::canvas::{Canvas, Page, mm, upright_camera};

/// Tolerance of the lower row [m]: `Within` accepts pairs of nodes whose bounds are equal.
const TOLERANCE: f64 = 0.02;
const ROW: f32 = 285.0;

/// Boxes of a hand, seen from its back: palm, four fingers of two boxes, a thumb [m].
fn hand() -> Result<Vec<Obb>, Error> {
    let turned = |x: f32, y: f32, degrees: f32, half: [f32; 3]| {
        let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), degrees.to_radians());
        Obb::new(Point3::new(x, y, 0.0), *turn.matrix(), half.into())
    };
    let mut boxes = vec![turned(0.0, 0.0, 0.0, [0.042, 0.048, 0.014])?];
    for (finger, length) in [(0, 0.036), (1, 0.042), (2, 0.038), (3, 0.028)] {
        let x = -0.032 + 0.0215 * finger as f32;
        let half = [0.009, length / 2.0, 0.009];
        boxes.push(turned(x, 0.05 + length / 2.0, 0.0, half)?);
        boxes.push(turned(x, 0.052 + 1.4 * length, 0.0, [0.008, 0.4 * length, 0.008])?);
    }
    boxes.push(turned(-0.058, 0.0, 35.0, [0.011, 0.03, 0.011])?);
    boxes.push(turned(-0.083, 0.036, 35.0, [0.009, 0.017, 0.009])?);
    Ok(boxes)
}

pub fn page() -> Result<Page, Error> {
    let tree = ObbTree::build(Geometry::Boxes(hand()?), &Build::default())?;
    let mut canvas = Canvas::new(900, 2 * ROW as u32 + 10);
    let mut numbers = vec![format!("{} nodes, depth {}", tree.len(), tree.depth())];
    let rows = [Accuracy::Depth(2), Accuracy::Within(TOLERANCE)].map(|row| (row, cut(&tree, row)));
    // One scale for both rows.
    let [first, second] = rows.each_ref().map(|(_, cut)| bounds(&tree, cut));
    let all = first.merged(&second);
    for (row, (accuracy, cut)) in rows.into_iter().enumerate() {
        let bound = cut.iter().map(|&node| tree.node(node).bound()).fold(0.0, f32::max);
        let (name, y) = (format!("{accuracy:?}"), row as f32 * ROW);
        let told = format!("{} nodes in the cut, largest bound {}", cut.len(), mm(bound));
        canvas.text([20.0, y + 24.0], "bold", &name);
        canvas.text([20.0, y + 44.0], "small", &told);
        canvas.text(
            [20.0, y + 60.0],
            "tiny",
            "red: in the cut; grey: below it, and the boxes of the hand; numbers: bound in mm",
        );
        diagram(&mut canvas, &tree, &cut, y);
        let room = [660.0, y + 15.0, 220.0, ROW - 30.0];
        let toward = Vector3::new(0.0, 0.0, -1.0);
        let view = upright_camera(toward, &all, room);
        for index in 0..tree.geometry().len() {
            let Geometry::Boxes(boxes) = tree.geometry() else { continue };
            canvas.obb(&view, &boxes[index], "grey");
        }
        for &node in &cut {
            canvas.obb(&view, tree.node(node).oriented(), "red");
        }
        if row == 0 {
            canvas.scale_bar(&view, [20.0, y + ROW - 20.0], 0.05);
        }
        numbers.push(format!("{name}: {told}"));
    }
    Ok(Page { name: "cut", numbers, picture: canvas.finish() })
}

/// Returns the nodes that represent a part at an accuracy: on each path the first that is deep or
/// tight enough, or the leaf.
fn cut(tree: &ObbTree, accuracy: Accuracy) -> Vec<NodeId> {
    match accuracy {
        Accuracy::Depth(depth) => tree.cut(depth),
        Accuracy::Within(tolerance) => {
            let (mut cut, mut open) = (Vec::new(), vec![NodeId::ROOT]);
            while let Some(id) = open.pop() {
                match tree.node(id).children() {
                    Some(children) if f64::from(tree.node(id).bound()) > tolerance / 2.0 => {
                        open.extend(children);
                    }
                    _ => cut.push(id),
                }
            }
            cut
        }
        _ => Vec::new(),
    }
}

fn bounds(tree: &ObbTree, cut: &[NodeId]) -> Aabb {
    Aabb::from_points(cut.iter().flat_map(|&node| tree.node(node).oriented().corners()))
}

/// Draws the tree as discs and lines: red in the cut, grey below it, with the bound beside each.
fn diagram(canvas: &mut Canvas, tree: &ObbTree, cut: &[NodeId], y: f32) {
    let mut places = vec![[0.0; 2]; tree.len()];
    place(tree, NodeId::ROOT, 0, &mut 0.0, &mut places);
    let step = [52.0, (ROW - 120.0) / f32::from(tree.depth())];
    let at = |node: NodeId| {
        let [across, down] = places[node.index()];
        [40.0 + across * step[0], y + 92.0 + down * step[1]]
    };
    let mut open = vec![(NodeId::ROOT, false)];
    let mut discs = Vec::new();
    while let Some((id, below)) = open.pop() {
        let fill = match (cut.contains(&id), below) {
            (true, _) => "#d22020",
            (false, true) => "#e4e4e4",
            (false, false) => "#ffffff",
        };
        let node = tree.node(id);
        discs.push((at(id), fill, node.bound(), node.children().is_none()));
        for child in node.children().into_iter().flatten() {
            canvas.line(at(id), at(child), "grey");
            open.push((child, below || cut.contains(&id)));
        }
    }
    for ([x, y], fill, bound, leaf) in discs {
        canvas.disc([x, y], 6.5, fill);
        let beside = if leaf { [x + 9.0, y + 4.0] } else { [x - 9.0, y - 10.0] };
        canvas.text(beside, "tiny", &format!("{:.1}", bound * 1000.0));
    }
}

/// Positions leaves side by side, parents above the middle of their children.
fn place(tree: &ObbTree, id: NodeId, depth: u8, next: &mut f32, places: &mut [[f32; 2]]) {
    let across = match tree.node(id).children() {
        None => {
            *next += 1.0;
            *next - 1.0
        }
        Some([a, b]) => {
            place(tree, a, depth + 1, next, places);
            place(tree, b, depth + 1, next, places);
            0.5 * (places[a.index()][0] + places[b.index()][0])
        }
    };
    places[id.index()] = [across, f32::from(depth)];
}
