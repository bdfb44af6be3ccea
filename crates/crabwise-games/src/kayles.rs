//! Kayles, and Dawson's Kayles: knock down pins that stand in rows; the last to move wins.
//!
//! Rules: Berlekamp, Conway and Guy, "Winning Ways", chapter 4. In Kayles a move knocks down one
//! pin or two neighbours, in Dawson's Kayles always two. A position is the set of standing pins.
//! Rows are laid end to end with an empty place between them, which counts as a place: in
//! 3-5-7 the pins are 1 to 3, 5 to 9 and 11 to 17. Pins are neighbours when their places are, so
//! a gap between rows and a fallen pin are the same thing.

use std::fmt;

use crabwise::{
    Drawn, ErasedGame, Game, Impartial, Setup,
    game::picture::{Form, Picture, Shape, Tone},
    index::combinadic::full,
};

use crate::{
    Entry, Params,
    board_drawing::{CELL, label, lozenge},
    grid::bits,
};

pub(crate) const KAYLES: Entry = Entry {
    name: "kayles",
    about: "knock down one pin or two neighbours; the last to move wins",
    parameters: "ROW-ROW-..., pins in each row, at most 64 with a gap between rows (default 10)",
    example: "kayles:10",
    build: |params| build(params, true),
};

pub(crate) const DAWSON: Entry = Entry {
    name: "dawson",
    about: "Dawson's Kayles: knock down two neighbouring pins; the last to move wins",
    parameters: "ROW-ROW-..., pins in each row, at most 64 with a gap between rows (default 12)",
    example: "dawson:12",
    build: |params| build(params, false),
};

fn build(params: &mut Params, singles: bool) -> Result<ErasedGame, String> {
    let default = if singles { 10 } else { 12 };
    let rows = params.list("row", &[default], 1..=32, 1..=64)?;
    let places = rows.iter().sum::<u32>() + rows.len() as u32 - 1;
    if places > 64 {
        return Err(format!(
            "the rows and the gaps between them take {places} places, more than 64"
        ));
    }
    Ok(Setup::of(Kayles::new(&rows, singles)).impartial().drawn().erased())
}

/// The rules for one start.
pub(crate) struct Kayles {
    start: u64,
    /// Whether a single pin may be knocked down.
    singles: bool,
}

impl Kayles {
    /// The rows must fit into 64 places with the gaps between them.
    pub(crate) fn new(rows: &[u32], singles: bool) -> Kayles {
        let after = |set: u64, &row: &u32| {
            let gap = if set == 0 { 0 } else { 65 - set.leading_zeros() };
            set | full(row) << gap
        };
        Kayles { start: rows.iter().fold(0, after), singles }
    }
}

impl Game for Kayles {
    type Position = u64;
    type Move = Knock;

    fn start(&self) -> u64 {
        self.start
    }

    fn moves(&self, &at: &u64) -> impl IntoIterator<Item = Knock> {
        let singles = if self.singles { at } else { 0 };
        let ones = bits(singles).map(|first| Knock { first, two: false });
        ones.chain(bits(at & at >> 1).map(|first| Knock { first, two: true }))
    }

    fn play(&self, at: &u64, knock: Knock) -> u64 {
        let pins = if knock.two { 0b11 } else { 0b1 };
        at & !(pins << knock.first)
    }

    fn show(&self, at: &u64) -> String {
        let places = 0..64 - self.start.leading_zeros();
        let pin = |place: u32| match (at >> place & 1, self.start >> place & 1) {
            (1, _) => '|',
            (_, 1) => '.',
            _ => ' ',
        };
        let digit = |n: u32| char::from(b'0' + n as u8);
        let units = places.clone().map(|place| digit((place + 1) % 10)).collect();
        let tens = (1..=places.end / 10).map(|ten| format!("{ten:>10}")).collect();
        let lines: [String; 3] = [places.map(pin).collect(), units, tens];
        lines.join("\n").trim_end().into()
    }
}

impl Drawn for Kayles {
    /// A row below the other. Between neighbours lies what knocks down both.
    fn picture(&self, at: &u64, _made: &[String]) -> Picture {
        let (mut shapes, mut spots) = (vec![], vec![]);
        let (mut column, mut row, mut widest) = (0, 0, 0);
        for place in 0..64 - self.start.leading_zeros() {
            let [x, y] = [column, row].map(|n| (f64::from(n) + 0.5) * CELL);
            spots.push([x, y]);
            if self.start >> place & 1 == 0 {
                (column, row) = (0, row + 1);
                continue;
            }
            (column, widest) = (column + 1, widest.max(column + 1));
            let standing = at >> place & 1 == 1;
            let (tone, radius) =
                if standing { (Tone::Piece, PIN) } else { (Tone::Gone, PIN / 3.0) };
            let pin = Shape::new(Form::Disc { at: [x, y], radius }, tone);
            let one = Knock { first: place, two: false };
            shapes.push(if self.singles { pin.named(one.to_string()) } else { pin });
            shapes.push(label([x, y + CELL / 2.0], place + 1));
        }
        let two = |knock: &Knock| knock.two;
        for knock in self.moves(at).into_iter().filter(two) {
            let first = knock.first as usize;
            shapes.push(lozenge(spots[first], spots[first + 1], knock.to_string()));
        }
        let (width, height) = (f64::from(widest) * CELL, f64::from(row + 1) * CELL + 1.0);
        Picture { width, height, shapes }
    }
}

/// How far a pin goes.
const PIN: f64 = 1.1;

impl Impartial for Kayles {
    /// Each unbroken run of pins that has a move, moved to the first places.
    fn parts(&self, &at: &u64) -> Vec<u64> {
        let least = if self.singles { 1 } else { 2 };
        let (mut left, mut parts) = (at, vec![]);
        while left != 0 {
            left >>= left.trailing_zeros();
            let pins = left.trailing_ones();
            left &= !full(pins);
            if pins >= least {
                parts.push(full(pins));
            }
        }
        parts
    }
}

/// `3` knocks down pin 3, `3-4` both.
#[derive(Clone, Copy)]
pub(crate) struct Knock {
    first: u32,
    two: bool,
}

impl fmt::Display for Knock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.two {
            true => write!(f, "{}-{}", self.first + 1, self.first + 2),
            false => write!(f, "{}", self.first + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::{Index, Value, analysis::nimbers::Nimbers, solve};

    fn nimbers(singles: bool) -> Vec<u32> {
        let game = Kayles::new(&[64], singles);
        let mut nimbers = Nimbers::new(&game);
        (1..=64).map(|pins| nimbers.of(&full(pins))).collect()
    }

    #[test]
    fn nimbers_are_the_published_ones() {
        let kayles = nimbers(true);
        assert_eq!(kayles[..19], [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2]);
        let dawson = nimbers(false);
        assert_eq!(dawson[..15], [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0]);
        // Period 34, and no exception to it among 19 to 30 pins or beyond 52.
        assert_eq!(dawson[18..30], dawson[52..]);
    }

    #[test]
    fn every_set_of_pins_is_reached_and_lost_where_the_nimber_is_zero() {
        for singles in [true, false] {
            let game = Kayles::new(&[3, 2, 5], singles);
            let (solution, mut nimbers) = (solve(&game).unwrap(), Nimbers::new(&game));
            assert_eq!(solution.index.total() == 1 << 10, singles);
            for at in (0..solution.index.tiers()).flat_map(|tier| solution.index.positions(tier)) {
                let lost = matches!(solution.value(at), Some(Value::Loss(_)));
                assert_eq!(nimbers.of(at) == 0, lost, "{at:b}");
            }
        }
    }

    #[test]
    fn rows_do_not_touch() {
        let game = Kayles::new(&[1, 2], false);
        let moves: Vec<_> = game.moves(&game.start()).into_iter().map(|m| m.to_string()).collect();
        assert_eq!(moves, ["3-4"]);
        assert_eq!(game.show(&0b1001), "| .|\n1234");
        assert_eq!(Kayles::new(&[11], true).show(&1), "|..........\n12345678901\n         1");
        assert_eq!(Kayles::new(&[64], true).parts(&!0), [!0]);
    }
}
