//! The default fight: clips of both by time, and the distance at the start.

use boxwood::load::Loader;
use boxwood::motion::Clip;

use crate::arguments::Arguments;
use crate::fight::cast::{Cue, Fighter, Play, Start};
use shared::any_file::{self, Wishes};
use shared::fighter::{fighter, walk};
use shared::progress_bar as bar;

const fn cue(from: f32, clip: &'static str) -> Cue {
    Cue { from, clip, carries: 0.0 }
}

/// Red walks up, jabs twice, kicks.
const RED: &[Cue] = &[
    Cue { from: 0.0, clip: "walk", carries: walk::STRIDE as f32 },
    cue(1.1, "guard"),
    cue(1.3, "jab"),
    cue(2.0, "guard"),
    cue(2.4, "jab"),
    cue(3.1, "guard"),
    cue(3.3, "kick"),
    cue(4.4, "guard"),
];

/// Blue waits, jabs back, and is kicked.
const BLUE: &[Cue] = &[cue(0.0, "idle"), cue(0.8, "guard"), cue(2.1, "jab"), cue(2.8, "guard")];

/// Distance at the start: a stride more than where the blows land [m].
const DISTANCE: f32 = 1.12 + walk::STRIDE as f32;

/// Loads the two characters of the arguments.
pub fn cast(arguments: &Arguments) -> Result<[Fighter; 2], String> {
    Fighter::pair([one(arguments, 0, "red")?, one(arguments, 1, "blue")?])
}

fn one(arguments: &Arguments, index: usize, name: &'static str) -> Result<Fighter, String> {
    let clip = arguments.clips[index].as_deref();
    let (scale, visual) = (arguments.scales[index], arguments.visual);
    let wishes = Wishes { scale, visual, ..Wishes::default() };
    if let Some(file) = &arguments.files[index] {
        let bar = bar::bar();
        return Fighter::from_file(name, (file, clip), wishes, &Loader::new().progress(&bar));
    }
    let loaded = fighter();
    let part = match clip {
        None => Play::Script([RED, BLUE][index]),
        Some(_) => {
            let clip: Result<Clip<f32>, String> = any_file::clip_as(&loaded, clip, wishes);
            Play::Clip(clip.map_err(|trouble| format!("{name}: {trouble}"))?)
        }
    };
    Fighter::new(name, "built-in fighter", loaded, part)
}

/// Start at the distance of the arguments or of the default fight, or otherwise so that the two
/// touch.
pub fn start(arguments: &Arguments, cast: &[Fighter; 2]) -> Result<Start, String> {
    let scripted = cast.iter().all(Fighter::is_scripted).then_some(DISTANCE);
    Start::find(arguments.distance.or(scripted), cast)
}
