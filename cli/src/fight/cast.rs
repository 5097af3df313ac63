//! The fighters, their clips, and their start.

use std::f32::consts::PI;
use std::path::Path;

use boxwood::load::{Loaded, Loader};
use boxwood::motion::{Clip, Joints};
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Aabb, Buffers, CharacterKey, Hits, PairQuery, Pose, Scene, Spawn};

use crate::any_file::{self, Wishes};

/// Frames per second.
pub const RATE: f32 = 60.0;

/// Largest ratio of the sizes of two characters without a hint.
const SAME_UNITS: f32 = 8.0;

/// A character and its clips.
pub struct Fighter {
    pub name: &'static str,
    /// Source of the character: the name of its file.
    pub source: String,
    pub is_from_file: bool,
    pub loaded: Loaded<f32>,
    part: Play,
    /// Vector from its initial position to the origin of its model.
    shift: Vector3<f32>,
    /// Hint about what its file does not determine.
    hint: Option<String>,
}

/// Clips of a character over time.
pub enum Play {
    /// Several clips in turn.
    Script(&'static [Cue]),
    /// One clip, repeated.
    Clip(Clip<f32>),
}

/// A clip and the time from which it plays.
pub struct Cue {
    /// Begin of the clip [s].
    pub from: f32,
    pub clip: &'static str,
    /// Distance by which the clip carries the character forward [units of length].
    pub carries: f32,
}

impl Fighter {
    /// Creates a fighter that is not from a file.
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

    /// Loads a fighter from a file: a character with geometry, and its clip with a name or the
    /// first.
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

    /// Returns red and blue; red gets a hint if their sizes are so different that their files must
    /// be in other units.
    pub fn pair(mut cast: [Fighter; 2]) -> Result<[Fighter; 2], String> {
        let sizes = [cast[0].bounds()?, cast[1].bounds()?].map(|bounds| bounds.sizes().norm());
        let hint = other_units(sizes);
        cast[0].hint = cast[0].hint.take().or(hint);
        Ok(cast)
    }

    /// Returns the joints at a frame, joint -> model, and the distance the walk has carried the
    /// model forward.
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

    /// Name of the clip at a frame.
    pub fn clip(&self, frame: usize) -> &str {
        match &self.part {
            Play::Clip(clip) => clip.name(),
            Play::Script(cues) => cues[current(cues, frame as f32 / RATE)].clip,
        }
    }

    /// Names of all clips, as a text.
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

    /// Returns `true` if the fighter plays clips in turn.
    pub fn is_scripted(&self) -> bool {
        matches!(self.part, Play::Script(_))
    }

    /// Notes about what its file does not determine.
    pub fn notes(&self) -> Vec<String> {
        let hint = self.hint.iter().cloned();
        self.loaded.warnings.iter().map(ToString::to_string).chain(hint).collect()
    }

    /// Notes of both fighters, with their names; a note that both have appears once.
    pub fn all_notes(cast: &[Fighter; 2]) -> Vec<String> {
        let [red, blue] = cast.each_ref().map(Fighter::notes);
        let of_red = red.iter().map(|note| {
            let whose = if blue.contains(note) { "red and blue" } else { cast[0].name };
            format!("{whose}: {note}")
        });
        let of_blue = blue.iter().filter(|note| !red.contains(note));
        of_red.chain(of_blue.map(|note| format!("{}: {note}", cast[1].name))).collect()
    }

    /// Translation that brings the fighter to the origin: recorded people may be anywhere. If the
    /// origin is not below the box of the first frame, the centre of the box is moved there; if the
    /// box is far above or below the origin, its lowest end is.
    fn home(&self) -> Result<Vector3<f32>, String> {
        if self.is_scripted() {
            return Ok(Vector3::zeros());
        }
        let bounds = self.bounds()?;
        let Some(middle) = bounds.center() else { return Ok(Vector3::zeros()) };
        let away = |axis: usize| bounds.min[axis] > 0.0 || bounds.max[axis] < 0.0;
        let aside = if away(0) || away(2) { -middle.coords } else { Vector3::zeros() };
        // A character that jumps, or whose feet are drawn slightly above the floor, is not lowered.
        let high = bounds.min.y > bounds.sizes().y || bounds.max.y < 0.0;
        let up = if high { -bounds.min.y } else { 0.0 };
        Ok(Vector3::new(aside.x, up, aside.z))
    }

    /// Box of the first frame.
    fn bounds(&self) -> Result<Aabb, String> {
        let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
        let key = scene.insert(&self.loaded.model, Spawn::default()).map_err(|e| e.to_string())?;
        let (joints, _) = self.joints(0, &mut buffers.joints)?;
        scene.set_joints(key, &Pose::identity(), joints).map_err(|error| error.to_string())?;
        scene.snapshot(&mut buffers).character_aabb(key).map_err(|error| error.to_string())
    }
}

/// Hint for two characters whose sizes differ so much that their files must be in other units.
fn other_units([red, blue]: [f32; 2]) -> Option<String> {
    let factor = if red < blue { blue / red } else { red / blue };
    (factor > SAME_UNITS && factor.is_finite()).then(|| {
        format!("red is {red:.2} across and blue {blue:.2}: their files may be in different units")
    })
}

fn current(cues: &[Cue], time: f32) -> usize {
    cues.iter().rposition(|cue| cue.from <= time).unwrap_or(0)
}

/// Start of the two models.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// Distance of blue from red, along Z.
    pub distance: f32,
    /// Translation of blue sideways and up, so that even a fox as large as a house touches a
    /// knight.
    pub aside: Vector3<f32>,
    /// Translations that bring each of them to the origin.
    home: [Vector3<f32>; 2],
}

impl Start {
    /// Poses of both: red is at the origin looking along +Z, blue looks back at it.
    pub fn places(&self) -> [Pose; 2] {
        let place = self.aside + Vector3::z() * self.distance;
        let facing = [Isometry3::identity(), Isometry3::new(place, Vector3::y() * PI)];
        [0, 1].map(|index| match self.home[index] {
            home if home == Vector3::zeros() => facing[index],
            home => facing[index] * Isometry3::from(home),
        })
    }

    /// Returns the start at the given distance. Without one: the largest distance, in steps of 4 %,
    /// at which something touches within the first two seconds, with both on one floor or, if
    /// nothing touches, with their centres at one height.
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
                    // One step closer, so that more than a bare touch happens.
                    return Ok(Start { distance: start.distance * 0.96, ..start });
                }
                start.distance *= 0.96;
            }
        }
        Ok(Start { distance: 0.0, aside: rehearsal.aside(home)?, home })
    }
}

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

    /// Returns `true` if something touches within the first two seconds.
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

    /// Translation of blue's centre to the height and side of red's.
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

/// Inserts both; red is before blue in all answers.
pub fn insert(scene: &mut Scene, cast: &[Fighter; 2]) -> Result<[CharacterKey; 2], String> {
    let mut add = |index: usize| {
        let spawn = Spawn::default().order(index as u64);
        scene.insert(&cast[index].loaded.model, spawn).map_err(|error| error.to_string())
    };
    Ok([add(0)?, add(1)?])
}

/// Largest distance of any box of the character from its origin in the bind pose. For a character
/// that was moved to the origin, whose bind pose may be anywhere, its size.
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
