//! Tests of types that inspectors and scenes read and write by name.

use bevy_boxwood::boxwood::Accuracy;
use bevy_boxwood::prelude::*;
use bevy_ecs::message::Messages;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent, ReflectResource};
use bevy_reflect::{PartialReflect, ReflectMut, ReflectRef, structs::Struct};

use crate::stage::{app, boxwood, spawn_cube, step};

/// Names of the fields of a value that is a structure.
fn field_names(of: &dyn PartialReflect) -> Vec<String> {
    let ReflectRef::Struct(fields) = of.reflect_ref() else { panic!("no structure: {of:?}") };
    let names = (0..fields.field_len()).map(|index| fields.name_at(index).expect("a name"));
    names.map(str::to_owned).collect()
}

/// Fields of a value, to be written by name.
fn fields(of: &mut dyn PartialReflect) -> &mut dyn Struct {
    let ReflectMut::Struct(fields) = of.reflect_mut() else { panic!("no structure") };
    fields
}

#[test]
fn components_are_registered_with_their_fields() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for name in [
        "Character",
        "CharacterMotion",
        "CharacterOptions",
        "CollidingEntities",
        "JointNode",
        #[cfg(feature = "levels")]
        "Level",
        #[cfg(feature = "levels")]
        "LevelWalker",
        "SweepSettings",
        "Teleported",
        "TouchSettings",
    ] {
        let found = registry.get_with_short_type_path(name).expect(name);
        assert!(found.data::<ReflectComponent>().is_some(), "{name} is a component");
    }
    for name in [
        "CharacterProblem",
        "PartOf",
        "Problem",
        "SweptBegin",
        "SweptContact",
        "SweptImpact",
        "TouchBegin",
        "TouchEnd",
        "TouchEnded",
        "TouchGroups",
        "TouchPairs",
        "TouchPhase",
        "Touched",
    ] {
        assert!(registry.get_with_short_type_path(name).is_some(), "{name}");
    }
    for name in ["SweepSettings", "TouchSettings"] {
        let found = registry.get_with_short_type_path(name).expect(name);
        assert!(found.data::<ReflectResource>().is_some(), "{name} is a resource");
    }
    let options = CharacterOptions::default();
    assert_eq!(field_names(&options), ["groups", "order", "user", "at_rest"]);
    // The others have types of the library, which Bevy's reflection does not know.
    assert_eq!(field_names(&TouchSettings::default()), ["pairs", "patience"]);
    assert_eq!(field_names(&SweepSettings::default()), ["pairs", "tolerance"]);
}

#[test]
fn settings_that_an_inspector_writes_count() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    let mut settings = app.world_mut().resource_mut::<TouchSettings>();
    settings.accuracy = Accuracy::Exact;
    *settings = settings.clone().predicate(move |first, _| first.character == a);
    assert_eq!(step(&mut app).len(), 1);
    let pairs = TouchPairs::Nobody;
    let mut settings = app.world_mut().resource_mut::<TouchSettings>();
    fields(&mut *settings).field_mut("pairs").expect("a field").apply(&pairs);
    assert_eq!(step(&mut app), []);
    // Applied as a scene does it: fields that are not named keep their values.
    let mut settings = app.world_mut().resource_mut::<TouchSettings>();
    let mut of_scene = TouchSettings::default();
    of_scene.patience = 7;
    settings.apply(&of_scene);
    let (accuracy, patience) = (settings.accuracy, settings.patience);
    assert_eq!((accuracy, patience), (Accuracy::Exact, 7));
    assert_eq!(step(&mut app).iter().map(|hit| (hit.a, hit.b)).collect::<Vec<_>>(), [(a, b)]);
    let copy = app.world().resource::<TouchSettings>().reflect_clone().expect("a clone");
    let copy: TouchSettings = copy.take().expect("the type");
    app.world_mut().insert_resource(copy.predicate(|_, _| false));
    assert_eq!(step(&mut app), []);
    let mut sweep = app.world_mut().resource_mut::<SweepSettings>();
    fields(&mut *sweep).field_mut("pairs").expect("a field").apply(&TouchPairs::All);
    fields(&mut *sweep).field_mut("tolerance").expect("a field").apply(&0.25_f64);
    assert_eq!((sweep.pairs, sweep.tolerance), (TouchPairs::All, 0.25));
    app.update();
    let contacts: Vec<_> =
        app.world_mut().resource_mut::<Messages<SweptContact>>().drain().collect();
    assert_eq!(contacts.len(), 1);
    assert_eq!(field_names(&contacts[0]), ["a", "b", "time", "since", "id", "impact"]);
}

#[test]
fn messages_are_read_by_name() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    let hits = step(&mut app);
    let names = ["phase", "a", "b", "point", "normal", "depth", "slack"];
    assert_eq!(field_names(&hits[0]), names);
    let ReflectRef::Struct(fields) = hits[0].reflect_ref() else { panic!("a structure") };
    let entity = |name| fields.field(name).and_then(|of| of.try_downcast_ref()).copied();
    assert_eq!((entity("a"), entity("b")), (Some(a), Some(b)));
    let phase = fields.field("phase").expect("a field");
    assert_eq!(phase.try_downcast_ref(), Some(&TouchPhase::Begin));
    // Whole messages are cloned and printed with all their fields.
    let copy: Touched = hits[0].reflect_clone().expect("a clone").take().expect("the type");
    assert_eq!(copy, hits[0]);
    assert!(format!("{:?}", hits[0].as_partial_reflect()).contains("parts"), "{:?}", hits[0]);
}

#[cfg(feature = "levels")]
#[test]
fn a_walker_walks_where_an_inspector_sends_it() {
    use bevy_ecs::prelude::Entity;
    use bevy_math::Vec3;
    use bevy_transform::components::Transform;

    use crate::walk::{spawn_level, spawn_walker};

    let mut app = app();
    let level = spawn_level(&mut app);
    let one = spawn_walker(&mut app, level, 0, [0.0, 0.0, 0.0]);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let walker = registry.get_with_short_type_path("LevelWalker").expect("a type");
    let component = walker.data::<ReflectComponent>().expect("a component").clone();
    let mut entity = app.world_mut().entity_mut(one);
    let mut value = component.reflect_mut(&mut entity).expect("the component");
    let fields = fields(value.as_partial_reflect_mut());
    assert_eq!(fields.field_len(), 3);
    fields.field_mut("displacement").expect("a field").apply(&Vec3::new(0.0, -0.1, 0.2));
    app.update();
    let at = |app: &bevy_app::App, one: Entity| app.world().get::<Transform>(one).copied();
    let feet = at(&app, one).expect("a transform").translation;
    assert!(feet.distance(Vec3::new(0.0, 0.0, 0.2)) < 1e-3, "{feet}");
    // A copy of the component, as scenes make it, is a walker with the same rules.
    let copy = app.world().get::<LevelWalker>(one).expect("a walker").reflect_clone();
    let mut copy: LevelWalker = copy.expect("a clone").take().expect("the type");
    copy.order = 1;
    let start = Transform::from_xyz(3.0, 0.0, 0.0);
    let other = app.world_mut().spawn((copy, start)).id();
    app.update();
    let feet = at(&app, other).expect("a transform").translation;
    assert!(feet.distance(Vec3::new(3.0, 0.0, 0.2)) < 1e-3, "{feet}");
    // A level is copied as a whole.
    let copy = app.world().get::<Level>(level).expect("a level").reflect_clone();
    let copy: Level = copy.expect("a clone").take().expect("the type");
    assert_eq!(copy.world().len(), 4);
}

#[test]
fn an_option_that_an_inspector_writes_counts() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    app.world_mut().entity_mut(a).insert(CharacterOptions::default());
    assert_eq!(step(&mut app).len(), 1);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let options = registry.get_with_short_type_path("CharacterOptions").expect("a type");
    let component = options.data::<ReflectComponent>().expect("a component").clone();
    let mut entity = app.world_mut().entity_mut(a);
    let mut value = component.reflect_mut(&mut entity).expect("the component");
    let fields = fields(value.as_partial_reflect_mut());
    fields.field_mut("groups").expect("a field").apply(&Some(TouchGroups::NONE));
    fields.field_mut("user").expect("a field").apply(&12_u64);
    assert_eq!(step(&mut app), []);
    let key = boxwood(&app).key(a).expect("a key");
    assert_eq!(boxwood(&app).scene().user(key), Ok(12));
    // A component is cloned as scenes do it.
    let copy = app.world().get::<Character>(b).expect("a character").reflect_clone();
    let copy: Character = copy.expect("a clone").take().expect("the type");
    app.world_mut().entity_mut(a).insert((copy, CharacterOptions::default()));
    assert_eq!(step(&mut app).len(), 1);
}
