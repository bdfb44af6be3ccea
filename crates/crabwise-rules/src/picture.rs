//! What a position looks like: a relation over all pairs of two lists is a board, everything else a list.
//!
//! Of the functions with three arguments the one with the most places is the board, if what two of the arguments can be
//! makes a full grid: `(cell ?column ?row ?what)`. Columns go to the right and rows upwards. What stands on most places
//! at the start is taken for nothing if its name says so. Whatever is named like a role, or begins like one, is that
//! role's.

use std::collections::{BTreeMap, BTreeSet};

use crabwise::{
    Drawn, Game, Picture,
    game::picture::{Form, Shape, Tone},
};

use crate::{
    game::{Packed, Rules, names},
    machine::{BROKEN, Machine, natural},
};

/// Words for a place where nothing is.
const NOTHING: [&str; 8] = ["b", "blank", "empty", "e", "free", "none", "nothing", "dirt"];
/// The fewest places of a board.
const FEWEST: usize = 4;
/// How wide a cell is, and what is left for names beside the board.
const CELL: f64 = 3.0;
const NAMES: f64 = 2.0;

/// A relation that is a board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<String>,
    /// The facts of each place with what stands there, place = row · columns + column.
    places: Vec<Vec<(u32, String)>>,
}

impl Board {
    /// The board of some rules, if they have one.
    pub(crate) fn of(machine: &Machine) -> Option<Board> {
        let mut functions: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (fact, term) in machine.roots.facts.iter().enumerate() {
            if machine.terms.arguments(*term).len() == 3 {
                functions.entry(machine.terms.head(*term)).or_default().push(fact as u32);
            }
        }
        let boards = functions.values().filter_map(|facts| Board::with(machine, facts));
        boards.max_by_key(|board| board.places.len())
    }

    fn with(machine: &Machine, facts: &[u32]) -> Option<Board> {
        // What varies on a place comes last, or first.
        [[0, 1, 2], [1, 2, 0], [0, 2, 1]].into_iter().find_map(|[column, row, what]| {
            let word = |fact: u32, nth: usize| {
                let term = machine.roots.facts[fact as usize];
                machine.terms.word(machine.terms.arguments(term)[nth])
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
            (full && few).then_some(Board { columns, rows, places })
        })
    }

    /// What stands on a place, if something does.
    fn piece(&self, machine: &Machine, words: &[u64], place: usize) -> Option<&str> {
        let mut there = self.places[place].iter();
        let found = there
            .find(|(fact, what)| machine.layout.holds(words, *fact) && !NOTHING.contains(&&**what));
        found.map(|(_, what)| &**what)
    }

    fn has(&self, fact: u32) -> bool {
        self.places.iter().flatten().any(|(one, _)| *one == fact)
    }

    /// The place that a move is about, if it is about one: its last two names are a column and a row.
    fn place(&self, word: &str) -> Option<usize> {
        let names: Vec<String> = names(word).collect();
        let [.., column, row] = &names[..] else { return None };
        let x = self.columns.iter().position(|one| one == column)?;
        let y = self.rows.iter().position(|one| one == row)?;
        Some(y * self.columns.len() + x)
    }
}

impl Machine {
    /// The facts beside the board, as words.
    fn beside(&self, words: &[u64]) -> Vec<String> {
        let board = self.board.as_ref();
        let facts = self.written(words).into_iter();
        let beside = facts.filter(|fact| board.is_none_or(|board| !board.has(*fact)));
        beside.map(|fact| self.fact(fact)).collect()
    }

    /// The position as text of several lines.
    pub(crate) fn show(&self, words: &[u64]) -> String {
        let mut lines = vec![];
        if let Some(board) = &self.board {
            let pieces = (0..board.places.len()).map(|place| board.piece(self, words, place));
            let widest = pieces.flatten().map(|piece| piece.chars().count()).max();
            let side = board.columns.iter().map(|name| name.chars().count()).max();
            let wide = widest.unwrap_or(1).min(4).max(side.unwrap_or(1));
            let names = board.rows.iter().map(|name| name.chars().count()).max().unwrap_or(1);
            for row in (0..board.rows.len()).rev() {
                let mut line = format!("{:>names$}", board.rows[row]);
                for column in 0..board.columns.len() {
                    let piece = board.piece(self, words, row * board.columns.len() + column);
                    let piece: String = piece.unwrap_or(".").chars().take(wide).collect();
                    line += &format!(" {piece:>wide$}");
                }
                lines.push(line);
            }
            let columns = board.columns.iter().map(|name| format!(" {name:>wide$}"));
            lines.push(" ".repeat(names) + &columns.collect::<String>());
        }
        let beside = self.beside(words);
        if !beside.is_empty() {
            lines.push(beside.join(" "));
        }
        if self.layout.turn(words) == BROKEN {
            lines.push(self.broken_why(words));
        }
        if lines.is_empty() { "nothing holds".into() } else { lines.join("\n") }
    }

    /// Whose a piece is.
    fn tone(&self, piece: &str) -> Tone {
        let roles = [0, 1].map(|role| self.terms.word(self.roots.roles[role].role));
        let of = |role: &String| piece.starts_with(&**role) || role.starts_with(piece);
        let begins = |role: &String| role.chars().next() == piece.chars().next();
        let differ = roles[0].chars().next() != roles[1].chars().next();
        match [of(&roles[0]), of(&roles[1])] {
            [true, false] => Tone::First,
            [false, true] => Tone::Second,
            _ if differ && begins(&roles[0]) => Tone::First,
            _ if differ && begins(&roles[1]) => Tone::Second,
            _ => Tone::Piece,
        }
    }

    fn draw_board(&self, board: &Board, words: &[u64], moves: &[&str], shapes: &mut Vec<Shape>) {
        let (wide, high) = (board.columns.len(), board.rows.len());
        let middle = |place: usize| {
            let (x, y) = (place % wide, high - 1 - place / wide);
            [NAMES + CELL * (x as f64 + 0.5), CELL * (y as f64 + 0.5)]
        };
        let half = CELL / 2.0;
        let square = |[x, y]: [f64; 2]| {
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            Form::Area(corners.map(|[dx, dy]| [x + half * dx, y + half * dy]).to_vec())
        };
        let name =
            |place: usize| format!("{}-{}", board.columns[place % wide], board.rows[place / wide]);
        for place in 0..wide * high {
            shapes.push(Shape::new(square(middle(place)), Tone::Board).named(name(place)));
        }
        for word in moves {
            if let Some(place) = board.place(word) {
                shapes.push(Shape::new(square(middle(place)), Tone::Move).named(*word));
            }
        }
        for place in 0..wide * high {
            if let Some(piece) = board.piece(self, words, place) {
                let at = middle(place);
                let disc = Form::Disc { at, radius: 0.8 * half };
                shapes.push(
                    Shape::new(disc, self.tone(piece))
                        .titled(format!("{piece} on {}", name(place))),
                );
                let text: String = piece.chars().take(3).collect();
                shapes.push(Shape::new(Form::Text { at, text }, Tone::Label));
            }
        }
        for (x, column) in board.columns.iter().enumerate() {
            let at = [NAMES + CELL * (x as f64 + 0.5), CELL * high as f64 + 1.0];
            shapes.push(Shape::new(Form::Text { at, text: column.clone() }, Tone::Label));
        }
        for (y, row) in board.rows.iter().enumerate() {
            let at = [NAMES / 2.0, CELL * ((high - y) as f64 - 0.5)];
            shapes.push(Shape::new(Form::Text { at, text: row.clone() }, Tone::Label));
        }
    }

    /// The position as shapes; moves that are not about one place each stand below the board as words.
    pub(crate) fn draw(&self, words: &[u64], moves: &[&str]) -> Picture {
        let mut shapes = vec![];
        let (mut width, mut y) = (24.0_f64, 0.0);
        let mut lines = self.beside(words);
        let mut on_board: Vec<&str> = vec![];
        if let Some(board) = &self.board {
            let place = |word: &&str| board.place(word);
            on_board = moves
                .iter()
                .copied()
                .filter(|word| {
                    let of = place(word);
                    of.is_some() && moves.iter().filter(|other| place(other) == of).count() == 1
                })
                .collect();
            self.draw_board(board, words, &on_board, &mut shapes);
            width = width.max(NAMES + CELL * board.columns.len() as f64 + 1.0);
            y = CELL * board.rows.len() as f64 + 2.0;
        }
        let longest = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max();
        lines.extend((lines.is_empty() && shapes.is_empty()).then(|| "nothing holds".to_string()));
        width = width.max(0.7 * longest(&lines).unwrap_or(0) as f64 + 2.0);
        for text in lines {
            y += 1.5;
            shapes.push(Shape::new(Form::Text { at: [width / 2.0, y], text }, Tone::Label));
        }
        let rest = moves.iter().filter(|word| !on_board.contains(word));
        for word in rest {
            y += 2.0;
            let (half, middle) = (width / 2.0 - 0.5, width / 2.0);
            let area = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let area = area.map(|[dx, dy]| [middle + half * dx, y + 0.9 * dy]).to_vec();
            shapes.push(Shape::new(Form::Area(area), Tone::Move).named(*word));
            let text = Form::Text { at: [middle, y], text: word.to_string() };
            shapes.push(Shape::new(text, Tone::Label));
        }
        Picture { width, height: y + 1.5, shapes }
    }
}

impl<P: Packed> Drawn for Rules<P> {
    fn picture(&self, at: &P, _made: &[String]) -> Picture {
        let open = self.over(at).is_none();
        let moves: Vec<&str> = match open {
            true => self.moves(at).into_iter().map(|mv| mv.word).collect(),
            false => vec![],
        };
        self.machine().draw(at.words(), &moves)
    }
}
