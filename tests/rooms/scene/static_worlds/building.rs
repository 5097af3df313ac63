//! Geometry of static worlds: height fields and half-spaces in boxes, point by point, and refused
//! ones.

use boxwood::f64::{
    Aabb, Buffers, ConvexHull, Geometry, HeightField, Model, Overlaps, Plane, Scene, Spawn,
};
use boxwood::{Accuracy, Build, Error, QueryFilter, UpAxis};

use support::prelude::*;

fn field(random: &mut Random, [columns, rows]: [usize; 2]) -> (HeightField, Vec<f64>) {
    let heights: Vec<f64> = (0..columns * rows).map(|_| random.between(-1.0, 1.0)).collect();
    (HeightField::new(columns, heights.clone()).expect("heights"), heights)
}

/// Returns the height of the field at a point of the plane, by the triangle above the point.
fn height(heights: &[f64], columns: usize, [x, y]: [f64; 2]) -> f64 {
    let (i, j) = (x.floor() as usize, y.floor() as usize);
    let at = |i: usize, j: usize| heights[j * columns + i];
    let (u, v) = (x - i as f64, y - j as f64);
    let (a, c) = (at(i, j), at(i + 1, j + 1));
    match u > v {
        true => a + u * (at(i + 1, j) - a) + v * (c - at(i + 1, j)),
        false => a + v * (at(i, j + 1) - a) + u * (c - at(i, j + 1)),
    }
}

#[test]
fn solid_height_fields_are_closed_and_contain_the_space_below() {
    let mut random = Random(2710);
    for round in 0..cases(200) {
        let size = [2 + random.below(6), 2 + random.below(6)];
        let (own, heights) = field(&mut random, size);
        let up = [UpAxis::X, UpAxis::Y, UpAxis::Z][round % 3];
        let own = own.up(up);
        assert_eq!(own.size(), size);
        let mesh = own.solid(-1.5).expect("a base below");
        assert!(mesh.open_edges().is_empty());
        // Mean heights of the triangles, over half a unit of area each.
        let triangles = |at: &dyn Fn(usize, usize) -> f64| {
            let mut sum = 0.0;
            for j in 0..size[1] - 1 {
                for i in 0..size[0] - 1 {
                    let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                    sum += (a + b + c) / 6.0 + (a + c + d) / 6.0;
                }
            }
            sum
        };
        let volume = triangles(&|i, j| heights[j * size[0] + i] + 1.5);
        assert!((mesh.volume() - volume).abs() < 1e-9, "{} {volume}", mesh.volume());
        let model = Model::builder().part("ground", None, Geometry::Solid(mesh));
        let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
        let model = model.build(&Build::default()).expect("closed");
        scene.insert(&model, Spawn::default().at_rest(true)).expect("room");
        let (now, mut inside) = (scene.snapshot(&mut buffers), Overlaps::new());
        let filter = QueryFilter::all().accuracy(Accuracy::Exact);
        for _ in 0..20 {
            let [x, y] = [0, 1].map(|i| random.between(0.0, size[i] as f64 - 1.0));
            let (ground, z) = (height(&heights, size[0], [x, y]), random.between(-1.6, 1.1));
            if (z - ground).abs() < 1e-6 || (z + 1.5).abs() < 1e-6 {
                continue;
            }
            let point = match up {
                UpAxis::X => Point3::new(z, x, y),
                UpAxis::Y => Point3::new(y, z, x),
                UpAxis::Z => Point3::new(x, y, z),
            };
            let found = now.overlaps_any(point, &filter, &mut inside).expect("a point");
            assert_eq!(found, z < ground && z > -1.5, "{point}");
        }
    }
}

#[test]
fn triangles_of_surfaces_face_up() {
    let mut random = Random(2711);
    for up in [UpAxis::X, UpAxis::Y, UpAxis::Z] {
        let (own, heights) = field(&mut random, [4, 3]);
        let surface = own.spacing(2.0, 0.5).expect("sizes").up(up).surface().expect("in range");
        assert_eq!((surface.vertices().len(), surface.triangles().len()), (12, 12));
        for triangle in 0..surface.triangles().len() {
            let [a, b, c] = surface.corners(triangle);
            assert!((b - a).cross(&(c - a)).dot(&up.vector()) > 0.0);
        }
        let last = surface.vertices()[11];
        let expected = [6.0, 1.0, heights[11]];
        let along = |axis: usize| last[(axis + [1, 2, 0][up as usize]) % 3];
        assert_eq!([along(0), along(1), along(2)], expected);
    }
}

#[test]
fn wrong_heights_are_refused_by_name() {
    let made = |columns: usize, heights: &[f64]| HeightField::new(columns, heights.to_vec()).err();
    let empty = Some(Error::Empty { field: "height field" });
    assert_eq!(made(0, &[]), empty);
    assert_eq!(made(1, &[0.0; 4]), empty);
    assert_eq!(made(4, &[0.0; 4]), empty);
    assert_eq!(made(4, &[0.0; 7]), empty);
    let count = Error::WrongCount { field: "heights", expected: 8, found: 9 };
    assert_eq!(made(4, &[0.0; 9]), Some(count));
    let mut heights = vec![0.0; 6];
    heights[4] = f64::NAN;
    assert_eq!(made(3, &heights), Some(Error::NotFinite { field: "height", index: 4 }));
    heights[4] = 1e300;
    assert!(matches!(made(3, &heights), Some(Error::OutOfRange { index: 4, .. })));
    let most = boxwood::HeightField::MAX_HEIGHTS;
    let many = boxwood::HeightField::new(4096, vec![0.0; most + 4096]);
    let count = Error::WrongCount { field: "heights", expected: most, found: most + 4096 };
    assert_eq!(many.err(), Some(count));
    let flat = || HeightField::new(2, vec![0.0; 4]).expect("four");
    let negative = Error::Negative { field: "spacing of rows", index: 0 };
    assert_eq!(flat().spacing(1.0, -1.0).err(), Some(negative.clone()));
    assert_eq!(negative.to_string(), "spacing of rows is negative");
    assert!(matches!(flat().spacing(f64::NAN, 1.0), Err(Error::NotFinite { .. })));
    let wide = HeightField::new(3, vec![0.0; 6]).expect("six").spacing(9e149, 1.0);
    assert!(wide.is_err() || wide.and_then(|field| field.surface()).is_err());
    let above = Error::Negative { field: "height above the base", index: 0 };
    assert_eq!(flat().solid(0.5).err(), Some(above));
    assert!(flat().solid(f64::INFINITY).is_err());
    assert!(flat().solid(0.0).is_ok_and(|mesh| mesh.open_edges().is_empty()));
}

/// Checks that every point in box and half-space is in the hull, and that points of the hull are in
/// both up to the stated rounding.
fn half_spaces<T: Scalar>(most_off: f64) {
    let mut random = Random(2712);
    let (mut inside, mut outside) = (0, 0);
    for round in 0..cases(4000) {
        let size = random.decade(-3.0, 4.0);
        let corner = |random: &mut Random| [0; 3].map(|_| T::nearest(random.between(-size, size)));
        let (a, b) = (corner(&mut random), corner(&mut random));
        let bounds = boxwood::shape::Aabb::from_points([Point3::from(a), Point3::from(b)]);
        let normal = match round % 3 {
            0 => random.direction(),
            1 => random.quarter()[0],
            // Nearly along an axis.
            _ => [1e-6 * random.sign(), 1.0, 1e-9 * random.share()],
        };
        let normal = Unit::new_normalize(Vector3::from(normal.map(T::nearest)));
        let through = Point3::from(corner(&mut random));
        let plane = boxwood::shape::Plane::through(through, normal).expect("a plane");
        let side = |p: Point3<T>| {
            let terms = [0, 1, 2].map(|i| normal[i].wide() * p[i].wide());
            terms.iter().sum::<f64>() - plane.offset().wide()
        };
        let doubt = size * 1e-14;
        let Ok(hull) = boxwood::shape::ConvexHull::half_space(&plane, &bounds) else {
            let corner = |bits: usize, i: usize| {
                if bits >> i & 1 == 1 { bounds.min[i] } else { bounds.max[i] }
            };
            let corners = (0..8).map(|bits| Point3::from([0, 1, 2].map(|i| corner(bits, i))));
            assert!(corners.clone().all(|p| side(p) > 0.0));
            continue;
        };
        for &corner in hull.corners() {
            assert!(bounds.contains(corner));
            let off = if round % 3 == 1 { 0.0 } else { most_off * size };
            assert!(side(corner) <= off, "{plane:?} {bounds:?} {corner}: {}", side(corner));
        }
        for _ in 0..16 {
            let point = [0, 1, 2].map(|i| {
                let (low, high) = (bounds.min[i].wide(), bounds.max[i].wide());
                T::nearest(low + (high - low) * random.share())
            });
            let point = Point3::from(point);
            if side(point) < -doubt && bounds.contains(point) {
                inside += 1;
                assert!(hull.contains(point), "{plane:?} {bounds:?} {point}");
            } else if side(point) > 4.0 * most_off * size {
                outside += 1;
                assert!(!hull.contains(point), "{plane:?} {bounds:?} {point}");
            }
        }
    }
    assert!(inside > cases(4000) && outside > cases(4000), "{inside} {outside}");
}

#[test]
fn half_spaces_along_the_axes_are_exact_and_others_are_refused() {
    let bounds = Aabb::new([-3.0; 3].into(), [5.0; 3].into());
    let made = |normal: Unit<Vector3<f64>>, offset: f64| {
        ConvexHull::half_space(&Plane::new(normal, offset).expect("a plane"), &bounds)
    };
    let floor = made(Vector3::y_axis(), 0.1).expect("a floor");
    assert_eq!(floor.aabb(), Aabb::new([-3.0; 3].into(), [5.0, 0.1, 5.0].into()));
    assert_eq!((floor.corners().len(), floor.volume()), (8, 8.0 * 8.0 * 3.1));
    assert_eq!(made(Vector3::y_axis(), 7.0).expect("all").aabb(), bounds);
    // One face, and empty.
    let face = made(Vector3::x_axis(), -3.0).expect("a face");
    assert_eq!((face.corners().len(), face.volume()), (4, 0.0));
    let nothing = Some(Error::Empty { field: "half-space in the box" });
    assert_eq!(made(Vector3::x_axis(), -3.1).err(), nothing);
    let plane = Plane::new(Vector3::x_axis(), 0.0).expect("a plane");
    let refused = |bounds: Aabb| ConvexHull::half_space(&plane, &bounds).err();
    assert_eq!(refused(Aabb::empty()), Some(Error::Empty { field: "box" }));
    let nan = refused(Aabb::new([0.0, f64::NAN, 0.0].into(), [1.0; 3].into()));
    assert!(matches!(nan, Some(Error::NotFinite { .. } | Error::Empty { .. })), "{nan:?}");
    let wide = refused(Aabb::new([-1e300; 3].into(), [1.0; 3].into()));
    assert!(matches!(wide, Some(Error::OutOfRange { field: "minimum", .. })), "{wide:?}");
}

scalars! {
    half_spaces_in_boxes_are_both => half_spaces(1.0 / (1 << 22) as f64; 1.0 / (1u64 << 46) as f64);
}
