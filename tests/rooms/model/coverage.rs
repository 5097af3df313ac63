//! Coverage of bending skins by rigid parts: against an independent skinning, and for every shared
//! character.

use std::path::{Path, PathBuf};

use boxwood::load::{Loaded, Loader, SkinAssignment, Straddling};
use boxwood::model::{Coverage, Frames, OutsideArea, coverage, parts_outside_skin};
use boxwood::motion::{Joints, Skin, SkinWeight};
use boxwood::{Build, Error};

use support::coverage::{by_brute_force, outside_skin, winding};
use support::data::data;
use support::prelude::*;
use support::skinning::Character;

pub(super) const CHARACTERS: [&str; 7] = [
    "rigged-simple/RiggedSimple.glb",
    "fox/Fox.glb",
    "cesium-man/CesiumMan.glb",
    "quaternius-snake/Snake.glb",
    "quaternius-spider/Spider.glb",
    "robot-expressive/robot.glb",
    "kaykit-knight/Knight.glb",
];

pub(super) fn path(data: &Path, file: &str) -> PathBuf {
    data.join("characters").join(file)
}

fn kept(path: &Path, assign: SkinAssignment) -> Loaded<f32> {
    let options = Loader::new().assign(assign).keep_skin(true).build(Build::fast());
    let options = options.straddling(Straddling::Both);
    options.gltf(path).expect("a character")
}

#[test]
fn coverage_equals_brute_force() {
    let Some(data) = data() else { return };
    for file in ["rigged-simple/RiggedSimple.glb", "fox/Fox.glb", "robot-expressive/robot.glb"] {
        let path = path(&data, file);
        let loaded = kept(&path, SkinAssignment::Dominating);
        let skin = loaded.skin.as_ref().expect("kept");
        let size = Character::read(&path).size();
        for depth in [0, 255] {
            let found = coverage(&loaded.model, skin, &loaded.clips[0], Frames { count: 3, depth });
            let found = found.expect("one part a joint");
            let times = [0.0, 0.5, 1.0].map(|share| share * loaded.clips[0].duration());
            let mut parts = vec![(0, 0.0_f64); loaded.model.len()];
            for (frame, t) in found.frames.iter().zip(times) {
                let expected = by_brute_force(&loaded, &path, t, depth);
                assert_eq!((frame.samples, expected.len()), (skin.len(), skin.len()));
                // Rounding decides the side of a face.
                let beyond =
                    |limit: f64| expected.iter().filter(|(_, d)| *d > limit * size).count();
                let (least, most) = (beyond(1e-4), beyond(0.0));
                assert!((least..=most).contains(&frame.outside), "{file}: {frame:?}");
                let farthest = expected.iter().map(|(_, d)| *d).fold(0.0, f64::max);
                assert!((frame.farthest - farthest).abs() < 1e-4 * size, "{file}: {frame:?}");
                for (joint, d) in expected {
                    parts[joint].0 += 1;
                    parts[joint].1 = parts[joint].1.max(d);
                }
            }
            for (found, (samples, farthest)) in found.parts.iter().zip(parts) {
                assert_eq!(found.samples, samples);
                assert!((found.farthest - farthest).abs() < 1e-4 * size);
            }
            let outside: usize = found.frames.iter().map(|frame| frame.outside).sum();
            assert_eq!(found.all.outside, outside);
        }
    }
}

/// Returns the corners and centroids of a part's triangles in a pose, each with a quarter of the
/// area.
fn samples(loaded: &Loaded<f32>, part: usize, joints: &Joints<f32>) -> Vec<(Point3<f64>, f64)> {
    let Some(mesh) = loaded.model.parts()[part].tree().and_then(|tree| tree.geometry().mesh())
    else {
        return Vec::new();
    };
    let pose = joints.poses()[part].cast::<f64>();
    let triangles = (0..mesh.triangles().len()).map(|i| mesh.corners(i).map(|c| c.cast::<f64>()));
    let points = triangles.flat_map(|[a, b, c]| {
        let quarter = (b - a).cross(&(c - a)).norm() / 8.0;
        let middle = Point3::from((a.coords + b.coords + c.coords) / 3.0);
        [a, b, c, middle].map(|point| (point, quarter))
    });
    points.map(|(point, area)| (pose * point, area)).collect()
}

#[test]
fn parts_outside_the_skin_equal_brute_force() {
    let Some(data) = data() else { return };
    for file in ["rigged-simple/RiggedSimple.glb", "fox/Fox.glb"] {
        let path = path(&data, file);
        let loaded = kept(&path, SkinAssignment::Dominating);
        let (skin, clip) = (loaded.skin.as_ref().expect("kept"), &loaded.clips[0]);
        let size = Character::read(&path).size();
        let mut joints = Joints::new();
        let t = 0.5 * clip.duration();
        clip.sample(t, &mut joints).expect("finite");
        let found = parts_outside_skin(&loaded.model, skin, &joints, 0.0).expect("a part a joint");
        let mut compared = 0;
        for (part, found) in found.iter().enumerate() {
            let samples = samples(&loaded, part, &joints);
            let points: Vec<_> = samples.iter().map(|(point, _)| *point).collect();
            let expected = outside_skin(&path, t, &points);
            let known: Vec<f64> = expected.iter().flatten().copied().collect();
            let farthest = known.iter().copied().fold(0.0, f64::max);
            // Points that brute force omits are only known to be near.
            assert!(found.farthest >= farthest - 1e-4 * size, "{file} {part}: {found:?}");
            let (mut all, mut outside, mut unknown) = (0.0, 0.0, 0.0);
            for ((_, area), distance) in samples.iter().zip(&expected) {
                all += area;
                match distance {
                    Some(distance) => outside += if *distance > 0.0 { *area } else { 0.0 },
                    None => unknown += area,
                }
            }
            let rounding = 1e-5 * all;
            assert!((found.area - all).abs() <= rounding, "{file} {part}: {found:?}, not {all}");
            let outside = outside - rounding..=outside + unknown + rounding;
            assert!(outside.contains(&found.outside), "{file} {part}: {found:?}, not {outside:?}");
            compared += known.len();
        }
        assert!(compared > 50, "{file}: {compared}");
    }
}

/// Computes coverage over all clips, with the worst frame.
fn over_all_clips(loaded: &Loaded<f32>, frames: Frames) -> (Coverage, f64) {
    let skin = loaded.skin.as_ref().expect("kept");
    let (mut all, mut worst) = (Coverage::default(), 0.0_f64);
    for clip in &loaded.clips {
        let found = coverage(&loaded.model, skin, clip, frames).expect("one part a joint");
        all.samples += found.all.samples;
        all.outside += found.all.outside;
        all.farthest = all.farthest.max(found.all.farthest);
        worst = found.frames.iter().map(Coverage::share).fold(worst, f64::max);
    }
    (all, worst)
}

/// Returns the fighter of the examples and the shared characters, at least one.
fn characters() -> Vec<PathBuf> {
    let fighter = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/fighter/fighter.glb");
    let mut files = vec![PathBuf::from(fighter)];
    files.extend(data().into_iter().flat_map(|data| CHARACTERS.map(|file| path(&data, file))));
    files.truncate(at_least(files.len(), 1));
    files
}

fn triangles(loaded: &Loaded<f32>) -> usize {
    let meshes = loaded.model.parts().iter().filter_map(|p| p.tree()?.geometry().mesh());
    meshes.map(|mesh| mesh.triangles().len()).sum()
}

#[test]
fn every_character_by_assignment() {
    eprintln!(
        "| file | policy | triangles of parts | outside eight boxes | worst frame | farthest | outside leaves | farthest | outside one box | farthest |"
    );
    eprintln!("|---|---|---|---|---|---|---|---|---|---|");
    for path in characters() {
        let file = path.file_name().expect("a file").to_string_lossy();
        let size = Character::read(&path).size();
        let mut before: Option<(usize, Coverage)> = None;
        let policies = [
            ("cut", SkinAssignment::Dominating),
            ("dominating", SkinAssignment::Dominating),
            ("above 0.25", SkinAssignment::Above(0.25)),
            ("above 0.1", SkinAssignment::Above(0.1)),
            ("above 0", SkinAssignment::Above(0.0)),
        ];
        for (name, assign) in policies {
            let straddling = if name == "cut" { Straddling::Cut } else { Straddling::Both };
            let options = Loader::new().assign(assign).straddling(straddling).keep_skin(true);
            let loaded = options.gltf(&path).expect("a character");
            let triangles = triangles(&loaded);
            let [(all, worst), (leaves, _), (whole, _)] = [3, 255, 0]
                .map(|depth| over_all_clips(&loaded, Frames { count: at_least(5, 2), depth }));
            let answer = |of: &Coverage| format!("{:.2} %", 100.0 * of.share());
            let far = |of: &Coverage| format!("{:.2} %", 100.0 * of.farthest / size);
            eprintln!(
                "| {file} | {name} | {triangles} | {} | {:.2} % | {} | {} | {} | {} | {} |",
                answer(&all),
                100.0 * worst,
                far(&all),
                answer(&leaves),
                far(&leaves),
                answer(&whole),
                far(&whole)
            );
            assert!(all.samples > 0 && all.share() < 0.1);
            // Finer cuts are inside coarser ones up to the fit.
            assert!(whole.share() <= all.share() + 0.01 && all.share() <= leaves.share() + 0.01);
            // The documented limit of the default, and of whole triangles.
            assert!(assign != SkinAssignment::Dominating || all.farthest < 0.01 * size, "{file}");
            if name == "cut" {
                continue;
            }
            if let Some((fewer, most)) = before {
                // Each policy assigns at least the triangles of the one before.
                assert!(triangles >= fewer, "{file} {name}");
                assert!(all.farthest <= most.farthest + 0.02 * size, "{file} {name}");
            }
            before = Some((triangles, all));
        }
    }
}

/// Parts outside the skin, as fractions of the character's skin area and size.
struct Outside {
    /// Area farther than 1 % of the size from the skin, on average over all times.
    area: f64,
    /// The farthest such point; 0 without one.
    farthest: f64,
}

/// Measures the parts outside the skin in those poses.
fn outside(
    loaded: &Loaded<f32>,
    (area, size): (f64, f64),
    moments: impl Iterator<Item = Joints<f32>>,
) -> Outside {
    let skin = loaded.skin.as_ref().expect("kept");
    let (mut all, mut count) = (OutsideArea::default(), 0);
    for joints in moments {
        let near = 0.01 * size;
        let found = parts_outside_skin(&loaded.model, skin, &joints, near).expect("a part a joint");
        found.iter().for_each(|part| all.merge(part));
        count += 1;
    }
    Outside { area: all.outside / f64::from(count.max(1)) / area, farthest: all.farthest / size }
}

fn at_rest(loaded: &Loaded<f32>) -> Joints<f32> {
    let rest: Vec<_> = loaded.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let mut joints = Joints::new();
    loaded.skeleton.poses(&rest, &mut joints).expect("finite");
    joints
}

/// Characters whose weights are spread over many joints: triangles of a single joint leave the skin
/// in clips too, and no cut changes these.
const SMEARED: [&str; 1] = ["CesiumMan.glb"];

/// Characters whose rest pose is the bind pose.
const BOUND_AT_REST: [&str; 5] =
    ["RiggedSimple.glb", "Fox.glb", "CesiumMan.glb", "robot.glb", "Knight.glb"];

#[test]
fn cut_parts_leave_less_than_half_outside_the_skin() {
    eprintln!(
        "| file | triangles of parts | parts outside the skin by more than 1 %, at rest | farthest | in clips | farthest |"
    );
    eprintln!("|---|---|---|---|---|---|");
    for path in characters() {
        let file = path.file_name().expect("a file").to_string_lossy();
        let character = Character::read(&path);
        let (size, area) = (character.size(), character.area());
        let [whole, cut] = [Straddling::Both, Straddling::Cut].map(|straddling| {
            let options = Loader::new().straddling(straddling).keep_skin(true).build(Build::fast());
            let loaded = options.gltf(&path).expect("a character");
            let rest = outside(&loaded, (area, size), std::iter::once(at_rest(&loaded)));
            let clips = at_least(loaded.clips.len(), 2);
            let moments = loaded.clips.iter().take(clips).flat_map(|clip| {
                [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| {
                    let mut joints = Joints::new();
                    clip.sample(share * clip.duration(), &mut joints).expect("finite");
                    joints
                })
            });
            let clips = outside(&loaded, (area, size), moments);
            (triangles(&loaded), rest, clips)
        });
        let percent = |a: f64, b: f64| format!("{:.2} % -> {:.2} %", 100.0 * a, 100.0 * b);
        eprintln!(
            "| {file} | {} -> {} | {} | {} | {} | {} |",
            whole.0,
            cut.0,
            percent(whole.1.area, cut.1.area),
            percent(whole.1.farthest, cut.1.farthest),
            percent(whole.2.area, cut.2.area),
            percent(whole.2.farthest, cut.2.farthest),
        );
        let file = file.as_ref();
        let share = if SMEARED.contains(&file) { 0.8 } else { 0.5 };
        assert!(cut.1.area <= 0.5 * whole.1.area, "{file}");
        assert!(cut.2.area <= share * whole.2.area, "{file}");
        assert!(cut.1.farthest <= whole.1.farthest && cut.2.farthest <= whole.2.farthest, "{file}");
        assert!(!BOUND_AT_REST.contains(&file) || cut.1.farthest == 0.0, "{file}");
    }
}

/// Returns the triangles of each part in a pose, including caps.
fn placed_parts(loaded: &Loaded<f32>, joints: &Joints<f32>) -> Vec<Vec<[Point3<f64>; 3]>> {
    let parts = loaded.model.parts().iter().zip(joints.poses());
    let placed = parts.filter_map(|(part, pose)| {
        let (mesh, pose) = (part.tree()?.geometry().mesh()?, pose.cast::<f64>());
        let corners = |triangle| mesh.corners(triangle).map(|corner| pose * corner.cast::<f64>());
        Some((0..mesh.triangles().len()).map(corners).collect())
    });
    placed.collect()
}

#[test]
fn cut_parts_fill_the_skin_like_whole_ones() {
    eprintln!(
        "| file | points inside the skin | only in whole parts | only in cut parts | in neither |"
    );
    eprintln!("|---|---|---|---|---|");
    let points = cases(1500);
    for path in characters() {
        let file = path.file_name().expect("a file").to_string_lossy();
        let character = Character::read(&path);
        let posed = |of: [usize; 3]| of.map(|v| character.vertices[v].skinned);
        let skin: Vec<_> = character.triangles.iter().map(|&of| posed(of)).collect();
        let [whole, cut] = [Straddling::Both, Straddling::Cut].map(|straddling| {
            let loader = Loader::new().straddling(straddling).build(Build::fast());
            let loaded = loader.gltf(&path).expect("a character");
            placed_parts(&loaded, &at_rest(&loaded))
        });
        let [min, max] = character.bounds();
        let random = &mut Random(53);
        let (mut count, mut only_whole, mut only_cut, mut neither) = (0, 0, 0, 0);
        while count < points {
            let point = Point3::from([0, 1, 2].map(|i| random.between(min[i], max[i])));
            if winding(&skin, &point).abs() < 0.5 {
                continue;
            }
            count += 1;
            let inside = |parts: &[Vec<[Point3<f64>; 3]>]| {
                parts.iter().any(|triangles| winding(triangles, &point).abs() > 0.5)
            };
            match (inside(&whole), inside(&cut)) {
                (true, false) => only_whole += 1,
                (false, true) => only_cut += 1,
                (false, false) => neither += 1,
                (true, true) => {}
            }
        }
        eprintln!("| {file} | {count} | {only_whole} | {only_cut} | {neither} |");
        assert!(only_whole * 25 <= count, "{file}: {only_whole} of {count}");
    }
}

#[test]
fn a_skin_of_one_joint_per_vertex_is_covered_completely() {
    let Some(data) = data() else { return };
    let path = path(&data, "robot-expressive/robot.glb");
    let loaded = kept(&path, SkinAssignment::Dominating);
    let rigid = loaded.skin.as_ref().expect("kept").corners().map(|corner| {
        let most = corner.iter().map(|follow| follow.share).fold(0.0, f32::max);
        let best = corner.iter().filter(|follow| follow.share == most);
        let best = best.min_by_key(|follow| follow.joint).expect("one");
        vec![SkinWeight { share: 1.0, ..*best }]
    });
    let rigid = Skin::new(rigid).expect("a skin");
    for clip in &loaded.clips {
        let found = coverage(&loaded.model, &rigid, clip, Frames { count: 4, depth: 255 });
        let found = found.expect("one part a joint").all;
        assert_eq!((found.outside, found.farthest), (0, 0.0));
    }
}

#[test]
fn mismatched_skins_and_models_are_refused() {
    let Some(data) = data() else { return };
    let simple = kept(&path(&data, CHARACTERS[0]), SkinAssignment::Dominating);
    let fox = kept(&path(&data, CHARACTERS[1]), SkinAssignment::Dominating);
    let frames = Frames { count: 1, depth: 0 };
    let skin = fox.skin.as_ref().expect("kept");
    let found = coverage(&simple.model, skin, &fox.clips[0], frames);
    assert!(matches!(found, Err(Error::WrongCount { field: "parts", .. })));
    let found = coverage(&simple.model, skin, &simple.clips[0], frames);
    assert!(matches!(found, Err(Error::IndexOutOfRange { field: "skin", .. })));
    assert_eq!(Skin::<f32>::new([vec![]]), Err(Error::Empty { field: "skin corner" }));
    let nothing = Frames { count: 0, ..frames };
    let found = coverage(&fox.model, skin, &fox.clips[0], nothing).expect("nothing asked");
    assert_eq!((found.all.samples, found.all.share()), (0, 0.0));
}
