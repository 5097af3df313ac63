//! Clips of a character over time: the fight of the example `duel`, or one clip, repeated.

use boxwood::load::Loaded;
use boxwood::motion::Joints;
use boxwood::{Error, Pose};

pub(crate) const RATE: f32 = 60.0;

/// Distance by which one loop of the fighter's walk carries it [m].
pub(crate) const STRIDE: f32 = 1.32;

/// Clips of a character over time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Play {
    /// Clips with their start times.
    Script(&'static [Cue]),
    /// Index of a clip that is repeated.
    Clip(usize),
}

/// A clip and the time from which it plays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cue {
    /// Begin of the clip [s].
    from: f32,
    clip: &'static str,
}

const fn cue(from: f32, clip: &'static str) -> Cue {
    Cue { from, clip }
}

/// Red walks up, jabs twice, kicks; blue waits, jabs back, and is kicked: as in `duel`.
const SCRIPTS: [&[Cue]; 2] = [
    &[
        cue(0.0, "walk"),
        cue(1.1, "guard"),
        cue(1.3, "jab"),
        cue(2.0, "guard"),
        cue(2.4, "jab"),
        cue(3.1, "guard"),
        cue(3.3, "kick"),
        cue(4.4, "guard"),
    ],
    &[cue(0.0, "idle"), cue(0.8, "guard"), cue(2.1, "jab"), cue(2.8, "guard")],
];

/// Words in the names of clips in which a character strikes, the surest first.
const BLOWS: [&str; 10] =
    ["attack", "punch", "kick", "slash", "swing", "strike", "stab", "chop", "jab", "bite"];

/// Returns the index of a clip that is named after a blow.
pub(crate) fn blow(loaded: &Loaded<f32>) -> Option<usize> {
    let named = |word: &str| {
        loaded.clips.iter().position(|clip| clip.name().to_ascii_lowercase().contains(word))
    };
    BLOWS.iter().find_map(|word| named(word))
}

impl Play {
    /// Returns the script of a side, if the character has all its clips; otherwise its first clip
    /// that is named after a blow, or the first of all.
    pub fn first(side: usize, loaded: &Loaded<f32>) -> Play {
        let has = |cue: &Cue| loaded.clips.get(cue.clip).is_ok();
        match SCRIPTS[side].iter().all(has) {
            true => Play::Script(SCRIPTS[side]),
            false => Play::Clip(blow(loaded).unwrap_or(0)),
        }
    }

    /// Returns `true` for a script.
    pub fn is_scripted(self) -> bool {
        matches!(self, Play::Script(_))
    }

    /// Number of frames that are worth showing.
    pub fn frames(self, loaded: &Loaded<f32>) -> f32 {
        match self {
            Play::Script(_) => 300.0,
            Play::Clip(clip) => 2.0 * loaded.clips[clip].duration() * RATE,
        }
    }

    /// Returns the clip at a frame, the time in it [s], and the distance that walks have carried
    /// the model forward.
    pub fn at(self, loaded: &Loaded<f32>, frame: usize) -> (usize, f32, f32) {
        let t = frame as f32 / RATE;
        match self {
            Play::Clip(clip) => (clip, t, 0.0),
            Play::Script(cues) => {
                let current = cues.iter().rposition(|cue| cue.from <= t).unwrap_or(0);
                let walked = cues[..current].iter().filter(|cue| cue.clip == "walk").count();
                let named = |name| loaded.clips.iter().position(|clip| clip.name() == name);
                let clip = named(cues[current].clip).unwrap_or(0);
                (clip, t - cues[current].from, walked as f32 * STRIDE)
            }
        }
    }

    /// Returns the joints at a frame, joint -> model, and the distance that walks have carried the
    /// model forward.
    pub fn sample<'j>(
        self,
        loaded: &Loaded<f32>,
        frame: usize,
        joints: &'j mut Joints<f32>,
    ) -> Result<(&'j [Pose], f32), Error> {
        let (clip, t, forward) = self.at(loaded, frame);
        loaded.clips[clip].sample_looped(t, joints).map(|poses| (poses, forward))
    }
}
