//! The picture: five paths with animated outlines and colours, without a script.

use std::fmt::Write;

use boxwood::Error;

use crate::{plane, space};

/// Duration of a tick [s].
const TICK: f64 = 1.0 / 20.0;
const RED: &str = "#d1342f";
const BLUE: &str = "#2f6bd1";
const GREY: &str = "#8a8f98";

/// One shape: its outline at each tick, and whether it is red.
#[derive(Default)]
struct Track {
    outlines: Vec<String>,
    red: Vec<bool>,
}

/// Returns an endless animation of the ticks; one tick makes a still picture.
pub fn picture(ticks: &[u32]) -> Result<String, Error> {
    let mut tracks: [Track; 5] = Default::default();
    for &tick in ticks {
        let flat = plane::rectangles(tick)?;
        let red = plane::touch(&flat[0], &flat[1]);
        for (track, rectangle) in tracks[..2].iter_mut().zip(&flat) {
            track.outlines.push(rectangle_path(&rectangle.corners().map(|p| [p.x, p.y])));
            track.red.push(red);
        }
        let solid = space::boxes(tick)?;
        let red = solid[0].intersects(&solid[1]);
        for (track, solid) in tracks[2..4].iter_mut().zip(&solid) {
            track.outlines.push(edges_path(&space::edges(solid)));
            track.red.push(red);
        }
        tracks[4].outlines.push(edges_path(&space::separating_square(&solid)));
        tracks[4].red.push(red);
    }
    Ok(document(&tracks))
}

fn rectangle_path(corners: &[[f64; 2]; 4]) -> String {
    let words = corners.map(|[x, y]| format!("{x:.2} {y:.2}"));
    format!("M{}Z", words.join("L"))
}

/// Path of edges; one without any has a point outside of the picture, for an empty path is none.
fn edges_path(edges: &[[[f64; 2]; 2]]) -> String {
    let start = if edges.is_empty() { "M-99 -99" } else { "" };
    edges.iter().fold(start.to_owned(), |mut path, [[ax, ay], [bx, by]]| {
        let _ = write!(path, "M{:.1} {ay:.1}L{:.1} {by:.1}", ax + 345.0, bx + 345.0);
        path
    })
}

fn document(tracks: &[Track; 5]) -> String {
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -10 470 250\">\n\
         <rect y=\"-10\" width=\"470\" height=\"250\" fill=\"#fff\"/>\n\
         <g stroke-width=\"2\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n",
    );
    for (index, track) in tracks.iter().enumerate() {
        // The boxes are rotated about the middle of the picture's height.
        let (fill, shift) = if index < 2 { ("0.25", 0.0) } else { ("0", 115.0) };
        let blue = if index < 4 { BLUE } else { GREY };
        let colours: Vec<&str> = track.red.iter().map(|&r| if r { RED } else { blue }).collect();
        let _ = writeln!(
            out,
            "<path transform=\"translate(0 {shift})\" fill-opacity=\"{fill}\" d=\"{}\" fill=\"{1}\" \
             stroke=\"{1}\">",
            track.outlines[0], colours[0]
        );
        if colours.len() > 1 {
            animate(&mut out, "d", &track.outlines.join(";"), colours.len());
            animate(&mut out, "fill", &colours.join(";"), colours.len());
            animate(&mut out, "stroke", &colours.join(";"), colours.len());
        }
        out.push_str("</path>\n");
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn animate(out: &mut String, attribute: &str, values: &str, count: usize) {
    let seconds = TICK * count as f64;
    let _ = writeln!(
        out,
        "<animate attributeName=\"{attribute}\" calcMode=\"discrete\" dur=\"{seconds}s\" \
         repeatCount=\"indefinite\" values=\"{values}\"/>"
    );
}
