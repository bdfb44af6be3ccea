//! What a position looks like: its board, if it has one, and everything else as a list.
//!
//! Whatever is named like a role, or begins like one, is that role's.

use std::collections::BTreeMap;

use crabwise::{
    Drawn, Game, Picture,
    game::picture::{Form, Shape, Tone},
};

use crate::{
    board::{Board, CELL, NAMES},
    game::{Packed, Rules},
    machine::Machine,
};

/// How far a piece goes from its middle.
const PIECE: f64 = 0.4 * CELL;
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
            let pieces =
                (0..board.places.len()).map(|place| board.piece(&self.layout, words, place));
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
                    let piece =
                        board.piece(&self.layout, words, row * board.columns.len() + column);
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
            if let Some(piece) = board.piece(&self.layout, words, place) {
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
