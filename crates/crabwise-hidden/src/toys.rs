//! Games to try solvers on: Kuhn's poker, small boards of dark Hex, and games made by chance from
//! a seed.

use std::{
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
};

use crabwise::watch::Unwatched;

use crate::{
    Described, ErasedHidden, ExploredGame, GameTree, Hidden, HiddenSetup, InfoAbstraction, Player,
    SequenceForm, Turn,
};

/// A number that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shown(pub u8);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Kuhn's poker: three cards, one each, one bet. Cards are 0, 1 and 2; 0 passes and 1 bets.
#[derive(Clone, Copy)]
pub struct Kuhn;

impl Hidden for Kuhn {
    /// The cards dealt so far, and what was said.
    type Position = (Vec<u8>, Vec<u8>);
    type Move = Shown;
    type Observation = Shown;

    fn start(&self) -> Self::Position {
        (vec![], vec![])
    }

    fn stakes(&self) -> [f64; 2] {
        [-2.0, 2.0]
    }

    fn turn(&self, (cards, said): &Self::Position) -> Turn {
        if cards.len() < 2 {
            return Turn::Chance;
        }
        let higher = if cards[0] > cards[1] { 1.0 } else { -1.0 };
        match said[..] {
            [0, 0] => Turn::Over(higher),
            [1, 1] | [0, 1, 1] => Turn::Over(2.0 * higher),
            [1, 0] => Turn::Over(1.0),
            [0, 1, 0] => Turn::Over(-1.0),
            _ => Turn::Of(Player::BOTH[said.len() % 2]),
        }
    }

    fn moves(&self, (cards, _): &Self::Position) -> impl IntoIterator<Item = Shown> {
        let moves: Vec<u8> = match cards.len() {
            2 => vec![0, 1],
            _ => (0..3).filter(|card| !cards.contains(card)).collect(),
        };
        moves.into_iter().map(Shown)
    }

    fn play(&self, (cards, said): &Self::Position, mv: Shown) -> Self::Position {
        match cards.len() {
            2 => (cards.clone(), [&said[..], &[mv.0]].concat()),
            _ => ([&cards[..], &[mv.0]].concat(), said.clone()),
        }
    }

    fn observe(&self, (cards, _): &Self::Position, mv: Shown, player: Player) -> Option<Shown> {
        (cards.len() == 2 || cards.len() == player as usize).then_some(mv)
    }

    fn seen(&self, (cards, said): &Self::Position, player: Player) -> String {
        format!("{:?} {said:?}", cards.get(player as usize))
    }
}

/// A game of which everything is made up from a seed: who moves, who observes what, who wins how much.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    pub seed: u64,
    /// The greatest number of moves in a game.
    pub length: usize,
}

impl Random {
    fn dice(&self, of: impl Hash, sides: u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.seed, of).hash(&mut hasher);
        hasher.finish() % sides
    }
}

impl Hidden for Random {
    /// What happened, and what either player knows of it.
    type Position = (Vec<u8>, [Vec<u8>; 2]);
    type Move = Shown;
    type Observation = Shown;

    fn start(&self) -> Self::Position {
        (vec![], [vec![], vec![]])
    }

    fn stakes(&self) -> [f64; 2] {
        [-3.0, 3.0]
    }

    fn turn(&self, (happened, _): &Self::Position) -> Turn {
        let over = happened.len() == self.length || self.dice((1, happened), 8) == 0;
        if over && !happened.is_empty() {
            return Turn::Over(self.dice((2, happened), 7) as f64 - 3.0);
        }
        match self.dice((3, happened), 9) {
            0 => Turn::Chance,
            1..=4 => Turn::Of(Player::First),
            _ => Turn::Of(Player::Second),
        }
    }

    fn moves(&self, at: &Self::Position) -> impl IntoIterator<Item = Shown> {
        let count = match self.turn(at) {
            Turn::Of(player) => 1 + self.dice((4, &at.1[player as usize], player as u8), 3),
            _ => 2,
        };
        (0..count as u8).map(Shown)
    }

    fn play(&self, at: &Self::Position, mv: Shown) -> Self::Position {
        let (mut happened, mut info_sets) = at.clone();
        for player in Player::BOTH {
            let info_set = &mut info_sets[player as usize];
            if self.turn(at) == Turn::Of(player) {
                info_set.push(mv.0);
            }
            info_set.extend(self.observe(at, mv, player).map(|word| 100 + word.0));
        }
        happened.push(mv.0);
        (happened, info_sets)
    }

    fn weight(&self, (happened, _): &Self::Position, mv: Shown) -> f64 {
        1.0 + self.dice((5, happened, mv), 3) as f64
    }

    fn observe(&self, (happened, _): &Self::Position, mv: Shown, player: Player) -> Option<Shown> {
        let word = self.dice((6, happened, mv, player as u8), 4);
        (word < 2).then_some(Shown(word as u8))
    }

    fn seen(&self, (_, info_sets): &Self::Position, player: Player) -> String {
        format!("{:?}", info_sets[player as usize])
    }
}

/// Abrupt dark Hex: a stone tried on a cell that the other has taken is rejected, and the turn is
/// lost. The first player connects top and bottom. Cells are numbered from 0, row by row.
#[derive(Clone, Copy)]
pub struct Abrupt {
    pub rows: u8,
    pub columns: u8,
}

impl Abrupt {
    /// Whether a player's stones connect the player's edges.
    fn connected(&self, player: Player, stones: u16) -> bool {
        let cells = 0..self.rows * self.columns;
        let along = |cell: u8| match player {
            Player::First => cell / self.columns,
            Player::Second => cell % self.columns,
        };
        let end = if player == Player::First { self.rows } else { self.columns } - 1;
        let near = |a: u8, b: u8| {
            let [down, right] = [a / self.columns, a % self.columns].map(i32::from);
            let [low, far] = [b / self.columns, b % self.columns].map(i32::from);
            matches!((low - down, far - right), (0, 1 | -1) | (1 | -1, 0) | (1, -1) | (-1, 1))
        };
        let own: Vec<u8> = cells.filter(|cell| stones >> cell & 1 == 1).collect();
        let mut open: Vec<u8> = own.iter().copied().filter(|&cell| along(cell) == 0).collect();
        let mut seen = 0_u16;
        while let Some(cell) = open.pop() {
            if along(cell) == end {
                return true;
            }
            seen |= 1 << cell;
            open.extend(own.iter().filter(|&&next| near(cell, next) && seen >> next & 1 == 0));
        }
        false
    }
}

impl Hidden for Abrupt {
    /// Both players' stones, what they know of the other's, and whose turn it is.
    type Position = ([u16; 2], [u16; 2], Player);
    type Move = Shown;
    type Observation = Shown;

    fn start(&self) -> Self::Position {
        ([0; 2], [0; 2], Player::First)
    }

    fn turn(&self, &(stones, _, turn): &Self::Position) -> Turn {
        let winner = Player::BOTH.into_iter().find(|&p| self.connected(p, stones[p as usize]));
        winner.map_or(Turn::Of(turn), |winner| Turn::Over(winner.sign()))
    }

    fn moves(&self, &(stones, known, turn): &Self::Position) -> impl IntoIterator<Item = Shown> {
        let tried = stones[turn as usize] | known[turn as usize];
        (0..self.rows * self.columns).filter(move |cell| tried >> cell & 1 == 0).map(Shown)
    }

    fn play(&self, at: &Self::Position, mv: Shown) -> Self::Position {
        let (mut stones, mut known, turn) = *at;
        match self.observe(at, mv, turn) {
            Some(_) => known[turn as usize] |= 1 << mv.0,
            None => stones[turn as usize] |= 1 << mv.0,
        }
        (stones, known, turn.other())
    }

    /// One is told that one's own stone was rejected, and nothing else.
    fn observe(&self, at: &Self::Position, mv: Shown, player: Player) -> Option<Shown> {
        let taken = at.0[player.other() as usize] >> mv.0 & 1 == 1;
        (player == at.2 && taken).then_some(Shown(0))
    }

    fn seen(&self, &(stones, known, _): &Self::Position, player: Player) -> String {
        format!("{:b} {:b}", stones[player as usize], known[player as usize])
    }
}

impl InfoAbstraction for Abrupt {
    /// One's own stones, and the other's that one has found out.
    type InfoState = [u16; 2];

    fn info_state(&self, &(stones, known, _): &Self::Position, player: Player) -> [u16; 2] {
        [stones[player as usize], known[player as usize]]
    }
}

/// Own stones, and those found out.
impl Described for Abrupt {
    fn many(&self) -> usize {
        2 * usize::from(self.rows * self.columns)
    }

    fn moves_in_all(&self) -> usize {
        (self.rows * self.columns).into()
    }

    fn number(&self, mv: Shown) -> usize {
        mv.0.into()
    }

    fn describe(&self, at: &Self::Position, player: Player, features: &mut Vec<u32>) {
        let cells = u32::from(self.rows * self.columns);
        let sets = [at.0[player as usize], at.1[player as usize]].map(u32::from);
        let both = sets[0] | sets[1] << cells;
        features.extend((0..2 * cells).filter(|cell| both >> cell & 1 == 1));
    }
}

/// The payoffs of a game.
pub fn form(game: impl Hidden + 'static) -> SequenceForm {
    let game = HiddenSetup::of(game).erased();
    SequenceForm::new(&tree(&game), false, 1 << 30, &Unwatched).unwrap()
}

pub fn explored(game: &ErasedHidden) -> ExploredGame {
    game.explore(1 << 30, &Unwatched).unwrap()
}

pub fn tree(game: &ErasedHidden) -> GameTree {
    explored(game).tree
}
