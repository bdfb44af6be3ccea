//! Ranks of an MPI program: the table that one process writes, from the distribution's `mpirun`.

use std::process::Command;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// What rank 0 prints.
fn solved(sandbox: &Sandbox, game: &str, ranks: &str) -> Value {
    let output = Command::new("mpirun")
        .args(["--allow-run-as-root", "--oversubscribe", "-n", ranks])
        .args([env!("CARGO_BIN_EXE_crabwise"), "solve", game, "--mpi", "--json", "--tables"])
        .arg(sandbox.path("tables"))
        .output()
        .expect("mpirun is there; the packages openmpi-bin and libopenmpi-dev have it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("rank 0 prints one object, and nobody else any")
}

#[test]
fn any_number_of_ranks_writes_the_same_table() {
    // Walked and numbered, with loops and without, folded, with a kernel, without distances.
    for game in
        ["achi:3", "black-hole:5,2", "connect-four:4x4", "isolation:3x4", "mnk:4x3,3,outcomes"]
    {
        let wanted = Sandbox::new().json(&["solve", game]);
        for ranks in ["1", "2", "4"] {
            let found = solved(&Sandbox::new(), game, ranks);
            for key in ["table_hash", "positions", "longest"] {
                assert_eq!(found[key], wanted[key], "{key} of {game} with {ranks} ranks");
            }
        }
    }
}
