//! Dots and boxes: draw lines between dots; whoever completes a box owns it and draws again.
//!
//! Rules: E. R. Berlekamp, "The Dots and Boxes Game"; more boxes win, as many are a tie. A position
//! is the set of lines drawn and the lead, in boxes, of the player to move. It is turned around
//! after a move unless the move completed a box. The last line always completes one, so a finished
//! game is told from the side of the player who drew it. Lines across come first in the set, row
//! by row, then the upright ones; the top byte holds the lead, so there are at most 56 lines.

use std::fmt;

use crabwise::{
    Drawn, ErasedGame, Game, Outcome, Setup,
    game::picture::{Form, Picture, Shape, Tone},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout, trimmed},
    grid::{Cell, Grid, bits, letter},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "dots-and-boxes",
    about: "draw lines between dots; complete a box to own it and draw again; more boxes win",
    parameters: "ROWSxCOLUMNS of boxes, each 1 to 18, at most 56 lines (default 2x2)",
    example: "dots-and-boxes:2x2",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let names = ["number of rows", "number of columns"];
    let (rows, columns) = params.size(names, (2, 2), [1..=18, 1..=18])?;
    let lines = rows * (columns + 1) + columns * (rows + 1);
    if lines > LEAD_AT {
        return Err(format!("{rows}x{columns} boxes have {lines} lines, more than {LEAD_AT}"));
    }
    Ok(Setup::of(DotsAndBoxes::new(rows, columns)).drawn().erased())
}

const LEAD_AT: u32 = 56;

/// The rules for one number of boxes.
pub(crate) struct DotsAndBoxes {
    rows: u32,
    columns: u32,
    all: u64,
    /// The four lines around each box.
    boxes: Vec<u64>,
}

/// The lines drawn, and in the top byte the lead of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Drawing(u64);

impl Drawing {
    fn new(lines: u64, lead: i8) -> Drawing {
        Drawing(lines | u64::from(lead as u8) << LEAD_AT)
    }

    fn lines(self) -> u64 {
        self.0 & !(0xff << LEAD_AT)
    }

    fn lead(self) -> i8 {
        (self.0 >> LEAD_AT) as i8
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Drawing({:#b}, {:+})", self.lines(), self.lead())
    }
}

impl DotsAndBoxes {
    pub(crate) fn new(rows: u32, columns: u32) -> DotsAndBoxes {
        let count = rows * (columns + 1) + columns * (rows + 1);
        let mut game = DotsAndBoxes { rows, columns, all: !(!0 << count), boxes: vec![] };
        for row in 0..rows {
            for column in 0..columns {
                let across = game.across(column, row) | game.across(column, row + 1);
                let upright = game.upright(column, row) | game.upright(column + 1, row);
                game.boxes.push(across | upright);
            }
        }
        game
    }

    /// The line from a dot to the one on its right.
    fn across(&self, column: u32, row: u32) -> u64 {
        1 << (row * self.columns + column)
    }

    /// The line from a dot to the one above it.
    fn upright(&self, column: u32, row: u32) -> u64 {
        1 << ((self.rows + 1) * self.columns + row * (self.columns + 1) + column)
    }

    fn dots(&self) -> Grid {
        Grid { columns: self.columns + 1, rows: self.rows + 1 }
    }

    fn complete(&self, lines: u64) -> i8 {
        self.boxes.iter().filter(|&&sides| lines & sides == sides).count() as i8
    }

    fn line(&self, index: u32) -> Line {
        let across = (self.rows + 1) * self.columns;
        let (i, width, (right, up)) = match index.checked_sub(across) {
            None => (index, self.columns, (1, 0)),
            Some(i) => (i, self.columns + 1, (0, 1)),
        };
        let (column, row) = (i % width, i / width);
        let dots = self.dots();
        Line { index, from: dots.at(column, row), to: dots.at(column + right, row + up) }
    }
}

impl Game for DotsAndBoxes {
    type Position = Drawing;
    type Move = Line;

    fn start(&self) -> Drawing {
        Drawing::new(0, 0)
    }

    fn moves(&self, at: &Drawing) -> impl IntoIterator<Item = Line> {
        bits(self.all & !at.lines()).map(|index| self.line(index))
    }

    fn play(&self, at: &Drawing, line: Line) -> Drawing {
        let lines = at.lines() | 1 << line.index;
        match self.complete(lines) - self.complete(at.lines()) {
            0 => Drawing::new(lines, -at.lead()),
            won => Drawing::new(lines, at.lead() + won),
        }
    }

    fn over(&self, at: &Drawing) -> Option<Outcome> {
        (at.lines() == self.all).then(|| match at.lead() {
            ..0 => Outcome::Loss,
            0 => Outcome::Tie,
            1.. => Outcome::Win,
        })
    }

    fn again(&self, from: &Drawing, to: &Drawing) -> bool {
        self.complete(from.lines()) < self.complete(to.lines())
    }

    fn show(&self, at: &Drawing) -> String {
        let drawn = |line: u64, ink, blank| if at.lines() & line != 0 { ink } else { blank };
        let mut lines = vec![];
        for row in (0..=self.rows).rev() {
            let right = |column| drawn(self.across(column, row), "+---", "+   ");
            let dots: String = (0..self.columns).map(right).collect();
            lines.push(format!("{:>2} {dots}+", row + 1));
            if row > 0 {
                let below = |column| drawn(self.upright(column, row - 1), "   |", "    ");
                lines.push((0..=self.columns).map(below).collect());
            }
        }
        lines.push((0..=self.columns).map(|column| format!("   {}", letter(column))).collect());
        lines.push(format!("lead of the player to move: {}", at.lead()));
        lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
    }
}

impl Drawn for DotsAndBoxes {
    /// Who owns a box is not known, only which are complete.
    fn picture(&self, at: &Drawing, _made: &[String]) -> Picture {
        let dots = self.dots();
        let mut drawing = BoardDrawing::new(dots, Layout::Up);
        for (number, sides) in (0..).zip(&self.boxes) {
            let (column, row) = (number % self.columns, number / self.columns);
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
                .map(|(right, up)| drawing.middle(dots.at(column + right, row + up)));
            let left = sides & !at.lines();
            let (tone, title) = match left.count_ones() {
                0 => (Tone::Shade, "complete".into()),
                1 => {
                    let line = self.line(left.trailing_zeros());
                    (Tone::Hint, format!("one line short: {line} completes it"))
                }
                _ => continue,
            };
            drawing.push(Shape::new(Form::Area(corners.to_vec()), tone).titled(title));
        }
        for line in bits(self.all).map(|index| self.line(index)) {
            let played = at.lines() >> line.index & 1 == 1;
            let (from, to) =
                trimmed(drawing.middle(line.from), drawing.middle(line.to), [DOT; 2], 0.0);
            let tone = if played { Tone::Played } else { Tone::Move };
            let form = Form::Line { from, to, arrow: false };
            drawing.push(Shape::new(form, tone).named(line.to_string()));
        }
        for cell in (0..dots.columns * dots.rows).map(|number| dots.cell(number)) {
            let dot = Form::Disc { at: drawing.middle(cell), radius: DOT };
            drawing.push(Shape::new(dot, Tone::Piece));
        }
        drawing.picture()
    }
}

/// How far a dot goes.
const DOT: f64 = 0.35;

/// A line between two neighbouring dots, written `a1-b1`.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    index: u32,
    from: Cell,
    to: Cell,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crabwise::{Index, solve};

    #[test]
    fn completing_a_box_keeps_the_turn() {
        let game = DotsAndBoxes::new(1, 2);
        let play = |at: Drawing, name: &str| {
            let line = game.moves(&at).into_iter().find(|line| line.to_string() == name).unwrap();
            game.play(&at, line)
        };
        let mut at = game.start();
        for name in ["a1-b1", "a2-b2", "b1-c1", "b2-c2", "a1-a2", "c1-c2"] {
            let next = play(at, name);
            assert!(!game.again(&at, &next));
            at = next;
        }
        let done = play(at, "b1-b2");
        assert!(game.again(&at, &done));
        assert_eq!((done.lead(), game.over(&done)), (2, Some(Outcome::Win)));
        let picture = " 2 +---+---+\n   |       |\n 1 +---+---+\n   a   b   c\n";
        assert!(game.show(&at).starts_with(picture));
    }

    /// The best further margin with these lines drawn, boxes found by the names of their sides.
    fn margin(lines: u32, sides: &[u32], all: u32, known: &mut HashMap<u32, i32>) -> i32 {
        if lines == all {
            return 0;
        }
        if let Some(&best) = known.get(&lines) {
            return best;
        }
        let closed = |lines: u32| sides.iter().filter(|&&s| lines & s == s).count() as i32;
        let mut best = i32::MIN;
        for line in (0..32).map(|i| 1 << i).filter(|line| all & !lines & line != 0) {
            let won = closed(lines | line) - closed(lines);
            let rest = margin(lines | line, sides, all, known);
            best = best.max(if won > 0 { won + rest } else { -rest });
        }
        known.insert(lines, best);
        best
    }

    #[test]
    fn outcomes_are_signs_of_the_best_margin() {
        for (rows, columns) in [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)] {
            let game = DotsAndBoxes::new(rows, columns);
            let start = game.start();
            let names: Vec<_> = game.moves(&start).into_iter().map(|m| m.to_string()).collect();
            let bit = |a: String, b: String| {
                1 << names.iter().position(|name| *name == format!("{a}-{b}")).unwrap()
            };
            let dot = |x: u32, y: u32| format!("{}{}", ["a", "b", "c", "d"][x as usize], y + 1);
            let around = |i: u32| {
                let (x, y) = (i % columns, i / columns);
                bit(dot(x, y), dot(x + 1, y))
                    | bit(dot(x, y + 1), dot(x + 1, y + 1))
                    | bit(dot(x, y), dot(x, y + 1))
                    | bit(dot(x + 1, y), dot(x + 1, y + 1))
            };
            let sides: Vec<u32> = (0..rows * columns).map(around).collect();
            let mut known = HashMap::new();
            let solution = solve(&game).unwrap();
            let index = &solution.index;
            for at in (0..index.tiers()).flat_map(|tier| index.positions(tier)) {
                let rest = margin(at.lines() as u32, &sides, game.all as u32, &mut known);
                let expected =
                    ["loss", "tie", "win"][((i32::from(at.lead()) + rest).signum() + 1) as usize];
                let outcome = solution.value(at).map(|value| value.outcome());
                assert_eq!(outcome, Some(expected), "{}", game.show(at));
            }
        }
    }
}
