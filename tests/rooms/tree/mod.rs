//! Trees: traversal against brute force over all pairs of nodes, against independent arithmetic,
//! and against the triangles themselves.

mod accuracy;
mod argument_order;
mod build_options;
mod complete;
mod convex_pairs;
mod convex_parts;
mod distance;
mod equal_centroids;
mod folded_pairs;
mod hull_bounds;
mod hulls;
mod intersection_curve;
mod invariants;
mod node_excess;
mod pair_slack;
mod passage;
mod random_parts;
mod real_parts;
mod scaled;
mod separation;
mod shape_cast;
mod slivers;
mod solids;
mod touching_exactly;
