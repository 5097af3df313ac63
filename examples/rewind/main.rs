//! A server with late clients. A shot is cast into the scene that the shooter saw, 3.4 ticks before;
//! an input that comes eight ticks late is played from its tick on, and no sound starts twice.
//!
//! [`fight::Fight`] is the game, [`sounds::Sounds`] what a client hears of it.

mod fight;
mod sounds;

use std::error::Error;
use std::process::ExitCode;

use boxwood::nalgebra::Point3;
use boxwood::{
    Buffers, ContactChange, ContactEvent, History, Loaded, NodeRef, PartOrder, PastScene,
    QueryFilter, Ray, RayHits, Scene, load,
};
use fight::{Fight, RUNNER};
use shared::{command_line, fighter};
use sounds::Sounds;

const HELP: &str = "\
rewind: a shot into the past, at a fraction of a tick, and rollbacks of eight ticks in which no sound starts twice

cargo example rewind -- [FILE]

  FILE         a character with clips, .glb or .gltf, as everybody, with its clips 'kick', 'guard', 'jab' and 'walk', or its first for
               those that it lacks; without: the fighter of the examples
  --help, -h   this

The events of a fight with all inputs in time, and again with one that is late. The lines are the same on every run.";

const TICKS: usize = 20;
/// Tick at whose end a shot is tested, and the age of what the shooter saw [ticks].
const SHOT: u64 = 12;
const LATE: f32 = 3.4;
/// Number of ticks that a rollback plays again.
const ROLLBACK: usize = 8;
/// Tick from which blue steps back, and the one at whose end the server is told so.
const STEP_BACK: usize = 7;
const TOLD: usize = STEP_BACK + ROLLBACK - 1;

fn main() -> ExitCode {
    command_line::with_file("rewind", HELP, |file| {
        let loaded = file.map_or_else(|| Ok(fighter::fighter()), load::gltf)?;
        let (digests, begun) = in_time(&loaded)?;
        late(&loaded, &digests, begun)
    })
}

/// Plays the fight. Returns the digest of each tick, and the ids of the contacts that begin.
fn in_time(loaded: &Loaded) -> Result<(Vec<u64>, Vec<u64>), Box<dyn Error>> {
    println!("all inputs in time");
    let (mut fight, mut history) = (Fight::new(loaded)?, History::new(16));
    history.push(0, &fight.scene)?;
    let (mut digests, mut begun) = (vec![0], Vec::new());
    for tick in 1..=TICKS {
        digests.push(fight.tick(tick, tick >= STEP_BACK)?);
        history.push(tick as u64, &fight.scene)?;
        for event in fight.events.iter().filter(|event| event.change != ContactChange::Persist) {
            println!("  {}", told(&fight, tick, event));
            begun.extend((event.change == ContactChange::Begin).then_some(event.id));
        }
        if tick as u64 == SHOT {
            shoot(loaded, &fight, &history)?;
        }
    }
    begun.sort_unstable();
    Ok((digests, begun))
}

/// Plays the fight with an input that is late: eight ticks are played again when it is there, and
/// eight at the end for nothing. Either way the ticks are as if it had been in time.
fn late(loaded: &Loaded, digests: &[u64], begun: Vec<u64>) -> Result<(), Box<dyn Error>> {
    println!("blue's input {ROLLBACK} ticks late");
    let (mut fight, mut history) = (Fight::new(loaded)?, History::new(ROLLBACK + 1));
    history.push(0, &fight.scene)?;
    // The state of a tick: its scene, and the contacts at its end.
    let (mut contacts, mut past) = (vec![fight.contacts.clone()], PastScene::new());
    let (mut sounds, mut stopped) = (Sounds::default(), 0);
    for tick in 1..=TICKS {
        fight.tick(tick, tick > TOLD)?;
        history.push(tick as u64, &fight.scene)?;
        contacts.push(fight.contacts.clone());
        hear(&fight, tick, &mut sounds);
        if tick != TOLD && tick != TICKS {
            continue;
        }
        let start = tick - ROLLBACK;
        println!("  back to the end of tick {start}");
        fight.scene.clone_from(history.at(start as u64, 0, &mut past)?);
        fight.contacts.clone_from(&contacts[start]);
        sounds.doubt_after(start);
        for tick in start + 1..=tick {
            let digest = fight.tick(tick, tick >= STEP_BACK)?;
            assert_eq!(digest, digests[tick], "tick {tick}, as if the input were in time");
            history.push(tick as u64, &fight.scene)?; // drops the ticks after it
            contacts[tick].clone_from(&fight.contacts);
            hear(&fight, tick, &mut sounds);
        }
        for contact in sounds.stop_doubted() {
            println!("  {contact}: not so, its sound stops");
            stopped += 1;
        }
    }
    // Each contact has one sound, and none started twice.
    assert_eq!((sounds.ids(), sounds.started.len()), (begun.clone(), begun.len() + stopped));
    Ok(())
}

fn hear(fight: &Fight, tick: usize, sounds: &mut Sounds) {
    for event in fight.events.iter().filter(|event| event.change == ContactChange::Begin) {
        let contact = told(fight, tick, event);
        let is_new = sounds.start(event.id, tick, contact.clone());
        let sound = if is_new { "a sound starts" } else { "its sound plays already" };
        println!("  {contact}: {sound}");
    }
}

/// Returns the tick of an event and the time in it, its parts, and what happens.
fn told(fight: &Fight, tick: usize, event: &ContactEvent) -> String {
    let ([a, b], time) = (event.parts.map(|part| fight.name(part)), event.time);
    let change = if event.change == ContactChange::Begin { "touch" } else { "part" };
    format!("tick {tick:2} at {time:.3}: {a} and {b} {change}")
}

/// Tests a shot at the runner, aimed at what the shooter saw.
fn shoot(loaded: &Loaded, now: &Fight, history: &History<f32>) -> Result<(), Box<dyn Error>> {
    // The shooter's display shows any time, by the clip itself, and the highest part is aimed at.
    let (seen, mut shown) = (SHOT as f32 - LATE, Fight::new(loaded)?);
    shown.show(RUNNER, seen)?;
    let (mut buffers, runner) = (Buffers::new(), shown.keys[RUNNER]);
    let picture = shown.scene.snapshot(&mut buffers);
    let parts = loaded.model.parts().iter().filter(|part| part.tree().is_some());
    let centers = parts.filter_map(|part| picture.part_aabb(runner, part.id()).ok()?.center());
    let aim = centers.max_by(|a, b| a.y.total_cmp(&b.y)).ok_or("nothing to aim at")?;
    let eye = Point3::new(0.0, 0.9, -4.0) * now.height;
    let ray = Ray::through(eye, aim)?.ok_or("the shooter stands in the runner")?;

    // The server has whole ticks. Between two of them only the target is placed.
    let (tick, fraction, target) = (seen as u64, seen.fract() * 65536.0, [now.keys[RUNNER]]);
    let mut past = PastScene::new();
    let past = history.at_only((tick, fraction as u16), &target, &mut past)?;
    let [shown, then, present] = [&shown.scene, past, &now.scene].map(|scene| hit(scene, ray));
    let (shown, then, present) = (shown?, then?, present?);
    let name = |hit: Option<PartOrder>| hit.map_or("nothing".to_owned(), |part| now.name(part));
    println!(
        "  shot at what was seen at {seen}: {} in the picture, {} in the past, {} in the present",
        name(shown),
        name(then),
        name(present)
    );
    assert!(then == shown && then != present, "the past is what the shooter saw");
    Ok(())
}

/// Returns the part that a ray hits first.
fn hit(scene: &Scene, ray: Ray<f32>) -> Result<Option<PartOrder>, boxwood::Error> {
    let (mut buffers, mut hits) = (Buffers::new(), RayHits::new());
    let now = scene.snapshot(&mut buffers);
    let Some(hit) = now.ray_cast(ray, &QueryFilter::all(), &mut hits)? else { return Ok(None) };
    let NodeRef { character, part, .. } = hit.target;
    Ok(Some(PartOrder { order: scene.order(character)?, part }))
}
