//! The documented table of pairs lists exactly the queries that exist.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use boxwood::pair::{ClosestPointsQuery, ContactQuery, IntersectsQuery, RayCastQuery};
use boxwood::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Dop8, Dop14, Dop18, Ellipsoid, Frustum, Obb, Plane,
    Polygon3, Ray, Segment,
};
use boxwood::shape::{SpaceDop8, Sphere, Triangle};

/// Detects a trait implementation at compile time: an inherent constant, where its bounds hold,
/// goes before that of a trait.
struct Asked<A, B>(PhantomData<(A, B)>);

trait NotImplemented {
    const OVERLAP: bool = false;
    const NEAREST: bool = false;
    const CONTACT: bool = false;
    const CAST: bool = false;
}

impl<X> NotImplemented for X {}

impl<A: IntersectsQuery<B>, B> Asked<A, B> {
    const OVERLAP: bool = true;
}
impl<A: ClosestPointsQuery<B>, B> Asked<A, B> {
    const NEAREST: bool = true;
}
impl<A: ContactQuery<B>, B> Asked<A, B> {
    const CONTACT: bool = true;
}
impl<A: RayCastQuery<B>, B> Asked<A, B> {
    const CAST: bool = true;
}

type Row = (String, String, [bool; 3]);

macro_rules! existing {
    ($($a:ident $first:ty;)*; $all:tt) => {{
        let mut rows: BTreeSet<Row> = BTreeSet::new();
        $(existing!(@with rows, $a, $first, $all);)*
        rows
    }};
    (@with $rows:ident, $a:ident, $first:ty, [$($b:ident $second:ty;)*]) => {$(
        let asked = [
            Asked::<$first, $second>::OVERLAP,
            Asked::<$first, $second>::NEAREST,
            Asked::<$first, $second>::CONTACT,
        ];
        let back = [
            Asked::<$second, $first>::OVERLAP,
            Asked::<$second, $first>::NEAREST,
            Asked::<$second, $first>::CONTACT,
        ];
        assert_eq!(asked, back, "{} and {} differ", stringify!($a), stringify!($b));
        if asked.contains(&true) {
            let mut names = [stringify!($a), stringify!($b)];
            names.sort_unstable();
            $rows.insert((names[0].to_owned(), names[1].to_owned(), asked));
        }
    )*};
}

macro_rules! kinds {
    ($go:ident) => {
        $go! {
            sphere Sphere<f32, 3>; capsule Capsule<f32>; segment Segment<f32>; triangle Triangle<f32>;
            aabb Aabb<f32, 3>; obb Obb<f32>; plane Plane<f32>; ray Ray<f32>;
            frustum Frustum<f32>; polygon Polygon3<f32>;
            cylinder Cylinder<f32>; ellipsoid Ellipsoid<f32>; hull ConvexHull<f32>;
            kdop Dop14<f32>; kdop Dop18<f32>; kdop SpaceDop8<f32>;;
            [sphere Sphere<f32, 3>; capsule Capsule<f32>; segment Segment<f32>; triangle Triangle<f32>;
            aabb Aabb<f32, 3>; obb Obb<f32>; plane Plane<f32>; ray Ray<f32>;
            frustum Frustum<f32>; polygon Polygon3<f32>;
            cylinder Cylinder<f32>; ellipsoid Ellipsoid<f32>; hull ConvexHull<f32>;
            kdop Dop14<f32>; kdop Dop18<f32>; kdop SpaceDop8<f32>;]
        }
    };
}

macro_rules! cast {
    ($($a:ident $kind:ty;)*; $all:tt) => {{
        let all = [$((stringify!($a), Asked::<Ray<f32>, $kind>::CAST)),*];
        all.iter().filter(|(_, exists)| *exists).map(|(name, _)| (*name).to_owned()).collect()
    }};
}

/// The rows of the tables in the documentation, cell by cell.
fn rows() -> Vec<Vec<String>> {
    let source = include_str!("../../../src/pair/mod.rs");
    let lines = source.lines().filter_map(|line| line.strip_prefix("//! |"));
    let cells =
        |line: &str| line.trim_end_matches('|').split('|').map(|c| c.trim().to_owned()).collect();
    lines.map(cells).collect()
}

#[test]
fn the_table_lists_the_pairs_there_are() {
    let mut answer = BTreeSet::new();
    for row in rows().iter().filter(|row| row.len() == 4 && row[0].contains(", ")) {
        let mut names: Vec<&str> = row[0].split(", ").collect();
        names.sort_unstable();
        let asked = [1, 2, 3].map(|i| row[i] != "-");
        assert!(answer.insert((names[0].to_owned(), names[1].to_owned(), asked)), "twice: {row:?}");
    }
    let there: BTreeSet<Row> = kinds!(existing);
    assert_eq!(there.len(), 91, "{there:?}");
    assert_eq!(answer, there);
}

#[test]
fn the_table_lists_the_shapes_with_ray_casts() {
    let short = rows().into_iter().filter(|row| row.len() == 2);
    let answer: BTreeSet<String> =
        short.map(|row| row[0].clone()).filter(|name| !name.contains(['-', ' '])).collect();
    let mut there: BTreeSet<String> = kinds!(cast);
    let more = cast! {
        dop8 Dop8<f32>;;
        []
    };
    there.extend::<BTreeSet<String>>(more);
    assert_eq!(there.len(), 12);
    assert_eq!(answer, there);
}
