//! Who fights, what they do, and where they start.

use std::f32::consts::PI;
use std::path::Path;

use boxwood::load::{Loaded, Loader};
use boxwood::motion::{Clip, Joints};
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Aabb, Buffers, CharacterKey, Hits, PairQuery, Pose, Scene, Spawn};

use crate::any_file::{self, Wishes};

/// Frames per second.
pub const RATE: f32 = 60.0;

/// How many times as large one character may be as the other without a hint.
const SAME_UNITS: f32 = 8.0;

/// A character and what it does.
pub struct Fighter {
    pub name: &'static str,
    /// Where it is from: the name of its file.
    pub source: String,
    pub is_from_file: bool,
    pub loaded: Loaded<f32>,
    part: Play,
    /// From where it stands at first to the origin of its model.
    shift: Vector3<f32>,
    /// What its file leaves open.
    hint: Option<String>,
}

/// What a character does over time.
pub enum Play {
    /// Clips in turn.
    Script(&'static [Cue]),
    /// One clip over and over.
    Clip(Clip<f32>),
}

/// From a time on, a clip.
pub struct Cue {
    /// Seconds.
    pub from: f32,
    pub clip: &'static str,
    /// How far ahead the character stands once the clip is over. Units of length.
    pub carries: f32,
}

impl Fighter {
    /// Who is not from a file.
    pub fn new(
        name: &'static str,
        source: &str,
        loaded: Loaded<f32>,
        part: Play,
    ) -> Result<Self, String> {
        let (source, shift) = (source.to_owned(), Vector3::zeros());
        let mut one =
            Fighter { name, source, is_from_file: false, loaded, part, shift, hint: None };
        one.shift = one.home()?;
        Ok(one)
    }

    /// The character in a file, which can touch something, with that clip of it or the first.
    pub fn from_file(
        name: &'static str,
        (file, clip): (&Path, Option<&str>),
        wishes: Wishes,
        loader: &Loader<'_>,
    ) -> Result<Self, String> {
        let loaded = any_file::load_with(file, loader, wishes)?;
        any_file::check_parts(file, &loaded.model)?;
        let hint = any_file::motion::hint(file, &loaded, wishes.scale);
        let clip = any_file::clip_as(&loaded, clip, wishes);
        let clip = Play::Clip(clip.map_err(|trouble| format!("{name}: {trouble}"))?);
        let source = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        let one = Fighter::new(name, &source, loaded, clip)?;
        let hint = hint.map(|hint| format!("{hint} (--scale-a, --scale-b)"));
        Ok(Fighter { is_from_file: true, hint, ..one })
    }

    /// Red and blue; red has a hint if their sizes are so different that their files must be in
    /// other units.
    pub fn pair(mut cast: [Fighter; 2]) -> Result<[Fighter; 2], String> {
        let sizes = [cast[0].bounds()?, cast[1].bounds()?].map(|bounds| bounds.sizes().norm());
        let hint = other_units(sizes);
        cast[0].hint = cast[0].hint.take().or(hint);
        Ok(cast)
    }

    /// The joints at a frame, joint to model, and how far the walk has carried the model forward.
    pub fn joints<'j>(
        &self,
        frame: usize,
        joints: &'j mut Joints<f32>,
    ) -> Result<(&'j [Pose], f32), String> {
        let t = frame as f32 / RATE;
        let clip = |name: &str| -> Result<&Clip<f32>, String> {
            self.loaded.clips.get(name).map_err(|error| error.to_string())
        };
        let (poses, forward) = match &self.part {
            Play::Clip(clip) => (clip.sample_looped(t, joints), 0.0),
            Play::Script(cues) => {
                let current = current(cues, t);
                let carried = cues[..current].iter().fold(0.0, |sum, cue| sum + cue.carries);
                let cue = &cues[current];
                (clip(cue.clip)?.sample_looped(t - cue.from, joints), carried)
            }
        };
        poses.map(|poses| (poses, forward)).map_err(|error| error.to_string())
    }

    /// What it plays at a frame.
    pub fn clip(&self, frame: usize) -> &str {
        match &self.part {
            Play::Clip(clip) => clip.name(),
            Play::Script(cues) => cues[current(cues, frame as f32 / RATE)].clip,
        }
    }

    /// What it plays from the start to the end, in words.
    pub fn plays(&self) -> String {
        match &self.part {
            Play::Clip(clip) if clip.duration() > 0.0 => {
                format!("clip '{}' of {:.3} s, over and over", clip.name(), clip.duration())
            }
            Play::Clip(clip) => format!("clip '{}', one pose", clip.name()),
            Play::Script(cues) => {
                let told = |cue: &Cue| format!("{} {:.1}", cue.clip, cue.from);
                format!(
                    "clips by the second they start: {}",
                    cues.iter().map(told).collect::<Vec<_>>().join(", ")
                )
            }
        }
    }

    /// Whether it plays clips in turn.
    pub fn is_scripted(&self) -> bool {
        matches!(self.part, Play::Script(_))
    }

    /// What its file could not say.
    pub fn notes(&self) -> Vec<String> {
        let hint = self.hint.iter().cloned();
        self.loaded.warnings.iter().map(ToString::to_string).chain(hint).collect()
    }

    /// What the files could not say, and of whom; once where both have it.
    pub fn all_notes(cast: &[Fighter; 2]) -> Vec<String> {
        let [red, blue] = cast.each_ref().map(Fighter::notes);
        let of_red = red.iter().map(|note| {
            let whose = if blue.contains(note) { "red and blue" } else { cast[0].name };
            format!("{whose}: {note}")
        });
        let of_blue = blue.iter().filter(|note| !red.contains(note));
        of_red.chain(of_blue.map(|note| format!("{}: {note}", cast[1].name))).collect()
    }

    /// What brings it home: recorded people stand anywhere. Where the origin is not below its box
    /// in the first frame, the middle of the box goes there, and where it is above or below, the
    /// lowest end.
    fn home(&self) -> Result<Vector3<f32>, String> {
        if self.is_scripted() {
            return Ok(Vector3::zeros());
        }
        let bounds = self.bounds()?;
        let Some(middle) = bounds.center() else { return Ok(Vector3::zeros()) };
        let away = |axis: usize| bounds.min[axis] > 0.0 || bounds.max[axis] < 0.0;
        let aside = if away(0) || away(2) { -middle.coords } else { Vector3::zeros() };
        // Who jumps, or whose feet are drawn a little above the floor, stays there.
        let high = bounds.min.y > bounds.sizes().y || bounds.max.y < 0.0;
        let up = if high { -bounds.min.y } else { 0.0 };
        Ok(Vector3::new(aside.x, up, aside.z))
    }

    /// The box of the first frame.
    fn bounds(&self) -> Result<Aabb, String> {
        let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
        let key = scene.insert(&self.loaded.model, Spawn::default()).map_err(|e| e.to_string())?;
        let (joints, _) = self.joints(0, &mut buffers.joints)?;
        scene.set_joints(key, &Pose::identity(), joints).map_err(|error| error.to_string())?;
        scene.snapshot(&mut buffers).character_aabb(key).map_err(|error| error.to_string())
    }
}

/// The hint for two characters of such different size that their files must be in other units.
fn other_units([red, blue]: [f32; 2]) -> Option<String> {
    let factor = if red < blue { blue / red } else { red / blue };
    (factor > SAME_UNITS && factor.is_finite()).then(|| {
        format!("red is {red:.2} across and blue {blue:.2}: their files may be in different units")
    })
}

/// The cue of a time.
fn current(cues: &[Cue], time: f32) -> usize {
    cues.iter().rposition(|cue| cue.from <= time).unwrap_or(0)
}

/// Where the two models start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// How far blue is from red, along Z.
    pub distance: f32,
    /// How far blue is moved sideways and up, so that a fox as large as a house meets a knight at
    /// all.
    pub aside: Vector3<f32>,
    /// What brings each of them home.
    home: [Vector3<f32>; 2],
}

impl Start {
    /// Red is at the origin looking along +Z, blue looks back at it.
    pub fn places(&self) -> [Pose; 2] {
        let place = self.aside + Vector3::z() * self.distance;
        let facing = [Isometry3::identity(), Isometry3::new(place, Vector3::y() * PI)];
        [0, 1].map(|index| match self.home[index] {
            home if home == Vector3::zeros() => facing[index],
            home => facing[index] * Isometry3::from(home),
        })
    }

    /// As far apart as asked; or as far (in steps of 4 %) as something touches within the first two
    /// seconds, standing on one floor or, if nothing does, with their middles in one line.
    pub fn find(distance: Option<f32>, cast: &[Fighter; 2]) -> Result<Start, String> {
        let home = cast.each_ref().map(|fighter| fighter.shift);
        let ahead = |distance| Start { distance, aside: Vector3::zeros(), home };
        if let Some(distance) = distance {
            return Ok(ahead(distance));
        }
        let mut rehearsal = Rehearsal::new(cast)?;
        let farthest = 2.0 * cast.iter().map(extent).fold(0.0, f32::max);
        for aside in [Vector3::zeros(), rehearsal.aside(home)?] {
            let mut start = Start { distance: farthest, aside, home };
            while start.distance > 0.02 * farthest {
                if rehearsal.meets(&start)? {
                    // A little closer, so that it is more than a touch.
                    return Ok(Start { distance: start.distance * 0.96, ..start });
                }
                start.distance *= 0.96;
            }
        }
        Ok(Start { distance: 0.0, aside: rehearsal.aside(home)?, home })
    }
}

/// A scene to try starts in.
struct Rehearsal<'a> {
    cast: &'a [Fighter; 2],
    scene: Scene,
    keys: [CharacterKey; 2],
    buffers: Buffers,
    hits: Hits,
}

impl<'a> Rehearsal<'a> {
    fn new(cast: &'a [Fighter; 2]) -> Result<Self, String> {
        let mut scene = Scene::new();
        let keys = insert(&mut scene, cast)?;
        Ok(Rehearsal { cast, scene, keys, buffers: Buffers::new(), hits: Hits::new() })
    }

    /// Whether something touches within the first two seconds.
    fn meets(&mut self, start: &Start) -> Result<bool, String> {
        let query = PairQuery::between(self.keys[0], self.keys[1]);
        for frame in (0..120).step_by(6) {
            self.pose(start, frame)?;
            let now = self.scene.snapshot(&mut self.buffers);
            if now.intersects(&query, self.hits.scratch()).map_err(|error| error.to_string())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What brings the middle of blue to the height and side of the middle of red.
    fn aside(&mut self, home: [Vector3<f32>; 2]) -> Result<Vector3<f32>, String> {
        self.pose(&Start { distance: 0.0, aside: Vector3::zeros(), home }, 0)?;
        let now = self.scene.snapshot(&mut self.buffers);
        let mut middles = [Vector3::zeros(); 2];
        for (middle, key) in middles.iter_mut().zip(self.keys) {
            let bounds = now.character_aabb(key).map_err(|error| error.to_string())?;
            *middle = bounds.center().map_or(Vector3::zeros(), |center| center.coords);
        }
        let between = middles[0] - middles[1];
        Ok(Vector3::new(between.x, between.y, 0.0))
    }

    fn pose(&mut self, start: &Start, frame: usize) -> Result<(), String> {
        for (index, place) in start.places().iter().enumerate() {
            let (joints, forward) = self.cast[index].joints(frame, &mut self.buffers.joints)?;
            let at = place * Isometry3::translation(0.0, 0.0, forward);
            let moved = self.scene.set_joints(self.keys[index], &at, joints);
            moved.map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// Adds both, red before blue in all answers.
pub fn insert(scene: &mut Scene, cast: &[Fighter; 2]) -> Result<[CharacterKey; 2], String> {
    let mut add = |index: usize| {
        let spawn = Spawn::default().order(index as u64);
        scene.insert(&cast[index].loaded.model, spawn).map_err(|error| error.to_string())
    };
    Ok([add(0)?, add(1)?])
}

/// The farthest any box of the character is from its origin in the pose it was made in; of one that
/// was brought home, which is made anywhere, how large it is.
fn extent(fighter: &Fighter) -> f32 {
    if fighter.shift != Vector3::zeros() {
        return fighter.bounds().map_or(0.0, |bounds| bounds.sizes().norm());
    }
    let reach = |part: &boxwood::model::Part<f32>| {
        part.tree()
            .map_or(0.0, |tree| tree.radius_about_origin() + part.bind().translation.vector.norm())
    };
    fighter.loaded.model.parts().iter().map(reach).fold(0.0, f32::max)
}
