//! Brushes expanded by an upright cylinder: their Minkowski sum as planes and arcs.
//!
//! The centre of a cylinder (radius `R`, half height `H`) is in the sum exactly where the cylinder
//! touches the brush. Two steps make the sum simple, with z up:
//!
//! 1. *Up and down.* The sum of the brush and a vertical segment is again a polyhedron. A face
//!    moves out by `H |n_z|`; an edge between a face that points up and one that points down (a
//!    silhouette edge) opens into an upright face, whose normal is the horizontal direction between
//!    theirs.
//! 2. *Sideways.* At each height a disc rounds a convex polygon. A face moves on by `R |n_xy|`. A
//!    corner of the polygon belongs to an edge that is not horizontal, and its arc sweeps a
//!    cylinder slanted along the edge whose horizontal sections are circles.
//!
//! The sum is therefore bounded by planes and slanted cylinders alone. `R` and `H` enter as
//! factors, so one table serves every size. Every constraint is a non-negative combination of two
//! or three planes of the brush, so a wrong neighbour or a rounded corner can only make the sum too
//! large, never too small.
//!
//! Source of planes, outer box and corner planes: CN105488851 (2016). Its rules for corners are
//! sharpened here; the arcs are exact.

use super::polytope::{HalfSpace, MERGE_RATIO, Polytope, PolytopeEdge};
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};
use crate::num::simd::Lanes;
use crate::num::sorting::ascending_indices;

/// Rounding of the corners of a brush that is expanded by a cylinder. Every variant contains the
/// exact sum; they differ in how far they overshoot it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Expansion {
    /// Planes moved outward, nothing else; for comparison, since every query then tests every
    /// brush. Overshoots without bound at sharp edges: `R (1 / sin(a / 2) - 1)` at an upright edge
    /// of opening `a`.
    Planes,
    /// The moved planes, cut by the AABB of the brush grown by the cylinder. Overshoots by at most
    /// `0.414 R` on upright prisms, and by as much as the brush is large at slanted sharp edges.
    OuterBox,
    /// Like [`Expansion::OuterBox`], with an arc of radius `R` about each upright edge of the AABB:
    /// exact for axis-aligned boxes.
    BoxArcs,
    /// The moved planes, top and bottom, and a plane for each silhouette edge; every query tests
    /// every brush.
    Silhouettes,
    /// Like [`Expansion::Silhouettes`], with planes in this number of compass directions, at least
    /// 3, at each corner of the outline. Overshoots by at most `R (1 / cos(pi / k) - 1)`, which is
    /// `0.0824 R` for 8. With a count that four does not divide every query tests every brush.
    Bevels(u8),
    /// Exact: arcs at the corners of every horizontal cut.
    #[default]
    Arcs,
}

impl Expansion {
    /// Returns `true` if the sum is inside the AABB of the brush grown by the cylinder, so that a
    /// tree of boxes can cull.
    pub(super) fn is_in_outer_box(self) -> bool {
        match self {
            Expansion::Planes | Expansion::Silhouettes => false,
            // A compass with these counts has the directions of the axes.
            Expansion::Bevels(directions) => directions.max(3) % 4 == 0,
            Expansion::OuterBox | Expansion::BoxArcs | Expansion::Arcs => true,
        }
    }
}

/// Plane of the sum: `normal . x <= offset + R side + H rise`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ExpandedFace {
    pub normal: Vec3,
    pub offset: f64,
    pub radius_factor: f64,
    pub height_factor: f64,
}

/// Arc of the sum: in projection along the edge, a point strictly between the directions `from` and
/// `to` is at most `R` from the edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ExpandedArc {
    /// Point of the edge before it is moved.
    pub point: Vec3,
    /// Multiple of `H` by which the edge is moved up: 1, -1, or 0 for an upright edge.
    pub lift: f64,
    /// Horizontal displacement along the edge per unit of height.
    pub slope: [f64; 2],
    /// Horizontal unit directions, counter-clockwise, less than half a turn apart.
    pub from: [f64; 2],
    pub to: [f64; 2],
}

/// Constraints of one brush.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Expanded {
    pub faces: Vec<ExpandedFace>,
    pub arcs: Vec<ExpandedArc>,
}

/// Greatest vertical component of a unit normal that counts as none.
const MAX_LEAN: f64 = 1e-12;

/// Least sine between two horizontal unit directions that differ: a smaller arc would cut off less
/// than 2e-15 of the radius.
const MIN_ARC_SINE: f64 = 1e-7;

const AXIS_DIRECTIONS: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];

/// Upright plane of the outline of the brush seen from above.
#[derive(Debug, Clone, Copy)]
struct OutlinePlane {
    normal: [f64; 2],
    offset: f64,
}

impl Expanded {
    pub fn new(solid: &Polytope, expansion: Expansion) -> Expanded {
        let mut sum = Expanded::default();
        sum.faces.reserve(2 * solid.planes.len());
        sum.faces.extend(solid.planes.iter().map(expanded_face));
        match expansion {
            Expansion::Planes => {}
            Expansion::OuterBox => drop(sum.add_outer_box(solid)),
            Expansion::BoxArcs => {
                let sides = sum.add_outer_box(solid);
                sum.arcs.extend(corner_arcs(&sides));
            }
            Expansion::Silhouettes => {
                sum.add_silhouettes(solid);
            }
            Expansion::Bevels(directions) => {
                let arcs = sum.exact_arcs(solid);
                sum.add_bevels(&arcs, directions.max(3));
            }
            Expansion::Arcs => sum.arcs = sum.exact_arcs(solid),
        }
        sum
    }

    /// Creates the sum of a cylinder and the origin. It tests two cylinders if both sizes are
    /// added.
    pub fn around_origin() -> Expanded {
        let mut sum = Expanded::default();
        let ends = [1.0, -1.0].map(|z| HalfSpace { normal: [0.0, 0.0, z], offset: 0.0 });
        sum.faces.extend(ends.iter().map(expanded_face));
        let sides = AXIS_DIRECTIONS.map(|normal| OutlinePlane { normal, offset: 0.0 });
        sides.iter().for_each(|side| sum.add_upright(side));
        sum.arcs.extend(corner_arcs(&sides));
        sum
    }

    /// Adds the six planes of the AABB of the brush; returns the upright ones.
    fn add_outer_box(&mut self, solid: &Polytope) -> Vec<OutlinePlane> {
        self.add_top_and_bottom(solid);
        let sides = AXIS_DIRECTIONS.map(|normal| OutlinePlane {
            normal,
            offset: support_bound(solid, [normal[0], normal[1], 0.0]),
        });
        sides.iter().for_each(|side| self.add_upright(side));
        sides.to_vec()
    }

    /// Adds top and bottom.
    fn add_top_and_bottom(&mut self, solid: &Polytope) {
        for z in [1.0, -1.0] {
            let normal = [0.0, 0.0, z];
            if !solid.planes.iter().any(|plane| plane.normal == normal) {
                self.faces.push(expanded_face(&HalfSpace {
                    normal,
                    offset: support_bound(solid, normal),
                }));
            }
        }
    }

    fn add_upright(&mut self, plane: &OutlinePlane) {
        let normal = [plane.normal[0], plane.normal[1], 0.0];
        // A plane that equals an earlier one up to rounding can be left out: the sum gets no
        // smaller.
        let there = |face: &ExpandedFace| {
            let way = sub(face.normal, normal);
            dot(way, way) < 1e-24
        };
        if !self.faces.iter().any(there) {
            self.faces.push(ExpandedFace {
                normal,
                offset: plane.offset,
                radius_factor: 1.0,
                height_factor: 0.0,
            });
        }
    }

    /// Adds top, bottom and silhouettes; returns all upright planes of the outline,
    /// counter-clockwise.
    fn add_silhouettes(&mut self, solid: &Polytope) -> Vec<OutlinePlane> {
        self.add_top_and_bottom(solid);
        let largest = solid.largest_coordinate();
        let faces = solid.planes.iter().filter_map(|plane| upright_face(plane, largest));
        let mut outline: Vec<OutlinePlane> = faces.collect();
        for edge in &solid.edges {
            if let Some(plane) = silhouette_plane(solid, edge) {
                self.add_upright(&plane);
                outline.push(plane);
            }
        }
        ascending_indices(outline.iter().map(|plane| pseudo_angle(plane.normal)))
            .map(|at| outline[at])
            .collect()
    }

    /// Returns all arcs of the exact sum; adds its planes.
    fn exact_arcs(&mut self, solid: &Polytope) -> Vec<ExpandedArc> {
        let outline = self.add_silhouettes(solid);
        let mut arcs: Vec<ExpandedArc> = corner_arcs(&outline).collect();
        let merge = solid.merge_distance();
        solid.edges.iter().for_each(|edge| add_slanted_arcs(solid, edge, merge, &mut arcs));
        arcs
    }

    /// Adds, for every arc, the planes through its edge in the compass directions between its ends.
    fn add_bevels(&mut self, arcs: &[ExpandedArc], directions: u8) {
        let compass = compass(directions);
        for arc in arcs {
            for &u in &compass {
                if !(cross2(arc.from, u) > MIN_ARC_SINE && cross2(u, arc.to) > MIN_ARC_SINE) {
                    continue;
                }
                let fall = -(u[0] * arc.slope[0] + u[1] * arc.slope[1]);
                let unit = 1.0 / (1.0 + fall * fall).sqrt();
                let normal = scale([u[0], u[1], fall], unit);
                let offset = dot(normal, arc.point);
                self.faces.push(ExpandedFace {
                    normal,
                    offset,
                    radius_factor: unit,
                    height_factor: arc.lift * fall * unit,
                });
            }
        }
    }
}

/// Returns a plane of the brush, moved outward by the support of the cylinder.
fn expanded_face(plane: &HalfSpace) -> ExpandedFace {
    let [x, y, z] = plane.normal;
    let radius_factor = (x * x + y * y).sqrt();
    ExpandedFace {
        normal: plane.normal,
        offset: plane.offset,
        radius_factor,
        height_factor: z.abs(),
    }
}

/// Returns the horizontal direction and offset of an upright face of a solid with that largest
/// coordinate.
fn upright_face(plane: &HalfSpace, largest: f64) -> Option<OutlinePlane> {
    let [x, y, z] = plane.normal;
    (z.abs() <= MAX_LEAN).then(|| {
        let unit = 1.0 / (x * x + y * y).sqrt();
        // A face that leans by rounding is moved out by as much as it leans.
        let lean = z.abs() * largest;
        OutlinePlane { normal: [x * unit, y * unit], offset: (plane.offset + lean) * unit }
    })
}

/// Returns the upright plane through an edge between a face that points up and one that points
/// down.
fn silhouette_plane(solid: &Polytope, edge: &PolytopeEdge) -> Option<OutlinePlane> {
    let plane = plane_through_edge(edge.faces.map(|face| &solid.planes[face as usize]), 2)?;
    Some(OutlinePlane { normal: [plane.normal[0], plane.normal[1]], offset: plane.offset })
}

/// Returns the plane through the edge of two faces, parallel to an axis, if one face points along
/// the axis and the other against it.
pub(super) fn plane_through_edge([a, b]: [&HalfSpace; 2], axis: usize) -> Option<HalfSpace> {
    let (up, down) = if a.normal[axis] > b.normal[axis] { (a, b) } else { (b, a) };
    if up.normal[axis] <= MAX_LEAN || down.normal[axis] >= -MAX_LEAN {
        return None;
    }
    let (share, other) = (-down.normal[axis], up.normal[axis]);
    let mut normal = add(scale(up.normal, share), scale(down.normal, other));
    normal[axis] = 0.0;
    let size = length(normal);
    // Two faces perpendicular to the axis have no line in common.
    (size > 1e-9).then(|| HalfSpace {
        normal: normal.map(|x| x / size),
        offset: (share * up.offset + other * down.offset) / size,
    })
}

/// Returns the upright arcs between neighbouring planes of an outline.
fn corner_arcs(outline: &[OutlinePlane]) -> impl Iterator<Item = ExpandedArc> + '_ {
    let count = if outline.len() > 1 { outline.len() } else { 0 };
    (0..count).filter_map(move |i| {
        let (a, b) = (outline[i], outline[(i + 1) % outline.len()]);
        let turn = cross2(a.normal, b.normal);
        // Planes half a turn or more apart are not neighbours of a bounded outline.
        (turn > MIN_ARC_SINE).then(|| ExpandedArc {
            point: [
                (a.offset * b.normal[1] - b.offset * a.normal[1]) / turn,
                (b.offset * a.normal[0] - a.offset * b.normal[0]) / turn,
                0.0,
            ],
            lift: 0.0,
            slope: [0.0; 2],
            from: a.normal,
            to: b.normal,
        })
    })
}

/// Adds the arcs of an edge that is neither horizontal nor upright; corners are merged below the
/// distance `merge`.
fn add_slanted_arcs(
    solid: &Polytope,
    edge: &PolytopeEdge,
    merge: f64,
    arcs: &mut Vec<ExpandedArc>,
) {
    let planes = edge.faces.map(|face| solid.planes[face as usize]);
    let rises =
        planes.map(|plane| if plane.normal[2].abs() <= MAX_LEAN { 0.0 } else { plane.normal[2] });
    let [a, b] = edge.corners.map(|corner| solid.corners[corner as usize]);
    let is_horizontal = (a[2] - b[2]).abs() <= merge;
    let way = cross(planes[0].normal, planes[1].normal);
    if is_horizontal || rises == [0.0, 0.0] || way[2] == 0.0 {
        return;
    }
    let arc = |lift: f64, from: [f64; 2], to: [f64; 2]| {
        let (from, to) = if cross2(from, to) > 0.0 { (from, to) } else { (to, from) };
        let slope = [way[0] / way[2], way[1] / way[2]];
        let point = project_on_intersection(&planes, scale(add(a, b), 0.5));
        (!is_same_direction(from, to)).then_some(ExpandedArc { point, lift, slope, from, to })
    };
    let Some(sides) = horizontal_direction(&planes[0]).zip(horizontal_direction(&planes[1])) else {
        return;
    };
    if rises[0] * rises[1] >= 0.0 {
        arcs.extend(arc(if rises[0] + rises[1] > 0.0 { 1.0 } else { -1.0 }, sides.0, sides.1));
    } else if let Some(middle) = silhouette_plane(solid, edge) {
        arcs.extend(arc(rises[0].signum(), sides.0, middle.normal));
        arcs.extend(arc(rises[1].signum(), middle.normal, sides.1));
    }
}

/// Returns the horizontal direction of a plane's normal.
fn horizontal_direction(plane: &HalfSpace) -> Option<[f64; 2]> {
    let [x, y, _] = plane.normal;
    let size = (x * x + y * y).sqrt();
    (size > 1e-9).then(|| [x / size, y / size])
}

/// Projects a point onto the intersection line of two planes.
fn project_on_intersection(planes: &[HalfSpace; 2], mut point: Vec3) -> Vec3 {
    let [a, b] = planes;
    let cosine = dot(a.normal, b.normal);
    let square = dot(cross(a.normal, b.normal), cross(a.normal, b.normal));
    for _ in 0..2 {
        let (p, q) = (a.height(point), b.height(point));
        let x = (p - cosine * q) / square;
        let y = (q - cosine * p) / square;
        point = sub(point, add(scale(a.normal, x), scale(b.normal, y)));
    }
    point
}

/// Returns an upper bound on `direction . x` in the brush: a non-negative combination of three
/// planes at its outermost corner, plus the rest of the direction times the size of the brush.
fn support_bound(solid: &Polytope, direction: Vec3) -> f64 {
    rotated_support_bound(solid, &|v| v, direction)
}

/// Like [`support_bound`], in the brush rotated about the origin.
pub(super) fn rotated_support_bound(
    solid: &Polytope,
    rotation: &impl Fn(Vec3) -> Vec3,
    direction: Vec3,
) -> f64 {
    let corners = || solid.corners.iter().map(|&corner| rotation(corner));
    let size = solid.rotated_largest_coordinate(rotation);
    let most = f64::NEG_INFINITY;
    let support = corners().fold(most, |most, corner| most.greater(dot(direction, corner)));
    let near = MERGE_RATIO * size * 4.0;
    let loose = support + near;
    let top = corners().find(|&corner| dot(direction, corner) == support);
    let Some(top) = top else { return loose };
    // Not collected: a rotated brush is expanded in every query, which must not allocate.
    let at_top = |count: usize| {
        let planes = solid.planes[..count].iter().map(|plane| plane.rotated(rotation)).enumerate();
        planes.filter(|(_, plane)| plane.height(top).abs() <= near)
    };
    let mut best = loose;
    for (i, a) in at_top(solid.planes.len()) {
        for (j, b) in at_top(i) {
            for (_, c) in at_top(j) {
                best = best.lesser(bound_by_planes([&a, &b, &c], direction, size));
            }
        }
    }
    best
}

/// Returns the bound from three planes, infinite if their normals do not enclose the direction.
fn bound_by_planes(planes: [&HalfSpace; 3], direction: Vec3, size: f64) -> f64 {
    let [a, b, c] = planes.map(|plane| plane.normal);
    let volume = dot(a, cross(b, c));
    if volume.abs() < 1e-9 {
        return f64::INFINITY;
    }
    let shares = [cross(b, c), cross(c, a), cross(a, b)].map(|v| dot(direction, v) / volume);
    if shares.iter().any(|&share| share < -1e-9) {
        return f64::INFINITY;
    }
    let shares = shares.map(|share| if share > 0.0 { share } else { 0.0 });
    let (mut rest, mut offset, mut reach) = (direction, 0.0, 0.0);
    for (plane, share) in planes.into_iter().zip(shares) {
        rest = sub(rest, scale(plane.normal, share));
        offset += share * plane.offset;
        reach += share * plane.offset.abs();
    }
    // The sum of shares is at most the length of a path between unit vectors: rounding stays small.
    let exact = length(rest) == 0.0 && shares.iter().filter(|&&share| share != 0.0).count() == 1;
    if exact { offset } else { offset + 2.0 * size * length(rest) + 4.0 * f64::EPSILON * reach }
}

/// Returns the directions of a compass with `count` points, from x counter-clockwise.
fn compass(count: u8) -> Vec<[f64; 2]> {
    // A fixed series: sine and cosine differ between machines.
    let (sine, cosine) = sine_cosine(2.0 * std::f64::consts::PI / f64::from(count));
    let mut directions = vec![[1.0, 0.0]];
    for i in 1..usize::from(count) {
        let [x, y] = directions[i - 1];
        let next = [x * cosine - y * sine, x * sine + y * cosine];
        let size = (next[0] * next[0] + next[1] * next[1]).sqrt();
        directions.push([next[0] / size, next[1] / size]);
    }
    directions
}

/// Returns sine and cosine of an angle up to 2.1 by their Taylor series, in a fixed order of
/// operations.
fn sine_cosine(angle: f64) -> (f64, f64) {
    let (mut sine, mut cosine, mut term) = (0.0, 0.0, 1.0);
    for i in 0..30 {
        match i % 4 {
            0 => cosine += term,
            1 => sine += term,
            2 => cosine -= term,
            _ => sine -= term,
        }
        term *= angle / f64::from(i + 1);
    }
    (sine, cosine)
}

/// Returns a number from 0 to 4 that grows counter-clockwise from x.
fn pseudo_angle([x, y]: [f64; 2]) -> f64 {
    let rise = y / (x.abs() + y.abs());
    match (x < 0.0, y < 0.0) {
        (true, _) => 2.0 - rise,
        (false, true) => 4.0 + rise,
        (false, false) => rise,
    }
}

fn is_same_direction(a: [f64; 2], b: [f64; 2]) -> bool {
    cross2(a, b).abs() <= MIN_ARC_SINE && a[0] * b[0] + a[1] * b[1] > 0.0
}

/// Returns the 2D cross product: positive where `b` is counter-clockwise of `a`.
fn cross2(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
