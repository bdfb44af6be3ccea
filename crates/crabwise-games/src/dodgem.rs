//! Dodgem: drive all your cars off the far side.
//!
//! Rules: C. Vout (1972), in Berlekamp, Conway and Guy, "Winning Ways", ch. 22. On an n×n board
//! the first player (X) has n - 1 cars on the left column, the second (O) n - 1 on the bottom row,
//! the corner between them empty. A turn moves one car of one's own a square forward (X to the
//! right, O up) or sideways, to an empty square; a car leaves the board by a forward move only,
//! and for good. Whoever has all cars off the board has won, and so has a player whose turn it is
//! and who cannot move: blocking the other completely loses.
//!
//! A position is the two sets of cars and the turn, square = 5 · row + column from the lower left
//! on boards of any size.

use std::fmt;

use crabwise::{AnyGame, Game, Index, Outcome, Setup, Slot, Unplay};

use crate::{
    Entry, Params,
    squares::{choose, rank, squares},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "dodgem",
    about: "drive your cars off the far side, past the other's",
    parameters: "SIZE, 2 to 5 (default 3)",
    example: "dodgem:3",
    build,
};

fn build(params: &mut Params) -> Result<Box<dyn AnyGame>, String> {
    let size = params.number("size", 3, 2..=5)? as u8;
    Ok(Setup::of(Dodgem::new(size)).numbered(Progress::new(size)).reversible().boxed())
}

const WIDTH: u8 = 5;
/// The place of the cars that have left: a square that is always empty.
const OFF: u8 = 25;

/// The rules for one size of board.
pub(crate) struct Dodgem {
    size: u8,
    /// For each side and square, the squares that a car may go to, [`OFF`] included.
    to: [[u32; 26]; 2],
    /// The same backwards: the squares that a car may have come from.
    from: [[u32; 26]; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cars {
    sides: [u32; 2],
    turn: u8,
}

impl Dodgem {
    pub(crate) fn new(size: u8) -> Dodgem {
        let mut game = Dodgem { size, to: [[0; 26]; 2], from: [[0; 26]; 2] };
        for side in [0, 1] {
            for (forward, lane) in (0..size * size).map(|i| (i / size, i % size)) {
                let last = forward + 1 == size;
                let ahead = if last { OFF } else { square(side, forward + 1, lane) };
                let beside = [lane.checked_sub(1), Some(lane + 1).filter(|&lane| lane < size)];
                let beside = beside.into_iter().flatten().map(|lane| square(side, forward, lane));
                let here = square(side, forward, lane);
                for there in beside.chain([ahead]) {
                    game.to[side][here as usize] |= 1 << there;
                    game.from[side][there as usize] |= 1 << here;
                }
            }
        }
        game
    }

    fn start_cars(&self, side: usize) -> u32 {
        (1..self.size).fold(0, |set, lane| set | 1 << square(side, 0, lane))
    }
}

/// The square that a side sees `forward` squares ahead of its own edge.
fn square(side: usize, forward: u8, lane: u8) -> u8 {
    if side == 0 { WIDTH * lane + forward } else { WIDTH * forward + lane }
}

impl Cars {
    /// The squares without a car, the place off the board always among them.
    fn empty(&self) -> u32 {
        !(self.sides[0] | self.sides[1])
    }

    fn with(mut self, side: u8, gone: u8, come: u8) -> Cars {
        let cars = &mut self.sides[side as usize];
        *cars = (*cars & !(1 << gone) | 1 << come) & !(1 << OFF);
        self
    }
}

impl Game for Dodgem {
    type Position = Cars;
    type Move = Drive;

    fn start(&self) -> Cars {
        Cars { sides: [self.start_cars(0), self.start_cars(1)], turn: 0 }
    }

    fn moves(&self, at: &Cars) -> impl IntoIterator<Item = Drive> {
        let (to, empty) = (&self.to[at.turn as usize], at.empty());
        squares(at.sides[at.turn as usize]).flat_map(move |from| {
            squares(to[from as usize] & empty).map(move |to| Drive { from, to })
        })
    }

    fn play(&self, at: &Cars, Drive { from, to }: Drive) -> Cars {
        Cars { turn: 1 - at.turn, ..*at }.with(at.turn, from, to)
    }

    fn over(&self, at: &Cars) -> Option<Outcome> {
        if at.sides[1 - at.turn as usize] == 0 {
            Some(Outcome::Loss)
        } else if self.moves(at).into_iter().next().is_none() {
            Some(Outcome::Win)
        } else {
            None
        }
    }

    fn show(&self, at: &Cars) -> String {
        let car = |square: u8| match at.sides.map(|side| side >> square & 1) {
            [0, 0] => '.',
            [1, _] => 'X',
            _ => 'O',
        };
        let row = |row: u8| (0..self.size).map(|column| car(WIDTH * row + column)).collect();
        let rows: Vec<String> = (0..self.size).rev().map(row).collect();
        format!("{}\n{} to move", rows.join("\n"), if at.turn == 0 { 'X' } else { 'O' })
    }
}

impl Unplay for Dodgem {
    fn unplay(&self, at: &Cars) -> impl IntoIterator<Item = Cars> {
        let (at, mover) = (*at, 1 - at.turn);
        let cars = at.sides[mover as usize];
        let missing = cars.count_ones() + 1 < u32::from(self.size);
        let moved = if missing { cars | 1 << OFF } else { cars };
        // With all cars of the side to move gone, the game was over before.
        let moved = if at.sides[at.turn as usize] == 0 { 0 } else { moved };
        squares(moved).flat_map(move |to| {
            squares(self.from[mover as usize][to as usize] & at.empty())
                .map(move |from| Cars { turn: mover, ..at }.with(mover, to, from))
        })
    }
}

/// A car's way, as b1-b2, or b3-off where it leaves the board.
#[derive(Clone, Copy)]
pub(crate) struct Drive {
    from: u8,
    to: u8,
}

impl fmt::Display for Drive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |at: u8| format!("{}{}", char::from(b'a' + at % WIDTH), at / WIDTH + 1);
        let to = if self.to == OFF { "off".into() } else { name(self.to) };
        write!(f, "{}-{to}", name(self.from))
    }
}

/// A tier for each number of forward moves made so far, which sideways moves leave as it is: the
/// tiers are loopy, but only one step apart. Two sets of cars that overlap are a hole.
pub(crate) struct Progress {
    size: u8,
    /// For each side, the sets of cars after 0, 1, 2, ... forward moves, in increasing order.
    sets: [Vec<Vec<u32>>; 2],
    /// For each tier, where the positions begin in which X made 0, 1, 2, ... of the forward moves.
    begin: Vec<Vec<u64>>,
}

impl Progress {
    fn new(size: u8) -> Progress {
        let goal = usize::from(size * (size - 1));
        let row = (1 << size) - 1;
        let board = (0..size).fold(0, |set, y| set | row << (WIDTH * y));
        let sets = [0, 1].map(|side| {
            let mut sets = vec![vec![]; goal + 1];
            for cars in (0..u32::from(size)).flat_map(|count| choose(board, count)) {
                sets[progress(size, side, cars)].push(cars);
            }
            sets.iter_mut().for_each(|sets: &mut Vec<u32>| sets.sort_unstable());
            sets
        });
        let count = |side: usize, made: usize| sets[side].get(made).map_or(0, Vec::len) as u64;
        let block = |tier: usize, first: usize| 2 * count(0, first) * count(1, tier - first);
        let begin = (0..=2 * goal).map(|tier| {
            let mut end = 0;
            let ends = (0..=tier).map(|first| {
                end += block(tier, first);
                end
            });
            [0].into_iter().chain(ends).collect()
        });
        let begin = begin.collect();
        Progress { size, sets, begin }
    }
}

/// How many forward moves brought a side's cars where they are.
fn progress(size: u8, side: usize, cars: u32) -> usize {
    let ahead = |square| if side == 0 { square % WIDTH } else { square / WIDTH };
    let gone = u32::from(size) - 1 - cars.count_ones();
    squares(cars).map(|square| usize::from(ahead(square))).sum::<usize>()
        + usize::from(size) * gone as usize
}

impl Index<Cars> for Progress {
    fn tiers(&self) -> u32 {
        self.begin.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        self.begin[tier as usize].last().copied().unwrap_or(0)
    }

    fn slot(&self, at: &Cars) -> Slot {
        let made = [0, 1].map(|side| progress(self.size, side, at.sides[side]));
        let [x, o] = [0, 1].map(|side| &self.sets[side][made[side]]);
        let pair = rank(x, &at.sides[0]) * o.len() as u64 + rank(o, &at.sides[1]);
        let tier = made[0] + made[1];
        let index = self.begin[tier][made[0]] + 2 * pair + u64::from(at.turn);
        Slot { tier: tier as u32, index }
    }

    fn position(&self, Slot { tier, index }: Slot) -> Option<Cars> {
        let begin = &self.begin[tier as usize];
        let first = begin.partition_point(|&begin| begin <= index).checked_sub(1)?;
        let [x, o] = [self.sets[0].get(first)?, self.sets[1].get(tier as usize - first)?];
        let (pair, turn) = ((index - begin[first]) / 2, index % 2);
        let (x, o) = (x[pair as usize / o.len()], o[pair as usize % o.len()]);
        (x & o == 0).then_some(Cars { sides: [x, o], turn: turn as u8 })
    }

    fn reach(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    fn name(&self) -> String {
        "progress".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{census, check_numbering, check_unplay};
    use crabwise::{Value, solve::reference::rounds};

    #[test]
    fn three_by_three_is_a_win_in_nineteen() {
        let game = Dodgem::new(3);
        let values = rounds(&game);
        assert_eq!(values[&game.start()], Value::Win(19));
        assert_eq!(census(&values), (1963, [1123, 840, 0, 0], 21));
    }

    #[test]
    fn two_by_two_is_won_by_driving_on() {
        let game = Dodgem::new(2);
        let values = rounds(&game);
        assert_eq!(values[&game.start()], Value::Win(3));
        assert_eq!(census(&values), (15, [7, 8, 0, 0], 3));
    }

    #[test]
    fn cars_leave_forward_only_and_the_blocked_side_wins() {
        let game = Dodgem::new(3);
        let at = Cars { sides: [0b100 << WIDTH, 0b001], turn: 0 };
        let moves: Vec<_> = game.moves(&at).into_iter().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["c2-c1", "c2-c3", "c2-off"]);
        let blocked = Cars { sides: [0b001, 0b010 | 0b001 << WIDTH], turn: 0 };
        assert_eq!(game.over(&blocked), Some(Outcome::Win));
    }

    #[test]
    fn numbering_and_unmoves_hold() {
        for size in 2..=4 {
            let game = Dodgem::new(size);
            let values = if size < 4 { rounds(&game) } else { [].into() };
            check_numbering(&game, &Progress::new(size), &values);
            check_unplay(&game, &values);
        }
    }
}
