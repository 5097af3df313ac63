//! Part ids: every part has its index in its model, whatever the source of the model.

use boxwood::load::Loader;
use boxwood::model::Model;
use boxwood::scene::{Scene, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Build, PartId};

use support::fighter;
use support::prelude::*;

fn check<T: Scalar>(model: &Model<T>) {
    for (index, part) in model.parts().iter().enumerate() {
        assert_eq!(part.id().index(), index);
        assert_eq!(model.part(part.name()), Ok(part.id()));
        assert!(std::ptr::eq(&model[part.id()], part));
        assert!(part.parent().is_none_or(|parent| parent < part.id()));
    }
}

fn built<T: Scalar>() {
    let mut random = Random(821);
    for count in [1, 2, 64, 65, 300] {
        let mut builder = Model::<T>::builder();
        for part in 0..count {
            let geometry = if part % 3 == 1 { Geometry::None } else { random_part(&mut random, 3) };
            let parent = (part > 0).then(|| random.below(part).to_string());
            builder = builder.part(part.to_string(), parent.as_deref(), geometry);
        }
        let model = builder.build(&Build::fast()).expect("a model");
        check(&model);
        check(&model.cut_off(&vec![1; count]).expect("a depth a part"));
        let mut scene = Scene::new();
        let key = scene.insert(&model, Spawn::default()).expect("a character");
        for part in model.parts() {
            assert_eq!(scene.part(key, part.id()), Ok(part));
        }
    }
}

#[test]
fn parts_of_files_and_of_baked_characters_too() {
    let made = fighter::fighter();
    check(&made.model);
    let read = Loader::<f32>::new().baked_bytes(&made.bake().expect("bytes")).expect("a character");
    check(&read.model);
    let Some(data) = support::data::data() else { return };
    let robots = data.join("robots");
    let loader = Loader::<f32>::new().build(Build::fast());
    check(&loader.urdf(robots.join("panda/urdf/panda.urdf")).expect("a robot").model);
    let humanoid = robots.join("humanoid-cmu/humanoid_CMU_V2020.xml");
    check(&loader.mjcf(humanoid).expect("a robot").model);
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 3 but the index is 3")]
fn indexing_with_a_part_of_another_model_panics() {
    let mut builder = Model::<f32>::builder();
    for part in 0..3 {
        builder = builder.part(part.to_string(), None, Geometry::None);
    }
    let model = builder.build(&Build::fast()).expect("a model");
    let _ = &model[PartId::new(3)];
}

scalars! {
    parts_have_the_number_they_are_found_by => built();
}
