//! Where the pages lead: files, functions, links, and the map of the source.

use std::{collections::BTreeSet, fs, path::PathBuf};

use super::{PAGES, Section, folders, read, root, sections};

fn is_path(span: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let folder = ["crates/", "docs/", "testdata", "xtask"].iter().any(|top| span.starts_with(top));
    let file = [".rs", ".js", ".md", ".toml"].iter().any(|ending| span.ends_with(ending));
    span.chars().all(plain) && (folder || file)
}

/// A path as a page names it, and the functions that an arrow leads to from there.
struct Named {
    path: String,
    functions: Vec<String>,
}

/// The folder that a heading names, if it names one.
fn folder_of(heading: &str) -> Option<String> {
    let folder = heading.split('`').nth(1)?;
    root().join(folder).is_dir().then(|| folder.into())
}

/// The paths of a section, each from the root or from the folder that the heading names.
fn named_in(section: &Section) -> Vec<Named> {
    let Section { heading, body, .. } = section;
    let folder = folder_of(heading);
    let pieces: Vec<&str> = body.split('`').collect();
    assert!(pieces.len() % 2 == 1, "an odd number of backquotes under '{heading}'");
    // A folder below another is told from other words by its slash.
    let is_path = |span: &str| is_path(span) || folder.is_some() && span.ends_with('/');
    let mut all = vec![];
    for i in (1..pieces.len()).step_by(2).filter(|i| is_path(pieces[*i])) {
        let below = folder.as_ref().map(|folder| format!("{folder}/{}", pieces[i]));
        let path = below.filter(|path| root().join(path).exists());
        let mut functions = vec![];
        let mut next = i + 1;
        let mut arrow = pieces[next].trim() == "→";
        while arrow && !is_path(pieces[next + 1]) {
            functions.push(pieces[next + 1].into());
            next += 2;
            arrow = [",", "and"].contains(&pieces[next].trim());
        }
        all.push(Named { path: path.unwrap_or(pieces[i].into()), functions });
    }
    all
}

fn named(page: &str) -> Vec<Named> {
    sections(page).iter().flat_map(named_in).collect()
}

#[test]
fn files_and_functions_exist() {
    let mut functions_met = 0;
    for page in PAGES {
        for Named { path, functions } in named(&read(page)) {
            assert!(root().join(&path).exists(), "{page} names {path}, which does not exist");
            for name in functions {
                let source = read(&path);
                let defined =
                    ["(", "<"].iter().any(|after| source.contains(&format!("fn {name}{after}")));
                assert!(defined, "{page} names {name} in {path}, which is not there");
                functions_met += 1;
            }
        }
    }
    assert!(functions_met > 50, "only {functions_met} functions were found to be named");
}

#[test]
fn links_lead_somewhere() {
    for page in PAGES.into_iter().chain(["CHANGELOG.md", "docs/api.md"]) {
        let text = read(page);
        let folder = root().join(page).parent().unwrap().to_path_buf();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or(link);
            let elsewhere = link.starts_with("https://");
            assert!(elsewhere || folder.join(file).exists(), "{page} links to {link}");
        }
    }
}

#[test]
fn no_module_is_missing_from_the_map() {
    let page = read("ARCHITECTURE.md");
    let named: BTreeSet<PathBuf> = named(&page)
        .into_iter()
        .map(|named| named.path)
        .chain(sections(&page).into_iter().filter_map(|section| folder_of(&section.heading)))
        .filter_map(|path| root().join(path).canonicalize().ok())
        .collect();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        for folder in folders(&entry.unwrap().path().join("src")) {
            assert!(named.contains(&folder), "ARCHITECTURE.md lacks {}", folder.display());
        }
    }
}

#[test]
fn pages_that_everybody_reads_are_short() {
    for (page, most) in [("README.md", 1_500), ("ARCHITECTURE.md", 2_000)] {
        let words = read(page).split_whitespace().count();
        assert!(words <= most, "{page} has {words} words, {most} at most");
    }
}

#[test]
fn the_tour_keeps_to_its_budget() {
    let numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let mut parts: Vec<(String, usize, BTreeSet<String>)> = vec![];
    for section in sections(&read("docs/TOUR.md")) {
        match section.depth {
            2 => parts.push((section.heading.clone(), 0, BTreeSet::new())),
            3 => {
                let begins = section.body.trim_start().starts_with("`crates/");
                assert!(begins, "{} begins in no file", section.heading);
                parts.last_mut().unwrap().1 += 1;
            }
            _ => {}
        }
        if let Some((.., files)) = parts.last_mut() {
            files.extend(named_in(&section).into_iter().map(|named| named.path));
        }
    }
    let mut budgets = vec![("Solving it", 9), ("Looking it up", 7)];
    for (heading, steps, files) in parts {
        let Some((what, number)) = heading.split_once(", in ") else { continue };
        let number = number.split(' ').next().unwrap();
        let number = numbers.iter().position(|word| *word == number).expect("a number");
        assert_eq!(files.len(), number, "files under '{heading}': {files:?}");
        if let Some(at) = budgets.iter().position(|(name, _)| *name == what) {
            let (_, most) = budgets.remove(at);
            assert_eq!(steps, number, "steps under '{heading}'");
            assert!(number <= most, "'{heading}' is longer than {most} files");
        }
    }
    assert!(budgets.is_empty(), "the tour lacks {budgets:?}");
}
