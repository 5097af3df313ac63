//! Every pair of parts of every pair of characters by itself, and which of them is the closest by
//! the rule for ties.

use boxwood::num::Scalar;
use boxwood::pair::ClosestPoints;
use boxwood::scene::{CharacterKey, NodeRef, QueryScratch, Snapshot};
use boxwood::{PairQuery, PartId};

use support::brute_force::BruteForceCharacter;

/// The answer about two parts alone, and what ties are broken by.
#[derive(Debug, Clone)]
pub struct Line<T: Scalar> {
    pub found: ClosestPoints<T, NodeRef>,
    pub gap: f64,
    pub ends: [(u64, PartId); 2],
}

/// How far apart the world boxes of two parts are.
fn gap<T: Scalar>(now: &Snapshot<'_, T>, [a, b]: [NodeRef; 2]) -> f64 {
    let [a, b] = [a, b].map(|at| now.part_aabb(at.character, at.part).expect("a part"));
    let along = |k: usize| {
        let (one, other) = (b.min[k].wide() - a.max[k].wide(), a.min[k].wide() - b.max[k].wide());
        one.max(other).max(0.0)
    };
    (0..3).map(|k| along(k) * along(k)).sum::<f64>().sqrt()
}

/// All of them, the character of lower order first.
pub fn lines<T: Scalar>(now: &Snapshot<'_, T>, roster: &[BruteForceCharacter]) -> Vec<Line<T>> {
    let mut sorted: Vec<&BruteForceCharacter> = roster.iter().collect();
    sorted.sort_by_key(|living| living.order);
    let mut lines = Vec::new();
    for (i, one) in sorted.iter().enumerate() {
        for other in &sorted[i + 1..] {
            lines.extend(of_two(now, [one, other]));
        }
    }
    lines
}

fn of_two<T: Scalar>(now: &Snapshot<'_, T>, [a, b]: [&BruteForceCharacter; 2]) -> Vec<Line<T>> {
    let count = |key| now.scene().model(key).expect("a key").len();
    let (mut scratch, mut lines) = (QueryScratch::new(), Vec::new());
    for (i, j) in (0..count(a.key)).flat_map(|i| (0..count(b.key)).map(move |j| (i, j))) {
        let [i, j] = [i, j].map(PartId::new);
        let query = PairQuery::between(a.key, b.key).parts(&[i], &[j]);
        if let Some(found) = now.distance(&query, &mut scratch).expect("a question") {
            let gap = gap(now, [found.a, found.b]);
            lines.push(Line { found, gap, ends: [(a.order, i), (b.order, j)] });
        }
    }
    lines
}

/// The least; of equals the one whose world boxes are nearer, then the first.
pub fn closest<'l, T: Scalar>(
    lines: impl IntoIterator<Item = &'l Line<T>>,
) -> Option<ClosestPoints<T, NodeRef>> {
    let least = lines.into_iter().min_by(|x, y| {
        let by_distance = x.found.distance.wide().total_cmp(&y.found.distance.wide());
        by_distance.then(x.gap.total_cmp(&y.gap)).then(x.ends.cmp(&y.ends))
    });
    least.map(|line| line.found)
}

/// The answer told with that character first.
pub fn told_from<T: Scalar>(
    key: CharacterKey,
    found: ClosestPoints<T, NodeRef>,
) -> ClosestPoints<T, NodeRef> {
    if found.a.character == key { found } else { found.reversed() }
}
