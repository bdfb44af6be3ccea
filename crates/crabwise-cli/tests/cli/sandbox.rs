//! A folder of tables and a binary to run on it.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

pub struct Sandbox {
    pub folder: TempDir,
}

/// What a command left behind.
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Sandbox {
    pub fn new() -> Sandbox {
        Sandbox { folder: tempfile::tempdir().unwrap() }
    }

    /// A sandbox with these games solved.
    pub fn with(games: &[&str]) -> Sandbox {
        let sandbox = Sandbox::new();
        for game in games {
            sandbox.run(&["solve", game, "--quiet"]).ok();
        }
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crabwise"));
        command.args(words).env("CRABWISE_TABLES", self.folder.path().join("tables"));
        command.current_dir(self.folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, words: &[&str]) -> Done {
        self.type_in(words, "")
    }

    /// Runs with `input` at the prompt.
    pub fn type_in(&self, words: &[&str], input: &str) -> Done {
        let mut child = self.command(words).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // It may have ended before it read everything.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        Done {
            code: output.status.code().expect("it was not killed"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The JSON that a command prints.
    pub fn json(&self, words: &[&str]) -> Value {
        let out = self.run(&[words, &["--json", "--quiet"]].concat()).ok();
        serde_json::from_str(&out).unwrap()
    }
}

impl Done {
    /// What it printed, if all went well. On a busy machine anything may take long enough to tell how far it is.
    #[track_caller]
    pub fn ok(self) -> String {
        let said: Vec<&str> = self.err.lines().filter(|line| !line.contains(" a second")).collect();
        assert_eq!((self.code, said), (0, vec![]), "{}", self.out);
        self.out
    }

    /// It failed with one line on standard error and nothing on standard output.
    #[track_caller]
    pub fn fails(self, code: i32, line: &str) {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{}", self.err);
        assert_eq!(self.err, format!("crabwise: {line}\n"));
    }
}

/// The names of an object, sorted.
pub fn names(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort();
    names
}
