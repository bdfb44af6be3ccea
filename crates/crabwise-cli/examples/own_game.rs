//! A game that the registry does not know, with every command: Wythoff's queen.

use std::{fmt, process::ExitCode};

use crabwise::{ErasedGame, Game, Setup};
use crabwise_games::{Entry, Params, Registry};

/// The queen goes left, down or both at once; whoever brings her to a1 wins.
struct Queen(Square);

/// Column and row, from 0. A position is where she stands, a move is where she goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Square(u8, u8);

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.0) as char, self.1 + 1)
    }
}

impl Game for Queen {
    type Position = Square;
    type Move = Square;

    fn start(&self) -> Square {
        self.0
    }

    fn moves(&self, &Square(x, y): &Square) -> impl IntoIterator<Item = Square> {
        let left = (1..=x).map(move |n| Square(x - n, y));
        let down = (1..=y).map(move |n| Square(x, y - n));
        left.chain(down).chain((1..=x.min(y)).map(move |n| Square(x - n, y - n)))
    }

    fn play(&self, _at: &Square, to: Square) -> Square {
        to
    }

    fn show(&self, at: &Square) -> String {
        let cell = |x, y| if Square(x, y) == *at { " Q" } else { " ." };
        let row = |y| (0..=self.0.0).map(|x| cell(x, y)).collect::<String>();
        (0..=self.0.1).rev().map(row).collect::<Vec<_>>().join("\n")
    }
}

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let (x, y) = params.size(["number of columns", "number of rows"], (8, 8), [1..=26, 1..=26])?;
    Ok(Setup::of(Queen(Square(x as u8 - 1, y as u8 - 1))).erased())
}

fn main() -> ExitCode {
    let (parameters, example) = ("COLUMNSxROWS, each 1 to 26 (default 8x8)", "queen:8x8");
    let about = "bring the queen to the corner, left, down or both";
    let mut registry = Registry::standard();
    registry.add(Entry { name: "queen", about, parameters, example, build });
    crabwise_cli::main_with(&registry)
}
