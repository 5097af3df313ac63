//! Hostile maps: a level, or an error that names the file and the line.

use std::path::Path;
use std::time::{Duration, Instant};

use boxwood::Error;
use boxwood::load::{Level, LevelWarning, MapOptions, map_bytes};

use super::cuboid;

use support::prelude::*;

fn read(text: &[u8]) -> Result<Level, Error> {
    map_bytes(text, &MapOptions::quake())
}

/// Error with which a map is refused.
fn refused(text: &str) -> String {
    match read(text.as_bytes()) {
        Err(Error::File { path, trouble }) => {
            assert_eq!(path, Path::new("bytes in memory"));
            assert!(!trouble.contains(char::is_control) && trouble.len() < 400, "{trouble}");
            trouble
        }
        other => panic!("{:?}", other.map(|level| level.warnings)),
    }
}

/// Returns a world of one brush.
fn world(brush: &str) -> String {
    format!("{{\n\"classname\" \"worldspawn\"\n{brush}}}\n")
}

#[test]
fn misplaced_words_are_refused() {
    let good = world(&cuboid([0.0; 3], [64.0; 3], "wall"));
    assert!(read(good.as_bytes()).is_ok_and(|level| level.warnings.is_empty()));
    for (from, to, trouble) in [
        ("( 0 0 0 )", "( 0 zero 0 )", "line 4: Expected number, got `zero`"),
        ("( 0 0 0 )", "( 0 0 )", "line 4: Expected number, got `)`"),
        ("( 0 0 0 )", "(0 0 0)", "line 4: Expected `(`, got `(0`"),
        ("{\n\"class", "\"class", "line 1: Expected `{`"),
        ("worldspawn\"", "worldspawn", "line 12: Missing closing quote"),
        ("\"classname\"", "\"classname", "line 2: Expected quoted, got `worldspawn"),
        ("}\n}\n", "}\n", "line 11: Unexpected end-of-file"),
        ("}\n}\n", "}\n}\n}\n", "line 12: Expected `{`, got `}`"),
        ("wall", "wall\0", "line 4: Null byte"),
        ("wall", "wall [ 1 0 0", "line 4: Expected"),
        ("{\n( 0", "{\nbrushDef\n( 0", "line 4: Expected `(` or `}`, got `brushDef`; brush prim"),
        ("{\n( 0", "{\npatchDef2\n( 0", "line 4: Expected `(` or `}`, got `patchDef2`; brush"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from}");
        let found = refused(&bad);
        assert!(found.starts_with(trouble), "{from} -> {to}: '{found}' is not '{trouble}'");
    }
    let long = good.replacen("( 0 0 0 )", &format!("( {} 0 0 )", "\u{7}9x".repeat(99_999)), 1);
    assert!(refused(&long).starts_with("line 4: Expected number, got ` 9x"));
}

#[test]
fn numbers_out_of_range_omit_their_brush() {
    let (good, bad) = (cuboid([0.0; 3], [64.0; 3], "wall"), ["nan", "-inf", "1e999", "1e308"]);
    let bad = bad.into_iter().chain(["-1e75", "1e31", "infinity", "1073741825"]);
    for number in bad {
        let brushes = format!("{}{good}", good.replacen("64", number, 1));
        let level = read(world(&brushes).as_bytes()).expect("a level");
        assert_eq!(level.entities[0].brushes.len(), 1, "{number}");
        assert!(matches!(&level.warnings[..], [LevelWarning::BadBrush { .. }]), "{number}");
    }
    // Other notations of valid numbers.
    for number in ["64.000000000000001", "6.4e1", "064", "+64", "64.", "63.99999"] {
        let level = read(world(&good.replacen("64", number, 1)).as_bytes()).expect("a level");
        assert_eq!(level.warnings, [], "{number}");
    }
}

#[test]
fn deep_and_endless_text_is_refused() {
    let many = 200_000;
    refused(&"{ ".repeat(many));
    refused(&"} ".repeat(many));
    refused(&world(&"{ ".repeat(many)));
    refused(&world(&format!("{{ {}", "( ".repeat(many))));
    refused(&format!("{{ \"{}", "x".repeat(1 << 20)));
    refused(&"x".repeat(1 << 20));
    // Cheap to write, expensive to store.
    let dear = "more than 131072 entities or brushes";
    assert!(refused(&world(&"{ }\n".repeat(many))).ends_with(dear));
    assert!(refused(&"{ }\n".repeat(many)).ends_with(dear));
    let level = read("{ }\n".repeat(1000).as_bytes()).expect("a level");
    assert_eq!((level.entities.len(), level.warnings.len()), (1000, 1000));
    assert_eq!(read(b"").expect("a level").entities.len(), 0);
    assert_eq!(read(b"// nothing").expect("a level").entities.len(), 0);
    let keys = "\"a\" \"b\"\n".repeat(many);
    let level = read(format!("{{ {keys} }}").as_bytes()).expect("a level");
    assert_eq!((level.entities[0].properties.len(), level.warnings.len()), (many, 2));
}

#[test]
fn long_chains_of_groups() {
    let group = |i: usize| {
        let next = i + 1;
        format!("{{ \"classname\" \"func_group\" \"_tb_id\" \"{i}\" \"_tb_group\" \"{next}\" }}\n")
    };
    let text: String = (0..50_000).map(group).collect();
    let level = read(text.as_bytes()).expect("a level");
    assert_eq!((level.entities.len(), level.warnings.len()), (50_000, 1));
}

/// Returns a brush of the given number of planes that touch a ball.
fn ball(planes: usize) -> String {
    let mut random = Random(7);
    let mut brush = String::from("{\n");
    for _ in 0..planes {
        let mut number = || (random.below(2001) as f64 - 1000.0) / 1000.0;
        let n = [number(), number(), number() + 1e-6];
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let p = n.map(|x| 512.0 * x / length);
        // Two directions across, u x v along n.
        let u = [n[1], -n[0], 0.0];
        let u = if n[0] == 0.0 && n[1] == 0.0 { [1.0, 0.0, 0.0] } else { u };
        let v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
        for point in [u, [0.0; 3], v] {
            let [x, y, z] = [0, 1, 2].map(|i| p[i] + point[i]);
            brush += &format!("( {x} {y} {z} ) ");
        }
        brush += "wall 0 0 0 1 1\n";
    }
    brush + "}\n"
}

#[test]
fn brushes_of_many_planes() {
    let start = Instant::now();
    let level = read(world(&ball(100_000)).as_bytes()).expect("a level");
    let [LevelWarning::BadBrush { trouble, .. }] = &level.warnings[..] else { panic!() };
    assert_eq!(trouble, "the brush has 100000 faces, more than 1024");
    let level = read(world(&ball(256).repeat(8)).as_bytes()).expect("a level");
    eprintln!("{:?}, {} warnings", start.elapsed(), level.warnings.len());
    let kept = level.entities[0].brushes.len();
    assert_eq!(kept, 8, "{:?}", level.warnings);
    assert!(start.elapsed() < Duration::from_secs(20));
}
