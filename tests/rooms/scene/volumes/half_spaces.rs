//! Half-spaces that contain characters, cut them, or only touch: each part against its corners.

use boxwood::model::{CollisionGroups, Model, PartId};
use boxwood::num::SimdLevel;
use boxwood::scene::{
    Buffers, HitMode, NodeRef, Overlaps, QueryFilter, QueryShape, Scene, Snapshot,
};
use boxwood::shape::{Obb, Plane};
use boxwood::tree::{Build, Geometry};
use boxwood::{Accuracy, CharacterKey, Detail};
use nalgebra::Translation3;

use support::heights::heights;
use support::prelude::*;

/// Order of a character, and index of a part.
type Place = (usize, usize);

/// Characters, with the corners of the boxes of each enabled part in double precision.
struct HalfSpaceScene<T: Scalar> {
    scene: Scene<T>,
    keys: Vec<CharacterKey>,
    corners: Vec<(Place, Vec<Point3<f64>>)>,
    /// Largest coordinate, and size.
    far: f64,
    size: f64,
}

fn turn(random: &mut Random) -> UnitQuaternion<f64> {
    UnitQuaternion::new(random.vector(2.0))
}

/// Model of parts: one box along the frame, thin or not and perhaps aside, three of them so or any
/// origin, three such boxes in any orientation, or none.
fn model<T: Scalar>(
    random: &mut Random,
    (parts, size): (usize, f64),
    solid: bool,
) -> (std::sync::Arc<Model<T>>, Vec<Vec<Obb<T>>>) {
    let (mut builder, mut boxes) = (Model::builder(), Vec::new());
    for part in 0..parts {
        let count = if !solid || part % 7 == 6 { 0 } else { [1, 1, 1, 3][part % 4] };
        let own: Vec<Obb<T>> = (0..count)
            .map(|_| {
                let aside = if random.chance(0.5) { 0.0 } else { 0.3 * size };
                let along = count == 1 || part % 8 == 3;
                let turn = if along { UnitQuaternion::identity() } else { turn(random) };
                let at = Isometry3::from_parts(random.vector(aside).into(), turn);
                let half =
                    Vector3::from_fn(|_, _| T::nearest(0.3 * size * random.decade(-3.0, 0.0)));
                Obb::from_pose(&rounded(&at), half).expect("a box")
            })
            .collect();
        let geometry = if count == 0 { Geometry::None } else { Geometry::Boxes(own.clone()) };
        builder = builder.part(part.to_string(), None, geometry);
        boxes.push(own);
    }
    (builder.build(&Build::default()).expect("a model"), boxes)
}

fn rounded<T: Scalar>(pose: &Isometry3<f64>) -> Isometry3<T> {
    let turn = UnitQuaternion::new_unchecked(pose.rotation.coords.map(T::nearest).into());
    Isometry3::from_parts(Translation3::from(pose.translation.vector.map(T::nearest)), turn)
}

/// Transforms exactly by `q / |q|`, as the contract says.
fn placed<T: Scalar>(pose: &Isometry3<T>, p: Point3<f64>) -> Point3<f64> {
    let turn = UnitQuaternion::new_normalize(pose.rotation.coords.map(T::wide).into());
    turn * p + pose.translation.vector.map(T::wide)
}

impl<T: Scalar> HalfSpaceScene<T> {
    fn new(random: &mut Random, (far, size): (f64, f64)) -> Self {
        let kinds = [(20, true), (5, true), (70, true), (3, false)];
        let models = kinds.map(|(parts, solid)| model::<T>(random, (parts, size), solid));
        let (mut scene, mut keys, mut corners) = (Scene::new(), Vec::new(), Vec::new());
        for at in 0..80 {
            let (model, boxes) = &models[if at % 20 == 19 { 2 + at / 20 % 2 } else { at % 2 }];
            let middle = Vector3::new(far, -far, 0.5 * far) + random.vector(8.0 * size);
            let poses: Vec<Isometry3<T>> = (0..model.len())
                .map(|_| {
                    let at = middle + random.vector(size);
                    rounded(&Isometry3::from_parts(at.into(), turn(random)))
                })
                .collect();
            let key = insert_posed(&mut scene, model, &poses);
            keys.push(key);
            for (part, (own, pose)) in boxes.iter().zip(&poses).enumerate() {
                if random.chance(0.1) {
                    scene.set_part_enabled(key, PartId::new(part), false).expect("a part");
                } else if !own.is_empty() {
                    corners.push(((at, part), own.iter().flat_map(|b| of(b, pose)).collect()));
                }
            }
        }
        HalfSpaceScene { scene, keys, corners, far: 2.0 * far, size }
    }

    /// Draws a plane that touches a part from outside, just contains a part, a character or the
    /// scene, or is anywhere, exact or off by a hair.
    fn plane(&self, random: &mut Random, case: usize) -> Plane<T> {
        let mut normal = Vector3::from(random.direction());
        (0..random.below(3)).for_each(|_| normal[random.below(3)] = 0.0);
        let normal = if normal.norm() > 0.1 { normal.normalize() } else { -Vector3::y() };
        let normal = normal.map(T::nearest);
        let ((at, part), _) = self.corners[random.below(self.corners.len())];
        let of = |which: &dyn Fn(Place) -> bool| -> Vec<f64> {
            let chosen = self.corners.iter().filter(|(place, _)| which(*place));
            chosen.flat_map(|(_, corners)| heights(corners, normal.map(T::wide))).collect()
        };
        let least = |all: Vec<f64>| all.into_iter().fold(f64::INFINITY, f64::min);
        let most = |all: Vec<f64>| all.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let offset = match case % 5 {
            0 => least(of(&|place| place == (at, part))),
            1 => most(of(&|place| place == (at, part))),
            2 => most(of(&|place| place.0 == at)),
            3 => [least(of(&|_| true)), most(of(&|_| true))][random.below(2)],
            _ => {
                let all = of(&|_| true);
                all[random.below(all.len())]
            }
        };
        let hair = [0.0, 1e-15, 1e-9, 1e-7, 1e-6, 1e-4, 1e-2][random.below(7)] * random.sign();
        let offset = offset + hair * (self.size + self.far);
        Plane::new(Unit::new_unchecked(normal), T::nearest(offset)).expect("a plane")
    }

    fn places(&self, overlaps: &Overlaps<T>) -> Vec<Place> {
        let at = |node: &NodeRef| self.keys.iter().position(|&key| key == node.character);
        overlaps.iter().map(|node| (at(node).expect("a key"), node.part.index())).collect()
    }

    /// Checks overlaps of a half-space and the slack against the corners: none missed, none further
    /// off than stated.
    fn ask(
        &self,
        now: &Snapshot<'_, T>,
        (plane, filter): (&Plane<T>, &QueryFilter),
        overlaps: &mut Overlaps<T>,
    ) -> (Vec<Place>, f64, [usize; 2]) {
        let report = now.overlaps(*plane, filter, overlaps).expect("a sound question");
        let (found, slack) = (self.places(overlaps), report.slack.wide());
        let (normal, mut seen) = (plane.normal().map(T::wide), [0; 2]);
        for (place, corners) in &self.corners {
            let least = heights(corners, normal).into_iter().fold(f64::INFINITY, f64::min);
            let away = (least - plane.offset().wide()) / normal.norm();
            let (says, rounding) = (found.binary_search(place).is_ok(), self.rounding());
            assert!(says || away > -rounding, "{plane:?} misses {place:?}: {away:e}");
            assert!(
                !says || away <= slack + rounding,
                "{plane:?} finds {place:?}: {away:e} {slack:e}"
            );
            seen[usize::from(!says)] += 1;
        }
        assert_eq!(seen[0], found.len(), "{plane:?} finds what is not there");
        (found, slack, seen)
    }

    /// Checks that the any-overlap is one of all overlaps, with no larger slack.
    fn any(
        &self,
        now: &Snapshot<'_, T>,
        (plane, filter): (&Plane<T>, &QueryFilter),
        (all, slack): (&[NodeRef], f64),
        overlaps: &mut Overlaps<T>,
    ) {
        let plane = [QueryShape::from(*plane)];
        let report =
            now.overlaps_batch(&plane, HitMode::Any, filter, overlaps).expect("a sound question");
        assert_eq!(overlaps.len(), all.len().min(1), "{plane:?}");
        assert!(overlaps.iter().all(|node| all.contains(node)), "{plane:?}");
        let stated = report.slack.wide();
        assert!(stated <= slack && (stated > 0.0) != all.is_empty(), "{plane:?}: {stated:e}");
    }

    /// Rounding of the corners' heights.
    fn rounding(&self) -> f64 {
        1e-14 * (self.size + self.far)
    }
}

/// Returns the corners of a box in a pose.
fn of<T: Scalar>(stored: &Obb<T>, pose: &Isometry3<T>) -> Vec<Point3<f64>> {
    let (axes, half) = (stored.axes().map(T::wide), stored.half_extents().map(T::wide));
    let corner = |bits: usize| {
        let side = |i: usize| if bits >> i & 1 == 1 { half[i] } else { -half[i] };
        let out = Vector3::new(side(0), side(1), side(2));
        placed(pose, stored.center().map(T::wide) + axes * out)
    };
    (0..8).map(corner).collect()
}

fn half_spaces<T: Scalar>(seed: u64, sizes: (f64, f64)) {
    let mut random = Random(seed);
    let stand = HalfSpaceScene::<T>::new(&mut random, sizes);
    let mut levels: Vec<_> = SimdLevel::all().into_iter().map(Buffers::with_simd_level).collect();
    let levels: Vec<_> = levels.iter_mut().map(|of| stand.scene.snapshot(of)).collect();
    let mut buffers = Buffers::new();
    let now = stand.scene.snapshot(&mut buffers);
    let (mut overlaps, mut other) = (Overlaps::new(), Overlaps::new());
    let (mut seen, mut wholes) = ([0; 2], 0);
    for case in 0..150 {
        let plane = stand.plane(&mut random, case);
        for accuracy in [Accuracy::Depth(9), Accuracy::Exact, Accuracy::Within(0.02 * stand.size)] {
            let all = QueryFilter::all().accuracy(accuracy);
            let (found, slack, answer) = stand.ask(&now, (&plane, &all), &mut overlaps);
            assert!(found.is_sorted_by(|a, b| a < b), "{plane:?}");
            seen = [seen[0] + answer[0], seen[1] + answer[1]];
            let whole = |at| stand.corners.iter().filter(|c| c.0.0 == at).count();
            wholes +=
                found.chunk_by(|a, b| a.0 == b.0).filter(|of| of.len() == whole(of[0].0)).count();
            let nodes = overlaps.to_vec();
            for (now, simd) in levels.iter().zip(SimdLevel::all()) {
                let report = now.overlaps(plane, &all, &mut other).expect("asked");
                assert_eq!((&other[..], report.slack.wide()), (&nodes[..], slack), "{simd}");
            }
            // Part by part; the slack of all is the largest.
            let mut worst = 0.0;
            for (at, &key) in stand.keys.iter().enumerate() {
                let one = QueryFilter::of(key).accuracy(accuracy);
                let report = now.overlaps(plane, &one, &mut overlaps).expect("asked");
                worst = report.slack.wide().max(worst);
                let his: Vec<Place> = found.iter().copied().filter(|place| place.0 == at).collect();
                assert_eq!(stand.places(&overlaps), his, "{plane:?}");
            }
            // Coordinates of one character are smaller, and so is the slack.
            assert_eq!(worst, slack, "{plane:?}");
            stand.any(&now, (&plane, &all), (&nodes, slack), &mut overlaps);
            let key = stand.keys[random.below(stand.keys.len())];
            let one: Vec<NodeRef> = nodes.iter().copied().filter(|s| s.character == key).collect();
            let of = QueryFilter::of(key).accuracy(accuracy);
            stand.any(&now, (&plane, &of), (&one, slack), &mut overlaps);
            // The slack of all parts is the largest of the parts queried one by one.
            let stated = now.overlaps(plane, &of, &mut overlaps).expect("asked").slack.wide();
            let worst = one.iter().map(|node| {
                let part = of.clone().parts(&[node.part]);
                now.overlaps(plane, &part, &mut overlaps).expect("asked").slack.wide()
            });
            assert_eq!(worst.fold(0.0, f64::max), stated, "{plane:?}");
            left_out(&stand, &now, (&plane, &all), &mut random, &nodes);
        }
    }
    println!("{sizes:?}: in and out {seen:?}, characters all in {wholes}");
    assert!(seen[0] > 10_000 && seen[1] > 10_000 && wholes > 2_000);
}

/// Checks that exclusions, parts, groups and predicates reject exactly their parts.
fn left_out<T: Scalar>(
    stand: &HalfSpaceScene<T>,
    now: &Snapshot<'_, T>,
    (plane, all): (&Plane<T>, &QueryFilter),
    random: &mut Random,
    nodes: &[NodeRef],
) {
    let mut overlaps = Overlaps::new();
    let odd = random.bits();
    let says = |node: &NodeRef| odd >> (node.part.index() % 64) & 1 == 1;
    let expected = |keeps: &dyn Fn(&NodeRef) -> bool| -> Vec<NodeRef> {
        nodes.iter().copied().filter(|node| keeps(node)).collect()
    };
    let keeps = |node: NodeRef| says(&node);
    now.overlaps(*plane, &all.clone().predicate(&keeps), &mut overlaps).expect("asked");
    assert_eq!(overlaps[..], expected(&says));
    let parts: Vec<PartId> =
        (0..70).map(PartId::new).filter(|p| odd >> (p.index() % 64) & 1 == 1).collect();
    now.overlaps(*plane, &all.clone().parts(&parts), &mut overlaps).expect("asked");
    assert_eq!(overlaps[..], expected(&says));
    let gone = [stand.keys[random.below(80)], stand.keys[random.below(80)]];
    now.overlaps(*plane, &all.clone().excluding(&gone), &mut overlaps).expect("asked");
    assert_eq!(overlaps[..], expected(&|node| !gone.contains(&node.character)));
    let mut scene = stand.scene.clone();
    let hidden = stand.keys[random.below(80)];
    scene.set_groups(hidden, PartId::new(1), CollisionGroups::NONE).expect("a part");
    let mut buffers = Buffers::new();
    let later = scene.snapshot(&mut buffers);
    let regions =
        [QueryShape::from(*plane), QueryShape::Point(Point3::origin()), QueryShape::from(*plane)];
    later.overlaps_batch(&regions, HitMode::All, all, &mut overlaps).expect("asked");
    let rest = expected(&|node| node.character != hidden || node.part != PartId::new(1));
    assert_eq!((overlaps.of(0), overlaps.of(2)), (&rest[..], &rest[..]));
    // With `Detail::Boxes`, the boxes of the same parts.
    now.overlaps(*plane, &all.clone().detail(Detail::Boxes), &mut overlaps).expect("asked");
    assert!(
        overlaps
            .is_sorted_by(|a, b| (a.part, a.node) < (b.part, b.node) || a.character != b.character)
    );
    let mut with: Vec<(CharacterKey, PartId)> =
        overlaps.iter().map(|s| (s.character, s.part)).collect();
    with.dedup();
    let parts: Vec<_> = nodes.iter().map(|node| (node.character, node.part)).collect();
    assert_eq!(with, parts);
}

#[test]
fn half_space_overlaps_agree_with_corners_f32() {
    half_spaces::<f32>(171, (0.0, 1.0));
    half_spaces::<f32>(172, (1e3, 1.0));
    half_spaces::<f32>(173, (3e15, 1e12));
}

#[test]
fn half_space_overlaps_agree_with_corners_f64() {
    half_spaces::<f64>(174, (0.0, 1.0));
    half_spaces::<f64>(175, (1e5, 1.0));
    half_spaces::<f64>(176, (3e15, 1e12));
}
