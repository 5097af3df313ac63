//! Models: coverage of a bending skin by rigid parts.

mod coverage;
