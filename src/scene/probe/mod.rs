//! Rays and regions put to a snapshot: who is hit, who is in there.

mod aim;
mod alone;
mod ask;
mod ball;
mod delve;
mod dip;
mod early;
mod edged;
mod half;
mod line;
mod local;
#[cfg(test)]
mod margins;
mod outer;
mod pierce;
mod queue;
mod region;
mod scan;
mod seek;
mod shoot;
mod strike;
mod struck;
mod targets;
mod walk;

pub use region::Region;
pub use strike::{Beam, Strike};
pub use struck::{Answers, Inside, Struck};
pub use targets::{Targets, Wanted};
