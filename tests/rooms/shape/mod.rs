//! Shapes: queries of one shape, alone and against a plane, against parry3d, brute force and
//! integer arithmetic.

mod capsule_around;
mod convex_hulls;
mod dop_solids;
mod dops;
mod fitted_boxes;
mod lattice;
mod parry;
mod plain_models;
mod plane_clipping;
mod plane_sweeps;
mod planes;
mod point_positions;
mod points;
mod polygons;
mod pose_conversions;
mod regime_counts;
mod shape_conversions;
mod smallest_ball;
mod subdivision;
mod upright_cylinders;
