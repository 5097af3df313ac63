//! Maps from any bytes, by two sets of rules; levels that load are queried.

use boxwood::brush::BrushFilter;
use boxwood::f64::UprightCylinder;
use boxwood::load::{MapOptions, map_bytes};
use boxwood::nalgebra::Point3;
use boxwood::shape::UpAxis;

pub fn run(bytes: &[u8]) {
    let turned = MapOptions::plain().up(UpAxis::Y).scale(1.0 / 32.0);
    for options in [MapOptions::quake(), turned] {
        let read = map_bytes(bytes, &options);
        if let Ok(level) = &read {
            for warning in &level.warnings {
                assert!(!warning.to_string().contains(char::is_control), "{warning:?}");
            }
            let player = UprightCylinder::new(16.0, 28.0).expect("a cylinder");
            let (all, mut found) = (BrushFilter::default(), Vec::new());
            let origins = level.spawns().filter_map(|spawn| spawn.origin);
            for center in origins.chain([Point3::origin()]) {
                level.volumes_at(center).count();
                let asked = level.world.overlaps_cylinder(&player, center, &all, &mut found);
                asked.expect("a point in range");
            }
        }
        super::answer(read);
    }
}
