//! Triangles that several joints dominate: cut, or whole in every part.

use boxwood::Geometry;
use boxwood::load::{Loaded, Loader, SkinAssignment, Straddling};

use super::{bare, corners, skinned};
use support::folder::Folder;
use support::small_gltf::{BYTE, Small};

fn cut(small: &Small) -> Loaded<f32> {
    let path = Folder::new();
    let path = path.write("cut.glb", small.glb());
    bare().straddling(Straddling::Cut).gltf(path).expect("good")
}

fn area(corners: &[[f32; 3]]) -> f64 {
    let double = |of: &[[f32; 3]]| {
        let [[ax, ay, _], [bx, by, _], [cx, cy, _]] =
            [of[0], of[1], of[2]].map(|p| p.map(f64::from));
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    };
    corners.chunks_exact(3).map(double).sum::<f64>() / 2.0
}

#[test]
fn a_triangle_of_two_joints_is_cut_where_their_weights_are_equal() {
    let loaded = cut(&skinned());
    let [low, high] = ["low", "high"].map(|joint| corners(&loaded, joint));
    // Equal halfway from the second corner to the third, and on the edge from the first to the
    // third where 1 - 155/255 t = 155/255 t.
    let up = 255.0 / 310.0;
    let ends = [[0.0, 1.0 - 2.0, 0.0], [0.5, 0.5 - 2.0, 0.0], [0.0, up - 2.0, 0.0]];
    assert_eq!(high.len(), 3);
    for end in ends {
        let near = |p: &[f32; 3]| (0..3).all(|i| (p[i] - end[i]).abs() < 1e-6);
        assert_eq!(high.iter().filter(|p| near(p)).count(), 1, "{end:?}: {high:?}");
    }
    assert!((area(&low) + area(&high) - 0.5).abs() < 1e-6);
    assert!((area(&high) - 0.25 * f64::from(1.0 - up)).abs() < 1e-6);
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
}

#[test]
fn three_joints_split_a_triangle_into_thirds() {
    let mut small = skinned();
    let joints = small.accessor(BYTE, "VEC4", 3, &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0], "");
    let weights = small.floats("VEC4", 4, &[1.0, 0.0, 0.0, 0.0].repeat(3));
    small.meshes = small.meshes.replace(r#""WEIGHTS_0":2"#, &format!(r#""WEIGHTS_0":{weights}"#));
    small.meshes = small.meshes.replace(r#""JOINTS_0":1"#, &format!(r#""JOINTS_0":{joints}"#));
    small.nodes += r#",{"name":"third"}"#;
    small.roots += ",3";
    small.skins = r#"{"joints":[3,1,2]}"#.to_owned(); // not in the order of the scene
    let loaded = cut(&small);
    for joint in ["third", "low", "high"] {
        let area = area(&corners(&loaded, joint));
        assert!((area - 0.5 / 3.0).abs() < 1e-6, "{joint}: {area}");
    }
}

#[test]
fn a_tie_over_a_whole_triangle_makes_no_cut() {
    let mut small = skinned();
    let weights = small.floats("VEC4", 4, &[0.5, 0.5, 0.0, 0.0].repeat(3));
    let joints = small.accessor(BYTE, "VEC4", 3, &[1, 0, 0, 0].repeat(3), "");
    small.meshes = small.meshes.replace(r#""WEIGHTS_0":2"#, &format!(r#""WEIGHTS_0":{weights}"#));
    small.meshes = small.meshes.replace(r#""JOINTS_0":1"#, &format!(r#""JOINTS_0":{joints}"#));
    let loaded = cut(&small);
    assert_eq!((corners(&loaded, "low").len(), corners(&loaded, "high").len()), (3, 0));
}

#[test]
fn triangles_above_a_fraction_stay_whole() {
    let folder = Folder::new();
    let path = folder.write("small.glb", skinned().glb());
    let fingerprint = |straddling, assign| {
        let loader = bare().straddling(straddling).assign(assign);
        loader.gltf(&path).expect("good").model.fingerprint()
    };
    let above = SkinAssignment::Above(0.1);
    assert_eq!(fingerprint(Straddling::Cut, above), fingerprint(Straddling::Both, above));
    let dominating = SkinAssignment::Dominating;
    assert_ne!(fingerprint(Straddling::Cut, dominating), fingerprint(Straddling::Both, dominating));
}

#[test]
fn a_kept_skin_includes_triangles_of_meshes_without_skin() {
    let folder = Folder::new();
    let mut small = skinned();
    small.nodes += r#",{"mesh":0,"name":"sword"}"#;
    small.roots += ",3";
    let path = folder.write("small.glb", small.glb());
    let loaded = bare().keep_skin(true).gltf(path).expect("good");
    let skin = loaded.skin.expect("asked for");
    assert_eq!((skin.len(), skin.triangles()), (6, &[[0, 1, 2], [3, 4, 5]][..]));
}

/// Builds a tube from Y 0 to 4 with sides of 1 by 1: its lower end follows the joint `low`, its
/// upper one by the given weight the joint `high` at Y 2.
fn tube(upper_weight: f32, closed_below: bool) -> Small {
    tube_of(upper_weight, closed_below, false)
}

fn tube_of(upper_weight: f32, closed_below: bool, inside_out: bool) -> Small {
    let corner = |bits: usize| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { 1.0 } else { 0.0 });
    let mut quads = vec![[0, 4, 6, 2], [1, 3, 7, 5], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    if closed_below {
        quads.push([0, 1, 5, 4]);
    }
    if inside_out {
        quads.iter_mut().for_each(|quad| quad.reverse());
    }
    let triangles = quads.iter().flat_map(|q| [q[0], q[1], q[2], q[0], q[2], q[3]]);
    let vertices: Vec<[f32; 3]> = triangles.map(corner).collect();
    let positions: Vec<f32> =
        vertices.iter().flat_map(|[x, y, z]| [x - 0.5, 4.0 * y, z - 0.5]).collect();
    let weights: Vec<f32> = vertices
        .iter()
        .flat_map(|[_, y, _]| [1.0 - upper_weight * y, upper_weight * y, 0.0, 0.0])
        .collect();
    let mut small = skinned();
    let joints = [0, 1, 0, 0].repeat(vertices.len());
    let joints = small.accessor(BYTE, "VEC4", vertices.len(), &joints, "");
    let (positions, weights) =
        (small.floats("VEC3", 3, &positions), small.floats("VEC4", 4, &weights));
    small.meshes = format!(
        r#"{{"primitives":[{{"attributes":{{"POSITION":{positions},"JOINTS_0":{joints},"WEIGHTS_0":{weights}}}}}]}}"#
    );
    small
}

/// Returns the Y of the vertices of a closed part near the axis of the tube, in the joint's frame.
fn on_axis(loaded: &Loaded<f32>, joint: &str) -> Vec<f32> {
    let part = loaded.model.part(joint).expect("a joint of that name");
    let tree = loaded.model.parts()[part.index()].tree().expect("geometry");
    let Geometry::Solid(mesh) = tree.geometry() else { panic!("{joint} is no solid") };
    assert!(mesh.open_edges().is_empty(), "{joint}");
    let on_axis = mesh.vertices().iter().filter(|v| v.x.abs() < 0.3 && v.z.abs() < 0.3);
    on_axis.map(|v| v.y).collect()
}

fn capped(small: &Small) -> Loaded<f32> {
    let folder = Folder::new();
    Loader::new().gltf(folder.write("tube.glb", small.glb())).expect("good")
}

/// The height of a raised cap: its rim has four vertices at the corners of the square, and four at
/// the middles of its sides.
const RAISED: f32 = 0.85 * (std::f32::consts::SQRT_2 / 2.0 + 0.5) / 2.0;

fn assert_near(found: &[f32], expected: &[f32]) {
    let near = |(a, b): (&f32, &f32)| (a - b).abs() < 0.03;
    let same = found.len() == expected.len() && found.iter().zip(expected).all(near);
    assert!(same, "{found:?}, not {expected:?}");
}

#[test]
fn caps_over_a_cut_are_raised_into_the_other_part() {
    let loaded = capped(&tube(1.0, true));
    assert_near(&on_axis(&loaded, "low"), &[2.0 + RAISED]);
    assert_near(&on_axis(&loaded, "high"), &[-RAISED]);
}

#[test]
fn caps_of_an_inside_out_skin_are_raised_too() {
    let loaded = capped(&tube_of(1.0, true, true));
    assert_near(&on_axis(&loaded, "low"), &[2.0 + RAISED]);
    assert_near(&on_axis(&loaded, "high"), &[-RAISED]);
}

#[test]
fn raised_caps_stay_inside_the_skin() {
    // Cuts near the upper end pass the diagonals of the sides near their ends.
    let radius = |share: f32| {
        let diagonal = (0.25 + (share - 0.5) * (share - 0.5)).sqrt();
        (0.5_f32.sqrt() + diagonal) / 2.0
    };
    // Below the end by 0.04: too near for every height. By 0.16: near enough for 0.2 of the radius.
    for (weight, height) in [(0.505, 0.0), (0.521, 0.2)] {
        let (loaded, share) = (capped(&tube(weight, true)), 0.5 / weight);
        assert_near(&on_axis(&loaded, "low"), &[4.0 * share + height * radius(share)]);
        assert_near(&on_axis(&loaded, "high"), &[4.0 * share - 2.0 - 0.85 * radius(share)]);
    }
}

#[test]
fn caps_over_holes_of_the_file_are_flat() {
    let loaded = capped(&tube(1.0, false));
    assert_near(&on_axis(&loaded, "low"), &[0.0, 2.0 + RAISED]);
    // Whole triangles have no cuts: every cap is flat.
    let folder = Folder::new();
    let loader = Loader::new().straddling(Straddling::Both);
    let whole = loader.gltf(folder.write("tube.glb", tube(1.0, true).glb())).expect("good");
    assert_near(&on_axis(&whole, "low"), &[4.0]);
    assert_near(&on_axis(&whole, "high"), &[-2.0]);
}
