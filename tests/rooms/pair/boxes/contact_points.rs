//! Places of a contact point, compared: the ratio of the diagonals, the clamped centres, the centre
//! of the region of the world boxes, the centre of the collision face, the midpoint. Measured from
//! the middle of the overlap: of two boxes, and of two parts of a character inside their boxes.

use boxwood::accuracy::hard_cases;
use boxwood::pair::contact;
use boxwood::shape::Obb;
use boxwood::{NodeId, ObbTree};

use super::box_pairs::Regime;
use super::contact::{contacts, shared_corners, wide};

use support::prelude::*;

/// Distances of each place from the middle of the overlap, summed up. [smaller diagonals]
#[derive(Default)]
struct Distances {
    count: usize,
    ratio: f64,
    clamped: f64,
    region: f64,
    midpoint: f64,
    /// Sum over the pairs that have a collision face, their number, and the sum of the ratio there.
    face: f64,
    faces: usize,
    ratio_with_face: f64,
}

impl Distances {
    /// Adds the distances of one pair from a point relative to the first centre.
    fn add<T: Scalar>(&mut self, a: &Obb<T>, b: &Obb<T>, corners: &[V], middle: V) {
        let (first, second) = (PlainBox::of(a), PlainBox::of(b));
        let size = a.diagonal().wide().min(b.diagonal().wide());
        let from = |point: V| norm(minus(minus(point, first.center), middle)) / size;
        let ratio = from(wide(&contact::diagonal_ratio(a, b).coords));
        self.count += 1;
        self.ratio += ratio;
        self.clamped += from(wide(&contact::clamped_centers(a, b).coords));
        self.midpoint += from(times(plus(first.center, second.center), 0.5));
        let region = contact::region_center(&a.aabb(), &b.aabb()).expect("world boxes overlap");
        self.region += from(wide(&region.coords));
        let normal = wide(&a.contact(b).expect("they touch").normal);
        if let Some(face) = face_center(&first, &second, normal, corners) {
            self.face += norm(minus(face, middle)) / size;
            self.faces += 1;
            self.ratio_with_face += ratio;
        }
    }

    /// Prints and returns the means: ratio, clamped, region, midpoint, face, ratio at faces.
    fn means(&self, name: &str) -> [f64; 6] {
        let mean = |sum: f64| sum / self.count as f64;
        let of_faces = |sum: f64| sum / self.faces as f64;
        let [ratio, clamped, region, midpoint] =
            [self.ratio, self.clamped, self.region, self.midpoint].map(mean);
        let [face, ratio_with_face] = [self.face, self.ratio_with_face].map(of_faces);
        println!(
            "{name}: {} overlaps, mean distance from the middle over the smaller diagonal: ratio \
             {ratio:.3}, clamped centres {clamped:.3}, region {region:.3}, midpoint \
             {midpoint:.3}; collision face {face:.3} beside ratio {ratio_with_face:.3} in {}",
            self.count, self.faces
        );
        [ratio, clamped, region, midpoint, face, ratio_with_face]
    }
}

/// Returns the centre of the collision face, relative to the first centre: of the part of a face
/// that lies in the other box. The face is the one most nearly across the normal.
fn face_center(first: &PlainBox, second: &PlainBox, normal: V, corners: &[V]) -> Option<V> {
    let faces = [(first, 1.0), (second, -1.0)].into_iter().flat_map(|(solid, sign)| {
        (0..3).map(move |i| (solid, i, sign * inner(solid.axes[i], normal)))
    });
    let (solid, i, along) = faces.max_by(|a, b| a.2.abs().total_cmp(&b.2.abs()))?;
    let center = minus(solid.center, first.center);
    let height = |p: V| inner(minus(p, center), solid.axes[i]) - along.signum() * solid.half[i];
    let size = 1e-9 * (first.radius() + second.radius());
    let on_face: Vec<V> = corners.iter().copied().filter(|&p| height(p).abs() <= size).collect();
    (!on_face.is_empty()).then(|| mean(&on_face))
}

fn mean(points: &[V]) -> V {
    let sum = points.iter().fold([0.0; 3], |sum, &point| plus(sum, point));
    times(sum, 1.0 / points.len() as f64)
}

/// Compares the places for pairs of boxes, which overlap by little.
#[test]
fn places_beside_the_middle_of_the_overlap_of_boxes() {
    let (mut plain, mut unequal) = (Distances::default(), Distances::default());
    contacts::<f64>(32, |regime, a, b| {
        let distances = match regime {
            Regime::Plain => &mut plain,
            Regime::Unequal => &mut unequal,
            _ => return,
        };
        let corners = shared_corners(&PlainBox::of(a), &PlainBox::of(b));
        if !corners.is_empty() {
            distances.add(a, b, &corners, mean(&corners));
        }
    });
    let [ratio, clamped, region, midpoint, face, beside] = plain.means("boxes of like size");
    // For the boxes alone the older points are as near or nearer: boxes overlap at a face.
    assert!(ratio < midpoint && (ratio - region).abs() < 0.02, "{ratio} {midpoint} {region}");
    assert!(clamped < 0.85 * ratio && face < 0.5 * beside, "{clamped} {ratio} {face} {beside}");
    let [ratio, clamped, region, midpoint, face, beside] = unequal.means("unequal boxes");
    assert!(ratio < 0.1 * midpoint, "{ratio} {midpoint}");
    assert!(ratio < region && clamped < ratio && face < beside);
}

/// Compares the places for pairs of parts of the fighter that touch, with their root boxes.
#[test]
fn places_beside_the_middle_of_the_overlap_of_parts() {
    let model = support::fighter::fighter().model;
    let trees: Vec<&ObbTree> = model.parts().iter().filter_map(|part| part.tree()).collect();
    let mut distances = Distances::default();
    for k in 0..trees.len() {
        let pair = [trees[k], trees[(5 * k + 3) % trees.len()]];
        for case in hard_cases(pair, cases(40), 71 + k as u64).expect("cases") {
            let Some(truth) = &case.truth else { continue };
            let [a, b] = [0, 1].map(|side| {
                let root = case.trees[side].node(NodeId::ROOT).oriented();
                root.transformed(&case.poses[side]).expect("a pose")
            });
            let (first, second) = (PlainBox::of(&a), PlainBox::of(&b));
            let centroid: V = truth.centroid().coords.into();
            let corners = shared_corners(&first, &second);
            distances.add(&a, &b, &corners, minus(centroid, first.center));
        }
    }
    let [ratio, clamped, region, midpoint, face, beside] = distances.means("parts of the fighter");
    assert!(distances.count > 100 && distances.faces > 80);
    // For bodies inside their boxes it is nearer than each older point.
    assert!(beside < 0.9 * face, "{beside} {face}");
    assert!(ratio < 0.95 * region && ratio < 0.95 * midpoint, "{ratio} {region} {midpoint}");
    assert!(clamped < 0.9 * ratio, "{clamped} {ratio}");
}

/// Moves a box past another in small steps: the point by the ratio moves by less than the box, the
/// centre of the collision face jumps where the normal changes.
#[test]
fn the_point_moves_no_further_than_the_boxes_and_the_face_centre_jumps() {
    let half = Vector3::new(1.0, 0.5, 0.4);
    let turn = nalgebra::UnitQuaternion::from_euler_angles(0.3, 0.5, 0.2);
    let fixed = Obb::from_pose(&nalgebra::Isometry3::identity(), half).expect("a box");
    let steps = cases(2_000).max(500);
    let step = 1.0 / steps as f64;
    let mut last: Option<(Point3<f64>, V)> = None;
    let (mut furthest, mut jump) = (0.0f64, 0.0f64);
    for k in 0..steps {
        let at = nalgebra::Translation3::new(1.2 - step * k as f64, 0.7 * step * k as f64, 0.2);
        let pose = nalgebra::Isometry3::from_parts(at, turn);
        let moving = Obb::from_pose(&pose, half * 0.8).expect("a box");
        let Some(contact) = fixed.contact(&moving) else { continue };
        let (first, second) = (PlainBox::of(&fixed), PlainBox::of(&moving));
        let corners = shared_corners(&first, &second);
        let face = face_center(&first, &second, wide(&contact.normal), &corners);
        let Some(face) = face else { continue };
        if let Some((point, center)) = last {
            furthest = furthest.max((contact.point - point).norm());
            jump = jump.max(norm(minus(face, center)));
        }
        last = Some((contact.point, face));
    }
    let moved = step * (1.0f64 + 0.7 * 0.7).sqrt();
    println!("a step of {moved:.1e}: the point moves {furthest:.1e}, the face's centre {jump:.1e}");
    assert!(furthest <= moved && jump > 20.0 * moved, "{furthest:e} {jump:e} {moved:e}");
}
