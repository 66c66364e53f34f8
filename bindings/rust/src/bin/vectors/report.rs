//! Plays all vectors of a folder, and says what came.

use crate::json::{quoted, Document};
use crate::run;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The first line that differs.
pub struct Difference {
    line: usize,
    byte: usize,
    expected: Option<String>,
    actual: Option<String>,
}

pub enum Outcome {
    Pass,
    Missing(String),
    Differs(Difference),
}

/// The report about one vector.
pub struct Row {
    name: String,
    area: String,
    steps: usize,
    effects: usize,
    outcome: Outcome,
}

impl Row {
    pub fn passes(&self) -> bool {
        matches!(self.outcome, Outcome::Pass)
    }
}

const SCENARIO: &str = ".json";
const EFFECTS: &str = ".effects.jsonl";

/// Of a folder and of those in it, by area and name.
pub fn rows(folder: &Path) -> Result<Vec<Row>, String> {
    let mut names = BTreeSet::new();
    let mut files = files(folder)?;
    let folders: Vec<PathBuf> = files.iter().filter(|path| path.is_dir()).cloned().collect();
    for folder in folders {
        files.extend(self::files(&folder)?);
    }
    let mut count = 0;
    for path in files {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(folder).to_owned();
        if let Some(name) = file.strip_suffix(EFFECTS) {
            names.insert((folder, name.to_owned()));
        } else if let Some(name) = file.strip_suffix(SCENARIO) {
            names.insert((folder, name.to_owned()));
            count += 1;
        }
    }
    if count == 0 {
        return Err("there are no vectors".into());
    }
    let mut rows = names.into_iter().map(|(folder, name)| row(&folder, name)).collect::<Result<Vec<Row>, String>>()?;
    rows.sort_by(|a, b| (&a.area, &a.name).cmp(&(&b.area, &b.name)));
    Ok(rows)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|fault| fault.to_string())?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(|fault| fault.to_string())).collect()
}

fn row(folder: &Path, name: String) -> Result<Row, String> {
    let mut row = Row { name, area: "none".into(), steps: 0, effects: 0, outcome: Outcome::Pass };
    let name = row.name.clone();
    let path = folder.join(format!("{name}{SCENARIO}"));
    // Effects that belong to no scenario: a slip of the pen, and never run otherwise.
    if !path.exists() {
        row.outcome = Outcome::Missing(format!("{name}{SCENARIO}"));
        return Ok(row);
    }
    let text = fs::read_to_string(&path).map_err(|fault| format!("{name}: {fault}"))?;
    let document = Document::read(&text).map_err(|fault| format!("{name}: {fault}"))?;
    let scenario = document.value();
    if scenario.get("name").and_then(|value| value.text()) != Some(&name) {
        return Err(format!("{name}: name: expected the name of the file"));
    }
    let given = run::play(scenario).map_err(|fault| format!("{name}: {fault}"))?;
    row.area = scenario.get("area").and_then(|value| value.text()).unwrap_or("none").into();
    row.steps = scenario.get("inputs").map_or(0, |inputs| inputs.elements().len());
    row.effects = given.matches('\n').count();
    row.outcome = match fs::read(folder.join(format!("{name}{EFFECTS}"))) {
        Err(_) => Outcome::Missing(format!("{name}{EFFECTS}")),
        Ok(wanted) if wanted == given.as_bytes() => Outcome::Pass,
        Ok(wanted) => Outcome::Differs(difference(&wanted, given.as_bytes())),
    };
    Ok(row)
}

fn difference(wanted: &[u8], given: &[u8]) -> Difference {
    let mut lines = (wanted.split(|byte| *byte == b'\n'), given.split(|byte| *byte == b'\n'));
    let text = |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let mut line = 1;
    loop {
        let (expected, actual) = (lines.0.next(), lines.1.next());
        if expected != actual {
            let same = match (expected, actual) {
                (Some(a), Some(b)) => a.iter().zip(b).take_while(|(a, b)| a == b).count(),
                _ => 0,
            };
            return Difference { line, byte: same + 1, expected: text(expected), actual: text(actual) };
        }
        line += 1;
    }
}

/// For people; the same in every language.
pub fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let mut areas: Vec<&str> = rows.iter().map(|row| row.area.as_str()).collect();
    areas.dedup();
    let none = "(no more lines)";
    let mut lines = Vec::new();
    for area in &areas {
        lines.push((*area).to_owned());
        for row in rows.iter().filter(|row| row.area == *area) {
            let word = if row.passes() { "pass" } else { "FAIL" };
            lines.push(format!("  {:width$}  {:5} steps  {:5} effects  {word}", row.name, row.steps, row.effects));
            match &row.outcome {
                Outcome::Pass => {}
                Outcome::Missing(file) => lines.push(format!("    {file} is missing")),
                Outcome::Differs(at) => {
                    lines.push(format!("    line {}, from byte {} on", at.line, at.byte));
                    lines.push(format!("      expected {}", at.expected.as_deref().unwrap_or(none)));
                    lines.push(format!("      actual   {}", at.actual.as_deref().unwrap_or(none)));
                }
            }
        }
    }
    let wide = areas.iter().map(|area| area.len()).chain([5]).max().unwrap_or(5);
    let total = |name: &str, rows: &[&Row]| {
        let steps: usize = rows.iter().map(|row| row.steps).sum();
        let effects: usize = rows.iter().map(|row| row.effects).sum();
        let failed = rows.iter().filter(|row| !row.passes()).count();
        format!("{name:wide$}  {:7}  {steps:5}  {effects:7}  {failed:6}", rows.len())
    };
    lines.push(String::new());
    lines.push(format!("{:wide$}  vectors  steps  effects  failed", "area"));
    for area in &areas {
        let members: Vec<&Row> = rows.iter().filter(|row| row.area == *area).collect();
        lines.push(total(area, &members));
    }
    lines.push(total("total", &rows.iter().collect::<Vec<_>>()));
    let failed = rows.iter().filter(|row| !row.passes()).count();
    lines.push(format!("{} passed, {failed} failed", rows.len() - failed));
    lines.join("\n")
}

/// One object, on one line.
pub fn json(rows: &[Row]) -> String {
    let text = |text: &Option<String>| text.as_deref().map_or("null".to_owned(), quoted);
    let vectors: Vec<String> = rows
        .iter()
        .map(|row| {
            let more = match &row.outcome {
                Outcome::Pass => String::new(),
                Outcome::Missing(file) => format!(",\"missing\":{}", quoted(file)),
                Outcome::Differs(at) => format!(
                    ",\"line\":{},\"byte\":{},\"expected\":{},\"actual\":{}",
                    at.line,
                    at.byte,
                    text(&at.expected),
                    text(&at.actual)
                ),
            };
            format!(
                "{{\"name\":{},\"area\":{},\"steps\":{},\"effects\":{},\"pass\":{}{more}}}",
                quoted(&row.name),
                quoted(&row.area),
                row.steps,
                row.effects,
                row.passes()
            )
        })
        .collect();
    let passed = rows.iter().filter(|row| row.passes()).count();
    format!("{{\"vectors\":[{}],\"passed\":{passed},\"failed\":{}}}", vectors.join(","), rows.len() - passed)
}
