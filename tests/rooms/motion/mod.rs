//! Mechanisms: actuators by name, and values within their limits.

mod values;
