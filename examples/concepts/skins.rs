//! A bent skin, and the area of its rigid parts outside it: of parts with whole triangles, and with
//! cut ones.

use boxwood::load::{Loaded, Straddling};
use boxwood::model::{OutsideArea, parts_outside_skin};
use boxwood::motion::{Joints, SkinWeight};
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{Aabb, Build, Error, Loader};

use crate::canvas::{Canvas, Page, upright_camera};
use crate::fighter;

const PANEL: f32 = 480.0;
/// Number of tested moments of a clip.
const MOMENTS: u8 = 5;
/// Distance from which a part counts as outside the skin, as a share of the size.
const NEAR: f64 = 0.01;

/// Draws the skin of a file, or of the fighter.
pub fn page(file: Option<&str>) -> Result<Page, Error> {
    let [whole, cut] = [Straddling::Both, Straddling::Cut].map(|straddling| {
        let loader = Loader::new().straddling(straddling).keep_skin(true).build(Build::fast());
        match file {
            Some(file) => loader.gltf(file),
            None => loader.gltf_bytes(fighter::FILE),
        }
    });
    let (whole, cut) = (whole?, cut?);
    let size = diagonal(&bounds(&skin(&whole, &at_rest(&whole)?)));
    let (clip, share) = worst_moment(&whole, size)?;
    let mut canvas = Canvas::new(2 * PANEL as u32, 440);
    let mut numbers = Vec::new();
    for (panel, (name, loaded)) in [("whole triangles", whole), ("cut", cut)].iter().enumerate() {
        let joints = sample(loaded, clip, share)?;
        let skin = skin(loaded, &joints);
        let x = panel as f32 * PANEL;
        let room = [x + 20.0, 60.0, PANEL - 40.0, 340.0];
        let view = upright_camera(Vector3::new(-0.8, -0.15, -0.6), &bounds(&skin), room);
        for (part, pose) in loaded.model.parts().iter().zip(joints.poses()) {
            if let Some(mesh) = part.tree().and_then(|tree| tree.geometry().mesh()) {
                let corners = |index| mesh.corners(index).map(|corner| pose * corner);
                canvas.outline(&view, (0..mesh.triangles().len()).map(corners), "out");
            }
        }
        canvas.outline(&view, skin.iter().copied(), "shadow");
        let found = outside(loaded, &joints, NEAR * size)?;
        let told = format!(
            "outside by over 1 % of the size: {:.1} % of the area, at most {:.1} %",
            100.0 * found.share(),
            100.0 * found.farthest / size
        );
        if panel == 0 {
            canvas.scale_bar(&view, [x + 20.0, 424.0], 0.2);
            let legend = "grey: the skin; red: what of the rigid parts is outside it";
            canvas.text([x + 200.0, 429.0], "small", legend);
        }
        canvas.text([x + 20.0, 24.0], "bold", name);
        canvas.text([x + 20.0, 44.0], "small", &told);
        numbers.push(format!("{name}: {told}"));
    }
    Ok(Page { name: "skin", numbers, picture: canvas.finish() })
}

/// Returns the clip, and the share of its duration, at which parts extend farthest out of the skin.
fn worst_moment(loaded: &Loaded<f32>, size: f64) -> Result<(usize, f32), Error> {
    let mut worst = ((0, 0.0), -1.0);
    for clip in 0..loaded.clips.len() {
        for moment in 0..MOMENTS {
            let share = f32::from(moment) / f32::from(MOMENTS - 1);
            let found = outside(loaded, &sample(loaded, clip, share)?, NEAR * size)?.farthest;
            if found > worst.1 {
                worst = ((clip, share), found);
            }
        }
    }
    Ok(worst.0)
}

/// Returns the pose of a clip at a share of its duration; the rest pose if there are no clips.
fn sample(loaded: &Loaded<f32>, clip: usize, share: f32) -> Result<Joints<f32>, Error> {
    let Some(clip) = loaded.clips.iter().nth(clip) else { return at_rest(loaded) };
    let mut joints = Joints::new();
    clip.sample(share * clip.duration(), &mut joints)?;
    Ok(joints)
}

fn at_rest(loaded: &Loaded<f32>) -> Result<Joints<f32>, Error> {
    let rest: Vec<_> = loaded.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let mut joints = Joints::new();
    loaded.skeleton.poses(&rest, &mut joints)?;
    Ok(joints)
}

fn outside(loaded: &Loaded<f32>, joints: &Joints<f32>, near: f64) -> Result<OutsideArea, Error> {
    let skin = loaded.skin.as_ref().ok_or(Error::Empty { field: "skin" })?;
    let mut all = OutsideArea::default();
    parts_outside_skin(&loaded.model, skin, joints, near)?.iter().for_each(|part| all.merge(part));
    Ok(all)
}

/// Returns the triangles of the skin in a pose: each vertex is the weighted mean of its positions
/// by joint.
fn skin(loaded: &Loaded<f32>, joints: &Joints<f32>) -> Vec<[Point3<f32>; 3]> {
    let Some(skin) = &loaded.skin else { return Vec::new() };
    let moved = |weight: &SkinWeight<f32>| {
        let origin = joints.poses()[weight.joint].translation.vector;
        (joints.linear()[weight.joint] * weight.at.coords + origin) * weight.share
    };
    let blended =
        skin.corners().map(|vertex| Point3::from(vertex.iter().map(moved).sum::<Vector3<_>>()));
    let vertices: Vec<_> = blended.collect();
    skin.triangles().iter().map(|corners| corners.map(|v| vertices[v as usize])).collect()
}

fn bounds(triangles: &[[Point3<f32>; 3]]) -> Aabb {
    Aabb::from_points(triangles.iter().flatten().copied())
}

fn diagonal(of: &Aabb) -> f64 {
    f64::from(of.sizes().norm())
}
