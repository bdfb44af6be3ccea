//! The project's own chores: `cargo xtask test`, `cargo xtask store`, `cargo xtask mpi`,
//! `cargo xtask fuzz` and `cargo xtask bench`.

mod bench;
mod browser;
mod cluster;
mod hidden;
mod plan;
mod serve;

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    thread,
};

const USAGE: &str = "\
cargo xtask test            format, lints, tests, the page in a browser, documentation: what must pass
cargo xtask browser         only the page in a browser
cargo xtask store           tables in a real S3 server, which is installed first: takes the feature s3
cargo xtask mpi             ranks of an MPI program, by the distribution's mpirun: takes the feature mpi
cargo xtask fuzz [ATTACK]   attacks on all that reads what others wrote: --minutes N, --seed N, --case N
cargo xtask bench [GAME…]   solve the large games, hold them to their floors, write records/bench.md
cargo xtask bench hidden    only equilibria: records/hidden.md
cargo xtask bench serve     only the explorer under load: records/serve.md
cargo xtask bench cluster   only many workers and little memory: records/cluster.md
cargo xtask bench plan      only predictions against what came of them: records/plan.md;
                            CRABWISE=FILE is the program to ask, instead of one built now";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let done = match args.split_first().map(|(task, rest)| (task.as_str(), rest)) {
        Some(("test", [])) => test(),
        Some(("browser", [])) => built().and_then(|()| browser::run(&root())),
        Some(("store", [])) => store(),
        Some(("mpi", [])) => cargo(
            &["test", "-p", "crabwise-cli", "--features", "mpi", "--test", "cli", "mpi::"],
            &[],
        ),
        Some(("fuzz", words)) => fuzz(words),
        Some(("bench", games)) => bench::run(games),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(line) => {
            eprintln!("{line}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    cargo(&["test", "--workspace", "--all-targets"], &[])?;
    // The browser often waits, and documentation takes one core.
    let (examples, doc) = (["test", "--workspace", "--doc"], ["doc", "--workspace", "--no-deps"]);
    thread::scope(|scope| {
        let documented = scope.spawn(|| {
            cargo(&examples, &[])?;
            cargo(&doc, &[("RUSTDOCFLAGS", "-D warnings")])
        });
        let shown = browser::run(&root());
        shown.and(documented.join().expect("running cargo does not panic"))
    })
}

fn fuzz(words: &[String]) -> Result<(), String> {
    let words = words.iter().map(String::as_str);
    let run = ["run", "--quiet", "--package", "crabwise-fuzz", "--"];
    cargo(&run.into_iter().chain(words).collect::<Vec<_>>(), &[])
}

/// Installs an S3 server among what is built, if it is not there, and runs the tests that need one.
fn store() -> Result<(), String> {
    let folder = root().join("target/s3s-fs");
    let folder = folder.to_str().ok_or("the folder of the project has an odd name")?;
    let server = ["s3s-fs", "--version", "0.13.0-alpha.3", "--features", "binary", "--locked"];
    cargo(&[&["install", "--root", folder][..], &server].concat(), &[])?;
    let test = ["test", "-p", "crabwise-cli", "--features", "s3", "--test", "cli", "store::"];
    cargo(&test, &[("S3S_FS", &format!("{folder}/bin/s3s-fs"))])
}

/// Builds the program that the browser is to see.
fn built() -> Result<(), String> {
    cargo(&["build", "--package", "crabwise-cli"], &[])
}

fn cargo(args: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    println!("$ cargo {}", args.join(" "));
    let mut command = Command::new(env!("CARGO"));
    // All of it is compiled once and not again: what would make the next time quicker costs a fifth now.
    command.env("CARGO_INCREMENTAL", "0");
    let status = command.args(args).envs(variables.iter().copied()).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("failed: cargo {}", args.join(" "))),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").into()
}
