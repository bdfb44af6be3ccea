//! Tic-tac-toe, and its generalisation to any board and any length of line.
//!
//! Rules: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", chapter 22. Players take a
//! free cell in turn; whoever first has k cells in a row, across, up or diagonally, wins; a full
//! board is a tie. Positions are two bit sets, cell = row · columns + column, turned around after
//! every move. A cell is written as in chess: column a on the left, row 1 at the bottom.
//!
//! Boards of up to 20 cells are numbered by the count of stones, mirror images sharing a slot. All
//! placements have one, also those that play cannot reach because it ended before.

use std::sync::Arc;

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Index, Outcome, PositionEditor, Setup, Slot,
    game::picture::{Picture, Tone},
    index::symmetry::{FoldedPair, Group},
};
use crabwise_hidden::Player;

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout},
    grid::{Cell, Grid, stone},
    notation::{BoardNotation, ended, in_turn, rows},
    stones::{Ending, Placement},
};

pub(crate) const TICTACTOE: Entry = Entry {
    name: "tictactoe",
    about: "three in a row on a board of nine cells",
    parameters: "",
    example: "tictactoe",
    build: |_| set_up(Mnk::new(3, 3, 3)),
};

pub(crate) const MNK: Entry = Entry {
    name: "mnk",
    about: "take cells in turn; K in a row win",
    parameters: "COLUMNSxROWS,K: sides 1 to 26, at most 64 cells; \
                 K from 1 to the longer side (default 4x4,4)",
    example: "mnk:4x3,3",
    build,
};

/// The largest board whose numbering is kept in memory: 8 MB, made in a tenth of a second.
const MOST_NUMBERED: u32 = 20;

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let Grid { columns, rows } = Grid::columns_by_rows(params, (4, 4))?;
    let longest = columns.max(rows);
    let k = params.number("length of a line", longest.min(4), 1..=longest)?;
    set_up(Mnk::new(columns, rows, k))
}

fn set_up(game: Mnk) -> Result<ErasedGame, String> {
    if game.full.count_ones() > MOST_NUMBERED {
        return Ok(Setup::of(game).drawn().editable().erased());
    }
    let index = Folded::new(&game)?;
    Ok(Setup::of(game).numbered(index).drawn().editable().erased())
}

/// The rules for one size of board and length of line.
#[derive(Clone)]
pub(crate) struct Mnk {
    grid: Grid,
    full: u64,
    lines: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stones {
    mine: u64,
    theirs: u64,
}

impl Mnk {
    pub(crate) fn new(columns: u32, rows: u32, k: u32) -> Mnk {
        let grid = Grid { columns, rows };
        Mnk { grid, full: grid.all(), lines: lines(grid, k) }
    }

    fn line(&self, stones: u64) -> bool {
        self.lines.iter().any(|line| stones & line == *line)
    }
}

/// Every set of k cells in a row, once.
fn lines(grid: Grid, k: u32) -> Vec<u64> {
    let Grid { columns, rows } = grid;
    let mut lines = vec![];
    for cell in 0..columns * rows {
        for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1)] {
            let cells = (0..k).map(|i| {
                let x = (cell % columns).checked_add_signed(dx * i as i32)?;
                let y = cell / columns + dy * i;
                (x < columns && y < rows).then(|| grid.at(x, y).bit())
            });
            lines.extend(cells.sum::<Option<u64>>());
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

impl Game for Mnk {
    type Position = Stones;
    type Move = Cell;

    fn start(&self) -> Stones {
        Stones { mine: 0, theirs: 0 }
    }

    fn moves(&self, at: &Stones) -> impl IntoIterator<Item = Cell> {
        self.grid.cells(self.full & !(at.mine | at.theirs))
    }

    fn play(&self, at: &Stones, mv: Cell) -> Stones {
        Stones { mine: at.theirs, theirs: at.mine | mv.bit() }
    }

    fn over(&self, at: &Stones) -> Option<Outcome> {
        if self.line(at.theirs) {
            Some(Outcome::Loss)
        } else if self.line(at.mine) {
            // Never in play, but numbered.
            Some(Outcome::Win)
        } else if at.mine | at.theirs == self.full {
            Some(Outcome::Tie)
        } else {
            None
        }
    }

    fn show(&self, at: &Stones) -> String {
        self.draw(|cell| stone(at.sides(), cell))
    }

    fn notation(&self, at: &Stones) -> String {
        rows(self.grid, Layout::Up, |cell| stone(at.sides(), cell))
    }

    fn read(&self, word: &str) -> Option<Result<(Stones, u32), String>> {
        let placement = BoardNotation::stones(self.grid, Layout::Up).read(word)?;
        Some(placement.and_then(|placement| {
            let stones = placement.stones();
            let turn = in_turn(stones)?;
            ended(stones.map(|side| self.line(side)), turn)?;
            let at = Stones { mine: stones[turn], theirs: stones[1 - turn] };
            Ok((at, (at.mine | at.theirs).count_ones()))
        }))
    }
}

impl PositionEditor for Mnk {
    fn editor(&self) -> EditorBoard {
        BoardNotation::stones(self.grid, Layout::Up).editor()
    }
}

impl Drawn for Mnk {
    fn picture(&self, at: &Stones, _made: &[String]) -> Picture {
        let mut drawing = self.drawing();
        drawing.stones(at.sides());
        drawing.picture()
    }
}

impl Stones {
    /// The stones of the player who began, and the other's.
    fn sides(&self) -> [u64; 2] {
        let even = (self.mine | self.theirs).count_ones().is_multiple_of(2);
        if even { [self.mine, self.theirs] } else { [self.theirs, self.mine] }
    }
}

impl Placement for Mnk {
    fn grid(&self) -> Grid {
        self.grid
    }

    fn ending(&self, stones: [u64; 2], last: Player) -> Option<Ending> {
        if self.line(stones[last as usize]) {
            return Some(Ending::Won(last));
        }
        (stones[0] | stones[1] == self.full).then_some(Ending::Even)
    }

    fn draw(&self, mark: impl Fn(Cell) -> char) -> String {
        self.grid.picture(mark)
    }

    fn drawing(&self) -> BoardDrawing {
        BoardDrawing::with_cells(self.grid, Layout::Up, |_| Tone::Board)
    }
}

/// Placements by the number of stones, mirror images sharing a slot.
pub(crate) struct Folded {
    group: Arc<Group>,
    tiers: Vec<FoldedPair>,
}

impl Folded {
    pub(crate) fn new(game: &Mnk) -> Result<Folded, String> {
        let Grid { columns, rows } = game.grid;
        let group =
            if columns == rows { Group::square(rows) } else { Group::rectangle(columns, rows) };
        let group = Arc::new(group);
        // The opponent moved last and never has fewer stones, and a larger set is seldomer
        // symmetric, so theirs is the set to fold by.
        let tier = |stones: u32| FoldedPair::new(group.clone(), stones.div_ceil(2), stones / 2);
        let tiers = (0..=columns * rows).map(tier).collect::<Result<_, _>>();
        Ok(Folded { tiers: tiers.map_err(|unfoldable| unfoldable.to_string())?, group })
    }
}

impl Index<Stones> for Folded {
    fn tiers(&self) -> u32 {
        self.tiers.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        self.tiers[tier as usize].len()
    }

    fn slot(&self, at: &Stones) -> Slot {
        let tier = (at.mine | at.theirs).count_ones();
        Slot { tier, index: self.tiers[tier as usize].slot(at.theirs, at.mine) }
    }

    fn position(&self, slot: Slot) -> Option<Stones> {
        let [theirs, mine] = self.tiers[slot.tier as usize].position(slot.index)?;
        Some(Stones { mine, theirs })
    }

    fn loopy(&self, _tier: u32) -> bool {
        false
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    fn children(&self, tier: u32, to: &[Stones], slots: &mut Vec<Slot>) {
        let (tier, Some(folded)) = (tier + 1, self.tiers.get(tier as usize + 1)) else { return };
        let slot = |to: &Stones| Slot { tier, index: folded.slot(to.theirs, to.mine) };
        slots.extend(to.iter().map(slot));
    }

    fn orbit(&self, at: &Stones) -> Vec<Stones> {
        let images = self.group.orbit([at.mine, at.theirs]);
        images.into_iter().map(|[mine, theirs]| Stones { mine, theirs }).collect()
    }

    fn max_orbit(&self) -> u32 {
        self.group.order() as u32
    }

    fn bytes(&self) -> u64 {
        self.tiers.iter().map(FoldedPair::bytes).sum()
    }

    fn name(&self) -> String {
        "mnk-folded-1".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted() {
        for ((columns, rows, k), count) in
            [((3, 3, 3), 8), ((4, 4, 4), 10), ((4, 3, 1), 12), ((8, 8, 8), 18), ((2, 26, 26), 2)]
        {
            assert_eq!(lines(Grid { columns, rows }, k).len(), count);
        }
    }

    #[test]
    fn cells_are_named_as_in_chess() {
        let game = Mnk::new(4, 3, 3);
        let at = game.play(&game.start(), game.grid.at(2, 1));
        assert_eq!(game.show(&at), " 3 . . . .\n 2 . . X .\n 1 . . . .\n   a b c d");
    }
}
