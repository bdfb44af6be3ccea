//! Chess endgames with up to four men.
//!
//! Rules: FIDE Laws of Chess (2023), articles 3 and 5, for the men that are left. Checkmate is a loss of the player to
//! move, stalemate a tie. A pawn becomes a queen, rook, bishop or knight; a pawn that makes a double step can be taken
//! in passing if both sides have pawns. Nobody castles. Play that goes on for ever is a draw; neither repetition nor
//! fifty moves end the game, nor does a lack of men that can mate.
//!
//! A distance counts plies: mate in n moves is a win in 2n − 1. A position is the men, the turn, and
//! whether a pawn can be taken in passing, which is only told where that would be legal.

mod men;
mod notation;
mod numbering;

#[cfg(test)]
mod tests;

use std::fmt;

use crabwise::{
    Drawn, ErasedGame, Game, Outcome, Setup, Unplay,
    game::picture::{Form, Picture, Shape, Tone},
    watch::Shown,
};

pub(crate) use self::numbering::Endings;
use self::{
    men::{
        ChessBoard, Codes, LETTERS, MOST_MEN, Man, ManKind, NOBODY, PAWN_ROWS, PROMOTIONS, code,
        last_row, origins, step,
    },
    numbering::{Materials, material_name},
};
use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, CELL, Layout, label},
    grid::{Grid, bits},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "chess",
    about: "chess endgames: mate the other king",
    parameters: "MEN, White's and then Black's from the second K on, up to four (default KQK), and at=FEN to begin \
                 elsewhere, with _ for spaces",
    example: "chess:KQK",
    build,
};

const GRID: Grid = Grid { columns: 8, rows: 8 };

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let game = Chess::of(params)?;
    let index = Endings::of(&game);
    Ok(Setup::of(game).numbered(index).reversible().listed().drawn().editable().erased())
}

/// The rules for what can come about from some men.
pub(crate) struct Chess {
    materials: Materials,
    start: ChessBoard,
}

impl Chess {
    /// The endgame of these men, such as `KRK`, all on squares where chess begins.
    pub(crate) fn new(men: &str) -> Result<Chess, String> {
        let codes = codes_of(men)?;
        Ok(Chess { materials: Materials::from(codes), start: at_home(&codes) })
    }

    fn of(params: &mut Params) -> Result<Chess, String> {
        let words = params.rest().unwrap_or_default();
        let (at, men): (Vec<&str>, Vec<&str>) = words
            .split(',')
            .filter(|word| !word.is_empty())
            .partition(|word| word.starts_with("at="));
        if let Some(more) = men.get(1).or(at.get(1)) {
            return Err(format!("'{}' is one parameter too many", Shown(more)));
        }
        let mut game = Chess::new(men.first().unwrap_or(&"KQK"))?;
        params.spelled(material_name(&game.start.codes()));
        if let Some(fen) = at.first() {
            let home = game.start;
            game.start = game.read_fen(&fen["at=".len()..])?;
            if game.start != home {
                params.spelled(format!("at={}", notation::fen(&game.start)));
            }
        }
        Ok(game)
    }

    /// The moves of a man, promotions apart.
    fn targets(at: ChessBoard, man: Man) -> impl Iterator<Item = u32> {
        bits(at.targets(man)).filter(move |&to| at.is_safe(man, to))
    }
}

/// The men that letters such as `KRKB` mean.
fn codes_of(men: &str) -> Result<Codes, String> {
    let shown = Shown(men);
    let wrong = || {
        format!("'{shown}': write White's men and then Black's, each from its king on, such as KRK")
    };
    let second = men.get(1..).and_then(|rest| rest.find('K')).ok_or_else(wrong)? + 1;
    let mut codes = vec![];
    for (i, letter) in men.char_indices() {
        let side = u8::from(i >= second);
        let own = if side == 0 { letter } else { letter.to_ascii_lowercase() };
        let known = letter.is_ascii_uppercase() && (letter != 'K' || i == 0 || i == second);
        let code = LETTERS.iter().position(|known| *known == own).filter(|_| known);
        codes.push(code.ok_or_else(wrong)? as u8);
    }
    if !men.starts_with('K') {
        return Err(wrong());
    }
    if codes.len() > MOST_MEN {
        return Err(format!("'{shown}' has {} men, more than {MOST_MEN}", codes.len()));
    }
    codes.resize(MOST_MEN, NOBODY);
    codes.sort_unstable();
    Ok(codes.try_into().expect("as many as there may be"))
}

/// The men on squares where they stand when chess begins, White to move.
fn at_home(codes: &Codes) -> ChessBoard {
    let columns = |kind| match kind {
        ManKind::King => [4, 4],
        ManKind::Queen => [3, 2],
        ManKind::Rook => [0, 7],
        ManKind::Bishop => [2, 5],
        ManKind::Knight => [1, 6],
        ManKind::Pawn => [4, 3],
    };
    let mut men: Vec<Man> = vec![];
    for code in codes.iter().copied().filter(|code| *code != NOBODY) {
        let man = Man { code, square: 0 };
        let nth = men.iter().filter(|man| man.code == code).count();
        let row = if man.kind() == ManKind::Pawn { 1 } else { 0 };
        let row = if man.side() == 0 { row } else { 7 - row };
        men.push(Man { code, square: 8 * row + columns(man.kind())[nth] });
    }
    ChessBoard::new(&men, 0, false)
}

impl Game for Chess {
    type Position = ChessBoard;
    type Move = ChessMove;

    fn start(&self) -> ChessBoard {
        self.start
    }

    fn moves(&self, at: &ChessBoard) -> impl IntoIterator<Item = ChessMove> {
        let at = *at;
        at.side(at.turn).flat_map(move |man| {
            Chess::targets(at, man).flat_map(move |to| {
                let promoted = man.kind() == ManKind::Pawn && to / 8 == last_row(at.turn);
                let plain = (!promoted).then_some(None).into_iter();
                let promotions = PROMOTIONS.into_iter().filter(move |_| promoted).map(Some);
                let takes = at.taken(man, to).is_some();
                plain.chain(promotions).map(move |promotion| ChessMove {
                    man,
                    to,
                    takes,
                    promotion,
                })
            })
        })
    }

    fn play(&self, at: &ChessBoard, ChessMove { man, to, promotion, .. }: ChessMove) -> ChessBoard {
        let next = at.moved(man, to, promotion);
        let double = man.kind() == ManKind::Pawn && u32::from(man.square).abs_diff(to) == 16;
        next.with_passing(double && next.can_be_passing())
    }

    fn over(&self, at: &ChessBoard) -> Option<Outcome> {
        let stuck = at.side(at.turn).all(|man| Chess::targets(*at, man).next().is_none());
        match stuck {
            true if at.in_check(at.turn) => Some(Outcome::Loss),
            true => Some(Outcome::Tie),
            false => None,
        }
    }

    /// The square of the man, the square it goes to, and what a pawn becomes. As one decision the moves of a queen
    /// would lie on one another where they are pointed at.
    fn decisions(&self, mv: &ChessMove) -> Vec<String> {
        let squares = [mv.man.square.into(), mv.to].map(|square| GRID.cell(square).to_string());
        let promotion =
            mv.promotion.map(|kind| format!("={}", LETTERS[usize::from(code(0, kind))]));
        squares.into_iter().chain(promotion).collect()
    }

    /// As displayed, or by the squares alone: `e7e8q`.
    fn means(&self, word: &str, mv: &ChessMove) -> bool {
        word == mv.to_string() || word == mv.squares()
    }

    fn show(&self, at: &ChessBoard) -> String {
        let board = GRID.picture(|cell| notation::mark(at, cell));
        format!("{board}\n{} to move", if at.turn == 0 { "White" } else { "Black" })
    }

    fn notation(&self, at: &ChessBoard) -> String {
        notation::word(at)
    }

    fn read(&self, word: &str) -> Option<Result<(ChessBoard, u32), String>> {
        let read = notation::read(word)?.and_then(|at| self.known(at));
        Some(read.map(|at| (at, u32::from(at.turn != self.start.turn))))
    }
}

impl Unplay for Chess {
    fn unplay(&self, at: &ChessBoard) -> impl IntoIterator<Item = ChessBoard> {
        let (mover, passer) = (1 - at.turn, at.passer());
        let mut before = vec![];
        for man in at.side(mover).filter(|man| passer.is_none_or(|passer| passer == *man)) {
            let pawn = Man::new(mover, ManKind::Pawn, man.square.into());
            let last = u32::from(man.square) / 8 == last_row(mover);
            let promoted = last && PROMOTIONS.contains(&man.kind());
            for old in [Some(man), promoted.then_some(pawn)].into_iter().flatten() {
                self.untake(at, man, old, &mut before);
            }
            if man.kind() == ManKind::Pawn && passer.is_none() {
                self.untake_in_passing(at, man, &mut before);
            }
        }
        before
    }
}

impl Chess {
    /// Adds where a man was `old` before he came to his square, whomever he took there.
    fn untake(&self, at: &ChessBoard, man: Man, old: Man, before: &mut Vec<ChessBoard>) {
        let to = u32::from(man.square);
        let promotion = (old != man).then_some(man.kind());
        let kinds = [ManKind::Pawn].into_iter().chain(PROMOTIONS);
        let taken = kinds.map(|kind| Man::new(at.turn, kind, to));
        let taken =
            taken.filter(|taken| taken.kind() != ManKind::Pawn || PAWN_ROWS & taken.bit() != 0);
        for taken in [Man::NOBODY].into_iter().chain(taken) {
            let takes = taken != Man::NOBODY;
            for from in bits(origins(old.kind(), old.side(), to, takes, at.occupied())) {
                let old = Man { square: from as u8, ..old };
                if let Some(from) = self.restored(at, [man, old], taken) {
                    let mv = ChessMove { man: old, to, takes, promotion };
                    self.add_origins(at, from, mv, &[false, true], before);
                }
            }
        }
    }

    /// Adds where a pawn may have been before it took another in passing.
    fn untake_in_passing(&self, at: &ChessBoard, man: Man, before: &mut Vec<ChessBoard>) {
        let (to, mover) = (u32::from(man.square), man.side());
        if to / 8 != if mover == 0 { 5 } else { 2 } {
            return;
        }
        let taken = Man::new(at.turn, ManKind::Pawn, (to as i32 - step(mover, 1)) as u32);
        if at.occupied() & taken.bit() != 0 {
            return;
        }
        for from in bits(origins(ManKind::Pawn, mover, to, true, at.occupied())) {
            let old = Man { square: from as u8, ..man };
            if let Some(from) = self.restored(at, [man, old], taken) {
                let mv = ChessMove { man: old, to, takes: true, promotion: None };
                self.add_origins(at, from, mv, &[true], before);
            }
        }
    }

    /// The board with a man taken back and another put back, if its men are known.
    fn restored(&self, at: &ChessBoard, [man, old]: [Man; 2], taken: Man) -> Option<ChessBoard> {
        let mut men: Vec<Man> = at.men().filter(|other| *other != man).collect();
        men.extend([old, taken].into_iter().filter(|man| *man != Man::NOBODY));
        let from = (men.len() <= MOST_MEN).then(|| ChessBoard::new(&men, 1 - at.turn, false))?;
        self.materials.tier(&from.codes()).map(|_| from)
    }

    /// Adds a board from which a move leads to `at`, with a pawn to be taken in passing or without.
    fn add_origins(
        &self,
        at: &ChessBoard,
        from: ChessBoard,
        mv: ChessMove,
        passing: &[bool],
        before: &mut Vec<ChessBoard>,
    ) {
        if from.in_check(at.turn) {
            return;
        }
        for &passing in passing.iter().filter(|passing| !**passing || from.can_be_passing()) {
            let from = from.with_passing(passing);
            // Other men lead there by all that is asked above.
            if mv.man.kind() != ManKind::Pawn || self.play(&from, mv) == *at {
                before.push(from);
            }
        }
    }
}

impl Drawn for Chess {
    fn picture(&self, at: &ChessBoard, made: &[String]) -> Picture {
        let mut drawing = BoardDrawing::with_cells(GRID, Layout::Up, |cell| {
            let dark = (cell.column() + cell.row()).is_multiple_of(2);
            if dark { Tone::Shade } else { Tone::Board }
        });
        for man in at.men() {
            let tone = if man.side() == 0 { Tone::First } else { Tone::Second };
            let letter = LETTERS[usize::from(code(0, man.kind()))].to_string();
            drawing.piece(GRID.cell(man.square.into()), tone, &letter);
        }
        // Squares have names, so that they can be pointed at; what a pawn becomes has none yet.
        if let [_, _] = made {
            for mv in self.moves(at).into_iter().filter(|mv| self.decisions(mv).starts_with(made)) {
                if let (Some(kind), Some(name)) = (mv.promotion, self.decisions(&mv).pop()) {
                    promotion(&mut drawing, mv.to, kind, name);
                }
            }
        }
        drawing.picture()
    }
}

/// Adds a disc for what a pawn may become, in a quarter of the square where it does.
fn promotion(drawing: &mut BoardDrawing, to: u32, kind: ManKind, name: String) {
    let [x, y] = drawing.middle(GRID.cell(to));
    let quarter = CELL / 4.0;
    let (right, down) = match kind {
        ManKind::Queen => (-1.0, -1.0),
        ManKind::Rook => (1.0, -1.0),
        ManKind::Bishop => (-1.0, 1.0),
        _ => (1.0, 1.0),
    };
    let at = [x + right * quarter, y + down * quarter];
    let letter = LETTERS[usize::from(code(0, kind))];
    drawing.push(Shape::new(Form::Disc { at, radius: quarter * 0.9 }, Tone::Move).named(name));
    drawing.push(label(at, letter));
}

/// A move in long notation: `Kb1-b2`, `Qd1xd8`, `e7-e8=Q`.
#[derive(Clone, Copy)]
pub(crate) struct ChessMove {
    man: Man,
    to: u32,
    takes: bool,
    promotion: Option<ManKind>,
}

impl ChessMove {
    fn squares(&self) -> String {
        let promotion = self.promotion.map(|kind| LETTERS[usize::from(code(1, kind))]);
        let (from, to) = (GRID.cell(self.man.square.into()), GRID.cell(self.to));
        format!("{from}{to}{}", promotion.map_or(String::new(), String::from))
    }
}

impl fmt::Display for ChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |kind| LETTERS[usize::from(code(0, kind))];
        if self.man.kind() != ManKind::Pawn {
            write!(f, "{}", letter(self.man.kind()))?;
        }
        let (from, to) = (GRID.cell(self.man.square.into()), GRID.cell(self.to));
        write!(f, "{from}{}{to}", if self.takes { 'x' } else { '-' })?;
        self.promotion.map_or(Ok(()), |kind| write!(f, "={}", letter(kind)))
    }
}
