//! Node indices of entities, recorded by Bevy's glTF loader.

use bevy_app::{App, Plugin};
use bevy_asset::LoadContext;
use bevy_ecs::world::EntityWorldMut;
use bevy_gltf::extensions::{
    ErasedGltfExtensionHandler, GltfExtensionHandler, GltfExtensionHandlers,
};

use crate::JointNode;

/// Plugin that adds a [`JointNode`] to every entity that Bevy's glTF loader creates for a node. Add
/// it before files are loaded.
#[derive(Debug, Clone, Copy, Default)]
pub struct JointNodePlugin;

impl Plugin for JointNodePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<JointNode>();
        let handlers = app.world_mut().get_resource_or_init::<GltfExtensionHandlers>();
        // The lock is free: loaders use it only after all plugins are added.
        match handlers.0.try_write() {
            Some(mut handlers) => handlers.push(Box::new(NodeHandler)),
            None => log::error!("JointNodePlugin was added while files are loaded"),
        }
    }
}

/// Hook of the loader.
#[derive(Clone)]
struct NodeHandler;

impl GltfExtensionHandler for NodeHandler {
    fn dyn_clone(&self) -> Box<dyn ErasedGltfExtensionHandler> {
        Box::new(self.clone())
    }

    fn on_gltf_node(
        &mut self,
        _: &mut LoadContext<'_>,
        node: &::gltf::Node<'_>,
        entity: &mut EntityWorldMut<'_>,
    ) {
        entity.insert(JointNode(node.index()));
    }
}
