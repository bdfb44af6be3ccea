//! Dao: four stones each on 4×4, and a stone slides until something stops it.
//!
//! Rules: J. Pickering and B. van Buskirk, "Dao" (1999). The first player (X) starts on the diagonal from
//! a1 to d4, the second (O) on the other. A turn slides one of one's own stones straight or diagonally as
//! far as it goes: up to the edge or to another stone. Four stones in a row or a column, in a square of two by
//! two, or in the four corners win; diagonals do not. A player has also won whose stone stands in a corner
//! with the other's stones on all three neighbours of it.
//!
//! A position is the two sets of stones and whose turn it is, cell = 4 · row + column from the lower
//! left. 1,768,108 can be reached.

use std::{fmt, sync::Arc};

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Index, Outcome, PositionEditor, Setup, Slot, Unplay,
    game::picture::{Picture, Tone},
    index::symmetry::{FoldedPair, Group},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout},
    faced::Faced,
    grid::{Grid, bits, stone},
    notation::{Arrangement, BoardNotation, ended, rows},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "dao",
    about: "slide four stones into a row, a square or the corners",
    parameters: "plain: for comparison, the rules alone, without a numbering",
    example: "dao",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    if params.flag("plain") {
        return Ok(Setup::of(Dao).packed().drawn().editable().erased());
    }
    Ok(Setup::of(Dao).numbered(Boards::new()).reversible().drawn().editable().erased())
}

const GRID: Grid = Grid { columns: 4, rows: 4 };
const WAYS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
/// Rows, columns, squares, and the corners; a hexadecimal digit is a row.
const WON: [u16; 18] = [
    0x000f, 0x00f0, 0x0f00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, //
    0x0033, 0x0066, 0x00cc, 0x0330, 0x0660, 0x0cc0, 0x3300, 0x6600, 0xcc00, 0x9009,
];
/// Each corner, and its neighbours.
const CORNERS: [(u16, u16); 4] =
    [(0x0001, 0x0032), (0x0008, 0x00c4), (0x1000, 0x2300), (0x8000, 0x4c00)];

/// The rules.
pub(crate) struct Dao;

/// Sets of stones.
type Stones = Faced<u16>;

crabwise::packed!(Stones { mine, theirs, second });

/// Where a stone stops that goes this way.
#[inline]
fn stop(taken: u16, from: i8, (dx, dy): (i8, i8)) -> i8 {
    let (mut x, mut y) = (from % 4, from / 4);
    loop {
        let (next_x, next_y) = (x + dx, y + dy);
        if !free(taken, next_x, next_y) {
            return y * 4 + x;
        }
        (x, y) = (next_x, next_y);
    }
}

/// Whether there is such a cell, without a stone.
#[inline]
fn free(taken: u16, x: i8, y: i8) -> bool {
    (0..4).contains(&x) && (0..4).contains(&y) && taken >> (y * 4 + x) & 1 == 0
}

/// Whether one of these stones stands in a corner shut in by the others'.
fn shut_in(stones: u16, others: u16) -> bool {
    CORNERS.iter().any(|(corner, near)| stones & corner != 0 && others & near == *near)
}

impl Game for Dao {
    type Position = Stones;
    type Move = Slide;

    fn start(&self) -> Stones {
        Faced { mine: 0x8421, theirs: 0x1248, second: false }
    }

    fn moves(&self, at: &Stones) -> impl IntoIterator<Item = Slide> {
        let taken = at.mine | at.theirs;
        bits(at.mine.into()).flat_map(move |from| {
            let from = from as i8;
            let stops = WAYS.iter().map(move |&way| stop(taken, from, way));
            stops.filter(move |&to| to != from).map(move |to| Slide { from, to })
        })
    }

    fn play(&self, at: &Stones, Slide { from, to }: Slide) -> Stones {
        Faced { mine: at.theirs, theirs: at.mine ^ (1 << from | 1 << to), second: !at.second }
    }

    /// A player to move who has won already is in no game, but in the numbering.
    fn over(&self, at: &Stones) -> Option<Outcome> {
        if WON.contains(&at.theirs) {
            return Some(Outcome::Loss);
        }
        (WON.contains(&at.mine) || shut_in(at.mine, at.theirs)).then_some(Outcome::Win)
    }

    fn show(&self, at: &Stones) -> String {
        format!("{}\n{} to move", GRID.picture(|cell| stone(at.players(), cell)), at.to_move())
    }

    fn notation(&self, at: &Stones) -> String {
        format!("{}-{}", rows(GRID, Layout::Up, |cell| stone(at.players(), cell)), at.to_move())
    }

    fn read(&self, word: &str) -> Option<Result<(Stones, u32), String>> {
        Some(board_notation().read(word)?.and_then(|arrangement| position_of(&arrangement)))
    }
}

fn board_notation() -> BoardNotation {
    BoardNotation::stones(GRID, Layout::Up).with_turn(['X', 'O'])
}

/// The position of a word.
fn position_of(arrangement: &Arrangement) -> Result<(Stones, u32), String> {
    let (players, turn) = (arrangement.stones(), arrangement.turn);
    let [x, o] = players.map(u64::count_ones);
    if [x, o] != [4, 4] {
        return Err(format!("there are {x} X and {o} O, not four of each"));
    }
    ended(players.map(|stones| WON.contains(&(stones as u16))), turn)?;
    let at = Stones::of_players(players, turn);
    if shut_in(at.theirs, at.mine) {
        let (mover, other) = (at.to_move(), ['X', 'O'][1 - turn]);
        return Err(format!("{mover} is to move, but {other} had won before, shut in in a corner"));
    }
    Ok((at, turn as u32))
}

impl PositionEditor for Dao {
    fn editor(&self) -> EditorBoard {
        board_notation().editor()
    }
}

impl Drawn for Dao {
    fn picture(&self, at: &Stones, _made: &[String]) -> Picture {
        let mut drawing = BoardDrawing::with_cells(GRID, Layout::Up, |_| Tone::Board);
        drawing.stones(at.players());
        let open = self.over(at).is_none();
        for slide in self.moves(at).into_iter().filter(|_| open) {
            let [from, to] = [slide.from, slide.to].map(|cell| GRID.cell(cell as u32));
            drawing.way(from, to, slide.to_string());
        }
        drawing.picture()
    }
}

impl Unplay for Dao {
    /// A stone that something stops came from any free cell behind it, as far as they are in line.
    fn unplay(&self, at: &Stones) -> impl IntoIterator<Item = Stones> {
        let (at, taken) = (*at, at.mine | at.theirs);
        bits(at.theirs.into())
            .flat_map(move |to| {
                let to = to as i8;
                let stopped = WAYS.iter().filter(move |&&way| stop(taken, to, way) == to);
                stopped.flat_map(move |(dx, dy)| {
                    let behind = (1..4).map(move |n| (to % 4 - n * dx, to / 4 - n * dy));
                    behind.take_while(move |&(x, y)| free(taken, x, y)).map(move |(x, y)| Faced {
                        mine: at.theirs ^ (1 << to | 1 << (y * 4 + x)),
                        theirs: at.mine,
                        second: !at.second,
                    })
                })
            })
            .filter(|from| self.over(from).is_none())
    }
}

/// A stone's way, as a1-a3.
#[derive(Clone, Copy)]
pub(crate) struct Slide {
    from: i8,
    to: i8,
}

impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", GRID.cell(self.from as u32), GRID.cell(self.to as u32))
    }
}

/// One loopy tier: all boards up to the symmetries of the square and whose turn it is.
pub(crate) struct Boards {
    group: Arc<Group>,
    pair: FoldedPair,
}

impl Boards {
    pub(crate) fn new() -> Boards {
        let group = Arc::new(Group::square(4));
        let pair = FoldedPair::new(group.clone(), 4, 4).expect("sixteen cells are few");
        Boards { group, pair }
    }
}

impl Index<Stones> for Boards {
    fn tiers(&self) -> u32 {
        1
    }

    fn len(&self, _tier: u32) -> u64 {
        self.pair.len()
    }

    fn slot(&self, at: &Stones) -> Slot {
        Slot { tier: 0, index: self.pair.slot(at.mine.into(), at.theirs.into()) }
    }

    fn position(&self, slot: Slot) -> Option<Stones> {
        self.pair.position(slot.index).map(|sets| Faced::new(sets, false))
    }

    fn orbit(&self, at: &Stones) -> Vec<Stones> {
        at.orbit(&self.group)
    }

    fn images(&self, at: &Stones) -> Vec<Stones> {
        at.images(&self.group)
    }

    fn max_orbit(&self) -> u32 {
        2 * self.group.order() as u32
    }

    fn orbit_size(&self, slot: Slot) -> u64 {
        2 * self.pair.orbit(slot.index)
    }

    fn bytes(&self) -> u64 {
        self.pair.bytes()
    }

    fn name(&self) -> String {
        "dao-folded-1".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(word: &str) -> Stones {
        Dao.read(word).unwrap().unwrap().0
    }

    #[test]
    fn a_stone_goes_as_far_as_it_can() {
        let names = |at| Dao.moves(&at).into_iter().map(|slide| slide.to_string()).collect();
        let first: Vec<String> = names(Dao.start());
        let of_a1_and_b2 = ["a1-c1", "a1-a3", "b2-a3", "b2-a2", "b2-b1", "b2-c1"];
        let of_c3_and_d4 = ["c3-d3", "c3-c4", "c3-b4", "c3-d2", "d4-b4", "d4-d2"];
        assert_eq!(first, [of_a1_and_b2, of_c3_and_d4].concat());
    }

    #[test]
    fn a_square_wins_and_so_does_a_stone_shut_in() {
        assert_eq!(Dao.over(&at("XX../XX../.O.O/O..O-O")), Some(Outcome::Loss));
        assert_eq!(Dao.over(&at("XO../OO../..XX/X..O-X")), Some(Outcome::Win));
        assert_eq!(Dao.over(&at("XO../XO../..XX/O..O-X")), None);
        // The diagonals, where play begins, are no lines.
        assert_eq!(Dao.over(&Dao.start()), None);
    }
}
