//! The house and the walk from above, as SVG.

use std::fmt::Write;

use boxwood::{Aabb, Mesh};

use super::{RADIUS, Step};

/// Height at which walls are drawn [m]: above the floor, below the lintel.
const CUT: f32 = 1.0;
/// Width of the picture, and space around it [pixels].
const WIDTH: f32 = 760.0;
const MARGIN: f32 = 60.0;

/// Draws the edges of triangles that cross the height of the cut, and a circle a step.
pub fn draw(mesh: &Mesh, walk: &[Step]) -> String {
    let bounds = Aabb::from_points(mesh.vertices().iter().copied());
    let [low, high] = [bounds.min, bounds.max];
    let scale = (WIDTH - 2.0 * MARGIN) / (high.x - low.x);
    let x = |x: f32| MARGIN + (x - low.x) * scale;
    let y = |y: f32| MARGIN + (high.y - y) * scale;
    let height = 2.0 * MARGIN + (high.y - low.y) * scale;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"15\">\n\
         <rect width=\"{WIDTH}\" height=\"{height:.0}\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"30\">The house from above, cut at {CUT} m; a circle is the capsule \
         after a step, red where it slides along a wall</text>\n<path stroke=\"black\" \
         stroke-width=\"3\" stroke-linecap=\"round\" d=\""
    );
    for index in 0..mesh.triangles().len() {
        let [a, b, c] = mesh.corners(index);
        let cuts = [(a, b), (b, c), (c, a)].into_iter().filter_map(|(p, q)| {
            let share = (CUT - p.z) / (q.z - p.z);
            (0.0..=1.0).contains(&share).then(|| p + (q - p) * share)
        });
        let cuts: Vec<_> = cuts.collect();
        if let [p, q, ..] = cuts[..] {
            let _ = write!(out, "M{:.1} {:.1}L{:.1} {:.1}", x(p.x), y(p.y), x(q.x), y(q.y));
        }
    }
    out.push_str("\"/>\n");
    for pair in walk.windows(2) {
        let step = &pair[1];
        // The floor is hit in every step.
        let along_a_wall = step.hits.iter().any(|&hit| {
            let [a, b, c] = mesh.corners(hit as usize);
            (b - a).cross(&(c - a)).normalize().z.abs() < 0.9
        });
        let colour = if along_a_wall { "#c0392b" } else { "#2a6fb0" };
        let _ = writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\" fill=\"none\" stroke=\"{colour}\"/>",
            x(step.at.x),
            y(step.at.y),
            RADIUS * scale
        );
    }
    let bottom = height - 20.0;
    let _ = writeln!(
        out,
        "<path stroke=\"black\" stroke-width=\"2\" d=\"M{MARGIN} {bottom}h{scale:.1}\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\">1 m</text>\n</svg>",
        MARGIN + scale + 8.0,
        bottom + 5.0
    );
    out
}
