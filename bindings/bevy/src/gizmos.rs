//! Debug lines: the boxes of parts, red where they touch, and points and normals of contacts.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::{Color, LinearRgba};
use bevy_ecs::prelude::{IntoScheduleConfigs, Res, Resource};
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::Vec3;
use boxwood::draw::{Lines, for_each_line};

use crate::{Boxwood, BoxwoodSystems};

/// Plugin that draws [`BoxLines`] with Bevy's gizmos, after [`BoxwoodSystems::Ask`], so that boxes
/// and skin are of one frame. It needs Bevy's `GizmoPlugin`, which is one of the default plugins.
#[derive(Debug, Clone, Copy, Default)]
pub struct BoxLinesPlugin;

/// Options of the debug lines: a resource.
///
/// ```
/// use bevy_boxwood::BoxLines;
/// use bevy_boxwood::boxwood::draw::Lines;
///
/// let lines = BoxLines { enabled: true, lines: Lines::default().depth(3) };
/// ```
#[derive(Resource, Debug, Clone, Copy)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Resource, Debug, Clone, Default))]
pub struct BoxLines {
    /// `true` to draw.
    pub enabled: bool,
    /// Kinds of lines, depth of the trees, and colours.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub lines: Lines,
}

#[cfg(feature = "reflect")]
use bevy_ecs::reflect::ReflectResource;
#[cfg(feature = "reflect")]
use bevy_reflect::std_traits::ReflectDefault;

impl Default for BoxLines {
    fn default() -> Self {
        BoxLines { enabled: true, lines: Lines::default() }
    }
}

impl Plugin for BoxLinesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<BoxLines>().add_systems(PostUpdate, draw.after(BoxwoodSystems::Ask));
    }
}

fn draw(boxwood: Res<Boxwood>, wanted: Res<BoxLines>, mut gizmos: Gizmos) {
    if !wanted.enabled {
        return;
    }
    for_each_line(&boxwood.snapshot(), boxwood.hits(), &wanted.lines, |from, to, color| {
        let [red, green, blue, alpha] = color;
        let color = Color::from(LinearRgba::new(red, green, blue, alpha));
        gizmos.line(Vec3::from_array(from), Vec3::from_array(to), color);
    });
}
