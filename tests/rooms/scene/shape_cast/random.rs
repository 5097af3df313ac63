//! Random shape casts: before the reported time the moved shape is apart from everything, at that
//! time no further than the slack: by distances of triangles that share no code with the crate.

use boxwood::PartId;
use boxwood::num::SimdLevel;
use boxwood::scene::{Buffers, QueryFilter, QueryScratch, QueryShape, Scene, ShapeHit, Spawn};
use boxwood::shape::Pose;
use boxwood::tree::Geometry;

use support::posed_characters::{Actor, random_actor};
use support::prelude::*;
use support::random_parts::{cast_shape, place, put};
use support::triangle_distance::{Triangle, sets};

/// Pieces of a shape or a part: triangles, some of them points or segments.
struct Pieces {
    triangles: Vec<Triangle>,
    boxes: Vec<PlainBox>,
    radius: f64,
}

fn faces(block: &PlainBox) -> Vec<Triangle> {
    let corner = |bits: usize| block.corner(bits, [0.0; 3]);
    let mut found = Vec::new();
    for axis in 0..3 {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for side in [0, 1 << axis] {
            found.push([corner(side), corner(side | u), corner(side | u | v)]);
            found.push([corner(side), corner(side | u | v), corner(side | v)]);
        }
    }
    found
}

/// Returns `true` if the point is well inside: stored axes are slightly skew, and the faces cover
/// the rest.
fn holds(block: &PlainBox, p: V) -> bool {
    let room = 1e-5 * norm(block.half);
    (0..3).all(|i| inner(block.axes[i], minus(p, block.center)).abs() <= block.half[i] - room)
}

impl Pieces {
    fn of_shape<T: Scalar>(shape: &QueryShape<T>) -> Self {
        let wide = |p: Point3<T>| [p.x.wide(), p.y.wide(), p.z.wide()];
        let round = |ends: [V; 3], radius: T| Pieces {
            triangles: vec![ends],
            boxes: Vec::new(),
            radius: radius.wide(),
        };
        let solid =
            |block: PlainBox| Pieces { triangles: faces(&block), boxes: vec![block], radius: 0.0 };
        match shape {
            QueryShape::Point(p) => round([wide(*p); 3], T::nearest(0.0)),
            QueryShape::Sphere(ball) => round([wide(ball.center()); 3], ball.radius()),
            QueryShape::Capsule(capsule) => {
                let (a, b) = (wide(capsule.segment().a()), wide(capsule.segment().b()));
                round([a, b, b], capsule.radius())
            }
            QueryShape::Obb(block) => solid(PlainBox::of(block)),
            QueryShape::Aabb(block) => solid(PlainBox::of_aabb(block)),
            _ => panic!("no other shape is cast"),
        }
    }

    fn of_actor<T: Scalar>(actor: &Actor<T>, poses: &[Pose<T>]) -> Self {
        let mut pieces = Pieces { triangles: Vec::new(), boxes: Vec::new(), radius: 0.0 };
        for (part, pose) in actor.model.parts().iter().zip(poses) {
            match part.tree().expect("geometry").geometry() {
                Geometry::Boxes(boxes) => {
                    let placed = boxes.iter().map(|one| place(&PlainBox::of(one), pose));
                    pieces.boxes.extend(placed);
                }
                geometry => {
                    let mesh = geometry.mesh().expect("triangles");
                    let corner = |p: Point3<T>| put(pose, [p.x.wide(), p.y.wide(), p.z.wide()]);
                    let all = 0..mesh.triangles().len();
                    pieces.triangles.extend(all.map(|i| mesh.corners(i).map(corner)));
                }
            }
        }
        let of_boxes: Vec<_> = pieces.boxes.iter().flat_map(faces).collect();
        pieces.triangles.extend(of_boxes);
        pieces
    }

    fn moved(&self, by: V) -> Self {
        let triangles = self.triangles.iter().map(|t| t.map(|p| plus(p, by))).collect();
        let step =
            |b: &PlainBox| PlainBox { center: plus(b.center, by), axes: b.axes, half: b.half };
        Pieces { triangles, boxes: self.boxes.iter().map(step).collect(), radius: self.radius }
    }

    /// Distance of two; of closed meshes the surface alone counts.
    fn distance(&self, other: &Self) -> f64 {
        let inside = |boxes: &[PlainBox], of: &Pieces| {
            boxes.iter().any(|block| of.triangles.iter().any(|t| holds(block, t[0])))
        };
        if inside(&self.boxes, other) || inside(&other.boxes, self) {
            return 0.0;
        }
        let least = sets(&self.triangles, &other.triangles);
        (least - self.radius - other.radius).max(0.0)
    }
}

/// Checks that a hit is true, or that there is none on the whole way. Returns 0 for none, 1 for a
/// start inside, 2 for a hit on the way.
fn judge<T: Scalar>(
    (shape, way): (&QueryShape<T>, Vector3<T>),
    target: &Pieces,
    hit: Option<ShapeHit<T>>,
    size: f64,
) -> usize {
    let moving = Pieces::of_shape(shape);
    let way = [way.x.wide(), way.y.wide(), way.z.wide()];
    let at = |share: f64| moving.moved(times(way, share)).distance(target);
    // Rounding error of this oracle.
    let rounding = 1e-13 * size;
    let Some(hit) = hit else {
        for step in 0..=16 {
            assert!(at(f64::from(step) / 16.0) > 0.0, "missed: {shape:?} {way:?}");
        }
        return 0;
    };
    let (time, slack) = (hit.time_of_impact.wide(), hit.slack.wide());
    assert!((0.0..=1.0).contains(&time) && hit.time_of_leaving.wide() == f64::INFINITY);
    assert!((hit.normal.map(T::wide).norm() - 1.0).abs() < 1e-6, "{hit:?}");
    let apart = at(time);
    assert!(apart <= slack + rounding, "{apart} apart at the time: {shape:?} {way:?} {hit:?}");
    let limit = if T::IS_SINGLE { 1.0 / f64::from(1 << 20) } else { 2.0_f64.powi(-40) };
    assert!(slack <= limit * (size + norm(way)), "{slack} is much slack for {size}: {hit:?}");
    if hit.started_inside {
        assert_eq!(time, 0.0);
        return 1;
    }
    for share in [0.0, 0.3, 0.7, 0.9, 0.99, 1.0 - 1e-4, 1.0 - 1e-7] {
        assert!(at(time * share) > 0.0, "late: {shape:?} {way:?} {hit:?} at {share}");
    }
    let p = [hit.point.x.wide(), hit.point.y.wide(), hit.point.z.wide()];
    let there = Pieces { triangles: vec![[p; 3]], boxes: Vec::new(), radius: 0.0 };
    let near = slack + 4.0 * T::ROUNDING * size + rounding;
    assert!(there.distance(target) <= near, "the point is off what is hit");
    let to_shape = there.distance(&moving.moved(times(way, time)));
    assert!(to_shape <= 2.0 * near, "the point is {to_shape} off the shape: {hit:?}");
    let speed = hit.normal.map(T::wide).dot(&Vector3::from(way));
    assert!(speed <= 1e-3 * norm(way), "the normal goes along: {hit:?}");
    2
}

fn random_casts<T: Scalar>(seed: u64, far: V) -> [usize; 3] {
    let (mut random, mut buffers, mut scratch) =
        (Random(seed), Buffers::new(), QueryScratch::<T>::new());
    let mut kinds = [0; 3];
    for _ in 0..at_least(600, 25) {
        let actor = random_actor::<T>(&mut random, 4, 0.8);
        // Closed meshes have insides, which the oracle does not know.
        let parts: Vec<_> = (0..4).map(PartId::new).collect();
        let poses = actor.placed(&turned(&mut random, far));
        let mut scene = Scene::new();
        let key = insert_posed(&mut scene, &actor.model, &poses);
        let now = scene.snapshot(&mut buffers);
        let target = Pieces::of_actor(&actor, &poses);
        for _ in 0..4 {
            let start = plus(far, times(random.direction(), random.between(0.5, 5.0)));
            let aim = plus(far, times(random.direction(), random.between(0.0, 1.6)));
            let shape = cast_shape::<T>(&mut random, start);
            let way = times(minus(aim, start), random.between(0.0, 2.0));
            let way = if random.chance(0.1) { [way[0], 0.0, 0.0] } else { way };
            let filter = QueryFilter::of(key).parts(&parts);
            let hit = now.shape_cast(shape, vector(way), &filter, &mut scratch).expect("a cast");
            let size = norm(far) + 12.0;
            kinds[judge((&shape, vector(way)), &target, hit, size)] += 1;
        }
    }
    kinds
}

#[test]
fn shape_casts_are_never_late_and_off_by_the_slack_at_most() {
    let mut kinds = [0; 3];
    for (seed, far) in [(701, [0.0; 3]), (702, [40.0, -20.0, 7.0])] {
        for found in [random_casts::<f64>(seed, far), random_casts::<f32>(seed + 10, far)] {
            (0..3).for_each(|kind| kinds[kind] += found[kind]);
        }
    }
    println!("{kinds:?} past, inside, on the way");
    assert!(kinds[0] > 40 && kinds[1] > 10 && kinds[2] > 80, "{kinds:?}");
}

#[test]
fn every_simd_level_gives_one_answer_without_allocating() {
    let mut random = Random(731);
    let mut met = 0;
    for _ in 0..cases(40) {
        let actor = random_actor::<f32>(&mut random, 5, 0.8);
        let mut scene = Scene::new();
        let key = scene.insert(&actor.model, Spawn::default()).expect("a model");
        let poses = actor.placed(&turned(&mut random, [0.3, 0.0, 1.0]));
        scene.set_parts(key, &poses).expect("sound poses");
        let casts: Vec<_> = (0..8)
            .map(|_| {
                let start = times(random.direction(), 3.0);
                (cast_shape::<f32>(&mut random, start), vector::<f32>(times(start, -1.5)))
            })
            .collect();
        let mut answers = Vec::new();
        for simd in SimdLevel::all() {
            let mut buffers = Buffers::with_simd_level(simd);
            let (now, mut scratch) = (scene.snapshot(&mut buffers), QueryScratch::new());
            let mut ask = || -> Vec<Option<ShapeHit<f32>>> {
                let all = QueryFilter::all();
                let cast = |(shape, way)| now.shape_cast(shape, way, &all, &mut scratch);
                casts.iter().copied().map(cast).map(|hit| hit.expect("a cast")).collect()
            };
            let first = ask();
            let again = allocation_counter::measure(|| assert_eq!(ask(), first));
            assert_eq!(again.count_total, 1, "the list of answers alone");
            answers.push(first);
        }
        assert!(answers.iter().all(|of_level| *of_level == answers[0]));
        met += answers[0].iter().flatten().count();
    }
    assert!(met > 100, "{met}");
}
