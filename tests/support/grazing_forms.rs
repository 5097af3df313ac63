//! Two moving primitives whose distance is a formula at any time, placed by bisection so that they
//! all but touch: its least value during the tick, and the first time at which it is zero.
//!
//! All numbers are those that are stored, widened, so that rounding is no part of the formula.

use boxwood::num::Scalar;
use boxwood::pair::ConvexShape;
use boxwood::shape::{Aabb, Capsule, ConvexHull, Mesh, Obb, Plane, Pose, Segment, Sphere};
use boxwood::tree::Geometry;
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use crate::box_distance::point_segment;
use crate::moving_parts::{between, stored, turn, widened};
use crate::plain_box::{V, inner, minus, norm, outer, plus, times};
use crate::random::Random;
use crate::random_parts::{point, vector};
use crate::triangle_distance::point_triangle;

/// Primitive in the frame of its part.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    Ball {
        center: V,
        radius: f64,
    },
    Capsule {
        core: [V; 2],
        radius: f64,
    },
    Block {
        half: V,
    },
    Triangle {
        corners: [V; 3],
    },
    /// Points with a `y` below zero.
    HalfSpace,
}

/// Coordinates at which a half-space ends.
const FAR: f64 = 8.0;

impl Form {
    fn rounded<T: Scalar>(self) -> Form {
        let near = |x: f64| T::nearest(x).wide();
        let all = |v: V| v.map(near);
        match self {
            Form::Ball { center, radius } => {
                Form::Ball { center: all(center), radius: near(radius) }
            }
            Form::Capsule { core, radius } => {
                Form::Capsule { core: core.map(all), radius: near(radius) }
            }
            Form::Block { half } => Form::Block { half: all(half) },
            Form::Triangle { corners } => Form::Triangle { corners: corners.map(all) },
            Form::HalfSpace => Form::HalfSpace,
        }
    }

    /// Returns a point of the primitive.
    fn inner_point(&self) -> V {
        match *self {
            Form::Ball { center, .. } => center,
            Form::Capsule { core, .. } => core[0],
            Form::Triangle { corners } => corners[0],
            Form::Block { .. } | Form::HalfSpace => [0.0; 3],
        }
    }

    /// Returns the geometry of a part.
    pub fn geometry<T: Scalar>(&self) -> Geometry<T> {
        match *self {
            Form::Ball { center, radius } => {
                let ball = Sphere::new(point(center), T::nearest(radius)).expect("a ball");
                Geometry::Convex(vec![ConvexShape::from(ball)])
            }
            Form::Capsule { core, radius } => {
                let [a, b] = core.map(point);
                let core = Segment::new(a, b).expect("a segment");
                let capsule = Capsule::new(core, T::nearest(radius)).expect("a capsule");
                Geometry::Convex(vec![ConvexShape::from(capsule)])
            }
            Form::Block { half } => {
                let block = Obb::new(Point3::origin(), Matrix3::identity(), vector(half));
                Geometry::Boxes(vec![block.expect("a box")])
            }
            Form::Triangle { corners } => {
                let mesh = Mesh::new(corners.map(point).to_vec(), vec![[0, 1, 2]]);
                Geometry::Surface(mesh.expect("a triangle"))
            }
            Form::HalfSpace => {
                let bounds = Aabb::new(point([-FAR; 3]), point([FAR; 3]));
                let floor = Plane::new(Vector3::y_axis(), T::nearest(0.0)).expect("a plane");
                let hull = ConvexHull::half_space(&floor, &bounds).expect("a half-space");
                Geometry::Convex(vec![ConvexShape::from(hull)])
            }
        }
    }
}

/// Primitive with its poses before and after the tick.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    pub form: Form,
    pub ends: [Isometry3<f64>; 2],
}

impl Mover {
    fn at(&self, time: f64) -> Isometry3<f64> {
        between([&self.ends[0], &self.ends[1]], time)
    }

    fn shifted(mut self, by: V) -> Mover {
        for end in &mut self.ends {
            end.translation.vector += Vector3::from(by);
        }
        self
    }

    fn rounded<T: Scalar>(self) -> Mover {
        let near = |end: Isometry3<f64>| widened::<T>(&stored(&end));
        Mover { form: self.form.rounded::<T>(), ends: self.ends.map(near) }
    }

    /// Returns both poses as stored.
    pub fn poses<T: Scalar>(&self) -> [Pose<T>; 2] {
        self.ends.map(|end| stored(&end))
    }
}

/// Number of kinds of [`Graze`].
pub const KINDS: usize = 8;

/// Two moving primitives, which touch within a margin.
#[derive(Clone, Copy, Debug)]
pub struct Graze {
    pub movers: [Mover; 2],
    pub margin: f64,
}

/// Rounding error of [`Graze::distance`], and of its least value.
pub const FORMULA_ERROR: f64 = 1e-12;

impl Graze {
    /// Draws two primitives of a kind that graze, moved apart by `share` of the distance along the
    /// direction in which they were placed; `None` if they graze nowhere along it.
    pub fn random<T: Scalar>(random: &mut Random, kind: usize, share: f64) -> Option<Graze> {
        let ball = |random: &mut Random, reach: f64| Form::Ball {
            center: random.vector(reach).into(),
            radius: random.decade(-1.7, -0.3),
        };
        let rod = |random: &mut Random| {
            let along = times(random.direction(), random.between(0.2, 1.0));
            let radius = random.decade(-1.7, -0.7);
            Form::Capsule { core: [times(along, -0.4), along], radius }
        };
        let block =
            |random: &mut Random| Form::Block { half: [0; 3].map(|_| random.decade(-1.3, -0.2)) };
        // The first turns about an axis, moves along it, or both: a screw. The second drifts.
        let first = match kind {
            0 | 1 => ball(random, 1.0),
            2 => ball(random, 0.0),
            3 | 4 => rod(random),
            5 | 6 => block(random),
            _ => Form::Triangle { corners: [0; 3].map(|_| random.vector(0.8).into()) },
        };
        let second = match kind {
            0 => Form::HalfSpace,
            4 => rod(random),
            6 => block(random),
            _ => ball(random, 0.3),
        };
        let start = Isometry3::from_parts(random.vector(0.5).into(), turn(random, 3.0));
        let most = if kind == 2 { 0.0 } else { 2.9 };
        let drift = |random: &mut Random| match random.below(3) {
            0 => Vector3::zeros(),
            _ => random.vector(1.5),
        };
        let moved = |random: &mut Random, start: &Isometry3<f64>, most: f64| {
            let to = start.translation.vector + drift(random);
            Isometry3::from_parts(to.into(), turn(random, most) * start.rotation)
        };
        let end = moved(random, &start, most);
        let ends = match kind {
            // Boxes of one orientation at all times.
            6 => [start, end]
                .map(|end| Isometry3::from_parts(random.vector(0.5).into(), end.rotation)),
            _ => {
                let start = Isometry3::from_parts(Vector3::zeros().into(), turn(random, 3.0));
                let most = if kind == 4 { 2.0 } else { 0.0 };
                [start, moved(random, &start, most)]
            }
        };
        let margin = if random.chance(0.7) { 0.0 } else { random.decade(-2.0, -0.5) };
        let placed = Graze {
            margin,
            movers: [
                Mover { form: first, ends: [start, end] }.rounded::<T>(),
                Mover { form: second, ends }.rounded::<T>(),
            ],
        };
        let direction = match kind {
            // Out of the half-space.
            0 => times((ends[0].rotation * Vector3::y()).into(), -1.0),
            _ => random.direction(),
        };
        // From where a point of both is the same at a time.
        let time = random.share();
        let [from, to] =
            placed.movers.map(|mover| mover.at(time) * Point3::from(mover.form.inner_point()));
        let placed = placed.shifted((from - to).into());
        let away = placed.grazing_distance(direction)?;
        Some(placed.shifted(times(direction, away * (1.0 + share))).rounded::<T>())
    }

    fn shifted(self, by: V) -> Graze {
        Graze { movers: [self.movers[0], self.movers[1].shifted(by)], ..self }
    }

    fn rounded<T: Scalar>(self) -> Graze {
        Graze { movers: self.movers.map(Mover::rounded::<T>), ..self }
    }

    /// Computes the distance beyond the margin at a time; below zero where the two overlap or are
    /// within the margin.
    pub fn distance(&self, time: f64) -> f64 {
        self.formula(time) - self.margin
    }

    fn formula(&self, time: f64) -> f64 {
        let [first, second] = self.movers.map(|mover| mover.at(time));
        let relative = first.inverse() * second;
        let seen = |p: V| -> V { (relative * Point3::from(p)).coords.into() };
        match (self.movers[0].form, self.movers[1].form) {
            (Form::Ball { center, radius }, Form::HalfSpace) => {
                (relative.inverse() * Point3::from(center)).y - radius
            }
            (Form::Ball { center, radius }, Form::Ball { center: other, radius: and }) => {
                norm(minus(seen(other), center)) - radius - and
            }
            (Form::Capsule { core, radius }, Form::Ball { center, radius: and }) => {
                point_segment(seen(center), core) - radius - and
            }
            (Form::Capsule { core, radius }, Form::Capsule { core: other, radius: and }) => {
                segments(core, other.map(seen)) - radius - and
            }
            (Form::Block { half }, Form::Ball { center, radius }) => {
                outside_block(seen(center), half) - radius
            }
            (Form::Block { half }, Form::Block { half: other }) => {
                outside_block(relative.translation.vector.into(), plus(half, other))
            }
            (Form::Triangle { corners }, Form::Ball { center, radius }) => {
                point_triangle(seen(center), corners) - radius
            }
            other => unreachable!("no formula for {other:?}"),
        }
    }

    /// Computes the speed at which the two approach at a time, above zero also where they part.
    pub fn closing(&self, time: f64) -> f64 {
        let step = 1e-5;
        let [low, high] = [(time - step).max(0.0), (time + step).min(1.0)];
        ((self.distance(high) - self.distance(low)) / (high - low)).abs()
    }

    /// Returns the least distance up to a time, and its time: the least of samples, refined about
    /// each that is the least of its neighbours.
    pub fn least(&self, until: f64, samples: usize) -> (f64, f64) {
        let time = |sample: usize| until * sample as f64 / samples as f64;
        let at: Vec<f64> = (0..=samples).map(|sample| self.distance(time(sample))).collect();
        let mut least = (f64::MAX, 0.0);
        for sample in 0..=samples {
            let [low, high] = [sample.saturating_sub(1), (sample + 1).min(samples)];
            if at[sample] <= at[low] && at[sample] <= at[high] {
                let here = self.refined([time(low), time(high)], (at[sample], time(sample)));
                least = if here.0 < least.0 { here } else { least };
            }
        }
        least
    }

    /// Refines a minimum between two times by golden section.
    fn refined(&self, [mut low, mut high]: [f64; 2], mut least: (f64, f64)) -> (f64, f64) {
        const LESSER: f64 = 0.381_966_011_250_105_1;
        let [mut a, mut b] = [low + LESSER * (high - low), high - LESSER * (high - low)];
        let [mut f, mut g] = [self.distance(a), self.distance(b)];
        while high - low > 1e-8 {
            for one in [(f, a), (g, b)] {
                least = if one.0 < least.0 { one } else { least };
            }
            if f <= g {
                (high, b, g) = (b, a, f);
                a = low + LESSER * (high - low);
                f = self.distance(a);
            } else {
                (low, a, f) = (a, b, g);
                b = high - LESSER * (high - low);
                g = self.distance(b);
            }
        }
        least
    }

    /// Returns how far along a direction the second has to be moved for the two to graze: from
    /// where they overlap, to where the least distance is zero.
    fn grazing_distance(&self, direction: V) -> Option<f64> {
        const SAMPLES: usize = 24;
        let least = |away: f64| self.shifted(times(direction, away)).least(1.0, SAMPLES).0;
        let (mut low, mut high) = ((0.0, least(0.0)), (8.0, least(8.0)));
        if low.1 >= 0.0 || high.1 <= 0.0 {
            return None;
        }
        // False position (Illinois).
        let mut side = 0;
        for _ in 0..40 {
            let away = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            let here = least(away);
            if here.abs() < 1e-14 || high.0 - low.0 < 1e-14 {
                return Some(away);
            }
            if here < 0.0 {
                low = (away, here);
                high.1 *= if side == -1 { 0.5 } else { 1.0 };
                side = -1;
            } else {
                high = (away, here);
                low.1 *= if side == 1 { 0.5 } else { 1.0 };
                side = 1;
            }
        }
        Some(low.0)
    }
}

/// Returns the distance of two segments: that of the lines if both closest points are between the
/// ends, else that of an end.
fn segments(p: [V; 2], q: [V; 2]) -> f64 {
    let (u, v, w) = (minus(p[1], p[0]), minus(q[1], q[0]), minus(q[0], p[0]));
    let normal = outer(u, v);
    let squared = inner(normal, normal);
    let shares = [v, u].map(|along| inner(outer(w, along), normal) / squared);
    if shares.iter().all(|share| (0.0..=1.0).contains(share)) {
        return inner(w, normal).abs() / squared.sqrt();
    }
    let of_p = p.map(|end| point_segment(end, q));
    let of_q = q.map(|end| point_segment(end, p));
    of_p.into_iter().chain(of_q).fold(f64::MAX, f64::min)
}

/// Returns the distance of a point from a block about the origin; below zero inside.
fn outside_block(p: V, half: V) -> f64 {
    let beyond: V = std::array::from_fn(|i| p[i].abs() - half[i]);
    let inside = beyond.iter().fold(f64::MIN, |most, &x| most.max(x)).min(0.0);
    norm(beyond.map(|x| x.max(0.0))) + inside
}
