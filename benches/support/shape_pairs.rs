//! Random pairs of shapes: a third disjoint, a third overlapping, a third with parallel edges.

use boxwood::nalgebra::{Matrix3, Point3, Unit, Vector3};
use boxwood::shape::{Aabb, Capsule, Obb, Plane, Ray, Segment, Sphere, Triangle};

use super::plain_box::{V, minus, norm, outer, plus, times};
use super::random::Random;

const UPRIGHT: [V; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Numbers from which shapes of all kinds are made; each kind uses those it needs.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Ends or corners; the first is the centre of a ball or box.
    points: [V; 3],
    axes: [V; 3],
    half: V,
    radius: f64,
}

/// Relation of the two shapes of a pair.
#[derive(Clone, Copy)]
enum Regime {
    Apart,
    Deep,
    Parallel,
}

fn single(p: V) -> Point3<f32> {
    Point3::from(p.map(|x| x as f32))
}

/// A kind of shape.
pub trait Solid: Sized {
    const NAME: &'static str;
    const POINTS: usize;
    /// `true` if the kind uses the axes of its plan.
    const TURNED: bool = false;
    /// `true` if the kind uses half extents.
    const BOX: bool = false;

    fn of(plan: &Plan) -> Self;
}

impl Solid for Sphere<f32, 3> {
    const NAME: &'static str = "Sphere";
    const POINTS: usize = 1;

    fn of(plan: &Plan) -> Self {
        Sphere::new(single(plan.points[0]), plan.radius as f32).expect("a ball")
    }
}

impl Solid for Capsule<f32> {
    const NAME: &'static str = "Capsule";
    const POINTS: usize = 2;

    fn of(plan: &Plan) -> Self {
        Capsule::new(Segment::of(plan), plan.radius as f32).expect("a capsule")
    }
}

impl Solid for Segment<f32> {
    const NAME: &'static str = "Segment";
    const POINTS: usize = 2;

    fn of(plan: &Plan) -> Self {
        Segment::new(single(plan.points[0]), single(plan.points[1])).expect("a segment")
    }
}

impl Solid for Triangle<f32> {
    const NAME: &'static str = "Triangle";
    const POINTS: usize = 3;

    fn of(plan: &Plan) -> Self {
        let [a, b, c] = plan.points.map(single);
        Triangle::new(a, b, c).expect("a triangle")
    }
}

impl Solid for Aabb<f32, 3> {
    const NAME: &'static str = "Aabb";
    const POINTS: usize = 1;
    const BOX: bool = true;

    fn of(plan: &Plan) -> Self {
        let end = |p: V| single(p);
        Aabb::new(end(minus(plan.points[0], plan.half)), end(plus(plan.points[0], plan.half)))
    }
}

impl Solid for Obb<f32> {
    const NAME: &'static str = "Obb";
    const POINTS: usize = 1;
    const TURNED: bool = true;
    const BOX: bool = true;

    fn of(plan: &Plan) -> Self {
        let axes = Matrix3::from_fn(|i, j| plan.axes[j][i] as f32);
        let half = Vector3::from(plan.half.map(|x| x as f32));
        Obb::new(single(plan.points[0]), axes, half).expect("a box")
    }
}

impl Plan {
    /// Random plan about the origin, with sizes from a hundredth to one.
    fn new<S: Solid>(random: &mut Random) -> Self {
        let size = random.decade(-1.0, 0.0);
        let mut point = || -> V { std::array::from_fn(|_| random.between(-size, size)) };
        let points = [point(), point(), point()];
        let half = std::array::from_fn(|_| size * random.decade(-2.0, 0.0));
        let axes = if S::TURNED { random.rotation() } else { UPRIGHT };
        Plan { points, axes, half, radius: size * random.decade(-1.5, 0.0) }
    }

    fn moved(mut self, by: V) -> Self {
        self.points = self.points.map(|p| plus(p, by));
        self
    }

    /// Point in the shape; in the core of a ball or capsule.
    fn inside<S: Solid>(&self, random: &mut Random) -> V {
        if S::BOX {
            return (0..3).fold(self.points[0], |p, i| {
                plus(p, times(self.axes[i], random.between(-1.0, 1.0) * self.half[i]))
            });
        }
        let shares: V = std::array::from_fn(|i| if i < S::POINTS { random.share() } else { 0.0 });
        let sum: f64 = shares.iter().sum();
        (0..3).fold([0.0; 3], |p, i| plus(p, times(self.points[i], shares[i] / sum)))
    }

    /// Plan with an edge, or a side, along one of `other`.
    fn along<A: Solid, B: Solid>(mut self, other: &Plan, random: &mut Random) -> Self {
        let [p, q, r] = other.points;
        let way = if A::BOX { other.axes[random.below(3)] } else { minus(q, p) };
        if [A::POINTS, B::POINTS] == [3, 3] {
            // Two triangles in one plane, up to rounding.
            for point in &mut self.points {
                let mut share = |end: V| times(minus(end, p), random.between(-1.0, 1.5));
                *point = plus(p, plus(share(q), share(r)));
            }
        } else if B::TURNED && A::BOX {
            self.axes = other.axes;
        } else if B::TURNED {
            let unit = |v: V| times(v, 1.0 / norm(v));
            let x = unit(way);
            let z = unit(outer(x, minus(r, p)));
            self.axes = [x, outer(z, x), z];
        } else {
            self.points[1] = plus(self.points[0], times(way, random.between(-1.0, 1.0)));
        }
        self
    }
}

fn pair<A: Solid, B: Solid>(regime: Regime, random: &mut Random) -> [Plan; 2] {
    let (a, b) = (Plan::new::<A>(random), Plan::new::<B>(random));
    let into = |b: Plan, random: &mut Random| {
        let (here, there) = (a.inside::<A>(random), b.inside::<B>(random));
        b.moved(minus(here, there))
    };
    let b = match regime {
        Regime::Apart => b.moved(times(random.direction(), random.between(1.0, 6.0))),
        Regime::Deep => into(b, random),
        Regime::Parallel => {
            let b = b.along::<A, B>(&a, random);
            let flat = [A::POINTS, B::POINTS] == [3, 3];
            match random.chance(0.5) {
                _ if flat && random.chance(0.5) => b,
                true => {
                    b.moved(times(random.direction(), random.between(0.5, 3.0) * random.share()))
                }
                false => into(b, random),
            }
        }
    };
    [a, b]
}

/// Random plans. The relation of each pair is random: a branch predictor would learn any order at
/// once.
fn plans<A: Solid, B: Solid>(count: usize) -> (Vec<[Plan; 2]>, Random) {
    let name = A::NAME.bytes().chain(B::NAME.bytes());
    let mut random =
        Random(name.fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into())));
    let mut next = |_| {
        let regime = [Regime::Apart, Regime::Deep, Regime::Parallel][random.below(3)];
        pair::<A, B>(regime, &mut random)
    };
    ((0..count).map(&mut next).collect(), random)
}

pub fn pairs<A: Solid, B: Solid>(count: usize) -> Vec<(A, B)> {
    let (plans, _) = plans::<A, B>(count);
    plans.iter().map(|[a, b]| (A::of(a), B::of(b))).collect()
}

/// Shapes, and half-spaces whose planes are near them.
pub fn with_planes<S: Solid>(count: usize) -> Vec<(Plane<f32>, S)> {
    let (plans, mut random) = plans::<S, Sphere<f32, 3>>(count);
    let plane = |[a, b]: &[Plan; 2]| {
        let up = Unit::new_normalize(Vector3::from(random.direction()).cast::<f32>());
        let at = single(b.inside::<Sphere<f32, 3>>(&mut random));
        (Plane::through(at, up).expect("a plane"), S::of(a))
    };
    plans.iter().map(plane).collect()
}

/// Rays that start three units from a point of the shape, about half of them at the shapes.
pub fn with_rays<S: Solid>(count: usize) -> Vec<(Ray<f32>, S)> {
    let (plans, mut random) = plans::<S, Sphere<f32, 3>>(count);
    let mut ray = |[a, _]: &[Plan; 2]| {
        let from = plus(a.points[0], times(random.direction(), 3.0));
        let (p, q) = (a.inside::<S>(&mut random), a.inside::<S>(&mut random));
        let size = norm(minus(p, q)) + a.radius;
        let aside = times(random.direction(), 1.5 * size * random.share());
        let way = minus(plus(p, aside), from);
        let way = Unit::new_normalize(Vector3::from(way).cast::<f32>());
        (Ray::new(single(from), way).expect("a ray"), S::of(a))
    };
    plans.iter().map(&mut ray).collect()
}

/// Rays at half-spaces, half of them from inside.
pub fn rays_and_planes(count: usize) -> Vec<(Ray<f32>, Plane<f32>)> {
    let mut random = Random(12);
    let mut next = |_| {
        let [up, from, way, at] = [(); 4].map(|()| Vector3::from(random.direction()).cast::<f32>());
        let plane = Plane::through(Point3::from(at), Unit::new_normalize(up)).expect("a plane");
        let ray = Ray::new(Point3::from(from * 2.0), Unit::new_normalize(way));
        (ray.expect("a ray"), plane)
    };
    (0..count).map(&mut next).collect()
}

/// Shapes and points, both within about two units of the origin.
pub fn with_points<S: Solid>(count: usize) -> Vec<(S, Point3<f32>)> {
    let mut random = Random(1);
    let mut next = |_| {
        let mut near = || times(random.direction(), 2.0 * random.share());
        let (points, at) = ([near(), near(), near()], near());
        let half = std::array::from_fn(|_| 0.1 + random.share());
        let plan = Plan { points, axes: random.rotation(), half, radius: half[0] };
        (S::of(&plan), single(at))
    };
    (0..count).map(&mut next).collect()
}
