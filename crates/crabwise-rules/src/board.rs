//! The board among the facts: a relation over all pairs of two lists, or what the text itself calls its board.
//!
//! Of the functions with three arguments the one with the most places is the board, if what two of the arguments can be
//! makes a full grid: `(cell ?column ?row ?what)`. Columns go to the right and rows upwards.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    pack::Layout,
    syntax::{BoardHint, BoardShape, CellHint},
    terms::{TermId, Terms},
    words::{names, natural},
};

/// Words for a place where nothing is.
const NOTHING: [&str; 8] = ["b", "blank", "empty", "e", "free", "none", "nothing", "dirt"];
/// The fewest places of a board.
const FEWEST: usize = 4;
/// How wide a cell is, and what is left for names beside the board.
pub(crate) const CELL: f64 = 3.0;
pub(crate) const NAMES: f64 = 2.0;

/// A relation that is a board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<String>,
    /// The facts of each place with what stands there, place = row · columns + column.
    pub(crate) places: Vec<Vec<(u32, String)>>,
    /// What the places are called.
    pub(crate) cells: Vec<String>,
    /// The middles of the places, as they are drawn.
    pub(crate) middles: Vec<[f64; 2]>,
    /// Pairs of places that a line joins. Where there are some, places are points.
    pub(crate) edges: Vec<(usize, usize)>,
}

impl Board {
    /// The board of some rules, if they have one.
    pub(crate) fn of(terms: &Terms, facts: &[TermId]) -> Option<Board> {
        if let Some(hint) = &terms.hints.board {
            return Some(Board::hinted(terms, facts, hint));
        }
        let mut functions: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (fact, term) in facts.iter().enumerate() {
            if terms.arguments(*term).len() == 3 {
                functions.entry(terms.head(*term)).or_default().push(fact as u32);
            }
        }
        let boards = functions.values().filter_map(|some| Board::with(terms, facts, some));
        boards.max_by_key(|board| board.places.len())
    }

    fn with(terms: &Terms, all_facts: &[TermId], facts: &[u32]) -> Option<Board> {
        // What varies on a place comes last, or first.
        [[0, 1, 2], [1, 2, 0], [0, 2, 1]].into_iter().find_map(|[column, row, what]| {
            let word = |fact: u32, nth: usize| {
                let term = all_facts[fact as usize];
                terms.word(terms.arguments(term)[nth])
            };
            let all = |nth| {
                let all: BTreeSet<String> = facts.iter().map(|fact| word(*fact, nth)).collect();
                let mut all: Vec<String> = all.into_iter().collect();
                all.sort_by_cached_key(|word| natural(word));
                all
            };
            let (columns, rows) = (all(column), all(row));
            let mut places = vec![vec![]; columns.len() * rows.len()];
            for &fact in facts {
                let find = |all: &[String], nth| all.iter().position(|one| *one == word(fact, nth));
                let (x, y) = (find(&columns, column)?, find(&rows, row)?);
                places[y * columns.len() + x].push((fact, word(fact, what)));
            }
            let full = places.len() >= FEWEST && places.iter().all(|place| !place.is_empty());
            let few = all(what).len() <= 4 * columns.len().max(rows.len());
            let cells = (0..places.len()).map(|place| {
                format!("{}-{}", columns[place % columns.len()], rows[place / columns.len()])
            });
            let middles = (0..places.len()).map(|place| {
                let (x, y) = (place % columns.len(), rows.len() - 1 - place / columns.len());
                [NAMES + CELL * (x as f64 + 0.5), CELL * (y as f64 + 0.5)]
            });
            let (cells, middles) = (cells.collect(), middles.collect());
            let board = Board { columns, rows, places, cells, middles, edges: vec![] };
            (full && few).then_some(board)
        })
    }

    /// The board that a text speaks of.
    fn hinted(terms: &Terms, facts: &[TermId], hint: &BoardHint) -> Board {
        let mut places = vec![vec![]; hint.cells.len()];
        for (fact, &term) in (0..).zip(facts) {
            let &[cell, what] = terms.arguments(term) else { continue };
            let cell = terms.word(cell);
            let place = hint.cells.iter().position(|known| *known.name == *cell);
            if let (Some(place), true) = (place, *terms.head_name(term) == hint.content) {
                places[place].push((fact, terms.word(what)));
            }
        }
        let letters =
            |many: u32| (0..many).map(|x| char::from(b'a' + x as u8).to_string()).collect();
        // The lowest row comes first.
        let (columns, rows): (Vec<String>, Vec<String>) = match hint.shape {
            BoardShape::Grid { columns, rows } => {
                (letters(columns), (1..=rows).map(|row| row.to_string()).collect())
            }
            BoardShape::Hexagons { columns, rows } => {
                (letters(columns), (1..=rows).rev().map(|row| row.to_string()).collect())
            }
            BoardShape::Graph => (vec![], vec![]),
        };
        let middle = |cell: &CellHint| {
            let [right, down] = [cell.right, cell.down].map(|at| CELL * f64::from(at) / 100.0);
            [NAMES + right, down]
        };
        let cells = hint.cells.iter().map(|cell| cell.name.to_string()).collect();
        let middles = hint.cells.iter().map(middle).collect();
        let mut board = Board { columns, rows, places, cells, middles, edges: hint.edges.clone() };
        // Hints go row by row from the top.
        let wide = board.columns.len().max(1);
        if !board.rows.is_empty() {
            fn turned<T: Clone>(all: &[T], wide: usize) -> Vec<T> {
                all.chunks(wide).rev().flatten().cloned().collect()
            }
            board.places = turned(&board.places, wide);
            board.cells = turned(&board.cells, wide);
            board.middles = turned(&board.middles, wide);
        }
        board
    }

    /// The places that a move is about, in their order.
    pub(crate) fn ways(&self, word: &str) -> Vec<usize> {
        let place = |name: String| self.cells.iter().position(|cell| *cell == name);
        names(word).filter_map(place).collect()
    }

    /// What stands on a place, if something does.
    pub(crate) fn piece(&self, layout: &Layout, words: &[u64], place: usize) -> Option<&str> {
        let mut there = self.places[place].iter();
        let found =
            there.find(|(fact, what)| layout.holds(words, *fact) && !NOTHING.contains(&&**what));
        found.map(|(_, what)| &**what)
    }

    pub(crate) fn has(&self, fact: u32) -> bool {
        self.places.iter().flatten().any(|(one, _)| *one == fact)
    }

    /// The place that a move is about, if it is about one: its last two names are a column and a row.
    pub(crate) fn place(&self, word: &str) -> Option<usize> {
        let names: Vec<String> = names(word).collect();
        if let [cell] = &names[..] {
            return self.cells.iter().position(|known| known == cell);
        }
        let [.., column, row] = &names[..] else { return None };
        let x = self.columns.iter().position(|one| one == column)?;
        let y = self.rows.iter().position(|one| one == row)?;
        Some(y * self.columns.len() + x)
    }
}
