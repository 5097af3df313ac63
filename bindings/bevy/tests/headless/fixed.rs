//! Tests of the geometry of the world: meshes, terrain, levels.

use bevy_app::App;
use bevy_boxwood::boxwood::{Accuracy, Error, HeightField, UpAxis};
use bevy_boxwood::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;

use crate::stage::{app, cube, problems, step};

/// Corners and triangles of a unit cube about the origin, six faces of four corners each, as in
/// Bevy's meshes.
fn faces() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-0.5, 0.5] {
            let first = corners.len() as u32;
            for (u, v) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                let mut corner = [0.0; 3];
                (corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (side, u, v);
                corners.push(Vec3::from_array(corner));
            }
            let faces = match side > 0.0 {
                true => [[0, 1, 2], [0, 2, 3]],
                false => [[0, 2, 1], [0, 3, 2]],
            };
            triangles.extend(faces.map(|face| face.map(|corner| first + corner)));
        }
    }
    (corners, triangles)
}

/// Spawns a cube with a fiftieth of the size at a point, and returns the number of its touches.
fn touches_at(app: &mut App, at: Vec3) -> usize {
    let small = Character::rigid(cube()).scaled(0.02).expect("a scale");
    let probe = Transform::from_translation(at).with_scale(Vec3::splat(0.02));
    let probe = app.world_mut().spawn((small, probe)).id();
    app.world_mut().resource_mut::<TouchSettings>().accuracy = Accuracy::Exact;
    let found = step(app).iter().filter(|hit| hit.a == probe || hit.b == probe).count();
    app.world_mut().entity_mut(probe).despawn();
    found
}

#[test]
fn a_surface_is_touched_at_its_triangles_and_a_solid_inside_too() {
    let (corners, triangles) = faces();
    let surface = Character::mesh(corners.clone(), triangles.clone()).expect("a mesh");
    let solid = Character::solid_mesh(corners, triangles).expect("a mesh");
    for (character, inside) in [(surface, 0), (solid, 1)] {
        let mut app = app();
        app.world_mut().spawn((character, Transform::from_xyz(0.0, 2.0, 0.0)));
        let found = [Vec3::new(0.5, 2.0, 0.1), Vec3::new(0.1, 2.1, 0.0), Vec3::new(0.6, 2.0, 0.0)]
            .map(|at| touches_at(&mut app, at));
        assert_eq!(found, [1, inside, 0]);
        assert_eq!(problems(&mut app), []);
    }
}

#[test]
fn a_mesh_that_is_none_is_refused() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::NAN];
    let refused = Character::mesh(corners, [[0, 1, 2]]).err();
    assert!(matches!(refused, Some(Error::NotFinite { .. })), "{refused:?}");
    let refused = Character::mesh([Vec3::ZERO, Vec3::X], [[0, 1, 2]]).err();
    assert!(matches!(refused, Some(Error::IndexOutOfRange { .. })), "{refused:?}");
}

#[test]
fn terrain_is_solid_down_to_its_base() {
    let mut app = app();
    // A slope: rows along z, one metre apart; heights rise along x.
    let heights = (0..9).map(|i| (i % 3) as f32).collect();
    let hill = HeightField::new(3, heights).expect("heights").up(UpAxis::Y);
    let hill = Character::height_field(&hill, -1.0).expect("terrain");
    app.world_mut().spawn((hill, Transform::IDENTITY));
    let z = match touches_at(&mut app, Vec3::new(1.0, 0.5, 1.0)) {
        1 => 1.0,
        _ => -1.0, // the side on which rows lie
    };
    let found = [1.2, 0.5, -0.9, -1.2].map(|y| touches_at(&mut app, Vec3::new(1.0, y, z)));
    assert_eq!(found, [0, 1, 1, 0]);
    assert_eq!(problems(&mut app), []);
}

#[test]
fn fixed_characters_touch_what_moves_and_not_each_other() {
    let mut app = app();
    let fixed = Character::fixed(cube());
    for x in [0.0, 0.5] {
        app.world_mut().spawn((fixed.clone(), Transform::from_xyz(x, 0.0, 0.0)));
    }
    assert_eq!(step(&mut app), []);
    let moving = app.world_mut().spawn((Character::rigid(cube()), Transform::IDENTITY)).id();
    let found = step(&mut app);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|hit| hit.b == moving));
    // Options do not wake them.
    let options = CharacterOptions { at_rest: true, ..Default::default() };
    app.world_mut().entity_mut(moving).insert(options);
    assert_eq!(step(&mut app), []);
    app.world_mut().entity_mut(moving).insert(CharacterOptions::default());
    assert_eq!(step(&mut app).len(), 2);
}

#[cfg(feature = "levels")]
#[test]
fn a_level_is_touched_where_its_brushes_are() {
    let mut app = app();
    let level = crate::walk::level();
    let character = Character::level(&level).expect("a character");
    let entity = app.world_mut().spawn((character, Transform::IDENTITY)).id();
    let found = [Vec3::new(3.0, -0.5, 0.0), Vec3::new(3.0, 0.5, 0.0), Vec3::new(5.5, 1.0, 0.0)]
        .map(|at| touches_at(&mut app, at));
    assert_eq!(found, [1, 0, 1], "in the floor, above it, in the wall");
    let probe =
        app.world_mut().spawn((Character::rigid(cube()), Transform::from_xyz(5.0, 1.0, 0.0)));
    let probe = probe.id();
    let hit = step(&mut app)[0];
    assert_eq!((hit.a, hit.b), (entity, probe));
    let brush = level.brushes_of(bevy_boxwood::boxwood::brush::BodyId::STATIC);
    assert_eq!(brush.map(|id| id.0).nth(hit.parts[0].index()), Some(1), "the second brush");
}
