//! Refused arguments: errors name the argument and the index of its first fault, and a refused call
//! changes nothing.

mod empty_boxes;
mod messages;
mod scenes;
mod shapes;
mod trees;
