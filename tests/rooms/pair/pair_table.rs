//! The documented matrix of pairs lists exactly the queries that exist, and its legend every code.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use boxwood::pair::{
    ClosestPointsQuery, ContactQuery, IntersectsQuery, RayCastQuery, SeparatingAxisQuery,
};
use boxwood::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Dop8, Dop14, Dop18, Ellipsoid, Frustum, Obb, Plane,
    Polygon3, Ray, Segment,
};
use boxwood::shape::{SpaceDop8, Sphere, Triangle};

/// Detects trait implementations at compile time: an inherent constant whose bounds are satisfied
/// has priority over that of a trait.
struct Asked<A, B>(PhantomData<(A, B)>);

trait NotImplemented {
    const OVERLAP: bool = false;
    const NEAREST: bool = false;
    const CONTACT: bool = false;
    const CAST: bool = false;
    const AXIS: bool = false;
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

impl<A: SeparatingAxisQuery<B>, B> Asked<A, B> {
    const AXIS: bool = true;
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
        // A plane is its own axis.
        let is_bounded = stringify!($a) != "plane" && stringify!($b) != "plane";
        let axes = [Asked::<$first, $second>::AXIS, Asked::<$second, $first>::AXIS];
        let due = Asked::<$first, $second>::NEAREST && is_bounded;
        assert_eq!(axes, [due; 2], "axes of {} and {}", stringify!($a), stringify!($b));
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

/// Returns the rows below the head of the documented table whose first head cell is `head`.
fn table(head: &str) -> Vec<Vec<String>> {
    let source = include_str!("../../../src/pair/mod.rs");
    let cells = |line: &str| -> Vec<String> {
        line.trim_end().trim_end_matches('|').split('|').map(|c| c.trim().to_owned()).collect()
    };
    let lines = source.lines().map(|line| line.strip_prefix("//! |").map(cells));
    let below = lines.skip_while(|row| row.as_ref().is_none_or(|row| row[0] != head));
    below.map_while(|row| row).filter(|row| !row[0].starts_with("---")).collect()
}

/// Splits a code into the letters of its three queries; `None` for a query that does not exist.
fn letters(code: &str) -> [Option<char>; 3] {
    let letters: Vec<char> = code.chars().collect();
    let of_query: [fn(&char) -> bool; 3] =
        [char::is_ascii_uppercase, char::is_ascii_lowercase, char::is_ascii_digit];
    assert_eq!(letters.len(), 3, "{code} is no code");
    [0, 1, 2].map(|query| {
        let letter = letters[query];
        assert!(letter == '0' || of_query[query](&letter), "{code} is no code");
        (letter != '0').then_some(letter)
    })
}

#[test]
fn the_matrix_lists_exactly_the_existing_pairs() {
    let matrix = table("kind");
    let (mut answer, mut used) = (BTreeSet::new(), BTreeSet::new());
    assert_eq!(matrix[0].len(), matrix.len(), "a column for each row");
    for (i, row) in matrix[1..].iter().enumerate() {
        let (kind, codes) = (&row[0], &row[1..]);
        assert!(kind.starts_with(&matrix[0][i + 1]), "column {i} is not {kind}");
        assert_eq!(codes.len(), i + 1, "{kind} against all before it, and itself");
        for (cell, other) in codes.iter().zip(&matrix[1..]) {
            assert!(!cell.is_empty(), "{kind} and {}", other[0]);
            let mut names = [kind.clone(), other[0].clone()];
            names.sort_unstable();
            let [first, second] = names;
            for code in cell.split(' ') {
                let parsed = letters(code);
                used.extend(parsed.into_iter().flatten());
                let asked = parsed.map(|letter| letter.is_some());
                let row = (first.clone(), second.clone(), asked);
                assert!(!asked.contains(&true) || answer.insert(row), "twice: {kind}, {cell}");
            }
        }
    }
    let there: BTreeSet<Row> = kinds!(existing);
    assert_eq!(there.len(), 91, "{there:?}");
    assert_eq!(answer, there);

    let legend = table("code");
    let explained: BTreeSet<char> = legend[1..].iter().flat_map(|row| row[0].chars()).collect();
    assert_eq!(explained.len(), legend.len() - 1, "a letter twice, or a row of two letters");
    assert!(legend.iter().all(|row| row.len() == 2 && !row[1].is_empty()), "{legend:?}");
    assert_eq!(explained, used, "the legend explains what the matrix uses");
}

#[test]
fn the_table_lists_the_shapes_with_ray_casts() {
    let answer: BTreeSet<String> =
        table("ray against")[1..].iter().map(|row| row[0].clone()).collect();
    let mut there: BTreeSet<String> = kinds!(cast);
    let more = cast! {
        dop8 Dop8<f32>;;
        []
    };
    there.extend::<BTreeSet<String>>(more);
    assert_eq!(there.len(), 12);
    assert_eq!(answer, there);
}
