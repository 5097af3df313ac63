//! The proof of rays and regions: every node of the cuts by itself, every triangle by another library, and what may not change an answer.

mod alone;
mod crowds;
mod elsewhere;
mod every_level;
mod frusta;
mod half_spaces;
mod many;
mod parry;
mod placed;
mod rays;
mod regimes;
mod regions;
mod rules;
mod stage;
