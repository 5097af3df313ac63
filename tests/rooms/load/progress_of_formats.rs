//! Progress of every format, from files and from memory: reported from 0 to 1, and stopped at any
//! report.

use std::cell::RefCell;
use std::ops::ControlFlow;

use boxwood::Error;
use boxwood::load::{Loader, Progress, Stage};

use super::samples::{Any, FORMATS, Format, Sample};
use support::folder::Folder;
use support::prelude::*;

/// Returns the reports until the given number stops the work, and its result.
fn heard<T: Scalar>(
    most: usize,
    load: impl Fn(&Loader<'_, T>) -> Result<Any<T>, Error>,
) -> (Vec<Progress>, Result<Any<T>, Error>) {
    let said = RefCell::new(Vec::new());
    let hear = |now: Progress| {
        let mut said = said.borrow_mut();
        assert!(said.len() < most, "it went on after it was stopped");
        said.push(now);
        if said.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let result = load(&Loader::new().progress(&hear));
    (said.into_inner(), result)
}

/// Returns `true` if a format builds trees.
fn builds(format: Format) -> bool {
    !matches!(format, Format::Bvh | Format::Amc | Format::Baked)
}

fn ascending(said: &[Progress], format: Format) {
    let first = said.first().expect("a word");
    assert_eq!((first.stage, first.done, first.total), (Stage::Reading, 0, 1));
    for two in said.windows(2) {
        let [a, b] = [two[0], two[1]];
        assert!(a.stage < b.stage || a.stage == b.stage && a.done < b.done && a.total == b.total);
    }
    for stage in [Stage::Reading, Stage::Building] {
        let own: Vec<&Progress> = said.iter().filter(|now| now.stage == stage).collect();
        if stage == Stage::Building && !builds(format) {
            assert!(own.is_empty());
            continue;
        }
        let (first, last) = (own.first().expect("a word"), own.last().expect("a word"));
        assert_eq!((first.done, last.done), (0, last.total), "{format:?} {stage:?}");
    }
    assert!(said.len() < 300);
}

fn every_format<T: Scalar>() {
    let folder = Folder::new();
    for format in FORMATS {
        let sample = Sample::small::<T>(format, &folder);
        let read_file = |loader: &Loader<'_, T>| sample.read_file(loader);
        let read_bytes = |loader: &Loader<'_, T>| sample.read_bytes(loader);
        let (told, plain) = heard(usize::MAX, read_file);
        ascending(&told, format);
        assert!(plain.expect("a good file") == read_file(&Loader::new()).expect("a good file"));
        let (again, plain) = heard(usize::MAX, read_bytes);
        assert_eq!(again, told);
        assert!(plain.expect("good bytes") == read_bytes(&Loader::new()).expect("good bytes"));
        for most in 1..=told.len() {
            let stopped = [heard(most, read_file), heard(most, read_bytes)];
            for (said, result) in stopped {
                assert!(matches!(result, Err(Error::Cancelled)), "{format:?} at {most}");
                assert_eq!(said, told[..most]);
            }
        }
    }
}

#[test]
fn every_format_reports_progress_and_stops_at_any_report() {
    every_format::<f32>();
    if support::proof::factor() >= 1.0 {
        every_format::<f64>();
    }
}

/// Checks that an invalid file is an error, whatever is reported, but that a stop comes first.
#[test]
fn errors_and_stops_are_distinguished() {
    let folder = Folder::new();
    for format in FORMATS {
        let good = Sample::small::<f32>(format, &folder);
        let bytes = good.bytes.iter().map(|_| b"nothing of the kind".to_vec()).collect();
        let bad = Sample { bytes, ..good };
        let (said, wrong) = heard::<f32>(usize::MAX, |loader| bad.read_bytes(loader));
        assert!(matches!(wrong, Err(Error::File { .. })), "{format:?}");
        assert_eq!(said.len(), 1);
        let (_, stopped) = heard::<f32>(1, |loader| bad.read_bytes(loader));
        assert!(matches!(stopped, Err(Error::Cancelled)));
    }
}

/// Checks that a stop leaves no state: the same loader loads the next file.
#[test]
fn a_stopped_loader_loads_the_next_file() {
    let (folder, count) = (Folder::new(), RefCell::new(0));
    let hear = |_: Progress| {
        *count.borrow_mut() += 1;
        if *count.borrow() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let loader = Loader::<f32>::new().progress(&hear);
    let sample = Sample::small::<f32>(Format::Gltf, &folder);
    assert!(matches!(sample.read_file(&loader), Err(Error::Cancelled)));
    let found = sample.read_file(&loader).expect("a good file");
    assert!(found == sample.read_file(&Loader::new()).expect("a good file"));
    // Its copy reports to the same function.
    let before = *count.borrow();
    assert!(sample.read_bytes(&loader.clone()).is_ok() && *count.borrow() > before);
}
