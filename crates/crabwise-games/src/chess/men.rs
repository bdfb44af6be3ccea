//! Kings and a few men on a chess board, and what they attack.
//!
//! Square = 8 · row + column from a1. Men stand in the order of their codes, kings first, so that equal
//! positions are equal values.

/// The most men on the board, kings included. With both sides' pawns each side has one at the most, so that a flag
/// says which pawn may be taken in passing.
pub(crate) const MOST_MEN: usize = 4;

/// The letters of the men by code: kings, White's men, Black's.
pub(crate) const LETTERS: [char; 12] = ['K', 'k', 'Q', 'R', 'B', 'N', 'P', 'q', 'r', 'b', 'n', 'p'];

/// The code of a man who is not there.
pub(crate) const NOBODY: u8 = 12;

/// The rows in which pawns stand.
pub(crate) const PAWN_ROWS: u64 = 0x00FF_FFFF_FFFF_FF00;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ManKind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

/// What a pawn may become.
pub(crate) const PROMOTIONS: [ManKind; 4] =
    [ManKind::Queen, ManKind::Rook, ManKind::Bishop, ManKind::Knight];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Man {
    pub code: u8,
    pub square: u8,
}

impl Man {
    pub(crate) const NOBODY: Man = Man { code: NOBODY, square: 0 };

    pub(crate) fn new(side: u8, kind: ManKind, square: u32) -> Man {
        Man { code: code(side, kind), square: square as u8 }
    }

    pub(crate) fn side(self) -> u8 {
        if self.code < 2 { self.code } else { u8::from(self.code >= 7) }
    }

    pub(crate) fn kind(self) -> ManKind {
        match (self.code.wrapping_sub(2) % 5, self.code) {
            (_, 0 | 1) => ManKind::King,
            (0, _) => ManKind::Queen,
            (1, _) => ManKind::Rook,
            (2, _) => ManKind::Bishop,
            (3, _) => ManKind::Knight,
            _ => ManKind::Pawn,
        }
    }

    pub(crate) fn bit(self) -> u64 {
        1 << self.square
    }

    /// The squares that he attacks where these are occupied.
    pub(crate) fn attacks(self, occupied: u64) -> u64 {
        attacks(self.kind(), self.side(), self.square.into(), occupied)
    }
}

pub(crate) fn code(side: u8, kind: ManKind) -> u8 {
    match kind {
        ManKind::King => side,
        kind => 1 + 5 * side + kind as u8,
    }
}

/// The men by code, in order: what is on the board.
pub(crate) type Codes = [u8; MOST_MEN];

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ChessBoard {
    /// In order, so that the kings are the first two; where fewer are left, nobody at the end.
    men: [Man; MOST_MEN],
    /// 0 for White.
    pub turn: u8,
    /// Whether the other side's pawn, which has just made a double step, can be taken in passing.
    pub passing: bool,
}

impl ChessBoard {
    /// A board with these men, of which there must be at most as many as there may be.
    pub(crate) fn new(men: &[Man], turn: u8, passing: bool) -> ChessBoard {
        let mut board = ChessBoard { men: [Man::NOBODY; MOST_MEN], turn, passing };
        board.men[..men.len()].copy_from_slice(men);
        board.men.sort_unstable();
        board
    }

    pub(crate) fn codes(&self) -> Codes {
        self.men.map(|man| man.code)
    }

    pub(crate) fn men(self) -> impl Iterator<Item = Man> {
        self.men.into_iter().filter(|man| man.code != NOBODY)
    }

    /// The men of a side.
    pub(crate) fn side(self, side: u8) -> impl Iterator<Item = Man> {
        self.men().filter(move |man| man.side() == side)
    }

    /// The square of a side's king.
    pub(crate) fn king(&self, side: u8) -> u8 {
        self.men[usize::from(side)].square
    }

    pub(crate) fn at(&self, square: u32) -> Option<Man> {
        self.men().find(|man| u32::from(man.square) == square)
    }

    pub(crate) fn occupied(&self) -> u64 {
        self.men().fold(0, |set, man| set | man.bit())
    }

    pub(crate) fn of(&self, side: u8) -> u64 {
        self.side(side).fold(0, |set, man| set | man.bit())
    }

    /// The board with one man for another, or for nobody, or one more.
    pub(crate) fn replaced(mut self, old: Man, new: Man) -> ChessBoard {
        if let Some(place) = self.men.iter_mut().find(|man| **man == old) {
            *place = new;
        }
        self.men.sort_unstable();
        self
    }

    /// The board with every man on another square.
    pub(crate) fn mapped(mut self, to: impl Fn(u8) -> u8) -> ChessBoard {
        for man in self.men.iter_mut().filter(|man| man.code != NOBODY) {
            man.square = to(man.square);
        }
        self.men.sort_unstable();
        self
    }

    /// Whether a side's king is attacked.
    pub(crate) fn in_check(&self, side: u8) -> bool {
        let (king, occupied) = (1 << self.king(side), self.occupied());
        self.side(1 - side).any(|man| man.attacks(occupied) & king != 0)
    }

    /// The pawn that has just made a double step, if it can be taken in passing.
    pub(crate) fn passer(&self) -> Option<Man> {
        self.passing.then(|| self.pawn(1 - self.turn)).flatten()
    }

    fn pawn(&self, side: u8) -> Option<Man> {
        self.side(side).find(|man| man.kind() == ManKind::Pawn)
    }

    /// Whether the other side's pawn may just have made a double step, and can be taken in passing. That is always
    /// legal: there is nobody else whose lines it could open.
    pub(crate) fn can_be_passing(&self) -> bool {
        let Some(passer) = self.pawn(1 - self.turn) else { return false };
        let (square, side) = (i32::from(passer.square), passer.side());
        let behind = |steps| 1_u64 << (square - step(side, steps));
        u32::from(passer.square) / 8 == double_row(side)
            && self.occupied() & (behind(1) | behind(2)) == 0
            && self.pawn(self.turn).is_some_and(|pawn| pawn.attacks(0) & behind(1) != 0)
    }

    /// The board with that pawn to be taken in passing, or not.
    pub(crate) fn with_passing(self, passing: bool) -> ChessBoard {
        ChessBoard { passing, ..self }
    }

    /// The squares that a man of the side to move may go to, whether his king is then attacked or not.
    pub(crate) fn targets(&self, man: Man) -> u64 {
        let occupied = self.occupied();
        if man.kind() != ManKind::Pawn {
            return man.attacks(occupied) & !self.of(self.turn);
        }
        let (square, ahead) = (i32::from(man.square), step(self.turn, 1));
        let first = 1 << (square + ahead) & !occupied;
        let double = first != 0 && u32::from(man.square) / 8 == if self.turn == 0 { 1 } else { 6 };
        let second = if double { 1 << (square + 2 * ahead) & !occupied } else { 0 };
        let passing = self.passer().map_or(0, |pawn| 1 << (i32::from(pawn.square) + ahead));
        first | second | man.attacks(occupied) & (self.of(1 - self.turn) | passing)
    }

    /// The man who is taken by a move.
    pub(crate) fn taken(&self, man: Man, to: u32) -> Option<Man> {
        let aside = man.kind() == ManKind::Pawn && !(u32::from(man.square) ^ to).is_multiple_of(8);
        self.at(to).or_else(|| if aside { self.passer() } else { None })
    }

    /// Whether the king of the side to move is not attacked after a move, without making it.
    pub(crate) fn is_safe(&self, man: Man, to: u32) -> bool {
        let taken = self.taken(man, to);
        let gone = man.bit() | taken.map_or(0, Man::bit);
        let occupied = self.occupied() & !gone | 1 << to;
        let king = if man.kind() == ManKind::King { to } else { self.king(self.turn).into() };
        let mut others = self.side(1 - self.turn).filter(|other| Some(*other) != taken);
        others.all(|other| other.attacks(occupied) >> king & 1 == 0)
    }

    /// The board after a move, with nobody to be taken in passing.
    pub(crate) fn moved(&self, man: Man, to: u32, promotion: Option<ManKind>) -> ChessBoard {
        let mut next = ChessBoard { turn: 1 - self.turn, passing: false, ..*self };
        if let Some(taken) = self.taken(man, to) {
            next = next.replaced(taken, Man::NOBODY);
        }
        next.replaced(man, Man::new(self.turn, promotion.unwrap_or(man.kind()), to))
    }
}

/// From a square to those ahead of a side's pawn.
pub(crate) fn step(side: u8, steps: i32) -> i32 {
    if side == 0 { 8 * steps } else { -8 * steps }
}

/// The row that a side's pawns reach by a double step.
pub(crate) fn double_row(side: u8) -> u32 {
    if side == 0 { 3 } else { 4 }
}

/// The row where a side's pawns are promoted.
pub(crate) fn last_row(side: u8) -> u32 {
    if side == 0 { 7 } else { 0 }
}

/// The squares that a man of a kind attacks where these are occupied.
pub(crate) fn attacks(kind: ManKind, side: u8, square: u32, occupied: u64) -> u64 {
    let place = square as usize;
    let lines = |directions: [usize; 4]| {
        directions.into_iter().fold(0, |set, way| set | line(way, place, occupied))
    };
    match kind {
        ManKind::King => NEAR[0][place],
        ManKind::Knight => NEAR[1][place],
        ManKind::Pawn => NEAR[2 + usize::from(side)][place],
        ManKind::Rook => lines([0, 1, 4, 5]),
        ManKind::Bishop => lines([2, 3, 6, 7]),
        ManKind::Queen => lines([0, 1, 4, 5]) | lines([2, 3, 6, 7]),
    }
}

/// The squares in one direction up to the first that is occupied, that included.
fn line(way: usize, square: usize, occupied: u64) -> u64 {
    let all = LINES[way][square];
    let met = all & occupied;
    if met == 0 {
        return all;
    }
    let first = if way < 4 { met.trailing_zeros() } else { 63 - met.leading_zeros() };
    all ^ LINES[way][first as usize]
}

/// The directions of lines, the first four towards higher squares: columns and rows to go.
const WAYS: [(i32, i32); 8] =
    [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];
const LEAPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// For each direction and square, the squares from there to the edge.
static LINES: [[u64; 64]; 8] = lines();
/// For each square, where a king, a knight, a white and a black pawn attack.
static NEAR: [[u64; 64]; 4] =
    [near(&WAYS), near(&LEAPS), near(&[(-1, 1), (1, 1)]), near(&[(-1, -1), (1, -1)])];

const fn bit(column: i32, row: i32) -> u64 {
    let inside = column >= 0 && column < 8 && row >= 0 && row < 8;
    if inside { 1 << (8 * row + column) } else { 0 }
}

const fn lines() -> [[u64; 64]; 8] {
    let (mut all, mut at) = ([[0; 64]; 8], 0);
    while at < 8 * 64 {
        let (way, square) = (WAYS[at / 64], (at % 64) as i32);
        let mut steps = 1;
        while steps < 8 {
            all[at / 64][at % 64] |= bit(square % 8 + steps * way.0, square / 8 + steps * way.1);
            steps += 1;
        }
        at += 1;
    }
    all
}

const fn near(ways: &[(i32, i32)]) -> [u64; 64] {
    let (mut all, mut at) = ([0; 64], 0);
    while at < 64 * ways.len() {
        let (way, square) = (ways[at / 64], (at % 64) as i32);
        all[at % 64] |= bit(square % 8 + way.0, square / 8 + way.1);
        at += 1;
    }
    all
}

/// Where a man may have come from to a square on which he did not take, or did.
pub(crate) fn origins(kind: ManKind, side: u8, to: u32, takes: bool, occupied: u64) -> u64 {
    if kind != ManKind::Pawn {
        return attacks(kind, side, to, occupied) & !occupied;
    }
    if takes {
        return attacks(kind, 1 - side, to, 0) & !occupied & PAWN_ROWS;
    }
    let behind = |steps: i32| 1 << (to as i32 - step(side, steps)) & !occupied & PAWN_ROWS;
    if to / 8 == last_row(1 - side) {
        return 0;
    }
    let first = behind(1);
    let second = if first != 0 && to / 8 == double_row(side) { behind(2) } else { 0 };
    first | second
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::bits;

    #[test]
    fn men_attack_as_they_go() {
        let count = |kind, square| attacks(kind, 0, square, 0).count_ones();
        let counts = |square| {
            [
                ManKind::King,
                ManKind::Knight,
                ManKind::Rook,
                ManKind::Bishop,
                ManKind::Queen,
                ManKind::Pawn,
            ]
            .map(|kind| count(kind, square))
        };
        assert_eq!(counts(0), [3, 2, 14, 7, 21, 1]);
        assert_eq!(counts(27), [8, 8, 14, 13, 27, 2]);
        let blocked = attacks(ManKind::Rook, 0, 0, 1 << 2 | 1 << 24);
        assert_eq!(bits(blocked).collect::<Vec<_>>(), [1, 2, 8, 16, 24]);
        let back = attacks(ManKind::Bishop, 0, 63, 1 << 36);
        assert_eq!(bits(back).collect::<Vec<_>>(), [36, 45, 54]);
    }

    #[test]
    fn codes_are_sides_and_kinds() {
        for (code, letter) in (0..12).zip(LETTERS) {
            let man = Man { code, square: 5 };
            assert_eq!(Man::new(man.side(), man.kind(), 5), man);
            assert_eq!(letter.is_lowercase(), man.side() == 1);
        }
    }
}
