//! SRDF. Source: the page of the ROS wiki on SRDF, and the headers of srdfdom.

use super::table::{Rule, Vocabulary, rule};

/// The vocabulary of SRDF files.
pub(in crate::load) const SRDF: Vocabulary =
    Vocabulary { format: "SRDF", rules: RULES, never_harmless: &[] };

const RULES: &[Rule] = &[
    rule(
        "robot",
        "name- version-",
        "disable_collisions enable_collisions disable_default_collisions group- group_state- \
         end_effector- virtual_joint- passive_joint- joint_property- joint- link_sphere_approximation- \
         specificities- gripper- handle- reference_posture- rotor_params- lower_limits- upper_limits-",
    ),
    rule("disable_collisions", "link1 link2 reason-", ""),
    rule("enable_collisions", "link1 link2 reason-", ""),
    rule("disable_default_collisions", "link reason-", ""),
];
