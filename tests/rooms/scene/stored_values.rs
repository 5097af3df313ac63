//! Answers as they are stored, without a tolerance: shifts of passages, casts and pushes are never
//! beyond the true contact, and boxes contain round primitives. The numbers are chosen such that
//! products and sums of them are exact in double precision.

use boxwood::model::PartId;
use boxwood::pair::ConvexShape;
use boxwood::scene::{Buffers, PairQuery, QueryFilter, QueryScratch, QueryShape, Scene, Spawn};
use boxwood::shape::{Aabb, Capsule, ConvexHull, Cylinder, Ellipsoid, Obb, Pose, Segment, Sphere};
use boxwood::tree::{Geometry, Push, TreePair, TreeScratch};
use nalgebra::Quaternion;

use support::closed_meshes::{cube, surface};
use support::prelude::*;

/// Draws a number that is stored in single precision, between 1/16 and 4: sums of a few of them
/// and products of two are exact in double precision.
fn number(random: &mut Random, low: f64, high: f64) -> f64 {
    f64::from(random.between(low, high) as f32)
}

fn signed(random: &mut Random) -> f64 {
    random.sign() * number(random, 0.0625, 2.0)
}

/// Draws a multiple of `2^-16`: sums of a few of them are stored exactly in single precision.
fn lattice(random: &mut Random, low: f64, high: f64) -> f64 {
    (random.between(low, high) * 65_536.0).round() / 65_536.0
}

fn placed<T: Scalar>(at: V) -> Pose<T> {
    Pose::from_parts(vector::<T>(at).into(), UnitQuaternion::identity())
}

/// Returns a box about the origin as a mesh, a box, a convex box or a hull.
fn block<T: Scalar>(half: V, kind: usize) -> Geometry<T> {
    let solid = Obb::from_pose(&Pose::identity(), vector(half)).expect("a box");
    let bounds = Aabb::new((-vector::<T>(half)).into(), vector::<T>(half).into());
    match kind % 4 {
        0 => surface(cube(half)),
        1 => Geometry::Boxes(vec![solid]),
        2 => Geometry::Convex(vec![solid.into()]),
        _ => {
            let hull = ConvexHull::new(&bounds.corners()).expect("a hull");
            Geometry::Convex(vec![hull.into()])
        }
    }
}

/// Two upright boxes, the second at an offset.
struct Blocks {
    half: [V; 2],
    at: [V; 2],
}

impl Blocks {
    fn random(random: &mut Random) -> Self {
        let half = [0; 2].map(|_| std::array::from_fn(|_| number(random, 0.25, 1.0)));
        let at = [0; 2].map(|_| std::array::from_fn(|_| signed(random)));
        Blocks { half, at }
    }

    /// Returns what the second has to be shifted along an axis, to its sign, until the two touch
    /// first, and until they touch last; exact.
    fn range(&self, axis: usize, sign: f64) -> [f64; 2] {
        let between = sign * (self.at[0][axis] - self.at[1][axis]);
        let reach = self.half[0][axis] + self.half[1][axis];
        [between - reach, between + reach]
    }

    /// Returns `true` if a shift along a direction is not beyond the first contact (`first`), or
    /// not before the last: on some axis the two are then disjoint or touch.
    fn is_outside(&self, shift: f64, direction: &Vector3<f64>, first: bool) -> bool {
        (0..3).any(|axis| {
            let moved = shift * direction[axis].abs();
            let [enter, leave] = self.range(axis, direction[axis].signum());
            direction[axis] != 0.0 && if first { moved <= enter } else { moved >= leave }
        })
    }

    fn overlap(&self) -> bool {
        (0..3).all(|axis| {
            let [enter, leave] = self.range(axis, 1.0);
            enter <= 0.0 && leave >= 0.0
        })
    }
}

/// Passages and pushes of two trees of boxes: the two do not overlap before the first shift as it
/// is stored, nor after the last.
fn tree_shifts<T: Scalar>(seed: u64) {
    let (mut random, mut scratch) = (Random(seed), TreeScratch::default());
    let (mut passed, mut pushed, rounds) = (0, 0, cases(6_000));
    for round in 0..rounds {
        let blocks = Blocks::random(&mut random);
        let [a, b] = [(0, round), (1, round / 4)]
            .map(|(side, kind)| default_tree::<T>(block(blocks.half[side], kind)));
        let poses = blocks.at.map(placed::<T>);
        let pair = TreePair::new(&a, &poses[0], &b, &poses[1]).expect("sound poses");
        // Rounded to single precision: products with a shift in double precision are not exact, so
        // those are taken along the axes only.
        let direction = match T::IS_SINGLE && random.chance(0.7) {
            true => Unit::new_normalize(vector::<T>(random.direction())),
            false => {
                let axis = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()];
                if random.chance(0.5) { axis[random.below(3)] } else { -axis[random.below(3)] }
            }
        };
        let wide = direction.map(T::wide);
        let what = format!("{round}: {:?} {:?} along {wide:?}", blocks.half, blocks.at);
        if let Some(found) = pair.passage(direction, &mut scratch).expect("a direction") {
            let [first, last] = [found.first.shift.wide(), found.last.shift.wide()];
            assert!(blocks.is_outside(first, &wide, true), "{what}: first {first}");
            assert!(blocks.is_outside(last, &wide, false), "{what}: last {last}");
            passed += 1;
        }
        for push in [Push::along(direction), Push::least()] {
            let way = pair.separation(&push, &mut scratch).expect("a push");
            let Some(way) = way else { continue };
            assert!(blocks.overlap(), "{what}");
            let (depth, normal) = (way.depth.wide(), way.normal.map(T::wide));
            // In double precision the product is rounded unless the direction is an axis.
            if T::IS_SINGLE || normal.amax() == 1.0 {
                assert!(blocks.is_outside(depth, &normal, false), "{what}: {push:?} {depth}");
                pushed += 1;
            }
        }
    }
    println!("{passed} passages, {pushed} pushes");
    assert!(8 * passed > rounds && 16 * pushed > rounds, "{passed} {pushed} of {rounds}");
}

/// Casts and pushes of characters, along an axis and along `(3, 4, 0)`, whose length is a whole
/// number: no shift is beyond the first contact.
fn scene_shifts<T: Scalar>(seed: u64) {
    let (mut random, mut buffers, mut scratch) =
        (Random(seed), Buffers::new(), QueryScratch::new());
    let (mut hits, mut pushed, rounds) = (0, 0, cases(3_000));
    for round in 0..rounds {
        let blocks = Blocks::random(&mut random);
        let mut scene = Scene::new();
        let [a, b] = [(0, round), (1, round / 4)].map(|(side, kind)| {
            let model = model_of(vec![block::<T>(blocks.half[side], kind)]);
            scene.insert(&model, Spawn::at(placed(blocks.at[side]))).expect("a model")
        });
        let now = scene.snapshot(&mut buffers);
        // The second moves towards the first, or past it.
        let axis = random.below(3);
        let sign = (blocks.at[0][axis] - blocks.at[1][axis]).signum();
        let mut way = Vector3::zeros();
        way[axis] = 8.0 * sign;
        let oblique = random.chance(0.3);
        if oblique {
            let other = (axis + 1) % 3;
            way[axis] = 6.0 * sign;
            way[other] = 8.0 * (blocks.at[0][other] - blocks.at[1][other]).signum();
        }
        let cast = now.cast(&PairQuery::between(b, a), way.map(T::nearest), &mut scratch);
        // From inside a hollow mesh the cast hits its far side.
        if let Some(hit) = cast.expect("a way")
            && !blocks.overlap()
        {
            // Shares of the way in tenths or eighths: products with whole numbers are exact in
            // single precision; in double precision they are compared along the axes only.
            let (shift, length) = (hit.shift.wide(), if oblique { 10.0 } else { 8.0 });
            let is_outside = (0..3).any(|i| {
                let [enter, _] = blocks.range(i, way[i].signum());
                way[i] != 0.0 && shift * way[i].abs() <= enter * length
            });
            if T::IS_SINGLE || !oblique {
                assert!(is_outside, "{round}: {blocks:?} {way:?} {shift}", blocks = blocks.at);
                hits += 1;
            }
        }
        let query = PairQuery::between(a, b);
        let Some(push) = now.separation(&query, &Push::least(), &mut scratch).expect("a push")
        else {
            continue;
        };
        let (depth, normal) = (push.depth.wide(), push.normal.map(T::wide));
        if T::IS_SINGLE || normal.amax() == 1.0 {
            assert!(blocks.is_outside(depth, &normal, false), "{round}: {depth} {normal:?}");
            pushed += 1;
        }
    }
    println!("{hits} casts, {pushed} pushes");
    assert!(40 * hits > rounds && 40 * pushed > rounds, "{hits} {pushed} of {rounds}");
}

/// Draws a convex shape about a point whose farthest points along the axes are on the axes
/// through that point, and its reach along each.
fn round<T: Scalar>(random: &mut Random, at: V) -> (ConvexShape<T>, V) {
    let center = Point3::from(vector::<T>(at));
    let size: V = std::array::from_fn(|_| number(random, 0.25, 1.0));
    let stored = |x: f64| T::nearest(x);
    match random.below(5) {
        0 => {
            let ball = Sphere::new(center, stored(size[0])).expect("a ball");
            (ball.into(), [size[0]; 3])
        }
        1 => {
            let axis = random.below(3);
            let mut along = Vector3::zeros();
            along[axis] = stored(size[1]);
            let segment = Segment::new(center - along, center + along).expect("ends");
            let mut reach = [size[0]; 3];
            reach[axis] += size[1];
            (Capsule::new(segment, stored(size[0])).expect("a capsule").into(), reach)
        }
        2 => {
            let axis = random.below(3);
            let up = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()][axis];
            let drum = Cylinder::new(center, up, stored(size[1]), stored(size[0]));
            let mut reach = [size[0]; 3];
            reach[axis] = size[1];
            (drum.expect("a cylinder").into(), reach)
        }
        3 => {
            let egg = Ellipsoid::new(center, Matrix3::identity(), vector(size));
            (egg.expect("an ellipsoid").into(), size)
        }
        _ => {
            // An octahedron.
            let tip = |i: usize| {
                let mut tip = center;
                tip[i / 2] +=
                    if i.is_multiple_of(2) { stored(size[i / 2]) } else { -stored(size[i / 2]) };
                tip
            };
            let points: Vec<Point3<T>> = (0..6).map(tip).collect();
            (ConvexHull::new(&points).expect("a hull").into(), size)
        }
    }
}

/// Passages of convex parts in line along an axis: the tips on the axis touch first and last, so the
/// true shifts are sums. None is late, by any amount.
fn passages<T: Scalar>(seed: u64) {
    let (mut random, mut scratch) = (Random(seed), TreeScratch::default());
    for round_number in 0..cases(6_000) {
        let axis = random.below(3);
        let [(a, reach_a), (b, reach_b)] = [0; 2].map(|_| round::<T>(&mut random, [0.0; 3]));
        let [a, b] = [a, b].map(|shape| default_tree(Geometry::Convex(vec![shape])));
        let mut at = [[0.0; 3]; 2];
        let side: V = std::array::from_fn(|_| lattice(&mut random, -2.0, 2.0));
        at.iter_mut().for_each(|at| *at = side);
        at[1][axis] += lattice(&mut random, -2.0, 2.0);
        let poses = at.map(placed::<T>);
        let pair = TreePair::new(&a, &poses[0], &b, &poses[1]).expect("sound poses");
        let (mut way, sign) = (Vector3::zeros(), random.sign());
        way[axis] = T::nearest(sign);
        let found = pair.passage(Unit::new_unchecked(way), &mut scratch).expect("a direction");
        let found = found.expect("in line");
        let between = sign * (at[0][axis] - at[1][axis]);
        let reach = reach_a[axis] + reach_b[axis];
        let [first, last] = [&found.first, &found.last].map(|met| met.shift.wide());
        let what = format!("{round_number}: {:?} {:?} along {axis}", a.geometry(), b.geometry());
        assert!(first <= between - reach, "{what}: {first} after {}", between - reach);
        assert!(last >= between + reach, "{what}: {last} before {}", between + reach);
        // They are not far too early either.
        let most = 1e-6 + 60.0 * T::ROUNDING;
        assert!(between - reach - first < most && last - between - reach < most, "{what}");
    }
}

/// Casts of balls, capsules and boxes at a convex part or a box in line along an axis: no time is
/// after the contact, by any amount.
fn shape_casts<T: Scalar>(seed: u64) {
    let (mut random, mut buffers, mut scratch) =
        (Random(seed), Buffers::new(), QueryScratch::new());
    let mut hits = 0;
    for round_number in 0..cases(4_000) {
        let axis = random.below(3);
        let (geometry, reach) = match random.chance(0.6) {
            true => {
                let (shape, reach) = round::<T>(&mut random, [0.0; 3]);
                (Geometry::Convex(vec![shape]), reach)
            }
            false => {
                let half: V = std::array::from_fn(|_| number(&mut random, 0.25, 1.0));
                (block(half, round_number), half)
            }
        };
        let at: V = std::array::from_fn(|_| lattice(&mut random, -2.0, 2.0));
        let mut scene = Scene::new();
        scene.insert(&model_of(vec![geometry]), Spawn::at(placed(at))).expect("a model");
        let now = scene.snapshot(&mut buffers);
        let radius = number(&mut random, 0.25, 0.5);
        let sign = random.sign();
        let mut start = at;
        start[axis] -= sign * 4.0;
        let center = Point3::from(vector::<T>(start));
        assert_eq!(center.map(T::wide), Point3::from(start), "the start is rounded");
        let stored = |x: f64| T::nearest(x);
        let (shape, own): (QueryShape<T>, f64) = match random.below(3) {
            0 => (Sphere::new(center, stored(radius)).expect("a ball").into(), radius),
            1 => {
                let half = lattice(&mut random, 0.25, 0.5);
                let mut along = Vector3::zeros();
                along[axis] = stored(half);
                let ends = [center - along, center + along];
                let segment = Segment::new(ends[0], ends[1]).expect("ends");
                (Capsule::new(segment, stored(radius)).expect("a capsule").into(), half + radius)
            }
            _ => {
                let solid = Obb::from_pose(&placed(start), Vector3::repeat(stored(radius)));
                (solid.expect("a box").into(), radius)
            }
        };
        let mut way = Vector3::zeros();
        way[axis] = stored(8.0 * sign);
        let hit = now.shape_cast(shape, way, &QueryFilter::all(), &mut scratch);
        let hit = hit.expect("a way").expect("in line");
        let gap = 4.0 - reach[axis] - own;
        let met = hit.time_of_impact.wide() * 8.0;
        assert!(met <= gap, "{round_number}: {shape:?} met at {met}, touches at {gap}");
        assert!(gap - met < 1e-5, "{round_number}: {shape:?} met at {met}, touches at {gap}");
        hits += 1;
    }
    assert!(hits > cases(1_000), "{hits}");
}

/// Boxes of round primitives: of the shapes, of every node of trees, and of parts in the world,
/// upright and turned by half a turn.
fn outward_boxes<T: Scalar>(seed: u64) {
    let (mut random, mut buffers) = (Random(seed), Buffers::new());
    let contains = |bounds: &Aabb<T, 3>, center: V, reach: V, what: &str| {
        for axis in 0..3 {
            let (low, high) = (center[axis] - reach[axis], center[axis] + reach[axis]);
            let ends = [bounds.min[axis].wide(), bounds.max[axis].wide()];
            assert!(ends[0] <= low && high <= ends[1], "{what}: {ends:?} without {low} to {high}");
            // Not larger than rounding, either.
            let room = 32.0 * T::ROUNDING.max(1e-14) * (1.0 + low.abs() + high.abs());
            assert!(low - ends[0] <= room && ends[1] - high <= room, "{what}: {ends:?}");
        }
    };
    for round_number in 0..cases(3_000) {
        let count = 1 + random.below(5);
        let centers: Vec<V> =
            (0..count).map(|_| std::array::from_fn(|_| signed(&mut random))).collect();
        let made: Vec<(ConvexShape<T>, V)> =
            centers.iter().map(|&center| round_or_ball(&mut random, center)).collect();
        let shapes: Vec<ConvexShape<T>> = made.iter().map(|(shape, _)| shape.clone()).collect();
        for ((shape, reach), &center) in made.iter().zip(&centers) {
            contains(&shape.aabb(), center, *reach, &format!("{round_number}: {shape:?}"));
        }
        let part = default_tree(Geometry::Convex(shapes.clone()));
        for id in part.cut(255) {
            let &[index] = part.primitives(id) else { continue };
            let (center, reach) = (centers[index as usize], made[index as usize].1);
            contains(part.node(id).aligned(), center, reach, &format!("{round_number}: a leaf"));
        }
        let around = |turn: [f64; 3], at: V, bounds: &Aabb<T, 3>, what: &str| {
            for ((_, reach), center) in made.iter().zip(&centers) {
                for axis in 0..3 {
                    let middle = turn[axis] * center[axis] + at[axis];
                    let inside = bounds.min[axis].wide() <= middle - reach[axis]
                        && middle + reach[axis] <= bounds.max[axis].wide();
                    assert!(inside, "{round_number}: {what} {bounds:?} {center:?} {reach:?}");
                }
            }
        };
        around([1.0; 3], [0.0; 3], part.node(boxwood::NodeId::ROOT).aligned(), "the root");
        let model = model_of(vec![Geometry::Convex(shapes)]);
        for axis in 0..4 {
            // Half a turn about an axis, or none: exact.
            let mut coords = [0.0; 4];
            coords[axis] = 1.0;
            let q = Quaternion::from(nalgebra::Vector4::from(coords.map(T::nearest)));
            let at: V = std::array::from_fn(|_| signed(&mut random));
            let pose = Pose::from_parts(vector::<T>(at).into(), Unit::new_unchecked(q));
            let turn = std::array::from_fn(|i| if axis == 3 || axis == i { 1.0 } else { -1.0 });
            let mut scene = Scene::new();
            let key = scene.insert(&model, Spawn::at(pose)).expect("a model");
            let now = scene.snapshot(&mut buffers);
            let bounds = now.part_aabb(key, PartId::new(0)).expect("a part");
            around(turn, at, &bounds, "the part in the world");
            around(turn, at, &now.character_aabb(key).expect("a key"), "the character");
        }
    }
}

/// Draws a ball, capsule or other convex shape.
fn round_or_ball<T: Scalar>(random: &mut Random, at: V) -> (ConvexShape<T>, V) {
    if random.chance(0.4) {
        let radius = number(random, 0.25, 1.0);
        let ball = Sphere::new(Point3::from(vector::<T>(at)), T::nearest(radius));
        return (ball.expect("a ball").into(), [radius; 3]);
    }
    // Ends of capsules and tips of hulls are sums, which are rounded as they are stored.
    loop {
        let (shape, reach) = round::<T>(random, at);
        if !matches!(shape, ConvexShape::Capsule(_) | ConvexShape::Hull(_)) {
            return (shape, reach);
        }
    }
}

scalars! {
    shifts_of_trees_are_never_beyond_the_contact => tree_shifts(652; 653);
    shifts_of_characters_are_never_beyond_the_contact => scene_shifts(654; 655);
    passages_of_convex_parts_in_line_are_never_late => passages(651; 650);
    shape_casts_in_line_are_never_late => shape_casts(656; 657);
    boxes_contain_round_primitives_as_stored => outward_boxes(658; 659);
}
