//! COLLADA. Source: Khronos, COLLADA 1.4.1 specification, chapter 5; the additions of 1.5 that
//! modelling programs write.

use super::table::{Rule, Vocabulary, rule};

/// The vocabulary of DAE files.
pub(in crate::load) const DAE: Vocabulary =
    Vocabulary { format: "DAE", rules: RULES, never_harmless: &[] };

const RULES: &[Rule] = &[
    rule(
        "COLLADA",
        "version- base- {*-",
        "asset scene library_geometries library_controllers library_visual_scenes library_nodes \
         library_*- extra-",
    ),
    rule(
        "asset",
        "",
        "unit up_axis contributor- created- modified- keywords- revision- subject- title- \
         coverage- extra-",
    ),
    rule("unit", "meter name-", ""),
    rule("up_axis", "", ""),
    rule(
        "scene",
        "",
        "instance_visual_scene instance_physics_scene- instance_kinematics_scene- extra-",
    ),
    rule("instance_visual_scene", "url sid- name-", "extra-"),
    rule("library_geometries", "id- name-", "geometry asset- extra-"),
    rule("geometry", "id name-", "mesh convex_mesh spline brep asset- extra-"),
    rule(
        "mesh",
        "",
        "source vertices triangles tristrips trifans polylist polygons lines linestrips extra-",
    ),
    rule(
        "convex_mesh",
        "convex_hull_of",
        "source vertices triangles tristrips trifans polylist polygons lines linestrips extra-",
    ),
    rule(
        "source",
        "id name-",
        "float_array technique_common asset- Name_array- IDREF_array- bool_array- int_array- \
         SIDREF_array- token_array- technique-",
    ),
    rule("float_array", "count id name- digits- magnitude-", ""),
    rule("technique_common", "", "accessor"),
    rule("accessor", "count source stride offset", "param-"),
    rule("vertices", "id name-", "input extra-"),
    rule("input", "semantic source offset set-", ""),
    rule("triangles", "count name- material-", "input p extra-"),
    rule("tristrips", "count name- material-", "input p extra-"),
    rule("trifans", "count name- material-", "input p extra-"),
    rule("polylist", "count name- material-", "input vcount p extra-"),
    rule("polygons", "count name- material-", "input p ph extra-"),
    rule("lines", "count name- material-", "input p extra-"),
    rule("linestrips", "count name- material-", "input p extra-"),
    rule("p", "", ""),
    rule("vcount", "", ""),
    rule("ph", "", "p h"),
    rule("h", "", ""),
    rule("library_controllers", "id- name-", "controller asset- extra-"),
    rule("controller", "id name-", "skin morph asset- extra-"),
    rule("skin", "source", "bind_shape_matrix source- joints- vertex_weights- extra-"),
    rule("morph", "source method-", "source- targets- extra-"),
    rule("bind_shape_matrix", "sid-", ""),
    rule("library_visual_scenes", "id- name-", "visual_scene asset- extra-"),
    rule("visual_scene", "id name-", "node asset- evaluate_scene- extra-"),
    rule("library_nodes", "id- name-", "node asset- extra-"),
    rule(
        "node",
        "id name- sid- type- layer-",
        "node instance_node instance_geometry instance_controller matrix translate rotate scale \
         lookat skew asset- instance_camera- instance_light- extra-",
    ),
    rule("instance_node", "url sid- name- proxy-", "extra-"),
    rule("instance_geometry", "url sid- name-", "bind_material- extra-"),
    rule("instance_controller", "url sid- name-", "skeleton- bind_material- extra-"),
    rule("matrix", "sid-", ""),
    rule("translate", "sid-", ""),
    rule("rotate", "sid-", ""),
    rule("scale", "sid-", ""),
    rule("lookat", "sid-", ""),
    rule("skew", "sid-", ""),
];
