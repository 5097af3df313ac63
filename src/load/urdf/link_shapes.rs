//! The choice between collision and visual shapes of a URDF link.

/// The elements of a link that are its geometry.
///
/// ```
/// use boxwood::{Loader, load::LinkShapes};
///
/// let text = r#"<robot name="box"><link name="base"><visual><geometry>
///     <box size="1 1 1"/></geometry></visual></link></robot>"#;
/// let loader = Loader::new();
/// assert!(loader.urdf_bytes(text.as_bytes()).is_err()); // no link could collide
/// let loader = loader.link_shapes(LinkShapes::CollisionOrVisual);
/// assert!(loader.urdf_bytes(text.as_bytes())?.model.parts()[0].tree().is_some());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LinkShapes {
    /// `<collision>`; links without it are empty, and a warning names those with a `<visual>`.
    #[default]
    Collision,
    /// `<collision>`, or `<visual>` for links without.
    CollisionOrVisual,
    /// `<visual>`.
    Visual,
}
