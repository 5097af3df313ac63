//! Robots: edges between configurations, the matrix of pairs that touch never, and the verdicts of the
//! web page.

mod edges;
mod matrix;
mod page_verdicts;
