//! Robots: edges between configurations, and the matrix of pairs that touch never.

mod edges;
mod matrix;
