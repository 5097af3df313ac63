//! Casts among brushes, first hits and all, walks with the triggers that they pass through, and
//! crowds of walkers.

use boxwood::CollisionGroups;
use boxwood::brush::{
    BodyId, Brush, BrushFilter, BrushId, BrushWorld, CastTarget, CylinderAt, PushOutcome,
    WalkScratch, Walker, WalkerCrowd,
};
use boxwood::nalgebra::{Point3, Unit, Vector3};
use boxwood::pair::{CastHit, RayHit};
use boxwood::shape::{Aabb, Capsule, Ray, Segment, Sphere, UprightCylinder};

use crate::answers::{AsText, Number};
use crate::digest::Row;
use crate::random::{Random, plus, point, pose, times, unit, vector};

/// Boxes and hulls, thin and large ones, some on a body that was moved and turned.
fn level(random: &mut Random) -> BrushWorld {
    let mut level = BrushWorld::builder();
    let bodies = [BodyId::STATIC, level.body(), level.body()];
    for block in 0..60 {
        let at = random.inside(5.0);
        let half = [(); 3].map(|()| random.between(0.05, 1.5));
        let half = if block % 5 == 0 { [0.0005, half[1], half[2]] } else { half };
        let corners = [times(half, -1.0), half].map(|corner| point::<f64>(plus(at, corner)));
        let brush = match block % 3 {
            0 => Brush::from_points(&[(); 7].map(|()| point::<f64>(plus(at, random.inside(1.5))))),
            _ => Brush::from_aabb(&Aabb::new(corners[0], corners[1])),
        };
        let groups = CollisionGroups { memberships: 1 << (block % 4), filter: u64::MAX };
        level.push_to(bodies[block % 3], brush.expect("a solid"), groups);
    }
    let mut level = level.build().expect("its own ids");
    for body in &bodies[1..] {
        let turn = unit([0.0, 0.0, random.between(-1.0, 1.0), 1.0]);
        level.set_pose(*body, pose::<f64>(turn, random.inside(2.0))).expect("about z");
    }
    level
}

type Hit<T> = CastHit<T, 3, BrushId>;

fn hit<T: Number, R>(target: u32, hit: &CastHit<T, 3, R>) -> String {
    let times = (hit.time_of_impact, hit.time_of_leaving);
    (target, times, hit.point, hit.normal, hit.started_inside, hit.slack).said()
}

/// Returns the first hit and all; the first of all is the first hit.
fn both<T: Number>(first: Option<Hit<T>>, hits: &[Hit<T>]) -> String {
    assert_eq!(first, hits.first().copied());
    hits.iter().map(|one| hit(one.target.0, one)).collect::<Vec<_>>().said()
}

/// Returns the casts of balls, boxes, capsules, cylinders and rays.
fn casts<T: Number>(level: &BrushWorld) -> Vec<Row> {
    let names = ["balls", "boxes", "capsules", "cylinders", "cylinders_among", "rays"];
    let row = |name| Row::new(format!("geometry {} brushes {name}", T::NAME));
    let mut rows = names.map(row);
    let (mut random, mut hits) = (Random::named("brushes", 81), Vec::new());
    let (mut among, mut passages) = (Vec::new(), Vec::new());
    for case in 0..48 {
        let start: Point3<T> = point(random.inside(5.0));
        let reach = [20.0, 20.0, 4.0, 0.0][case % 4];
        let way: Vector3<T> = vector(times(random.direction(), reach));
        let [a, b, c] = [(); 3].map(|()| T::nearest(random.between(0.05, 0.8)));
        let core = Segment::new(start, start + vector::<T>(random.inside(1.0))).expect("ends");
        let (ball, capsule) = (Sphere::new(start, a), Capsule::new(core, b));
        let (ball, capsule) = (ball.expect("a size"), capsule.expect("a size"));
        let cylinder = UprightCylinder::new(a, c).expect("a size");
        let groups = CollisionGroups { filter: [!0, !0, 6][case % 3], ..CollisionGroups::ALL };
        let filter = BrushFilter::default().groups(groups);
        let question = format!("{case}: from {} by {}", start.coords.said(), way.said());
        let mut ask = |row: usize, answer: String| rows[row].ask(question.as_str(), answer);

        let first = level.cast_ball(&ball, way, &filter).expect("numbers");
        level.cast_ball_all(&ball, way, &filter, &mut hits).expect("numbers");
        ask(0, both(first, &hits));
        let half = Vector3::new(a, b, c);
        let first = level.cast_box(half, start, way, &filter).expect("numbers");
        level.cast_box_all(half, start, way, &filter, &mut hits).expect("numbers");
        ask(1, both(first, &hits));
        let first = level.cast_capsule(&capsule, way, &filter).expect("numbers");
        level.cast_capsule_all(&capsule, way, &filter, &mut hits).expect("numbers");
        ask(2, both(first, &hits));
        let first = level.cast_cylinder(&cylinder, start, way, &filter).expect("numbers");
        level.cast_cylinder_all(&cylinder, start, way, &filter, &mut hits).expect("numbers");
        ask(3, both(first, &hits));

        let others = [0.3, 0.6, 0.9].map(|share| CylinderAt {
            cylinder: UprightCylinder::new(b, a).expect("a size"),
            center: start + way * T::nearest(share) + vector::<T>(random.inside(1.0)),
            groups: CollisionGroups::ALL,
        });
        let cast =
            level.cast_cylinder_among_all(&cylinder, start, way, &filter, &others, &mut among);
        cast.expect("numbers");
        let text = among.iter().map(|one| match one.target {
            CastTarget::Brush(id) => hit(id.0, one),
            CastTarget::Cylinder(index) => hit(1000 + index as u32, one),
        });
        ask(4, text.collect::<Vec<_>>().said());

        let ray = Ray::new(start, Unit::new_unchecked(vector(random.direction())));
        let ray = ray.expect("a direction");
        level.ray_cast_all(&ray, reach, &filter, &mut passages).expect("numbers");
        let text = passages.iter().map(|one| {
            let RayHit { target, distance, point, normal, started_inside, slack, .. } = one.hit;
            let at = (distance, one.distance_of_leaving);
            (target.0, at, point, normal, started_inside, slack).said()
        });
        ask(5, text.collect::<Vec<_>>().said());
    }
    rows.into()
}

/// Returns walks on a floor with steps among moving bodies: positions, legs, and triggers.
fn walks<T: Number>(level: &BrushWorld) -> Row {
    let mut row = Row::new(format!("geometry {} brushes walks", T::NAME));
    let mut random = Random::named("walks", 82);
    let mut ground = BrushWorld::builder();
    let ram = ground.body();
    let solid = |low: [f64; 3], high: [f64; 3]| {
        Brush::from_aabb(&Aabb::new(point::<f64>(low), point(high))).expect("a solid")
    };
    ground.push(solid([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0]), CollisionGroups::ALL);
    for step in 0..30 {
        let (at, size) = (random.inside(9.0), random.between(0.3, 2.0));
        let high = [at[0] + size, at[1] + 1.0, [0.2, 0.4, 3.0][step % 3]];
        ground.push(solid([at[0], at[1], 0.0], high), CollisionGroups::ALL);
    }
    ground.push_to(ram, solid([-30.0, -30.0, 0.0], [-25.0, 30.0, 2.0]), CollisionGroups::ALL);
    let mut ground = ground.build().expect("its own ids");
    let [radius, half] = [0.4, 0.9].map(T::nearest);
    let walker = Walker::new(UprightCylinder::new(radius, half).expect("a size"));
    let walker = walker.step(0.45);
    let (mut scratch, mut hits) = (WalkScratch::new(), Vec::new());
    for start in 0..6 {
        let place = plus(random.inside(6.0), [0.0, 0.0, 8.0]);
        let mut at = walker.push_out(&ground, point(place), &mut scratch).expect("a way out");
        for tick in 0..16 {
            scratch.begin_tick();
            if tick % 4 == 3 {
                let offset = [random.between(0.0, 30.0), 0.0, 0.0];
                let before = ground.set_offset(ram, vector::<T>(offset)).expect("a body");
                let pushed = walker.push(&ground, &mut at, ram, &before, &mut scratch);
                pushed.expect("numbers");
            }
            let way = [random.between(-1.0, 1.0), random.between(-1.0, 1.0), -0.5];
            walker.walk(&ground, &mut at, vector(way), &mut scratch).expect("numbers");
            let all = BrushFilter::default();
            walker.passages(level, &scratch, &all, &mut hits).expect("one axis up");
            let legs: Vec<_> =
                walker.path(&scratch).map(|leg| (leg.start, leg.end, leg.times)).collect();
            let hits: Vec<_> = hits.iter().map(|one| hit(one.target.0, one)).collect();
            row.ask(format!("walk {start}, tick {tick}"), (at.position(), legs, hits).said());
        }
    }
    row
}

/// Returns ticks of a crowd on a floor with a lift, a ram and walls: positions, reports, triggers.
fn crowds<T: Number>(level: &BrushWorld) -> Row {
    let mut row = Row::new(format!("geometry {} brushes crowds", T::NAME));
    let mut random = Random::named("crowds", 83);
    let mut ground = BrushWorld::builder();
    let bodies = [ground.body(), ground.body()];
    let solid = |low: [f64; 3], high: [f64; 3]| {
        Brush::from_aabb(&Aabb::new(point::<f64>(low), point(high))).expect("a solid")
    };
    let all = CollisionGroups::ALL;
    ground.push(solid([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0]), all);
    ground.push(solid([-6.0, -6.0, 2.5], [-1.0, 6.0, 3.0]), all);
    ground.push(solid([3.0, -2.0, 0.0], [4.0, 2.0, 0.3]), all);
    ground.push_to(bodies[0], solid([-6.0, -4.0, 0.0], [-3.0, 4.0, 0.1]), all);
    ground.push_to(bodies[1], solid([-3.0, 5.0, 0.0], [6.0, 6.0, 2.0]), all);
    let mut ground = ground.build().expect("its own ids");
    let mut scratch = WalkScratch::new();
    for run in 0..2 {
        let mut crowd = WalkerCrowd::new().pushing(run == 1);
        for order in 0..40 {
            let size = [random.between(0.2, 0.5), random.between(0.5, 1.0)].map(T::nearest);
            let walker = Walker::new(UprightCylinder::new(size[0], size[1]).expect("a size"));
            let walker = walker.step(0.45);
            let place = plus(times(random.inside(1.0), 5.0), [0.0, 0.0, 7.0]);
            let at = walker.push_out(&ground, point(place), &mut scratch).expect("a way out");
            crowd.insert(order, walker, at).expect("an order of its own");
        }
        let mut hits = Vec::new();
        for tick in 0..24 {
            let up = [0.0, 0.0, 0.1 * f64::from(tick % 12)];
            let ahead = [0.0, -0.3 * f64::from(tick % 12), 0.0];
            for (body, offset) in bodies.iter().zip([up, ahead]) {
                let before = ground.set_offset(*body, vector::<T>(offset)).expect("a body");
                crowd.push(&ground, *body, &before).expect("numbers");
            }
            let fall = if tick < 6 { -1.2 } else { -0.2 };
            let mut wish =
                |_: &_| vector([random.between(-0.4, 0.4), random.between(-0.4, 0.4), fall]);
            crowd.walk(&ground, &mut wish).expect("numbers");
            let mut answers = String::new();
            for one in crowd.walkers() {
                let filter = BrushFilter::default();
                crowd.passages(one.order, level, &filter, &mut hits).expect("one axis up");
                let hits: Vec<_> = hits.iter().map(|one| hit(one.target.0, one)).collect();
                let pushed = match one.pushed {
                    PushOutcome::Clear => "clear".to_string(),
                    PushOutcome::Moved(by) => by.said(),
                    PushOutcome::Crushed { against, share } => (against.0, share).said(),
                    _ => "new".to_string(),
                };
                let ground = one.state.ground().map(|id| id.0);
                let squeezed = one.report.squeezed.map(|pair| (pair.brush.0, pair.other as u32));
                let head = one.report.head.map(|head| head as u32);
                answers += &(one.state.position(), ground, head, squeezed, hits).said();
                answers += &pushed;
            }
            row.ask(format!("run {run}, tick {tick}"), answers);
        }
    }
    row
}

pub fn rows<T: Number>() -> Vec<Row> {
    let level = level(&mut Random::named("level", 80));
    let mut rows = casts::<T>(&level);
    rows.push(walks::<T>(&level));
    rows.push(crowds::<T>(&level));
    rows
}
