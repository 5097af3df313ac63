//! URDF. Source: the pages of the ROS wiki on the XML of robots, links and joints; the headers of
//! urdfdom; the additions of Gazebo, Bullet and Drake.

use super::table::{Rule, Vocabulary, rule};

/// The vocabulary of URDF files.
pub(in crate::load) const URDF: Vocabulary =
    Vocabulary { format: "URDF", rules: RULES, never_harmless: HIDDEN_ELEMENTS };

/// Elements that contain geometry or joints even inside a harmless one. Simulators store friction
/// in `<gazebo><collision>`, and transmissions refer to joints by name: neither counts. A
/// `<geometry>` does, and so does a `<joint>` with a type.
const HIDDEN_ELEMENTS: &[(&str, &str)] = &[("geometry", ""), ("joint", "type")];

const RULES: &[Rule] = &[
    rule(
        "robot",
        "name version-",
        "link joint material- gazebo- transmission- ros2_control- sensor- mujoco- drake-",
    ),
    rule(
        "link",
        "name type- id-",
        "collision visual inertial- contact- sensor- material- audio_source- gravity- kinematic- \
         surface- self_collide- self_filter- collision_checking- self_collision_checking-",
    ),
    rule(
        "collision",
        "name- id- group-",
        "origin geometry material- contact_coefficients- verbose-",
    ),
    rule("visual", "name- id-", "origin geometry material- meshscale-"),
    rule("origin", "xyz rpy quat_xyzw", ""),
    rule("geometry", "name-", "box cylinder sphere capsule mesh"),
    rule("box", "size", ""),
    rule("cylinder", "radius length", ""),
    rule("capsule", "radius length", ""),
    rule("sphere", "radius", ""),
    rule("mesh", "filename scale", "material-"),
    rule(
        "joint",
        "name type id- dont_collapse-",
        "origin parent child axis limit mimic dynamics- calibration- safety_controller- \
         hardwareInterface-",
    ),
    rule("parent", "link", ""),
    rule("child", "link", ""),
    rule("axis", "xyz", ""),
    rule(
        "limit",
        "lower upper effort- velocity- acceleration- jerk- damping- friction- current- \
         gear_velocity- command_effort-",
        "",
    ),
    rule("mimic", "joint multiplier offset", ""),
];
