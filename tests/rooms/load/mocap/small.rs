//! Small BVH, ASF and AMC files: every keyword, and errors.

use boxwood::Error;
use boxwood::load::{self, Loader, Warning};
use boxwood::motion::Joints;

use support::folder::Folder;
use support::prelude::*;
use support::refusals::refuses_replacements;

pub const SMALL: &str = "HIERARCHY\r\nROOT left hip\n{\n OFFSET 1 2 3\r\n CHANNELS 6 Xposition Yposition Zposition Zrotation \
    Xrotation Yrotation\n JOINT knee {\n OFFSET 0 -4 0\n CHANNELS 2 Yrotation Xrotation\n End NodeRef\n {\n OFFSET 0 -3 0\n }\n }\n\
    JOINT tail { OFFSET 0 0 -1 CHANNELS 3 Zposition Xposition Yposition }\n}\nMOTION\nFrames: 2\r\nFrame Time: .5\n\
    0 0 0 0 0 0 0 0 0 0 0\n10 20 30 90 0 0 90 0 7 8 9\n";

#[test]
fn channels_apply_in_the_order_of_each_joint() {
    let folder = Folder::new();
    let motion = Loader::new().bvh(folder.write("small.bvh", SMALL));
    let motion = motion.expect("a motion");
    let names: Vec<_> =
        motion.skeleton.joints().iter().map(|j| (j.name.as_str(), j.parent)).collect();
    assert_eq!(names, [("left hip", None), ("knee", Some(0)), ("tail", Some(0))]);
    assert_eq!(motion.ends, [(1, Vector3::new(0.0, -3.0, 0.0))]);
    assert_eq!((motion.clips[0].name(), motion.clips[0].duration()), ("small", 0.5));
    let mut joints = Joints::new();
    let poses = motion.clips[0].sample(0.5, &mut joints).expect("a time");
    // The root and the tail have the positions of their channels, the tail's z first.
    let hip = Vector3::new(10.0, 20.0, 30.0);
    let places = [hip, hip + Vector3::new(4.0, 0.0, 0.0), hip + Vector3::new(-9.0, 8.0, 7.0)];
    for (pose, place) in poses.iter().zip(places) {
        assert!((pose.translation.vector - place).norm() < 1e-12);
    }
}

/// Returns the positions of the joints of a file at a time.
fn places(bytes: &[u8], time: f64) -> Vec<Vector3<f64>> {
    let motion = boxwood::f64::Loader::new().bvh_bytes(bytes).expect("a motion");
    assert_eq!(motion.warnings, []);
    let mut joints = boxwood::motion::Joints::new();
    let poses = motion.clips[0].sample(time, &mut joints).expect("a time");
    poses.iter().map(|pose| pose.translation.vector).collect()
}

#[test]
fn positions_of_a_root_replace_its_offset() {
    if let Some(data) = support::data::data() {
        let bytes = std::fs::read(data.join("bugs/root_offset.bvh")).expect("a file");
        let at = |x: f64, y: f64| Vector3::new(x, y, 0.0);
        assert_eq!(places(&bytes, 0.0), [at(0.0, 88.0), at(0.0, 45.0), at(0.0, 2.0)]);
        assert_eq!(places(&bytes, 0.01)[0], at(5.0, 88.0));
    }
    // Coordinates without a channel stay at the offset.
    let text = concat!(
        "HIERARCHY ROOT a { OFFSET 1 2 3 CHANNELS 1 Yposition ",
        "JOINT b { OFFSET 0 5 0 CHANNELS 1 Xposition End Site { OFFSET 0 1 0 } } } ",
        "MOTION Frames: 1 Frame Time: 1\n7 9\n",
    );
    let a = Vector3::new(1.0, 7.0, 3.0);
    assert_eq!(places(text.as_bytes(), 0.0), [a, a + Vector3::new(9.0, 5.0, 0.0)]);
}

#[test]
fn labels_marks_and_names_of_other_programs_are_accepted() {
    let expected = places(SMALL.as_bytes(), 0.5);
    for (from, to) in [
        ("Frame Time: .5", "Frame Time:.5"),
        ("Frame Time: .5", "FRAME TIME : 0.5"),
        ("Frame Time: .5", "FrameTime: 0.5"),
        ("Frames: 2", "frames 2"),
        ("Frames: 2", "Frames :2"),
        ("HIERARCHY", "\u{feff}HIERARCHY"),
        ("knee", "ge\u{fc}n"),
    ] {
        assert_eq!(places(SMALL.replacen(from, to, 1).as_bytes(), 0.5), expected, "{to}");
    }
    let latin: Vec<u8> = SMALL.bytes().map(|byte| if byte == b'k' { 0xfc } else { byte }).collect();
    let motion = Loader::<f64>::new().bvh_bytes(&latin).expect("a motion");
    assert_eq!(motion.skeleton.joints()[1].name, "\u{fc}nee");
    let said = Loader::<f64>::new().bvh_bytes(b"\xff\xfeH\0").expect_err("UTF-16").to_string();
    assert!(said.contains("UTF-16"), "{said}");
}

/// The end of a chain.
const END: &str = "End Site { OFFSET 0 1 0 }";

#[test]
fn scales_of_the_motion_are_ignored_with_a_warning() {
    let text = |scale: &str| {
        format!(
            "HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS 9 Xposition Yposition Zposition Zrotation \
             Xrotation Yrotation Xscale Yscale Zscale {END} }} \
             MOTION Frames: 2 Frame Time: 1\n1 2 3 0 0 0 1 1 1\n4 5 6 0 0 0 {scale}\n"
        )
    };
    assert_eq!(places(text("1 1 1").as_bytes(), 1.0), [Vector3::new(4.0, 5.0, 6.0)]);
    let motion = Loader::<f64>::new().bvh_bytes(text("2 1 0.5").as_bytes()).expect("a motion");
    let element = "scales of the motion".to_owned();
    assert_eq!(motion.warnings, [Warning::Skipped { file: "a".to_owned(), element, count: 2 }]);
}

#[test]
fn extra_rows_are_ignored_with_a_warning() {
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
fn invalid_bvh_files_are_refused_by_word() {
    let folder = Folder::new();
    let rows = [
        ("HIERARCHY", "", "line 2: word 1: unexpected 'ROOT'"),
        ("Xrotation", "Wrotation", "line 5: word 16: unknown channel 'Wrotation'"),
        ("CHANNELS 6", "CHANNELS 10", "invalid number of channels: 10"),
        ("CHANNELS 6", "CHANNELS -1", "invalid number of channels: -1"),
        ("OFFSET 1 2 3", "OFFSET 1 2 nan", "'nan' is not a number"),
        ("OFFSET 1 2 3", "OFFSET 1 2", "is not a number"),
        ("Frames: 2", "Frames: 3", "line 20: frame 2, word 80: the file ends"),
        ("Frames: 2", "Frames: 1e12", "frame 2, word 80: the file ends"),
        ("Frames: 2", "Frames: 1.5", "line 18: invalid frame count 1.5 or frame time 0.5 s"),
        ("Frame Time: .5", "Frame Time: -1", "invalid frame count 2 or frame time -1 s"),
        ("10 20", "10 x", "line 20: frame 1, word 70: 'x' is not a number"),
        ("JOINT knee", "JOINT left hip", "line 6: two joints are called 'left hip'"),
        ("MOTION", "", "unexpected 'Frames:'"),
        ("}\nMOTION", "\nMOTION", "unexpected 'MOTION'"),
    ];
    refuses_replacements("bad.bvh", SMALL, &rows, |text| load::bvh(folder.write("bad.bvh", text)));
    assert!(refused(load::bvh(folder.path("none.bvh"))).starts_with("none.bvh: "));
    for length in 0..SMALL.len() - 2 {
        refused(load::bvh(folder.write("cut.bvh", &SMALL[..length])));
    }
}

pub const ASF: &str = "# a comment\n:units\n length 0.45\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 1 0\n\
    orientation 0 0 0\n:bonedata\n begin\n id 1\n name leg\n direction 0 -1 0\n length 2\n axis 0 0 90 XYZ\n dof rx\n\
    limits (-1 1)\n end\n begin\n name toe\n direction 1 0 0\n length 1\n axis 0 0 0 XYZ\n end\n:hierarchy\n begin\n root leg\n\
    leg toe\n end\n";
pub const AMC: &str =
    ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\nleg 0\n2\nroot 1 2 3 0 0 90\nleg 90\n";

#[test]
fn limbs_rotate_about_their_own_axes() {
    let folder = Folder::new();
    let options = Loader::new().scale(2.0).frame_rate(4.0);
    let (asf, amc) = (folder.write("b.asf", ASF), folder.write("b.amc", AMC));
    let motion = options.amc(&asf, &amc).expect("a motion");
    assert_eq!(motion.ends, [(2, Vector3::new(2.0, 0.0, 0.0))]);
    let mut joints = Joints::new();
    let rest = motion.clips[0].sample(0.0, &mut joints).expect("a time");
    assert!((rest[2].translation.vector - Vector3::new(0.0, -2.0, 0.0)).norm() < 1e-12);
    let bent = motion.clips[0].sample(0.25, &mut joints).expect("a time");
    // The root is at twice (1, 3, 3), rotated to the left; the leg, 4 long and bent about its x,
    // which is y of the world, still points down its parent's y, which is now -x.
    let root = Vector3::new(2.0, 6.0, 6.0);
    assert!((bent[0].translation.vector - root).norm() < 1e-12);
    assert!((bent[2].translation.vector - (root + Vector3::new(4.0, 0.0, 0.0))).norm() < 1e-12);
    let end = bent[2] * nalgebra::Point3::from(motion.ends[0].1);
    assert!((end.coords - (root + Vector3::new(4.0, 0.0, -2.0))).norm() < 1e-12, "{end}");
}

#[test]
fn invalid_asf_and_amc_files_are_refused_by_line() {
    let folder = Folder::new();
    let read =
        |asf: &str, amc: &str| load::amc(folder.write("b.asf", asf), folder.write("b.amc", amc));
    let rows = [
        ("direction 0 -1 0", "direction 0 -1", "line 14: not three numbers"),
        ("90 XYZ", "90 XYW", "line 16: 'W' is not an axis"),
        ("90 XYZ", "90", "line 16: an axis needs three angles and an order"),
        ("length 2", "length inf", "line 15: the length is not a number"),
        ("dof rx", "dof l", "line 17: the degree of freedom 'l' is not supported"),
        ("name toe", "name leg", "line 20: two bones are called 'leg'"),
        (
            "leg toe",
            "leg leg",
            "line 29: bone 'leg' is missing, or is listed twice in the hierarchy",
        ),
        ("root leg\n", "root toe\n", "line 11: bone 'leg' has no parent"),
        ("leg toe", "", "line 20: bone 'toe' has no parent"),
    ];
    refuses_replacements("b.asf", ASF, &rows, |asf| read(asf, AMC));
    let rows = [
        ("leg 0", "arm 0", "line 5: no bone is called 'arm'"),
        ("leg 0", "leg 0 0", "line 5: bone 'leg' has 2 values, 1 expected"),
        ("leg 0", "leg x", "line 5: 'x' is not a number"),
        ("leg 0\n", "", "line 5: frame 1 has no values for bone 'leg'"),
        ("\nleg 90", "", "line 7: frame 2 has no values for bone 'leg'"),
        ("leg 0", "leg 0\nleg 0", "line 6: bone 'leg' occurs twice"),
        ("1\nroot", "root", "line 3: bone 'root' occurs twice in a frame, or before"),
        (AMC, "", "line 1: there are no frames"),
    ];
    refuses_replacements("b.amc", AMC, &rows, |amc| read(ASF, amc));
}
