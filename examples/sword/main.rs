//! A sword against a body: a query of chosen parts, one hit per swing with a knockback, and the
//! distance of a miss.
//!
//! `cargo example sword`

mod armed_fighter;

use std::f32::consts::PI;
use std::io::Write;
use std::process::ExitCode;

use armed_fighter::{armed, posed};
use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::{
    Accuracy, Buffers, Error, Hit, Hits, PairQuery, PartId, Pose, Push, Scene, Snapshot, Spawn,
};
use shared::{command_line, fighter};

const HELP: &str = "\
sword: a sword against a body: only chosen parts are asked about, a swing hits once, and what misses says by how much

cargo example sword

Four swings at a fighter who stands nearer each time, 2.3 m to 1.4 m: a line a pair of parts that meet in the first frame with a
hit, with the time, the point in metres, and the knockback: the way on which the part struck leaves the blade, no more than
60 degrees from the blade's motion; or one line that says by how much the swing misses. The same on every run.

  --help, -h   this; there are no other flags";

const RATE: f32 = 60.0;
/// Distance of the target for each swing [m].
const DISTANCES: [f32; 4] = [2.3, 2.0, 1.7, 1.4];
/// Parts of the target: the upper body, none that touches the floor.
const BODY: [&str; 6] = ["hips", "spine", "chest", "neck", "head", "left_forearm"];

/// State from frame to frame: the library stores none of it.
#[derive(Default)]
struct Swing {
    landed: bool,
    nearest: f32,
    /// Poses of the attacker's parts in the frame before.
    before: Vec<Pose>,
}

impl Swing {
    /// Separation of the struck part from the one that struck it, in a direction near to the
    /// latter's motion.
    fn knockback(
        &self,
        now: &Snapshot<'_>,
        hit: &Hit,
        hits: &mut Hits,
    ) -> Result<Option<(Vector3<f32>, f32)>, Error> {
        let index = hit.a.part.index();
        let Some(before) = self.before.get(index) else { return Ok(None) };
        let pose = now.scene().pose(hit.a.character, hit.a.part)?;
        let motion = hit.point - before * pose.inverse_transform_point(&hit.point);
        let Some(motion) = Unit::try_new(motion, 1e-6) else { return Ok(None) };
        let (striking, struck) = ([hit.a.part], [hit.b.part]);
        let query = PairQuery::between(hit.a.character, hit.b.character).parts(&striking, &struck);
        let way = now.separation(&query, &Push::within(motion, 0.5), hits.scratch())?;
        Ok(way.map(|way| (way.normal.into_inner(), way.depth)))
    }
}

fn main() -> ExitCode {
    command_line::without_flags("sword", HELP, swings)
}

fn swings() -> Result<(), Box<dyn std::error::Error>> {
    let body = fighter::fighter();
    let (guard, jab) = (body.clips.get("guard")?, body.clips.get("jab")?);
    let model = armed(&body)?;
    let sword = [model.part("sword")?, model.part("left_hand")?];
    let target = BODY.map(|name| model.part(name)).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut scene = Scene::new();
    let red = scene.insert(&model, Spawn::default())?;
    let blue = scene.insert(&model, Spawn::default())?;
    let hit = PairQuery::between(red, blue).parts(&sword, &target).accuracy(Accuracy::Exact);
    let apart = PairQuery::between(red, blue).parts(&sword, &target);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let mut out = std::io::stdout().lock();
    for (number, far) in DISTANCES.into_iter().enumerate() {
        let mut swing = Swing { nearest: f32::INFINITY, ..Swing::default() };
        let there = Isometry3::new(Vector3::new(0.0, 0.0, far), Vector3::new(0.0, PI, 0.0));
        for frame in 0..(jab.duration() * RATE) as usize {
            let time = frame as f32 / RATE;
            scene.set_joints(red, &Pose::identity(), &posed(jab, time)?)?;
            scene.set_joints(blue, &there, &posed(guard, time)?)?;
            let now = scene.snapshot(&mut buffers);
            // Only distances less than that of the frame before are of interest.
            let near = apart.clone().max_distance(f64::from(swing.nearest));
            if let Some(near) = now.distance(&near, hits.scratch())? {
                swing.nearest = near.distance;
            }
            if !swing.landed && now.intersects(&hit, hits.scratch())? {
                swing.landed = true;
                now.contacts(&hit, &mut hits)?;
                let landed: Vec<Hit> = hits.to_vec();
                for hit in &landed {
                    let name = |part: PartId| model.parts()[part.index()].name();
                    let Point3 { coords: at } = hit.point;
                    write!(out, "swing {} at {time:.3} s: ", number + 1)?;
                    write!(out, "{} meets {} at ", name(hit.a.part), name(hit.b.part))?;
                    write!(out, "{:.3} {:.3} {:.3}", at.x, at.y, at.z)?;
                    if let Some((way, far)) = swing.knockback(&now, hit, &mut hits)? {
                        write!(
                            out,
                            ", pushed {far:.3} m along {:.3} {:.3} {:.3}",
                            way.x, way.y, way.z
                        )?;
                    }
                    writeln!(out)?;
                }
            }
            swing.before.clear();
            swing.before.extend_from_slice(scene.poses(red)?);
        }
        if !swing.landed {
            writeln!(out, "swing {} misses by {:.3} m", number + 1, swing.nearest)?;
        }
    }
    Ok(())
}
