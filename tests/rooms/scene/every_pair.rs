//! Every pair of parts of every pair of characters, and the closest of them by the rule for ties.

use boxwood::pair::ClosestPoints;
use boxwood::scene::{CharacterKey, NodeRef, QueryScratch, Snapshot};
use boxwood::{PairQuery, PartId};

use support::brute_force::BruteForceCharacter;
use support::prelude::*;

/// Answer for two parts alone, with its tie breakers.
#[derive(Debug, Clone)]
pub struct Line<T: Scalar> {
    pub found: ClosestPoints<T, NodeRef>,
    pub gap: f64,
    pub ends: [(u64, PartId); 2],
}

/// Distance of the world boxes of two parts.
fn gap<T: Scalar>(now: &Snapshot<'_, T>, [a, b]: [NodeRef; 2]) -> f64 {
    let [a, b] = [a, b].map(|at| now.part_aabb(at.character, at.part).expect("a part"));
    let along = |k: usize| {
        let (one, other) = (b.min[k].wide() - a.max[k].wide(), a.min[k].wide() - b.max[k].wide());
        one.max(other).max(0.0)
    };
    (0..3).map(|k| along(k) * along(k)).sum::<f64>().sqrt()
}

/// Returns the lines of every two characters, the one of lower order first.
pub fn lines<T: Scalar>(now: &Snapshot<'_, T>, roster: &[BruteForceCharacter]) -> Vec<Line<T>> {
    lines_of(now, roster, |_, _| true)
}

/// Returns the lines of two given parts of every two characters.
pub fn lines_of<T: Scalar>(
    now: &Snapshot<'_, T>,
    roster: &[BruteForceCharacter],
    wanted: impl Fn(PartId, PartId) -> bool,
) -> Vec<Line<T>> {
    let mut sorted: Vec<&BruteForceCharacter> = roster.iter().collect();
    sorted.sort_by_key(|living| living.order);
    let mut lines = Vec::new();
    for (i, one) in sorted.iter().enumerate() {
        for other in &sorted[i + 1..] {
            lines.extend(of_two(now, [one, other], &wanted));
        }
    }
    lines
}

/// Returns the lines of two given parts of one character, the lesser first.
pub fn own_lines<T: Scalar>(
    now: &Snapshot<'_, T>,
    one: &BruteForceCharacter,
    wanted: impl Fn(PartId, PartId) -> bool,
) -> Vec<Line<T>> {
    of_two(now, [one, one], |a, b| a < b && wanted(a, b))
}

fn of_two<T: Scalar>(
    now: &Snapshot<'_, T>,
    [a, b]: [&BruteForceCharacter; 2],
    wanted: impl Fn(PartId, PartId) -> bool,
) -> Vec<Line<T>> {
    let parts = |key| (0..now.scene().model(key).expect("a key").len()).map(PartId::new);
    let (mut scratch, mut lines) = (QueryScratch::new(), Vec::new());
    let pairs = parts(a.key).flat_map(|i| parts(b.key).map(move |j| (i, j)));
    for (i, j) in pairs.filter(|&(i, j)| wanted(i, j)) {
        let query = PairQuery::between(a.key, b.key).parts(&[i], &[j]);
        if let Some(found) = now.distance(&query, &mut scratch).expect("a query") {
            let gap = gap(now, [found.a, found.b]);
            lines.push(Line { found, gap, ends: [(a.order, i), (b.order, j)] });
        }
    }
    lines
}

/// Returns the line of least distance; of equal ones that with nearer world boxes, then the first.
pub fn closest<'l, T: Scalar>(
    lines: impl IntoIterator<Item = &'l Line<T>>,
) -> Option<ClosestPoints<T, NodeRef>> {
    let least = lines.into_iter().min_by(|x, y| {
        let by_distance = x.found.distance.wide().total_cmp(&y.found.distance.wide());
        by_distance.then(x.gap.total_cmp(&y.gap)).then(x.ends.cmp(&y.ends))
    });
    least.map(|line| line.found)
}

/// Returns the answer with the given character first.
pub fn told_from<T: Scalar>(
    key: CharacterKey,
    found: ClosestPoints<T, NodeRef>,
) -> ClosestPoints<T, NodeRef> {
    if found.a.character == key { found } else { found.reversed() }
}
