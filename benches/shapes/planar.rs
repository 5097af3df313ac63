//! Shapes of the plane: every pair at rest and in sweeps, and points. Of eight pairs five are
//! disjoint, two overlap deeply, and one touches up to rounding, where the peer's verdicts differ.
//! The peer's own function for a pair, where there is one, is also timed, without dispatch.

use boxwood::pair::Sweep;
use boxwood::planar::{ConvexPolygon, Obb2, Shape};
use boxwood::shape::{Aabb, Sphere};
use criterion::Criterion;

use crate::support::measure::{cases, compare_predicates, compare_values};
use crate::support::peer::planar::{self as peer, InParry};
use crate::support::planar_pairs::{self, Flat};

const PEER: &str = "parry2d";

/// Calls a macro for each pair of kinds.
macro_rules! every_pair {
    ($asked:ident, $criterion:ident) => {
        every_pair! { $asked, $criterion:
            Obb2<f32>, Obb2<f32>;
            Obb2<f32>, ConvexPolygon<f32>;
            Obb2<f32>, Sphere<f32, 2>;
            Obb2<f32>, Aabb<f32, 2>;
            ConvexPolygon<f32>, ConvexPolygon<f32>;
            ConvexPolygon<f32>, Sphere<f32, 2>;
            ConvexPolygon<f32>, Aabb<f32, 2>;
            Sphere<f32, 2>, Sphere<f32, 2>;
            Sphere<f32, 2>, Aabb<f32, 2>;
            Aabb<f32, 2>, Aabb<f32, 2>;
        }
    };
    ($asked:ident, $criterion:ident: $($a:ty, $b:ty;)*) => {
        $($asked::<$a, $b>($criterion);)*
    };
}

fn pair_at_rest<A: Flat + InParry, B: Flat + InParry>(criterion: &mut Criterion) {
    let (mine, pair) =
        (planar_pairs::pairs::<A, B>(cases()), format!("planar {} {}", A::NAME, B::NAME));
    let theirs = peer::pairs(&mine);
    let all = (&mine[..], &theirs[..]);
    compare_predicates(
        criterion,
        (&format!("{pair}: intersects"), PEER),
        all,
        |(a, b)| Shape::intersects(a, b),
        |(a, b)| peer::intersects(a, b),
    );
    compare_values(
        criterion,
        (&format!("{pair}: distance"), PEER),
        all,
        |(a, b)| Some(Shape::distance(a, b)),
        |(a, b)| Some(peer::distance(a, b)),
    );
    compare_values(
        criterion,
        (&format!("{pair}: contact"), PEER),
        all,
        |(a, b)| Shape::contact(a, b).map(|contact| contact.depth),
        |(a, b)| peer::contact(a, b),
    );
}

pub fn at_rest(criterion: &mut Criterion) {
    every_pair!(pair_at_rest, criterion);
}

fn pair_on_the_way<A, B>(criterion: &mut Criterion)
where
    A: Flat + InParry + Sweep<f32, 2, B>,
    B: Flat + InParry,
{
    let mine = planar_pairs::moving::<A, B>(cases());
    let there = |(a, b, by): &planar_pairs::Moving<A, B>| {
        (a.in_parry(), b.in_parry(), by.map(peer::vector))
    };
    let theirs: Vec<_> = mine.iter().map(there).collect();
    compare_values(
        criterion,
        (&format!("planar {} {}: sweep", A::NAME, B::NAME), PEER),
        (&mine, &theirs),
        |(a, b, [p, q])| Some(a.sweep_both(*p, b, *q)?.time_of_impact),
        |(a, b, [p, q])| peer::cast((a, *p), (b, *q)),
    );
}

pub fn on_the_way(criterion: &mut Criterion) {
    every_pair!(pair_on_the_way, criterion);
}

/// Points near the shapes, half of them inside.
pub fn points(criterion: &mut Criterion) {
    macro_rules! asked {
        ($($kind:ty $(, $some:ident)?;)*) => {$({
            let mine = planar_pairs::with_points::<$kind>(cases());
            let there = |(of, at): &($kind, nalgebra::Point2<f32>)| {
                (of.in_parry(), peer::vector(at.coords))
            };
            let theirs: Vec<_> = mine.iter().map(there).collect();
            let name = <$kind>::NAME;
            compare_predicates(
                criterion,
                (&format!("planar point in {name}"), PEER),
                (&mine, &theirs),
                |(of, at)| of.contains(*at),
                |(of, at)| peer::contains(of, *at),
            );
            compare_values(
                criterion,
                (&format!("planar point nearest in {name}"), PEER),
                (&mine, &theirs),
                |(of, at)| Some((of.closest_point(*at)$(.$some("a sound box"))? - at).norm()),
                |(of, at)| Some(peer::to_point(of, *at)),
            );
        })*};
    }
    asked!(Obb2<f32>; ConvexPolygon<f32>; Sphere<f32, 2>; Aabb<f32, 2>, expect;);
}

/// Rows of the pairs for which the peer has a function of its own.
pub fn directly(criterion: &mut Criterion) {
    let mine = planar_pairs::pairs::<Obb2<f32>, Obb2<f32>>(cases());
    let theirs = peer::pairs(&mine);
    compare_predicates(
        criterion,
        ("planar Obb2 Obb2: intersects, directly", PEER),
        (&mine, &theirs),
        |(a, b)| a.intersects(b),
        |(a, b)| peer::cuboids_meet(a, b),
    );
    compare_values(
        criterion,
        ("planar Obb2 Obb2: distance, directly", PEER),
        (&mine, &theirs),
        |(a, b)| Some(a.distance(b)),
        |(a, b)| Some(peer::between_cuboids(a, b)),
    );
    let mine = planar_pairs::pairs::<Sphere<f32, 2>, Sphere<f32, 2>>(cases());
    let theirs: Vec<_> = mine.iter().map(|(a, b)| (peer::disc(a), peer::disc(b))).collect();
    compare_predicates(
        criterion,
        ("planar Circle Circle: intersects, directly", PEER),
        (&mine, &theirs),
        |(a, b)| Shape::intersects(a, b),
        |(a, b)| peer::discs_meet(a, b),
    );
    let mine = planar_pairs::pairs::<Aabb<f32, 2>, Aabb<f32, 2>>(cases());
    let theirs: Vec<_> = mine.iter().map(|(a, b)| (peer::bounds(a), peer::bounds(b))).collect();
    compare_predicates(
        criterion,
        ("planar Aabb Aabb: intersects, directly", PEER),
        (&mine, &theirs),
        |(a, b)| a.intersects(b),
        |(a, b)| peer::bounds_meet(a, b),
    );
}
