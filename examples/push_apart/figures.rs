//! Sums and statistics of the frames.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use boxwood::nalgebra::{Unit, Vector3};
use boxwood::tree::{TreePair, TreeScratch};
use boxwood::{
    Accuracy, CharacterKey, Detail, Error, Hits, Model, PairQuery, PartId, Push, QueryScratch,
    Separation, Snapshot,
};

use crate::arguments::Arguments;
use crate::search;

/// The direction up.
const UP: Unit<Vector3<f32>> = Unit::new_unchecked(Vector3::new(0.0, 1.0, 0.0));

type Normal = Unit<Vector3<f32>>;
type Parts = (PartId, PartId);

/// Lengths, changes of direction, and times of one kind of push.
#[derive(Default)]
struct Row {
    depths: Vec<f64>,
    /// Lengths over the least of many directions.
    ratios: Vec<f64>,
    micros: Vec<f64>,
    /// Numbers of tests of boxes and of pairs of primitives.
    tests: [u64; 2],
    turns: usize,
    pairs_of_frames: usize,
    last: BTreeMap<Parts, Normal>,
}

impl Row {
    fn add(&mut self, parts: Parts, normal: Normal, depth: f32, before: Option<Normal>) {
        self.depths.push(f64::from(depth));
        if let Some(before) = before {
            self.pairs_of_frames += 1;
            self.turns += usize::from(before.dot(&normal) < std::f32::consts::FRAC_1_SQRT_2);
        }
        self.last.insert(parts, normal);
    }
}

/// All counters.
pub struct Figures<'m> {
    model: &'m Arc<Model>,
    search: usize,
    hits: Hits,
    scratch: QueryScratch,
    tree: TreeScratch,
    contacts: Row,
    along: Row,
    least: Row,
    near: Row,
    whole: Row,
    whole_near: Row,
    before: [Vec<Parts>; 2],
}

impl<'m> Figures<'m> {
    pub fn new(model: &'m Arc<Model>, asked: &Arguments) -> Self {
        Figures {
            model,
            search: asked.search,
            hits: Hits::new(),
            scratch: QueryScratch::new(),
            tree: TreeScratch::default(),
            contacts: Row::default(),
            along: Row::default(),
            least: Row::default(),
            near: Row::default(),
            whole: Row::default(),
            whole_near: Row::default(),
            before: Default::default(),
        }
    }

    pub fn frame(
        &mut self,
        now: &Snapshot<'_>,
        [red, blue]: [CharacterKey; 2],
    ) -> Result<Option<Separation>, Error> {
        let exactly = PairQuery::between(red, blue).accuracy(Accuracy::Exact);
        let exactly = exactly.detail(Detail::DeepestBoxes);
        now.contacts(&exactly, &mut self.hits)?;
        let touching: Vec<_> = self.hits.iter().copied().collect();
        self.before[0].clear();
        for hit in &touching {
            let parts = (hit.a.part, hit.b.part);
            let trees =
                [hit.a.part, hit.b.part].map(|part| self.model.parts()[part.index()].tree());
            let [Some(a), Some(b)] = trees else { continue };
            let poses = [now.scene().pose(red, hit.a.part)?, now.scene().pose(blue, hit.b.part)?];
            let pair = TreePair::new(a, poses[0], b, poses[1])?;
            let best = (self.search > 0)
                .then(|| f64::from(search::least(&pair, self.search, &mut self.tree)));
            let known = |row: &Row| match self.before[1].contains(&parts) {
                true => row.last.get(&parts).copied(),
                false => None,
            };
            let [contact, along, least, near] =
                [&self.contacts, &self.along, &self.least, &self.near].map(known);
            self.before[0].push(parts);
            let normal = Unit::new_normalize(hit.normal);
            self.contacts.add(parts, normal, hit.depth, contact);
            for (row, push, before) in [
                (&mut self.along, Push::along(normal), along),
                (&mut self.least, Push::least(), least),
                (&mut self.near, Push::least().near(near), near),
            ] {
                let (clock, before_it) = (Instant::now(), self.tree.counts);
                let way = pair.separation(&push, &mut self.tree)?;
                row.micros.push(clock.elapsed().as_secs_f64() * 1e6);
                row.tests[0] += self.tree.counts.tests() - before_it.tests();
                row.tests[1] += self.tree.counts.primitives - before_it.primitives;
                let Some(way) = way else { continue };
                row.add(parts, way.normal, way.depth, before);
                row.ratios.extend(best.map(|best| f64::from(way.depth) / best.max(1e-9)));
            }
        }
        self.before.swap(0, 1);
        match touching.is_empty() {
            true => Ok(None),
            false => self.characters(now, &PairQuery::between(red, blue)),
        }
    }

    /// Separates the two whole characters along the ground, near the direction of the last frame.
    fn characters(
        &mut self,
        now: &Snapshot<'_>,
        query: &PairQuery<'_>,
    ) -> Result<Option<Separation>, Error> {
        let mut found = None;
        let all = (PartId::new(0), PartId::new(0));
        for (row, steady) in [(&mut self.whole, false), (&mut self.whole_near, true)] {
            let before = row.last.get(&all).copied();
            let push = Push::across(UP).near(before.filter(|_| steady));
            let clock = Instant::now();
            let way = now.separation(query, &push, &mut self.scratch)?;
            row.micros.push(clock.elapsed().as_secs_f64() * 1e6);
            if let Some(way) = way {
                row.add(all, way.normal, way.depth, before);
            }
            found = way;
        }
        Ok(found)
    }

    fn rows(&mut self) -> [(&'static str, &mut Row); 6] {
        [
            ("contacts (normal and depth of boxes)", &mut self.contacts),
            ("parts, along the contact's normal", &mut self.along),
            ("parts, least", &mut self.least),
            ("parts, least, near the last frame's", &mut self.near),
            ("characters, across the ground", &mut self.whole),
            ("characters, across, near the last", &mut self.whole_near),
        ]
    }

    pub fn print(&mut self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{:38} {:>6} {:>9} {:>9}  {:>17}  {:>6} {:>10}  over the best: median, 99th",
            "", "count", "mm median", "mm 99th", "turns over 45 deg", "boxes", "primitives"
        )?;
        for (name, row) in self.rows() {
            let [depth, deepest] = [0.5, 0.99].map(|at| 1e3 * percentile(&mut row.depths, at));
            let turns = format!("{} of {}", row.turns, row.pairs_of_frames);
            write!(out, "{name:38} {:6} {depth:9.1} {deepest:9.1}  {turns:>17}", row.depths.len())?;
            let [boxes, primitives] = row.tests.map(|sum| sum / row.depths.len().max(1) as u64);
            write!(out, "  {boxes:6} {primitives:10}")?;
            if !row.ratios.is_empty() {
                let [median, far] = [0.5, 0.99].map(|at| percentile(&mut row.ratios, at));
                write!(out, "  {median:.3} {far:.2}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    pub fn print_times(&mut self, out: &mut impl Write) -> io::Result<()> {
        for (name, row) in self.rows() {
            if row.micros.is_empty() {
                continue;
            }
            let [median, slow] = [0.5, 0.99].map(|at| percentile(&mut row.micros, at));
            writeln!(out, "{name:38} {median:8.1} us (median) {slow:8.1} us (99th)")?;
        }
        Ok(())
    }
}

/// Returns the percentile of some numbers at a share; 0 if there are none.
fn percentile(numbers: &mut [f64], share: f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let at = (share * numbers.len() as f64) as usize;
    numbers.get(at.min(numbers.len().saturating_sub(1))).copied().unwrap_or(0.0)
}
