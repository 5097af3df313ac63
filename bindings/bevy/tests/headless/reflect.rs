//! Tests of types that inspectors and scenes read and write by name.

use bevy_boxwood::prelude::*;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_reflect::{PartialReflect, ReflectRef};

use crate::stage::{app, boxwood, spawn_cube, step};

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
        "Teleported",
    ] {
        let found = registry.get_with_short_type_path(name).expect(name);
        assert!(found.data::<ReflectComponent>().is_some(), "{name} is a component");
    }
    for name in ["PartOf", "SweptBegin", "SweptImpact", "TouchBegin", "TouchEnd", "TouchGroups"] {
        assert!(registry.get_with_short_type_path(name).is_some(), "{name}");
    }
    let options = CharacterOptions::default();
    let ReflectRef::Struct(fields) = options.reflect_ref() else { panic!("options are a struct") };
    let names: Vec<_> = (0..fields.field_len()).map(|index| fields.name_at(index)).collect();
    assert_eq!(names, [Some("groups"), Some("order"), Some("user"), Some("at_rest")]);
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
    let bevy_reflect::ReflectMut::Struct(fields) = value.reflect_mut() else { panic!("a struct") };
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
