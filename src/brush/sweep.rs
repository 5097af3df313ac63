//! Sweep of a point against expanded brushes, the Minkowski sums of brushes and movers.
//!
//! The sum is the intersection of its constraints, so the times at which the point is inside are
//! the intersection of theirs, in any order: planes first (one division each), arcs only where the
//! point is at a corner when it passes the last plane. Both are stored in rows, as structure of
//! arrays, so that the compiler vectorizes them.

use super::expanded::{Expanded, ExpandedArc, ExpandedFace};
use crate::num::linear::{Vec3, add, dot, scale, sub};
use crate::num::simd::Lanes;

/// Number of planes in a row: eight lanes.
const FACES_PER_ROW: usize = 8;

/// Number of arcs in a row: an axis-aligned box has four.
const ARCS_PER_ROW: usize = 4;

type FaceColumn = [f64; FACES_PER_ROW];
type ArcColumn = [f64; ARCS_PER_ROW];

#[derive(Debug, Clone, Copy)]
struct FaceRow {
    normal: [FaceColumn; 3],
    offset: FaceColumn,
    side: FaceColumn,
    rise: FaceColumn,
}

#[derive(Debug, Clone, Copy)]
struct ArcRow {
    point: [ArcColumn; 3],
    lift: ArcColumn,
    slope: [ArcColumn; 2],
    from: [ArcColumn; 2],
    to: [ArcColumn; 2],
}

/// Expanded sums of many brushes, one after another.
#[derive(Debug, Clone, Default)]
pub(crate) struct SumTable {
    faces: Vec<FaceRow>,
    arcs: Vec<ArcRow>,
    /// Ends of the rows of planes and of arcs of each brush.
    ends: Vec<[u32; 2]>,
    /// Number of arcs, without those that fill up rows.
    arc_count: usize,
}

/// Moving cylinder: the size by which the brushes are expanded, and its motion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SweptCylinder {
    /// Centre at the start.
    pub start: Vec3,
    /// Displacement [length units].
    pub displacement: Vec3,
    pub radius: f64,
    pub half_height: f64,
    /// Distance by which the constraints that the mover leaves or runs along are moved inward. Zero
    /// where touching counts [length units].
    pub grazing: f64,
}

/// Times at which a mover is inside a sum: from passing the last constraint to leaving the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BrushCrossing {
    /// Share of the displacement, at most 1; at most zero if the mover was inside before it moved.
    pub enter: f64,
    /// Index, among the arcs of the brush, of the arc passed last; `None` if that is a plane.
    arc: Option<u32>,
    /// Time of leaving the planes: not before the mover leaves the sum.
    leave: f64,
}

/// Index of a brush on the way, and its crossing.
pub(crate) type IndexedCrossing = (usize, BrushCrossing);

impl BrushCrossing {
    /// Returns the time of impact: 0 for a mover that starts inside.
    pub fn time(&self) -> f64 {
        if self.enter > 0.0 { self.enter } else { 0.0 }
    }
}

impl SumTable {
    pub fn push(&mut self, sum: &Expanded) {
        for faces in sum.faces.chunks(FACES_PER_ROW) {
            // A plane that everything is behind fills up the last row.
            let none = ExpandedFace {
                normal: [0.0; 3],
                offset: f64::MAX,
                radius_factor: 0.0,
                height_factor: 0.0,
            };
            let face = |i: usize| faces.get(i).unwrap_or(&none);
            self.faces.push(FaceRow {
                normal: std::array::from_fn(|axis| std::array::from_fn(|i| face(i).normal[axis])),
                offset: std::array::from_fn(|i| face(i).offset),
                side: std::array::from_fn(|i| face(i).radius_factor),
                rise: std::array::from_fn(|i| face(i).height_factor),
            });
        }
        self.arcs.extend(sum.arcs.chunks(ARCS_PER_ROW).map(ArcRow::new));
        self.arc_count += sum.arcs.len();
        self.ends.push([self.faces.len() as u32, self.arcs.len() as u32]);
    }

    /// Returns the numbers of planes, with those that fill up rows, and of arcs.
    pub fn counts(&self) -> [usize; 2] {
        [self.faces.len() * FACES_PER_ROW, self.arc_count]
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

    /// Returns the times at which the mover is inside the sum; `None` if that begins after
    /// `latest`.
    #[inline]
    pub fn crossing(
        &self,
        brush: usize,
        mover: &SweptCylinder,
        latest: f64,
    ) -> Option<BrushCrossing> {
        let (rows, arcs) = self.constraints(brush);
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for row in rows {
            let (enters, leaves) = row.crossing_times(mover);
            let (row_enter, row_leave) =
                (fold_column(enters, f64::greater), fold_column(leaves, f64::lesser));
            (enter, leave) = (enter.greater(row_enter), leave.lesser(row_leave));
            if !(enter <= latest && leave >= 0.0 && enter <= leave) {
                return None;
            }
        }
        // Touching counts, except with a grazing distance.
        if mover.grazing > 0.0 && !(enter < leave && leave > 0.0) {
            return None;
        }
        match enter_arcs(arcs, mover, enter, leave) {
            Some((enter, arc)) => (enter <= latest).then_some(BrushCrossing { enter, arc, leave }),
            None if mover.grazing > 0.0 => self.crossing_beside_arc(brush, mover, latest),
            None => None,
        }
    }

    /// Returns the crossing of a mover that grazes an arc but is inside the sum nevertheless:
    /// beyond the end of that arc a plane continues, which may be further out than the arc and be
    /// passed then.
    ///
    /// The sum moved inward all around decides: it is convex.
    #[inline(never)]
    fn crossing_beside_arc(
        &self,
        brush: usize,
        mover: &SweptCylinder,
        latest: f64,
    ) -> Option<BrushCrossing> {
        let met = self.crossing(brush, &SweptCylinder { grazing: 0.0, ..*mover }, latest)?;
        let inner = SweptCylinder {
            radius: mover.radius - mover.grazing,
            half_height: mover.half_height - mover.grazing,
            grazing: 0.0,
            ..*mover
        };
        self.crossing(brush, &inner, 1.0).map(|_| met)
    }

    /// Returns the outward unit normal of the constraint that the mover passed last; zero if it
    /// moves away from all.
    pub fn normal(&self, brush: usize, mover: &SweptCylinder, passage: &BrushCrossing) -> Vec3 {
        let (rows, arcs) = self.constraints(brush);
        if let Some(index) = passage.arc {
            let arc = arcs[index as usize / ARCS_PER_ROW].arc(index as usize % ARCS_PER_ROW);
            return arc.normal(mover, passage.enter.greater(0.0));
        }
        for row in rows {
            let (enters, _) = row.crossing_times(mover);
            if let Some(i) = enters.iter().position(|&enter| enter == passage.enter) {
                return row.normal(i);
            }
        }
        [0.0; 3]
    }

    /// Returns the time of leaving the sum, arcs included: the arcs that the mover leaves are those
    /// it would enter on its way back.
    pub fn leave_time(&self, brush: usize, mover: &SweptCylinder, passage: &BrushCrossing) -> f64 {
        let back = SweptCylinder {
            start: add(mover.start, mover.displacement),
            displacement: sub([0.0; 3], mover.displacement),
            ..*mover
        };
        let (begin, end) = (1.0 - passage.leave, 1.0 - passage.enter);
        let arcs = self.constraints(brush).1;
        // An arc near the end of the displacement may be missed by rounding only.
        let past = enter_arcs(arcs, &back, begin, end);
        past.map_or(
            passage.leave,
            |(time, _)| if time > begin { 1.0 - time } else { passage.leave },
        )
    }

    /// Returns the least depth of the point behind the planes, and the normal of that plane:
    /// inside, the depth is the way out along the normal. Arcs only separate inside from outside:
    /// outside of one the depth is at most zero.
    pub fn depth(&self, brush: usize, mover: &SweptCylinder) -> (f64, Vec3) {
        let (rows, arcs) = self.constraints(brush);
        let (mut least, mut normal) = (f64::INFINITY, [0.0; 3]);
        for row in rows {
            for i in 0..FACES_PER_ROW {
                let depth = row.depth(i, mover).0;
                if depth < least {
                    (least, normal) = (depth, row.normal(i));
                }
            }
        }
        let still = SweptCylinder { grazing: 0.0, ..*mover };
        if least > 0.0
            && arcs.iter().any(|row| {
                fold_column(row.squared_distances_beyond(&still, 0.0), f64::greater) > 0.0
            })
        {
            least = 0.0;
        }
        (least, normal)
    }

    /// Calls `with` with the depth of the start behind each plane of the sum, and its normal.
    pub fn for_each_plane(
        &self,
        brush: usize,
        mover: &SweptCylinder,
        mut with: impl FnMut(f64, Vec3),
    ) {
        for row in self.constraints(brush).0 {
            for i in (0..FACES_PER_ROW).filter(|&i| row.offset[i] < f64::MAX) {
                with(row.depth(i, mover).0, row.normal(i));
            }
        }
    }
}

impl FaceRow {
    /// Returns the depth of the start behind the plane, and the rate at which it decreases.
    #[inline(always)]
    fn depth(&self, i: usize, mover: &SweptCylinder) -> (f64, f64) {
        let [x, y, z] = &self.normal;
        let reach = self.offset[i] + mover.radius * self.side[i] + mover.half_height * self.rise[i];
        let [c, v] = [mover.start, mover.displacement];
        (reach - (x[i] * c[0] + y[i] * c[1] + z[i] * c[2]), x[i] * v[0] + y[i] * v[1] + z[i] * v[2])
    }

    /// Returns the times at which the mover passes each of the eight planes, and leaves each.
    #[inline(always)]
    fn crossing_times(&self, mover: &SweptCylinder) -> (FaceColumn, FaceColumn) {
        let (mut enters, mut leaves) =
            ([f64::NEG_INFINITY; FACES_PER_ROW], [f64::INFINITY; FACES_PER_ROW]);
        for i in 0..FACES_PER_ROW {
            let (depth, speed) = self.depth(i, mover);
            let inner = depth - mover.grazing;
            // Motion parallel to the plane: always inside, or never, which is a time of leaving
            // before all others.
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

/// Folds a column to one number, halves first; `N` is a power of two.
#[inline(always)]
fn fold_column<const N: usize>(mut column: [f64; N], fold: impl Fn(f64, f64) -> f64) -> f64 {
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
    /// Creates a row; empty arcs fill it up.
    fn new(arcs: &[ExpandedArc]) -> ArcRow {
        let column = |of: &dyn Fn(&ExpandedArc) -> f64| -> ArcColumn {
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

    fn arc(&self, i: usize) -> ExpandedArc {
        ExpandedArc {
            point: self.point.map(|column| column[i]),
            lift: self.lift[i],
            slope: self.slope.map(|column| column[i]),
            from: self.from.map(|column| column[i]),
            to: self.to.map(|column| column[i]),
        }
    }

    /// Returns, for each of the four arcs, the squared distance beyond the arc if the mover is at
    /// that corner at the given time; zero otherwise.
    #[inline(always)]
    fn squared_distances_beyond(&self, mover: &SweptCylinder, time: f64) -> ArcColumn {
        let ([c, v], inner) = ([mover.start, mover.displacement], mover.radius - mover.grazing);
        let mut beyond = [0.0; ARCS_PER_ROW];
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

impl ExpandedArc {
    /// Projects the mover along the edge: its start and its displacement.
    #[inline(always)]
    fn project_mover(&self, mover: &SweptCylinder) -> ([f64; 2], [f64; 2]) {
        let [c, v] = [mover.start, mover.displacement];
        let height = c[2] - self.point[2] - self.lift * mover.half_height;
        (
            std::array::from_fn(|axis| c[axis] - self.point[axis] - self.slope[axis] * height),
            std::array::from_fn(|axis| v[axis] - self.slope[axis] * v[2]),
        )
    }

    /// Returns the time at which a mover outside of the arc at `time` enters it; `None` if it never
    /// does.
    #[inline(always)]
    fn entry_time(&self, mover: &SweptCylinder, time: f64) -> Option<f64> {
        let (start, way) = self.project_mover(mover);
        let inner = mover.radius - mover.grazing;
        let square = way[0] * way[0] + way[1] * way[1];
        let nearest = -(start[0] * way[0] + start[1] * way[1]) / square;
        let turn = start[0] * way[1] - start[1] * way[0];
        let missed = turn * turn / square;
        // Uses the nearest approach: the difference of two chords' ends loses half the digits.
        let grazes =
            if mover.grazing > 0.0 { missed >= inner * inner } else { missed > inner * inner };
        // Without motion the nearest approach is NaN.
        let approaches = nearest > time;
        (approaches && !grazes)
            .then(|| nearest - (mover.radius * mover.radius - missed).sqrt() / square.sqrt())
    }

    /// Returns the outward unit normal of the slanted cylinder at the mover's position at a time.
    fn normal(&self, mover: &SweptCylinder, time: f64) -> Vec3 {
        let (start, way) = self.project_mover(mover);
        let [x, y] = [start[0] + way[0] * time, start[1] + way[1] * time];
        let normal = [x, y, -(self.slope[0] * x + self.slope[1] * y)];
        scale(normal, 1.0 / dot(normal, normal).sqrt())
    }
}

/// Returns the time at which the mover is inside the arcs too, given the times of entering and of
/// leaving the planes, and the arc entered last.
#[inline(always)]
fn enter_arcs(
    arcs: &[ArcRow],
    mover: &SweptCylinder,
    enter: f64,
    leave: f64,
) -> Option<(f64, Option<u32>)> {
    let (mut last, mut entered) = (enter, None);
    // Behind one corner another may block, at most once for each.
    for _ in 0..=arcs.len() * ARCS_PER_ROW {
        let (begin, before) = (last.greater(0.0), last);
        for (index, row) in arcs.iter().enumerate() {
            let beyond = row.squared_distances_beyond(mover, begin);
            if fold_column(beyond, f64::greater) <= 0.0 {
                continue;
            }
            for i in (0..ARCS_PER_ROW).filter(|&i| beyond[i] > 0.0) {
                let own = Some((index * ARCS_PER_ROW + i) as u32);
                match row.arc(i).entry_time(mover, begin) {
                    Some(time) if time > last => (last, entered) = (time, own),
                    // Not the arc entered last: the mover is on it up to rounding.
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
    /// Returns the centre at a time.
    pub fn at(&self, time: f64) -> Vec3 {
        add(self.start, scale(self.displacement, time))
    }
}
