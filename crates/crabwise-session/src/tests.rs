use std::{
    io::{self, Cursor, Read},
    path::Path,
};

use super::*;
use crabwise::analysis::label::Draws;

fn session(folder: &Path) -> Session {
    Session::new(Registry::standard(), Place::directory(folder.into()), 1 << 30)
}

fn no_file(_: &str) -> io::Result<Box<dyn Read>> {
    Err(io::Error::other("no file is needed"))
}

#[test]
fn a_game_is_solved_and_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path());
    let target = session.target("tictactoe", &no_file).unwrap();
    assert_eq!(session.table(&target, &Unwatched).unwrap(), TableState::Missing);
    let missing = session.ready(&target, false, &Unwatched).unwrap_err().to_string();
    assert!(missing.starts_with("there is no table of 'tictactoe' under "), "{missing}");
    session.ready(&target, true, &Unwatched).unwrap();
    let source = session.source(&target, Needs::default(), &Unwatched).unwrap();
    assert_eq!(source, Source::Table);
    let explorer = session.explorer(&target, source, None, &Unwatched).unwrap();
    assert_eq!(explorer.look(&[]).unwrap().value.outcome(), "tie");
    assert!(session.verify(&target, None, &Unwatched).unwrap().ok());
    assert_eq!(session.stats(&target, false, &Unwatched).unwrap().counts.positions, 5478);
    session.remove(&target).unwrap();
    assert_eq!(session.table_here(&target), TableState::Missing);
}

#[test]
fn depths_of_traps_are_kept_once_they_are_worked_out() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path());
    let target = session.target("boxers:3x3", &no_file).unwrap();
    session.ready(&target, true, &Unwatched).unwrap();
    assert!(!session.has_traps(&target, &Unwatched).unwrap());
    session.labelled(&target, Draws::Deepest, &Unwatched).unwrap();
    assert!(session.has_traps(&target, &Unwatched).unwrap());
    session.remove(&target).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A table of another version of a file is never read: it is as good as missing until it is made anew.
#[test]
fn a_table_is_outdated_when_its_file_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path());
    let target = |text: &'static str| {
        let open = |_: &str| Ok(Box::new(Cursor::new(text)) as Box<dyn Read>);
        session.target("graph:islands.csv", &open).unwrap()
    };
    let (old, new) = (target("from,to\n1A,2B\n2B,3A\n"), target("from,to\n1A,2B\n"));
    session.ready(&old, true, &Unwatched).unwrap();
    assert_eq!(session.table(&new, &Unwatched).unwrap(), TableState::Outdated);
    let outdated = session.ready(&new, false, &Unwatched).unwrap_err();
    assert!(matches!(outdated, Error::NoTable { outdated: true, .. }), "{outdated}");
    session.solve(&new, &Unwatched, true, &|_| {}).unwrap();
    assert_eq!(session.table_here(&new), TableState::Ready);
    assert_eq!(session.table_here(&old), TableState::Outdated);
}
