//! Recorded motion from files: real ones, read a second time with matrices, small ones, and broken ones.

#[path = "support/data.rs"]
mod data;
#[path = "support/folder.rs"]
mod folder;

use std::collections::HashMap;
use std::path::PathBuf;

use boxwood::Error;
use boxwood::load::{self, Motion, MotionOptions, Warning};
use boxwood::motion::Joints;
use nalgebra::{Matrix4, Vector3};

use self::data::data;
use self::folder::Folder;

const SMALL: &str = "HIERARCHY\r\nROOT left hip\n{\n OFFSET 1 2 3\r\n CHANNELS 6 Xposition Yposition Zposition Zrotation \
    Xrotation Yrotation\n JOINT knee {\n OFFSET 0 -4 0\n CHANNELS 2 Yrotation Xrotation\n End Site\n {\n OFFSET 0 -3 0\n }\n }\n\
    JOINT tail { OFFSET 0 0 -1 CHANNELS 3 Zposition Xposition Yposition }\n}\nMOTION\nFrames: 2\r\nFrame Time: .5\n\
    0 0 0 0 0 0 0 0 0 0 0\n10 20 30 90 0 0 90 0 7 8 9\n";

fn turned(axis: char, degrees: f64) -> Matrix4<f64> {
    let (s, c) = degrees.to_radians().sin_cos();
    let [x, y, z] = ['X', 'Y', 'Z'].map(|other| other == axis.to_ascii_uppercase());
    let entry = |i: usize, j: usize| match (i, j) {
        (3, 3) => 1.0,
        (0, 0) if x => 1.0,
        (1, 1) if y => 1.0,
        (2, 2) if z => 1.0,
        (0, 0) | (1, 1) | (2, 2) => c,
        (2, 1) if x => s,
        (1, 2) if x => -s,
        (0, 2) if y => s,
        (2, 0) if y => -s,
        (1, 0) if z => s,
        (0, 1) if z => -s,
        _ => 0.0,
    };
    Matrix4::from_fn(entry)
}

/// The matrices of every joint of a frame, straight from the text: no positions but the root's.
fn bvh_frame(text: &str, frame: usize) -> Vec<Matrix4<f64>> {
    let (hierarchy, motion) = text.split_once("MOTION").expect("a motion");
    let row = motion.lines().filter(|line| !line.trim().is_empty()).nth(2 + frame).expect("a row");
    let mut row = row.split_whitespace().map(|word| word.parse::<f64>().expect("a number"));
    let (mut stack, mut found): (Vec<Matrix4<f64>>, Vec<Matrix4<f64>>) = (Vec::new(), Vec::new());
    let mut in_end = false;
    for line in hierarchy.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"End") => in_end = true,
            Some(&"OFFSET") if !in_end => {
                let [x, y, z] = [1, 2, 3].map(|i| words[i].parse::<f64>().expect("a number"));
                let above = stack.last().copied().unwrap_or_else(Matrix4::identity);
                stack.push(above * Matrix4::new_translation(&Vector3::new(x, y, z)));
            }
            Some(&"CHANNELS") => {
                let joint = stack.last_mut().expect("a joint");
                for channel in &words[2..] {
                    let value = row.next().expect("a number");
                    *joint *= match (&channel[..1], &channel[1..]) {
                        ("X", "position") => Matrix4::new_translation(&(Vector3::x() * value)),
                        ("Y", "position") => Matrix4::new_translation(&(Vector3::y() * value)),
                        ("Z", "position") => Matrix4::new_translation(&(Vector3::z() * value)),
                        (axis, _) => turned(axis.chars().next().expect("a letter"), value),
                    };
                }
                found.push(*joint);
            }
            Some(&"}") if in_end => in_end = false,
            Some(&"}") => {
                stack.pop();
            }
            _ => {}
        }
    }
    found
}

fn check(motion: &Motion<f64>, t: f64, expected: &[Matrix4<f64>], scale: f64) {
    let mut joints = Joints::new();
    let poses = motion.clips[0].sample(t, &mut joints).expect("a time");
    assert_eq!(poses.len(), expected.len());
    for ((pose, expected), joint) in poses.iter().zip(expected).zip(motion.skeleton.joints()) {
        let mut expected = *expected;
        expected.fixed_view_mut::<3, 1>(0, 3).scale_mut(scale);
        assert!((pose.to_homogeneous() - expected).norm() < 1e-9, "{} at {t}", joint.name);
    }
}

#[test]
fn real_bvh_files_pose_as_products_of_matrices() {
    let Some(data) = data() else { return };
    for (file, frames, step) in
        [("cmu-131-01/131_01.bvh", 994, 0.0083333), ("cmu-18-01/18_01.bvh", 303, 0.033333)]
    {
        let path = data.join("mocap").join(file);
        let text = std::fs::read_to_string(&path).expect("a file");
        let options = MotionOptions { scale: 0.056444, ..MotionOptions::default() };
        let motion = load::bvh_with::<f64>(&path, &options).expect("a motion");
        assert_eq!(
            (motion.skeleton.len(), motion.ends.len(), &motion.warnings[..]),
            (31, 7, &[][..])
        );
        assert!((motion.clips[0].duration() - (frames - 1) as f64 * step).abs() < 1e-9);
        for frame in (0..frames).step_by(37).chain([frames - 1]) {
            check(&motion, frame as f64 * step, &bvh_frame(&text, frame), options.scale);
        }
    }
}

/// Direction times length, axis, degrees.
type Limb = (Vector3<f64>, [f64; 3], Vec<char>);

/// Limbs and parents of an ASF file by name.
struct Asf {
    bones: HashMap<String, Limb>,
    parents: HashMap<String, String>,
}

fn read_asf(text: &str) -> Asf {
    let (mut bones, mut parents) = (HashMap::new(), HashMap::new());
    let data = text.split(":bonedata").nth(1).expect("bones");
    let (data, hierarchy) = data.split_once(":hierarchy").expect("a hierarchy");
    for bone in data.split("begin").skip(1) {
        let line = |key: &str| -> Option<Vec<&str>> {
            let line = bone.lines().find(|line| line.trim().starts_with(key))?;
            Some(line.split_whitespace().skip(1).collect())
        };
        let number = |word: &&str| word.parse::<f64>().expect("a number");
        let direction: Vec<f64> = line("direction").expect("it").iter().map(number).collect();
        let length = number(&line("length").expect("it")[0]);
        let axis = line("axis").expect("it");
        assert_eq!(axis[3], "XYZ");
        let degrees = line("dof").unwrap_or_default();
        let degrees = degrees.iter().map(|word| word.chars().nth(1).expect("a letter")).collect();
        let reach = Vector3::from_column_slice(&direction) * length;
        let axis = [0, 1, 2].map(|i| number(&axis[i]));
        bones.insert(line("name").expect("it")[0].to_owned(), (reach, axis, degrees));
    }
    for line in hierarchy.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for child in words.iter().skip(1) {
            parents.insert((*child).to_owned(), words[0].to_owned());
        }
    }
    Asf { bones, parents }
}

impl Asf {
    fn matrix(&self, name: &str, frame: &HashMap<&str, Vec<f64>>) -> Matrix4<f64> {
        if name == "root" {
            let v = &frame["root"];
            let turn = turned('z', v[5]) * turned('y', v[4]) * turned('x', v[3]);
            return Matrix4::new_translation(&Vector3::new(v[0], v[1], v[2])) * turn;
        }
        let (_, axis, degrees) = &self.bones[name];
        let axes = turned('z', axis[2]) * turned('y', axis[1]) * turned('x', axis[0]);
        let mut turn = Matrix4::identity();
        for (letter, value) in degrees.iter().zip(frame.get(name).into_iter().flatten()) {
            turn = turned(*letter, *value) * turn;
        }
        let parent = &self.parents[name];
        let reach = self.bones.get(parent).map_or(Vector3::zeros(), |bone| bone.0);
        let above = self.matrix(parent, frame) * Matrix4::new_translation(&reach);
        above * axes * turn * axes.try_inverse().expect("a rotation")
    }
}

#[test]
fn the_real_asf_and_amc_files_pose_as_products_of_matrices() {
    let Some(data) = data() else { return };
    let folder = data.join("mocap/cmu-02-05");
    let (asf, amc) = (folder.join("02.asf"), folder.join("02_05.amc"));
    let motion = load::amc_with::<f64>(&asf, &amc, &MotionOptions::default()).expect("a motion");
    assert_eq!((motion.skeleton.len(), motion.clips[0].name()), (31, "02_05"));
    assert!((motion.clips[0].duration() - 1853.0 / 120.0).abs() < 1e-9);
    let theirs = read_asf(&std::fs::read_to_string(asf).expect("a file"));
    let text = std::fs::read_to_string(amc).expect("a file");
    let mut frames: Vec<HashMap<&str, Vec<f64>>> = Vec::new();
    for line in text.lines().skip(3) {
        let mut words = line.split_whitespace();
        let name = words.next().expect("a name");
        let values: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
        match values.is_empty() {
            true => frames.push(HashMap::new()),
            false => drop(frames.last_mut().expect("a frame").insert(name, values)),
        }
    }
    assert_eq!(frames.len(), 1854);
    for frame in (0..frames.len()).step_by(97) {
        let joints = motion.skeleton.joints().iter();
        let expected: Vec<_> =
            joints.map(|joint| theirs.matrix(&joint.name, &frames[frame])).collect();
        check(&motion, frame as f64 / 120.0, &expected, 1.0);
    }
    // Somebody stands on a floor: the lower end of a toe stays near one height while the head is far above.
    let mut joints = Joints::new();
    let toe = motion.skeleton.find("ltoes").expect("a toe");
    let head = motion.skeleton.find("head").expect("a head");
    for frame in (0..1854).step_by(50) {
        let poses = motion.clips[0].sample(f64::from(frame) / 120.0, &mut joints).expect("a time");
        let [toe, head] = [toe, head].map(|joint| poses[joint].translation.y);
        assert!(toe > -1.0 && toe < 8.0 && head > 20.0 && head < 32.0, "{frame}: {toe} {head}");
    }
}

#[test]
fn channels_turn_and_shift_as_each_joint_lists_them() {
    let folder = Folder::new();
    let motion = load::bvh_with::<f64>(folder.write("small.bvh", SMALL), &MotionOptions::default());
    let motion = motion.expect("a motion");
    let names: Vec<_> =
        motion.skeleton.joints().iter().map(|j| (j.name.as_str(), j.parent)).collect();
    assert_eq!(names, [("left hip", None), ("knee", Some(0)), ("tail", Some(0))]);
    assert_eq!(motion.ends, [(1, Vector3::new(0.0, -3.0, 0.0))]);
    assert_eq!((motion.clips[0].name(), motion.clips[0].duration()), ("small", 0.5));
    let mut joints = Joints::new();
    let poses = motion.clips[0].sample(0.5, &mut joints).expect("a time");
    // The root is shifted from its offset; the tail is where its channels say, z first.
    let hip = Vector3::new(11.0, 22.0, 33.0);
    let places = [hip, hip + Vector3::new(4.0, 0.0, 0.0), hip + Vector3::new(-9.0, 8.0, 7.0)];
    for (pose, place) in poses.iter().zip(places) {
        assert!((pose.translation.vector - place).norm() < 1e-12);
    }
}

#[test]
fn extra_rows_are_left_out_with_a_word() {
    let folder = Folder::new();
    let more = format!("{SMALL}1 2 3 4 5 6 7 8 9 10 11\n1 2\n");
    let motion = load::bvh(folder.write("more.bvh", more)).expect("a motion");
    assert_eq!(motion.warnings, [Warning::ExtraRows { rows: 2 }]);
    assert_eq!(motion.clips[0].duration(), 0.5);
}

fn refused<T>(found: Result<T, Error>) -> String {
    match found.map(|_| ()) {
        Err(Error::File { path, trouble }) => {
            format!("{}: {trouble}", path.file_name().expect("a name").display())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn broken_bvh_files_are_refused_by_word() {
    let folder = Folder::new();
    for (from, to, expected) in [
        ("HIERARCHY", "", "word 1: 'ROOT' is out of place"),
        ("Xrotation", "Wrotation", "no channel is called 'Wrotation'"),
        ("CHANNELS 6", "CHANNELS 7", "7 channels"),
        ("CHANNELS 6", "CHANNELS -1", "-1 channels"),
        ("OFFSET 1 2 3", "OFFSET 1 2 nan", "'nan' is not a number"),
        ("OFFSET 1 2 3", "OFFSET 1 2", "is not a number"),
        ("Frames: 2", "Frames: 3", "frame 2, word 80: the file ends"),
        ("Frames: 2", "Frames: 1e12", "frame 2, word 80: the file ends"),
        ("Frames: 2", "Frames: 1.5", "1.5 frames of 0.5 seconds"),
        ("Frame Time: .5", "Frame Time: -1", "2 frames of -1 seconds"),
        ("10 20", "10 x", "frame 1, word 70: 'x' is not a number"),
        ("JOINT knee", "JOINT left hip", "two joints are called 'left hip'"),
        ("MOTION", "", "'Frames:' is out of place"),
        ("}\nMOTION", "\nMOTION", "'MOTION' is out of place"),
    ] {
        let said = refused(load::bvh(folder.write("bad.bvh", SMALL.replacen(from, to, 1))));
        assert!(
            said.starts_with("bad.bvh: ") && said.contains(expected),
            "'{said}' for '{expected}'"
        );
    }
    assert!(refused(load::bvh(folder.path("none.bvh"))).starts_with("none.bvh: "));
    for length in 0..SMALL.len() - 2 {
        refused(load::bvh(folder.write("cut.bvh", &SMALL[..length])));
    }
}

const ASF: &str = "# a comment\n:units\n length 0.45\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 1 0\n\
    orientation 0 0 0\n:bonedata\n begin\n id 1\n name leg\n direction 0 -1 0\n length 2\n axis 0 0 90 XYZ\n dof rx\n\
    limits (-1 1)\n end\n begin\n name toe\n direction 1 0 0\n length 1\n axis 0 0 0 XYZ\n end\n:hierarchy\n begin\n root leg\n\
    leg toe\n end\n";
const AMC: &str =
    ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\nleg 0\n2\nroot 1 2 3 0 0 90\nleg 90\n";

#[test]
fn a_small_body_bends_about_its_own_axes() {
    let folder = Folder::new();
    let options = MotionOptions { scale: 2.0, rate: 4.0 };
    let (asf, amc) = (folder.write("b.asf", ASF), folder.write("b.amc", AMC));
    let motion = load::amc_with::<f64>(&asf, &amc, &options).expect("a motion");
    assert_eq!(motion.ends, [(2, Vector3::new(2.0, 0.0, 0.0))]);
    let mut joints = Joints::new();
    let rest = motion.clips[0].sample(0.0, &mut joints).expect("a time");
    assert!((rest[2].translation.vector - Vector3::new(0.0, -2.0, 0.0)).norm() < 1e-12);
    let bent = motion.clips[0].sample(0.25, &mut joints).expect("a time");
    // The root stands at twice (1, 3, 3), turned to the left; the leg, 4 long and bent about its x, which is the y of the whole,
    // still goes down its parent's y, which is now -x.
    let root = Vector3::new(2.0, 6.0, 6.0);
    assert!((bent[0].translation.vector - root).norm() < 1e-12);
    assert!((bent[2].translation.vector - (root + Vector3::new(4.0, 0.0, 0.0))).norm() < 1e-12);
    let end = bent[2] * nalgebra::Point3::from(motion.ends[0].1);
    assert!((end.coords - (root + Vector3::new(4.0, 0.0, -2.0))).norm() < 1e-12, "{end}");
}

#[test]
fn broken_asf_and_amc_files_are_refused_by_line() {
    let folder = Folder::new();
    let read = |asf: &str, amc: &str| {
        refused(load::amc(folder.write("b.asf", asf), folder.write("b.amc", amc)))
    };
    for (from, to, expected) in [
        ("direction 0 -1 0", "direction 0 -1", "b.asf: line 14: not three numbers"),
        ("90 XYZ", "90 XYW", "b.asf: line 16: no axis is called 'W'"),
        ("90 XYZ", "90", "b.asf: line 16: an axis is three angles and an order"),
        ("length 2", "length inf", "b.asf: line 15: the length is not a number"),
        ("dof rx", "dof l", "b.asf: line 17: the degree of freedom 'l' is not read"),
        ("name toe", "name leg", "b.asf: two bones are called 'leg'"),
        ("leg toe", "leg leg", "b.asf: bone 'leg' is missing, or in the hierarchy twice"),
        ("root leg\n", "root toe\n", "b.asf: bone 'leg' hangs on nothing"),
        ("leg toe", "", "b.asf: bone 'toe' hangs on nothing"),
    ] {
        let said = read(&ASF.replacen(from, to, 1), AMC);
        assert!(said.contains(expected), "'{said}' should say '{expected}'");
    }
    for (from, to, expected) in [
        ("leg 0", "arm 0", "b.amc: line 5: no bone is called 'arm'"),
        ("leg 0", "leg 0 0", "b.amc: line 5: 2 numbers for the 1 of bone 'leg'"),
        ("leg 0", "leg x", "b.amc: line 5: 'x' is not a number"),
        ("leg 0\n", "", "b.amc: line 5: frame 1 says nothing of bone 'leg'"),
        ("\nleg 90", "", "b.amc: frame 2 says nothing of bone 'leg'"),
        ("leg 0", "leg 0\nleg 0", "b.amc: line 6: bone 'leg' comes twice"),
        ("1\nroot", "root", "b.amc: line 3: bone 'root' comes twice in a frame, or before"),
        (AMC, "", "b.amc: there are no frames"),
    ] {
        let said = read(ASF, &AMC.replacen(from, to, 1));
        assert!(said.contains(expected), "'{said}' should say '{expected}'");
    }
}

/// A new file each time: file systems take their time to overwrite one.
fn anew(folder: &Folder, name: &str, bytes: Vec<u8>) -> PathBuf {
    let _ = std::fs::remove_file(folder.path(name));
    folder.write(name, bytes)
}

#[test]
fn damaged_files_are_read_or_refused() {
    let folder = Folder::new();
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut counts = [0; 2];
    for _ in 0..1000 {
        for text in [SMALL, ASF, AMC] {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + random(3) {
                let (to, from) = (random(bytes.len()), random(bytes.len()));
                bytes[to] = bytes[from];
            }
            let text_or = |own: &str| if own == text { bytes.clone() } else { own.into() };
            let bvh = load::bvh(anew(&folder, "d.bvh", text_or(SMALL)));
            let (asf, amc) =
                (anew(&folder, "d.asf", text_or(ASF)), anew(&folder, "d.amc", text_or(AMC)));
            let amc = load::amc(asf, amc);
            for found in [bvh, amc] {
                match found {
                    Ok(_) => counts[0] += 1,
                    Err(Error::File { .. }) => counts[1] += 1,
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
    assert!(counts[0] > 500 && counts[1] > 500, "{counts:?}");
}

#[test]
fn damaged_real_files_are_read_or_refused() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let mut state = 9_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let read = |name: &str| std::fs::read(data.join("mocap").join(name)).expect("a file");
    let (bvh, asf, amc) =
        (read("cmu-18-01/18_01.bvh"), read("cmu-02-05/02.asf"), read("cmu-02-05/02_05.amc"));
    // The first thirty of its frames.
    let end = amc.windows(5).position(|five| five == b"\n31\r\n").expect("a frame");
    let amc = amc[..end + 1].to_vec();
    let mut counts = [0; 2];
    for round in 0..300 {
        let mut damaged = [&bvh, &asf, &amc][round % 3].clone();
        if random(2) == 0 {
            damaged.truncate(random(damaged.len()));
        } else {
            let (to, from) = (random(damaged.len()), random(damaged.len()));
            damaged[to] = damaged[from];
        }
        let good = match round % 3 {
            0 => load::bvh(anew(&folder, "d.bvh", damaged)).is_ok(),
            1 => load::amc(anew(&folder, "d.asf", damaged), anew(&folder, "d.amc", amc.clone()))
                .is_ok(),
            _ => load::amc(anew(&folder, "d.asf", asf.clone()), anew(&folder, "d.amc", damaged))
                .is_ok(),
        };
        counts[usize::from(good)] += 1;
    }
    assert!(counts[0] > 30 && counts[1] > 30, "{counts:?}");
}
