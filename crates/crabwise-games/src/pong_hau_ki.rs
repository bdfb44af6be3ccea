//! Pong Hau K'i, the Chinese children's game of five points.
//!
//! Rules: S. Culin, "Korean Games" (1895), under its Korean name ou-moul-ko-no. Each side has two
//! stones on the corners and the centre of a square, joined by all lines but the upper side:
//!
//! ```text
//! 1   2
//! |\ /|     The first player starts on 4 and 5, the second on 1 and 2. In turn, a stone
//! | 3 |     moves along a line to the empty point. Whoever cannot move has lost.
//! |/ \|
//! 4---5
//! ```
//!
//! A position is the two sets of stones and the turn, point 1 being bit 0. The board is the same
//! for both, but positions are not turned around: counts are of positions with the side to move.

use std::fmt;

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Index, PositionEditor, Setup, Slot, Unplay,
    game::picture::{Form, Picture, Shape, Tone},
    index::combinadic::Colours,
};

use crate::{
    Entry, Params,
    board_drawing::{PIECE, SIDES, label, piece, way},
    grid::bits,
    notation::{BoardNotation, STONES, Spot},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "pong-hau-ki",
    about: "two stones each on five points; block the other",
    parameters: "",
    example: "pong-hau-ki",
    build,
};

fn build(_: &mut Params) -> Result<ErasedGame, String> {
    Ok(Setup::of(PongHauKi).numbered(Placements::new()).reversible().drawn().editable().erased())
}

/// For each point, the points that a line joins to it.
const LINES: [u64; 5] = [0b01100, 0b10100, 0b11011, 0b10101, 0b01110];

/// The rules.
pub(crate) struct PongHauKi;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stones {
    sides: [u64; 2],
    turn: u8,
}

impl Game for PongHauKi {
    type Position = Stones;
    type Move = Slide;

    fn start(&self) -> Stones {
        Stones { sides: [0b11000, 0b00011], turn: 0 }
    }

    fn moves(&self, at: &Stones) -> impl IntoIterator<Item = Slide> {
        at.slides()
    }

    fn play(&self, at: &Stones, Slide { from, to }: Slide) -> Stones {
        let mut next = Stones { turn: 1 - at.turn, ..*at };
        next.sides[at.turn as usize] ^= 1 << from | 1 << to;
        next
    }

    fn show(&self, at: &Stones) -> String {
        let ([a, b, c, d, e], turn) = (at.points(), at.to_move());
        format!("1 {a}   {b} 2\n  |\\ /|\n  | {c} | 3\n  |/ \\|\n4 {d}---{e} 5\n{turn} to move")
    }

    /// The points 1 to 5, and whose turn it is.
    fn notation(&self, at: &Stones) -> String {
        format!("{}-{}", at.points().iter().collect::<String>(), at.to_move())
    }

    fn read(&self, word: &str) -> Option<Result<(Stones, u32), String>> {
        Some(board_notation().read(word)?.and_then(|arrangement| {
            let sides = arrangement.stones();
            let [x, o] = sides.map(u64::count_ones);
            if [x, o] != [2, 2] {
                return Err(format!("there are {x} X and {o} O, not two of each"));
            }
            Ok((Stones { sides, turn: arrangement.turn as u8 }, arrangement.turn as u32))
        }))
    }
}

fn board_notation() -> BoardNotation {
    let spot = |number: u32| Spot { number, name: (number + 1).to_string(), letters: ".XO" };
    BoardNotation::new(vec![(0..5).map(spot).collect()], STONES).with_turn(['X', 'O'])
}

impl PositionEditor for PongHauKi {
    fn editor(&self) -> EditorBoard {
        board_notation().editor()
    }
}

/// Where the points are on the drawing.
const PLACES: [[f64; 2]; 5] = [[4.0, 2.0], [14.0, 2.0], [9.0, 7.0], [4.0, 12.0], [14.0, 12.0]];

impl Drawn for PongHauKi {
    fn picture(&self, at: &Stones, _made: &[String]) -> Picture {
        let mut shapes = vec![];
        for (point, others) in LINES.into_iter().enumerate() {
            for other in bits(others).filter(|&other| other as usize > point) {
                let (from, to) = (PLACES[point], PLACES[other as usize]);
                shapes.push(Shape::new(Form::Line { from, to, arrow: false }, Tone::Board));
            }
        }
        for (point, place) in PLACES.into_iter().enumerate() {
            let disc = Form::Disc { at: place, radius: PIECE };
            shapes.push(Shape::new(disc, Tone::Board).named((point + 1).to_string()));
            let aside = if place[0] < 9.0 { -2.2 } else { 2.2 };
            shapes.push(label([place[0] + aside, place[1]], point + 1));
            for (set, (tone, text)) in at.sides.into_iter().zip(SIDES) {
                if set >> point & 1 == 1 {
                    shapes.extend(piece(place, tone, text));
                }
            }
        }
        for slide in at.slides() {
            let [from, to] = [slide.from, slide.to].map(|point| PLACES[point as usize]);
            shapes.push(way(from, to, slide.to_string()));
        }
        Picture { width: 18.0, height: 14.0, shapes }
    }
}

impl Unplay for PongHauKi {
    /// Every line can be walked both ways, so what the other side can do is what it may have done.
    fn unplay(&self, at: &Stones) -> impl IntoIterator<Item = Stones> {
        let before = Stones { turn: 1 - at.turn, ..*at };
        let undo = move |slide| Stones { turn: before.turn, ..self.play(&before, slide) };
        before.slides().map(undo)
    }
}

impl Stones {
    /// What is on the points 1 to 5.
    fn points(&self) -> [char; 5] {
        [0, 1, 2, 3, 4].map(|bit| match self.sides.map(|side| side >> bit & 1) {
            [0, 0] => '.',
            [1, _] => 'X',
            _ => 'O',
        })
    }

    fn to_move(self) -> char {
        if self.turn == 0 { 'X' } else { 'O' }
    }

    fn slides(self) -> impl Iterator<Item = Slide> {
        let to = (self.sides[0] | self.sides[1]).trailing_ones();
        let from = self.sides[self.turn as usize] & LINES[to as usize];
        bits(from).map(move |from| Slide { from, to })
    }
}

/// A stone's way along a line, as 4-3.
#[derive(Clone, Copy)]
pub(crate) struct Slide {
    from: u32,
    to: u32,
}

impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from + 1, self.to + 1)
    }
}

/// One loopy tier: all placements of the four stones, each with both turns.
pub(crate) struct Placements(Colours);

impl Placements {
    pub(crate) fn new() -> Placements {
        Placements(Colours::new(5, [2, 2]).expect("five points are few"))
    }
}

impl Index<Stones> for Placements {
    fn tiers(&self) -> u32 {
        1
    }

    fn len(&self, _tier: u32) -> u64 {
        2 * self.0.len()
    }

    fn slot(&self, at: &Stones) -> Slot {
        Slot { tier: 0, index: 2 * self.0.rank(at.sides) + u64::from(at.turn) }
    }

    fn position(&self, slot: Slot) -> Option<Stones> {
        let sides = self.0.unrank(slot.index / 2);
        Some(Stones { sides, turn: (slot.index % 2) as u8 })
    }

    fn name(&self) -> String {
        "pong-hau-ki-placements-1".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corner_without_a_line_to_its_neighbour_is_a_trap() {
        let trapped = Stones { sides: [0b01001, 0b10100], turn: 0 };
        assert!(PongHauKi.over(&trapped).is_some());
    }
}
