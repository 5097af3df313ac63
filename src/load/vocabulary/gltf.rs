//! glTF. Source: Khronos, glTF 2.0 specification, section 5, and the registry of its extensions.

use super::table::{Rule, Vocabulary, rule};

/// The vocabulary of glTF files.
pub(in crate::load) const GLTF: Vocabulary =
    Vocabulary { format: "glTF", rules: RULES, never_harmless: &[] };

const RULES: &[Rule] = &[
    rule(
        "file",
        "",
        "asset scene scenes nodes meshes skins animations accessors buffers bufferViews \
         extensionsRequired extensionsUsed- materials- textures- images- samplers- cameras- \
         extensions extras-",
    ),
    rule("asset", "", "version minVersion generator- copyright- extensions- extras-"),
    rule("scenes", "", "nodes name- extensions extras-"),
    rule(
        "nodes",
        "",
        "name children mesh skin matrix translation rotation scale weights camera- extensions \
         extras-",
    ),
    rule("meshes", "", "name primitives weights extensions extras-"),
    rule("primitives", "", "attributes indices mode targets material- extensions extras-"),
    rule("attributes", "", "POSITION JOINTS_* WEIGHTS_* NORMAL- TANGENT- TEXCOORD_*- COLOR_*- _*-"),
    rule("targets", "", "POSITION NORMAL- TANGENT- TEXCOORD_*- COLOR_*- _*-"),
    rule("skins", "", "joints inverseBindMatrices name- skeleton- extensions extras-"),
    rule("animations", "", "name channels samplers=animation_samplers extensions extras-"),
    rule("channels", "", "sampler target extensions extras-"),
    rule("target", "", "node path extensions extras-"),
    rule("animation_samplers", "", "input output interpolation extensions extras-"),
    rule(
        "accessors",
        "",
        "bufferView byteOffset componentType normalized count type sparse min- max- name- \
         extensions extras-",
    ),
    rule("sparse", "", "count indices=sparse_indices values=sparse_values extensions extras-"),
    rule("sparse_indices", "", "bufferView byteOffset componentType extensions extras-"),
    rule("sparse_values", "", "bufferView byteOffset extensions extras-"),
    rule("buffers", "", "uri byteLength name- extensions extras-"),
    rule(
        "bufferViews",
        "",
        "buffer byteOffset byteLength byteStride target- name- extensions extras-",
    ),
    // Extensions that the reader uses, warns of or rejects by name, then those that change neither
    // geometry nor motion: these load even if they are required.
    rule(
        "extensions",
        "",
        "KHR_mesh_quantization KHR_draco_mesh_compression EXT_meshopt_compression \
         KHR_meshopt_compression EXT_mesh_gpu_instancing KHR_node_visibility KHR_animation_pointer \
         KHR_materials_*- KHR_texture_*- EXT_texture_*- MSFT_texture_*- KHR_lights_*- \
         EXT_lights_*- KHR_environment_map*- KHR_techniques_webgl- KHR_audio*- \
         MSFT_audio_emitter- OMI_audio_*- KHR_xmp*- KHR_interactivity- KHR_node_hoverability- \
         KHR_node_selectability- ADOBE_materials_*- FB_materials_*- FB_ngon_encoding- \
         MSFT_packing_*- MSFT_lod- EXT_structural_metadata- EXT_mesh_features- \
         EXT_instance_features- AGI_stk_metadata- GOOGLE_*- VRM*- UNITY_*-",
    ),
];
