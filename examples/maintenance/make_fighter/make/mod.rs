//! The fighter's file: bodies around the bones, one skin over them, and the clips, as glTF 2.0.
//!
//! Every run writes the same bytes. Numbers are rounded to steps that are far coarser than the last
//! bits in which the sines and powers of platforms differ.
#![allow(dead_code)] // the generator and a test share this

mod body_field;
mod body_rings;
mod glb;
mod loft;
mod skin;
mod surface_nets;
mod weights;

use std::sync::Arc;

use crate::fighter::{clips, skeleton};

pub fn file() -> Vec<u8> {
    let skeleton = Arc::new(skeleton::skeleton());
    glb::glb(&skeleton, &skin::skin(), &clips::clips(&skeleton))
}
