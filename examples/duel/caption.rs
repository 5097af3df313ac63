//! Caption of a picture: view, characters, clips, and scale.

use std::fmt::Write;

use shared::drawing::camera::Camera;
use shared::drawing::xml_text::escaped;

use crate::fight::play::Frame;
use crate::picture::PANEL;

/// Left edge of the text in a panel [pixels].
const LEFT: f32 = 16.0;
/// Heights from the top: view, names, clips; and the scale bar below the figures [pixels].
const ROWS: [f32; 3] = [50.0, 74.0, 92.0];
const BAR: f32 = 640.0;
/// Length of the longest scale bar [pixels].
const LONGEST: f32 = 130.0;
/// Number of characters that fit above half a panel, and the largest width of one [pixels].
const FIT: usize = 32;
const WIDE: f32 = 8.0;
/// Space between names and the edges of their halves [pixels].
const GAP: f32 = 8.0;

/// Writes the caption of one panel.
pub fn panel(frame: &Frame<'_>, camera: &Camera, (index, view): (usize, &str), out: &mut String) {
    let left = PANEL * index as f32 + LEFT;
    let _ = writeln!(
        out,
        "<text x=\"{left}\" y=\"{}\" font-size=\"13\" fill=\"#555\">{view}; no perspective</text>",
        ROWS[0]
    );
    names(frame, camera, PANEL * index as f32, out);
    scale_bar(camera.scale, left, out);
}

/// Writes name, file and clip above each character, as close to it as those of the other allow.
fn names(frame: &Frame<'_>, camera: &Camera, panel: f32, out: &mut String) {
    let middle = |side: usize| {
        let bounds = frame.now.character_aabb(frame.keys[side]).ok();
        let center = bounds.and_then(|bounds| bounds.center());
        center.map_or(panel + PANEL / 2.0, |center| camera.project(center)[0])
    };
    let middles = [middle(0), middle(1)];
    let first = usize::from(middles[1] < middles[0]);
    for (side, fighter) in frame.cast.iter().enumerate() {
        let rows = [
            cut(&format!("{}: {}", fighter.name, fighter.source)),
            cut(&format!("plays {}", fighter.clip(frame.number))),
        ];
        let widest = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let half = (widest as f32 * WIDE / 2.0).min(PANEL / 4.0 - GAP);
        // Each name stays in its own half of the panel.
        let from = panel + if side == first { 0.0 } else { PANEL / 2.0 };
        let (least, most) = (from + GAP + half, from + PANEL / 2.0 - GAP - half);
        let x = middles[side].clamp(least, most.max(least));
        let colour = ["#a03c28", "#2a5480"][side];
        for (row, y) in rows.iter().zip(&ROWS[1..]) {
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{colour}\">{}</text>",
                escaped(row)
            );
        }
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(FIT) {
        None => text.to_owned(),
        Some(_) => text.chars().take(FIT - 1).chain(['\u{2026}']).collect(),
    }
}

/// Draws a bar whose length is one, two or five times a power of ten, and its label.
fn scale_bar(pixels_a_metre: f32, left: f32, out: &mut String) {
    let (length, told) = round_length(LONGEST / pixels_a_metre);
    let (right, top, bottom) = (left + length * pixels_a_metre, BAR - 5.0, BAR + 5.0);
    let _ = writeln!(
        out,
        "<path class=\"scale\" fill=\"none\" stroke=\"black\" stroke-width=\"1.5\" \
         d=\"M{left} {top}V{bottom}M{left} {BAR}H{right:.1}M{right:.1} {top}V{bottom}\"/>\
         <text x=\"{:.1}\" y=\"{}\">{told}</text>",
        right + 8.0,
        BAR + 5.0
    );
}

/// Returns the longest such length up to `most` [m], and its label.
fn round_length(most: f32) -> (f32, String) {
    for power in (-6..=9).rev() {
        for digit in [5.0_f64, 2.0, 1.0] {
            // A negative power is inexact, its reciprocal is exact.
            let length = match power {
                0.. => digit * 10_f64.powi(power),
                _ => digit / 10_f64.powi(-power),
            };
            if length <= f64::from(most) {
                let decimals = usize::try_from(-power).unwrap_or(0);
                return (length as f32, format!("{length:.decimals$} m"));
            }
        }
    }
    (most, format!("{most:e} m"))
}
