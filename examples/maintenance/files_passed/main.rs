//! One query, for a count of the source files that it passes.
//!
//! ```text
//! .ci/files
//! ```
//! The script runs this program under callgrind, which collects only what [`measured`] or [`moved`] calls, and
//! counts the files of `src` with instructions of their own.

use std::hint::black_box;
use std::process::ExitCode;

use boxwood::load::Loader;
use boxwood::motion::Joints;
use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, ClosestParts, Hits, MotionBuffers, PairQuery, Push,
    QueryFilter, QueryScratch, Ray, RayHits, Scene, SceneMotion, Snapshot, Spawn,
};
use shared::command_line;

/// The queries that the program knows, in the order of its help.
const QUERIES: [&str; 7] =
    ["ray", "contacts", "distance", "closest", "separation", "cast", "motion"];

fn main() -> ExitCode {
    let named = std::env::args().nth(1);
    command_line::exit("files_passed", run(named.as_deref()).map_err(|error| error.to_string()))
}

fn run(named: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let Some(query) = named.filter(|name| QUERIES.contains(name)) else {
        return Err(format!("names one query: {}", QUERIES.join(", ")).into());
    };
    // A row of fighters that kick, each touching the next.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fighter/fighter.glb");
    let fighter = Loader::new().gltf(file)?;
    let (mut scene, mut joints) = (Scene::new(), Joints::new());
    let kick = fighter.clips.get("kick")?;
    let mut keys = Vec::new();
    for _ in 0..8 {
        keys.push(scene.insert(&fighter.model, Spawn::default())?);
    }
    let mut pose = |scene: &mut Scene, time: f32| -> Result<(), boxwood::Error> {
        for (place, &key) in keys.iter().enumerate() {
            let root = Isometry3::translation(0.0, 0.0, 0.35 * place as f32);
            scene.set_joints(key, &root, kick.sample_looped(time, &mut joints)?)?;
        }
        Ok(())
    };
    pose(&mut scene, 0.3)?;
    let before = scene.clone();
    pose(&mut scene, 0.3 + 1.0 / 60.0)?;

    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    let found = if query == "motion" {
        let mut buffers = MotionBuffers::new();
        let motion = SceneMotion::between(&before, &scene, &mut buffers)?;
        moved(&motion, &mut QueryScratch::new())?
    } else {
        measured(query, (&now, keys[3]), &mut Memory::default())?
    };
    println!("{query}: {}", if found { "found" } else { "nothing" });
    Ok(())
}

/// Memory that queries write into.
#[derive(Default)]
struct Memory {
    hits: Hits,
    rays: RayHits,
    closest: ClosestParts,
}

/// Asks one query of a snapshot; returns `true` if it found something.
#[inline(never)]
fn measured(
    query: &str,
    (now, key): (&Snapshot<'_>, CharacterKey),
    memory: &mut Memory,
) -> Result<bool, boxwood::Error> {
    let Memory { hits, rays, closest } = memory;
    let all = QueryFilter::all();
    let of = PairQuery::of(key);
    Ok(match query {
        "ray" => {
            let ray = Ray::new(Point3::new(-4.0, 1.2, 1.0), Vector3::x_axis())?;
            now.ray_cast(black_box(ray), &all, rays)?.is_some()
        }
        "contacts" => {
            now.contacts(&PairQuery::all(), hits)?;
            !hits.is_empty()
        }
        "distance" => now.distance(&of, hits.scratch())?.is_some(),
        "closest" => now.closest_part(Point3::new(-1.0, 1.2, 1.0), 5.0, &all, closest)?.is_some(),
        "separation" => {
            now.separation(&of, &Push::across(Vector3::y_axis()), hits.scratch())?.is_some()
        }
        _ => now.cast(&of, Vector3::new(0.0, 0.0, 0.5), hits.scratch())?.is_some(),
    })
}

/// Asks for the first impact of a motion.
#[inline(never)]
fn moved(motion: &SceneMotion<'_>, scratch: &mut QueryScratch) -> Result<bool, boxwood::Error> {
    let query = PairQuery::all().accuracy(Accuracy::Within(1e-3));
    Ok(motion.first_impact(black_box(&query), scratch)?.is_some())
}
