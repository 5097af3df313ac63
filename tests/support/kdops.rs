//! Expensive generic functions of k-DOPs, compiled where they are optimized.

use boxwood::shape::{Dop14, Dop18, SpaceDop8};

compiled_here! {
    ;
    SpaceDop8: closest_point, support, volume;
    Dop14: closest_point, support, volume;
    Dop18: closest_point, support, volume
}
