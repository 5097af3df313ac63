//! The game of the server: four fighters and a runner, a tick at a time.

use std::f32::consts::{FRAC_PI_2, PI};
use std::hash::{DefaultHasher, Hash, Hasher};

use boxwood::motion::Clip;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, ContactEvent, ContactEvents, Error, Impact, Loaded,
    MotionBuffers, PairQuery, PartOrder, Pose, QueryScratch, Scene, SceneMotion, Spawn,
};

/// Ticks a second, as of a server.
pub const RATE: f32 = 20.0;
/// Speed at which blue steps back [heights of the body/s].
const BACK: f32 = 0.5;

/// A character: name, clip, place and velocity [heights of the body], and angle about y.
type Role = (&'static str, &'static str, [f32; 3], [f32; 3], f32);
const ROLES: [Role; 5] = [
    ("red", "kick", [0.0; 3], [0.0; 3], 0.0),
    ("blue", "guard", [0.0, 0.0, 0.7], [0.0; 3], PI),
    ("green", "jab", [1.0, 0.0, 0.0], [0.0; 3], 0.0),
    ("grey", "guard", [1.0, 0.0, 0.6], [0.0; 3], PI),
    ("runner", "walk", [-1.5, 0.0, -1.5], [2.0, 0.0, 0.0], FRAC_PI_2),
];
const BLUE: usize = 1;
pub const RUNNER: usize = 4;

/// The characters between two ticks.
pub struct Fight<'a> {
    /// The state of the game: the poses, and what touches. A rollback restores both.
    pub scene: Scene,
    pub contacts: ContactEvents,
    /// Events of the last tick.
    pub events: Vec<ContactEvent>,
    pub keys: Vec<CharacterKey>,
    /// Height of a body [m].
    pub height: f32,
    loaded: &'a Loaded,
    clips: Vec<&'a Clip<f32>>,
    before: Scene,
    impacts: Vec<Impact<f32>>,
    buffers: (Buffers, MotionBuffers, QueryScratch),
}

impl<'a> Fight<'a> {
    pub fn new(loaded: &'a Loaded) -> Result<Self, Box<dyn std::error::Error>> {
        let first = loaded.clips.iter().next().ok_or("the file has no clip")?;
        let named = |name| loaded.clips.iter().find(|clip| clip.name() == name);
        let clips = ROLES.iter().map(|(_, clip, ..)| named(*clip).unwrap_or(first)).collect();
        let mut scene = Scene::new();
        let insert = |order| scene.insert(&loaded.model, Spawn::default().order(order));
        let keys = (0..ROLES.len() as u64).map(insert).collect::<Result<Vec<_>, _>>()?;
        let mut buffers = Buffers::new();
        let bounds = scene.snapshot(&mut buffers).character_aabb(keys[0])?;
        let mut fight = Fight {
            before: scene.clone(),
            scene,
            contacts: ContactEvents::new(),
            events: Vec::new(),
            keys,
            height: bounds.max.y - bounds.min.y,
            loaded,
            clips,
            impacts: Vec::new(),
            buffers: (buffers, MotionBuffers::new(), QueryScratch::new()),
        };
        for role in 0..ROLES.len() {
            fight.show(role, 0.0)?;
        }
        Ok(fight)
    }

    /// Places a character as it is after some ticks, or between two, of which nobody stepped back.
    pub fn show(&mut self, role: usize, ticks: f32) -> Result<(), Error> {
        let (_, _, place, velocity, angle) = ROLES[role];
        let place = Vector3::from(place) + Vector3::from(velocity) * (ticks / RATE);
        self.pose(role, &Isometry3::new(place * self.height, Vector3::y() * angle), ticks)
    }

    fn pose(&mut self, role: usize, root: &Pose, ticks: f32) -> Result<(), Error> {
        let joints = self.clips[role].sample(ticks / RATE, &mut self.buffers.0.joints)?;
        self.scene.set_joints(self.keys[role], root, joints)
    }

    /// Plays a tick; its events are in `events`. Returns a digest of all poses and events.
    pub fn tick(&mut self, tick: usize, blue_steps_back: bool) -> Result<u64, Error> {
        self.before.clone_from(&self.scene);
        for (role, (_, _, _, velocity, _)) in ROLES.iter().enumerate() {
            let mut root = self.scene.root(self.keys[role])?;
            let mut velocity = Vector3::from(*velocity);
            if role == BLUE && blue_steps_back {
                velocity.z += BACK;
            }
            root.translation.vector += velocity * (self.height / RATE);
            self.pose(role, &root, tick as f32)?;
        }
        // Touches between the last tick and this one, to a thousandth of the height.
        let (_, motion, scratch) = &mut self.buffers;
        let motion = SceneMotion::between(&self.before, &self.scene, motion)?;
        let query = PairQuery::all().accuracy(Accuracy::Within(1e-3 * f64::from(self.height)));
        motion.impacts(&query, scratch, &mut self.impacts)?;
        self.contacts.advance(tick as u64, &self.scene, &self.impacts, &mut self.events)?;
        self.digest()
    }

    fn digest(&self) -> Result<u64, Error> {
        let mut digest = DefaultHasher::new(); // a digest to be stored should be one of your own
        for &key in &self.keys {
            for pose in self.scene.poses(key)? {
                let numbers = pose.rotation.coords.iter().chain(&pose.translation.vector);
                numbers.for_each(|number| number.to_bits().hash(&mut digest));
            }
        }
        for event in &self.events {
            (event.change, event.parts, event.time.to_bits(), event.id).hash(&mut digest);
        }
        Ok(digest.finish())
    }

    /// Returns the name of a part and its character.
    pub fn name(&self, part: PartOrder) -> String {
        let (character, ..) = ROLES[part.order as usize];
        format!("{character}'s {}", self.loaded.model.parts()[part.part.index()].name())
    }
}
