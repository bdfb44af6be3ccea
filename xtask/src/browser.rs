//! The page in a real browser, by the tests in `crates/crabwise-web/browser`.
//!
//! They need Node.js, and bring what else they need with them: a library that drives a browser and, where the
//! machine has none, a browser too. Where Node.js is missing it is installed, if the machine is a Debian and
//! this is its root.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
};

/// The oldest Node.js that will do.
const NODE: u32 = 18;

pub(super) fn run(root: &Path) -> Result<(), String> {
    let folder = root.join("crates/crabwise-web/browser");
    if node().is_none_or(|version| version < NODE) {
        install()?;
    }
    let here = env::current_exe().map_err(|error| error.to_string())?;
    // The program lies beside this one, wherever the build puts them.
    let program = here.with_file_name("crabwise");
    let program = program.to_str().ok_or("the folder of the build has an odd name")?;
    let settings = [("CRABWISE", program)];
    told("npm", &["ci", "--no-audit", "--no-fund", "--ignore-scripts"], &folder, &[])?;
    told("node", &["setup.mjs"], &folder, &[])?;
    told("npm", &["test"], &folder, &settings)
}

/// The version of Node.js, if it is there with its package manager.
fn node() -> Option<u32> {
    let version = |program: &str| {
        let output = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        text.trim().trim_start_matches('v').split('.').next()?.parse().ok()
    };
    version("npm").and(version("node"))
}

fn install() -> Result<(), String> {
    let root = Path::new("/");
    let apt = told("apt-get", &["update"], root, &[])
        .and_then(|()| told("apt-get", &["install", "-y", "nodejs", "npm"], root, &[]));
    match (apt, node()) {
        (Ok(()), Some(NODE..)) => Ok(()),
        _ => Err(format!("the tests of the page need Node.js {NODE} or later, with npm")),
    }
}

fn told(
    program: &str,
    args: &[&str],
    folder: &Path,
    settings: &[(&str, &str)],
) -> Result<(), String> {
    println!("$ {program} {}", args.join(" "));
    let mut command = Command::new(program);
    let status = command.args(args).current_dir(folder).envs(settings.iter().copied()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("failed: {program} {}", args.join(" "))),
        Err(error) => Err(format!("cannot run {program}: {error}")),
    }
}
