//! Robots without a link that can collide: refused with the cure, unless requested.

use boxwood::load::{LinkShapes, Loader};

use super::small::{collision, joint, link, robot};

const VISUAL: &str = "<visual><geometry><box size='1 1 1'/></geometry></visual>";

#[test]
fn a_urdf_that_cannot_collide_is_an_error_with_the_cure() {
    let turns = joint("j", "continuous", ["a", "b"], "");
    for shapes in ["", VISUAL] {
        let text = robot(&(link("a", shapes) + &link("b", shapes) + &turns));
        let loader = Loader::<f64>::new();
        let said = loader.urdf_bytes(text.as_bytes()).expect_err("refused").to_string();
        assert!(said.contains("no link has geometry that can collide"), "{said}");
        assert!(said.contains("Loader::link_shapes(LinkShapes::Visual)"), "{said}");
        assert!(said.contains("Loader::allow_empty"), "{said}");
        let found = loader.clone().allow_empty(true).urdf_bytes(text.as_bytes());
        let found = found.expect("asked for");
        assert_eq!((found.model.len(), found.mechanism.actuators().len()), (2, 1));
        let visual = loader.link_shapes(LinkShapes::Visual).urdf_bytes(text.as_bytes());
        assert_eq!(visual.is_ok(), shapes == VISUAL);
    }
}

#[test]
fn one_link_that_can_collide_is_enough() {
    let turns = joint("j", "continuous", ["a", "b"], "");
    let ball = collision("", "<sphere radius='1'/>");
    let text = robot(&(link("a", VISUAL) + &link("b", &ball) + &turns));
    assert!(Loader::<f64>::new().urdf_bytes(text.as_bytes()).is_ok());
}

#[test]
fn an_mjcf_that_cannot_collide_is_an_error() {
    let model = |geom: &str| {
        format!("<mujoco><worldbody><body>{geom}</body></worldbody></mujoco>").into_bytes()
    };
    for geom in ["", "<geom size='1' contype='0' conaffinity='0'/>"] {
        let said = Loader::<f64>::new().mjcf_bytes(&model(geom)).expect_err("refused");
        assert!(said.to_string().contains("no link has geometry that can collide"), "{said}");
        let loader = Loader::<f64>::new().allow_empty(true);
        assert!(loader.mjcf_bytes(&model(geom)).is_ok());
    }
    assert!(Loader::<f64>::new().mjcf_bytes(&model("<geom size='1' contype='0'/>")).is_ok());
}
