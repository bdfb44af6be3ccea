//! Dodgem: drive all your cars off the far side.
//!
//! Rules: C. Vout (1972), in Berlekamp, Conway and Guy, "Winning Ways", ch. 22. On an n×n board
//! the first player (X) has n - 1 cars on the left column, the second (O) n - 1 on the bottom row,
//! the corner between them empty. A turn moves one car of one's own a square forward (X to the
//! right, O up) or sideways, to an empty square; a car leaves the board by a forward move only,
//! and for good. Whoever has all cars off the board has won, and so has a player whose turn it is
//! and who cannot move: blocking the other completely loses.
//!
//! A position is the two sets of cars and the turn, square = n · row + column from the lower left.

use std::fmt;

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Index, Outcome, PositionEditor, Setup, Slot, Unplay,
    game::picture::{Picture, Tone},
    index::combinadic::Subsets,
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, CELL, Layout, way},
    grid::{Grid, bits, stone},
    notation::{Arrangement, BoardNotation, ended, rows},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "dodgem",
    about: "drive your cars off the far side, past the other's",
    parameters: "SIZE, 2 to 5 (default 3)",
    example: "dodgem:3",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let size = params.number("size", 3, 2..=5)?;
    Ok(Setup::of(Dodgem::new(size))
        .numbered(Progress::new(size))
        .reversible()
        .drawn()
        .editable()
        .erased())
}

/// The place of the cars that have left: a square that is always empty.
const OFF: u32 = 25;

fn square_grid(size: u32) -> Grid {
    Grid { columns: size, rows: size }
}

/// The rules for one size of board.
pub(crate) struct Dodgem {
    size: u32,
    /// For each side and square, the squares that a car may go to, [`OFF`] included.
    to: [[u64; 26]; 2],
    /// The squares that a car may have come from.
    from: [[u64; 26]; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cars {
    sides: [u64; 2],
    turn: u8,
}

impl Dodgem {
    pub(crate) fn new(size: u32) -> Dodgem {
        let mut game = Dodgem { size, to: [[0; 26]; 2], from: [[0; 26]; 2] };
        for side in [0, 1] {
            for (forward, lane) in (0..size * size).map(|i| (i / size, i % size)) {
                let last = forward + 1 == size;
                let square = |forward, lane| square(size, side, forward, lane);
                let ahead = if last { OFF } else { square(forward + 1, lane) };
                let beside = [lane.checked_sub(1), Some(lane + 1).filter(|&lane| lane < size)];
                let beside = beside.into_iter().flatten().map(|lane| square(forward, lane));
                let here = square(forward, lane);
                for there in beside.chain([ahead]) {
                    game.to[side][here as usize] |= 1 << there;
                    game.from[side][there as usize] |= 1 << here;
                }
            }
        }
        game
    }

    fn start_cars(&self, side: usize) -> u64 {
        (1..self.size).fold(0, |set, lane| set | 1 << square(self.size, side, 0, lane))
    }
}

/// The square that a side sees `forward` squares ahead of its own edge.
fn square(size: u32, side: usize, forward: u32, lane: u32) -> u32 {
    if side == 0 { size * lane + forward } else { size * forward + lane }
}

impl Cars {
    fn to_move(self) -> char {
        if self.turn == 0 { 'X' } else { 'O' }
    }

    /// The squares without a car, the place off the board always among them.
    fn empty(&self) -> u64 {
        !(self.sides[0] | self.sides[1])
    }

    fn with(mut self, side: u8, gone: u32, come: u32) -> Cars {
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
        bits(at.sides[at.turn as usize]).flat_map(move |from| {
            bits(to[from as usize] & empty).map(move |to| Drive { from, to, size: self.size })
        })
    }

    fn play(&self, at: &Cars, Drive { from, to, .. }: Drive) -> Cars {
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
        let board = square_grid(self.size).picture(|cell| stone(at.sides, cell));
        format!("{board}\n{} to move", at.to_move())
    }

    fn notation(&self, at: &Cars) -> String {
        let board = rows(square_grid(self.size), Layout::Up, |cell| stone(at.sides, cell));
        format!("{board}-{}", at.to_move())
    }

    fn read(&self, word: &str) -> Option<Result<(Cars, u32), String>> {
        Some(
            self.board_notation()
                .read(word)?
                .and_then(|arrangement| self.position_of(&arrangement)),
        )
    }
}

impl Dodgem {
    fn board_notation(&self) -> BoardNotation {
        BoardNotation::stones(square_grid(self.size), Layout::Up).with_turn(['X', 'O'])
    }

    /// The position of a word.
    fn position_of(&self, arrangement: &Arrangement) -> Result<(Cars, u32), String> {
        let sides = arrangement.stones();
        let most = sides.map(u64::count_ones).into_iter().max().unwrap_or(0);
        if most >= self.size {
            return Err(format!("there are {most} cars of a side, which has {}", self.size - 1));
        }
        ended(sides.map(|cars| cars == 0), arrangement.turn)?;
        Ok((Cars { sides, turn: arrangement.turn as u8 }, arrangement.turn as u32))
    }
}

impl PositionEditor for Dodgem {
    fn editor(&self) -> EditorBoard {
        self.board_notation().editor()
    }
}

impl Drawn for Dodgem {
    fn picture(&self, at: &Cars, _made: &[String]) -> Picture {
        let grid = square_grid(self.size);
        let mut drawing =
            BoardDrawing::new(grid, Layout::Up).beyond(CELL / 2.0).cells(|_| Tone::Board);
        drawing.stones(at.sides);
        let open = self.over(at).is_none();
        for drive in self.moves(at).into_iter().filter(|_| open) {
            let from = drawing.middle(grid.cell(drive.from));
            let to = match (drive.to, at.turn) {
                (OFF, 0) => [from[0] + CELL, from[1]],
                (OFF, _) => [from[0], from[1] - CELL],
                (to, _) => drawing.middle(grid.cell(to)),
            };
            drawing.push(way(from, to, drive.to_string()));
        }
        drawing.picture()
    }
}

impl Unplay for Dodgem {
    fn unplay(&self, at: &Cars) -> impl IntoIterator<Item = Cars> {
        let (at, mover) = (*at, 1 - at.turn);
        let cars = at.sides[mover as usize];
        let missing = cars.count_ones() + 1 < self.size;
        let moved = if missing { cars | 1 << OFF } else { cars };
        // With all cars of the side to move gone, the game was over before.
        let moved = if at.sides[at.turn as usize] == 0 { 0 } else { moved };
        bits(moved).flat_map(move |to| {
            bits(self.from[mover as usize][to as usize] & at.empty())
                .map(move |from| Cars { turn: mover, ..at }.with(mover, to, from))
        })
    }
}

/// A car's way, as b1-b2, or b3-off where it leaves the board.
#[derive(Clone, Copy)]
pub(crate) struct Drive {
    from: u32,
    to: u32,
    size: u32,
}

impl fmt::Display for Drive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = square_grid(self.size);
        match (grid.cell(self.from), self.to) {
            (from, OFF) => write!(f, "{from}-off"),
            (from, to) => write!(f, "{from}-{}", grid.cell(to)),
        }
    }
}

/// A tier for each number of forward moves made so far, which sideways moves leave as it is: the
/// tiers are loopy, but only one step apart. Two sets of cars that overlap are a hole.
pub(crate) struct Progress {
    size: u32,
    /// For each side, the sets of cars after 0, 1, 2, ... forward moves, in increasing order.
    sets: [Vec<Vec<u64>>; 2],
    /// For each tier, where the positions begin in which X made 0, 1, 2, ... of the forward moves.
    begin: Vec<Vec<u64>>,
}

impl Progress {
    pub(crate) fn new(size: u32) -> Progress {
        let goal = (size * (size - 1)) as usize;
        let sets = [0, 1].map(|side| {
            let mut sets = vec![vec![]; goal + 1];
            for cars in (0..size).flat_map(|count| Subsets::new(size * size, count).iter()) {
                sets[progress(size, side, cars)].push(cars);
            }
            sets.iter_mut().for_each(|sets: &mut Vec<u64>| sets.sort_unstable());
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
fn progress(size: u32, side: usize, cars: u64) -> usize {
    let ahead = |square| if side == 0 { square % size } else { square / size };
    let gone = size - 1 - cars.count_ones();
    (bits(cars).map(ahead).sum::<u32>() + size * gone) as usize
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
        let rank = |sets: &[u64], cars| sets.partition_point(|&set| set < cars);
        let pair = (rank(x, at.sides[0]) * o.len() + rank(o, at.sides[1])) as u64;
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

    fn last_child_tier(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    fn name(&self) -> String {
        "dodgem-progress-1".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cars_leave_forward_only_and_the_blocked_side_wins() {
        let game = Dodgem::new(3);
        let at = Cars { sides: [0o040, 0o001], turn: 0 };
        let moves: Vec<_> = game.moves(&at).into_iter().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["c2-c1", "c2-c3", "c2-off"]);
        let blocked = Cars { sides: [0o001, 0o012], turn: 0 };
        assert_eq!(game.over(&blocked), Some(Outcome::Win));
    }
}
