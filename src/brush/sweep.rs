//! A point swept against expanded brushes: the Minkowski sums of brushes and what moves.
//!
//! The sum is the intersection of its constraints, so the times at which the point is inside are
//! the intersection of theirs, in any order: planes first (one division each), arcs only where the
//! point is at a corner when it comes past the last plane. Both stand in rows, column by column,
//! for the compiler to make vectors of.

use super::expanded::{Arc, Expanded, Face};
use crate::num::linear::{Vec3, add, dot, scale, sub};
use crate::num::simd::Lanes;

/// Constraints a row holds: as many as eight lanes.
const ROW: usize = 8;

/// Arcs a row holds: a box along the axes has four.
const ARCS: usize = 4;

/// A column of a row of constraints.
type Column = [f64; ROW];
type ArcColumn = [f64; ARCS];

/// Eight planes, coordinate by coordinate.
#[derive(Debug, Clone, Copy)]
struct FaceRow {
    normal: [Column; 3],
    offset: Column,
    side: Column,
    rise: Column,
}

/// Four arcs, coordinate by coordinate.
#[derive(Debug, Clone, Copy)]
struct ArcRow {
    point: [ArcColumn; 3],
    lift: ArcColumn,
    slope: [ArcColumn; 2],
    from: [ArcColumn; 2],
    to: [ArcColumn; 2],
}

/// The expanded sums of many brushes, one after another.
#[derive(Debug, Clone, Default)]
pub(crate) struct SumTable {
    faces: Vec<FaceRow>,
    arcs: Vec<ArcRow>,
    /// Where the rows of planes and of arcs of each brush end.
    ends: Vec<[u32; 2]>,
    /// How many arcs there are, those that fill rows not counted.
    arc_count: usize,
}

/// What moves: a cylinder, as the size by which the brushes are expanded, and its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SweptCylinder {
    /// Its centre at the start.
    pub start: Vec3,
    /// Its displacement.
    pub way: Vec3,
    pub radius: f64,
    pub half_height: f64,
    /// How much further in the constraints stand that it leaves or runs along. Zero where touching
    /// counts.
    pub grazing: f64,
}

/// When a mover is inside a sum: between coming past the last constraint and leaving the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BrushCrossing {
    /// A share of the way; not above 1. Not above zero where it was past all before it moved.
    pub enter: f64,
    /// The arc it came past last, the rows of its brush counted through; none if that is a plane.
    arc: Option<u32>,
    /// When it leaves the planes: not before it leaves the sum.
    leave: f64,
}

impl SumTable {
    pub fn push(&mut self, sum: &Expanded) {
        for faces in sum.faces.chunks(ROW) {
            // A plane that everything is behind fills what is left.
            let none = Face { normal: [0.0; 3], offset: f64::MAX, side: 0.0, rise: 0.0 };
            let face = |i: usize| faces.get(i).unwrap_or(&none);
            self.faces.push(FaceRow {
                normal: std::array::from_fn(|axis| std::array::from_fn(|i| face(i).normal[axis])),
                offset: std::array::from_fn(|i| face(i).offset),
                side: std::array::from_fn(|i| face(i).side),
                rise: std::array::from_fn(|i| face(i).rise),
            });
        }
        self.arcs.extend(sum.arcs.chunks(ARCS).map(ArcRow::new));
        self.arc_count += sum.arcs.len();
        self.ends.push([self.faces.len() as u32, self.arcs.len() as u32]);
    }

    /// How many planes, filled up to whole rows, and arcs there are.
    pub fn counts(&self) -> [usize; 2] {
        [self.faces.len() * ROW, self.arc_count]
    }

    #[inline(always)]
    fn constraints(&self, brush: usize) -> (&[FaceRow], &[ArcRow]) {
        let start = if brush == 0 { [0, 0] } else { self.ends[brush - 1] };
        let end = self.ends[brush];
        (
            &self.faces[start[0] as usize..end[0] as usize],
            &self.arcs[start[1] as usize..end[1] as usize],
        )
    }

    /// When the mover is inside the sum; `None` if it does not get there up to the time `latest`.
    #[inline]
    pub fn passage(
        &self,
        brush: usize,
        mover: &SweptCylinder,
        latest: f64,
    ) -> Option<BrushCrossing> {
        let (rows, arcs) = self.constraints(brush);
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for row in rows {
            let (enters, leaves) = row.times(mover);
            let (row_enter, row_leave) =
                (folded(enters, f64::greater), folded(leaves, f64::lesser));
            (enter, leave) = (enter.greater(row_enter), leave.lesser(row_leave));
            if !(enter <= latest && leave >= 0.0 && enter <= leave) {
                return None;
            }
        }
        // Touching counts unless grazing is allowed for.
        if mover.grazing > 0.0 && !(enter < leave && leave > 0.0) {
            return None;
        }
        match past_arcs(arcs, mover, enter, leave) {
            Some((enter, arc)) => (enter <= latest).then_some(BrushCrossing { enter, arc, leave }),
            None if mover.grazing > 0.0 => self.beside_an_arc(brush, mover, latest),
            None => None,
        }
    }

    /// When a mover that only grazes an arc is inside the sum nevertheless: beyond the end of that
    /// arc a plane goes on, which may stand further out than the arc does and then be come past.
    ///
    /// What decides is the sum that stands further in all around, which is convex.
    #[inline(never)]
    fn beside_an_arc(
        &self,
        brush: usize,
        mover: &SweptCylinder,
        latest: f64,
    ) -> Option<BrushCrossing> {
        let met = self.passage(brush, &SweptCylinder { grazing: 0.0, ..*mover }, latest)?;
        let inner = SweptCylinder {
            radius: mover.radius - mover.grazing,
            half_height: mover.half_height - mover.grazing,
            grazing: 0.0,
            ..*mover
        };
        self.passage(brush, &inner, 1.0).map(|_| met)
    }

    /// The unit normal, out of the brush, of the constraint that the mover came past last; zero if
    /// it moves away from all.
    pub fn normal(&self, brush: usize, mover: &SweptCylinder, passage: &BrushCrossing) -> Vec3 {
        let (rows, arcs) = self.constraints(brush);
        if let Some(index) = passage.arc {
            let arc = arcs[index as usize / ARCS].arc(index as usize % ARCS);
            return arc.normal(mover, passage.enter.greater(0.0));
        }
        for row in rows {
            let (enters, _) = row.times(mover);
            if let Some(i) = enters.iter().position(|&enter| enter == passage.enter) {
                return row.normal(i);
            }
        }
        [0.0; 3]
    }

    /// When the mover leaves the sum, its arcs too: those it leaves are those it would come past
    /// on its way back.
    pub fn leave(&self, brush: usize, mover: &SweptCylinder, passage: &BrushCrossing) -> f64 {
        let back = SweptCylinder {
            start: add(mover.start, mover.way),
            way: sub([0.0; 3], mover.way),
            ..*mover
        };
        let (begin, end) = (1.0 - passage.leave, 1.0 - passage.enter);
        let arcs = self.constraints(brush).1;
        // Towards the end of the way an arc may be missed by rounding only.
        let past = past_arcs(arcs, &back, begin, end);
        past.map_or(
            passage.leave,
            |(time, _)| if time > begin { 1.0 - time } else { passage.leave },
        )
    }

    /// The least depth of the point behind the constraints, and the normal of the plane it is
    /// behind least: positive inside, then the way out along that normal. Arcs only tell inside
    /// from outside: outside of one the depth is not above zero.
    pub fn depth(&self, brush: usize, mover: &SweptCylinder) -> (f64, Vec3) {
        let (rows, arcs) = self.constraints(brush);
        let (mut least, mut normal) = (f64::INFINITY, [0.0; 3]);
        for row in rows {
            for i in 0..ROW {
                let depth = row.depth(i, mover).0;
                if depth < least {
                    (least, normal) = (depth, row.normal(i));
                }
            }
        }
        let still = SweptCylinder { grazing: 0.0, ..*mover };
        if least > 0.0 && arcs.iter().any(|row| folded(row.beyond(&still, 0.0), f64::greater) > 0.0)
        {
            least = 0.0;
        }
        (least, normal)
    }

    /// Calls `with` with each plane of the sum: depth of the start behind it, and its normal.
    pub fn planes(&self, brush: usize, mover: &SweptCylinder, mut with: impl FnMut(f64, Vec3)) {
        for row in self.constraints(brush).0 {
            for i in (0..ROW).filter(|&i| row.offset[i] < f64::MAX) {
                with(row.depth(i, mover).0, row.normal(i));
            }
        }
    }
}

impl FaceRow {
    /// How deep the start is behind the plane, and how fast it gets deeper.
    #[inline(always)]
    fn depth(&self, i: usize, mover: &SweptCylinder) -> (f64, f64) {
        let [x, y, z] = &self.normal;
        let reach = self.offset[i] + mover.radius * self.side[i] + mover.half_height * self.rise[i];
        let [c, v] = [mover.start, mover.way];
        (reach - (x[i] * c[0] + y[i] * c[1] + z[i] * c[2]), x[i] * v[0] + y[i] * v[1] + z[i] * v[2])
    }

    /// The times at which the mover comes past each of the eight, and at which it leaves each.
    #[inline(always)]
    fn times(&self, mover: &SweptCylinder) -> (Column, Column) {
        let (mut enters, mut leaves) = ([f64::NEG_INFINITY; ROW], [f64::INFINITY; ROW]);
        for i in 0..ROW {
            let (depth, speed) = self.depth(i, mover);
            let inner = depth - mover.grazing;
            // Along the plane: always, or never, which is a time of leaving before all others.
            let never = speed == 0.0 && (inner < 0.0 || inner == 0.0 && mover.grazing > 0.0);
            let share = if speed < 0.0 { depth } else { inner };
            let time = share / speed;
            enters[i] = if speed < 0.0 { time } else { f64::NEG_INFINITY };
            leaves[i] = if speed > 0.0 { time } else { f64::INFINITY };
            leaves[i] = if never { f64::NEG_INFINITY } else { leaves[i] };
        }
        (enters, leaves)
    }

    #[inline(always)]
    fn normal(&self, i: usize) -> Vec3 {
        std::array::from_fn(|axis| self.normal[axis][i])
    }
}

/// All folded to one, halves first; `N` is a power of two.
#[inline(always)]
fn folded<const N: usize>(mut column: [f64; N], fold: impl Fn(f64, f64) -> f64) -> f64 {
    let mut half = N / 2;
    while half > 0 {
        for i in 0..half {
            column[i] = fold(column[i], column[i + half]);
        }
        half /= 2;
    }
    column[0]
}

impl ArcRow {
    /// Arcs without a direction between their ends fill what is left.
    fn new(arcs: &[Arc]) -> ArcRow {
        let column = |of: &dyn Fn(&Arc) -> f64| -> ArcColumn {
            std::array::from_fn(|i| arcs.get(i).map_or(0.0, of))
        };
        ArcRow {
            point: std::array::from_fn(|axis| column(&|arc| arc.point[axis])),
            lift: column(&|arc| arc.lift),
            slope: std::array::from_fn(|axis| column(&|arc| arc.slope[axis])),
            from: std::array::from_fn(|axis| column(&|arc| arc.from[axis])),
            to: std::array::from_fn(|axis| column(&|arc| arc.to[axis])),
        }
    }

    fn arc(&self, i: usize) -> Arc {
        Arc {
            point: self.point.map(|column| column[i]),
            lift: self.lift[i],
            slope: self.slope.map(|column| column[i]),
            from: self.from.map(|column| column[i]),
            to: self.to.map(|column| column[i]),
        }
    }

    /// Of each of the four how far the square of its distance is beyond the arc, if the mover is
    /// at that corner then; zero if not.
    #[inline(always)]
    fn beyond(&self, mover: &SweptCylinder, time: f64) -> ArcColumn {
        let ([c, v], inner) = ([mover.start, mover.way], mover.radius - mover.grazing);
        let mut beyond = [0.0; ARCS];
        for (i, beyond) in beyond.iter_mut().enumerate() {
            let [a, b] = [self.slope[0][i], self.slope[1][i]];
            let height = c[2] - self.point[2][i] - self.lift[i] * mover.half_height;
            let x = c[0] - self.point[0][i] - a * height + (v[0] - a * v[2]) * time;
            let y = c[1] - self.point[1][i] - b * height + (v[1] - b * v[2]) * time;
            let after = self.from[0][i] * y - self.from[1][i] * x;
            let before = x * self.to[1][i] - y * self.to[0][i];
            let far = x * x + y * y - inner * inner;
            *beyond = if before.lesser(after) > 0.0 { far } else { 0.0 };
        }
        beyond
    }
}

impl Arc {
    /// The mover seen along the edge: its start and its way.
    #[inline(always)]
    fn seen(&self, mover: &SweptCylinder) -> ([f64; 2], [f64; 2]) {
        let [c, v] = [mover.start, mover.way];
        let height = c[2] - self.point[2] - self.lift * mover.half_height;
        (
            std::array::from_fn(|axis| c[axis] - self.point[axis] - self.slope[axis] * height),
            std::array::from_fn(|axis| v[axis] - self.slope[axis] * v[2]),
        )
    }

    /// When a mover that is outside of the arc at a time comes past it; `None` if it never does.
    #[inline(always)]
    fn entered(&self, mover: &SweptCylinder, time: f64) -> Option<f64> {
        let (start, way) = self.seen(mover);
        let inner = mover.radius - mover.grazing;
        let square = way[0] * way[0] + way[1] * way[1];
        let nearest = -(start[0] * way[0] + start[1] * way[1]) / square;
        let turn = start[0] * way[1] - start[1] * way[0];
        let missed = turn * turn / square;
        // By the nearest approach: the difference of two chords' ends loses half the digits.
        let grazes =
            if mover.grazing > 0.0 { missed >= inner * inner } else { missed > inner * inner };
        // Without a motion the nearest approach is not a number.
        let approaches = nearest > time;
        (approaches && !grazes)
            .then(|| nearest - (mover.radius * mover.radius - missed).sqrt() / square.sqrt())
    }

    /// The unit normal of the slanted cylinder where the mover is at a time.
    fn normal(&self, mover: &SweptCylinder, time: f64) -> Vec3 {
        let (start, way) = self.seen(mover);
        let [x, y] = [start[0] + way[0] * time, start[1] + way[1] * time];
        let normal = [x, y, -(self.slope[0] * x + self.slope[1] * y)];
        scale(normal, 1.0 / dot(normal, normal).sqrt())
    }
}

/// When the mover has come past the arcs too, having come past the planes at `enter` and leaving
/// them at `leave`; and the arc that was last.
#[inline(always)]
fn past_arcs(
    arcs: &[ArcRow],
    mover: &SweptCylinder,
    enter: f64,
    leave: f64,
) -> Option<(f64, Option<u32>)> {
    let (mut last, mut entered) = (enter, None);
    // Past one corner another may be in the way, once for each at most.
    for _ in 0..=arcs.len() * ARCS {
        let (begin, before) = (last.greater(0.0), last);
        for (index, row) in arcs.iter().enumerate() {
            let beyond = row.beyond(mover, begin);
            if folded(beyond, f64::greater) <= 0.0 {
                continue;
            }
            for i in (0..ARCS).filter(|&i| beyond[i] > 0.0) {
                let own = Some((index * ARCS + i) as u32);
                match row.arc(i).entered(mover, begin) {
                    Some(time) if time > last => (last, entered) = (time, own),
                    // Where it enters an arc it is on it, up to rounding.
                    None if own != entered => return None,
                    _ => {}
                }
            }
        }
        if last > leave {
            return None;
        }
        if !(last > before && last > 0.0) {
            break;
        }
    }
    Some((last, entered))
}

impl SweptCylinder {
    /// Where it is at a time.
    pub fn at(&self, time: f64) -> Vec3 {
        add(self.start, scale(self.way, time))
    }
}
