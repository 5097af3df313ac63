//! Mechanisms: poses of links, and derivatives of their points; actuators by name, and values within their limits.

mod jacobian;
mod kinematics;
mod values;
