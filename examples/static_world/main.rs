//! A fighter walks through a static world that is placed once: a hill, an endless floor, shapes of
//! every kind, and a level of brushes.
//!
//! ```text
//! cargo example static_world -- [FILE]
//! ```
//! Without a file the world is four characters at rest, which snapshots do not place again: only the fighter and a
//! second one, who walks towards him, move. Every tick computes the fighter's contacts with the
//! world alone, his distance from obstacles, and the hits of a ray straight down and of a thrown
//! ball. The output is the same on every run.

mod world;

use std::process::ExitCode;

use boxwood::motion::Joints;
use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, CollisionGroups, Error, Hits, PairQuery, Push, QueryFilter,
    QueryScratch, Ray, RayHits, Snapshot, Spawn, Sphere,
};
use shared::{command_line, fighter};
use world::{BODY, WORLD, World};

const HELP: &str = "\
static_world: a fighter walks through a world that is placed once

cargo example static_world -- [FILE]

  FILE         a level, .map, a unit of which is 1/32 m, or a mesh in metres, .obj or .stl, up is y, as the whole world: the walk begins
               where players start, or in the middle of the mesh, and follows the ground; without: the world below
  --help, -h   this

A hill, a floor without an end, things of every shape and a level of brushes are at rest: a snapshot does not place them again.
Printed is what of them the fighter touches on his way, how long and how deep, the ground below him, and what a ball thrown meets.
The same on every run.";

const TICKS: usize = 360;
/// Duration of a tick [s], and speed of the fighter [m/s].
const TICK: f32 = 1.0 / 60.0;
const SPEED: f32 = 2.0;

fn main() -> ExitCode {
    command_line::with_file("static_world", HELP, walk)
}

fn walk(file: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let mut world = match file {
        Some(file) => World::of_file(file)?,
        None => World::new()?,
    };
    let loaded = fighter::fighter();
    world.print();
    let clip = loaded.clips.get("walk")?;
    let walker = world.scene.insert(&loaded.model, Spawn::default())?;
    let other = world.scene.insert(&loaded.model, Spawn::default())?;
    // By default a character is a member of all groups, including the world's.
    let body = CollisionGroups { memberships: BODY, ..CollisionGroups::ALL };
    world.scene.set_all_groups(walker, body)?;
    world.scene.set_all_groups(other, body)?;
    let (mut buffers, mut seen) = (Buffers::new(), Seen::default());
    let (mut joints, mut climbed) = (Joints::new(), 0.0);
    for tick in 0..TICKS {
        let time = tick as f32 * TICK;
        let pose = clip.sample(time % clip.duration(), &mut joints)?;
        let place = |x: f32, z: f32| world.start * Isometry3::translation(x, climbed, z);
        let [at, opposite] = [place(0.0, 0.5 + SPEED * time), place(0.3, 12.0 - SPEED * time)];
        world.scene.set_joints(walker, &at, pose)?;
        world.scene.set_joints(other, &opposite, pose)?;
        let now = world.scene.snapshot(&mut buffers); // places two characters, not six
        let ground = seen.look(&now, &world, walker)?;
        if file.is_some() {
            climbed = ground.map_or(climbed, |height| height - world.start.translation.y);
        }
    }
    seen.print(&world);
    Ok(throw(&world.scene.snapshot(&mut buffers), &world)?)
}

/// Contacts and hits of the fighter so far.
#[derive(Default)]
struct Seen {
    hits: Hits,
    rays: RayHits,
    /// Ticks with a contact of each character of the world, and the depth of the deepest.
    ticks: Vec<usize>,
    deepest: Vec<f32>,
    /// Ticks with ground below, and its lowest and highest point.
    grounded: usize,
    ground: Option<[f32; 2]>,
    nearest: Option<f32>,
    /// Length of the longest separation from obstacles and walls.
    way: f32,
}

impl Seen {
    /// Returns the height of the ground below the walker, if there is any.
    fn look(
        &mut self,
        now: &Snapshot<'_>,
        world: &World,
        walker: CharacterKey,
    ) -> Result<Option<f32>, Error> {
        let count = world.characters.len();
        self.ticks.resize(count, 0);
        self.deepest.resize(count, 0.0);
        // The memberships select the fighter against the world: others are no members of its group.
        let query = PairQuery::of(walker).memberships(u64::MAX, WORLD).accuracy(Accuracy::Exact);
        now.contacts(&query, &mut self.hits)?;
        let mut touched = vec![false; count];
        for hit in &self.hits {
            let index = world.characters.iter().position(|one| one.key == hit.b.character);
            let Some(index) = index else { continue };
            touched[index] = true;
            self.deepest[index] = self.deepest[index].max(hit.depth);
        }
        for (ticks, touched) in self.ticks.iter_mut().zip(touched) {
            *ticks += usize::from(touched);
        }
        let things = PairQuery::between(walker, world.things().key);
        if let Some(near) = now.distance(&things, self.hits.scratch())? {
            self.nearest =
                Some(self.nearest.map_or(near.distance, |least| least.min(near.distance)));
        }
        let along = Push::across(Vector3::y_axis());
        if let Some(way) = now.separation(&things, &along, self.hits.scratch())? {
            self.way = self.way.max(way.depth);
        }
        let hips = now.scene().poses(walker)?[0].translation.vector;
        let down = Ray::new(Point3::from(hips), -Vector3::y_axis())?;
        let filter =
            QueryFilter::all().groups(CollisionGroups { memberships: BODY, filter: WORLD });
        let below = now.ray_cast(down, &filter.accuracy(Accuracy::Exact), &mut self.rays)?;
        let height = below.map(|hit| hit.point.y);
        if let Some(height) = height {
            let [low, high] = self.ground.unwrap_or([height; 2]);
            self.ground = Some([low.min(height), high.max(height)]);
            self.grounded += 1;
        }
        Ok(height)
    }

    fn print(&self, world: &World) {
        for ((one, ticks), depth) in world.characters.iter().zip(&self.ticks).zip(&self.deepest) {
            println!("{:<6} touched in {ticks:3} of {TICKS} ticks, {depth:.3} deep", one.name);
        }
        let grounded = self.grounded;
        match self.ground {
            Some([low, high]) => {
                println!("ground below in {grounded} ticks, from {low:.2} to {high:.2}");
            }
            None => println!("ground below in no tick"),
        }
        if let Some(near) = self.nearest {
            let name = world.things().name;
            println!("{name}: {near:.3} away at the nearest, at most {:.3} to leave", self.way);
        }
    }
}

/// Throws a ball at the level: a shape cast a tick.
fn throw(now: &Snapshot<'_>, world: &World) -> Result<(), Error> {
    let start = &world.start;
    let mut at = start * Point3::new(0.0, 1.6, 0.0);
    let mut velocity = start * Vector3::new(0.2, 4.0, 9.0);
    let filter = QueryFilter::all().groups(CollisionGroups { memberships: BODY, filter: WORLD });
    for tick in 0..300 {
        let (ball, way) = (Sphere::new(at, 0.1)?, velocity * TICK);
        if let Some(hit) = now.shape_cast(ball, way, &filter, &mut QueryScratch::new())? {
            let time = (tick as f32 + hit.time_of_impact) * TICK;
            let part = now.scene().part(hit.target.character, hit.target.part)?;
            let of = world.name(hit.target.character);
            println!("a ball thrown hits {} of the {of} after {time:.2} s", part.name());
            return Ok(());
        }
        at += way;
        velocity.y -= 9.81 * TICK;
    }
    println!("a ball thrown hits nothing");
    Ok(())
}
