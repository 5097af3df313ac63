//! Upright cylinders against convex brushes, decided in integers.
//!
//! A brush is the intersection of half-spaces `n.x <= o`, numbers as stored, `n` of any length. Its
//! corners are fractions: triples of planes by Cramer's rule, kept if no plane cuts them off. The
//! slice between the heights of the cylinder is projected along z; the cylinder and the brush share
//! a point iff the axis is at most the radius from the convex hull of the projection. Squares of
//! fractions are compared, nothing is rounded, and no planes and arcs of offset bodies are used.
//!
//! Every number is homogeneous: a point is `(x, y, z, w)` with `w > 0`, and no fraction is reduced.

use std::cmp::Ordering::{self, Equal, Greater, Less};

use num_bigint::{BigInt, Sign};

use crate::cylinder_distance::{Corners, HalfSpace, below_convex, hull_distance};
use crate::exact_boxes::{range, split, whole};
use crate::exact_corners::corners;
use crate::plain_box::{V, plus, times};
use crate::rational_points::W;

/// Relation of two closed solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Sharing no point.
    Apart,
    /// Sharing points, but no inner point of the brush is in the cylinder, or only on its surface.
    Touching,
    /// An inner point of the brush is inside the cylinder (for radius or half height 0: in it).
    Overlapping,
}

/// Upright cylinder whose radius and half height are exact sums: `radius + growth` and `half_height
/// + growth`, both at least 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grown {
    pub radius: f64,
    pub half_height: f64,
    pub growth: f64,
}

/// Point `start + time * way`, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Centre {
    pub start: V,
    pub way: V,
    pub time: f64,
}

impl Centre {
    pub fn at(start: V) -> Centre {
        Centre { start, way: [0.0; 3], time: 0.0 }
    }

    /// Returns the power of two of which all coordinates are multiples.
    fn low(&self) -> i32 {
        let way = range(self.way.iter()).0 + split(self.time).1;
        range(self.start.iter()).0.min(way)
    }

    /// Returns the coordinates in units of `2^low`.
    fn whole(&self, low: i32) -> W {
        let (time, unit) = (split(self.time).1, low - split(self.time).1);
        let moved =
            |k: usize| whole::<BigInt>(self.way[k], unit) * whole::<BigInt>(self.time, time);
        std::array::from_fn(|k| whole::<BigInt>(self.start[k], low) + moved(k))
    }

    fn rounded(&self) -> V {
        plus(self.start, times(self.way, self.time))
    }
}

/// Bounded brush with inner points, by the exact corners of its planes.
#[derive(Clone, Debug)]
pub struct ExactBrush {
    /// Corners `x, y, z, w`, in units of 1.
    corners: Vec<[BigInt; 4]>,
    /// All edges and some diagonals of faces, by their ends.
    edges: Vec<(usize, usize)>,
    rounded: Corners,
    /// `true` if rounded numbers decide the cases that are beyond their error.
    pub filter: bool,
}

/// Bound on the rounding of the filter, as a fraction of all sizes: a million times the actual
/// rounding.
const DOUBT: f64 = 1e-9;

impl ExactBrush {
    /// Computes the corners; `None` if the half-spaces share no point. They must be bounded, and
    /// may be redundant.
    pub fn new(planes: &[HalfSpace]) -> Option<ExactBrush> {
        let (corners, tight) = corners(planes);
        let shared = |i: usize, j: usize| {
            tight[i].iter().filter(|plane| tight[j].contains(plane)).count() >= 2
        };
        let rounded = Corners::new(corners.iter().map(rounded_point).collect(), shared)?;
        Some(ExactBrush { corners, edges: rounded.edges.clone(), rounded, filter: true })
    }

    /// Returns the corners, each once, correctly rounded to a few units in the last place.
    pub fn corners(&self) -> &[V] {
        &self.rounded.points
    }

    /// Returns the relation of the cylinder and the brush, exactly.
    pub fn relation(&self, cylinder: &Grown, centre: &Centre) -> Relation {
        let sure = if self.filter { self.beyond_doubt(cylinder, centre) } else { None };
        sure.unwrap_or_else(|| self.exactly(cylinder, centre))
    }

    /// Returns the verdict of rounded numbers: a cylinder larger by the error is separate, or a
    /// smaller one overlaps.
    ///
    /// Rounded corners and cuts differ from exact ones by far less than the error, except for their
    /// heights: an edge that is nearly level is cut far from the true position, as if cut at a
    /// height off by rounding. So the error is added to the heights too.
    fn beyond_doubt(&self, cylinder: &Grown, centre: &Centre) -> Option<Relation> {
        let (radius, half) =
            (cylinder.radius + cylinder.growth, cylinder.half_height + cylinder.growth);
        let c = centre.rounded();
        let way = centre.way.iter().chain(&centre.start).fold(0.0, |m: f64, x| m.max(x.abs()));
        let sizes = self.rounded.size + way * (1.0 + centre.time.abs());
        let doubt = DOUBT * (sizes + radius + half);
        let distance = |half: f64| {
            let cut = self.rounded.cut(c[2] - half, c[2] + half);
            hull_distance(cut, [c[0], c[1]])
        };
        if distance(half + doubt) > radius + doubt {
            return Some(Relation::Apart);
        }
        let deep = half > doubt && radius > doubt && distance(half - doubt) < radius - doubt;
        deep.then_some(Relation::Overlapping)
    }

    fn exactly(&self, cylinder: &Grown, centre: &Centre) -> Relation {
        let sizes = [cylinder.radius, cylinder.half_height, cylinder.growth];
        let low = centre.low().min(range(sizes.iter()).0).min(0);
        let [radius, half, growth] = sizes.map(|size| whole::<BigInt>(size, low));
        let (radius, half) = (radius + &growth, half + growth);
        let none = BigInt::from(0);
        assert!(radius >= none && half >= none, "a cylinder of negative size: {cylinder:?}");
        let axis = centre.whole(low);
        let Some((cut, inner)) = self.cut(&axis, &half, -low) else { return Relation::Apart };
        match distance_to_hull(cut, &radius) {
            Greater => Relation::Apart,
            Less if inner => Relation::Overlapping,
            _ => Relation::Touching,
        }
    }

    /// Returns the projected corners, relative to the axis, of the slice between the heights, and
    /// `true` if inner points are in it; in units of `2^-shift`.
    fn cut(&self, axis: &W, half: &BigInt, shift: i32) -> Option<(Vec<Flat>, bool)> {
        let (bottom, top) = (&axis[2] - half, &axis[2] + half);
        let place = |[x, y, z, w]: &[BigInt; 4]| {
            let z = z << shift;
            let plan = [(x << shift) - &axis[0] * w, (y << shift) - &axis[1] * w, w.clone()];
            (plan, [&z - &bottom * w, &z - &top * w])
        };
        let placed: Vec<(Flat, [BigInt; 2])> = self.corners.iter().map(place).collect();
        let signs: Vec<[Sign; 2]> = placed.iter().map(|p| [p.1[0].sign(), p.1[1].sign()]).collect();
        let all = |end: usize, sign: Sign| signs.iter().all(|s| s[end] == sign);
        if all(0, Sign::Minus) || all(1, Sign::Plus) {
            return None;
        }
        let some = |end: usize, sign: Sign| signs.iter().any(|s| s[end] == sign);
        let inner = some(0, Sign::Plus) && some(1, Sign::Minus);
        let between = |s: &[Sign; 2]| s[0] != Sign::Minus && s[1] != Sign::Plus;
        let inside = placed.iter().zip(&signs).filter(|(_, s)| between(s));
        let mut cut: Vec<Flat> = inside.map(|(p, _)| p.0.clone()).collect();
        for &(i, j) in &self.edges {
            for end in [0, 1] {
                let crosses = [(Sign::Minus, Sign::Plus), (Sign::Plus, Sign::Minus)];
                if crosses.contains(&(signs[i][end], signs[j][end])) {
                    let (s, t) = (magnitude(&placed[i].1[end]), magnitude(&placed[j].1[end]));
                    let mixed = |k: usize| &placed[i].0[k] * &t + &placed[j].0[k] * &s;
                    cut.push(std::array::from_fn(mixed));
                }
            }
        }
        Some((cut, inner))
    }

    /// Computes the times at which the way first touches the brush: the last one found separate and
    /// the first one found touching, as close as bisection brings them. `None` if no time in
    /// `0..=1` was found to touch.
    ///
    /// The horizontal distance is a convex function of time while both share heights; its minimum
    /// is found by thirds in rounded numbers. Verdicts are exact.
    pub fn time_of_impact(&self, cylinder: &Grown, start: V, way: V) -> Option<[f64; 2]> {
        let touches =
            |time: f64| self.relation(cylinder, &Centre { start, way, time }) != Relation::Apart;
        if touches(0.0) {
            return Some([0.0, 0.0]);
        }
        let mut times = [0.0, self.touching_time(cylinder, start, way, touches)?];
        loop {
            let middle = 0.5 * (times[0] + times[1]);
            if middle <= times[0] || middle >= times[1] || times[1] - times[0] < 1e-15 {
                return Some(times);
            }
            times[usize::from(touches(middle))] = middle;
        }
    }

    /// Returns a time at which they touch.
    fn touching_time(
        &self,
        cylinder: &Grown,
        start: V,
        way: V,
        touches: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        let (radius, half) =
            (cylinder.radius + cylinder.growth, cylinder.half_height + cylinder.growth);
        let doubt = DOUBT * (self.rounded.size + start.iter().chain(&way).fold(1.0, most) + half);
        let (low, high) = (self.rounded.low - half - start[2], self.rounded.high + half - start[2]);
        let mut ends = [0.0, 1.0];
        if way[2] == 0.0 {
            if low > doubt || high < -doubt {
                return None;
            }
        } else {
            let (a, b) = (low / way[2], high / way[2]);
            ends = [a.min(b).max(0.0), a.max(b).min(1.0)];
            // They share heights before the way or after it, or at its end by rounding.
            if ends[0] > ends[1] {
                return touches(1.0).then_some(1.0);
            }
        }
        let distance = |time: f64| {
            let c = plus(start, times(way, time));
            let cut = self.rounded.cut(c[2] - half - doubt, c[2] + half + doubt);
            hull_distance(cut, [c[0], c[1]])
        };
        let near = |far: f64, time: f64| far <= radius + doubt && touches(time);
        let mut outer = ends.map(distance);
        if let Some(end) = (0..2).find(|&end| near(outer[end], ends[end])) {
            return Some(ends[end]);
        }
        for _ in 0..120 {
            let third = (ends[1] - ends[0]) / 3.0;
            let times = [ends[0] + third, ends[1] - third];
            let inner = times.map(distance);
            if let Some(place) = (0..2).find(|&place| near(inner[place], times[place])) {
                return Some(times[place]);
            }
            // Far more than the effect of rounding on the chords.
            let beyond = radius + doubt + 1e-3 * (outer[0] + outer[1]);
            if below_convex([outer[0], inner[0], inner[1], outer[1]]) > beyond {
                return None;
            }
            let nearer = usize::from(inner[0] < inner[1]);
            (ends[nearer], outer[nearer]) = (times[nearer], inner[nearer]);
        }
        None
    }
}

/// Returns `true` if the closed upright cylinder and the closed brush share a point. Exact.
///
/// ```
/// use support::exact_cylinder::overlaps;
///
/// let cube = [
///     ([1.0, 0.0, 0.0], 1.0), ([-1.0, 0.0, 0.0], 1.0), ([0.0, 1.0, 0.0], 1.0),
///     ([0.0, -1.0, 0.0], 1.0), ([0.0, 0.0, 1.0], 1.0), ([0.0, 0.0, -1.0], 1.0),
/// ];
/// assert!(overlaps(&cube, 0.5, 1.0, [1.5, 0.0, 2.0]));
/// assert!(!overlaps(&cube, 0.5, 1.0, [1.5f64.next_up(), 0.0, 2.0]));
/// ```
pub fn overlaps(planes: &[HalfSpace], radius: f64, half_height: f64, centre: V) -> bool {
    relation(planes, radius, half_height, 0.0, centre) != Relation::Apart
}

/// Returns `true` if the cylinder larger by `growth`, in radius and half height, contains inner
/// points of the brush: with `growth = g/2`, if the cylinder is nearer than `g/2`. Exact, including
/// the sums.
pub fn within(planes: &[HalfSpace], radius: f64, half_height: f64, centre: V, growth: f64) -> bool {
    relation(planes, radius, half_height, growth, centre) == Relation::Overlapping
}

/// Returns the relation of a cylinder larger by `growth` to a brush. Exact.
pub fn relation(
    planes: &[HalfSpace],
    radius: f64,
    half_height: f64,
    growth: f64,
    centre: V,
) -> Relation {
    let grown = Grown { radius, half_height, growth };
    let brush = ExactBrush::new(planes);
    brush.map_or(Relation::Apart, |brush| brush.relation(&grown, &Centre::at(centre)))
}

/// Point of the plane: `x, y, w`.
type Flat = [BigInt; 3];

fn most(a: f64, b: &f64) -> f64 {
    a.max(b.abs())
}

fn magnitude(x: &BigInt) -> BigInt {
    if x.sign() == Sign::Minus { -x } else { x.clone() }
}

fn rounded_point([x, y, z, w]: &[BigInt; 4]) -> V {
    [x, y, z].map(|c| ratio(c, w))
}

/// Returns `a / b` for `b > 0`, rounded.
pub fn ratio(a: &BigInt, b: &BigInt) -> f64 {
    let leading = |x: &BigInt| {
        let extra = x.bits().saturating_sub(64) as i32;
        let digits = magnitude(x) >> extra;
        (digits.iter_u64_digits().next().unwrap_or(0) as f64, extra)
    };
    let ((p, above), (q, below)) = (leading(a), leading(b));
    let size = p / q * f64::powi(2.0, above - below);
    if a.sign() == Sign::Minus { -size } else { size }
}

/// Returns the sign of the area of a triangle of the plane.
fn turn([ax, ay, aw]: &Flat, [bx, by, bw]: &Flat, [cx, cy, cw]: &Flat) -> Sign {
    let area = ax * (by * cw - cy * bw) - ay * (bx * cw - cx * bw) + aw * (bx * cy - cx * by);
    area.sign()
}

/// Returns the corners of the convex hull, counter-clockwise, none on an edge (Andrew 1979).
fn hull(mut points: Vec<Flat>) -> Vec<Flat> {
    let order = |a: &Flat, b: &Flat| {
        let along = |k: usize| (&a[k] * &b[2]).cmp(&(&b[k] * &a[2]));
        along(0).then_with(|| along(1))
    };
    points.sort_by(order);
    points.dedup_by(|a, b| order(a, b) == Equal);
    if points.len() < 3 {
        return points;
    }
    let half = |order: &mut dyn Iterator<Item = &Flat>| {
        let mut chain: Vec<Flat> = Vec::new();
        for p in order {
            let dent = |chain: &[Flat]| matches!(chain, [.., a, b] if turn(a, b, p) != Sign::Plus);
            while dent(&chain) {
                chain.pop();
            }
            chain.push(p.clone());
        }
        chain.pop();
        chain
    };
    let mut corners = half(&mut points.iter());
    corners.extend(half(&mut points.iter().rev()));
    corners
}

/// Compares the distance of the origin from the hull of points with the radius; an origin strictly
/// inside is nearer than any.
fn distance_to_hull(points: Vec<Flat>, radius: &BigInt) -> Ordering {
    let corners = hull(points);
    let ends = |i: usize| (&corners[i], &corners[(i + 1) % corners.len()]);
    let side = |(a, b): (&Flat, &Flat)| (&a[0] * &b[1] - &b[0] * &a[1]).sign();
    let sides = || (0..corners.len()).map(|i| side(ends(i)));
    if corners.len() > 2 && sides().all(|side| side != Sign::Minus) {
        let inner = sides().all(|side| side == Sign::Plus) || radius.sign() == Sign::Plus;
        return if inner { Less } else { Equal };
    }
    let squares = |i: usize| compare_edge(ends(i), radius);
    (0..corners.len()).map(squares).min().unwrap_or(Greater)
}

/// Compares the distance of the origin from a segment with the radius.
fn compare_edge((a, b): (&Flat, &Flat), radius: &BigInt) -> Ordering {
    let along: [BigInt; 2] = std::array::from_fn(|k| &b[k] * &a[2] - &a[k] * &b[2]);
    let rise = |p: &Flat| (&p[0] * &along[0] + &p[1] * &along[1]).sign();
    let square = radius * radius;
    if rise(a) == Sign::Minus && rise(b) == Sign::Plus {
        let area = &a[0] * &b[1] - &b[0] * &a[1];
        let length = &along[0] * &along[0] + &along[1] * &along[1];
        return (&area * &area).cmp(&(square * length));
    }
    let corner = |p: &Flat| (&p[0] * &p[0] + &p[1] * &p[1]).cmp(&(&square * &p[2] * &p[2]));
    corner(a).min(corner(b))
}
