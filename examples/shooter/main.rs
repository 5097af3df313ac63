//! Ray casts at a crowd: the closest hit, its part, and its damage.
//!
//! ```text
//! cargo example shooter -- [FILE]
//! ```
//! Fighters, or characters of a file, form ranks, each at another time of a clip. Their parts are members of groups: head,
//! trunk, limbs. A gunner shoots in a fan, at three heights, and then casts rays with masks: all
//! hits on heads alone, and on limbs. A bullet flies through everybody in its line. Last a ball is
//! thrown, tick by tick along its arc, until a shape cast hits a fighter. The output is the same on
//! every run.

mod crowd;

use std::process::ExitCode;

use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, CollisionGroups, Error, HitMode, NodeRef, PartId, Plane,
    QueryFilter, QueryScratch, Ray, RayCast, RayHits, Scene, Sphere,
};
use crowd::{HEAD, LIMBS, SPACING, TRUNK, crowd, spacing};
use shared::command_line;
use shared::person::person;

const HELP: &str = "\
shooter: rays at a crowd: who is hit first, where, and what it costs him

cargo example shooter -- [FILE]

  FILE         a character, .glb, .gltf, .urdf, .xml (MJCF), .bvh, .amc (with .asf), .obj, .stl, scaled to the fighter's height, as every
               target; without: the fighter of the examples
  --help, -h   this

The targets stand in ranks, each in another moment of a clip. A gunner shoots 24 rays in a fan at three heights: a line a hit says
who, which part, how far off, what it costs (head 100, trunk 50, limb 20) and what is left. Then masks: how many heads, limbs and
both are in line of the same rays. Then a bullet that flies through everybody in its line. Last a thrown ball: when it hits whom, or where it comes down. Parts are of
the head or the trunk by their names; all others are limbs. The same on every run.";

/// Shots at each height.
const SHOTS: usize = 24;
/// Range of a bullet, in metres, for targets of the least spacing.
const RANGE: f32 = 30.0;
/// Radius of the bullet that passes through [m].
const BULLET: f32 = 0.005;
/// Radius of the thrown ball [m], and time between two casts of it [s].
const BALL: f32 = 0.12;
const TICK: f32 = 1.0 / 60.0;
/// Health of a fighter; at zero he is out.
const HEALTH: u32 = 100;

fn main() -> ExitCode {
    command_line::with_file("shooter", HELP, shoot)
}

fn shoot(file: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let target = person(file)?;
    let (mut scene, crowd) = crowd(&target, file.is_none())?;
    let range = RANGE * (spacing(&target) / SPACING);
    let model = scene.model(crowd[0])?.clone();
    let (mut buffers, mut ray_hits) = (Buffers::new(), RayHits::new());
    let mut health = vec![HEALTH; crowd.len()];
    for (name, height) in [("at the thighs", 0.5), ("at the chest", 1.3), ("at the head", 1.62)] {
        let now = scene.snapshot(&mut buffers);
        let rays = fan(height, range)?;
        let query_filter = QueryFilter::all().accuracy(Accuracy::Exact);
        now.ray_cast_batch(&rays, HitMode::Closest, &query_filter, &mut ray_hits)?;
        println!("{SHOTS} shots {name}: {} hit", ray_hits.len());
        for shot in 0..rays.len() {
            let Some(hit) = ray_hits.of(shot).first() else { continue };
            let Some(who) = crowd.iter().position(|&key| key == hit.target.character) else {
                continue;
            };
            let damage = damage(&scene, hit.target)?;
            health[who] = health[who].saturating_sub(damage);
            let part = model.parts()[hit.target.part.index()].name();
            println!(
                "  shot {shot:2}: fighter {who:2}, {part:<15} {:5.2} m off, -{damage:<3} {:3} left",
                hit.distance, health[who]
            );
        }
        fall(&mut scene, &crowd, &health)?;
    }
    let now = scene.snapshot(&mut buffers);
    let rays = [fan(1.3, range)?, fan(1.62, range)?].concat();
    for (name, filter) in [("heads", HEAD), ("limbs", LIMBS), ("heads and limbs", HEAD | LIMBS)] {
        // The ray is tested against members of these groups alone and passes through all else.
        let groups = CollisionGroups { filter, ..CollisionGroups::ALL };
        let query_filter = QueryFilter::all().groups(groups).accuracy(Accuracy::Exact);
        now.ray_cast_batch(&rays, HitMode::All, &query_filter, &mut ray_hits)?;
        println!("{} {name} in line of chest and head", ray_hits.len());
    }
    pierce(&scene, &crowd, range, &mut buffers)?;
    throw(&scene, &mut buffers)?;
    let out = health.iter().filter(|&&left| left == 0).count();
    let hurt = health.iter().filter(|&&left| left < HEALTH).count();
    println!("{hurt} of {} hurt, {out} out", crowd.len());
    Ok(())
}

/// Fires a bullet that nothing stops: everybody it passes through, the nearest first.
fn pierce(
    scene: &Scene,
    crowd: &[CharacterKey],
    range: f32,
    buffers: &mut Buffers,
) -> Result<(), Error> {
    let (now, mut scratch, mut hits) = (scene.snapshot(buffers), QueryScratch::new(), Vec::new());
    let bullet = Sphere::new(Point3::new(0.55, 1.2, 0.0), BULLET)?;
    let way = Vector3::new(0.0, 0.0, -range);
    now.shape_cast_all(bullet, way, &QueryFilter::all(), &mut scratch, &mut hits)?;
    let mut pierced: Vec<usize> = Vec::new();
    for hit in &hits {
        let who = crowd.iter().position(|&key| key == hit.target.character);
        pierced.extend(who.filter(|who| !pierced.contains(who)));
    }
    println!("a bullet passes through {} parts, of fighters {pierced:?}", hits.len());
    for hit in hits.iter().take(3) {
        let part = scene.model(hit.target.character)?.parts()[hit.target.part.index()].name();
        let [enter, leave] = [hit.time_of_impact, hit.time_of_leaving].map(|time| time * range);
        println!("  a {part} from {enter:.2} to {leave:.2} m");
    }
    Ok(())
}

/// Throws a ball at the ranks: a shape cast a tick, along the chord of its arc, so that it never
/// passes through anyone between two ticks.
fn throw(scene: &Scene, buffers: &mut Buffers) -> Result<(), Error> {
    let (now, mut scratch) = (scene.snapshot(buffers), QueryScratch::new());
    let floor = Plane::new(Vector3::y_axis(), 0.0)?; // solid below y = 0
    let (mut at, mut velocity) = (Point3::new(0.0, 1.8, 0.0), Vector3::new(0.7, 3.0, -9.0));
    for tick in 0..120 {
        let way = velocity * TICK;
        let ball = Sphere::new(at, BALL)?;
        if let Some(hit) = now.shape_cast(ball, way, &QueryFilter::all(), &mut scratch)? {
            let time = (tick as f32 + hit.time_of_impact) * TICK;
            let model = scene.model(hit.target.character)?;
            let part = model.parts()[hit.target.part.index()].name();
            let [x, y, z] = hit.point.coords.into();
            println!("a ball thrown hits a {part} after {time:.3} s at {x:.2} {y:.2} {z:.2}");
            return Ok(());
        }
        if let Some(landing) = floor.sweep_solid(&ball, way)? {
            let down = at + way * landing.time;
            println!("a ball thrown comes down at {:.2} {:.2}", down.x, down.z);
            return Ok(());
        }
        at += way;
        velocity.y -= 9.81 * TICK;
    }
    println!("a ball thrown flies on");
    Ok(())
}

/// Rays from the gunner at a height, at equal angles.
fn fan(height: f32, range: f32) -> Result<Vec<RayCast>, Error> {
    let eye = Point3::new(0.0, height, 0.0);
    let rays = (0..SHOTS).map(|shot| {
        let aside = shot as f32 / (SHOTS - 1) as f32 - 0.5;
        Ray::through(eye, eye + Vector3::new(1.6 * aside, 0.0, -1.0))
    });
    rays.filter_map(Result::transpose).map(|ray| RayCast::new(ray?, range)).collect()
}

/// Damage of a hit, by the group of its part.
fn damage(scene: &Scene, node: NodeRef) -> Result<u32, Error> {
    Ok(match scene.groups(node.character)?[node.part.index()].memberships {
        HEAD => 100,
        TRUNK => 50,
        _ => 20,
    })
}

/// Disables the parts of fighters that are out.
fn fall(scene: &mut Scene, crowd: &[CharacterKey], health: &[u32]) -> Result<(), Error> {
    for (&key, _) in crowd.iter().zip(health).filter(|&(_, &left)| left == 0) {
        for part in 0..scene.model(key)?.len() {
            scene.set_part_enabled(key, PartId::new(part), false)?;
        }
    }
    Ok(())
}
