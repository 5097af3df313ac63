//! Static worlds of every source - height fields, half-spaces, meshes, primitives, brushes - and
//! queries of bodies against them.

mod building;
mod builds;
mod real_levels;
mod sources;
