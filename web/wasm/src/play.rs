//! What a character plays: the fight of the example `duel`, or one clip over and over.

use boxwood::load::Loaded;
use boxwood::motion::Joints;
use boxwood::{Error, Pose};

/// Frames a second.
pub(crate) const RATE: f32 = 60.0;

/// How far one loop of the fighter's walk carries it, in metres.
pub(crate) const STRIDE: f32 = 1.32;

/// What a character plays over time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Play {
    /// Clips by the second they start.
    Script(&'static [Cue]),
    /// The clip of that number, over and over.
    Clip(usize),
}

/// From a time on, a clip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cue {
    /// Seconds.
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

impl Play {
    /// The script of a side, if the character has all its clips; else its first clip.
    pub fn first(side: usize, loaded: &Loaded<f32>) -> Play {
        let has = |cue: &Cue| loaded.clips.get(cue.clip).is_ok();
        match SCRIPTS[side].iter().all(has) {
            true => Play::Script(SCRIPTS[side]),
            false => Play::Clip(0),
        }
    }

    /// Whether it is a script.
    pub fn is_scripted(self) -> bool {
        matches!(self, Play::Script(_))
    }

    /// How long it is worth to be looked at, in frames.
    pub fn frames(self, loaded: &Loaded<f32>) -> f32 {
        match self {
            Play::Script(_) => 300.0,
            Play::Clip(clip) => 2.0 * loaded.clips[clip].duration() * RATE,
        }
    }

    /// The clip at a frame, the second in it, and how far walks have carried the model forward.
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

    /// The joints at a frame, joint to model, and how far walks have carried the model forward.
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
