//! Robots: edges between configurations, the matrix of pairs that touch never, bodies attached to
//! links, and the verdicts of the web page.

mod attached;
mod edges;
mod matrix;
mod page_verdicts;
