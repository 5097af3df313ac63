//! The example of the rotating rectangles: its ticks by another method, and its picture.

type P = [f64; 2];

/// Returns the corners of a rectangle of that size around a position, rotated by degrees,
/// independent of the crate.
fn corners(center: P, size: P, degrees: f64) -> [P; 4] {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[s, t]| {
        let (x, y) = (s * size[0] / 2.0, t * size[1] / 2.0);
        [center[0] + x * cosine - y * sine, center[1] + x * sine + y * cosine]
    })
}

fn at(tick: u32) -> [[P; 4]; 2] {
    let tick = f64::from(tick);
    let first = corners([100.0, 150.0], [30.0, 140.0], 30.0 + 2.0 * tick);
    [first, corners([100.0, 70.0], [40.0, 110.0], 40.0 + tick)]
}

/// Clips one rectangle by the other (Sutherland and Hodgman).
fn clipped(of: &[P; 4], by: &[P; 4]) -> Vec<P> {
    let mut left = of.to_vec();
    for i in 0..4 {
        let (a, b) = (by[i], by[(i + 1) % 4]);
        let side = |p: P| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let mut kept = Vec::new();
        for (k, &p) in left.iter().enumerate() {
            let q = left[(k + 1) % left.len()];
            let (s, t) = (side(p), side(q));
            if s >= 0.0 {
                kept.push(p);
            }
            if s * t < 0.0 {
                let share = s / (s - t);
                kept.push([p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share]);
            }
        }
        left = kept;
    }
    left
}

/// Computes the distance of two rectangles that share no point: corners to edges, in both orders.
fn distance(a: &[P; 4], b: &[P; 4]) -> f64 {
    let to_edge = |p: P, from: P, to: P| {
        let (ex, ey) = (to[0] - from[0], to[1] - from[1]);
        let share = ((p[0] - from[0]) * ex + (p[1] - from[1]) * ey) / (ex * ex + ey * ey);
        let share = share.clamp(0.0, 1.0);
        f64::hypot(p[0] - from[0] - ex * share, p[1] - from[1] - ey * share)
    };
    let one_way = |a: &[P; 4], b: &[P; 4]| {
        let all = a.iter().flat_map(|&p| (0..4).map(move |i| to_edge(p, b[i], b[(i + 1) % 4])));
        all.fold(f64::MAX, f64::min)
    };
    one_way(a, b).min(one_way(b, a))
}

#[test]
fn the_rectangles_are_red_on_the_ticks_of_the_article() {
    let mut nearest = (f64::MAX, 0);
    for tick in 1..=720 {
        let [a, b] = at(tick);
        let [p, q] = crate::plane::rectangles(tick).expect("rectangles");
        let seen = p.corners().map(|c| [c.x, c.y]);
        assert!(seen.iter().flatten().zip(a.iter().flatten()).all(|(x, y)| (x - y).abs() < 1e-9));
        // The nearest miss is far beyond rounding.
        let red = !clipped(&a, &b).is_empty();
        assert_eq!(crate::plane::touch(&p, &q), red, "tick {tick}");
        let in_period = (tick - 1) % 180 + 1;
        assert_eq!(red, matches!(in_period, 55..=107 | 133..=177), "tick {tick}");
        if !red && tick <= 180 {
            let gap = distance(&a, &b);
            assert!(
                (crate::plane::gap(&p, &q) - gap).abs() < 1e-9 || crate::plane::gap(&p, &q) < gap
            );
            nearest = if gap < nearest.0 { (gap, tick) } else { nearest };
        }
    }
    println!("nearest miss: {nearest:?}");
    assert_eq!(nearest.1, 178);
    assert!((nearest.0 - 0.0269).abs() < 5e-5, "{nearest:?}");
}

#[test]
fn the_boxes_repeat_and_the_picture_shows_every_tick() {
    for tick in [0, 17, 100] {
        let (now, later) = (crate::space::boxes(tick), crate::space::boxes(tick + 180));
        let (now, later) = (now.expect("boxes"), later.expect("boxes"));
        for (a, b) in now.iter().zip(&later) {
            assert!((a.corners()[0] - b.corners()[0]).norm() < 1e-9);
        }
    }
    let ticks: Vec<u32> = (1..=180).collect();
    let picture = crate::svg::picture(&ticks).expect("a picture");
    assert!(!picture.contains("<script"));
    // Three attributes of five shapes, 180 values each.
    let values: Vec<&str> = picture.split("values=\"").skip(1).collect();
    assert_eq!(values.len(), 15);
    for list in values {
        let list = list.split('"').next().expect("a list");
        assert_eq!(list.split(';').count(), 180);
    }
    let still = crate::svg::picture(&[60]).expect("a picture");
    assert!(!still.contains("<animate") && still.matches("<path").count() == 5);
}

/// Returns the ticks of a list of runs.
fn ticks(listed: &str) -> Vec<u32> {
    let runs = listed.split(", ").flat_map(|run| {
        let (from, to) = run.split_once('-').expect("from and to");
        let [from, to] = [from, to].map(|tick| tick.parse::<u32>().expect("a tick"));
        from..=to
    });
    runs.collect()
}

/// Returns the volume that the boxes along the axes around the corners of both have in common.
fn region_volume(tick: u32) -> Option<f64> {
    let corners = crate::space::boxes(tick).expect("two boxes").map(|one| one.corners());
    let sides = (0..3).map(|axis| {
        let ends = corners.map(|corners| {
            let values = corners.map(|corner| corner[axis]);
            [
                values.iter().fold(f64::MAX, |a, &b| a.min(b)),
                values.iter().fold(f64::MIN, |a, &b| a.max(b)),
            ]
        });
        let [[low_a, high_a], [low_b, high_b]] = ends;
        high_a.min(high_b) - low_a.max(low_b)
    });
    sides.map(|side| (side >= 0.0).then_some(side)).product()
}

#[test]
fn the_example_prints_when_they_collide_and_writes_its_picture() {
    let out = std::env::temp_dir().join(format!("boxwood-turning-{}.svg", std::process::id()));
    let printed =
        support::run_example::printed("rotating_boxes", &["--out", &out.to_string_lossy()]);
    let collide = |tick| crate::space::boxes(tick).is_ok_and(|[a, b]| a.intersects(&b));
    let lines: Vec<&str> = printed.lines().collect();
    let [plane, miss, space, aligned, region] = lines[..] else { panic!("{printed}") };
    assert_eq!(plane, "rectangles collide on ticks 55-107, 133-177 of 180");
    assert_eq!(miss, "their nearest miss is at tick 178: 0.0269 apart");
    let listed = space.trim_start_matches("boxes collide on ticks ").trim_end_matches(" of 180");
    let in_space = ticks(listed);
    assert!(in_space.iter().copied().eq((1..=180).filter(|&tick| collide(tick))), "{space}");
    // Boxes along the axes by their corners; they overlap wherever the boxes do.
    let listed = aligned.strip_prefix("their AABBs overlap on ticks ").expect("ticks");
    let overlaps: Vec<(u32, f64)> =
        (1..=180).filter_map(|tick| Some((tick, region_volume(tick)?))).collect();
    assert!(ticks(listed).into_iter().eq(overlaps.iter().map(|&(tick, _)| tick)), "{aligned}");
    assert!(in_space.iter().all(|tick| ticks(listed).contains(tick)), "{aligned}");
    let (tick, volume) = overlaps.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("some");
    let expected =
        format!("the largest region of overlap is at tick {tick}: a volume of {volume:.0}");
    assert_eq!(region, expected);
    let picture = std::fs::read_to_string(&out).expect("a picture");
    assert!(std::fs::remove_file(out).is_ok() && picture.starts_with("<svg"));
    // Without a file it prints the same, and a hint to get one.
    let without = support::run_example::printed("rotating_boxes", &[]);
    let hint = without.strip_prefix(&printed).expect("the same lines first");
    assert!(hint.contains("--out") && hint.lines().count() == 1, "{hint}");
    let trouble = support::run_example::refused("rotating_boxes", &["--out", "x", "--tick", "181"]);
    assert!(trouble.contains("from 1 to 180"), "{trouble}");
}

#[test]
fn the_rotating_boxes_example_has_help() {
    support::run_example::helps("rotating_boxes", &["--out", "--tick"]);
}
