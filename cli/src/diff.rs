//! The command `boxwood diff`: what is different in two files of characters, robots or levels.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

use boxwood::load::Loader;

use crate::any_file::{self, ending, standard_input};
use crate::arguments::DiffFiles;
use crate::bar;
use crate::file_items::{self, Item};
use crate::inspect_level;
use crate::level_items;
use crate::refusal::{Refusal, complain};
use crate::report::{self, Compared, Difference};

/// Prints every difference; the refusal [`Refusal::Different`] if there is one.
pub fn run(asked: &DiffFiles, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    // A refused file is no difference: exit code 1 is taken.
    let found = compared(asked).map_err(|refusal| match refusal {
        Refusal::File(why) => Refusal::Trouble(why),
        other => other,
    })?;
    match json {
        true => report::line(&found, out)?,
        false => tell(&found, out)?,
    }
    match found.equal {
        true => Ok(()),
        false => Err(Refusal::Different),
    }
}

fn compared(asked: &DiffFiles) -> Result<Compared, Refusal> {
    let files = [&asked.a, &asked.b];
    if files.iter().all(|file| standard_input::is_named(file)) {
        return Err(Refusal::Usage("only one file can be standard input".to_owned()));
    }
    let items = [load(asked, &asked.a)?, load(asked, &asked.b)?];
    let differences = differences(&items);
    let [a, b] = files.map(|file| report::name(file));
    Ok(Compared { a, b, equal: differences.is_empty(), differences })
}

/// Loads a file as a list of its items.
fn load(asked: &DiffFiles, file: &Path) -> Result<Vec<Item>, Refusal> {
    let bar = bar::bar();
    let loader = Loader::new().allow_empty(asked.reading.allow_empty).progress(&bar);
    let wishes = asked.reading.wishes();
    any_file::check_ending(file, &any_file::endings_with_levels())?;
    if ending(file) == "map" {
        // In the lengths of the map, which its editor shows.
        let level = inspect_level::level(file, 1.0)?;
        inspect_level::words(&level).iter().for_each(|warning| complain(warning));
        return Ok(level_items::of_level(&level));
    }
    let (items, warnings) = match any_file::is_robot(file) {
        true => {
            let robot = any_file::robot(file, &loader, wishes)?;
            (file_items::of_robot(&robot), robot.warnings)
        }
        false => {
            let loaded = any_file::load_with(file, &loader, wishes)?;
            (file_items::of_character(&loaded), loaded.warnings)
        }
    };
    warnings.iter().for_each(|warning| complain(&warning.to_string()));
    Ok(items)
}

/// Returns all differences: those of the first file's items in their order, then the items that
/// only the second has.
fn differences([a, b]: &[Vec<Item>; 2]) -> Vec<Difference> {
    let by_name = |items: &[Item]| -> BTreeMap<(&'static str, String), usize> {
        let key = |(index, item): (usize, &Item)| ((item.kind, item.name.clone()), index);
        items.iter().enumerate().map(key).collect()
    };
    let others = by_name(b);
    let mut found = Vec::new();
    for item in a {
        match others.get(&(item.kind, item.name.clone())) {
            Some(&other) => fields(item, &b[other], &mut found),
            None => found.push(only_in("a", item)),
        }
    }
    let own: BTreeSet<_> = by_name(a).into_keys().collect();
    let only_b = b.iter().filter(|item| !own.contains(&(item.kind, item.name.clone())));
    found.extend(only_b.map(|item| only_in("b", item)));
    found
}

fn only_in(side: &'static str, item: &Item) -> Difference {
    let (kind, name) = (item.kind, item.name.clone());
    Difference { kind, name, only_in: Some(side), field: None, a: None, b: None }
}

/// Adds the fields that two items of one name have with different values.
fn fields(a: &Item, b: &Item, found: &mut Vec<Difference>) {
    let value = |item: &Item, field: &str| {
        let mut fields = item.fields.iter();
        fields.find(|(name, _)| name == field).map(|(_, value)| value.clone())
    };
    let of_b = b.fields.iter().map(|(name, _)| name);
    let more = of_b.filter(|field| value(a, field).is_none());
    for field in a.fields.iter().map(|(name, _)| name).chain(more) {
        let values = [value(a, field), value(b, field)];
        if values[0] != values[1] {
            let [a_value, b_value] = values;
            let (kind, name, field) = (a.kind, a.name.clone(), Some(field.clone()));
            found.push(Difference { kind, name, only_in: None, field, a: a_value, b: b_value });
        }
    }
}

/// Prints a table: a line a difference, with a column for each file.
fn tell(found: &Compared, out: &mut dyn Write) -> io::Result<()> {
    if found.equal {
        return writeln!(out, "{} and {} are equal", found.a, found.b);
    }
    let row = |difference: &Difference| {
        let Difference { kind, name, only_in, field, a, b } = difference;
        let what = [kind, name.as_str(), field.as_deref().unwrap_or_default()];
        let what = what.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>();
        let cell = |side: &str, value: &Option<String>| match (only_in, value) {
            (Some(only), _) => if *only == side { "there" } else { "-" }.to_owned(),
            (None, value) => value.clone().unwrap_or_else(|| "-".to_owned()),
        };
        [what.join(" "), cell("a", a), cell("b", b)]
    };
    let head = [String::new(), found.a.clone(), found.b.clone()];
    let rows: Vec<[String; 3]> =
        [head].into_iter().chain(found.differences.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let [first, second] = [0, 1].map(|column| width(column).unwrap_or(0));
    for [what, a, b] in &rows {
        writeln!(out, "{what:<first$}  {a:<second$}  {b}")?;
    }
    writeln!(out, "{} differences", found.differences.len())
}
