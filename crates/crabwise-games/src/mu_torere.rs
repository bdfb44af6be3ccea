//! Mu Torere: a star of eight points around a centre; block the other.
//!
//! Rules: M. Ascher, "Mu Torere: an analysis of a Maori game", Mathematics Magazine 60 (1987). Each side has four
//! stones on neighbouring points of the star, the first player on 5 to 8, the second on 1 to 4. In turn, a
//! stone moves to the one place that is empty: from point to neighbouring point, from the centre to any
//! point, or from a point to the centre, but only if one of the points beside it has a stone of the other side.
//! Whoever cannot move has lost.
//!
//! A position is the two sets of stones and whose turn it is, bit 0 for point 1 and bit 8 for the centre. Of
//! 1,260, the start leads to 1,180, and of the 92 up to symmetry to 86.

use std::{f64::consts::TAU, fmt};

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, PositionEditor, Setup,
    game::picture::{Form, Picture, Shape, Tone},
};

use crate::{
    Entry, Params,
    board_drawing::{PIECE, SIDES, label, piece, way},
    faced::Faced,
    grid::bits,
    notation::{BoardNotation, STONES, Spot},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "mu-torere",
    about: "four stones each on a star of eight points; block the other",
    parameters: "",
    example: "mu-torere",
    build,
};

fn build(_: &mut Params) -> Result<ErasedGame, String> {
    Ok(Setup::of(MuTorere).drawn().editable().erased())
}

/// The rules.
struct MuTorere;

/// Sets of stones.
type Stones = Faced<u16>;

/// The place in the middle.
const CENTRE: u32 = 8;

/// The points on both sides of one.
fn beside(point: u32) -> u16 {
    1 << ((point + 1) % 8) | 1 << ((point + 7) % 8)
}

/// The place that is empty.
fn empty(at: &Stones) -> u32 {
    (at.mine | at.theirs).trailing_ones()
}

/// What is on the points 1 to 8 and in the centre.
fn marks(at: &Stones) -> [char; 9] {
    let [x, o] = at.players();
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|place| match [x, o].map(|set| set >> place & 1) {
        [1, _] => 'X',
        [_, 1] => 'O',
        _ => '.',
    })
}

/// What a place is called.
fn name(place: u32) -> String {
    if place == CENTRE { "c".into() } else { (place + 1).to_string() }
}

impl Game for MuTorere {
    type Position = Stones;
    type Move = Step;

    fn start(&self) -> Stones {
        Faced { mine: 0b0_1111_0000, theirs: 0b0_0000_1111, second: false }
    }

    fn moves(&self, at: &Stones) -> impl IntoIterator<Item = Step> {
        let (at, to) = (*at, empty(at));
        let may = move |&from: &u32| match (from, to) {
            (CENTRE, _) => true,
            (_, CENTRE) => beside(from) & at.theirs != 0,
            _ => beside(from) >> to & 1 == 1,
        };
        bits(at.mine.into()).filter(may).map(move |from| Step { from, to })
    }

    fn play(&self, at: &Stones, Step { from, to }: Step) -> Stones {
        Faced { mine: at.theirs, theirs: at.mine ^ (1 << from | 1 << to), second: !at.second }
    }

    fn show(&self, at: &Stones) -> String {
        let [a, b, c, d, e, f, g, h, middle] = marks(at);
        format!(
            "      1\n      {a}\n  8 {h} | {b} 2\n     \\|/\n7 {g}---{middle}---{c} 3\n     /|\\\n  6 {f} | {d} 4\n      {e}\n      \
             5\n{} to move",
            at.to_move()
        )
    }

    /// The points 1 to 8, the centre, and whose turn it is.
    fn notation(&self, at: &Stones) -> String {
        format!("{}-{}", marks(at).iter().collect::<String>(), at.to_move())
    }

    fn read(&self, word: &str) -> Option<Result<(Stones, u32), String>> {
        Some(board_notation().read(word)?.and_then(|arrangement| {
            let players = arrangement.stones();
            let [x, o] = players.map(u64::count_ones);
            if [x, o] != [4, 4] {
                return Err(format!("there are {x} X and {o} O, not four of each"));
            }
            Ok((Stones::of_players(players, arrangement.turn), arrangement.turn as u32))
        }))
    }
}

fn board_notation() -> BoardNotation {
    let spot = |number: u32| Spot { number, name: name(number), letters: ".XO" };
    BoardNotation::new(vec![(0..=CENTRE).map(spot).collect()], STONES).with_turn(['X', 'O'])
}

impl PositionEditor for MuTorere {
    fn editor(&self) -> EditorBoard {
        board_notation().editor()
    }
}

/// How far the points are from the centre of the drawing, and that from its edges.
const RADIUS: f64 = 7.0;
const MIDDLE: f64 = 10.5;

/// A point at this distance from the centre, in the direction of a place: point 1 is above.
fn spot(place: u32, radius: f64) -> [f64; 2] {
    let angle = TAU * f64::from(place) / 8.0;
    let radius = if place == CENTRE { 0.0 } else { radius };
    [MIDDLE + radius * angle.sin(), MIDDLE - radius * angle.cos()]
}

impl Drawn for MuTorere {
    fn picture(&self, at: &Stones, _made: &[String]) -> Picture {
        let mut shapes = vec![];
        for point in 0..CENTRE {
            for other in [CENTRE, (point + 1) % 8] {
                let (from, to) = (spot(point, RADIUS), spot(other, RADIUS));
                shapes.push(Shape::new(Form::Line { from, to, arrow: false }, Tone::Board));
            }
        }
        let players = at.players();
        for place in 0..=CENTRE {
            let middle = spot(place, RADIUS);
            let disc = Form::Disc { at: middle, radius: PIECE };
            shapes.push(Shape::new(disc, Tone::Board).named(name(place)));
            if place != CENTRE {
                shapes.push(label(spot(place, RADIUS + 2.2), name(place)));
            }
            for (set, (tone, text)) in players.into_iter().zip(SIDES) {
                if set >> place & 1 == 1 {
                    shapes.extend(piece(middle, tone, text));
                }
            }
        }
        for step in self.moves(at) {
            let [from, to] = [step.from, step.to].map(|place| spot(place, RADIUS));
            shapes.push(way(from, to, step.to_string()));
        }
        Picture { width: 2.0 * MIDDLE, height: 2.0 * MIDDLE, shapes }
    }
}

/// A stone's way, as 8-c.
#[derive(Clone, Copy)]
struct Step {
    from: u32,
    to: u32,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", name(self.from), name(self.to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(word: &str) -> Vec<String> {
        let (at, _) = MuTorere.read(word).unwrap().unwrap();
        MuTorere.moves(&at).into_iter().map(|step| step.to_string()).collect()
    }

    #[test]
    fn only_stones_beside_the_others_go_to_the_centre() {
        assert_eq!(names("OOOOXXXX.-X"), ["5-c", "8-c"]);
        assert_eq!(names("OOOOXXXX.-O"), ["1-c", "4-c"]);
        assert_eq!(names("OXOXOXOX.-X"), ["2-c", "4-c", "6-c", "8-c"]);
    }

    #[test]
    fn from_the_centre_a_stone_goes_anywhere() {
        assert_eq!(names(".OOOOXXXX-X"), ["8-1", "c-1"]);
        // Both neighbours of the empty point and the centre are the other side's.
        assert!(names(".XOOOOXXX-O").is_empty());
    }
}
