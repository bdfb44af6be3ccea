//! Positions as words: the rows from the top with a letter or a dot for each square, and whose turn it is,
//! `......../.../....K..Q-w`; a pawn that can be taken in passing is an E. FEN is read, too, with spaces or `_`
//! between its fields; with spaces it is one word of a line if it stands in quotation marks.

use crabwise::{EditorBoard, PositionEditor, watch::Shown};

use super::{
    Chess, GRID,
    men::{ChessBoard, LETTERS, MOST_MEN, Man, ManKind, double_row, step},
    numbering::material_name,
};
use crate::{
    board_drawing::Layout,
    grid::Cell,
    notation::{BoardNotation, rows},
};

const MEN: &[(char, &str)] = &[
    ('.', "free"),
    ('K', "white king"),
    ('Q', "white queen"),
    ('R', "white rook"),
    ('B', "white bishop"),
    ('N', "white knight"),
    ('P', "white pawn"),
    ('E', "white pawn that can be taken in passing"),
    ('k', "black king"),
    ('q', "black queen"),
    ('r', "black rook"),
    ('b', "black bishop; Black to move"),
    ('n', "black knight"),
    ('p', "black pawn"),
    ('e', "black pawn that can be taken in passing"),
    ('w', "White to move"),
];

fn board_notation() -> BoardNotation {
    let letters = |cell: Cell| match cell.row() {
        0 | 7 => ".KQRBNkqrbn",
        3 => ".KQRBNPEkqrbnp",
        4 => ".KQRBNPkqrbnpe",
        _ => ".KQRBNPkqrbnp",
    };
    BoardNotation::of(GRID, Layout::Up, MEN, letters).with_turn(['w', 'b'])
}

/// The letter on a square.
pub(super) fn mark(at: &ChessBoard, cell: Cell) -> char {
    match at.at(cell.number().into()) {
        Some(man) if at.passer() == Some(man) => {
            if man.side() == 0 {
                'E'
            } else {
                'e'
            }
        }
        Some(man) => LETTERS[usize::from(man.code)],
        None => '.',
    }
}

fn turn_letter(at: &ChessBoard) -> char {
    if at.turn == 0 { 'w' } else { 'b' }
}

/// The word of a position.
pub(super) fn word(at: &ChessBoard) -> String {
    format!("{}-{}", rows(GRID, Layout::Up, |cell| mark(at, cell)), turn_letter(at))
}

/// The position in FEN, without the fields that say nothing here, `_` between them.
pub(super) fn fen(at: &ChessBoard) -> String {
    let plain = at.with_passing(false);
    let mut board = rows(GRID, Layout::Up, |cell| mark(&plain, cell));
    for free in (1..=8).rev() {
        board = board.replace(&".".repeat(free), &free.to_string());
    }
    let behind = |pawn: Man| i32::from(pawn.square) - step(pawn.side(), 1);
    let passing = at.passer().map(|pawn| format!("_-_{}", GRID.cell(behind(pawn) as u32)));
    format!("{board}_{}{}", turn_letter(at), passing.unwrap_or_default())
}

/// The position of a word in either form; `None` if it is neither.
pub(super) fn read(word: &str) -> Option<Result<ChessBoard, String>> {
    let fields: Vec<&str> = word.split([' ', '_']).collect();
    let digits = |letter: char| letter.to_digit(10).filter(|_| word.contains('/'));
    let board: String = fields[0]
        .chars()
        .map(|letter| digits(letter).map_or(letter.to_string(), |free| ".".repeat(free as usize)))
        .collect();
    if word.contains('/') && !word.contains(['-', '_', ' ']) {
        return Some(Err(
            "whose turn it is comes last, -w or -b; FEN with blanks stands in quotation marks"
                .into(),
        ));
    }
    let whole = match fields.get(1) {
        Some(turn) => format!("{board}-{turn}"),
        None => board,
    };
    let arrangement = board_notation().read(&whole)?;
    Some(arrangement.and_then(|arrangement| {
        let turn = arrangement.turn as u8;
        let mut men = vec![];
        for (code, letter) in (0..).zip(LETTERS) {
            men.extend(
                arrangement
                    .all(letter)
                    .into_iter()
                    .map(|square| Man { code, square: square as u8 }),
            );
        }
        let passers = [('E', 0), ('e', 1)].map(|(letter, side)| {
            arrangement
                .all(letter)
                .into_iter()
                .map(move |square| Man::new(side, ManKind::Pawn, square))
        });
        let passers: Vec<Man> = passers.into_iter().flatten().collect();
        men.extend(&passers);
        let at = sound(&men, turn)?;
        let passed = passed(&fields, &at)?;
        match passers.first() {
            None => Ok(at.with_passing(passed && at.can_be_passing())),
            Some(passer) if passer.side() != turn && at.can_be_passing() => {
                Ok(at.with_passing(true))
            }
            Some(passer) => {
                let square = GRID.cell(passer.square.into());
                Err(format!("the pawn on {square} cannot be taken in passing"))
            }
        }
    }))
}

/// Whether the fields of FEN after the turn name a pawn that made a double step.
fn passed(fields: &[&str], at: &ChessBoard) -> Result<bool, String> {
    if fields.get(2).is_some_and(|castling| *castling != "-") {
        return Err("nobody castles in these endgames".into());
    }
    let pawn = at.side(1 - at.turn).find(|man| man.kind() == ManKind::Pawn);
    let pawn = pawn.filter(|pawn| u32::from(pawn.square) / 8 == double_row(pawn.side()));
    let behind = pawn
        .map(|pawn| GRID.cell((i32::from(pawn.square) - step(pawn.side(), 1)) as u32).to_string());
    match fields.get(3) {
        None | Some(&"-") => Ok(false),
        Some(square) if behind.is_some_and(|behind| behind == **square) => Ok(true),
        Some(square) => Err(format!("no pawn has just passed {}", Shown(square))),
    }
}

/// A board with these men, if they are what they may be.
fn sound(men: &[Man], turn: u8) -> Result<ChessBoard, String> {
    for (side, name) in [(0, "white"), (1, "black")] {
        let kings = men.iter().filter(|man| man.code == side).count();
        if kings != 1 {
            return Err(format!("there are {kings} {name} kings, not one"));
        }
    }
    if men.len() > MOST_MEN {
        return Err(format!("there are {} men, more than {MOST_MEN}", men.len()));
    }
    let at = ChessBoard::new(men, turn, false);
    if at.in_check(1 - turn) {
        return Err("the side that is not to move is in check".into());
    }
    Ok(at)
}

impl Chess {
    /// The position of FEN.
    pub(super) fn read_fen(&self, text: &str) -> Result<ChessBoard, String> {
        let shown = Shown(text);
        let Some(read) = read(text) else {
            return Err(format!("'at={shown}' is no position; write it as 8/8/8/3k4/8/8/8/K6Q_w"));
        };
        let known = read.and_then(|at| self.known(at));
        known.map_err(|reason| format!("'at={shown}': {reason}"))
    }

    /// The position, if its men can come about.
    pub(super) fn known(&self, at: ChessBoard) -> Result<ChessBoard, String> {
        match self.materials.tier(&at.codes()) {
            Some(_) => Ok(at),
            None => {
                let (found, all) = (at.codes(), *self.materials.first());
                Err(format!(
                    "the men are {}, which never comes of {}",
                    material_name(&found),
                    material_name(&all)
                ))
            }
        }
    }
}

impl PositionEditor for Chess {
    fn editor(&self) -> EditorBoard {
        board_notation().editor()
    }
}
