//! The Game of Cycles: mark the edges of a plane graph with arrows, and close a cell or move last.
//!
//! Boards are the plane graphs of [`crabwise_planar`]; here is what the game makes of them.
//!
//! - `rules`: what may be played and who wins.
//! - `numbering`, `rows`, `kernel`: all markings of a board in a table.
//! - `parts`, `symmetry`, `certificate`: single positions answered for without a table; the theorem of safe
//!   moves. Symmetries keep edges and cells, and what a cell is the rules say; so they are not those of the
//!   plane graph.
//! - `published`: the files of the original program; `signed`: its game table of a position.
//! - `picture`: boards as shapes; `theory`: what is known of them beforehand.

mod certificate;
mod kernel;
mod numbering;
mod parts;
mod picture;
mod published;
mod rows;
mod rules;
mod signed;
mod symmetry;
#[cfg(test)]
mod tests;
mod theory;

use std::sync::Arc;

use crabwise::{ErasedGame, Setup, watch::Shown};
use crabwise_planar::{PlaneGraph, families, figures, plane::side_by_side, read};

use self::{
    kernel::Sweep,
    numbering::{MOST_EDGES, Numbering, Reachable},
    rows::Rows,
    rules::{Cells, Cycles},
};
use crate::{Entry, Params};

pub(crate) const ENTRY: Entry = Entry {
    name: "cycles",
    about: "the Game of Cycles: direct edges of a plane graph; close a cell or move last",
    parameters: "BOARD[+BOARD…][,leaf-exempt][,chordless][,outer=1-2-3] (default k4); a board is a file \
                 (.json drawing, .table or .csv game table, .rot rotation, .edges or .dot graph), or one \
                 of k4, cycle=7, path=4, wheel=5, ladder=2x4, grid=3x3, theta=3,2,5, fan=6, strip=6, \
                 prism=4, antiprism=3, cactus=3,4,4, chain=3,5,4, nested=3,3, bowtie, dumbbell=3,3, \
                 lollipop=4,2, spider=3,3,5, star=5, chord=7,3, ear=7, cube, octahedron, hexagons=3, \
                 diamond, figure=13 of the paper",
    example: "cycles:k4",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let leaf_exempt = params.flag("leaf-exempt");
    let cells = if params.flag("chordless") { Cells::Chordless } else { Cells::Faces };
    let outer = params.named("outer");
    let text = params.rest().unwrap_or_else(|| "k4".into());
    let Chosen { board, spelling, file } = chosen(&text, outer.as_deref(), params)?;
    params.spelled(spelling);
    let board = Arc::new(board);
    let game = Cycles::new(board, leaf_exempt, cells)?;
    let abilities = |game| Setup::of(game).summed().drawn().studied();
    if game.board.edges.len() as u32 > MOST_EDGES {
        return Ok(abilities(game).erased());
    }
    let rows = Arc::new(Rows::new(&game));
    let numbering = Numbering::new(game.clone(), rows.clone());
    let setup = abilities(game)
        .numbered(numbering)
        .kernel(Sweep(rows.clone()))
        .spreading(Reachable(rows))
        .published();
    Ok(if file { setup.edited().erased() } else { setup.erased() })
}

/// A board, how it is spelled, and whether a file had a part in it.
struct Chosen {
    board: PlaneGraph,
    spelling: String,
    file: bool,
}

/// Boards joined by plus signs, each by name or from a file. A file may have a plus sign in its name, if
/// that is all there is.
fn chosen(text: &str, outer: Option<&str>, params: &mut Params) -> Result<Chosen, String> {
    refuse_misspelt(text)?;
    let words: Vec<&str> = text.split('+').collect();
    if words.contains(&"") {
        return Err(format!("'{}': a board is missing beside a plus sign", Shown(text)));
    }
    let families = words.iter().filter(|word| named(word).is_some()).count();
    if families == 0 && words.len() > 1 && params.open(text).is_ok() {
        return one(text, outer, params);
    }
    let boards: Vec<Chosen> =
        words.iter().map(|word| one(word, outer, params)).collect::<Result<_, _>>()?;
    let spelling = boards.iter().map(|one| one.spelling.as_str()).collect::<Vec<_>>().join("+");
    let file = boards.iter().any(|one| one.file);
    let mut boards: Vec<PlaneGraph> = boards.into_iter().map(|one| one.board).collect();
    let board = if boards.len() == 1 { boards.remove(0) } else { side_by_side(boards) };
    Ok(Chosen { board, spelling, file })
}

/// Tells options that are spelled almost right.
fn refuse_misspelt(text: &str) -> Result<(), String> {
    for word in text.split(',').skip(1) {
        let like = |option: &&str| strsim::jaro_winkler(option, word) > 0.85;
        if let Some(option) = ["leaf-exempt", "chordless", "outer=1-2-3"].into_iter().find(like) {
            return Err(format!("'{}' is no option; did you mean '{option}'?", Shown(word)));
        }
    }
    Ok(())
}

/// A board by name, with its canonical spelling; `None` if the word names none.
fn named(word: &str) -> Option<Result<(String, PlaneGraph), String>> {
    families::named(word).or_else(|| figures::named(word))
}

/// One board, by name or from a file.
fn one(word: &str, outer: Option<&str>, params: &mut Params) -> Result<Chosen, String> {
    match named(word) {
        Some(named) => {
            if let Some(outer) = outer {
                return Err(format!(
                    "'outer={outer}' is for boards from files, and {word} is none"
                ));
            }
            let (spelling, board) = named?;
            Ok(Chosen { board, spelling, file: false })
        }
        None => {
            let mut contents = params.open(word).map_err(|error| unknown(word, error))?;
            let board = read(word, &mut *contents, outer, &params.limits())?;
            Ok(Chosen { board, spelling: word.into(), file: true })
        }
    }
}

/// The error for a word that is neither a board's name nor a file.
fn unknown(word: &str, error: String) -> String {
    if word.contains(['.', '/', '\\']) {
        return error;
    }
    let name = word.split('=').next().unwrap_or(word);
    let close = |known: &str| strsim::jaro_winkler(known, name);
    let best = (families::FAMILIES.iter()).max_by(|a, b| close(a.0).total_cmp(&close(b.0)));
    match best.filter(|best| close(best.0) > 0.8) {
        Some((_, _, example)) => format!("{error}; did you mean a board such as {example}?"),
        None => {
            let names: Vec<&str> = families::FAMILIES.iter().map(|family| family.0).collect();
            format!("{error}; a board is a file or one of {}", names.join(", "))
        }
    }
}
