//! Two boxes that fly and turn.

use parry3d::math::{Pose, Vector};
use parry3d::query::details::intersection_test_cuboid_cuboid;
use parry3d::query::{NonlinearRigidMotion, cast_shapes_nonlinear};

use super::super::flights::{Flight, HALF};
use super::frames::Cuboid;

fn boxes() -> [Cuboid; 2] {
    HALF.map(|[x, y, z]| Cuboid::new(Vector::new(x, y, z)))
}

/// Returns the time of the first contact.
pub fn first_contact(flights: &[Flight; 2]) -> Option<f32> {
    let [a, b] = flights.map(|flight| {
        let [linear, angular] = [flight.linear, flight.angular].map(|v| Vector::new(v.x, v.y, v.z));
        NonlinearRigidMotion::new(flight.start.into(), Vector::ZERO, linear, angular)
    });
    let [first, second] = boxes();
    let found = cast_shapes_nonlinear(&a, &first, &b, &second, 0.0, 1.0, true);
    found.expect("boxes are supported").map(|hit| hit.time_of_impact)
}

/// Returns `true` if the two share a point at a time.
pub fn share_a_point(flights: &[Flight; 2], time: f32) -> bool {
    let [a, b]: [Pose; 2] = flights.map(|flight| flight.at(time).into());
    let [first, second] = boxes();
    intersection_test_cuboid_cuboid(&(a.inverse() * b), &first, &second)
}
