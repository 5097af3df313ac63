//! Progress: long work reports its fraction done, and stops on request.

use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use boxwood::load::{Loaded, Loader, Progress, Robot, Stage, Watch};
use boxwood::tree::{Build, Geometry, ObbTree, Split};
use boxwood::{Error, Mesh, Model};

use support::prelude::*;

/// Builds a strip of triangles.
fn strip(triangles: u32) -> Mesh {
    let corner = |i: u32| Point3::new((i / 2) as f32, (i % 2) as f32, (i * i % 7) as f32 * 0.1);
    let vertices = (0..triangles + 2).map(corner).collect();
    Mesh::new(vertices, (0..triangles).map(|i| [i, i + 1, i + 2]).collect()).expect("a mesh")
}

/// Returns the reports of work that is stopped after a number of them, and its result.
fn heard<R>(
    most: usize,
    work: impl FnOnce(&mut Watch<'_>) -> Result<R, Error>,
) -> (Vec<Progress>, Result<R, Error>) {
    let mut said = Vec::new();
    let result = work(&mut |now| {
        assert!(said.len() < most, "it went on after it was stopped");
        said.push(now);
        if said.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (said, result)
}

/// Runs a loader with a progress callback.
fn with<R>(watch: &mut Watch<'_>, work: impl FnOnce(&Loader<'_>) -> R) -> R {
    let watch = RefCell::new(watch);
    work(&Loader::new().progress(&|now| (watch.borrow_mut())(now)))
}

/// Asserts that fractions rise from 0 to 1, stage after stage.
fn ascending(said: &[Progress], stages: &[Stage]) {
    for pair in said.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        assert!(a.stage < b.stage || (a.stage == b.stage && a.done < b.done && a.total == b.total));
    }
    for stage in stages {
        let own: Vec<&Progress> = said.iter().filter(|now| now.stage == *stage).collect();
        let (first, last) = (own.first().expect("a word"), own.last().expect("a word"));
        assert_eq!((first.done, last.done), (0, last.total), "{stage:?}");
    }
    assert!(said.len() < 300 && said.iter().all(|now| stages.contains(&now.stage)));
}

#[test]
fn tree_builds_report_every_fraction() {
    for split in [Split::Median, Split::AreaMedian, Split::Mean, Split::Sah, Split::BottomUp] {
        for count in [1, 2, 100, 3000] {
            let build = Build::default().split(split);
            let geometry = || Geometry::Surface(strip(count));
            let watched = |watch: &mut Watch<'_>| ObbTree::build_watched(geometry(), &build, watch);
            let (said, tree) = heard(usize::MAX, watched);
            ascending(&said, &[Stage::Building]);
            assert_eq!(said[0].total, 2 * count as usize);
            assert_eq!(tree, ObbTree::build(geometry(), &build));
            for most in [1, said.len() / 2, said.len() - 1, said.len()] {
                let (_, stopped) = heard(most.max(1), watched);
                assert_eq!(stopped, Err(Error::Cancelled), "{split:?} {count} {most}");
            }
        }
    }
}

#[test]
fn bounds_by_corners_report_progress_and_can_be_stopped() {
    let watched = |watch: &mut Watch<'_>| {
        ObbTree::build_watched(Geometry::Surface(strip(40_000)), &Build::fast(), watch)
    };
    let (said, _) = heard(usize::MAX, watched);
    ascending(&said, &[Stage::Building]);
    let within = |now: &&Progress| 10 * now.done > 6 * now.total && 10 * now.done < 9 * now.total;
    assert!(said.iter().filter(within).count() > 1);
    let most = said.iter().position(|now| within(&now)).expect("a word") + 1;
    assert_eq!(heard(most, watched).1, Err(Error::Cancelled));
}

#[test]
fn progress_of_models_counts_all_parts() {
    let builder = Model::builder()
        .part("a", None, Geometry::Surface(strip(300)))
        .part("none", Some("a"), Geometry::None)
        .part("b", Some("none"), Geometry::Surface(strip(700)));
    let build = Build::default();
    let (said, model) =
        heard(usize::MAX, |watch: &mut Watch<'_>| builder.clone().build_watched(&build, watch));
    ascending(&said, &[Stage::Building]);
    assert_eq!(said[0].total, 2000);
    assert_eq!(model.expect("a model"), builder.clone().build(&build).expect("a model"));
    for most in (1..=said.len()).step_by(support::proof::step(1, 5)) {
        let (_, stopped) =
            heard(most, |watch: &mut Watch<'_>| builder.clone().build_watched(&build, watch));
        assert_eq!(stopped.map(|_| ()), Err(Error::Cancelled));
    }
}

/// Writes a file for one test.
fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("boxwood-{}-{name}", std::process::id()));
    std::fs::File::create(&path).and_then(|mut file| file.write_all(text.as_bytes())).expect(name);
    path
}

#[test]
fn progress_of_files_has_reading_and_building() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let path = file("progress.obj", text);
    let stages = [Stage::Reading, Stage::Building];
    let (said, loaded) = heard(usize::MAX, |watch| with(watch, |loader| loader.obj(&path)));
    ascending(&said, &stages);
    let plain: Loaded<f32> = Loader::new().obj(&path).expect("a character");
    assert_eq!(loaded.expect("a character").model, plain.model);
    for most in 1..=said.len() {
        let (_, stopped) = heard(most, |watch| with(watch, |loader| loader.obj(&path)));
        assert_eq!(stopped.map(|_| ()), Err(Error::Cancelled), "{most}");
    }
    std::fs::remove_file(&path).expect("it was there");
    // A file that cannot be read is an error, not a stop.
    let (said, gone) = heard(usize::MAX, |watch| with(watch, |loader| loader.obj(&path)));
    assert!(matches!(gone, Err(Error::File { .. })) && said.len() == 1);
}

#[test]
fn robots_and_characters_report_progress() {
    let text = "<robot name='r'><link name='a'><collision><geometry><box size='1 1 1'/></geometry></collision></link></robot>";
    let path = file("progress.urdf", text);
    let (said, robot) = heard(usize::MAX, |watch| with(watch, |loader| loader.urdf(&path)));
    ascending(&said, &[Stage::Reading, Stage::Building]);
    let robot: Robot<f32> = robot.expect("a robot");
    assert_eq!(robot.model.len(), 1);
    for most in 1..=said.len() {
        let (_, stopped) = heard(most, |watch| with(watch, |loader| loader.urdf(&path)));
        assert_eq!(stopped.map(|_| ()), Err(Error::Cancelled), "{most}");
    }
    std::fs::remove_file(&path).expect("it was there");
    let text = "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>";
    let path = file("progress.xml", text);
    let (said, robot) = heard(usize::MAX, |watch| with(watch, |loader| loader.mjcf(&path)));
    ascending(&said, &[Stage::Reading, Stage::Building]);
    let robot: Robot<f32> = robot.expect("a robot");
    assert_eq!(robot.model.len(), 1);
    let (_, stopped) = heard(said.len() / 2, |watch| with(watch, |loader| loader.mjcf(&path)));
    assert_eq!(stopped.map(|_| ()), Err(Error::Cancelled));
    std::fs::remove_file(&path).expect("it was there");
    let Some(data) = support::data::data() else { return };
    let path = data.join("characters/fox/Fox.glb");
    let watched = |watch: &mut Watch<'_>| with(watch, |loader| loader.gltf(&path));
    let (said, fox) = heard(usize::MAX, watched);
    ascending(&said, &[Stage::Reading, Stage::Building]);
    assert!(fox.is_ok() && said.len() > 50, "{}", said.len());
    for most in [1, 2, 3, said.len() / 2] {
        let (_, stopped) = heard(most, watched);
        assert_eq!(stopped.map(|_| ()), Err(Error::Cancelled), "{most}");
    }
}
