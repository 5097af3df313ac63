//! Tests that the pads of rays and balls suffice, at every SIMD level.

use nalgebra::Vector3;

use super::ball::LocalBall;
use super::box_volume::LocalBox;
use super::local_ray::LocalRay;
use super::volume::{LocalRegion, LocalVolume};
use crate::broad_phase::{
    Aabb16, AabbF32, BLOCK, EMPTY_BLOCK, RayEntries, RaySlabs, WorldRay, l1_radius, write_boxes,
};
use crate::num::SplitMix64;
use crate::num::linear::{IDENTITY, Vec3, add, dot, length, rotate, rotation_of, scale, sub};
use crate::num::proof::{at_least, cases};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::{Scalar, SimdLevel};
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::sat::eight_boxes::WIDTH;
use crate::sat::eight_triangles::EightTriangles;
use crate::shape::{Aabb, Mesh, Obb, Placement, WideObb, nearest_point, wide_point};
use crate::tree::{Build, Geometry, NodeId, ObbTree};

impl SplitMix64 {
    /// Returns a direction: any, or with some coordinates zero or nearly zero.
    fn direction(&mut self) -> Vec3 {
        let slow = [0.0, -0.0, 5e-324, -1e-310, 1e-41, -1e-20, 1e-9, -1e-6];
        let mut way = self.unit();
        for _ in 0..self.below(3) {
            way[self.below(3)] = slow[self.below(slow.len())];
        }
        let size = length(way);
        if size > 0.01 {
            way.map(|x| if x.abs() < 1e-5 { x } else { x / size })
        } else {
            self.direction()
        }
    }

    /// Returns a box of single-precision numbers, and a point on its border: a corner, on an edge,
    /// or in a face.
    fn aabb_with_border_point(&mut self, size: f64, far: f64) -> (Aabb<f32, 3>, Vec3) {
        let (middle, half) = (self.point(far), [0; 3].map(|_| size * self.decade(-3.0, 0.0)));
        let half = if self.below(8) == 0 { [half[0], 0.0, half[2]] } else { half };
        let bounds = Aabb::new(nearest_point(sub(middle, half)), nearest_point(add(middle, half)));
        let (low, high) = (wide_point(bounds.min), wide_point(bounds.max));
        let inner = self.below(6);
        let point = [0, 1, 2].map(|i| match self.below(2) {
            _ if i == inner => self.between(low[i], high[i]),
            0 => low[i],
            _ => high[i],
        });
        (bounds, point)
    }
}

/// The test of one block against a ray.
struct BlockKernel<'a>(&'a RaySlabs, &'a Aabb16, &'a mut RayEntries);

impl FloatKernel for BlockKernel<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u32 {
        self.0.hit_mask::<L>(token, self.1, self.2)
    }
}

/// Returns the boxes hit, and where they begin; asserts that all SIMD levels agree.
fn boxes_hit(slabs: &RaySlabs, block: &Aabb16) -> (u32, RayEntries) {
    let at = |simd: SimdLevel| {
        let mut begins = [0.0; BLOCK];
        (simd.run(BlockKernel(slabs, block, &mut begins)), begins)
    };
    let plain = at(SimdLevel::PLAIN);
    for simd in SimdLevel::all() {
        let (bits, begins) = at(simd);
        assert_eq!(bits, plain.0, "{simd}");
        let same = (0..BLOCK).all(|i| bits >> i & 1 == 0 || begins[i] == plain.1[i]);
        assert!(same, "{simd}: {begins:?} {plain:?}");
    }
    plain
}

pub fn no_level_passes_over_a_box_that_a_ray_grazes() {
    let (mut chance, mut passed, mut all) = (SplitMix64(1), 0, 0);
    for _ in 0..cases(60_000) {
        let size = chance.decade(-15.0, 20.0);
        let far = size * chance.decade(0.0, 7.0);
        let boxes: [_; BLOCK] = std::array::from_fn(|_| chance.aabb_with_border_point(size, far));
        let (lane, direction, t) =
            (chance.below(BLOCK), chance.direction(), size * chance.decade(-3.0, 6.0));
        let from = sub(boxes[lane].1, scale(direction, t));
        let end = [t, t, f64::INFINITY][chance.below(3)];
        let mut block = [EMPTY_BLOCK];
        write_boxes(&mut block, boxes.iter().map(|(bounds, _)| AabbF32::new(bounds)));
        let around = boxes.iter().fold(Aabb::empty(), |all, (bounds, _)| all.merged(bounds));
        let way = WorldRay { from, direction, end };
        let mut slabs =
            RaySlabs::new(&way, l1_radius([wide_point(around.min), wide_point(around.max)]));
        let (bits, begins) = boxes_hit(&slabs, &block[0]);
        assert!(bits >> lane & 1 == 1, "{way:?} {:?}", boxes[lane]);
        slabs.shorten(t);
        assert!(!slabs.ends_before(begins[lane]), "{} {way:?} {:?}", begins[lane], boxes[lane]);
        (passed, all) = (passed + BLOCK as u32 - bits.count_ones(), all + BLOCK as u32);
    }
    println!("{passed} of {all} boxes passed over");
    assert!(passed > all / 2);
}

/// Asserts that the wide nodes of a tree miss no box that a ray enters, and bound from below where
/// it begins. Returns the number of boxes they reject, and of those entered only because of `pad`.
fn rejected_boxes<T: Scalar>(tree: &ObbTree<T>, ray: &LocalRay) -> [usize; 2] {
    let (bvh, mut passed, mut doubted) = (tree.wide_bvh(), 0, 0);
    let (mut bare, mut waiting) = (*ray, vec![0]);
    bare.pad = 0.0;
    let wide_ray = LocalVolume::<T>::wide_ray(ray, tree).expect("a ray");
    while let Some(number) = waiting.pop() {
        let wide = bvh.wide_node(number);
        let at = |simd: SimdLevel| {
            let mut begins = [0.0; WIDTH];
            (wide_ray.test_boxes(simd, &wide.boxes, &mut begins), begins)
        };
        let (bits, begins) = at(SimdLevel::PLAIN);
        for simd in SimdLevel::all() {
            assert_eq!(at(simd), (bits, begins), "{simd}");
        }
        for lane in 0..u32::from(wide.len) {
            let node = tree.node(NodeId::new(bvh.child(wide.first_child + lane).node as usize));
            match ray.enter_node(node, false) {
                Some(piece) => {
                    let time = LocalVolume::<T>::entry_distance(ray, piece).max(0.0);
                    let begins = wide_ray.at(begins[lane as usize]);
                    assert!(bits >> lane & 1 == 1 && begins <= time, "{begins} {time} {ray:?}");
                    doubted += usize::from(bare.enter_node(node, false).is_none());
                }
                None => passed += usize::from(bits >> lane & 1 == 0),
            }
            if wide.leaf_mask >> lane & 1 == 0 {
                waiting.push(wide.inner_index(lane));
            }
        }
    }
    [passed, doubted]
}

fn wide_nodes<T: Scalar>(chance: &mut SplitMix64) -> [usize; 3] {
    let (mut passed, mut doubted, mut all) = (0, 0, 0);
    for _ in 0..at_least(300, 30) {
        let size = chance.decade(-12.0, 15.0);
        let far = size * chance.decade(0.0, 3.0);
        let middle = chance.point(far);
        let boxes: Vec<Obb<T>> = (0..40)
            .map(|_| {
                let half_extents = [0; 3].map(|_| size * chance.decade(-3.0, -0.5));
                let offset = chance.point(size);
                let center = nearest_point(add(middle, offset));
                let axes = if chance.below(2) == 0 { IDENTITY } else { chance.rotation() };
                WideObb { center: wide_point::<T>(center), axes, half_extents }.narrow()
            })
            .collect();
        let tree = ObbTree::build(Geometry::Boxes(boxes), &Build::default()).expect("boxes");
        for _ in 0..40 {
            let node = tree.node(NodeId::new(chance.below(tree.len())));
            let (low, high) = (wide_point(node.aligned().min), wide_point(node.aligned().max));
            let aim =
                [0, 1, 2].map(|i| [low[i], high[i], 0.5 * (low[i] + high[i])][chance.below(3)]);
            let far = size * chance.decade(-3.0, 9.0);
            let placement = Placement { rotation: chance.rotation(), position: chance.point(far) };
            let direction = rotate(&placement.rotation, chance.direction());
            let (t, target) = (size * chance.decade(-3.0, 13.0), rotate(&placement.rotation, aim));
            let from = sub(add(placement.position, target), scale(direction, t));
            let end = [t, t + size, f64::INFINITY][chance.below(3)];
            let middle = tree.node(NodeId::ROOT).aligned().wide().0;
            let (ray, reach) = (WorldRay { from, direction, end }, tree.wide_radius_about_origin());
            let ray = LocalRay::new(&ray, &placement, middle, reach);
            let of_ray = rejected_boxes(&tree, &ray);
            (passed, doubted) = (passed + of_ray[0], doubted + of_ray[1]);
            all += tree.len();
        }
    }
    [passed, doubted, all]
}

pub fn wide_nodes_pass_over_no_box_that_a_ray_enters() {
    let mut chance = SplitMix64(9);
    for of in [wide_nodes::<f32>(&mut chance), wide_nodes::<f64>(&mut chance)] {
        let [passed, doubted, all] = of;
        println!("{passed} of {all} boxes passed over, {doubted} entered with some to spare");
        assert!(passed > all / 2 && doubted > all / 1000);
    }
}

pub fn what_single_precision_has_no_numbers_for_is_met() {
    let mut chance = SplitMix64(2);
    for size in [1e-40, 1e-25, 1e31, 1e36] {
        let (bounds, point) = chance.aabb_with_border_point(size, size);
        let direction = chance.unit();
        let way =
            WorldRay { from: sub(point, scale(direction, size)), direction, end: f64::INFINITY };
        let mut block = [EMPTY_BLOCK];
        write_boxes(&mut block, std::iter::once(AabbF32::new(&bounds)));
        let ends = [wide_point(bounds.min), wide_point(bounds.max)];
        assert!(boxes_hit(&RaySlabs::new(&way, l1_radius(ends)), &block[0]).0 & 1 == 1, "{size:e}");
    }
}

/// Returns a tree of one box, aligned with the frame of its part or not.
fn tree_of_one_box<T: Scalar>(chance: &mut SplitMix64, oriented_is_aligned: bool) -> ObbTree<T> {
    let size = chance.decade(-3.0, 3.0);
    // Multiples of a power of two: nothing is rounded, and both boxes of the root are equal.
    let step = f64::exp2(size.log2().floor() - 6.0);
    let half = [0; 3].map(|_| step * (1 + chance.below(64)) as f64);
    let away = chance.decade(0.0, if oriented_is_aligned { 5.0 } else { 3.0 });
    let middle = chance.point(away).map(|x| step * 64.0 * x.round());
    let axes =
        if oriented_is_aligned { rotation_of([0.0, 0.0, 0.0, 1.0]) } else { chance.rotation() };
    let axes = crate::shape::nearest_matrix::<T>(&axes);
    let half = Vector3::from(half.map(T::nearest));
    let solid = Obb::from_parts(nearest_point(middle), axes, half);
    ObbTree::build(Geometry::Boxes(vec![solid]), &Build::fast()).expect("a box")
}

/// Returns a placed part and a ray through a point given in the part's frame. The ray is aimed
/// after its start is rounded, because far from the origin rounding moves the start.
fn part_and_ray_through(chance: &mut SplitMix64, point: Vec3, size: f64) -> (WorldRay, Placement) {
    let far = size * chance.decade(0.0, 6.0);
    let placement = Placement { rotation: chance.rotation(), position: chance.point(far) };
    let (t, turned) = (size * chance.decade(-2.0, 6.0), rotate(&placement.rotation, point));
    let from = add(placement.position, sub(turned, scale(chance.unit(), t)));
    let to = sub(turned, sub(from, placement.position));
    let (direction, end) = (scale(to, 1.0 / length(to)), [length(to), f64::INFINITY]);
    (WorldRay { from, direction, end: end[chance.below(2)] }, placement)
}

/// Returns a ray in the frame of a part.
fn local_ray<T: Scalar>(ray: &WorldRay, placement: &Placement, tree: &ObbTree<T>) -> LocalRay {
    let middle = tree.node(NodeId::ROOT).aligned().wide().0;
    LocalRay::new(ray, placement, middle, tree.wide_radius_about_origin())
}

fn corners_are_met<T: Scalar>() {
    let mut chance = SplitMix64(3);
    for k in 0..cases(20_000) {
        let tree = tree_of_one_box::<T>(&mut chance, k % 2 == 0);
        let root = tree.node(NodeId::ROOT);
        let corner = chance.below(8);
        let aligned = wide_point(root.aligned().corners()[corner]);
        let (way, placement) =
            part_and_ray_through(&mut chance, aligned, tree.wide_radius_about_origin());
        let line = local_ray(&way, &placement, &tree);
        assert!(line.clip_to_aabb(root.aligned()).is_some(), "aligned {way:?} {placement:?}");
        let oriented = root.oriented().wide().corners()[corner];
        let (way, place) =
            part_and_ray_through(&mut chance, oriented, tree.wide_radius_about_origin());
        let line = local_ray(&way, &place, &tree);
        assert!(line.interval_in_obb(root.oriented()).is_some(), "{way:?} {place:?}");
    }
}

pub fn a_ray_through_a_corner_of_a_part_meets_it() {
    corners_are_met::<f32>();
    corners_are_met::<f64>();
}

fn spared_cuts_nothing<T: Scalar>(count: usize) -> [usize; 2] {
    let (mut chance, mut counts) = (SplitMix64(4), [0; 2]);
    for _ in 0..count {
        let tree = tree_of_one_box::<T>(&mut chance, true);
        let root = tree.node(NodeId::ROOT);
        let (low, high) = (wide_point(root.aligned().min), wide_point(root.aligned().max));
        let point = [0, 1, 2].map(|i| match chance.below(4) {
            0 => low[i],
            1 => high[i],
            _ => chance.between(low[i], high[i]),
        });
        let (way, placement) = part_and_ray_through(&mut chance, point, length(sub(high, low)));
        let line = local_ray(&way, &placement, &tree);
        let Some(piece) = line.clip_to_aabb(root.aligned()) else { continue };
        let spared = line.is_oriented_redundant(&tree);
        counts[usize::from(spared)] += 1;
        if spared {
            let both = line.clip_to_obb(root.oriented(), piece);
            let same = both.is_some_and(|both| {
                let [a, b] = [line.contact(&piece), line.contact(&both)];
                a.t == b.t && a.normal == b.normal
            });
            assert!(same, "{piece:?} {both:?} {way:?} {placement:?}");
        }
    }
    counts
}

pub fn an_oriented_box_is_spared_only_where_it_cuts_nothing() {
    let count = cases(60_000);
    let [kept, spared] = spared_cuts_nothing::<f32>(count);
    println!("{kept} kept, {spared} spared");
    assert!(kept > count / 12 && spared > count / 12);
    // The slack of boxes in double precision does not exceed the pad of rays.
    assert_eq!(spared_cuts_nothing::<f64>(count)[1], 0);
}

pub fn no_ball_sticks_out_of_what_holds_it() {
    let (mut chance, mut tight, count) = (SplitMix64(7), 0, cases(200_000));
    for case in 0..count {
        let far = [0.0, 1e-40, 1e-3, 1.0, 1e6, 1e29, 1e31, 1e200][case % 8];
        let center = chance.point(far);
        let radius = match chance.below(3) {
            0 => 0.0,
            1 => far * chance.decade(-9.0, 1.0),
            _ => chance.decade(-3.0, 3.0),
        };
        let mut block = [EMPTY_BLOCK];
        write_boxes(&mut block, [AabbF32::from_ball(center, radius)].into_iter());
        for i in 0..3 {
            let [low, high] = [block[0][i][0], block[0][i + 3][0]].map(f64::from);
            let held = low <= center[i] - radius && center[i] + radius <= high;
            assert!(held, "{center:?} {radius:e}: {low:e} {high:e}");
            let size = radius + length(center);
            tight += usize::from(high - low <= 2.0 * radius + 1e-5 * size + 1e-29);
        }
    }
    assert!(tight > 2 * count, "{tight} boxes are hardly larger than they have to be");
}

pub fn a_ball_that_touches_the_border_of_a_part_is_in_it() {
    let (mut chance, mut doubted, count) = (SplitMix64(8), 0, cases(40_000));
    for _ in 0..count {
        let size = chance.decade(-3.0, 3.0);
        let (middle, half) = (chance.point(size), [0; 3].map(|_| size * chance.decade(-3.0, 0.0)));
        let reach = length(middle) + length(half);
        let mut out = [0.0; 3];
        for i in [chance.below(3), chance.below(3)] {
            out[i] = [-1.0, 1.0][chance.below(2)];
        }
        let border = [0, 1, 2].map(|i| match out[i] {
            0.0 => middle[i] + half[i] * chance.between(-1.0, 1.0),
            side => middle[i] + half[i] * side,
        });
        // Not further away: the rounding in the world would move the point off the border.
        let far = size * chance.decade(-1.0, 1.0);
        let placement = Placement { rotation: chance.rotation(), position: chance.point(far) };
        let radius = [0.0, size * chance.decade(-3.0, 1.0)][chance.below(2)];
        let seen = |away: f64| {
            let local = add(border, scale(out, away / length(out)));
            let at = add(placement.position, rotate(&placement.rotation, local));
            LocalBall::new(at, radius, &placement, reach)
        };
        let ball = seen(radius);
        assert!(ball.may_overlap_box([middle, half]), "{ball:?} {border:?} {placement:?}");
        doubted += usize::from(!LocalBall { error: 0.0, ..ball }.may_overlap_box([middle, half]));
        assert!(
            !seen(radius + 2.0 * ball.error).may_overlap_box([middle, half]),
            "{ball:?} {placement:?}"
        );
    }
    println!("{doubted} would be missed without a doubt");
    assert!(doubted > count / 4);
}

/// Returns a triangle of numbers of `T`, within `size` of a point: any, a needle, or without area.
fn triangle<T: Scalar>(chance: &mut SplitMix64, middle: Vec3, size: f64) -> TriangleCorners {
    let mut corners = [0; 3].map(|_| add(middle, chance.point(size)));
    match chance.below(8) {
        0 => corners[1] = corners[0],
        1 => corners[2] = add(corners[0], scale(sub(corners[1], corners[0]), 0.4)),
        2 => corners[2] = add(corners[1], chance.point(1e-4 * size)),
        _ => {}
    }
    corners.map(|p| wide_point(nearest_point::<T>(p)))
}

/// Returns a point of a triangle: a corner, on an edge, or between, or near one of these.
fn target(chance: &mut SplitMix64, [a, b, c]: &TriangleCorners, size: f64) -> Vec3 {
    let (s, t) = (chance.share(), chance.share());
    let on_edge = add(*a, scale(sub(*b, *a), s));
    let point = match chance.below(4) {
        0 => *a,
        1 => on_edge,
        _ => add(on_edge, scale(sub(*c, on_edge), t)),
    };
    match chance.below(3) {
        0 => {
            let far = size * chance.decade(-16.0, 1.0);
            add(point, chance.point(far))
        }
        _ => point,
    }
}

/// Returns a tree of a few triangles, most of them near each other.
fn tree_of_triangles<T: Scalar>(
    chance: &mut SplitMix64,
    (middle, size): (Vec3, f64),
    per_leaf: usize,
) -> ObbTree<T> {
    let count = 1 + chance.below(12);
    let corners: Vec<TriangleCorners> =
        (0..count).map(|_| triangle::<T>(chance, middle, size)).collect();
    let vertices = corners.iter().flatten().map(|&p| nearest_point(p)).collect();
    let triangles = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let mesh = Mesh::new(vertices, triangles).expect("a mesh");
    let build = Build::fast().leaf_primitives(per_leaf);
    ObbTree::build(Geometry::Surface(mesh), &build).expect("a tree")
}

/// Returns a ray at a point of the frame of a part placed anywhere, in that frame.
fn ray_at<T: Scalar>(
    chance: &mut SplitMix64,
    tree: &ObbTree<T>,
    (target, plane): (Vec3, [Vec3; 2]),
    size: f64,
) -> LocalRay {
    let far = size * chance.decade(-3.0, 6.0);
    let placement = Placement { rotation: chance.rotation(), position: chance.point(far) };
    // Direction in the plane of two edges, nearly in it, or any.
    let [s, t] = [0; 2].map(|_| chance.between(-1.0, 1.0));
    let grazing = add(scale(plane[0], s), scale(plane[1], t));
    let local = match chance.below(3) {
        0 if length(grazing) > 0.0 => scale(grazing, 1.0 / length(grazing)),
        1 if length(grazing) > 0.0 => {
            let aside = chance.decade(-12.0, -1.0);
            add(scale(grazing, 1.0 / length(grazing)), chance.point(aside))
        }
        _ => chance.direction(),
    };
    let local = scale(local, 1.0 / length(local));
    let (t, target) = (size * chance.decade(-3.0, 8.0), rotate(&placement.rotation, target));
    let direction = rotate(&placement.rotation, local);
    let from = sub(add(placement.position, target), scale(direction, t));
    let end = [t, t + size, f64::INFINITY][chance.below(3)];
    local_ray(&WorldRay { from, direction, end }, &placement, tree)
}

/// Asserts that no triangle that the deciding test accepts is dropped; returns the numbers of
/// triangles that were accepted, dropped, and left open for nothing.
fn dropped_by_ray<T: Scalar>(
    chance: &mut SplitMix64,
    [far, big]: [f64; 2],
    count: usize,
) -> [usize; 3] {
    let (mut met, mut dropped, mut open) = (0, 0, 0);
    for _ in 0..count {
        let size = chance.decade(-10.0, 8.0) * big;
        let middle = chance.point(size * far);
        let tree = tree_of_triangles::<T>(chance, (middle, size), 8);
        let Some(mesh) = tree.geometry().mesh() else { continue };
        let all: Vec<u32> = (0..mesh.triangles().len().min(WIDTH) as u32).collect();
        let mut eight = EightTriangles::EMPTY;
        let lanes = eight.set_all(mesh, &all);
        for _ in 0..20 {
            let corners = mesh.triangle(chance.below(all.len())).corners;
            let at = target(chance, &corners, size);
            let plane = [sub(corners[1], corners[0]), sub(corners[2], corners[0])];
            let ray = ray_at(chance, &tree, (at, plane), size);
            let wide = LocalVolume::<T>::wide_ray(&ray, &tree).expect("a ray");
            // The middle of the triangles, or another point.
            let (from, along) = ray.line();
            let t = dot(sub(middle, from), along);
            let near = add(from, scale(along, t + chance.between(-1.0, 1.0) * size));
            let mask = wide.test_triangles(SimdLevel::PLAIN, &eight, near);
            for simd in SimdLevel::all() {
                assert_eq!(wide.test_triangles(simd, &eight, near), mask, "{simd}");
            }
            for (lane, &index) in all.iter().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1)
            {
                let corners = mesh.triangle(index as usize).corners;
                let is_met = ray.cast_triangle(&corners).is_some();
                let remains = mask >> lane & 1 == 1;
                assert!(remains || !is_met, "{corners:?} {ray:?}");
                met += usize::from(is_met);
                dropped += usize::from(!remains);
                open += usize::from(remains && !is_met);
            }
        }
    }
    [met, dropped, open]
}

pub fn every_triangle_that_a_ray_hits_remains() {
    let (mut chance, count) = (SplitMix64(11), cases(1_500));
    for far in [0.0, 1.0, 100.0] {
        for counts in [
            dropped_by_ray::<f32>(&mut chance, [far, 1.0], count),
            dropped_by_ray::<f64>(&mut chance, [far, 1.0], count),
            dropped_by_ray::<f64>(&mut chance, [far, 1e12], count),
        ] {
            let [met, dropped, open] = counts;
            println!("{far}: {met} hit, {dropped} dropped, {open} open");
            assert!(met > 6 * count, "{met}");
        }
    }
    let [_, dropped, open] = dropped_by_ray::<f32>(&mut chance, [1.0, 1.0], count);
    assert!(dropped > 2 * open, "{dropped} {open}");
}

/// Asserts that boxes are hit wherever a triangle proves it; returns the numbers of hits with and
/// without a proof.
fn boxes_of_hit_triangles<T: Scalar>(chance: &mut SplitMix64, count: usize) -> [usize; 2] {
    let mut counts = [0; 2];
    for _ in 0..count {
        let size = chance.decade(-6.0, 6.0);
        let middle = chance.point(size);
        let tree = tree_of_triangles::<T>(chance, (middle, size), 16);
        let Some(mesh) = tree.geometry().mesh() else { continue };
        for _ in 0..10 {
            let corners = mesh.triangle(chance.below(mesh.triangles().len())).corners;
            let at = target(chance, &corners, size);
            let plane = [sub(corners[1], corners[0]), sub(corners[2], corners[0])];
            let ray = ray_at(chance, &tree, (at, plane), size);
            let Some((_, proves_boxes)) = ray.cast_triangle(&corners) else { continue };
            counts[usize::from(proves_boxes)] += 1;
            let root = (&tree, NodeId::ROOT);
            let hit = ray.test_node_boxes(root, 0.0, None).is_some();
            assert!(hit || !proves_boxes, "{corners:?} {ray:?}");
        }
    }
    counts
}

pub fn a_ray_that_surely_passes_through_a_triangle_hits_its_boxes() {
    let (mut chance, count) = (SplitMix64(12), cases(4_000));
    let single = boxes_of_hit_triangles::<f32>(&mut chance, count);
    for counts in [single, boxes_of_hit_triangles::<f64>(&mut chance, count)] {
        println!("{counts:?} without and with a proof");
        assert!(counts[0] > count / 4 && counts[1] > count / 2, "{counts:?}");
    }
}

/// Asserts that no triangle that a box may overlap is dropped; returns the numbers of triangles
/// that may overlap, of dropped ones, and of others.
fn dropped_by_box<T: Scalar>(chance: &mut SplitMix64, far: f64, count: usize) -> [usize; 3] {
    let mut counts = [0; 3];
    for case in 0..count {
        let size = chance.decade(-8.0, 8.0);
        let middle = chance.point(size * far);
        let half_extents = [0; 3].map(|_| size * chance.decade(-2.0, 0.0));
        let axes = if case % 3 == 0 { IDENTITY } else { chance.rotation() };
        let solid = WideObb { center: middle, axes, half_extents };
        // A corner at the surface of the box or near, the others further out or anywhere.
        let mut corners = [0; 3].map(|_| chance.point(2.0 * size));
        let (i, side) = (chance.below(3), [-1.0, 1.0][chance.below(2)]);
        let gap = size * [0.0, 1e-15, 1e-9, 1e-7, 1e-6, 1e-3, 0.1][chance.below(7)];
        for corner in &mut corners {
            corner[i] = side * (corner[i].abs().max(half_extents[i]) + gap);
        }
        if chance.below(4) > 0 {
            let border = [0, 1, 2].map(|j| half_extents[j] * chance.between(-1.0, 1.0));
            corners[0] = border;
            corners[0][i] = side * (half_extents[i] + gap);
        }
        let corners = corners.map(|p| add(middle, rotate(&axes, p)));
        let vertices = corners.iter().map(|&p| nearest_point::<T>(p)).collect();
        let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).expect("a mesh");
        let build = Build::fast();
        let tree = ObbTree::build(Geometry::Surface(mesh.clone()), &build).expect("a tree");
        let here = Placement { rotation: IDENTITY, position: [0.0; 3] };
        let local = LocalBox::new(&solid, &here, tree.wide_radius_about_origin());
        let mut eight = EightTriangles::EMPTY;
        eight.set(0, &mesh, 0);
        let region = LocalVolume::<T>::wide_region(&local, &tree).expect("sizes");
        let mask = region.test_triangles(SimdLevel::PLAIN, &eight) & 1;
        let boxes = &tree.wide_bvh().wide_node(0).boxes;
        let near = region.test_boxes(SimdLevel::PLAIN, boxes) & 1;
        for simd in SimdLevel::all() {
            assert_eq!(region.test_triangles(simd, &eight) & 1, mask, "{simd}");
            assert_eq!(region.test_boxes(simd, boxes) & 1, near, "{simd}");
        }
        let met = local.overlaps_triangle(&mesh.triangle(0).corners);
        assert!(mask == 1 || !met, "{gap:e} {solid:?} {:?}", mesh.triangle(0).corners);
        let entered = local.enter_node(tree.node(NodeId::ROOT), false).is_some();
        assert!(near == 1 || !entered, "{gap:e} {solid:?}");
        counts[if met { 0 } else { 2 - usize::from(mask == 0) }] += 1;
    }
    counts
}

pub fn every_triangle_that_a_box_overlaps_remains() {
    let (mut chance, count) = (SplitMix64(13), cases(30_000));
    for far in [0.0, 1.0, 30.0] {
        let single = dropped_by_box::<f32>(&mut chance, far, count);
        for counts in [single, dropped_by_box::<f64>(&mut chance, far, count)] {
            println!("{far}: {counts:?} may overlap, were dropped, were left for nothing");
            assert!(counts[..2].iter().all(|&found| found > count / 10), "{counts:?}");
        }
    }
}
