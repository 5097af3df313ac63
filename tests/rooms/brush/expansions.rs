//! The variants of expanded brushes: their contents and their overshoot.

use boxwood::CollisionGroups;
use boxwood::brush::{Brush, BrushFilter, BrushWorld, Expansion};
use boxwood::f64::UprightCylinder;
use support::brushes::{any_brush, brush, half_spaces, pillar};
use support::cylinder_distance::{Corners, Cylinder};
use support::prelude::*;

const ALL: [Expansion; 7] = [
    Expansion::Planes,
    Expansion::OuterBox,
    Expansion::BoxArcs,
    Expansion::Silhouettes,
    Expansion::Bevels(8),
    Expansion::Bevels(5),
    Expansion::Arcs,
];

fn world(brush: &Brush, expansion: Expansion) -> BrushWorld {
    let mut level = BrushWorld::builder();
    level.expansion(expansion).push(brush.clone(), CollisionGroups::ALL);
    level.build().expect("one brush")
}

fn touches(world: &BrushWorld, cylinder: &UprightCylinder, at: Point3<f64>) -> bool {
    let mut found = Vec::new();
    let filter = BrushFilter::default();
    world.overlaps_cylinder(cylinder, at, &filter, &mut found).expect("finite");
    !found.is_empty()
}

/// Checks that no variant misses an overlap of the oracle, that the exact one agrees with it, and
/// that bevels overshoot by at most `R (1 / cos(pi / k) - 1)`.
#[test]
fn every_variant_contains_the_exact_sum() {
    let (mut random, mut inside, mut over) = (Random(31), 0, [0; ALL.len()]);
    for _ in 0..cases(4_000) {
        let brush = brush(&any_brush(&mut random));
        let worlds = ALL.map(|expansion| world(&brush, expansion));
        let (radius, half_height) = (random.decade(-1.0, 0.3), random.decade(-1.0, 0.3));
        let body = UprightCylinder::new(radius, half_height).expect("a cylinder");
        let corners = Corners::of_planes(&half_spaces(&brush)).expect("a brush");
        let twin = Cylinder { radius, half_height };
        for _ in 0..12 {
            let at = Point3::from(Vector3::from_fn(|_, _| random.between(-6.0, 6.0)));
            let gap = corners.gap(&twin, at.coords.into());
            for (i, world) in worlds.iter().enumerate() {
                let touching = touches(world, &body, at);
                assert!(touching || gap > -1e-9, "{:?} misses {gap} at {at}", ALL[i]);
                over[i] += usize::from(touching && gap > 1e-9);
                let most = match ALL[i] {
                    Expansion::Bevels(k) => {
                        radius * (1.0 / (std::f64::consts::PI / f64::from(k)).cos() - 1.0)
                    }
                    Expansion::Arcs => 0.0,
                    _ => f64::INFINITY,
                };
                assert!(!touching || gap < most + 1e-9, "{:?}: {gap} over {most}", ALL[i]);
            }
            inside += usize::from(gap < 0.0);
        }
    }
    assert!(inside > cases(4_000) / 4 && over[0] > 0 && over[6] == 0, "{inside} {over:?}");
    assert!(over[0] >= over[3] && over[3] >= over[4], "{over:?}");
}

/// Checks the tips of pushed planes beyond the box around the brush: `R (1 / sin(a / 2) - 1)` at an
/// edge of opening `a`, 1 R at 60 degrees; the box around the brush must not hide that.
#[test]
fn pushed_planes_reach_their_tips() {
    let prism = brush(&pillar(3, 1.0, 1.0)); // a corner at (-2, 0), opening 60 degrees
    let body = UprightCylinder::new(0.5, 0.25).expect("a cylinder");
    for (expansion, reach) in [
        (Expansion::Planes, 1.0),
        (Expansion::Silhouettes, 1.0),
        (Expansion::OuterBox, 0.5),
        (Expansion::Arcs, 0.5),
    ] {
        let world = world(&prism, expansion);
        let at = |past: f64| Point3::new(-2.0 - past, 0.0, 0.0);
        assert!(touches(&world, &body, at(reach - 1e-9)), "{expansion:?}");
        assert!(!touches(&world, &body, at(reach + 1e-6)), "{expansion:?}");
    }
}

/// Checks the arithmetic of the source: cylinder against cube, wall with a door.
#[test]
fn worked_figures_of_the_patent() {
    let cube = brush(&pillar(4, 1.0, 1.0));
    let body = UprightCylinder::new(1.0, 1.0).expect("a cylinder");
    let corner = |over: f64| {
        let side = 1.0 + (1.0 + over) * 0.5f64.sqrt();
        Point3::new(side, side, 0.0)
    };
    // At a right-angled corner: planes overshoot by 0.414 R, bevels by 0.0824 R, arcs by nothing.
    for (expansion, over) in [
        (Expansion::Planes, 2f64.sqrt() - 1.0),
        (Expansion::Bevels(8), 0.0),
        (Expansion::Bevels(4), 2f64.sqrt() - 1.0),
        (Expansion::Arcs, 0.0),
        (Expansion::BoxArcs, 0.0),
    ] {
        let world = world(&cube, expansion);
        assert!(touches(&world, &body, corner(over - 1e-9)), "{expansion:?}");
        assert!(!touches(&world, &body, corner(over + 1e-6)), "{expansion:?}");
    }
    let slanted = |degrees: f64| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let place = |out: f64| Point3::new(1.0 + out * cosine, 1.0 + out * sine, 0.0);
        let bevels = world(&cube, Expansion::Bevels(8));
        let out = (0..10_000).map(|i| 1.0 + 1e-5 * f64::from(i));
        out.take_while(|&out| touches(&bevels, &body, place(out))).last().expect("a start") - 1.0
    };
    let most = 1.0 / (std::f64::consts::PI / 8.0).cos() - 1.0;
    assert!((most - 0.0824).abs() < 1e-4);
    assert!((slanted(22.5) - most).abs() < 2e-5 && slanted(45.0) < 2e-5);
}
