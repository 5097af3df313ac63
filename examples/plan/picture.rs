//! The way as a picture: the robot at its start, on its way and at its end, between the posts.

use std::fmt::Write;

use boxwood::load::Robot;
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{Aabb, Error, NodeId, Obb, Pose};

use crate::planner::Plan;
use shared::posts::{Posts, centers};

/// Width of the picture and space around what is drawn [pixels].
const WIDTH: f32 = 900.0;
const MARGIN: f32 = 40.0;
/// Height above the drawing, for the legend [pixels].
const LEGEND: f32 = 60.0;
/// Configurations drawn between start and end.
const BETWEEN: usize = 5;
/// Points of the line along which the last part moves.
const LINE: usize = 200;

const START: &str = "#2a6fb0";
const WAY: &str = "#b9c2cc";
const END: &str = "#c0392b";
const STILL: &str = "#6f7a85";
const POST: &str = "#e8d9b8";

/// Axes of the page, to the right and up, and the axis towards the eye: from the front, above.
fn axes() -> [Vector3<f32>; 3] {
    let eye = Vector3::new(-0.35, -1.0, 0.75).normalize();
    let right = Vector3::z().cross(&eye).normalize();
    [right, eye.cross(&right), eye]
}

/// A filled outline, drawn from back to front.
struct Shape {
    outline: Vec<[f32; 2]>,
    /// Place along the axis towards the eye.
    nearness: f32,
    fill: &'static str,
}

/// Returns points that span each part: corners of its mesh, or of its box.
fn corners(robot: &Robot<f32>, poses: &[Pose]) -> Vec<(usize, Vec<Point3<f32>>)> {
    let parts = robot.model.parts().iter().zip(poses).enumerate();
    let corners = parts.filter_map(|(index, (part, pose))| {
        let tree = part.tree()?;
        let corners = match tree.geometry().mesh() {
            Some(mesh) => mesh.vertices().iter().map(|corner| pose * corner).collect(),
            None => tree.node(NodeId::ROOT).oriented().corners().map(|at| pose * at).to_vec(),
        };
        Some((index, corners))
    });
    corners.collect()
}

/// Returns the convex outline of points of the page (Andrew 1979).
fn outline(mut points: Vec<[f32; 2]>) -> Vec<[f32; 2]> {
    points.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    let mut outline: Vec<[f32; 2]> = Vec::new();
    let mut pass = |points: &mut dyn Iterator<Item = &[f32; 2]>| {
        let from = outline.len();
        for &point in points {
            while let [.., a, b] = outline[from..] {
                let turn = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
                if turn > 0.0 {
                    break;
                }
                outline.pop();
            }
            outline.push(point);
        }
        outline.pop();
    };
    pass(&mut points.iter());
    pass(&mut points.iter().rev());
    outline
}

/// Draws a plan.
pub fn draw(robot: &Robot<f32>, posts: &Posts, plan: &Plan) -> Result<String, Error> {
    let [right, up, eye] = axes();
    let flat = |point: &Point3<f32>| [point.coords.dot(&right), -point.coords.dot(&up)];
    let shape = |corners: &[Point3<f32>], fill| {
        let middle: Vector3<f32> = corners.iter().map(|at| at.coords).sum();
        Shape {
            outline: outline(corners.iter().map(flat).collect()),
            nearness: middle.dot(&eye) / corners.len() as f32,
            fill,
        }
    };
    let mut shapes = Vec::new();
    for &center in &posts.centers {
        let post = Obb::from_pose(&Pose::from(center), posts.half)?;
        shapes.push(shape(&post.corners(), POST));
    }
    let (mut poses, mut last) = (Vec::new(), Vec::new());
    robot.mechanism.poses(&plan.at(0.0), &mut poses)?;
    robot.mechanism.poses(&plan.at(1.0), &mut last)?;
    let stays: Vec<bool> = poses.iter().zip(&last).map(|(first, last)| first == last).collect();
    for index in 0..BETWEEN + 2 {
        let fill = match index {
            0 => START,
            _ if index == BETWEEN + 1 => END,
            _ => WAY,
        };
        robot.mechanism.poses(&plan.at(index as f32 / (BETWEEN + 1) as f32), &mut poses)?;
        for (part, corners) in corners(robot, &poses) {
            match stays[part] {
                true if index == 0 => shapes.push(shape(&corners, STILL)),
                true => {}
                false => shapes.push(shape(&corners, fill)),
            }
        }
    }
    shapes.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
    let mut line = Vec::new();
    for step in 0..=LINE {
        robot.mechanism.poses(&plan.at(step as f32 / LINE as f32), &mut poses)?;
        line.extend(centers(robot, &poses).next_back().as_ref().map(flat));
    }

    let drawn = shapes.iter().flat_map(|shape| &shape.outline).chain(&line);
    let bounds = Aabb::from_points(drawn.map(|&[x, y]| Point3::new(x, y, 0.0)));
    let size = bounds.sizes();
    let scale = (WIDTH - 2.0 * MARGIN) / size.x;
    let height = size.y * scale + 2.0 * MARGIN + LEGEND;
    let page = |&[x, y]: &[f32; 2]| {
        let across = (x - bounds.min.x) * scale + MARGIN;
        format!("{across:.1} {:.1}", (y - bounds.min.y) * scale + MARGIN + LEGEND)
    };
    let path = |points: &[[f32; 2]]| points.iter().map(page).collect::<Vec<_>>().join("L");

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"15\" stroke-linejoin=\"round\">\n\
         <rect width=\"{WIDTH}\" height=\"{height:.0}\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"28\">A way of {} edges between posts, each edge proved free of \
         collision</text>\n",
        plan.edges()
    );
    let legend =
        [("start", START), ("on the way", WAY), ("end", END), ("stays", STILL), ("posts", POST)];
    for (index, (name, fill)) in legend.into_iter().enumerate() {
        let x = MARGIN + 115.0 * index as f32;
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"42\" width=\"16\" height=\"16\" fill=\"{fill}\" stroke=\"black\"/>\
             <text x=\"{}\" y=\"55\">{name}</text>",
            x + 24.0
        );
    }
    let x = MARGIN + 115.0 * legend.len() as f32;
    let _ = writeln!(
        out,
        "<path d=\"M{x} 50h20\" stroke=\"black\" stroke-width=\"2\"/><text x=\"{}\" y=\"55\">path of \
         the last part</text>",
        x + 28.0
    );
    for Shape { outline, fill, .. } in &shapes {
        let opacity = if *fill == WAY { 0.55 } else { 0.95 };
        let _ = writeln!(
            out,
            "<path d=\"M{}Z\" fill=\"{fill}\" fill-opacity=\"{opacity}\" stroke=\"black\" \
             stroke-width=\"0.7\"/>",
            path(outline)
        );
    }
    let _ = writeln!(
        out,
        "<path d=\"M{}\" fill=\"none\" stroke=\"black\" stroke-width=\"2\"/>\n</svg>",
        path(&line)
    );
    Ok(out)
}
