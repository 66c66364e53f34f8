//! Runs the shared test vectors through this crate: `vectors [--json] FOLDER`. `Tests/vectors/README.md` is the format,
//! also of what is printed. Ends with 0 when all are the same, 1 when one is not, and 2 when a scenario cannot be played.

mod json;
mod report;
mod run;

use std::process::exit;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_json = arguments.iter().any(|argument| argument == "--json");
    let folders: Vec<&String> = arguments.iter().filter(|argument| *argument != "--json").collect();
    let folder = match folders.as_slice() {
        [folder] if !folder.starts_with('-') => folder,
        _ => {
            eprintln!("usage: vectors [--json] FOLDER");
            exit(2);
        }
    };
    match report::rows(std::path::Path::new(folder)) {
        Ok(rows) => {
            println!("{}", if is_json { report::json(&rows) } else { report::table(&rows) });
            exit(i32::from(rows.iter().any(|row| !row.passes())));
        }
        Err(fault) => {
            eprintln!("{folder}: {fault}");
            exit(2);
        }
    }
}
