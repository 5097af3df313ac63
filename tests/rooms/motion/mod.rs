//! Mechanisms: poses of links; actuators by name, and values within their limits.

mod kinematics;
mod values;
