//! Body rings of each bone, in centimetres, for a person of 1.75 m.
//!
//! A row is a ring: distance from the joint, then extent to the outside, inside, front and back.
//!
//! Breadths and girths are those of an athletic adult, estimated by eye. Neighbours overlap at the
//! joints, so that no gap opens when they bend.

use super::loft::{Along, Bump, Loft, Ring};
use crate::fighter::skeleton as joint;

const ROUND: f64 = 2.0;
const BOXY: f64 = 2.5;

static HIPS: Loft = trunk(
    [2.0, 4.0],
    &[
        [-7.5, 6.5, 6.5, 6.5, 8.0],
        [-4.5, 13.0, 13.0, 8.6, 10.6],
        [0.0, 16.2, 16.2, 9.6, 11.6],
        [5.0, 15.6, 15.6, 10.0, 11.0],
        [10.0, 14.4, 14.4, 9.8, 9.2],
    ],
);
static SPINE: Loft = trunk(
    [4.0, 4.0],
    &[
        [-3.0, 14.2, 14.2, 9.7, 9.0],
        [3.0, 13.5, 13.5, 9.5, 8.6],
        [9.0, 13.6, 13.6, 9.8, 8.8],
        [15.0, 14.4, 14.4, 10.4, 9.6],
    ],
);
static CHEST: Loft = trunk(
    [4.0, 2.0],
    &[
        [-2.0, 14.0, 14.0, 10.0, 9.4],
        [5.0, 15.6, 15.6, 11.4, 10.8],
        [11.0, 17.0, 17.0, 12.2, 11.6],
        [16.0, 17.8, 17.8, 11.8, 11.8],
        [20.0, 17.2, 17.2, 10.4, 11.4],
        [23.5, 13.4, 13.4, 8.0, 9.8],
        [26.5, 8.4, 8.4, 6.0, 7.8],
    ],
);
static NECK: Loft = trunk(
    [3.0, 3.0],
    &[
        [-3.0, 6.8, 6.8, 5.2, 7.0],
        [1.0, 6.4, 6.4, 5.2, 6.6],
        [5.0, 6.0, 6.0, 5.4, 6.2],
        [10.0, 5.9, 5.9, 6.2, 6.2],
    ],
);
static HEAD: Loft = Loft {
    power: ROUND,
    bumps: &[
        Bump { at: [0.0, 8.4, 10.6], radius: 2.8, pull: [0.0, -0.4, 2.4] }, // nose
        Bump { at: [7.4, 9.6, -0.5], radius: 3.0, pull: [1.3, 0.0, -0.5] }, // ears
        Bump { at: [-7.4, 9.6, -0.5], radius: 3.0, pull: [-1.3, 0.0, -0.5] },
    ],
    ..trunk(
        [0.5, 1.75],
        &[
            [0.5, 2.6, 2.6, 9.4, -4.2],
            [2.5, 4.6, 4.6, 10.1, 1.5],
            [5.0, 6.0, 6.0, 10.3, 6.6],
            [8.4, 7.0, 7.0, 10.4, 8.8],
            [12.0, 7.6, 7.6, 10.4, 9.7],
            [15.5, 7.7, 7.7, 10.1, 9.8],
            [18.5, 7.0, 7.0, 8.6, 8.8],
            [21.0, 4.9, 4.9, 5.6, 6.2],
        ],
    )
};
static CLAVICLE: Loft = Loft {
    along: Along::Out,
    ..limb(
        [2.0, 3.0],
        &[
            [1.0, 7.2, 5.0, 3.4, 6.4],
            [5.5, 5.6, 8.0, 5.2, 7.2],
            [12.0, 3.9, 9.5, 5.7, 6.8],
            [17.5, 3.2, 8.5, 5.5, 5.8],
        ],
    )
};
static UPPER_ARM: Loft = limb(
    [3.4, 3.0],
    &[
        [0.0, 4.0, 5.2, 5.2, 5.4],
        [5.0, 5.0, 5.2, 5.7, 5.7],
        [13.0, 4.8, 4.6, 5.5, 5.2],
        [21.0, 4.4, 4.3, 5.1, 4.8],
        [28.0, 4.0, 4.1, 4.2, 4.2],
        [32.5, 3.9, 4.1, 3.9, 4.0],
    ],
);
static FOREARM: Loft = limb(
    [3.0, 2.0],
    &[
        [0.0, 3.9, 4.1, 3.9, 3.9],
        [5.0, 4.4, 4.3, 4.6, 4.4],
        [9.0, 4.3, 4.2, 4.6, 4.2],
        [16.0, 3.5, 3.3, 3.8, 3.6],
        [22.0, 2.6, 2.5, 3.2, 3.0],
        [25.5, 2.4, 2.4, 3.0, 2.9],
    ],
);
/// A fist: the fingers are curled towards the body, the thumb is in front.
static HAND: Loft = Loft {
    power: BOXY,
    bumps: &[Bump { at: [-3.6, 6.0, 3.6], radius: 3.2, pull: [-0.6, 0.0, 1.2] }],
    ..limb(
        [1.5, 1.2],
        &[
            [-1.0, 2.3, 2.3, 2.9, 2.8],
            [2.0, 2.4, 2.6, 3.5, 3.4],
            [5.0, 2.3, 3.6, 4.3, 4.1],
            [8.2, 2.0, 4.2, 4.3, 4.1],
        ],
    )
};
static THIGH: Loft = limb(
    [4.0, 3.5],
    &[
        [-5.0, 6.0, 5.0, 6.5, 7.5],
        [1.0, 8.6, 7.0, 8.4, 9.4],
        [8.0, 8.6, 7.6, 8.6, 8.6],
        [18.0, 7.8, 7.2, 8.2, 7.4],
        [30.0, 6.2, 6.2, 6.6, 6.2],
        [38.0, 5.4, 5.6, 5.9, 5.4],
        [43.0, 5.0, 5.2, 5.6, 4.8],
    ],
);
static SHIN: Loft = limb(
    [4.0, 3.0],
    &[
        [0.0, 4.8, 5.0, 5.2, 4.8],
        [5.0, 4.9, 4.8, 5.0, 5.6],
        [12.0, 5.3, 5.0, 4.4, 7.0],
        [18.0, 4.9, 4.6, 4.1, 6.5],
        [28.0, 3.8, 3.7, 3.8, 4.3],
        [36.0, 3.3, 3.2, 3.4, 3.5],
        [43.0, 3.4, 3.4, 3.4, 3.8],
    ],
);
static FOOT: Loft = Loft {
    along: Along::Forward,
    power: BOXY,
    ..limb(
        [1.3, 1.5],
        &[
            [-4.475, 2.8, 2.6, -1.5, 8.2],
            [-1.0, 3.5, 3.2, 2.2, 8.2],
            [3.0, 3.6, 3.3, 1.8, 8.2],
            [7.0, 4.0, 3.5, -0.6, 8.2],
            [11.0, 4.7, 4.0, -2.4, 8.2],
            [13.5, 4.9, 4.1, -3.2, 8.2],
        ],
    )
};
static TOES: Loft = Loft {
    along: Along::Forward,
    power: BOXY,
    ..limb(
        [1.2, 1.875],
        &[[-1.0, 4.7, 3.9, 1.5, 3.2], [2.5, 4.8, 4.0, 1.1, 3.2], [6.0, 3.4, 3.8, 0.6, 3.0]],
    )
};

const fn trunk(domes: [f64; 2], rings: &[Ring]) -> Loft<'_> {
    Loft { along: Along::Up, power: BOXY, rings, domes, bumps: &[] }
}

const fn limb(domes: [f64; 2], rings: &[Ring]) -> Loft<'_> {
    Loft { along: Along::Down, power: ROUND, rings, domes, bumps: &[] }
}

/// Returns the body of every joint; the right side mirrors the left.
pub fn padding() -> [&'static Loft<'static>; joint::COUNT] {
    let mut worn = [&HIPS; joint::COUNT];
    worn[joint::SPINE] = &SPINE;
    worn[joint::CHEST] = &CHEST;
    worn[joint::NECK] = &NECK;
    worn[joint::HEAD] = &HEAD;
    let pairs = [
        (joint::CLAVICLE, &CLAVICLE),
        (joint::UPPER_ARM, &UPPER_ARM),
        (joint::FOREARM, &FOREARM),
        (joint::HAND, &HAND),
        (joint::THIGH, &THIGH),
        (joint::SHIN, &SHIN),
        (joint::FOOT, &FOOT),
        (joint::TOES, &TOES),
    ];
    for (joints, loft) in pairs {
        joints.into_iter().for_each(|joint| worn[joint] = loft);
    }
    worn
}
