//! Walkers: entities that walk in a level of brushes, among each other.

use std::collections::BTreeMap;

use bevy_ecs::component::Component;
use bevy_ecs::prelude::{Entity, MessageWriter, Query};
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use boxwood::Error;
use boxwood::brush::{BodyId, BrushId, BrushWorld, CrowdWalker, WalkScratch, Walker, WalkerCrowd};
use boxwood::nalgebra::{Isometry3, Point3, Vector3};

use crate::problem::tell;
use crate::{CharacterProblem, Problem};

/// Component with a level of brushes in which [`LevelWalker`]s walk. Brushes are in world
/// coordinates: the transform of the entity moves none of them.
///
/// For rays and contacts of characters with the level add
/// [`Character::level`](crate::Character::level) to an entity at the origin.
///
/// ```
/// use bevy_boxwood::{Character, Level};
/// use bevy_boxwood::boxwood::brush::{Brush, BrushWorld};
/// use bevy_boxwood::boxwood::{Aabb, CollisionGroups, Error, UpAxis};
/// use bevy_ecs::prelude::*;
///
/// fn load(commands: &mut Commands) -> Result<Entity, Error> {
///     let floor = Aabb::new([-9.0, -1.0, -9.0].into(), [9.0, 0.0, 9.0].into());
///     let mut level = BrushWorld::builder();
///     level.up(UpAxis::Y).push(Brush::from_aabb(&floor)?, CollisionGroups::ALL);
///     let level = level.build()?;
///     Ok(commands.spawn((Character::level(&level)?, Level::new(level))).id())
/// }
/// ```
#[derive(Component, Debug, Clone)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Component, Debug, Clone))]
pub struct Level {
    world: BrushWorld,
    crowd: WalkerCrowd<f32>,
    /// Entities of the walkers by their order.
    entities: BTreeMap<u64, Entity>,
    scratch: WalkScratch,
    told: Option<Error>,
}

/// Component of an entity that walks in a [`Level`]: an upright cylinder that slides along walls,
/// climbs steps and blocks other walkers.
///
/// The entity's transform is where its feet are, in world coordinates. In
/// [`BoxwoodSystems::Walk`](crate::BoxwoodSystems::Walk) the walker moves by its `displacement` and
/// the plugin writes the translation; rotation and scale are the game's. Where the game itself
/// writes the translation, the walker is put there. A walker that has no room there does not walk,
/// and one [`Problem::Refused`] says so.
///
/// `displacement` is that of every run, until it is changed: the plugin does not reset it.
///
/// ```
/// use bevy_boxwood::{BoxwoodSystems, LevelWalker};
/// use bevy_boxwood::boxwood::brush::Walker;
/// use bevy_boxwood::boxwood::{Error, UprightCylinder};
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec3;
///
/// fn spawn(commands: &mut Commands, level: Entity) -> Result<(), Error> {
///     let walker = Walker::new(UprightCylinder::new(0.4, 0.9)?).step(0.45);
///     commands.spawn(LevelWalker::new(level, walker, 0));
///     Ok(())
/// }
///
/// fn steer(mut walkers: Query<&mut LevelWalker>) {
///     for mut walker in &mut walkers {
///         walker.displacement = Vec3::new(0.05, -0.1, 0.0); // falling included
///     }
/// }
/// ```
#[derive(Component, Debug, Clone)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(from_reflect = false, Component, Debug, Clone))]
#[require(Transform)]
pub struct LevelWalker {
    /// Entity with the [`Level`].
    pub level: Entity,
    /// Size and rules of the walker. Where a new size has no room, the old one stays, and a problem
    /// says so.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub walker: Walker<f32>,
    /// Number of the walker, unique in its level: walkers move ascending by it. The same on every
    /// machine, for lockstep: a net id, for example.
    pub order: u64,
    /// Displacement of each run of the schedule, falling included; the falling part is not used on
    /// the ground [world units].
    pub displacement: Vec3,
    /// State after the last run; `None` where it has no room, and before the first run.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    state: Option<CrowdWalker<f32>>,
    /// Translation that the plugin wrote last.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    feet: Option<Vec3>,
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    told: Option<Problem>,
}

#[cfg(feature = "reflect")]
use bevy_ecs::reflect::ReflectComponent;

impl Level {
    /// Creates a level without walkers.
    pub fn new(world: BrushWorld) -> Self {
        let (crowd, scratch) = (WalkerCrowd::new(), WalkScratch::new());
        Level { world, crowd, entities: BTreeMap::new(), scratch, told: None }
    }

    /// Sets if walkers push those ahead of them; by default they block each other. See
    /// [`WalkerCrowd::pushing`].
    pub fn pushing(self, pushing: bool) -> Self {
        Level { crowd: self.crowd.pushing(pushing), ..self }
    }

    /// Returns the brushes, for casts of rays, balls, capsules, boxes and cylinders.
    pub fn world(&self) -> &BrushWorld {
        &self.world
    }

    /// Returns the walkers by their order: their paths of the last run, and the triggers on them.
    pub fn crowd(&self) -> &WalkerCrowd<f32> {
        &self.crowd
    }

    /// Returns the entity of a walker; `None` if no walker of this order stands in the level.
    pub fn walker(&self, order: u64) -> Option<Entity> {
        self.entities.get(&order).copied()
    }

    /// Moves a body of brushes, a door or a lift, relative to where it was built, and pushes walkers
    /// out of its way. Those who stand on it are carried in the next
    /// [`BoxwoodSystems::Walk`](crate::BoxwoodSystems::Walk).
    ///
    /// # Errors
    /// The errors of [`BrushWorld::set_pose`] and of [`WalkerCrowd::push`]. Nothing has moved then.
    pub fn set_body_pose(&mut self, body: BodyId, pose: Isometry3<f32>) -> Result<(), Error> {
        let before = self.world.set_pose(body, pose)?;
        let pushed = self.crowd.push(&self.world, body, &before);
        if pushed.is_err() {
            self.world.set_pose(body, before)?;
        }
        pushed
    }

    /// Moves a body of brushes like [`Level::set_body_pose`], without rotation.
    ///
    /// # Errors
    /// The errors of [`Level::set_body_pose`].
    pub fn set_body_offset(&mut self, body: BodyId, offset: Vec3) -> Result<(), Error> {
        let [x, y, z] = offset.to_array();
        self.set_body_pose(body, Isometry3::translation(x, y, z))
    }

    /// Removes the walkers that are not in an ascending list of orders and entities.
    fn retain(&mut self, walkers: &[(u64, Entity)]) {
        let Level { crowd, entities, .. } = self;
        entities.retain(|&order, &mut entity| {
            let stays = walkers.binary_search(&(order, entity)).is_ok();
            if !stays {
                crowd.remove(order);
            }
            stays
        });
    }

    /// Puts a walker where its entity is, if it is new, or was moved or changed by the game.
    fn place(&mut self, entity: Entity, one: &LevelWalker, at: Vec3) -> Result<(), Error> {
        let order = one.order;
        let known = match self.entities.get(&order) {
            Some(&other) if other != entity => return Err(Error::DuplicateOrder { order }),
            Some(_) => self.crowd.get(order),
            None => None,
        };
        let is_moved = one.feet != Some(at);
        if known.is_some_and(|known| !is_moved && known.walker == one.walker) {
            return Ok(());
        }
        let (walker, feet) = (one.walker, Point3::from(at.to_array()));
        match walker.stand_at_feet(&self.world, feet, &mut self.scratch) {
            Ok(state) if known.is_some() => {
                self.crowd.set(order, walker, state);
                Ok(())
            }
            Ok(state) => {
                self.entities.insert(order, entity);
                self.crowd.insert(order, walker, state)
            }
            Err(error) => {
                if is_moved && self.entities.remove(&order).is_some() {
                    self.crowd.remove(order);
                }
                Err(error)
            }
        }
    }

    /// Returns the point on the ground below a walker at rest.
    fn feet(&self, one: &CrowdWalker<f32>) -> Result<Vec3, Error> {
        let skin = one.walker.skin_in(&self.world)?;
        let up: Vector3<f32> = self.world.up().vector().into_inner();
        let feet = one.state.position() - up * (one.walker.cylinder().half_height() + skin);
        Ok(Vec3::from_array(feet.coords.into()))
    }
}

impl LevelWalker {
    /// Creates a walker that stands still.
    pub fn new(level: Entity, walker: Walker<f32>, order: u64) -> Self {
        let displacement = Vec3::ZERO;
        LevelWalker { level, walker, order, displacement, state: None, feet: None, told: None }
    }

    /// Returns the state and the report of the last run: what was climbed, who pushed, who is in
    /// the way. `None` before the first run, and where the walker has no room.
    pub fn state(&self) -> Option<&CrowdWalker<f32>> {
        self.state.as_ref()
    }

    /// Returns the brush that the walker stands on.
    pub fn ground(&self) -> Option<BrushId> {
        self.state.and_then(|state| state.state.ground())
    }

    /// Reports a problem, once until it changes.
    fn tell(&mut self, entity: Entity, problem: Problem, problems: &mut Problems<'_>) {
        if self.told.as_ref() != Some(&problem) {
            self.told = Some(problem.clone());
            tell(problems, entity, problem);
        }
    }
}

type Problems<'w> = MessageWriter<'w, CharacterProblem>;
type Walkers<'w, 's> = Query<'w, 's, (Entity, &'static mut LevelWalker, &'static mut Transform)>;

pub(crate) fn walk(
    mut levels: Query<'_, '_, (Entity, &mut Level)>,
    mut walkers: Walkers<'_, '_>,
    mut problems: Problems<'_>,
) {
    let mut of_levels: BTreeMap<Entity, Vec<(u64, Entity)>> = BTreeMap::new();
    for (entity, mut one, _) in &mut walkers {
        match levels.contains(one.level) {
            true => of_levels.entry(one.level).or_default().push((one.order, entity)),
            false => {
                one.state = None;
                let problem = Problem::NoLevel(one.level);
                one.tell(entity, problem, &mut problems);
            }
        }
    }
    for (entity, mut level) in &mut levels {
        let mut ordered = of_levels.remove(&entity).unwrap_or_default();
        ordered.sort_unstable();
        if ordered.is_empty() && level.entities.is_empty() {
            continue;
        }
        walk_in(entity, &mut level, &ordered, &mut walkers, &mut problems);
    }
}

/// Moves the walkers of a level, given ascending by order.
fn walk_in(
    of_level: Entity,
    level: &mut Level,
    ordered: &[(u64, Entity)],
    walkers: &mut Walkers<'_, '_>,
    problems: &mut Problems<'_>,
) {
    level.retain(ordered);
    let mut displacements: BTreeMap<u64, Vector3<f32>> = BTreeMap::new();
    for &(order, entity) in ordered {
        let Ok((_, mut one, at)) = walkers.get_mut(entity) else { continue };
        let mut placed = level.place(entity, &one, at.translation);
        if !one.displacement.is_finite() {
            placed = Err(Error::NotFinite { field: "displacement", index: 0 });
        } else if level.walker(order) == Some(entity) {
            displacements.insert(order, Vector3::from(one.displacement.to_array()));
        }
        match placed {
            Ok(()) => one.told = None,
            Err(error) => one.tell(entity, Problem::Refused(error), problems),
        }
    }
    let Level { world, crowd, told, .. } = &mut *level;
    // A walker without a displacement stands still.
    let displacement =
        |one: &CrowdWalker<f32>| displacements.get(&one.order).copied().unwrap_or_default();
    match crowd.walk(world, displacement) {
        Ok(()) => *told = None,
        Err(error) if told.as_ref() == Some(&error) => return,
        Err(error) => {
            *told = Some(error.clone());
            tell(problems, of_level, Problem::Refused(error));
            return;
        }
    }
    for &(order, entity) in ordered {
        let Ok((_, mut one, mut at)) = walkers.get_mut(entity) else { continue };
        let state = level.crowd.get(order).filter(|_| level.walker(order) == Some(entity)).copied();
        one.state = state;
        // An error of the skin has refused the walk above.
        let feet = state.and_then(|state| level.feet(&state).ok());
        one.feet = feet;
        if let Some(feet) = feet.filter(|&feet| feet != at.translation) {
            at.translation = feet;
        }
    }
}
