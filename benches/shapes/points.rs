//! Distances of points to shapes; half-spaces against shapes.

use boxwood::nalgebra::Point3;
use boxwood::shape::{Capsule, Obb, Plane, Sphere, Triangle};
use criterion::Criterion;

use crate::support::measure::{cases, compare_predicates, compare_values};
use crate::support::peer::solids::{self as peer, InParry, Placed, Vector};
use crate::support::shape_pairs;

const PEER: &str = "parry3d";

type Cases<S> = Vec<(S, Point3<f32>)>;
type Others<S> = Vec<(Placed<<S as InParry>::Shape>, Vector)>;

fn there<S: InParry>(mine: &Cases<S>) -> Others<S> {
    mine.iter().map(|(shape, at)| (shape.in_parry(), peer::point(*at))).collect()
}

/// Distance to the closest point of the shape.
macro_rules! nearest {
    ($criterion:ident, $name:literal, $mine:expr, $theirs:expr) => {
        compare_values(
            $criterion,
            ($name, PEER),
            ($mine, $theirs),
            |(shape, at)| Some((shape.closest_point(*at) - at).norm()),
            |(shape, at)| Some(peer::to_point(shape, *at)),
        )
    };
}

pub fn points(criterion: &mut Criterion) {
    let mine: Cases<Capsule<f32>> = shape_pairs::with_points(cases());
    let theirs = there(&mine);
    nearest!(criterion, "point nearest in a capsule", &mine, &theirs);
    compare_predicates(
        criterion,
        ("point in a capsule", PEER),
        (&mine, &theirs),
        |(shape, at)| shape.contains(*at),
        |(shape, at)| peer::contains(shape, *at),
    );
    let mine: Cases<Triangle<f32>> = shape_pairs::with_points(cases());
    nearest!(criterion, "point nearest on a triangle", &mine, &there(&mine));
    let mine: Cases<Obb<f32>> = shape_pairs::with_points(cases());
    nearest!(criterion, "point nearest in a turned box", &mine, &there(&mine));
}

/// Half-space against shape, by the shape's extent along the normal.
pub fn half_spaces(criterion: &mut Criterion) {
    let mine: Vec<(Plane<f32>, Obb<f32>)> = shape_pairs::with_planes(cases());
    compare_predicates(
        criterion,
        ("turned box and half-space", PEER),
        (&mine, &peer::pairs(&mine)),
        |(plane, solid)| plane.overlaps(solid),
        |(plane, solid)| peer::intersects(plane, solid),
    );
    let mine: Vec<(Plane<f32>, Sphere<f32, 3>)> = shape_pairs::with_planes(cases());
    compare_predicates(
        criterion,
        ("ball and half-space", PEER),
        (&mine, &peer::pairs(&mine)),
        |(plane, ball)| plane.overlaps(ball),
        |(plane, ball)| peer::intersects(plane, ball),
    );
}
