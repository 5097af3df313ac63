//! Query shapes placed at a gap from a point.

use boxwood::scene::QueryShape;
use boxwood::shape::{Aabb, Capsule, Frustum, Plane, Segment, Sphere, pose};

use support::prelude::*;
use support::random_parts::solid;

pub const KINDS: usize = 7;
pub const NAMES: [&str; KINDS] =
    ["point", "sphere", "capsule", "aabb", "obb", "half-space", "frustum"];

/// Returns a query shape of about `size` that begins `gap` beyond `at` along a direction, and a
/// point of it; none of a half-space.
pub fn region<T: Scalar>(
    (kind, odd): (usize, bool),
    (at, way, gap, size): (V, V, f64, f64),
    random: &mut Random,
) -> (QueryShape<T>, Option<V>) {
    let point = |p: V| Point3::from(p.map(T::nearest));
    let wide = |p: Point3<T>| -> V { std::array::from_fn(|i| p[i].wide()) };
    let start = plus(at, times(way, gap));
    let mut length =
        || if odd && random.chance(0.5) { 0.0 } else { size * random.decade(-1.0, 0.0) };
    match kind {
        0 => {
            let p = point(start);
            (p.into(), Some(wide(p)))
        }
        1 => {
            let radius = length();
            let center = point(plus(start, times(way, radius)));
            let ball = Sphere::new(center, T::nearest(radius)).expect("a ball");
            (ball.into(), Some(wide(center)))
        }
        2 => {
            let (radius, far) = (length(), length());
            let a = plus(start, times(way, radius));
            let b = plus(a, times(plus(way, times(random.direction(), 0.9)), far));
            let segment = Segment::new(point(a), point(b)).expect("ends");
            let body = Capsule::new(segment, T::nearest(radius)).expect("a capsule");
            (body.into(), Some(wide(segment.a())))
        }
        3 => {
            let end: V = std::array::from_fn(|i| {
                start[i] + length() * if way[i] < 0.0 { -1.0 } else { 1.0 }
            });
            let bounds = Aabb::from_points([point(start), point(end)]);
            (bounds.into(), Some(PlainBox::of_aabb(&bounds).center))
        }
        4 => {
            let half: V = std::array::from_fn(|_| length());
            let axes = random.rotation();
            let center = (0..3).fold(start, |p, i| {
                plus(
                    p,
                    times(axes[i], half[i] * if inner(axes[i], way) < 0.0 { -1.0 } else { 1.0 }),
                )
            });
            let one = solid::<T>(center, &axes, half);
            (one.into(), Some(wide(one.center())))
        }
        5 => {
            let normal = Vector3::from(times(way, -1.0)).map(T::nearest);
            let offset = T::nearest(normal.map(T::wide).dot(&Vector3::from(start)));
            (Plane::new(Unit::new_unchecked(normal), offset).expect("a plane").into(), None)
        }
        _ => {
            let aside = if way[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let x = outer(aside, way);
            let x = times(x, 1.0 / norm(x));
            let y = outer(times(way, -1.0), x);
            let axes = Matrix3::from_columns(&[x, y, times(way, -1.0)].map(Vector3::from));
            let near = if odd { 0.0 } else { size * random.decade(-1.0, 0.0) };
            let eye = minus(start, times(way, near)).map(T::nearest);
            let eye = pose::from_axes(&axes.map(T::nearest), eye).expect("a pose");
            let depths = [near, near + size * random.decade(-1.0, 0.0)];
            let tangents = [random.decade(-1.0, 0.0), random.decade(-1.0, 0.0)];
            let frustum = Frustum::of_eye(&eye, tangents, depths).expect("a frustum");
            let corners = frustum.corners().map(wide);
            let middle: V = std::array::from_fn(|i| corners.iter().map(|p| p[i] / 8.0).sum());
            (frustum.into(), Some(middle))
        }
    }
}
