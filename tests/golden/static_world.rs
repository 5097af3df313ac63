//! Static world of every source - a height field, a half-space, brushes, primitives - and robots in
//! it.

use boxwood::UpAxis;
use boxwood::brush::{BodyId, Brush, BrushWorld};
use boxwood::model::{CollisionGroups, Model};
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::scene::Spawn;
use boxwood::shape::{Aabb, Capsule, ConvexHull, Cylinder, HeightField, Plane, Segment, Sphere};
use boxwood::tree::Geometry;
use std::sync::Arc;

use crate::answers::Number;
use crate::random::{NO_TURN, Random, point, pose};
use crate::test_scenes::{TIGHT, TestScene, robots};

/// Returns the robots of the scene of that name, on and in the ground.
pub fn static_world<T: Number>() -> TestScene<T> {
    let (mut stage, mut random) = (TestScene::new("world", 0.2), Random(53));
    let at_rest = |stage: &mut TestScene<T>, model: &Arc<Model<T>>| {
        let spawn = Spawn::at(pose(NO_TURN, [0.0; 3])).at_rest(true);
        stage.keys.push(stage.scene.insert(model, spawn).expect("room"));
    };
    let moving = robots::<T>();
    stage.spots.extend(moving.spots.iter().copied());
    let brushes = level(&mut random);
    at_rest(&mut stage, &brushes.model(BodyId::STATIC, &TIGHT).expect("brushes"));
    at_rest(&mut stage, &brushes.hull_model(BodyId::STATIC, &TIGHT).expect("brushes"));
    at_rest(&mut stage, &ground(&mut random));
    for &key in moving.keys.iter().take(3) {
        let model = moving.scene.model(key).expect("a key").clone();
        stage.add(&model, moving.scene.poses(key).expect("a key"), false);
    }
    stage
}

/// Builds a few blocks and wedges among the robots.
fn level(random: &mut Random) -> BrushWorld {
    let mut level = BrushWorld::builder();
    for block in 0..10 {
        let at = [0.13 * block as f64 - 0.2, random.between(-0.1, 0.6), random.between(-0.2, 0.5)];
        let corner = |random: &mut Random| Point3::from(at.map(|x| x + random.between(-0.2, 0.2)));
        let brush = match block % 2 {
            0 => Brush::from_aabb(&Aabb::from_points([corner(random), corner(random)])),
            _ => Brush::from_points(&[(); 7].map(|()| corner(random))),
        };
        level.push(brush.expect("a solid"), CollisionGroups::ALL);
    }
    level.build().expect("brushes")
}

/// Builds a field as a surface and as a solid, the half-space below, and primitives.
fn ground<T: Number>(random: &mut Random) -> Arc<Model<T>> {
    let t = T::nearest;
    let heights: Vec<T> = (0..9 * 9).map(|_| t(random.between(-0.2, 0.1))).collect();
    let field = HeightField::new(9, heights).expect("heights").up(UpAxis::Y);
    let field = field.spacing(t(0.15), t(0.15)).expect("sizes");
    let (surface, solid) = (field.surface().expect("in range"), field.solid(-0.25));
    let bounds = Aabb::new(Point3::from([t(-20.0); 3]), Point3::from([t(20.0); 3]));
    let plane = Plane::new(Vector3::y_axis(), t(-0.1)).expect("a plane");
    let floor = ConvexHull::half_space(&plane, &bounds).expect("a floor");
    let ball = Sphere::new(point([0.3, 0.4, 0.1]), t(0.15)).expect("a ball");
    let segment = Segment::new(point([0.6, 0.0, 0.2]), point([0.9, 0.7, 0.4])).expect("a segment");
    let pipe = Capsule::new(segment, t(0.08)).expect("a capsule");
    let pillar = Cylinder::new(point([0.1, 0.3, 0.4]), Vector3::y_axis(), t(0.4), t(0.1));
    let round = vec![ball.into(), pipe.into(), pillar.expect("a pillar").into()];
    Model::builder()
        .part("surface", None, Geometry::Surface(surface))
        .part("solid", None, Geometry::Solid(solid.expect("a base below")))
        .bind(pose(NO_TURN, [-0.4, -0.1, -0.4]))
        .part("floor", None, Geometry::Convex(vec![floor.into()]))
        .part("round", None, Geometry::Convex(round))
        .build(&TIGHT)
        .expect("a model")
}
