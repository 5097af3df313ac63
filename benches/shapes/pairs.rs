//! Every pair of shapes: intersection, distance, closest points, contact; against half-spaces; and
//! rays. A third of the pairs are disjoint, a third overlap, a third have parallel edges.

use boxwood::pair::{ClosestPointsQuery, Contact, ContactQuery, IntersectsQuery, RayCastQuery};
use boxwood::shape::{Aabb, Capsule, Obb, Plane, Ray, Segment, Sphere, Triangle};
use criterion::Criterion;

use crate::support::measure::{cases, compare_predicates, compare_values};
use crate::support::peer::solids::{self as peer, InParry};
use crate::support::shape_pairs::{self, Solid};

const PEER: &str = "parry3d";

/// Pairs of two kinds: intersection, distance and closest points.
fn at_rest<A, B>(criterion: &mut Criterion) -> (Vec<(A, B)>, String)
where
    A: Solid + InParry + IntersectsQuery<B> + ClosestPointsQuery<B, Scalar = f32>,
    B: Solid + InParry,
{
    let (mine, name) = (shape_pairs::pairs::<A, B>(cases()), format!("{} {}", A::NAME, B::NAME));
    let theirs = peer::pairs(&mine);
    let all = (&mine[..], &theirs[..]);
    compare_predicates(
        criterion,
        (&format!("{name}: intersects"), PEER),
        all,
        |(a, b)| IntersectsQuery::intersects(a, b),
        |(a, b)| peer::intersects(a, b),
    );
    compare_values(
        criterion,
        (&format!("{name}: distance"), PEER),
        all,
        |(a, b)| Some(ClosestPointsQuery::distance(a, b)),
        |(a, b)| Some(peer::distance(a, b)),
    );
    let apart = |(a, b): &(A, B)| {
        let found = ClosestPointsQuery::closest_points(a, b);
        Some((found.on_a - found.on_b).norm())
    };
    compare_values(criterion, (&format!("{name}: closest_points"), PEER), all, apart, |(a, b)| {
        Some(peer::closest(a, b))
    });
    (mine, name)
}

/// Contacts of the pairs that have a contact query.
fn contacts<A, B>(criterion: &mut Criterion, (mine, name): (Vec<(A, B)>, String))
where
    A: InParry + ContactQuery<B, Answer = Contact<f32>>,
    B: InParry,
{
    let theirs = peer::pairs(&mine);
    compare_values(
        criterion,
        (&format!("{name}: contact"), PEER),
        (&mine, &theirs),
        |(a, b)| ContactQuery::contact(a, b).map(|touch| touch.depth),
        |(a, b)| peer::contact(a, b),
    );
}

pub fn pairs(criterion: &mut Criterion) {
    type Ball = Sphere<f32, 3>;
    type Capsule_ = Capsule<f32>;
    type Triangle_ = Triangle<f32>;
    type Segment_ = Segment<f32>;
    type Aabb_ = Aabb<f32, 3>;
    type Obb_ = Obb<f32>;
    macro_rules! all {
        ($($a:ty, $b:ty $(: $contact:ident)?;)*) => {$({
            let _asked = at_rest::<$a, $b>(criterion);
            $($contact(criterion, _asked);)?
        })*};
    }
    all! {
        Ball, Ball: contacts;
        Ball, Capsule_: contacts;
        Ball, Segment_;
        Ball, Triangle_: contacts;
        Ball, Aabb_: contacts;
        Ball, Obb_: contacts;
        Capsule_, Capsule_: contacts;
        Capsule_, Segment_;
        Capsule_, Triangle_: contacts;
        Capsule_, Aabb_: contacts;
        Capsule_, Obb_: contacts;
        Segment_, Segment_;
        Segment_, Triangle_;
        Segment_, Aabb_;
        Segment_, Obb_;
        Triangle_, Triangle_;
        Triangle_, Aabb_;
        Triangle_, Obb_;
        Aabb_, Aabb_;
        Aabb_, Obb_;
        Obb_, Obb_;
    }
}

/// A shape against a half-space whose plane is near it.
fn with_plane<S>(criterion: &mut Criterion)
where
    S: Solid + InParry + ClosestPointsQuery<Plane<f32>, Scalar = f32>,
    Plane<f32>: IntersectsQuery<S> + ContactQuery<S, Answer = Contact<f32>>,
{
    let (mine, name) = (shape_pairs::with_planes::<S>(cases()), format!("Plane {}", S::NAME));
    let theirs = peer::pairs(&mine);
    let all = (&mine[..], &theirs[..]);
    compare_predicates(
        criterion,
        (&format!("{name}: intersects"), PEER),
        all,
        |(a, b)| IntersectsQuery::intersects(a, b),
        |(a, b)| peer::intersects(a, b),
    );
    compare_values(
        criterion,
        (&format!("{name}: distance"), PEER),
        all,
        |(a, b)| Some(ClosestPointsQuery::distance(b, a)),
        |(a, b)| Some(peer::distance(a, b)),
    );
    contacts(criterion, (mine, name));
}

pub fn planes(criterion: &mut Criterion) {
    with_plane::<Sphere<f32, 3>>(criterion);
    with_plane::<Capsule<f32>>(criterion);
    with_plane::<Segment<f32>>(criterion);
    with_plane::<Triangle<f32>>(criterion);
    with_plane::<Aabb<f32, 3>>(criterion);
    with_plane::<Obb<f32>>(criterion);
}

/// Rays, each at one shape.
fn cast<S>(criterion: &mut Criterion, name: &str, mine: &[(Ray<f32>, S)])
where
    S: InParry,
    Ray<f32>: RayCastQuery<S, Scalar = f32>,
{
    let there = |(ray, shape): &(Ray<f32>, S)| (peer::ray(ray), shape.in_parry());
    let theirs: Vec<_> = mine.iter().map(there).collect();
    compare_values(
        criterion,
        (&format!("ray {name}"), PEER),
        (mine, &theirs),
        |(ray, shape)| RayCastQuery::cast(ray, shape).map(|hit| hit.distance),
        |(ray, shape)| peer::cast_ray(ray, shape),
    );
}

fn cast_at<S>(criterion: &mut Criterion)
where
    S: Solid + InParry,
    Ray<f32>: RayCastQuery<S, Scalar = f32>,
{
    cast(criterion, S::NAME, &shape_pairs::with_rays::<S>(cases()));
}

pub fn rays(criterion: &mut Criterion) {
    cast_at::<Sphere<f32, 3>>(criterion);
    cast_at::<Capsule<f32>>(criterion);
    cast_at::<Triangle<f32>>(criterion);
    cast_at::<Aabb<f32, 3>>(criterion);
    cast_at::<Obb<f32>>(criterion);
    cast(criterion, "Plane", &shape_pairs::rays_and_planes(cases()));
}
