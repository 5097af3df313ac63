//! A picture of one tick: a blade turns past an arm that moves, too, and neither end of the tick
//! shows that they meet.

use std::fmt::Write;

use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{
    Accuracy, CharacterKey, Error, Impact, MotionBuffers, PairQuery, Pose, QueryScratch, Scene,
    SceneMotion, Spawn,
};

use crate::motions::{ARM, BLADE, TURN, arm, blade};

/// Ticks a second.
const RATE: f32 = 30.0;
/// Tolerance of the query [m]: coarse, so that `clear_until` and `time` differ visibly.
const TOLERANCE: f64 = 0.02;
/// Number of intervals between the poses that are drawn faintly.
const STEPS: u32 = 8;

/// Size of the picture and place of the hilt [pixels], and scale [pixels/m].
const SIZE: [f32; 2] = [960.0, 760.0];
const HILT: [f32; 2] = [140.0, 350.0];
const SCALE: f32 = 560.0;
/// Length of the normal that is drawn [m].
const NORMAL: f32 = 0.1;

const STYLE: &str = "\
.blade{fill:#2a6fb0;fill-opacity:.45;stroke:#1c4d7c;stroke-width:1.5}\
.arm{fill:#e08a3c;fill-opacity:.45;stroke:#9a5518;stroke-width:1.5}\
.between{fill:none;stroke:#8a8f98;stroke-width:.8;stroke-opacity:.8}\
.clear{fill:none;stroke:#1a7a1a;stroke-width:2;stroke-dasharray:7 4}\
.impact{fill:none;stroke:#c02020;stroke-width:2}\
.point{fill:#ffd21f;stroke:#5c4300;stroke-width:1.2}\
.normal{fill:none;stroke:#7a1fa0;stroke-width:3}\
.way{fill:none;stroke:#444;stroke-width:1.2}";

/// Draws the tick.
pub fn draw() -> Result<String, Error> {
    let mut before = Scene::new();
    let turn = |degrees: f32| Vector3::z() * degrees.to_radians();
    let half = 0.5 * TURN / RATE;
    let hand = before.insert(&blade()?, Spawn::at(Isometry3::rotation(turn(half))))?;
    let other = Isometry3::new(Vector3::new(0.85, 0.06, 0.0), turn(6.0));
    let other = before.insert(&arm()?, Spawn::at(other))?;
    let mut after = before.clone();
    after.set_root(hand, &Isometry3::rotation(turn(-half)))?;
    after.set_root(other, &Isometry3::new(Vector3::new(0.75, 0.02, 0.0), turn(-12.0)))?;

    let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    let motion = SceneMotion::between(&before, &after, &mut buffers)?;
    let query = PairQuery::between(hand, other).accuracy(Accuracy::Within(TOLERANCE));
    let impact = motion.first_impact(&query, &mut scratch)?.expect("they meet");
    assert!(!impact.touching_at_start && !impact.touching_at_end, "neither end shows it");

    let mut out = head(&impact);
    let mut scene = Scene::new();
    let mut at = |time: f64| {
        motion.write_scene((time * 65536.0) as u16, &mut scratch, &mut scene);
        outlines(&scene, [hand, other])
    };
    for step in 1..STEPS {
        shape(&mut out, "between", &at(f64::from(step) / f64::from(STEPS))?.concat());
    }
    for scene in [&before, &after] {
        let [blade, arm] = outlines(scene, [hand, other])?;
        shape(&mut out, "blade", &blade);
        shape(&mut out, "arm", &arm);
    }
    shape(&mut out, "clear", &at(impact.clear_until)?.concat());
    shape(&mut out, "impact", &at(impact.time)?.concat());
    contact(&mut out, &impact);
    labels(&mut out, [&before, &after], [hand, other])?;
    out.push_str("</svg>\n");
    Ok(out)
}

/// Returns a point of the picture.
fn pixels(point: Point3<f32>) -> [f32; 2] {
    [HILT[0] + SCALE * point.x, HILT[1] - SCALE * point.y]
}

/// Returns the pose of a character of one part.
fn pose(scene: &Scene, key: CharacterKey) -> Result<Pose, Error> {
    Ok(scene.poses(key)?[0])
}

/// Returns the outlines of blade and arm, seen along the axis about which the blade turns.
fn outlines(scene: &Scene, keys: [CharacterKey; 2]) -> Result<[String; 2], Error> {
    let [blade, arm] = [pose(scene, keys[0])?, pose(scene, keys[1])?];
    let at = |pose: &Pose, x: f32, y: f32| pixels(pose * Point3::new(x, y, 0.0));
    let [length, width, _] = BLADE;
    let corners = [(0.0, -width), (2.0 * length, -width), (2.0 * length, width), (0.0, width)];
    let corners = corners.map(|(x, y)| at(&blade, x, y)).map(|[x, y]| format!("{x:.1} {y:.1}"));
    let ([radius, half], mut capsule) = (ARM, String::new());
    let ends = [(-half, radius), (half, radius), (half, -radius), (-half, -radius)];
    let [a, b, c, d] = ends.map(|(x, y)| at(&arm, x, y)).map(|[x, y]| format!("{x:.1} {y:.1}"));
    let arc = format!("A{0:.1} {0:.1} 0 0 1 ", SCALE * radius);
    let _ = write!(capsule, "M{a}L{b}{arc}{c}L{d}{arc}{a}Z");
    Ok([format!("M{}Z", corners.join("L")), capsule])
}

fn shape(out: &mut String, class: &str, path: &str) {
    let _ = writeln!(out, "<path class=\"{class}\" d=\"{path}\"/>");
}

fn text(out: &mut String, [x, y]: [f32; 2], text: &str) {
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
}

/// Returns the beginning of the picture: title, legend, scale.
fn head(impact: &Impact<f32>) -> String {
    let [width, height] = SIZE;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"15\">\n<style>{STYLE}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    let turned = TURN / RATE;
    text(
        &mut out,
        [16.0, 28.0],
        &format!(
            "One tick of 1/{RATE} s, seen along the axis of the swing: a blade of 0.9 m turns by \
         {turned:.0} degrees about its hilt, and an arm moves."
        ),
    );
    text(
        &mut out,
        [16.0, 50.0],
        "Neither end of the tick shows that they touch. The swept query does, here to 20 mm.",
    );
    let rows = [
        ("blade", "the blade at the start and at the end of the tick".to_owned()),
        ("arm", "the arm at the start and at the end of the tick".to_owned()),
        ("between", format!("both after each {STEPS}th of the tick")),
        (
            "clear",
            format!(
                "both at clear_until = {:.4}: before it they share no point",
                impact.clear_until
            ),
        ),
        (
            "impact",
            format!(
                "both at time = {:.4}: no further apart than slack = {:.0} mm",
                impact.time,
                1e3 * impact.slack
            ),
        ),
        ("point", "nearest points at this time".to_owned()),
        ("normal", "normal, from the blade to the arm".to_owned()),
    ];
    for (index, (class, meaning)) in rows.iter().enumerate() {
        let [x, y] = [[16.0, 480.0][index % 2], height - 110.0 + 26.0 * (index / 2) as f32];
        match *class {
            "point" => {
                let _ = writeln!(
                    out,
                    "<circle class=\"point\" cx=\"{}\" cy=\"{y}\" r=\"4.5\"/>",
                    x + 13.0
                );
            }
            "normal" => shape(&mut out, class, &format!("M{x} {y}h26")),
            _ => shape(&mut out, class, &format!("M{x} {}h26v12h-26Z", y - 6.0)),
        }
        text(&mut out, [x + 36.0, y + 5.0], meaning);
    }
    let (x, y) = (width - 40.0 - 0.2 * SCALE, height - 26.0);
    shape(&mut out, "way", &format!("M{x} {}v8m0 -4h{1}m0 -4v8", y - 4.0, 0.2 * SCALE));
    text(&mut out, [x - 54.0, y + 5.0], "0.2 m");
    out
}

/// Draws the nearest points, and the normal where one approaches the other.
fn contact(out: &mut String, impact: &Impact<f32>) {
    let [x, y] = pixels(impact.on_a);
    if let Some(normal) = impact.normal {
        let [to_x, to_y] = pixels(impact.on_a + normal * NORMAL);
        shape(out, "normal", &format!("M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}"));
    }
    for point in [impact.on_a, impact.on_b] {
        let [x, y] = pixels(point);
        let _ = writeln!(out, "<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>");
    }
}

/// Writes which pose is the first and which the last,
fn labels(out: &mut String, scenes: [&Scene; 2], keys: [CharacterKey; 2]) -> Result<(), Error> {
    let tip = Point3::new(2.0 * BLADE[0], 0.0, 0.0);
    for (scene, name) in scenes.into_iter().zip(["start", "end"]) {
        let [x, y] = pixels(pose(scene, keys[0])? * tip);
        text(out, [x + 10.0, y + 5.0], &format!("blade, {name}"));
        let [x, y] = pixels(pose(scene, keys[1])? * Point3::new(ARM[1] + ARM[0], 0.0, 0.0));
        text(out, [x + 10.0, y + 10.0], &format!("arm, {name}"));
    }
    Ok(())
}
