//! Every brush of real levels: its parts against exact corners, and cylinders around it.

use boxwood::brush::Brush;
use boxwood::f64::Plane;

use support::brushes::{half_spaces, plane};
use support::cylinder_distance::{Corners, Cylinder};
use support::data::data;
use support::exact_cylinder::{Centre, ExactBrush, Grown, Relation};
use support::map_by_text::{brushes, maps};
use support::prelude::*;

#[test]
fn brushes_of_levels_have_the_exact_corners() {
    let Some(data) = data() else { return };
    for map in maps(&data) {
        let all = brushes(&map);
        let (mut worst, mut refused, mut odd) = (0f64, 0, 0);
        let every = (6_508 / cases(6_508)).max(1);
        for planes in all.iter().step_by(every) {
            let given: Vec<Plane> = planes.iter().map(plane).collect();
            let Ok(solid) = Brush::from_planes(&given) else {
                refused += 1;
                continue;
            };
            let (corners, edges) = (solid.corners(), solid.edges().count());
            odd += usize::from(corners.len() + solid.faces().count() != edges + 2);
            let exact = ExactBrush::new(planes).expect("a brush");
            for corner in corners.iter().map(|p| -> V { p.coords.into() }) {
                let away = exact.corners().iter().map(|&p| norm(minus(p, corner)));
                worst = worst.max(away.fold(f64::INFINITY, f64::min));
            }
            for &corner in exact.corners() {
                let away = corners.iter().map(|p| norm(minus(p.coords.into(), corner)));
                worst = worst.max(away.fold(f64::INFINITY, f64::min));
            }
        }
        let name = map.file_name().expect("a name").to_string_lossy().into_owned();
        println!("{name}: {} brushes, {refused} refused, {odd} odd, {worst:e} off", all.len());
        assert!(refused == 0 && odd == 0 && worst < 1e-6);
    }
}

#[test]
fn cylinders_around_brushes_of_levels_agree_with_the_oracle() {
    let (Some(data), mut random) = (data(), Random(61)) else { return };
    let mut tally = [0; 3];
    for map in maps(&data) {
        let all = brushes(&map);
        for _ in 0..cases(5_000) {
            let planes = &all[random.below(all.len())];
            let given: Vec<Plane> = planes.iter().map(plane).collect();
            let Ok(solid) = Brush::from_planes(&given) else { continue };
            let (bounds, planes) = (solid.aabb(), half_spaces(&solid));
            let (radius, half_height) = (16.0, 28.0);
            let centre =
                std::array::from_fn(|i| random.between(bounds.min[i] - 40.0, bounds.max[i] + 40.0));
            let cylinder = Cylinder { radius, half_height };
            let gap = Corners::of_planes(&planes).expect("corners").gap(&cylinder, centre);
            let exact = ExactBrush::new(&planes).expect("a brush");
            let grown = |growth: f64| {
                let grown = Grown { radius, half_height, growth };
                exact.relation(&grown, &Centre::at(centre))
            };
            let doubt = 1e-6;
            assert_ne!(grown(gap + doubt), Relation::Apart, "{planes:?} {centre:?}");
            if gap - doubt >= -radius {
                assert_eq!(grown(gap - doubt), Relation::Apart, "{planes:?} {centre:?}");
            }
            tally[usize::from(gap > -1.0) + usize::from(gap > 1.0)] += 1;
        }
    }
    println!("{tally:?} deep, near, apart");
}
