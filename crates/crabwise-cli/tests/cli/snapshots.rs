//! Everything printed for people, as it is; `TRYCMD=overwrite` writes it anew, to be read.

use crate::sandbox::Sandbox;

#[test]
fn what_people_see() {
    let sandbox = Sandbox::with(&["tictactoe", "tictactoe:outcomes", "nim:1-2"]);
    let tables = sandbox.path("tables");
    let cases = trycmd::TestCases::new();
    cases.env("CRABWISE_TABLES", tables.to_str().unwrap());
    cases.env("COLUMNS", "100");
    cases.insert_var("[TABLES]", tables.to_str().unwrap().to_string()).unwrap();
    cases.case("tests/cli/snapshots/*.trycmd");
}
