//! The squares that are there at the start, renumbered for the numbering and the kernels: sets of them up to
//! the symmetries that keep them, and what is next to what.

use crabwise::index::{
    folded::{FoldedSets, MAX_FOLDED_CELLS},
    symmetry::Group,
};

use super::{Duel, Isolation};
use crate::grid::{Grid, bits};

/// What the numbering and both kernels have in common. Squares have *inner* numbers here,
/// those of [`FoldedSets`].
pub(crate) struct Geometry {
    pub sets: FoldedSets,
    /// By symmetry: where it takes each square; those that are missing stay where they are.
    pub turns: Vec<[u8; MOST]>,
    /// The squares next to each square.
    pub next_to: [u64; MOST],
    /// The square to the left, to the right, above and below, [`NONE`] if it has no number; for squares
    /// to look across as well, which are missing from the start but needed by the kernel.
    pub sides: [[u8; MOST]; 4],
    /// How many squares have numbers: those that are there at the start, and those to look across.
    pub numbered: u32,
    /// The board's number of each square.
    cells: [u8; MOST],
    /// The square of each of the board's numbers.
    squares: [u8; MOST],
    /// By byte of a set of the board's numbers: the squares.
    images: [[u64; 256]; BYTES],
    /// Where the players start.
    pub start: Pair,
}

/// Room for the squares of a board. They are 40 at the most, and this is a power of two, so that places can
/// be told to be below it by an `&`.
pub(crate) const MOST: usize = 64;

/// Bytes of a set of squares.
const BYTES: usize = MAX_FOLDED_CELLS.div_ceil(8) as usize;

/// No square.
pub(crate) const NONE: u8 = 0xC0;

/// A set of squares that are there, and where the player to move and the other stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub set: u64,
    pub mover: u8,
    pub other: u8,
}

impl Geometry {
    /// The geometry of a game, its symmetries used or not.
    pub(crate) fn new(game: &Isolation, folded: bool) -> Geometry {
        let live = game.start.live;
        let sets = FoldedSets::new(&if folded { symmetries(game) } else { apart(game) });
        let (mut cells, mut squares) = ([NONE; MOST], [NONE; MOST]);
        let there = bits(live).zip((0..sets.cells()).map(|number| sets.inner(number)));
        let across = across(game);
        for (cell, square) in there.chain(bits(across).zip(sets.cells()..)) {
            cells[square as usize] = cell as u8;
            squares[cell as usize] = square as u8;
        }
        let turned = |permutation: &Vec<u8>| {
            let mut all = std::array::from_fn(|square| square as u8);
            all[..permutation.len()].copy_from_slice(permutation);
            all
        };
        let turns = sets.group().permutations().iter().map(turned).collect();
        let mut geometry = Geometry {
            sets,
            turns,
            next_to: [0; MOST],
            sides: [[NONE; MOST]; 4],
            numbered: live.count_ones() + across.count_ones(),
            cells,
            squares,
            images: images(&squares),
            start: Pair { set: 0, mover: 0, other: 0 },
        };
        geometry.start = geometry.pair(&game.start);
        for (square, &cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != NONE) {
            geometry.next_to[square] = geometry.squares(game.next_to[usize::from(cell)] & live);
            for (side, beside) in geometry.sides.iter_mut().zip(beside(game.grid, cell.into())) {
                side[square] = beside.map_or(NONE, |cell| squares[cell as usize]);
            }
        }
        geometry
    }

    /// A set of the board's squares as it is here.
    #[inline]
    fn squares(&self, live: u64) -> u64 {
        let bytes = self.images.iter().zip(live.to_le_bytes());
        bytes.fold(0, |set, (image, byte)| set | image[usize::from(byte)])
    }

    /// A position as it is here.
    #[inline]
    pub(crate) fn pair(&self, at: &Duel) -> Pair {
        let [mover, other] = [at.mine, at.theirs].map(|cell| self.squares[usize::from(cell)]);
        Pair { set: self.squares(at.live), mover, other }
    }

    /// A position as it is on the board.
    pub(crate) fn duel(&self, at: Pair) -> Duel {
        let cell = |square: u8| self.cells[usize::from(square)];
        let live = bits(at.set).fold(0, |live, square| live | 1 << cell(square as u8));
        Duel { live, mine: cell(at.mover), theirs: cell(at.other) }
    }

    /// The image of a position under a symmetry.
    #[inline]
    pub(crate) fn turned(&self, element: u8, at: Pair) -> Pair {
        let turn = &self.turns[usize::from(element)];
        let set = self.sets.group().apply(element.into(), at.set);
        let [mover, other] = [at.mover, at.other].map(|square| turn[usize::from(square)]);
        Pair { set, mover, other }
    }

    /// How many squares there are at the start.
    #[inline]
    pub(crate) fn most(&self) -> u32 {
        self.sets.cells()
    }
}

/// How many squares of a set come before one.
#[inline]
pub(crate) fn rank(set: u64, square: u8) -> u32 {
    (set & ((1 << square) - 1)).count_ones()
}

/// For each byte of a set, the images of its values.
fn images(squares: &[u8; MOST]) -> [[u64; 256]; BYTES] {
    let mut images = [[0; 256]; BYTES];
    for (byte, squares) in images.iter_mut().zip(squares.chunks(8)) {
        for (value, image) in byte.iter_mut().enumerate() {
            let there = bits(value as u64).map(|bit| squares[bit as usize]);
            let there = there.filter(|&square| square != NONE);
            *image = there.fold(0, |set, square| set | 1 << square);
        }
    }
    images
}

/// The cells to the left, to the right, above and below.
fn beside(Grid { columns, rows }: Grid, cell: u32) -> [Option<u32>; 4] {
    let (x, y) = (cell % columns, cell / columns);
    let sides = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    sides.map(|(x, y)| (x < columns && y < rows).then(|| y * columns + x))
}

/// The cells that are missing from the start but lie between two that are there and touch at a corner.
fn across(game: &Isolation) -> u64 {
    let live = game.start.live;
    let there = |cell: Option<u32>| cell.is_some_and(|cell| live >> cell & 1 == 1);
    let between = |&cell: &u32| {
        let [left, right, above, below] = beside(game.grid, cell).map(there);
        (left || right) && (above || below)
    };
    bits(game.grid.all() & !live).filter(between).fold(0, |set, cell| set | 1 << cell)
}

fn apart(game: &Isolation) -> Group {
    Group::trivial(game.start.live.count_ones())
}

/// The symmetries of the board that keep the squares of the start, on those.
fn symmetries(game: &Isolation) -> Group {
    let (grid, live) = (game.grid, game.start.live);
    let board = match grid.columns == grid.rows {
        true => Group::square(grid.columns),
        false => Group::rectangle(grid.columns, grid.rows),
    };
    let number = |cell: u32| (live & ((1 << cell) - 1)).count_ones() as u8;
    let keeps = |element: &usize| board.apply(*element, live) == live;
    let kept = (0..board.order()).filter(keeps).map(|element| {
        let to = &board.permutations()[element];
        bits(live).map(|cell| number(to[cell as usize].into())).collect()
    });
    Group::new(live.count_ones(), &kept.collect::<Vec<Vec<u8>>>())
}
