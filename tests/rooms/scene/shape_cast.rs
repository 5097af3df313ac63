//! Shape casts: before the reported time the moved shape is apart from everything, at that time no
//! further than the slack, by distances of triangles that share no code with the crate; times by
//! parry3d, by the sweeps of two shapes, and by hand.

use boxwood::num::{Scalar, SimdLevel};
use boxwood::pair::Sweep;
use boxwood::scene::{
    Buffers, CharacterKey, QueryFilter, QueryScratch, QueryShape, Scene, ShapeHit, Snapshot, Spawn,
};
use boxwood::shape::{Aabb, Capsule, Obb, Plane, Pose, Segment, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, CollisionGroups, Error, NodeRef, PartId};
use nalgebra::{Isometry3, Point3, Unit, Vector3};

use support::plain_box::{PlainBox, V, inner, minus, norm, plus, times};
use support::posed_characters::{Actor, model_of, random_actor};
use support::proof::cases;
use support::random::Random;
use support::random_parts::{place, put, turned, vector};
use support::triangle_distance::triangle_triangle;


/// What a shape or a part is made of: triangles, some of them points or segments.
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

fn holds(block: &PlainBox, p: V) -> bool {
    (0..3).all(|i| inner(block.axes[i], minus(p, block.center)).abs() <= block.half[i])
}

impl Pieces {
    fn of_shape<T: Scalar>(shape: &QueryShape<T>) -> Self {
        let wide = |p: Point3<T>| [p.x.wide(), p.y.wide(), p.z.wide()];
        let round = |ends: [V; 3], radius: T| Pieces {
            triangles: vec![ends],
            boxes: Vec::new(),
            radius: radius.wide(),
        };
        let solid = |block: PlainBox| Pieces {
            triangles: faces(&block),
            boxes: vec![block],
            radius: 0.0,
        };
        match shape {
            QueryShape::Point(p) => round([wide(*p); 3], T::nearest(0.0)),
            QueryShape::Sphere(ball) => round([wide(ball.center()); 3], ball.radius()),
            QueryShape::Capsule(capsule) => {
                let (a, b) = (wide(capsule.segment().a()), wide(capsule.segment().b()));
                round([a, b, b], capsule.radius())
            }
            QueryShape::Obb(block) => solid(PlainBox::of(block)),
            QueryShape::Aabb(block) => {
                let (low, high) = (wide(block.min), wide(block.max));
                let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                let (center, half) =
                    (times(plus(low, high), 0.5), times(minus(high, low), 0.5));
                solid(PlainBox { center, axes, half })
            }
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
        let step = |b: &PlainBox| PlainBox { center: plus(b.center, by), axes: b.axes, half: b.half };
        Pieces { triangles, boxes: self.boxes.iter().map(step).collect(), radius: self.radius }
    }

    /// How far apart two are; of closed meshes the surface alone counts.
    fn distance(&self, other: &Self) -> f64 {
        let inside = |boxes: &[PlainBox], of: &Pieces| {
            boxes.iter().any(|block| of.triangles.iter().any(|t| holds(block, t[0])))
        };
        if inside(&self.boxes, other) || inside(&other.boxes, self) {
            return 0.0;
        }
        let pairs = self.triangles.iter().flat_map(|a| other.triangles.iter().map(move |b| (a, b)));
        let least = pairs.map(|(a, b)| triangle_triangle(*a, *b)).fold(f64::INFINITY, f64::min);
        (least - self.radius - other.radius).max(0.0)
    }
}

fn point<T: Scalar>(v: V) -> Point3<T> {
    Point3::from(vector::<T>(v))
}

fn shape<T: Scalar>(random: &mut Random, at: V) -> QueryShape<T> {
    let radius = T::nearest(random.decade(-2.0, 0.0));
    match random.below(6) {
        0 => Sphere::new(point(at), radius).expect("a ball").into(),
        1 | 2 => {
            let other = plus(at, times(random.direction(), random.decade(-1.0, 0.2)));
            let spine = Segment::new(point(at), point(other)).expect("a segment");
            Capsule::new(spine, radius).expect("a capsule").into()
        }
        3 => {
            let half = Vector3::from_fn(|_, _| T::nearest(random.decade(-2.0, 0.0)));
            let pose = turned(random, at);
            Obb::from_pose(&pose, half).expect("a box").into()
        }
        4 => {
            let size: V = std::array::from_fn(|_| random.decade(-2.0, 0.0));
            Aabb::new(point(at), point(plus(at, size))).into()
        }
        _ => QueryShape::Point(point(at)),
    }
}

/// A hit holds what it says, or there is none on the whole way. What it was: 0 none, 1 a start
/// inside, 2 on the way.
fn judge<T: Scalar>(
    (shape, way): (&QueryShape<T>, Vector3<T>),
    target: &Pieces,
    hit: Option<ShapeHit<T>>,
    size: f64,
) -> usize {
    let moving = Pieces::of_shape(shape);
    let way = [way.x.wide(), way.y.wide(), way.z.wide()];
    let at = |share: f64| moving.moved(times(way, share)).distance(target);
    // What this oracle itself is rounded by.
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
    for _ in 0..cases(60) {
        let actor = random_actor::<T>(&mut random, 4, 0.8);
        // Those of closed meshes have insides, which the oracle does not know.
        let parts: Vec<_> = (0..4).map(PartId::new).collect();
        let poses = actor.placed(&turned(&mut random, far));
        let mut scene = Scene::new();
        let key = scene.insert(&actor.model, Spawn::default()).expect("a model");
        scene.set_parts(key, &poses).expect("sound poses");
        let now = scene.snapshot(&mut buffers);
        let target = Pieces::of_actor(&actor, &poses);
        for _ in 0..6 {
            let start = plus(far, times(random.direction(), random.between(0.5, 5.0)));
            let aim = plus(far, times(random.direction(), random.between(0.0, 1.6)));
            let shape = shape::<T>(&mut random, start);
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
fn no_shape_meets_late_nor_far_off() {
    let mut kinds = [0; 3];
    for (seed, far) in [(701, [0.0; 3]), (702, [40.0, -20.0, 7.0])] {
        for found in [random_casts::<f64>(seed, far), random_casts::<f32>(seed + 10, far)] {
            (0..3).for_each(|kind| kinds[kind] += found[kind]);
        }
    }
    println!("{kinds:?} past, inside, on the way");
    assert!(kinds[0] > cases(100) && kinds[1] > cases(30) && kinds[2] > cases(300), "{kinds:?}");
}

/// One part in a scene of its own.
struct Alone {
    scene: Scene<f64>,
    key: CharacterKey,
}

impl Alone {
    fn new(geometry: Geometry<f64>, at: Pose<f64>) -> Self {
        let (mut scene, model) = (Scene::new(), model_of(vec![geometry]));
        let key = scene.insert(&model, Spawn::at(at)).expect("a model");
        Alone { scene, key }
    }

    fn cast(&self, shape: impl Into<QueryShape<f64>>, way: V) -> Option<ShapeHit<f64>> {
        let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
        let now: Snapshot<'_, f64> = self.scene.snapshot(&mut buffers);
        let filter = QueryFilter::all();
        now.shape_cast(shape, vector(way), &filter, &mut scratch).expect("a cast")
    }
}

fn cube(half: V) -> Obb<f64> {
    Obb::from_pose(&Isometry3::identity(), Vector3::from(half)).expect("a box")
}

fn ball(at: V, radius: f64) -> Sphere<f64, 3> {
    Sphere::new(point(at), radius).expect("a ball")
}

#[test]
fn balls_on_a_lattice_meet_a_cube_when_they_must() {
    let alone = Alone::new(Geometry::Boxes(vec![cube([1.0; 3])]), Isometry3::identity());
    let (mut met, mut past, mut grazing) = (0, 0, 0);
    for y in -8..=8 {
        for z in -8..=8 {
            for radius in 1..=5 {
                let (y, z, radius) = (f64::from(y) / 2.0, f64::from(z) / 2.0, f64::from(radius));
                let radius = radius / 2.0;
                let hit = alone.cast(ball([-8.0, y, z], radius), [16.0, 0.0, 0.0]);
                let (u, v) = ((y.abs() - 1.0).max(0.0), (z.abs() - 1.0).max(0.0));
                let left = radius * radius - (u * u + v * v);
                if left < 0.0 {
                    assert!(hit.is_none(), "{y} {z} {radius} {hit:?}");
                    past += 1;
                    continue;
                }
                // A graze begins where rounding lets it: the root of it early.
                let true_time = (8.0 - 1.0 - left.sqrt()) / 16.0;
                let hit = hit.expect("it must be met");
                let early = true_time - hit.time_of_impact;
                assert!(early >= 0.0, "late: {y} {z} {radius} {hit:?}");
                assert!(early < if left == 0.0 { 1e-5 } else { 1e-10 }, "{y} {z} {radius} {hit:?}");
                (met, grazing) = (met + 1, grazing + usize::from(left == 0.0));
            }
        }
    }
    assert!(met > 500 && past > 300 && grazing > 50, "{met} {past} {grazing}");
}

#[test]
fn sweeps_of_two_shapes_agree() {
    let (mut random, mut met) = (Random(711), 0);
    for _ in 0..cases(2_000) {
        let block = cube(std::array::from_fn(|_| random.decade(-2.0, 0.3)));
        let pose = turned(&mut random, [0.1, 0.2, -0.3]);
        let alone = Alone::new(Geometry::Boxes(vec![block]), pose);
        let placed = block.transformed(&pose).expect("a pose");
        let start = times(random.direction(), random.between(1.0, 6.0));
        let way = times(plus(start, times(random.direction(), 1.0)), -random.between(0.3, 2.0));
        let round = ball(start, random.decade(-3.0, 0.3));
        let other = Obb::from_pose(&turned(&mut random, start), block.half_extents());
        let other = other.expect("a box");
        let pairs = [
            (alone.cast(round, way), round.sweep(vector(way), &placed)),
            (alone.cast(other, way), other.sweep(vector(way), &placed)),
        ];
        for (cast, sweep) in pairs {
            // Both may report what passes within their slack.
            let off = |a: &ShapeHit<f64>, t: f64| (a.time_of_impact - t).abs();
            match (&cast, &sweep) {
                (Some(a), Some(b)) => {
                    assert!(off(a, b.time_of_impact) < 1e-6, "{a:?} {b:?}");
                    let along = a.normal.dot(&b.normal);
                    let edge = a.started_inside || a.time_of_impact < 1e-9;
                    assert!(edge || along < 0.5, "{a:?} {b:?}");
                    met += 1;
                }
                (None, None) => {}
                (a, b) => panic!("{a:?} {b:?}"),
            }
        }
    }
    assert!(met > cases(1_000), "{met}");
}

#[test]
fn parry3d_casts_through_a_mesh_to_the_same_times() {
    use parry3d_f64::math::{Pose as ParryPose, Vector as ParryVector};
    use parry3d_f64::query::{ShapeCastOptions, cast_shapes};
    use parry3d_f64::shape::{Ball, Capsule as ParryCapsule, Cuboid, Shape, TriMesh};

    let mesh = support::closed_meshes::torus(1.0, 0.35, 12, 9);
    let vertices = mesh.0.iter().map(|p| ParryVector::new(p[0], p[1], p[2])).collect();
    let other = TriMesh::new(vertices, mesh.1.clone()).expect("a mesh");
    let alone = Alone::new(support::closed_meshes::surface(mesh), Isometry3::identity());
    let (mut random, mut met) = (Random(721), 0);
    for round in 0..cases(600) {
        let start = times(random.direction(), random.between(2.5, 5.0));
        let way = times(plus(start, times(random.direction(), 1.0)), -random.between(0.5, 2.0));
        let radius = random.decade(-1.5, -0.2);
        let there = ParryVector::new(start[0], start[1], start[2]);
        let tip = times(random.direction(), 0.4);
        let (cast, moving): (_, Box<dyn Shape>) = match round % 3 {
            0 => (alone.cast(ball(start, radius), way), Box::new(Ball::new(radius))),
            1 => {
                let spine = Segment::new(point(start), point(plus(start, tip))).expect("two ends");
                let capsule = Capsule::new(spine, radius).expect("a capsule");
                let tip = ParryVector::new(tip[0], tip[1], tip[2]);
                let origin = ParryVector::new(0.0, 0.0, 0.0);
                (alone.cast(capsule, way), Box::new(ParryCapsule::new(origin, tip, radius)))
            }
            _ => {
                let size = [radius, 0.3, 0.1];
                let block = Aabb::new(point(minus(start, size)), point(plus(start, size)));
                let size = ParryVector::new(size[0], size[1], size[2]);
                (alone.cast(block, way), Box::new(Cuboid::new(size)))
            }
        };
        let velocity = ParryVector::new(way[0], way[1], way[2]);
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let zero = ParryVector::new(0.0, 0.0, 0.0);
        let (pose, identity) = (ParryPose::from_translation(there), ParryPose::IDENTITY);
        let theirs = cast_shapes(&pose, velocity, &*moving, &identity, zero, &other, options);
        let theirs = theirs.expect("supported").map(|hit| hit.time_of_impact);
        let ours = cast.map(|hit| hit.time_of_impact);
        match (ours, theirs) {
            (Some(a), Some(b)) => {
                // Theirs ends a search by distances, with a tolerance of its own.
                assert!((a - b).abs() < 1e-3, "{a} {b} {round}");
                met += 1;
            }
            (None, None) => {}
            // It gives up on some grazes.
            (Some(_), None) => {}
            (a, b) => panic!("{a:?} {b:?} {round}"),
        }
    }
    assert!(met > cases(250), "{met}");
}

#[test]
fn all_sizes_parallel_faces_and_no_way_at_all() {
    for size in [1e-9, 1e-4, 1.0, 1e6, 1e12] {
        let alone = Alone::new(Geometry::Boxes(vec![cube([size; 3])]), Isometry3::identity());
        let time = |shape: QueryShape<f64>, way: f64| {
            let hit = alone.cast(shape, [way * size, 0.0, 0.0])?;
            assert!(hit.slack <= 1e-11 * size, "{hit:?}");
            Some(hit.time_of_impact)
        };
        let at = |x: f64, y: f64| [x * size, y * size, 0.0];
        let ball = |x, y| QueryShape::from(ball(at(x, y), size));
        let block = |x, y| {
            let center = point::<f64>(at(x, y));
            let half = Vector3::repeat(size);
            QueryShape::from(Aabb::new(center - half, center + half))
        };
        for one in [ball(-4.0, 0.0), block(-4.0, 0.0), block(-4.0, 1.5)] {
            let met = time(one, 4.0).expect("on the way");
            assert!(met <= 0.5 && met > 0.5 - 1e-10, "{met} {size}");
            assert_eq!((time(one, 1.9), time(one, -4.0), time(one, 0.0)), (None, None, None));
            assert!(time(one, 2.0).is_some(), "touching at the end counts");
        }
        // Faces slide along each other: touching counts, from where it begins.
        let met = time(block(-4.0, 2.0), 4.0).expect("it slides along");
        assert!(met <= 0.5 && met > 0.5 - 1e-10);
        assert_eq!(time(block(-4.0, 2.0 + 1e-9), 8.0), None);
        let met = time(ball(-4.0, 2.0), 8.0).expect("it grazes");
        assert!(met <= 0.375 && met > 0.375 - 1e-4, "{met}");
        assert_eq!(time(ball(-4.0, 2.0 + 1e-9), 8.0), None);
        assert_eq!(time(ball(0.5, 0.0), 0.0), Some(0.0));
        assert_eq!(time(ball(2.0, 0.0), 0.0), Some(0.0), "touching counts");
    }
}

#[test]
fn a_start_inside_counts_as_time_zero() {
    let shell = support::closed_meshes::sphere(1.0, 8);
    let solid = Alone::new(support::closed_meshes::solid(shell.clone()), Isometry3::identity());
    let open = Alone::new(support::closed_meshes::surface(shell), Isometry3::identity());
    let small = ball([0.2, 0.0, 0.1], 0.05);
    let hit = solid.cast(small, [5.0, 0.0, 0.0]).expect("inside");
    assert!(hit.started_inside && hit.time_of_impact == 0.0 && hit.target.node.index() == 0);
    assert_eq!(hit.normal, -Vector3::x());
    let hit = open.cast(small, [5.0, 0.0, 0.0]).expect("the shell");
    assert!(!hit.started_inside && (hit.time_of_impact - 0.75 / 5.0).abs() < 0.02, "{hit:?}");
    // A ball around all of it touches no surface, and holds no solid.
    assert!(open.cast(ball([0.0; 3], 3.0), [1.0, 0.0, 0.0]).expect("it holds it").started_inside);
    // Overlapping a little, the normal says which way is out.
    let hit = solid.cast(ball([0.0, 1.4, 0.0], 0.5), [0.0, 0.0, 0.0]).expect("they overlap");
    assert!(hit.started_inside && hit.normal.y > 0.9, "{hit:?}");
}

#[test]
fn filters_choose_and_the_first_by_order_is_met() {
    let block = || Geometry::Boxes(vec![cube([0.5; 3])]);
    let model = model_of(vec![block(), block()]);
    let (mut scene, mut buffers, mut scratch) = (Scene::new(), Buffers::new(), QueryScratch::new());
    let keys = [2.0, 6.0, 2.0].map(|x| {
        let key = scene.insert(&model, Spawn::default()).expect("a model");
        let poses = [x, x + 2.0].map(|x| Isometry3::translation(x, 0.0, 0.0));
        scene.set_parts(key, &poses).expect("poses");
        key
    });
    scene.set_groups(keys[1], PartId::new(0), CollisionGroups { memberships: 2, filter: 2 })
        .expect("a part");
    let now = scene.snapshot(&mut buffers);
    let mut cast = |filter: &QueryFilter<'_>| {
        let hit = now.shape_cast(ball([0.0; 3], 0.5), vector([20.0, 0.0, 0.0]), filter, &mut scratch);
        let hit = hit.expect("a cast").map(|hit| (hit.target, (hit.time_of_impact * 20.0).round()));
        hit.map(|(NodeRef { character, part, .. }, way)| (character, part.index(), way))
    };
    let all = QueryFilter::all;
    assert_eq!(cast(&all()), Some((keys[0], 0, 1.0)));
    assert_eq!(cast(&all().excluding(&[keys[0]])), Some((keys[2], 0, 1.0)));
    assert_eq!(cast(&QueryFilter::of(keys[1])), Some((keys[1], 0, 5.0)));
    assert_eq!(cast(&all().parts(&[PartId::new(1)])), Some((keys[0], 1, 3.0)));
    assert_eq!(cast(&QueryFilter::of(keys[1]).parts(&[])), None);
    let only = |node: NodeRef| node.character == keys[1];
    assert_eq!(cast(&all().predicate(&only)), Some((keys[1], 0, 5.0)));
    let groups = CollisionGroups { memberships: 1, filter: 1 };
    assert_eq!(cast(&QueryFilter::of(keys[1]).groups(groups)), Some((keys[1], 1, 7.0)));
}

#[test]
fn bad_casts_are_refused() {
    let alone = Alone::new(Geometry::Boxes(vec![cube([1.0; 3])]), Isometry3::identity());
    let mut buffers = Buffers::new();
    let now = alone.scene.snapshot(&mut buffers);
    let mut cast = |shape: QueryShape<f64>, x: f64, filter: &QueryFilter<'_>| {
        now.shape_cast(shape, Vector3::new(x, 0.0, 0.0), filter, &mut QueryScratch::new())
    };
    let (here, all) = (QueryShape::from(ball([0.0; 3], 1.0)), QueryFilter::all());
    let nan = Point3::new(f64::NAN, 0.0, 0.0);
    let not_finite = |field, index| Some(Error::NotFinite { field, index });
    assert_eq!(cast(here, f64::NAN, &all).err(), not_finite("displacement", 0));
    assert_eq!(cast(QueryShape::Point(nan), 1.0, &all).err(), not_finite("point", 0));
    let flat = Plane::new(Unit::new_unchecked(Vector3::x()), 1.0).expect("a plane");
    assert!(matches!(cast(flat.into(), 1.0, &all), Err(Error::BadQuery { .. })));
    let budget = QueryFilter::all().accuracy(Accuracy::Budget(4));
    assert!(matches!(cast(here, 1.0, &budget), Err(Error::BadQuery { .. })));
    let missing = QueryFilter::of(alone.key).parts(&[PartId::new(1)]);
    assert!(matches!(cast(here, 1.0, &missing), Err(Error::IndexOutOfRange { .. })));
    let other = Alone::new(Geometry::Boxes(vec![cube([1.0; 3])]), Isometry3::identity());
    assert_eq!(cast(here, 1.0, &QueryFilter::of(other.key)).err(), Some(Error::ForeignKey));
    assert_eq!(cast(Aabb::EMPTY.into(), 1.0, &all).expect("an empty box"), None);
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
                (shape::<f32>(&mut random, start), vector::<f32>(times(start, -1.5)))
            })
            .collect();
        let mut answers = Vec::new();
        for level in SimdLevel::all() {
            let mut buffers = Buffers::with_simd_level(level);
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
    assert!(met > cases(100), "{met}");
}
