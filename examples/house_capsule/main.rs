//! A capsule walks through a house of triangles: each step is a sweep up to the first triangle on
//! the way, and a slide along what it hits.

mod drawing;
mod house;

use std::fs;
use std::process::ExitCode;

use boxwood::nalgebra::{Point3, Vector3};
use boxwood::response::{Wall, slide};
use boxwood::tree::TreeScratch;
use boxwood::{Build, Capsule, Error, Geometry, Mesh, ObbTree, Segment, load};

const HELP: &str = "\
house_capsule: a capsule walks through a house of triangles, and slides along its walls

cargo example house_capsule -- [FILE] [--svg FILE]

  FILE         a house as a mesh, .obj or .stl, up is z; without: four walls, a door, a floor, a roof
  --svg FILE   the house and the walk from above
  --help, -h   this

A line a step: position in m, length of the step in m, distance of the capsule from the nearest triangle in mm, and what it hits. The
same on every run.";

const RADIUS: f32 = 0.3;
/// Length of the capsule's core [m]: with the radius at both ends 1.8 high.
const CORE: f32 = 1.2;
/// Gap that is left to a wall [m]: more than rounding, so that no step starts inside.
const SKIN: f32 = 1e-3;
/// Legs of the walk: number of steps, and what is walked in each [m]. The last part is gravity.
const LEGS: [(usize, [f32; 3]); 3] =
    [(26, [0.10, 0.15, -0.02]), (24, [-0.05, 0.15, -0.02]), (20, [0.15, 0.05, -0.02])];

/// A step of the walk, done.
pub struct Step {
    /// Centre of the capsule [m].
    pub at: Point3<f32>,
    /// Triangles hit, in order.
    pub hits: Vec<u32>,
}

fn main() -> ExitCode {
    let (mut mesh, mut svg, mut help) = (None, None, false);
    let mut words = std::env::args().skip(1);
    let mut done = Ok(());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => help = true,
            "--svg" => match words.next() {
                Some(file) => svg = Some(file),
                None => done = Err("--svg needs a value".to_owned()),
            },
            flag if flag.starts_with('-') => {
                done = Err(format!("unknown flag '{flag}'; --help lists them"));
            }
            _ => mesh = Some(word),
        }
    }
    if help {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match done.and_then(|()| run(mesh.as_deref(), svg.as_deref())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("house_capsule: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(file: Option<&str>, svg: Option<&str>) -> Result<(), String> {
    let (mesh, names) = match file {
        None => house::house().map_err(|error| error.to_string())?,
        Some(file) => (read(file)?, Vec::new()),
    };
    let walk = walk(&mesh, &names, file.is_none()).map_err(|error| error.to_string())?;
    if let Some(svg) = svg {
        fs::write(svg, drawing::draw(&mesh, &walk)).map_err(|error| format!("{svg}: {error}"))?;
    }
    Ok(())
}

fn read(file: &str) -> Result<Mesh, String> {
    let loaded = if file.ends_with(".stl") { load::stl(file) } else { load::obj(file) };
    let loaded = loaded.map_err(|error| error.to_string())?;
    let mesh = loaded.model.parts()[0].tree().and_then(|tree| tree.geometry().mesh().cloned());
    mesh.ok_or(format!("{file}: no triangles"))
}

/// Walks all legs and prints each step.
fn walk(mesh: &Mesh, names: &[&str], ours: bool) -> Result<Vec<Step>, Error> {
    // The collision world: a tree of all triangles, built once.
    let tree = ObbTree::build(Geometry::Surface(mesh.clone()), &Build::default())?;
    let mut scratch = TreeScratch::default();
    let bounds = boxwood::Aabb::from_points(mesh.vertices().iter().copied());
    let mut at = match ours {
        true => Point3::new(0.5, -2.5, 0.9 + SKIN),
        // Before the middle of the front of another house.
        false => Point3::new((bounds.min.x + bounds.max.x) / 2.0, bounds.min.y - 1.0, 0.9 + SKIN),
    };
    let mut steps = vec![Step { at, hits: Vec::new() }];
    println!("step       x       y       z    length  free, mm  hits");
    for (count, velocity) in LEGS {
        for _ in 0..count {
            let from = at;
            let hits = step(&tree, &mut at, Vector3::from(velocity), &mut scratch)?;
            let free = clearance(mesh, at)?;
            assert!(free > 0.0, "the capsule is in a wall");
            let mut hit: Vec<String> = Vec::new();
            for &triangle in &hits {
                let name = names.get(triangle as usize).map(|name| (*name).to_owned());
                hit.push(name.unwrap_or_else(|| format!("triangle {triangle}")));
            }
            hit.dedup();
            println!(
                "{:>4} {:>7.3} {:>7.3} {:>7.3}   {:>7.3}   {:>7.3}  {}",
                steps.len(),
                at.x,
                at.y,
                at.z,
                (at - from).norm(),
                1000.0 * free,
                hit.join(", ")
            );
            steps.push(Step { at, hits });
        }
    }
    Ok(steps)
}

/// Moves the capsule by `way`: up to the first wall, then along it, until nothing is left. Returns
/// the triangles that were hit.
fn step(
    tree: &ObbTree,
    at: &mut Point3<f32>,
    way: Vector3<f32>,
    scratch: &mut TreeScratch,
) -> Result<Vec<u32>, Error> {
    let (mut left, mut walls, mut hits) = (way, Vec::new(), Vec::new());
    // A step meets few walls; more pieces would be shorter than the skin.
    for _ in 0..6 {
        let Some(hit) = tree.shape_cast(capsule(*at)?, left, scratch)? else {
            *at += left;
            break;
        };
        let wall = Wall::of_hit(&hit);
        hits.extend(hit.target);
        // The capsule stops a skin before the wall, measured across it.
        let across = -wall.normal.dot(&left);
        let back = if across > 0.0 { SKIN / across } else { 1.0 };
        let share = (hit.time_of_impact - back).max(0.0);
        *at += left * share;
        // The response: what is left of the step, along all walls hit so far.
        walls.push(wall.normal);
        left = slide(left * (1.0 - share), &walls)?;
    }
    Ok(hits)
}

fn capsule(at: Point3<f32>) -> Result<Capsule, Error> {
    let up = Vector3::z() * (CORE / 2.0);
    Capsule::new(Segment::new(at - up, at + up)?, RADIUS)
}

/// Returns the distance of the capsule from the nearest triangle, by testing every one.
fn clearance(mesh: &Mesh, at: Point3<f32>) -> Result<f32, Error> {
    let (body, mut least) = (capsule(at)?, f32::INFINITY);
    for index in 0..mesh.triangles().len() {
        let [a, b, c] = mesh.corners(index);
        least = least.min(body.distance(&boxwood::Triangle::new(a, b, c)?));
    }
    Ok(least)
}
