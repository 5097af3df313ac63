//! Segment lengths of an adult.
//!
//! Drillis and Contini, *Body Segment Parameters* (1966), as drawn in Winter, *Biomechanics and
//! Motor Control of Human Movement*, figure 4.1: lengths and heights as shares of the body height.

/// Height of the figure standing upright, in metres.
pub const STATURE: f64 = 1.75;

/// Floor to ankle.
pub const FOOT_HEIGHT: f64 = 0.039;
/// Heel to toe tip.
pub const FOOT_LENGTH: f64 = 0.152;
/// Ankle to knee.
pub const SHANK: f64 = 0.246;
/// Knee to hip.
pub const THIGH: f64 = 0.245;
/// Hip to shoulder height.
pub const TRUNK: f64 = 0.288;
/// Shoulder height to chin.
pub const NECK: f64 = 0.052;
/// Chin to crown.
pub const HEAD: f64 = 0.130;
/// Mid-line to shoulder.
pub const HALF_SHOULDERS: f64 = 0.129;
/// Shoulder to elbow.
pub const UPPER_ARM: f64 = 0.186;
/// Elbow to wrist.
pub const FOREARM: f64 = 0.146;
/// Across the hips, from outside to outside.
pub const HIP_WIDTH: f64 = 0.191;

/// Mid-line to the centre of a hip joint: about halfway to the outside. Ours, not the table's.
pub const HALF_HIPS: f64 = HIP_WIDTH / 4.0;
/// Mid-line to the inner end of a collar bone. Ours.
pub const COLLAR: f64 = 0.012;
/// Ankle to heel, backwards. Ours.
pub const HEEL: f64 = 0.033;
/// Ankle to the ball of the foot, where the toes bend, forwards. Ours.
pub const BALL: f64 = 0.074;
/// Height of the joint where the toes bend. Ours.
pub const BALL_HEIGHT: f64 = 0.011;

/// A share of the body height, in metres.
pub const fn metres(share: f64) -> f64 {
    share * STATURE
}

/// Centimetres measured on a person of 1.75 m, in metres of this figure.
pub const fn centimetres(length: f64) -> f64 {
    length / 175.0 * STATURE
}
