//! Walkers put on the ground by their feet: starts of players in real levels, slopes, edges, walls,
//! ceilings, floors at any height.

use boxwood::brush::{Brush, BrushId, BrushWorld, WalkScratch, Walker};
use boxwood::load::{MapOptions, map};
use boxwood::shape::{Aabb, UpAxis, UprightCylinder};
use boxwood::{CollisionGroups, Error};

use super::levels::LEVELS;
use super::scenes::ramp;
use support::brushes::cuboid;
use support::data::data;
use support::prelude::*;
use support::walks::{SKIN, Walkable, floor, place, walker, world};

/// Stands at the feet of every start, and asserts that the origin is not where the centre goes.
fn starts<T: Scalar>() {
    let Some(data) = data() else { return };
    let (mut count, mut origins, mut on_ground) = (0, 0, 0);
    for name in LEVELS {
        for (up, scale) in [(UpAxis::Z, 1.0), (UpAxis::Y, 1.0 / 32.0), (UpAxis::Z, 0.0254)] {
            let options = MapOptions::quake().up(up).scale(scale);
            let level = map(data.join("levels").join(name), &options).expect(name);
            // Quake's player, and one of 0.8 by 1.8 m at 32 units a metre.
            for [radius, half] in [[16.0, 28.0], [12.8, 28.8]] {
                let size = [radius, half].map(|x| T::nearest(x * scale));
                let cylinder = UprightCylinder::new(size[0], size[1]).expect("a size");
                let walker = Walker::new(cylinder).step(18.0 * scale);
                let skin = walker.skin_in(&level.world).expect("a skin").wide();
                let mut scratch = WalkScratch::new();
                for spawn in level.spawns() {
                    let at = spawn.origin.expect("an origin");
                    let feet = spawn.feet.expect("feet");
                    let lower = at - up.vector::<f64>().into_inner() * (24.0 * scale);
                    assert!((lower - feet).norm() <= 1e-12 * (1.0 + at.coords.norm()));
                    let [at, feet] = [at, feet].map(|p| p.map(T::nearest));
                    let stood = walker.stand_at_feet(&level.world, feet, &mut scratch);
                    let stood = stood.unwrap_or_else(|e| panic!("{name} {feet} {radius}: {e}"));
                    let above = (stood.position() - feet).map(T::wide);
                    let height = above.dot(&up.vector::<f64>()) - half * scale;
                    assert!((0.0..4.0 * skin).contains(&height), "{name} {feet}: {height}");
                    assert!(above.norm() < half * scale + 4.0 * skin, "{name}: moved aside");
                    count += 1;
                    on_ground += usize::from(stood.ground().is_some());
                    let at_origin = walker.stand(&level.world, at, &mut scratch);
                    origins += usize::from(matches!(at_origin, Err(Error::NoRoom { .. })));
                }
            }
        }
    }
    println!("{count} starts: {on_ground} on ground; {origins} refused with origins for centres");
    assert_eq!(count, 26 * 6);
    // Two starts of each level of three are in the air.
    assert!(on_ground >= 23 * 6 && origins >= 23 * 6);
}

/// Stands on ramps: as high as the rim of the foot takes, by its formula.
#[test]
fn feet_on_a_slope_stand_as_high_as_the_rim_takes() {
    let (mut scratch, mut random) = (WalkScratch::new(), Random(0xfee7_0001));
    let walkers = [walker(), walker().step(0.0)];
    for degrees in [0.5, 5.0, 15.0, 25.0, 35.0, 44.0] {
        let (level, slope) = (Walkable::new(&ramp(degrees, 60.0)), f64::to_radians(degrees).tan());
        for _ in 0..at_least(200, 20) {
            let (x, y) = (random.between(0.5, 20.0), random.between(-3.0, 3.0));
            let walker = &walkers[random.below(2)];
            let feet = Point3::new(x, y, x * slope);
            let at = walker.stand_at_feet(&level.world, feet, &mut scratch).expect("a slope");
            let expected = feet.z + 0.9 + 0.4 * slope;
            let [.., z] = place(&at);
            assert!(z > expected && z < expected + 4.0 * SKIN * (1.0 + slope), "{degrees}: {at:?}");
            assert_eq!((at.position().x, at.position().y), (x, y));
            assert_eq!(at.ground(), Some(BrushId(1)));
            assert!(level.keeps_gap(walker, &at));
        }
    }
    // Steeper than it can stand on: the rim would have to rise further.
    let level = world(&ramp(60.0, 60.0));
    let feet = Point3::new(3.0, 0.0, 3.0 * 60.0_f64.to_radians().tan());
    let refused = walkers[0].stand_at_feet(&level, feet, &mut scratch);
    assert_eq!(refused, Err(Error::NoRoom { brush: 1 }));
}

/// Places feet beside an edge of a height, below a ceiling, next to a wall.
#[test]
fn feet_beside_edges_walls_and_ceilings() {
    let (walker, mut scratch) = (walker(), WalkScratch::new());
    let mut stand = |brushes: &[_], feet: [f64; 3]| {
        let level = Walkable::new(brushes);
        let stood = walker.stand_at_feet(&level.world, Point3::from(feet), &mut scratch);
        stood.map(|at| {
            assert!(level.keeps_gap(&walker, &at), "{at:?}");
            (at.position().z - 0.9, at.ground())
        })
    };
    let block = |height: f64| cuboid([0.2, -4.0, -1.0], [4.0, 4.0, height]);
    let is_at = |found: Result<(f64, _), Error>, height: f64, ground: u32| {
        let (foot, stood) = found.expect("room");
        assert!(foot > height && foot < height + 3.0 * SKIN, "{foot} is not {height}");
        assert_eq!(stood, Some(BrushId(ground)));
    };
    let origin = [0.0; 3];
    is_at(stand(&[floor(9.0)], origin), 0.0, 0);
    is_at(stand(&[floor(9.0), block(0.3)], origin), 0.3, 1);
    is_at(stand(&[floor(9.0), block(0.44)], origin), 0.44, 1);
    is_at(stand(&[floor(9.0), block(0.3)], [-0.3, 0.0, 0.0]), 0.0, 0);
    // Too high, or a wall.
    assert_eq!(stand(&[floor(9.0), block(0.6)], origin), Err(Error::NoRoom { brush: 1 }));
    assert_eq!(stand(&[floor(9.0), block(5.0)], origin), Err(Error::NoRoom { brush: 1 }));
    // A ceiling that leaves room on the floor, but not on the block; one too low.
    let ceiling = |z: f64| cuboid([-9.0, -9.0, z], [9.0, 9.0, z + 1.0]);
    is_at(stand(&[floor(9.0), ceiling(1.9)], origin), 0.0, 0);
    let low = stand(&[floor(9.0), block(0.3), ceiling(1.9)], origin);
    assert_eq!(low, Err(Error::NoRoom { brush: 1 }));
    assert_eq!(stand(&[floor(9.0), ceiling(1.7)], origin), Err(Error::NoRoom { brush: 1 }));
    // Below the floor, and in the air.
    is_at(stand(&[floor(9.0)], [0.0, 0.0, -0.1]), 0.0, 0);
    assert_eq!(stand(&[floor(9.0)], [0.0, 0.0, -0.7]), Err(Error::NoRoom { brush: 0 }));
    let (foot, ground) = stand(&[floor(9.0)], [0.0, 0.0, 0.5]).expect("room");
    assert!((foot - 0.5).abs() < 2.0 * SKIN && ground.is_none());
    let (mut level, mut bad) = (BrushWorld::builder(), [origin; 3]);
    level.push(
        Brush::from_aabb(&Aabb::new([-9.0; 3].into(), [9.0; 3].into())).expect("one"),
        CollisionGroups::ALL,
    );
    let level = level.build().expect("a level");
    (bad[0][1], bad[1][2], bad[2][0]) = (f64::NAN, f64::INFINITY, 1e300);
    for (index, feet) in bad.into_iter().enumerate() {
        let refused = walker.stand_at_feet(&level, Point3::from(feet), &mut scratch);
        match index {
            2 => assert!(matches!(refused, Err(Error::OutOfRange { field: "feet", .. }))),
            _ => assert!(matches!(refused, Err(Error::NotFinite { field: "feet", .. }))),
        }
    }
}

/// Stands on floors at heights that the scalar rounds, far from the origin, with every axis up.
fn heights<T: Scalar>(seed: u64) {
    let (mut random, mut scratch) = (Random(seed), WalkScratch::new());
    let cylinder = UprightCylinder::new(T::nearest(0.4), T::nearest(0.9)).expect("a size");
    for _ in 0..at_least(3_000, 300) {
        let (up, far) =
            ([UpAxis::X, UpAxis::Y, UpAxis::Z][random.below(3)], random.decade(-1.0, 3.3));
        let axis = up as usize;
        let mut feet = [0, 1, 2].map(|_| T::nearest(random.between(-far, far)).wide());
        let mut level = BrushWorld::builder();
        level.up(up);
        let (mut low, mut high) = (feet.map(|x| x - 5.0), feet.map(|x| x + 5.0));
        (low[axis], high[axis]) = (feet[axis] - 1.0, feet[axis]);
        let slab = Aabb::new(Point3::from(low), Point3::from(high));
        let id = level.push(Brush::from_aabb(&slab).expect("a slab"), CollisionGroups::ALL);
        let level = level.build().expect("a level");
        let walker = Walker::new(cylinder);
        let skin = walker.skin_in(&level).expect("a skin").wide();
        let at = walker.stand_at_feet(&level, point::<T>(feet), &mut scratch).expect("a floor");
        assert_eq!(at.ground(), Some(id));
        let height =
            at.position()[axis].wide() - feet[axis] - walker.cylinder().half_height().wide();
        assert!(height > 0.5 * skin && height < 2.5 * skin, "{height}, skin {skin}");
        feet[axis] = at.position()[axis].wide();
        assert_eq!(place(&at), feet, "moved aside");
    }
}

scalars! {
    every_start_of_a_player_stands_at_its_feet => starts();
    feet_on_floors_at_any_height => heights(0xfee7_0002; 0xfee7_0003);
}
