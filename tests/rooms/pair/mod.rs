//! Every pair of shapes: overlap, closest points, contacts and rays against proofs, exact answers
//! and parry3d.

mod allocations;
mod box_contact;
mod box_distance;
mod boxes;
mod capsule_sweep;
mod closest_direction;
mod contact;
mod convex_and_flat;
mod convex_contacts;
mod convex_rays;
mod convex_touching;
mod frusta;
mod half_spaces;
mod kdops;
mod lattice;
mod pair_table;
mod parry;
mod polygons_and_frusta;
mod ray_ellipsoids;
mod ray_solids;
mod rays;
mod separating_axis;
mod separating_slabs;
mod sweep;
mod symmetry;
