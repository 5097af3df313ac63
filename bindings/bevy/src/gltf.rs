//! Has Bevy's glTF loader write down which node of its file an entity is.

use bevy_app::{App, Plugin};
use bevy_asset::LoadContext;
use bevy_ecs::world::EntityWorldMut;
use bevy_gltf::extensions::{
    ErasedGltfExtensionHandler, GltfExtensionHandler, GltfExtensionHandlers,
};

use crate::JointNode;

/// Adds a [`JointNode`] to every entity that Bevy's glTF loader makes of a node. Add it before
/// files are loaded.
#[derive(Debug, Clone, Copy, Default)]
pub struct JointNodePlugin;

impl Plugin for JointNodePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<JointNode>();
        let handlers = app.world_mut().get_resource_or_init::<GltfExtensionHandlers>();
        // Loaders read it later: nobody holds it while plugins are added.
        match handlers.0.try_write() {
            Some(mut handlers) => handlers.push(Box::new(NodeHandler)),
            None => log::error!("JointNodePlugin was added while files are loaded"),
        }
    }
}

/// The loader's hook.
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
