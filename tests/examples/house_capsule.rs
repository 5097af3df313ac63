//! The example `house_capsule` from outside: the walk slides along the wall, enters by the door and
//! ends in a corner, and is in no wall.

use support::run_example::{helps, printed, refused};

/// Radius of the capsule [m].
const RADIUS: f64 = 0.3;

/// A printed step: position, length, distance from the nearest triangle [m], and what is hit.
struct Row {
    at: [f64; 3],
    length: f64,
    free: f64,
    hits: String,
}

fn rows(answer: &str) -> Vec<Row> {
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Vec<f64> = words.iter().take(6).filter_map(|word| word.parse().ok()).collect();
        let [_, x, y, z, length, free] = numbers[..] else { panic!("{line}") };
        Row { at: [x, y, z], length, free: free / 1000.0, hits: words[6..].join(" ") }
    };
    answer.lines().skip(1).filter(|line| !line.starts_with("no picture")).map(row).collect()
}

#[test]
fn the_capsule_slides_enters_by_the_door_and_is_in_no_wall() {
    let answer = printed("house_capsule", &[]);
    assert_eq!(answer, printed("house_capsule", &[]));
    let rows = rows(&answer);
    assert_eq!(rows.len(), 70);
    for row in &rows {
        // Up to rounding, the skin of a millimetre is left.
        assert!(row.free > 0.9e-3, "{answer}");
        let [x, y, _] = row.at;
        // Walls by hand: the front one has its door at x from 2.4 to 3.4.
        let in_front_wall = (-RADIUS..0.2 + RADIUS).contains(&y) && (0.0..6.2).contains(&x);
        assert!(!in_front_wall || (2.4..=3.4).contains(&x), "{answer}");
        assert!(y < 4.0 - RADIUS, "{answer}");
    }
    // Along the front wall the step keeps its part along the wall, 0.1 m.
    let sliding: Vec<&Row> = rows.iter().filter(|row| row.hits == "front wall, floor").collect();
    assert!(sliding.len() > 3, "{answer}");
    assert!(sliding.iter().all(|row| (row.length - 0.1).abs() < 1e-3 && row.at[1] < -RADIUS));
    // It enters, and ends in the corner of the back wall and the cupboard.
    assert!(rows.iter().any(|row| row.at[1] > 1.0));
    let last = rows.last().expect("a row");
    assert!(last.hits.contains("cupboard") && last.hits.contains("back wall"), "{answer}");
    assert!(last.length < 1e-3 && (last.at[0] - (3.8 - RADIUS)).abs() < 2e-3, "{answer}");
}

#[test]
fn house_capsule_draws_reads_a_house_and_has_help() {
    let folder = support::folder::Folder::new();
    let picture = folder.path("house.svg");
    let words = ["--svg", picture.to_str().expect("a plain path")];
    printed("house_capsule", &words);
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    assert!(drawn.ends_with("</svg>\n") && drawn.matches("<circle").count() == 70, "{drawn}");
    assert!(drawn.contains(">1 m<") && drawn.contains("#c0392b"));
    // A floor and a wall across the way: the capsule stops and slides along.
    let text = "v -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nv -9 -8 0\nv 9 -8 0\nv 9 -8 9\nv -9 -8 9\n\
                f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\n";
    let file = folder.write("wall.obj", text);
    let file = file.to_str().expect("a plain path");
    let walked = rows(&printed("house_capsule", &[file]));
    let last = walked.last().expect("a row").at;
    assert!(last[1] < -8.0 - RADIUS && last[0] > 1.0, "{last:?}");
    assert!(refused("house_capsule", &["nothing.obj"]).contains("nothing.obj"));
    assert!(refused("house_capsule", &["--svg"]).contains("--svg"));
    helps("house_capsule", &["FILE", "--svg"]);
}
