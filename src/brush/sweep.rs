//! A point swept against expanded brushes: the Minkowski sums of brushes and what moves.
//!
//! The sum is the intersection of its constraints, so the times at which the point is inside are
//! the intersection of theirs, in any order: planes first (one division each), arcs only where the
//! point is at a corner when it comes past the last plane.

use super::expanded::{Arc, Expanded, Face};
use crate::num::linear::{Vec3, add, dot, scale};

/// Constraints a row holds: as many as eight lanes.
const ROW: usize = 8;

/// A column of a row of constraints.
type Column = [f64; ROW];

/// Eight planes, coordinate by coordinate.
#[derive(Debug, Clone, Copy)]
struct FaceRow {
    normal: [Column; 3],
    offset: Column,
    side: Column,
    rise: Column,
}

/// The expanded sums of many brushes, one after another.
#[derive(Debug, Clone, Default)]
pub(crate) struct SumTable {
    faces: Vec<FaceRow>,
    arcs: Vec<Arc>,
    /// Where the rows of planes and the arcs of each brush end.
    ends: Vec<[u32; 2]>,
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

/// When a mover is blocked, and by which constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block {
    /// The share of the way at which it comes past the last constraint; not above 1. Negative where
    /// it was past all of them before it moved.
    pub time: f64,
    /// Unit, out of the brush.
    pub normal: Vec3,
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
        self.arcs.extend(&sum.arcs);
        self.ends.push([self.faces.len() as u32, self.arcs.len() as u32]);
    }

    /// How many planes, filled up to whole rows, and arcs there are.
    pub fn counts(&self) -> [usize; 2] {
        [self.faces.len() * ROW, self.arcs.len()]
    }

    fn constraints(&self, brush: usize) -> (&[FaceRow], &[Arc]) {
        let start = if brush == 0 { [0, 0] } else { self.ends[brush - 1] };
        let end = self.ends[brush];
        (
            &self.faces[start[0] as usize..end[0] as usize],
            &self.arcs[start[1] as usize..end[1] as usize],
        )
    }

    /// When the brush blocks the mover; `None` if not up to the time `latest`.
    #[inline]
    pub fn block(&self, brush: usize, mover: &SweptCylinder, latest: f64) -> Option<f64> {
        let (rows, arcs) = self.constraints(brush);
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for row in rows {
            let (row_enter, row_leave) = row.interval(mover);
            enter = if row_enter > enter { row_enter } else { enter };
            leave = if row_leave < leave { row_leave } else { leave };
            if !(enter <= latest && leave >= 0.0 && enter <= leave) {
                return None;
            }
        }
        // Touching counts unless grazing is allowed for.
        if mover.grazing > 0.0 && !(enter < leave && leave > 0.0) {
            return None;
        }
        let enter = past_arcs(arcs, mover, enter, leave)?;
        (enter <= latest).then_some(enter)
    }

    /// The block at that time with the constraint that came last.
    pub fn describe(&self, brush: usize, mover: &SweptCylinder, time: f64) -> Block {
        let (rows, arcs) = self.constraints(brush);
        let (mut enter, mut normal) = (f64::NEG_INFINITY, [0.0; 3]);
        for row in rows {
            for i in 0..ROW {
                let own: Vec3 = std::array::from_fn(|axis| row.normal[axis][i]);
                let (depth, speed) = row.depth(i, mover);
                if speed < 0.0 && depth / speed > enter {
                    (enter, normal) = (depth / speed, own);
                }
            }
        }
        let begin = if enter > 0.0 { enter } else { 0.0 };
        for arc in arcs {
            if let Corner::Entered(at) = arc.corner(mover, begin)
                && at > enter
            {
                (enter, normal) = (at, arc.normal(mover, if at > 0.0 { at } else { 0.0 }));
            }
        }
        Block { time, normal }
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
                    (least, normal) = (depth, std::array::from_fn(|axis| row.normal[axis][i]));
                }
            }
        }
        if arcs.iter().any(|arc| arc.outside(mover)) && least > 0.0 {
            least = 0.0;
        }
        (least, normal)
    }

    /// Calls `with` with each plane of the sum: depth of the start behind it, and its normal.
    pub fn planes(&self, brush: usize, mover: &SweptCylinder, mut with: impl FnMut(f64, Vec3)) {
        for row in self.constraints(brush).0 {
            for i in (0..ROW).filter(|&i| row.offset[i] < f64::MAX) {
                with(row.depth(i, mover).0, std::array::from_fn(|axis| row.normal[axis][i]));
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

    /// When the mover is behind all eight.
    #[inline(always)]
    fn interval(&self, mover: &SweptCylinder) -> (f64, f64) {
        let (mut enters, mut leaves) = ([f64::NEG_INFINITY; ROW], [f64::INFINITY; ROW]);
        for i in 0..ROW {
            let (depth, speed) = self.depth(i, mover);
            let inner = depth - mover.grazing;
            // Along the plane: always, or never, which is a time of leaving before all others.
            let never = speed == 0.0 && (inner < 0.0 || inner == 0.0 && mover.grazing > 0.0);
            enters[i] = if speed < 0.0 { depth / speed } else { f64::NEG_INFINITY };
            leaves[i] = if speed > 0.0 { inner / speed } else { f64::INFINITY };
            leaves[i] = if never { f64::NEG_INFINITY } else { leaves[i] };
        }
        let mut half = ROW / 2;
        while half > 0 {
            for i in 0..half {
                enters[i] = if enters[i + half] > enters[i] { enters[i + half] } else { enters[i] };
                leaves[i] = if leaves[i + half] < leaves[i] { leaves[i + half] } else { leaves[i] };
            }
            half /= 2;
        }
        (enters[0], leaves[0])
    }
}

/// How a mover that is past all planes stands to an arc.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Corner {
    /// Not at this corner, or too deep to tell.
    Inside,
    /// It comes past the arc then.
    Entered(f64),
    /// It never does.
    Missed,
}

impl Arc {
    /// The point at a time, seen along the edge.
    #[inline(always)]
    fn seen(&self, mover: &SweptCylinder) -> ([f64; 2], [f64; 2]) {
        let [c, v] = [mover.start, mover.way];
        let height = c[2] - self.point[2] - self.lift * mover.half_height;
        (
            [
                c[0] - self.point[0] - self.slope[0] * height,
                c[1] - self.point[1] - self.slope[1] * height,
            ],
            [v[0] - self.slope[0] * v[2], v[1] - self.slope[1] * v[2]],
        )
    }

    /// Whether the direction is between the ends.
    #[inline(always)]
    fn between(&self, y: [f64; 2]) -> bool {
        self.from[0] * y[1] - self.from[1] * y[0] > 0.0
            && y[0] * self.to[1] - y[1] * self.to[0] > 0.0
    }

    /// Where the mover stands at a time at which it is past all planes.
    #[inline(always)]
    fn corner(&self, mover: &SweptCylinder, time: f64) -> Corner {
        let (start, way) = self.seen(mover);
        let now = [start[0] + way[0] * time, start[1] + way[1] * time];
        let inner = mover.radius - mover.grazing;
        if !self.between(now) || now[0] * now[0] + now[1] * now[1] <= inner * inner {
            return Corner::Inside;
        }
        let square = way[0] * way[0] + way[1] * way[1];
        let nearest = -(start[0] * way[0] + start[1] * way[1]) / square;
        let turn = start[0] * way[1] - start[1] * way[0];
        let missed = turn * turn / square;
        // By the nearest approach: the difference of two chords' ends loses half the digits.
        let grazes =
            if mover.grazing > 0.0 { missed >= inner * inner } else { missed > inner * inner };
        // Without a motion the nearest approach is not a number.
        let approaches = nearest > time;
        if !approaches || grazes {
            return Corner::Missed;
        }
        let half = (mover.radius * mover.radius - missed).sqrt() / square.sqrt();
        Corner::Entered(nearest - half)
    }

    /// Whether the start is outside the arc.
    fn outside(&self, mover: &SweptCylinder) -> bool {
        let (y, _) = self.seen(mover);
        self.between(y) && y[0] * y[0] + y[1] * y[1] > mover.radius * mover.radius
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
/// them at `leave`.
#[inline(always)]
fn past_arcs(arcs: &[Arc], mover: &SweptCylinder, enter: f64, leave: f64) -> Option<f64> {
    let (mut last, mut entered) = (enter, usize::MAX);
    // Past one corner another may be in the way, once for each at most.
    for _ in 0..=arcs.len() {
        let begin = if last > 0.0 { last } else { 0.0 };
        let before = last;
        for (index, arc) in arcs.iter().enumerate() {
            match arc.corner(mover, begin) {
                Corner::Entered(time) if time > last => (last, entered) = (time, index),
                // Where it enters an arc it is on it, up to rounding.
                Corner::Missed if index != entered => return None,
                _ => {}
            }
        }
        if last > leave {
            return None;
        }
        if !(last > before && last > 0.0) {
            break;
        }
    }
    Some(last)
}

impl SweptCylinder {
    /// Where it is at a time.
    pub fn at(&self, time: f64) -> Vec3 {
        add(self.start, scale(self.way, time))
    }
}
