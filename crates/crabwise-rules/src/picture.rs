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
    machine::{Machine, natural},
    syntax::{BoardHint, BoardShape, CellHint},
};

/// Words for a place where nothing is.
const NOTHING: [&str; 8] = ["b", "blank", "empty", "e", "free", "none", "nothing", "dirt"];
/// The fewest places of a board.
const FEWEST: usize = 4;
/// How far a piece goes from its middle.
const PIECE: f64 = 0.4 * CELL;
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
    /// What the places are called.
    cells: Vec<String>,
    /// The middles of the places, as they are drawn.
    middles: Vec<[f64; 2]>,
    /// Pairs of places that a line joins. Where there are some, places are points.
    edges: Vec<(usize, usize)>,
}

impl Board {
    /// The board of some rules, if they have one.
    pub(crate) fn of(machine: &Machine) -> Option<Board> {
        if let Some(hint) = &machine.terms.hints.board {
            return Some(Board::hinted(machine, hint));
        }
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
    fn hinted(machine: &Machine, hint: &BoardHint) -> Board {
        let mut places = vec![vec![]; hint.cells.len()];
        for (fact, &term) in (0..).zip(&machine.roots.facts) {
            let &[cell, what] = machine.terms.arguments(term) else { continue };
            let cell = machine.terms.word(cell);
            let place = hint.cells.iter().position(|known| *known.name == *cell);
            if let (Some(place), true) = (place, *machine.terms.head_name(term) == hint.content) {
                places[place].push((fact, machine.terms.word(what)));
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
    fn ways(&self, word: &str) -> Vec<usize> {
        let place = |name: String| self.cells.iter().position(|cell| *cell == name);
        names(word).filter_map(place).collect()
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
        if let [cell] = &names[..] {
            return self.cells.iter().position(|known| known == cell);
        }
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
        if let Some(board) = self.board.as_ref().filter(|board| !board.rows.is_empty()) {
            let pieces = (0..board.places.len()).map(|place| board.piece(self, words, place));
            let widest = pieces.flatten().map(|piece| piece.chars().count()).max();
            let side = board.columns.iter().map(|name| name.chars().count()).max();
            let wide = widest.unwrap_or(1).min(4).max(side.unwrap_or(1));
            let names = board.rows.iter().map(|name| name.chars().count()).max().unwrap_or(1);
            // Rows of hexagons lean to the right.
            let left = board.middles.iter().map(|middle| middle[0]).fold(f64::MAX, f64::min);
            let lean = |row: usize, wide: usize| {
                let cells = (board.middles[row * board.columns.len()][0] - left) / CELL;
                " ".repeat((cells * (wide + 1) as f64).round() as usize)
            };
            for row in (0..board.rows.len()).rev() {
                let lean = lean(row, wide);
                let mut line = format!("{lean}{:>names$}", board.rows[row]);
                for column in 0..board.columns.len() {
                    let piece = board.piece(self, words, row * board.columns.len() + column);
                    let piece: String = piece.unwrap_or(".").chars().take(wide).collect();
                    line += &format!(" {piece:>wide$}");
                }
                lines.push(line);
            }
            let columns = board.columns.iter().map(|name| format!(" {name:>wide$}"));
            lines.push(lean(0, wide) + &" ".repeat(names) + &columns.collect::<String>());
        }
        let beside = self.beside(words);
        if !beside.is_empty() {
            lines.push(beside.join(" "));
        }
        if let Some(why) = self.broken_why(words) {
            lines.push(why);
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
        let wide = board.columns.len();
        let middle = |place: usize| board.middles[place];
        let half = CELL / 2.0;
        let square = |[x, y]: [f64; 2]| {
            if !board.edges.is_empty() {
                return Form::Disc { at: [x, y], radius: PIECE };
            }
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            Form::Area(corners.map(|[dx, dy]| [x + half * dx, y + half * dy]).to_vec())
        };
        for &(one, other) in &board.edges {
            let (from, to) = (middle(one), middle(other));
            shapes.push(Shape::new(Form::Line { from, to, arrow: false }, Tone::Board));
        }
        for (place, name) in board.cells.iter().enumerate() {
            shapes.push(Shape::new(square(middle(place)), Tone::Board).named(name));
        }
        for word in moves {
            if let Some(place) = board.place(word) {
                shapes.push(Shape::new(square(middle(place)), Tone::Move).named(*word));
            }
        }
        for (place, name) in board.cells.iter().enumerate() {
            let at = middle(place);
            if let Some(piece) = board.piece(self, words, place) {
                let disc = Form::Disc { at, radius: PIECE };
                shapes
                    .push(Shape::new(disc, self.tone(piece)).titled(format!("{piece} on {name}")));
                let text: String = piece.chars().take(3).collect();
                shapes.push(Shape::new(Form::Text { at, text }, Tone::Label));
            } else if !board.edges.is_empty() {
                shapes.push(Shape::new(Form::Text { at, text: name.clone() }, Tone::Label));
            }
        }
        for word in moves {
            if let [from, to] = board.ways(word)[..] {
                let (from, to) = arrow(middle(from), middle(to));
                let line = Form::Line { from, to, arrow: true };
                shapes.push(Shape::new(line, Tone::Move).named(*word));
            }
        }
        for (x, column) in board.columns.iter().enumerate() {
            let at = [board.middles[x][0], board.middles[x][1] + half + 1.0];
            shapes.push(Shape::new(Form::Text { at, text: column.clone() }, Tone::Label));
        }
        for (y, row) in board.rows.iter().enumerate() {
            let first = board.middles[y * wide];
            let at = [first[0] - half - NAMES / 2.0, first[1]];
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
            // A place is pointed at for one move only, and so is a way.
            let of = |word: &str| match board.ways(word)[..] {
                [from, to] => Some((from, to)),
                _ => board.place(word).map(|place| (place, place)),
            };
            let mut many: BTreeMap<(usize, usize), u32> = BTreeMap::new();
            moves
                .iter()
                .filter_map(|word| of(word))
                .for_each(|at| *many.entry(at).or_default() += 1);
            let alone = |word: &&str| of(word).is_some_and(|at| many[&at] == 1);
            on_board = moves.iter().copied().filter(alone).collect();
            self.draw_board(board, words, &on_board, &mut shapes);
            let most = |axis: usize| {
                board.middles.iter().map(|middle| middle[axis]).fold(0.0_f64, f64::max)
            };
            width = width.max(most(0) + CELL / 2.0 + 1.0);
            y = most(1) + CELL / 2.0 + 2.0;
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

/// From beside the piece at one place to the middle of another, aside of the way back.
fn arrow(from: [f64; 2], to: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let length = x.hypot(y).max(1e-9);
    let [x, y] = [x / length, y / length];
    let aside = [-0.1 * CELL * y, 0.1 * CELL * x];
    let begin = PIECE.min(length / 3.0);
    let end = (0.5 * PIECE).min(length / 3.0);
    (
        [from[0] + begin * x + aside[0], from[1] + begin * y + aside[1]],
        [to[0] - end * x + aside[0], to[1] - end * y + aside[1]],
    )
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bounds::Bounds,
        examples::example,
        text::{Text, Wishes},
    };

    /// The text, the moves and the picture of the start of an example.
    fn start(name: &str) -> (String, Vec<String>, Picture) {
        let text = Text::read(example(name).unwrap(), Wishes::default(), Bounds::within(1 << 30));
        let game = text.unwrap_or_else(|why| panic!("{why:?}")).open_game().unwrap();
        let board = game.board(&[]).unwrap();
        let moves = board.moves.iter().map(|(word, _)| word.clone()).collect();
        (board.place.text, moves, board.picture)
    }

    #[test]
    fn a_text_says_what_its_board_looks_like() {
        let (shown, moves, picture) = start("tic-tac-toe");
        assert!(shown.starts_with("3 . . .\n2 . . .\n1 . . .\n  a b c"), "{shown}");
        assert_eq!(moves.len(), 9);
        for mv in ["a1", "b2", "c3"] {
            assert!(moves.iter().any(|word| word == mv));
            let shapes = picture.shapes.iter().filter(|shape| shape.name.as_deref() == Some(mv));
            let tones: Vec<Tone> = shapes.map(|shape| shape.tone).collect();
            assert_eq!(tones, [Tone::Board, Tone::Move]);
        }
        let (shown, ..) = start("hex");
        assert!(shown.starts_with("1 . . . .\n 2 . . . .\n  3 . . . ."), "{shown}");
    }

    #[test]
    fn ways_are_arrows_and_graphs_are_points_and_lines() {
        let (_, mut moves, picture) = start("mu-torere");
        moves.sort();
        assert_eq!(moves, ["5-c", "8-c"]);
        let lines = picture.shapes.iter().filter(|shape| matches!(shape.form, Form::Line { .. }));
        let arrows = lines.clone().filter(|shape| shape.tone == Tone::Move);
        assert_eq!((lines.count(), arrows.count()), (16 + 2, 2));
        let (_, moves, picture) = start("dao");
        let ways = picture.shapes.iter().filter(|shape| shape.tone == Tone::Move).count();
        assert_eq!(ways, moves.len());
    }
}
