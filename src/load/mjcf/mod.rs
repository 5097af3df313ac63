//! MJCF robots: nested bodies, each with shapes and joints of its own, in one or several files.
//!
//! `robot` has the steps: `files` and `element` read the XML with its includes, `model` the
//! settings, defaults and assets of each model, `scope` expands frames, copies and attached models,
//! and `bodies` makes a link of each body, with `joints` and `shapes`. `references`, `equality` and
//! `unread` handle the lists that refer to bodies and joints.
//!
//! Source: the MJCF page of the MuJoCo documentation (XML reference), and its kinematics: a body is
//! placed in its parent, then each of its joints in turn moves it about an anchor in its own frame.

mod attributes;
mod bodies;
mod compiler;
mod defaults;
mod element;
mod equality;
mod files;
mod fit;
mod groups;
mod hull;
mod joints;
mod mesh;
mod model;
mod msh;
mod orientation;
mod paired_geoms;
mod pairs;
mod references;
mod robot;
mod scope;
mod shapes;
mod unread;

pub(super) use robot::read_mjcf;

collect_tests!(fit, hull, msh);
