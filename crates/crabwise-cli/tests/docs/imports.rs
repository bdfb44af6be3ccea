//! Imports point one way: between the crates, and between the folders of a crate.
//!
//! Sources are read as text. That is enough, because paths from `crate`, `super` and `self` are the only ways to another
//! module, and because `rustfmt` puts the end of an item at the indentation of its beginning.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
};

use super::{folders, read, root};

/// The folders of the library; each may import those before it.
const LAYERS: [&str; 12] = [
    "delegation",
    "watch",
    "game",
    "index",
    "graph",
    "table",
    "solve",
    "analysis",
    "erased",
    "cost",
    "explore",
    "session",
];

/// The crates, and which of them each may depend on.
const CRATES: [(&str, &[&str]); 12] = [
    ("crabwise", &[]),
    ("crabwise-graphfile", &[]),
    ("crabwise-planar", &["crabwise-graphfile"]),
    ("crabwise-hidden", &["crabwise"]),
    ("crabwise-rules", &["crabwise", "crabwise-hidden"]),
    ("crabwise-cluster", &["crabwise"]),
    ("crabwise-store", &["crabwise"]),
    (
        "crabwise-games",
        &["crabwise", "crabwise-graphfile", "crabwise-planar", "crabwise-hidden", "crabwise-rules"],
    ),
    ("crabwise-session", &["crabwise", "crabwise-hidden", "crabwise-games", "crabwise-store"]),
    ("crabwise-api", &["crabwise", "crabwise-hidden", "crabwise-rules", "crabwise-games"]),
    (
        "crabwise-web",
        &[
            "crabwise",
            "crabwise-hidden",
            "crabwise-graphfile",
            "crabwise-planar",
            "crabwise-rules",
            "crabwise-games",
            "crabwise-store",
            "crabwise-session",
            "crabwise-api",
        ],
    ),
    (
        "crabwise-cli",
        &[
            "crabwise",
            "crabwise-hidden",
            "crabwise-rules",
            "crabwise-cluster",
            "crabwise-games",
            "crabwise-store",
            "crabwise-session",
            "crabwise-api",
            "crabwise-web",
        ],
    ),
];

/// For each top-level module of a crate, the others that it imports and a file that does.
type Imports = BTreeMap<String, BTreeMap<String, PathBuf>>;

#[test]
fn imports_point_one_way() {
    let place = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let library = imports("crates/crabwise/src");
    assert_eq!(library.len(), LAYERS.len(), "the library has other folders: {:?}", library.keys());
    assert!(library["session"].contains_key("solve"), "imports are not seen");
    for (from, targets) in &library {
        let at = place(from).unwrap_or_else(|| panic!("{from} has no place among the layers"));
        for (to, file) in targets {
            let below = place(to).is_some_and(|to| to < at);
            assert!(below, "{} imports {to}, which is not below {from}", file.display());
        }
    }
    for (name, _) in &CRATES[1..] {
        let imports = imports(&format!("crates/{name}/src"));
        if let Some(circle) = circle(&imports) {
            let step = |pair: &[String]| {
                format!("{} imports {}", imports[&pair[0]][&pair[1]].display(), pair[1])
            };
            let steps: Vec<String> = circle.windows(2).map(step).collect();
            panic!("modules of {name} go round in a circle: {}", steps.join("; "));
        }
    }
}

#[test]
fn crates_depend_one_way() {
    let there: BTreeSet<String> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let known = CRATES.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(there, known, "a crate is missing from the list of who may depend on whom");
    for (i, (name, allowed)) in CRATES.iter().enumerate() {
        let manifest: toml::Table =
            toml::from_str(&read(format!("crates/{name}/Cargo.toml"))).unwrap();
        let Some(needed) = manifest.get("dependencies") else { continue };
        for needed in needed.as_table().unwrap().keys().filter(|key| key.starts_with("crabwise")) {
            assert!(allowed.contains(&needed.as_str()), "{name} must not depend on {needed}");
        }
        let before = |other: &&str| CRATES[..i].iter().any(|(name, _)| name == other);
        assert!(allowed.iter().all(before), "{name} comes before what it needs");
    }
}

/// The imports of a crate, read from all its files but tests and the root, which joins the modules.
fn imports(src: &str) -> Imports {
    let src = root().join(src);
    let lib = code(&fs::read_to_string(src.join("lib.rs")).unwrap()).0;
    let exported = exports(&lib);
    let mut files = vec![];
    for folder in folders(&src) {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "rs")));
    }
    let texts: HashMap<PathBuf, (String, Vec<String>)> =
        files.iter().map(|file| (file.clone(), code(&fs::read_to_string(file).unwrap()))).collect();
    let tests: Vec<Vec<String>> = texts
        .iter()
        .flat_map(|(file, (_, tests))| {
            let path = module(&src, file);
            tests.iter().map(move |test| [path.clone(), vec![test.clone()]].concat())
        })
        .collect();
    let mut imports = Imports::new();
    for (file, (text, _)) in &texts {
        let path = module(&src, file);
        let is_test = tests.iter().any(|test| path.starts_with(test));
        let Some(from) = path.first().filter(|_| !is_test) else { continue };
        let found = imports.entry(from.clone()).or_default();
        for name in names(text, &path) {
            assert_ne!(name, "*", "{} imports everything from the root", file.display());
            let to = exported.get(&name).unwrap_or(&name);
            if to != from {
                found.insert(to.clone(), file.strip_prefix(root()).unwrap().into());
            }
        }
    }
    let modules: BTreeSet<String> = imports.keys().cloned().collect();
    let of_modules = |to: &String| modules.contains(to);
    imports.values_mut().for_each(|targets| targets.retain(|to, _| of_modules(to)));
    imports
}

/// The path of a file's module below its crate.
fn module(src: &Path, file: &Path) -> Vec<String> {
    let path = file.strip_prefix(src).unwrap().with_extension("");
    let mut path: Vec<String> =
        path.iter().map(|part| part.to_str().unwrap().to_string()).collect();
    if ["mod", "lib", "main"].contains(&path.last().unwrap().as_str()) {
        path.pop();
    }
    path
}

/// A file's text without comments and without what is compiled for tests only, and the modules in files of their own
/// that are.
fn code(text: &str) -> (String, Vec<String>) {
    let (mut code, mut tests) = (String::new(), vec![]);
    let mut lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            code += line;
            code.push('\n');
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let mut opened = false;
        for (i, line) in lines.by_ref().enumerate() {
            if i == 0
                && let Some(rest) = line.trim().strip_suffix(';')
            {
                let name = rest.trim_start_matches("pub(crate) ").strip_prefix("mod ");
                tests.extend(name.map(String::from));
            }
            opened |= line.ends_with('{');
            let closes = line.starts_with(&format!("{}}}", " ".repeat(indent)));
            let ends = line.ends_with(';') || i == 0 && line.ends_with(',');
            let whole = i == 0 && line.ends_with('}');
            if closes || whole || !opened && ends {
                break;
            }
        }
    }
    (code, tests)
}

/// Which module each name that a crate's root exports comes from.
fn exports(lib: &str) -> HashMap<String, String> {
    let mut exported = HashMap::new();
    for text in lib.split("pub use ").skip(1) {
        let text = text.split(';').next().unwrap();
        let text = text.trim_start_matches("self::").trim_start_matches("crate::");
        for path in leaves(text.trim_start_matches('{').trim_end_matches('}')) {
            if let [first, .., last] = &path[..] {
                exported.insert(last.clone(), first.clone());
            }
        }
    }
    exported
}

/// The first names after the crate's root of all paths in a module.
fn names(code: &str, path: &[String]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, root) in ["crate::", "super::"].iter().flat_map(|root| code.match_indices(root)) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let mut rest = &code[at + root.len()..];
        let mut above = if root == "crate::" { path.len() } else { 1 };
        while let Some(further) = rest.strip_prefix("super::") {
            (rest, above) = (further, above + 1);
        }
        if above == path.len() {
            names.extend(leaves(tree(rest)).into_iter().map(|leaf| leaf[0].clone()));
        }
    }
    names
}

/// The text of one path or tree of paths.
fn tree(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    return &text[..=at];
                }
            }
            '*' | ':' | '_' => {}
            c if depth > 0 || c.is_alphanumeric() => {}
            _ => return &text[..at],
        }
    }
    text
}

/// All paths of a tree, without new names.
fn leaves(text: &str) -> Vec<Vec<String>> {
    let (mut all, mut depth, mut from) = (vec![], 0, 0);
    for (at, c) in text.char_indices().chain([(text.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    let mut paths = vec![];
    for one in all.into_iter().filter(|one| !one.is_empty()) {
        if let Some(group) = one.strip_prefix('{') {
            paths.extend(leaves(group.strip_suffix('}').unwrap_or(group)));
            continue;
        }
        let (first, rest) = one.split_once("::").unwrap_or((one, ""));
        let first = first.split(" as ").next().unwrap().trim().to_string();
        if rest.is_empty() {
            paths.push(vec![first]);
            continue;
        }
        let rest = leaves(rest).into_iter();
        paths.extend(rest.map(|leaf| [vec![first.clone()], leaf].concat()));
    }
    paths
}

/// A circle of modules, the first again at its end.
fn circle(imports: &Imports) -> Option<Vec<String>> {
    fn follow(imports: &Imports, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        let at = way.last().unwrap().clone();
        for to in imports[&at].keys() {
            if let Some(from) = way.iter().position(|one| one == to) {
                way.drain(..from);
                way.push(to.clone());
                return true;
            }
            if done.contains(to) {
                continue;
            }
            way.push(to.clone());
            if follow(imports, way, done) {
                return true;
            }
            way.pop();
        }
        done.insert(at);
        false
    }
    let mut done = BTreeSet::new();
    imports.keys().find_map(|start| {
        let mut way = vec![start.clone()];
        follow(imports, &mut way, &mut done).then_some(way)
    })
}

#[test]
fn imports_are_read_as_they_are_written() {
    let text = "use crate::{\n    a::{b, c},\n    d as e,\n};\nlet x = crate::f::g(1); // crate::h\n\
                #[cfg(test)]\nmod tests {\n    use crate::i;\n}\n#[cfg(test)]\nmod j;\nuse super::k::l;\n";
    let (code, tests) = code(text);
    let found: Vec<String> = names(&code, &["m".into()]).into_iter().collect();
    assert_eq!(found, ["a", "d", "f", "k"]);
    assert_eq!(tests, ["j"]);
    let exported = exports("pub use self::{\n    a::{B, c::D},\n    e::F as G,\n};\npub use h::I;");
    assert_eq!(
        [&exported["B"], &exported["D"], &exported["F"], &exported["I"]],
        ["a", "a", "e", "h"]
    );
    let imports = |pairs: &[(&str, &[&str])]| -> Imports {
        let one = |to: &&str| (to.to_string(), PathBuf::new());
        pairs.iter().map(|(from, to)| (from.to_string(), to.iter().map(one).collect())).collect()
    };
    assert!(circle(&imports(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])).is_none());
    let round = circle(&imports(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]));
    assert_eq!(round.unwrap(), ["b", "c", "b"]);
}
