//! The example `rewind` from outside: a shot hits in the past what the shooter saw and not in the
//! present, a rollback finds the contacts of a fight whose inputs were in time, and no sound starts
//! twice.

use std::collections::BTreeSet;

use support::run_example::{helps, printed, refused};

/// Checks what the example prints, and returns the numbers of sounds that started, that played
/// already, and that stopped.
fn check(answer: &str) -> [usize; 3] {
    let (in_time, late) = answer.split_once("blue's input 8 ticks late\n").expect("two fights");
    let shot = in_time.lines().find(|line| line.contains("shot at")).expect("a shot");
    let hit = |scene: &str| {
        let end = shot.find(&format!(" in the {scene}")).expect("an answer");
        shot[..end].rsplit([':', ',']).next().expect("a name").trim().to_owned()
    };
    assert!(shot.contains("at 8.6") && hit("past").starts_with("runner's "), "{shot}");
    assert!(hit("past") == hit("picture") && hit("past") != hit("present"), "{shot}");

    // Contacts by tick and parts: an input may change the time in the tick, but not the sound.
    let contacts = |text: &str, end: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.trim().strip_suffix(end));
        let lines = lines.map(|line| line.trim_end_matches(" touch"));
        let keys = lines.filter_map(|line| {
            let (tick, rest) = line.split_once(" at ")?;
            Some(format!("{tick}{}", rest.split_once(':')?.1))
        });
        keys.collect()
    };
    let begun: BTreeSet<String> = contacts(in_time, " touch").into_iter().collect();
    let started = contacts(late, ": a sound starts");
    let again = contacts(late, ": its sound plays already");
    let stopped = contacts(late, ": not so, its sound stops");
    let known: BTreeSet<String> = started.iter().cloned().collect();
    assert_eq!(known.len(), started.len(), "no sound starts twice: {late}");
    assert!(again.iter().all(|contact| known.contains(contact)), "{late}");
    let taken_back: BTreeSet<String> = stopped.iter().cloned().collect();
    assert!(taken_back.is_subset(&known) && begun.is_disjoint(&taken_back), "{answer}");
    assert!(known.len() == begun.len() + stopped.len(), "{answer}");
    assert_eq!(late.lines().filter(|line| line.contains("back to the end of tick")).count(), 2);
    [started.len(), again.len(), stopped.len()]
}

#[test]
fn a_shot_hits_in_the_past_and_no_sound_starts_twice() {
    let answer = printed("rewind", &[]);
    assert_eq!(answer, printed("rewind", &[]));
    let [started, again, stopped] = check(&answer);
    assert!(started > 3 && again > 1 && stopped > 0, "{answer}");
}

#[test]
fn the_rewind_example_reads_files_and_has_help() {
    helps("rewind", &["FILE"]);
    assert!(refused("rewind", &["nothing.glb"]).contains("nothing.glb"));
    let Some(data) = support::data::data() else { return };
    for file in ["characters/kaykit-knight/Knight.glb", "characters/fox/Fox.glb"] {
        let file = data.join(file);
        check(&printed("rewind", &[file.to_str().expect("a plain path")]));
    }
}
