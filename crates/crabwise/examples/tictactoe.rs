use crabwise::{Game, Outcome};

struct TicTacToe;

/// Two bit sets of cells; an octal digit is a row. Turned around after every move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Board {
    mine: u16,
    theirs: u16,
}

const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

impl Game for TicTacToe {
    type Position = Board;
    type Move = u8;

    fn start(&self) -> Board {
        Board { mine: 0, theirs: 0 }
    }

    fn moves(&self, at: &Board) -> impl IntoIterator<Item = u8> {
        let taken = at.mine | at.theirs;
        (0..9).filter(move |cell| taken >> cell & 1 == 0)
    }

    fn play(&self, at: &Board, cell: u8) -> Board {
        Board { mine: at.theirs, theirs: at.mine | 1 << cell }
    }

    fn over(&self, at: &Board) -> Option<Outcome> {
        if LINES.iter().any(|line| line & !at.theirs == 0) {
            Some(Outcome::Loss)
        } else if at.mine | at.theirs == 0o777 {
            Some(Outcome::Tie)
        } else {
            None
        }
    }
}

fn main() -> Result<(), crabwise::SolveError> {
    println!("{}", crabwise::solve(&TicTacToe)?.start());
    Ok(())
}
