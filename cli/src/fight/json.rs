//! JSON, as text: hits and pushes a line each.

use std::fmt::Write as _;
use std::io::Write;

use boxwood::NodeRef;

use super::play::Frame;

/// Writes one object a hit, one a line.
pub fn hits(frame: &Frame<'_>, file: &mut dyn Write) -> std::io::Result<()> {
    for hit in frame.hits {
        writeln!(
            file,
            "{{\"frame\":{},\"a\":{},\"b\":{},\"point\":{},\"point_error\":{},\"normal\":{},\
             \"depth\":{},\"slack\":{}}}",
            frame.number,
            site(frame, hit.a)?,
            site(frame, hit.b)?,
            list(hit.point.iter()),
            hit.point_error,
            list(hit.normal.iter()),
            hit.depth,
            hit.slack,
        )?;
    }
    Ok(())
}

/// Writes one object with all numbers that a check of the push needs: the parts that separate last,
/// their points, and the translation of blue.
pub fn push(frame: &Frame<'_>, file: &mut dyn Write) -> std::io::Result<()> {
    let Some(push) = frame.push else { return Ok(()) };
    let part =
        |site| format!("{{\"part\":{},\"node\":{}}}", text(frame.part_name(site)), site.node);
    writeln!(
        file,
        "{{\"frame\":{},\"push\":{{\"a\":{},\"b\":{},\"normal\":{},\"depth\":{},\"on_a\":{},\
         \"on_b\":{}}}}}",
        frame.number,
        part(push.a),
        part(push.b),
        list(push.normal.iter()),
        push.depth,
        list(push.on_a.iter()),
        list(push.on_b.iter()),
    )
}

fn site(frame: &Frame<'_>, site: NodeRef) -> std::io::Result<String> {
    let world = frame.now.node_obb(site).map_err(std::io::Error::other)?;
    let axes = world.axes();
    let axes: Vec<String> = axes.column_iter().map(|axis| list(axis.iter())).collect();
    Ok(format!(
        "{{\"character\":{},\"part\":{},\"node\":{},\"box\":{{\"center\":{},\"axes\":[{}],\
         \"half_extents\":{}}}}}",
        frame.side(site),
        text(frame.part_name(site)),
        site.node,
        list(world.center().iter()),
        axes.join(","),
        list(world.half_extents().iter()),
    ))
}

/// Formats a list of numbers.
pub fn list<'a, N: std::fmt::Display + 'a>(numbers: impl Iterator<Item = &'a N>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// Formats a JSON string.
pub fn text(of: &str) -> String {
    let mut out = String::from("\"");
    for character in of.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            control if (control as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
