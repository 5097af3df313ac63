//! Names at the root: the same type with its scalar and without, in types and in expressions.

use std::any::{TypeId, type_name_of_val};

use boxwood::{Build, NodeRef};

use support::prelude::*;

/// Source of the root, to check that no name is left out below.
const ROOT: &str = include_str!("../../src/lib.rs");

fn are_equal<A: 'static, B: 'static>() -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

/// Returns each name of a module with `true` if both of its forms are the generic type of that
/// scalar.
macro_rules! compare {
    ($room:path, $scalar:ident: $($name:ident $(<$life:lifetime>)? => $generic:ty,)*) => {{
        use $room as root;
        let mut found = vec![$((
            stringify!($name),
            are_equal::<root::$name $(<$life>)?, $generic>()
                && are_equal::<root::$name<$($life,)? $scalar>, $generic>(),
        )),*];
        found.push((
            "RayHit",
            are_equal::<root::RayHit, boxwood::pair::RayHit<$scalar>>()
                && are_equal::<root::RayHit<$scalar>, boxwood::pair::RayHit<$scalar, ()>>()
                && are_equal::<
                    root::RayHit<$scalar, NodeRef>,
                    boxwood::pair::RayHit<$scalar, NodeRef>,
                >(),
        ));
        found.push((
            "ClosestPoints",
            are_equal::<root::ClosestPoints, boxwood::pair::ClosestPoints<$scalar>>()
                && are_equal::<
                    root::ClosestPoints<$scalar, NodeRef>,
                    boxwood::pair::ClosestPoints<$scalar, NodeRef, NodeRef>,
                >()
                && are_equal::<
                    root::ClosestPoints<$scalar, NodeRef, ()>,
                    boxwood::pair::ClosestPoints<$scalar, NodeRef, ()>,
                >(),
        ));
        found
    }};
}

/// Runs [`compare!`] for all names of the root or of its twin.
macro_rules! compare_all {
    ($room:path, $scalar:ident) => {
        compare!($room, $scalar:
            Aabb => boxwood::shape::Aabb<$scalar, 3>,
            Aabb2 => boxwood::shape::Aabb<$scalar, 2>,
            Obb2 => boxwood::planar::Obb2<$scalar>,
            Polygon2 => boxwood::planar::ConvexPolygon<$scalar>,
            Obb => boxwood::shape::Obb<$scalar>,
            Sphere => boxwood::shape::Sphere<$scalar, 3>,
            Sphere2 => boxwood::shape::Sphere<$scalar, 2>,
            Capsule => boxwood::shape::Capsule<$scalar>,
            Cylinder => boxwood::shape::Cylinder<$scalar>,
            ConvexShape => boxwood::pair::ConvexShape<$scalar>,
            ConvexHull => boxwood::shape::ConvexHull<$scalar>,
            UprightCylinder => boxwood::shape::UprightCylinder<$scalar>,
            Ellipsoid => boxwood::shape::Ellipsoid<$scalar>,
            Frustum => boxwood::shape::Frustum<$scalar>,
            Segment => boxwood::shape::Segment<$scalar>,
            Ray => boxwood::shape::Ray<$scalar>,
            Plane => boxwood::shape::Plane<$scalar>,
            Triangle => boxwood::shape::Triangle<$scalar>,
            Polygon3 => boxwood::shape::Polygon3<$scalar>,
            Dop8 => boxwood::shape::Dop8<$scalar>,
            SpaceDop8 => boxwood::shape::SpaceDop8<$scalar>,
            Dop14 => boxwood::shape::Dop14<$scalar>,
            Dop18 => boxwood::shape::Dop18<$scalar>,
            HeightField => boxwood::shape::HeightField<$scalar>,
            Mesh => boxwood::shape::Mesh<$scalar>,
            Pose => boxwood::shape::Pose<$scalar>,
            Contact => boxwood::pair::Contact<$scalar, 3>,
            CastHit => boxwood::pair::CastHit<$scalar, 3>,
            RayCast => boxwood::scene::RayCast<$scalar>,
            PartPassage => boxwood::scene::PartPassage<$scalar>,
            ShapeHit => boxwood::scene::ShapeHit<$scalar>,
            RayHits => boxwood::scene::RayHits<$scalar>,
            QueryShape => boxwood::scene::QueryShape<$scalar>,
            Overlaps => boxwood::scene::Overlaps<$scalar>,
            ClosestPart => boxwood::scene::ClosestPart<$scalar>,
            ClosestParts => boxwood::scene::ClosestParts<$scalar>,
            QueryScratch => boxwood::scene::QueryScratch<$scalar>,
            SelfQueryScratch => boxwood::model::SelfQueryScratch<$scalar>,
            PartDistance => boxwood::model::PartDistance<$scalar>,
            CollisionBatch => boxwood::model::CollisionBatch<$scalar>,
            CollisionBatchScratch => boxwood::model::CollisionBatchScratch<$scalar>,
            SeparatingAxis => boxwood::pair::SeparatingAxis<$scalar>,
            Push => boxwood::tree::Push<$scalar>,
            Separation => boxwood::tree::Separation<$scalar, boxwood::scene::NodeRef>,
            IntersectionCurve => boxwood::tree::IntersectionCurve<$scalar>,
            Geometry => boxwood::tree::Geometry<$scalar>,
            ObbTree => boxwood::tree::ObbTree<$scalar>,
            Model => boxwood::model::Model<$scalar>,
            Scene => boxwood::scene::Scene<$scalar>,
            Spawn => boxwood::scene::Spawn<$scalar>,
            Attachment => boxwood::scene::Attachment<$scalar>,
            Buffers => boxwood::scene::Buffers<$scalar>,
            Snapshot <'static> => boxwood::scene::Snapshot<'static, $scalar>,
            OwnedSnapshot => boxwood::scene::OwnedSnapshot<$scalar>,
            SceneMotion <'static> => boxwood::scene::SceneMotion<'static, $scalar>,
            SceneTrajectory <'static> => boxwood::scene::SceneTrajectory<'static, $scalar>,
            MotionBuffers => boxwood::scene::MotionBuffers<$scalar>,
            History => boxwood::scene::History<$scalar>,
            PastScene => boxwood::scene::PastScene<$scalar>,
            Impact => boxwood::scene::Impact<$scalar>,
            TickImpact => boxwood::scene::TickImpact<$scalar>,
            Hits => boxwood::scene::Hits<$scalar>,
            Hit => boxwood::scene::Hit<$scalar>,
            Report => boxwood::scene::Report<$scalar>,
            Loader <'static> => boxwood::load::Loader<'static, $scalar>,
            Loaded => boxwood::load::Loaded<$scalar>,
        )
    };
}

/// Asserts that all names that the root defines were compared and are the expected types.
fn check(found: &[(&str, bool)]) {
    let begins = ROOT.lines().filter_map(|line| line.trim().strip_prefix("pub type "));
    let defined: Vec<&str> = begins.map(|rest| rest.split('<').next().expect("a name")).collect();
    assert!(defined.len() > 50, "only {} names: the test sees nothing", defined.len());
    for name in defined {
        let is_equal = found.iter().find(|(compared, _)| *compared == name);
        assert_eq!(is_equal, Some(&(name, true)));
    }
}

#[test]
fn both_forms_are_the_type_of_single_precision() {
    check(&compare_all!(boxwood, f32));
}

#[test]
fn both_forms_in_the_twin_module_are_the_type_of_double_precision() {
    check(&compare_all!(boxwood::f64, f64));
}

/// Returns the name of the scalar that inference gives an expression with literals only.
macro_rules! scalars_of {
    ($room:path, $scalar:ident) => {{
        use $room as root;
        let half = Vector3::repeat(0.5);
        let bare = root::Obb::from_pose(&Isometry3::identity(), half).expect("a cube");
        let written = root::Obb::<$scalar>::from_pose(&Isometry3::identity(), half);
        let ball = root::Sphere::new(Point3::new(0.0, 0.5, 1.0), 0.5).expect("a ball");
        let geometry = root::Geometry::Boxes(vec![written.expect("a cube"), bare]);
        let of_variant = type_name_of_val(&geometry);
        let parts = root::Model::builder().part("cube", None, root::Geometry::None);
        let model = parts.build(&Build::fast()).expect("a model");
        let written = root::Model::<$scalar>::builder().part("cube", None, geometry);
        let other = written.build(&Build::fast()).expect("a model");
        let scene = root::Scene::new();
        let (hits, shape) = (root::Hits::new(), root::QueryShape::Point(Point3::new(0.5, 0., 0.)));
        [
            type_name_of_val(&bare),
            type_name_of_val(&ball),
            of_variant,
            type_name_of_val(&model),
            type_name_of_val(&other),
            type_name_of_val(&scene),
            type_name_of_val(&hits),
            type_name_of_val(&shape),
        ]
    }};
}

#[test]
fn expressions_have_the_scalar_of_their_module() {
    for name in scalars_of!(boxwood, f32) {
        assert!(name.contains("f32") && !name.contains("f64"), "{name}");
    }
    for name in scalars_of!(boxwood::f64, f64) {
        assert!(name.contains("f64") && !name.contains("f32"), "{name}");
    }
}
