//! Declarations that the examples of the documentation begin with, one hidden line each.
//!
//! Macros, since a function cannot return a snapshot together with the scene that it borrows.

/// Declares a unit cube and its tree.
#[doc(hidden)]
#[macro_export]
macro_rules! fixture_tree {
    ($cube:ident, $tree:ident) => {
        use $crate::nalgebra::{Isometry3, Vector3};
        use $crate::{Build, Geometry, Obb, ObbTree};
        let $cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
        let $tree = ObbTree::build(Geometry::Boxes(vec![$cube]), &Build::default())?;
    };
}

/// Declares a model of one part, a unit cube.
#[doc(hidden)]
#[macro_export]
macro_rules! fixture_model {
    ($cube:ident, $model:ident) => {
        use $crate::nalgebra::{Isometry3, Point3, Vector3};
        use $crate::{Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
        let $cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
        let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![$cube]));
        let $model = parts.build(&Build::default())?;
    };
}

/// Declares a scene of two cubes, the second that far along `x`.
#[doc(hidden)]
#[macro_export]
macro_rules! fixture_scene {
    ($model:ident, $scene:ident, $red:ident, $blue:ident at $x:literal) => {
        $crate::fixture_model!(cube, $model);
        let mut $scene = Scene::new();
        let $red = $scene.insert(&$model, Spawn::default())?;
        let $blue = $scene.insert(&$model, Spawn::at(Isometry3::translation($x, 0.0, 0.0)))?;
    };
}

/// Declares a snapshot of a scene of two cubes, the second that far along `x`.
#[doc(hidden)]
#[macro_export]
macro_rules! fixture_snapshot {
    (
        $model:ident, $scene:ident, $red:ident, $blue:ident at $x:literal,
        $buffers:ident, $now:ident
    ) => {
        $crate::fixture_scene!($model, $scene, $red, $blue at $x);
        use $crate::Buffers;
        let mut $buffers = Buffers::new();
        let $now = $scene.snapshot(&mut $buffers);
    };
}
