//! Configurations of a robot in a text: one a line, values separated by commas, semicolons, tabs or
//! spaces. A first line of names gives the order of the values. Empty lines and those that begin
//! with `#` are left out.

use std::path::Path;

use boxwood::motion::Mechanism;
use boxwood::{Error, Pose};

use crate::any_file::standard_input;

/// Reader of one text.
struct RowReader<'m> {
    mechanism: &'m Mechanism,
    /// Actuator of each column.
    order: Vec<usize>,
    rows: Vec<Vec<f32>>,
    poses: Vec<Pose>,
}

/// Reads all configurations of a file, or of standard input. Errors name line and column, from 1.
pub fn read(file: &Path, mechanism: &Mechanism) -> Result<Vec<Vec<f32>>, String> {
    let bytes = standard_input::bytes(file)?;
    let name = standard_input::shown_name(file);
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        format!("{name}: line {}: it is not UTF-8", line + 1)
    })?;
    let order = (0..mechanism.actuators().len()).collect();
    let mut reader = RowReader { mechanism, order, rows: Vec::new(), poses: Vec::new() };
    let text = text.trim_start_matches('\u{feff}');
    let mut is_first = true;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let words = words(line);
        let is_head = is_first && words.iter().all(|word| word.parse::<f64>().is_err());
        let read = if is_head { reader.head(&words) } else { reader.row(&words) };
        read.map_err(|why| format!("{name}: line {}{why}", index + 1))?;
        is_first = false;
    }
    match reader.rows.is_empty() {
        true => Err(format!("{name}: it has no configuration")),
        false => Ok(reader.rows),
    }
}

/// Returns the words of a line, without the spaces around them.
fn words(line: &str) -> Vec<&str> {
    match line.contains([',', ';']) {
        true => line.split([',', ';']).map(str::trim).collect(),
        false => line.split_whitespace().collect(),
    }
}

impl RowReader<'_> {
    fn names(&self) -> String {
        let names = self.mechanism.actuators().iter().map(|actuator| actuator.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    /// Checks the number of words of a line.
    fn check_count(&self, words: &[&str], what: &str) -> Result<(), String> {
        let expected = self.mechanism.actuators().len();
        match words.len() == expected {
            true => Ok(()),
            false => {
                let names = self.names();
                Err(format!(": {} {what}, {expected} expected: {names}", words.len()))
            }
        }
    }

    /// Reads the line of names.
    fn head(&mut self, words: &[&str]) -> Result<(), String> {
        let mut order = Vec::new();
        for (column, word) in words.iter().enumerate() {
            let at = |why: String| format!(", column {}: {why}", column + 1);
            let index = self.mechanism.actuator(word.trim_matches('"'));
            let index = index.map_err(|error| at(error.to_string()))?;
            if order.contains(&index) {
                return Err(at(format!("'{word}' is named twice")));
            }
            order.push(index);
        }
        self.check_count(words, "names")?;
        self.order = order;
        Ok(())
    }

    /// Reads a configuration.
    fn row(&mut self, words: &[&str]) -> Result<(), String> {
        let mut values = vec![0.0; self.mechanism.actuators().len()];
        for (column, word) in words.iter().enumerate() {
            let value: Option<f64> = word.parse().ok().filter(|value: &f64| value.is_finite());
            let value = value.ok_or_else(|| {
                format!(", column {}: '{word}' is not a finite number", column + 1)
            })?;
            if let Some(&index) = self.order.get(column) {
                values[index] = value as f32;
            }
        }
        self.check_count(words, "values")?;
        let posed = self.mechanism.poses(&values, &mut self.poses);
        posed.map_err(|error| match self.column(&error) {
            Some(column) => format!(", column {}: {error}", column + 1),
            None => format!(": {error}"),
        })?;
        self.rows.push(values);
        Ok(())
    }

    /// Returns the column of the value that an error is about.
    fn column(&self, error: &Error) -> Option<usize> {
        let (Error::BeyondLimits { actuator: name, .. } | Error::Part { part: name, .. }) = error
        else {
            return None;
        };
        let index = self.mechanism.actuator(name).ok()?;
        self.order.iter().position(|&own| own == index)
    }
}
