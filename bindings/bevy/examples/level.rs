//! A crowd in a level, in an app without a window: 40 walkers cross a hall with pillars, each the
//! body of a character whose boxes touch. `cargo run --example level`.

use bevy_app::{App, Update};
use bevy_boxwood::boxwood::brush::{Brush, BrushWorld, Walker};
use bevy_boxwood::boxwood::nalgebra::{Isometry3, Point3, Vector3};
use bevy_boxwood::boxwood::{
    Aabb, Build, CollisionGroups, Error, Geometry, Model, Obb, QueryFilter, Sphere, UpAxis,
    UprightCylinder,
};
use bevy_boxwood::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::Vec3;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

const WALKERS: u64 = 40;
const FRAMES: usize = 700;

/// Half of the length of the hall [m].
const HALL: f32 = 12.0;

/// Radius of a walker [m].
const RADIUS: f32 = 0.3;

#[derive(Clone, Copy)]
enum Layer {
    Body,
    World,
}

impl TouchLayer for Layer {
    fn bit(self) -> u64 {
        1 << self as u64
    }
}

/// Direction in which somebody walks.
#[derive(Component)]
struct Heading(Vec3);

/// Number of times that somebody touched somebody else.
#[derive(Resource, Default)]
struct Bumps(usize);

fn main() -> Result<(), Error> {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, BoxwoodPlugin::default())).init_resource::<Bumps>();
    // Messages about bodies alone: what stands in the level touches it all the time.
    app.world_mut().resource_mut::<TouchSettings>().pairs =
        TouchPairs::layers([Layer::Body], [Layer::Body]);
    app.add_systems(Update, steer);
    app.add_observer(|_: On<TouchBegin>, mut bumps: ResMut<Bumps>| bumps.0 += 1);
    let hall = hall()?;
    let groups = Some(TouchGroups::layers([Layer::World], [Layer::Body]));
    let options = CharacterOptions { groups, ..Default::default() };
    let level = (Character::level(&hall)?, options, Level::new(hall), Transform::IDENTITY);
    let level = app.world_mut().spawn(level).id();
    crowd(&mut app, level)?;
    for _ in 0..FRAMES {
        app.update();
    }
    report(&mut app)
}

/// Builds a hall of 24 by 12 metres with pillars and a step across its middle.
fn hall() -> Result<BrushWorld, Error> {
    let mut hall = BrushWorld::builder();
    hall.up(UpAxis::Y);
    let mut push = |min: [f32; 3], max: [f32; 3]| -> Result<(), Error> {
        let brush = Brush::from_aabb(&Aabb::new(min.into(), max.into()))?;
        hall.push(brush, CollisionGroups::ALL);
        Ok(())
    };
    push([-HALL, -1.0, -6.0], [HALL, 0.0, 6.0])?;
    push([-2.0, 0.0, -6.0], [2.0, 0.25, 6.0])?;
    for side in [-1.0_f32, 1.0] {
        let wall = [6.0 * side, 6.2 * side];
        push([-HALL, 0.0, wall[0].min(wall[1])], [HALL, 3.0, wall[0].max(wall[1])])?;
        let end = [HALL * side, (HALL + 0.2) * side];
        push([end[0].min(end[1]), 0.0, -6.0], [end[0].max(end[1]), 3.0, 6.0])?;
    }
    for row in 0..5 {
        for column in 0..3 {
            let (x, z) = (4.0 * row as f32 - 8.0, 3.5 * column as f32 - 3.5);
            push([x - 0.4, 0.0, z - 0.4], [x + 0.4, 3.0, z + 0.4])?;
        }
    }
    hall.build()
}

/// Spawns two groups at the ends of the hall that walk towards each other.
fn crowd(app: &mut App, level: Entity) -> Result<(), Error> {
    let walker = Walker::new(UprightCylinder::new(RADIUS, 0.9)?).step(0.3);
    // Shoulders that reach beyond the cylinder: they brush past each other.
    let body = Obb::from_pose(&Isometry3::translation(0.0, 1.2, 0.0), Vector3::new(0.2, 0.3, 0.4))?;
    let body = Model::builder().part("body", None, Geometry::Boxes(vec![body]));
    let body = Character::rigid(body.build(&Build::default())?);
    for order in 0..WALKERS {
        let side = if order % 2 == 0 { -1.0 } else { 1.0 };
        let (row, column) = (order / 2 / 5, order / 2 % 5);
        let at = Vec3::new(side * (11.4 - 0.7 * row as f32), 0.0, 2.2 * column as f32 - 4.4);
        app.world_mut().spawn((
            body.clone(),
            CharacterOptions {
                groups: Some(TouchGroups::layers([Layer::Body], [Layer::Body, Layer::World])),
                order: Some(order + 1),
                ..Default::default()
            },
            LevelWalker::new(level, walker, order),
            Heading(Vec3::new(-side, 0.0, 0.0)),
            Transform::from_translation(at),
        ));
    }
    Ok(())
}

/// Sets the displacement of a frame: ahead, to the right where the way is blocked, and down.
fn steer(mut walkers: Query<(&mut LevelWalker, &Heading)>) {
    for (mut walker, heading) in &mut walkers {
        let moved = walker.state().map_or(0.0, |state| state.report.moved.norm());
        let right = heading.0.cross(Vec3::Y);
        let aside = if moved < 0.02 { 0.8 * right } else { Vec3::ZERO };
        walker.displacement = 0.05 * (heading.0 + aside) + Vec3::new(0.0, -0.1, 0.0);
    }
}

/// Prints and checks what came of it.
fn report(app: &mut App) -> Result<(), Error> {
    let mut walkers = app.world_mut().query::<(&LevelWalker, &Heading, &Transform)>();
    let (mut across, mut feet) = (0, Vec::new());
    for (walker, heading, at) in walkers.iter(app.world()) {
        assert!(walker.ground().is_some(), "walker {} stands on something", walker.order);
        across += usize::from(at.translation.x * heading.0.x > 0.0);
        feet.push(at.translation);
    }
    for (index, a) in feet.iter().enumerate() {
        for b in &feet[index + 1..] {
            let [a, b] = [a, b].map(|feet| Vec3::new(feet.x, 0.0, feet.z));
            assert!(a.distance(b) > 2.0 * RADIUS, "two walkers overlap");
        }
    }
    let bumps = app.world().resource::<Bumps>().0 / 2;
    println!("{across} of {WALKERS} have crossed the middle; bodies met {bumps} times");
    assert!(across > WALKERS as usize / 2 && bumps > 0);
    let seen = app.world_mut().run_system_once(|mut queries: BoxwoodQueries| {
        let ball = Sphere::new(Point3::new(-HALL + 1.0, 2.5, 0.0), 0.1)?;
        queries.shape_cast(ball, Vec3::new(2.0 * HALL, 0.0, 0.0), &QueryFilter::all())
    });
    let Ok(Ok(Some(hit))) = seen else { panic!("a ball flies at a pillar: {seen:?}") };
    println!("a ball thrown along the hall hits a pillar at {:.2}", hit.point);
    Ok(())
}
